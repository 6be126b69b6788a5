"""Wheels that follow the track of a vibrating beam rigidly, until they lift off.

Rigid contact is v = u at the end of each step, the velocities of wheel and track, one small linear system in
the forces under the wheels (see `condensed_steps`). Then the mean force is that of a momentum balance,
without memory: it does not oscillate. High modes need to know how it changes too, see `changing_forces`.

A wheel that lands has another velocity than the track, D. Rigid contact removes it at once, by an impulse J:
in the step that follows, the mean force is that which removes D, J/h, plus one that stays finite as h falls.
A step in which a wheel lands is divided there, so that the wheel is not put on the track from far below it.

Units: SI; modal coordinates in m sqrt(kg), shapes of modes in 1/sqrt(kg), forces in N, times in s.
"""

from typing import NamedTuple

import numpy as np

from traction.compiled import kernel
from traction.crossing.bridge_models.kernels.mode_shapes import value_and_slope
from traction.crossing.marches.kernels.changing_forces import follow_changes, keep_shapes
from traction.crossing.marches.kernels.condensed_steps import (
    condense_step,
    eliminate,
    finish_step,
    segment_in_step,
)


class RigidEvents(NamedTuple):
    """What happens to rigid wheels at the ends of steps."""

    struck: np.ndarray  #: part J/h of the mean forces in the steps after landings, N, (steps, wheels)
    turned: np.ndarray  #: velocities that wheels gain where the track turns, m/s, (times, wheels)


@kernel
def march_rigid(bridge, cars, way, work, rows, events, changes, steps):
    """March beam and vehicles in rigid contact through `steps` (first, last + 1, lateness in s).

    `rows` and `work` are known up to the first of them; `changes` are those of `changing_forces`. Returns the
    step, not completed, at whose end a wheel has been below the track for longer than the lateness, and for
    how long; -1 if there is none.
    """
    for n in range(steps[0], steps[1]):
        turn_wheels(bridge, cars, way, n, work.on, rows, events.turned)
        keep_shapes(way, work, n, rows.touching, changes)
        condense_step(bridge, cars, way, work, n, rows)
        follow_changes(bridge.omega, way.t[n + 1] - way.t[n], n, work, rows, events.struck, changes)
        contact_system(cars, way, work, n, rows.v)
        for k in range(cars.owner.size):
            rows.touching[n + 1, k] = rows.touching[n, k]
        contact_forces(work.matrix, work.right, rows.touching[n + 1], rows.force[n])
        if n > 0:
            strike_track(bridge, cars, way, work, n, rows, events.struck[n])
        finish_step(cars, work, way.t[n + 1] - way.t[n], n, rows)
        late = lateness(bridge, cars, way, work, n, rows)
        if late > steps[2]:
            for k in range(work.rows_on.size):
                work.rows_on[k] = -1  # what is known of the shapes belongs to the end of the step
            return n, late
        settle_wheels(cars, way, work, n, rows)
    return -1, 0.0


@kernel
def contact_system(cars, way, work, n, v):
    """Rigid contact of all wheels in step n: A F = right, from the velocities of wheels and track when free.

    `v` (times, coordinates) are the velocities of the vehicles, those at the end of the step without forces.
    """
    shapes, on, A, right = work.rows, work.on, work.matrix, work.right
    for k in range(on.size):
        track = -way.speed[n + 1] * way.rail[min(n + 1, len(way.rail) - 1), k, 1]
        if on[k] >= 0:
            for i in range(shapes.shape[2]):
                track += shapes[k, 2, i] * work.ends[1, i] + shapes[k, 3, i] * work.ends[0, i]
        right[k] = v[n + 1, cars.coordinate[k]] - track
        for j in range(on.size):
            A[k, j] = 0.0
            if cars.owner[j] == cars.owner[k]:
                push = 2.0 * work.inverses[cars.owner[k], cars.place[k], cars.place[j]]
                A[k, j] += push
                right[k] += push * cars.load[j]
            if on[k] >= 0 and on[j] >= 0:
                for i in range(shapes.shape[2]):
                    A[k, j] += shapes[k, 2, i] * shapes[j, 1, i] + shapes[k, 3, i] * shapes[j, 0, i]


@kernel
def held_forces(A, right, touching, F):
    """Forces under the wheels that touch, A F = right; zero under the others."""
    n = right.size
    B = np.empty((n, n + 1))
    for k in range(n):
        for j in range(n):
            held = touching[k] and touching[j]
            B[k, j] = A[k, j] if held else (1.0 if j == k else 0.0)
        B[k, n] = right[k] if touching[k] else 0.0
    eliminate(B, n)
    for k in range(n):
        F[k] = B[k, n]


@kernel
def strike_track(bridge, cars, way, work, n, rows, struck):
    """Mean forces in step n that remove the velocities with which wheels have landed at its start."""
    landed, off = False, work.right
    for k in range(off.size):
        off[k], struck[k] = 0.0, 0.0  # of a longer step that was divided
        if rows.touching[n, k] and rows.touching[n + 1, k] and not rows.touching[n - 1, k]:
            track = -way.speed[n] * way.rail[min(n, len(way.rail) - 1), k, 1]
            if work.on[k] >= 0:
                place = way.place[n] - cars.behind[k]
                track += track_velocity(bridge, work.on[k], place, way.speed[n], rows.q[n], rows.p[n])
            off[k] = rows.v[n, cars.coordinate[k]] - track
            landed = True
    if landed:
        held_forces(work.matrix, off, rows.touching[n + 1], struck)


@kernel
def contact_forces(A, right, touching, F):
    """Solve for the wheels that touch; one that would be pulled down is let go. Returns how many were."""
    n, released = right.size, 0
    for _ in range(n + 1):
        held_forces(A, right, touching, F)
        worst = -1
        for k in range(n):
            if touching[k] and F[k] < 0.0 and (worst < 0 or F[k] < F[worst]):
                worst = k
        if worst < 0:
            break
        touching[worst] = False
        released += 1
    return released


@kernel
def track_velocity(bridge, segment, place, speed, q, p):
    """Velocity of the beam under a wheel that moves along it."""
    total = 0.0
    for i in range(bridge.omega.size):
        value, slope = value_and_slope(bridge.shapes, bridge.tables, i, segment, place)
        total += value * p[i] + speed * slope * q[i]
    return total


@kernel
def turn_wheels(bridge, cars, way, n, on, rows, turned):
    """Find the segment of each wheel during step n; where that is another one, the wheel takes its direction.

    The track has a kink there if the beam is bent, which asks for an impulse in rigid contact. It is left
    out.
    """
    for k in range(on.size):
        segment = segment_in_step(bridge, cars, way, n, k)
        if segment != on[k] and rows.touching[n, k]:
            track = -way.speed[n] * way.rail[min(n, len(way.rail) - 1), k, 1]
            if segment >= 0:
                place = way.place[n] - cars.behind[k]
                track += track_velocity(bridge, segment, place, way.speed[n], rows.q[n], rows.p[n])
            turned[n, k] = track - rows.v[n, cars.coordinate[k]]
            rows.v[n, cars.coordinate[k]] = track
        on[k] = segment


@kernel
def settle_wheels(cars, way, work, n, rows):
    """Put wheels that touch on the track, and let land those that have come down to it."""
    shapes, on = work.rows, work.on
    for k in range(on.size):
        track = -way.rail[min(n + 1, len(way.rail) - 1), k, 0]
        if on[k] >= 0:
            for i in range(shapes.shape[2]):
                track += shapes[k, 2, i] * rows.q[n + 1, i]
        z = cars.coordinate[k]
        if rows.touching[n + 1, k] or rows.z[n + 1, z] >= track:
            rows.z[n + 1, z] = track
            rows.touching[n + 1, k] = True


@kernel
def lateness(bridge, cars, way, work, n, rows):
    """Time that a wheel which has come down in step n has been below the track at its end, the longest.

    From the parabola of its distance from the track through the rate at the end.
    """
    shapes, on, last, longest = work.rows, work.on, len(way.rail) - 1, 0.0
    h = way.t[n + 1] - way.t[n]
    for k in range(on.size):
        if rows.touching[n + 1, k]:
            continue
        z, rail = cars.coordinate[k], way.rail[min(n + 1, last), k]
        below, rate = rows.z[n + 1, z] + rail[0], rows.v[n + 1, z] + way.speed[n + 1] * rail[1]
        before = rows.z[n, z] + way.rail[min(n, last), k, 0]
        if on[k] >= 0:
            place = way.place[n] - cars.behind[k]
            for i in range(shapes.shape[2]):
                q, p = rows.q[n + 1, i], rows.p[n + 1, i]
                below -= shapes[k, 2, i] * q
                rate -= shapes[k, 2, i] * p + shapes[k, 3, i] * q
                value, _ = value_and_slope(bridge.shapes, bridge.tables, i, on[k], place)
                before -= value * rows.q[n, i]
        if below < 0.0:
            continue
        bent = 2.0 * (before - below + rate * h) / h**2
        inside = rate**2 - 2.0 * bent * below
        late = h * below / (below - before) if before < 0.0 else 0.0
        if inside > 0.0 and rate + np.sqrt(inside) > 0.0:
            late = 2.0 * below / (rate + np.sqrt(inside))
        longest = max(longest, min(late, h))
    return longest
