"""Wheels that follow the track of a vibrating beam rigidly, until they lift off.

Rigid contact is v = u at the end of each step, the velocities of wheel and track, one small linear system in
the forces under the wheels (see `condensed_steps`). Then the mean force is that of a momentum balance,
without memory: it does not oscillate.

A wheel that lands has another velocity than the track, D. Rigid contact removes it at once, by an impulse J:
in the step that follows, the mean force is that which removes D, J/h, plus one that stays finite as h falls.
A step in which a wheel lands is divided there, so that the wheel is not put on the track from far below it.

A wheel whose mean force would be negative lifts off at the start of the step. Where its force falls evenly,
F' per second, the impulse is at most F' h^2/8 wrong. Where it falls suddenly, as at a kink of rail or tread,
it would be F h: such steps are halved until they are short.

The mean force F of each step moves the wheels exactly, but not the modes: under a force that changes by dF
over the step a mode reaches its end lower by about h^2/12 phi dF than under the mean. So each mode begins the
step displaced by -kappa phi dF, dF = F - F_before, which makes q and q' exact to fourth order of omega h at
the ends of steps. With T the displacement of a mode under a constant force over the mean of its velocities at
both ends of a step, (2/omega) tan(omega h/2) without damping,

    kappa = (T/h - 1)/omega^2,

h^2/12 for small omega h: under a force that changes evenly the velocity is then exact for any step. For a
wheel that stands still this keeps the sum of the energies of modes, each times h/T, and vehicles, where
q + kappa phi F stands for q; so the march is stable for any step. Modes that follow the trapezoidal rule have
T = h. The change is not known where a wheel has just come onto a segment or landed, and where the step has
another length than the one before; there the mean is taken alone, once.

Units: SI; modal coordinates in m sqrt(kg), shapes of modes in 1/sqrt(kg), forces in N, times in s.
"""

from typing import NamedTuple

import numpy as np

from traction.compiled import kernel
from traction.crossing.marches.kernels.condensed_steps import condense_step, eliminate, finish_step
from traction.crossing.marches.kernels.rigid_track import (
    TOUCH,
    enter_segments,
    exists,
    fixed_track,
    is_bridge,
    track_at,
)

SMALL = 1e-2  #: rad in a step, below which the limit of kappa is taken
SUDDEN = 0.02  #: of the load at rest, above which the last force of a wheel that lifts off is not small


class ForceChanges(NamedTuple):
    """What the steps of a march share."""

    #: phi under each wheel at the start of a step, 0 where its change is unknown, (wheels, modes)
    before: np.ndarray
    kappa: np.ndarray  #: of each mode, (modes,)
    made_for: np.ndarray  #: step for which these were made, s, (1,)


def make_changes(wheels: int, modes: int) -> ForceChanges:
    """Storage for so many wheels and modes."""
    return ForceChanges(np.zeros((wheels, modes)), np.zeros(modes), np.zeros(1))


@kernel
def displacements_per_force(omega, weights, h, kappa):
    """kappa of each mode for steps of length h."""
    for i in range(omega.size):
        w = weights[i]
        moved = w[1] + (w[4] + w[6]) / (w[8] + w[10]) * (1.0 - w[3])
        small = omega[i] * h < SMALL
        kappa[i] = h * h / 12.0 if small else (moved / h - 1.0) / omega[i] ** 2


@kernel
def keep_shapes(way, work, n, contacts, changes):
    """Keep the shapes under the wheels at the start of step n, from those at the end of the step before."""
    h, held = way.t[n + 1] - way.t[n], contacts.held
    known = n > 0 and abs(h - (way.t[n] - way.t[n - 1])) < 1e-9 * h
    for c in range(held.shape[1]):
        known = known and (held[n - 1, c] or not held[n, c])  # the impulse of one reaches all
    for k in range(work.on.size):
        same = known and work.on[k] >= 0 and work.rows_on[k] == work.on[k] and held[n, 2 * k]
        contacts.followed[n, k] = same
        for i in range(work.rows.shape[2]):
            changes.before[k, i] = work.rows[k, 2, i]


@kernel
def follow_changes(omega, h, n, work, contacts, changes):
    """Add to `work.ends` and `work.rows` what the changes of the forces into step n do to the modes."""
    if abs(h - changes.made_for[0]) > 1e-9 * h:
        displacements_per_force(omega, work.weights, h, changes.kappa)
        changes.made_for[0] = h
    for k in range(work.on.size):
        if not contacts.followed[n, k]:
            continue
        last = contacts.push[n - 1, 2 * k] - contacts.struck[n - 1, 2 * k]
        for i in range(omega.size):
            off = changes.kappa[i] * changes.before[k, i]
            q, p = work.weights[i, 0] * off, work.weights[i, 2] * off
            work.ends[0, i] += q * last
            work.ends[1, i] += p * last
            work.rows[k, 0, i] -= q
            work.rows[k, 1, i] -= p


@kernel
def march_rigid(bridge, cars, way, work, rows, contacts, changes, steps):
    """March beam and vehicles in rigid contact through `steps` (first, last + 1, lateness, earliness in s).

    `rows`, `contacts` and `work` are known up to the first of them; `changes` those of
    the forces. Returns the step, not completed, at whose end a wheel has been below the track for
    longer than the lateness, and for how long; or the step, longer than the earliness, in which a wheel
    lifts off suddenly, and minus half of its length; -1 if there is none.
    """
    for n in range(steps[0], steps[1]):
        enter_segments(bridge, cars, way, work, n, rows, contacts)
        keep_shapes(way, work, n, contacts, changes)
        condense_step(bridge, cars, way, work, n, rows)
        h = way.t[n + 1] - way.t[n]
        follow_changes(bridge.omega, h, n, work, contacts, changes)
        contact_system(bridge, cars, way, work, n, rows.v, contacts)
        for c in range(contacts.right.size):
            contacts.held[n + 1, c] = contacts.held[n, c]
        contact_forces(contacts.matrix, contacts.right, contacts.held[n + 1], contacts.push[n])
        if n > 0 and h > steps[3] and lifts_off(cars, contacts, n):
            forget_shapes(work)
            return n, -0.5 * h
        if n > 0:
            strike_track(bridge, cars, way, work, n, rows, contacts)
        share_forces(work, contacts, n, rows.force[n])
        finish_step(cars, work, h, n, rows)
        late = lateness(bridge, cars, way, work, n, rows, contacts)
        if late > steps[2]:
            forget_shapes(work)
            return n, late
        settle_wheels(bridge, cars, way, work, n, rows, contacts)
    return -1, 0.0


@kernel
def forget_shapes(work):
    """Before a step is divided: what is known of the shapes belongs to its end."""
    for k in range(work.rows_on.size):
        work.rows_on[k] = -1


@kernel
def lifts_off(cars, contacts, n):
    """Whether a wheel lifts off in step n whose force in the step before was not yet small."""
    found = False
    for c in range(contacts.right.size):
        if contacts.held[n, c] and not contacts.held[n + 1, c]:
            force = contacts.push[n - 1, c] - contacts.struck[n - 1, c]
            found |= contacts.held[n - 1, c] and force > SUDDEN * cars.load[c // 2]
    return found


@kernel
def contact_system(bridge, cars, way, work, n, v, contacts):
    """Rigid contact of all wheels in step n: A F = right, from the velocities of wheels and track when free.

    `v` (times, coordinates) are the velocities of the vehicles, those at the end of the step without forces.
    """
    shapes, A, right = work.rows, contacts.matrix, contacts.right
    for c in range(right.size):
        if not exists(contacts, c):
            continue
        k, bent = c // 2, is_bridge(work, c)
        _, track = fixed_track(bridge, cars, way, contacts, n + 1, c)
        if bent:
            for i in range(shapes.shape[2]):
                track += shapes[k, 2, i] * work.ends[1, i] + shapes[k, 3, i] * work.ends[0, i]
        right[c] = v[n + 1, cars.coordinate[k]] - track
        for d in range(right.size):
            if not exists(contacts, d):
                continue
            j, A[c, d] = d // 2, 0.0
            if cars.owner[j] == cars.owner[k]:
                push = 2.0 * work.inverses[cars.owner[k], cars.place[k], cars.place[j]]
                A[c, d] += push
                right[c] += push * cars.load[j] if d % 2 == 0 else 0.0
            if bent and is_bridge(work, d):
                for i in range(shapes.shape[2]):
                    A[c, d] += shapes[k, 2, i] * shapes[j, 1, i] + shapes[k, 3, i] * shapes[j, 0, i]


@kernel
def held_forces(A, right, held, F):
    """Forces of the contacts that touch, A F = right; zero of the others."""
    count = 0
    for c in range(right.size):
        F[c] = 0.0
        count += held[c]
    B, which = np.empty((count, count + 1)), np.empty(count, dtype=np.int64)
    row = 0
    for c in range(right.size):
        if held[c]:
            which[row] = c
            row += 1
    for r in range(count):
        for d in range(count):
            B[r, d] = A[which[r], which[d]]
        B[r, count] = right[which[r]]
    eliminate(B, count)
    for r in range(count):
        F[which[r]] = B[r, count]


@kernel
def strike_track(bridge, cars, way, work, n, rows, contacts):
    """Mean forces in step n that remove the velocities with which wheels have landed at its start."""
    landed, off, struck = False, contacts.right, contacts.struck[n]
    for c in range(off.size):
        off[c], struck[c] = 0.0, 0.0  # of a longer step that was divided
        if contacts.held[n, c] and contacts.held[n + 1, c] and not contacts.held[n - 1, c]:
            _, track = track_at(bridge, cars, way, work, contacts, n, c, rows.q[n], rows.p[n])
            off[c] = rows.v[n, cars.coordinate[c // 2]] - track
            landed = True
    if landed:
        held_forces(contacts.matrix, off, contacts.held[n + 1], struck)


@kernel
def contact_forces(A, right, held, F):
    """Solve for the contacts that touch; one that would be pulled down is let go. Returns how many were."""
    released = 0
    for _ in range(right.size + 1):
        held_forces(A, right, held, F)
        worst = -1
        for c in range(right.size):
            if held[c] and F[c] < 0.0 and (worst < 0 or F[c] < F[worst]):
                worst = c
        if worst < 0:
            break
        held[worst] = False
        released += 1
    return released


@kernel
def share_forces(work, contacts, n, force):
    """Force of each wheel in step n, and the share of it that acts on the bridge."""
    for k in range(force.size):
        first, second = contacts.push[n, 2 * k], contacts.push[n, 2 * k + 1]
        force[k] = first + second
        work.share[k] = first / force[k] if second != 0.0 else 1.0


@kernel
def settle_wheels(bridge, cars, way, work, n, rows, contacts):
    """Put wheels that touch on the track, and let land those that have come down to it."""
    for k in range(work.on.size):
        z = cars.coordinate[k]
        highest, rows.touching[n + 1, k] = np.inf, False
        for c in range(2 * k, 2 * k + 2):
            if not exists(contacts, c):
                continue
            track, _ = fixed_track(bridge, cars, way, contacts, n + 1, c)
            if is_bridge(work, c):
                for i in range(work.rows.shape[2]):
                    track += work.rows[k, 2, i] * rows.q[n + 1, i]
            near = TOUCH if contacts.near[k] >= 0 else 0.0
            if contacts.held[n + 1, c] or rows.z[n + 1, z] >= track - near:
                highest = min(highest, track)
                contacts.held[n + 1, c] = True
                rows.touching[n + 1, k] = True
        if rows.touching[n + 1, k]:
            rows.z[n + 1, z] = highest


@kernel
def lateness(bridge, cars, way, work, n, rows, contacts):
    """Time that a wheel which has come down in step n has been below the track at its end, the longest.

    From the parabola of its distance from the track through the rate at the end.
    """
    shapes, longest, h = work.rows, 0.0, way.t[n + 1] - way.t[n]
    for c in range(contacts.right.size):
        if contacts.held[n + 1, c] or not exists(contacts, c):
            continue
        k, z = c // 2, cars.coordinate[c // 2]
        depth, speed = fixed_track(bridge, cars, way, contacts, n + 1, c)
        below, rate = rows.z[n + 1, z] - depth, rows.v[n + 1, z] - speed
        if is_bridge(work, c):
            for i in range(shapes.shape[2]):
                q, p = rows.q[n + 1, i], rows.p[n + 1, i]
                below -= shapes[k, 2, i] * q
                rate -= shapes[k, 2, i] * p + shapes[k, 3, i] * q
        if below < 0.0:
            continue
        before = rows.z[n, z] - track_at(bridge, cars, way, work, contacts, n, c, rows.q[n], rows.p[n])[0]
        bent = 2.0 * (before - below + rate * h) / h**2
        inside = rate**2 - 2.0 * bent * below
        late = h * below / (below - before) if before < 0.0 else 0.0
        if inside > 0.0 and rate + np.sqrt(inside) > 0.0:
            late = 2.0 * below / (rate + np.sqrt(inside))
        longest = max(longest, min(late, h))
    return longest
