"""Vehicles on a vibrating beam: everything condensed to the forces under the wheels.

Over a step the force F of each wheel is constant, its mean. The modes answer to F phi(s(t)) exactly
(Hermite's cubic in time for phi along the way), the vehicles by the trapezoidal rule, which answers to a
constant force without further error. So the velocities at the end of the step are

    wheels:  v = v_free - 2 S^-1 (F - P),    track under them:  u = u_free + D F,

with S = 2M/h + C + hK/2, the loads P at rest, and D from the modes, where u = w_t + V w' - V r' has the speed
V of the train along the beam and the height r of the rail. Rigid contact is v = u at the end of each step,
one small linear system. Then the mean force is that of a momentum balance, without memory: it does not
oscillate.

Stability: with T_i = (2/omega_i) tan(omega_i h/2), a mode moves by T_i times its mean velocity. The sum of
its energies, each times h/T_i, and that of the vehicles is kept by the scheme while the wheels stand still,
for any step below pi/omega_i. Modes that turn by more than WIDE in a step are propagated by the trapezoidal
rule, where T_i = h: so the scheme is stable for any step.
"""

import numpy as np

from traction.compiled import kernel
from traction.crossing.marches.kernels.modal_propagation import (
    add_axles,
    axles_changed,
    move_modes,
    segment_of,
    step_weights,
    value_and_slope,
)

WIDE = 1.5  #: rad in a step, above which a mode follows the trapezoidal rule


@kernel
def blunt_weights(omega, rate, h, weights):
    """Put the trapezoidal rule in place of the exact answer for modes that turn too far in a step."""
    for i in range(omega.size):
        if omega[i] * h <= WIDE:
            continue
        half = 0.5 * rate[i] * h + 0.25 * (omega[i] * h) ** 2
        D = 1.0 + half
        weights[i, 2], weights[i, 3] = -h * omega[i] ** 2 / D, (1.0 - half) / D
        weights[i, 0], weights[i, 1] = 1.0 + 0.5 * h * weights[i, 2], 0.5 * h * (1.0 + weights[i, 3])
        for j, share in enumerate((0.5, 1.0 / 12.0, 0.5, -1.0 / 12.0)):
            weights[i, 8 + j] = share * h / D
            weights[i, 4 + j] = 0.5 * h * weights[i, 8 + j]


@kernel
def eliminate(B, n):
    """Solve for the columns of B beyond its first n by Gauss's elimination, rows exchanged; in place."""
    for c in range(n):
        pivot = c
        for r in range(c + 1, n):
            if abs(B[r, c]) > abs(B[pivot, c]):
                pivot = r
        if pivot != c:
            for j in range(c, B.shape[1]):
                B[c, j], B[pivot, j] = B[pivot, j], B[c, j]
        for j in range(B.shape[1] - 1, c - 1, -1):
            B[c, j] /= B[c, c]
        for r in range(n):
            if r != c and B[r, c] != 0.0:
                factor = B[r, c]
                for j in range(c, B.shape[1]):
                    B[r, j] -= factor * B[c, j]


@kernel
def vehicle_inverses(cars, h, inverses):
    """S^-1 of each vehicle."""
    for v in range(cars.first.size - 1):
        n = cars.first[v + 1] - cars.first[v]
        S = np.zeros((n, 2 * n))
        for i in range(n):
            for j in range(n):
                S[i, j] = cars.damping[v, i, j] + 0.5 * h * cars.stiffness[v, i, j]
            S[i, i] += 2.0 * cars.mass[cars.first[v] + i] / h
            S[i, n + i] = 1.0
        eliminate(S, n)
        for i in range(n):
            for j in range(n):
                inverses[v, i, j] = S[i, n + j]


@kernel
def free_vehicles(cars, inverses, h, z, v, v_free):
    """Velocities at the end of a step in which the loads on the wheels are those at rest."""
    for c in range(cars.first.size - 1):
        a, b = cars.first[c], cars.first[c + 1]
        right = np.empty(b - a)
        for i in range(b - a):
            total = 2.0 * cars.mass[a + i] * v[a + i] / h
            for j in range(b - a):
                total -= cars.stiffness[c, i, j] * z[a + j]
            right[i] = total
        for i in range(b - a):
            total = 0.0
            for j in range(b - a):
                total += inverses[c, i, j] * right[j]
            v_free[a + i] = 2.0 * total - v[a + i]


@kernel
def wheel_answers(bridge, weights, h, segment, ends, known, rows):
    """Answers of the modes to 1 N at a wheel, and what the wheel feels of each mode: rows (4, modes).

    `ends` are place and speed at the start and at the end of the step. Rows: q, q' at the end, phi, V phi'.
    Where they are `known`, the last two are those of the step before, that is at the start of this one.
    """
    for i in range(bridge.omega.size):
        w = weights[i]
        if known:
            one, d0 = rows[2, i], h * rows[3, i]
        else:
            one, before = value_and_slope(bridge.shapes, bridge.tables, i, segment, ends[0])
            d0 = h * (before * ends[1])
        two, after = value_and_slope(bridge.shapes, bridge.tables, i, segment, ends[2])
        d1 = h * (after * ends[3])
        rows[0, i] = w[4] * one + w[5] * d0 + w[6] * two + w[7] * d1
        rows[1, i] = w[8] * one + w[9] * d0 + w[10] * two + w[11] * d1
        rows[2, i] = two
        rows[3, i] = after * ends[3]


@kernel
def contact_system(cars, inverses, rows, on, velocities, A, right):
    """Rigid contact of all wheels: A F = right, from the `velocities` (wheels, 2) of wheel and track when
    free.
    """
    n = on.size
    for k in range(n):
        right[k] = velocities[k, 0] - velocities[k, 1]
        for j in range(n):
            A[k, j] = 0.0
            if cars.owner[j] == cars.owner[k]:
                push = 2.0 * inverses[cars.owner[k], cars.place[k], cars.place[j]]
                A[k, j] += push
                right[k] += push * cars.load[j]
            if on[k] >= 0 and on[j] >= 0:
                for i in range(rows.shape[2]):
                    A[k, j] += rows[k, 2, i] * rows[j, 1, i] + rows[k, 3, i] * rows[j, 0, i]


@kernel
def contact_forces(A, right, touching, F):
    """Solve for the wheels that touch; one that would be pulled down is let go. Returns how many were."""
    n, released = right.size, 0
    B = np.empty((n, n + 1))
    for _ in range(n + 1):
        for k in range(n):
            for j in range(n):
                held = touching[k] and touching[j]
                B[k, j] = A[k, j] if held else (1.0 if j == k else 0.0)
            B[k, n] = right[k] if touching[k] else 0.0
        eliminate(B, n)
        for k in range(n):
            F[k] = B[k, n]
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
def given_forces(bridge, way, axles, n, given):
    """Modal forces of axles that are plain forces, at both ends of step n: given (2, modes, 2)."""
    last = len(axles.loads) - 1
    here = axles.behind, axles.segments
    axles_changed(bridge.ends, 0.5 * (way.place[n] + way.place[n + 1]), axles.behind, axles.segments)
    for end in range(2):
        at = n + end
        add_axles(bridge, way.place[at], way.speed[at], here, axles.loads[min(at, last)], given[end])


@kernel
def track_velocity(bridge, segment, place, speed, q, p):
    """Velocity of the beam under a wheel that moves along it."""
    total = 0.0
    for i in range(bridge.omega.size):
        value, slope = value_and_slope(bridge.shapes, bridge.tables, i, segment, place)
        total += value * p[i] + speed * slope * q[i]
    return total


@kernel
def segment_in_step(bridge, cars, way, n, k):
    """Segment of wheel k during step n, -1 off the beam."""
    return segment_of(bridge.ends, 0.5 * (way.place[n] + way.place[n + 1]) - cars.behind[k])


@kernel
def turn_wheels(bridge, cars, way, n, on, state):
    """Find the segment of each wheel during step n; where that is another one, the wheel takes its direction.

    The track has a kink there if the beam is bent, which asks for an impulse in rigid contact. It is left
    out.
    """
    for k in range(on.size):
        segment = segment_in_step(bridge, cars, way, n, k)
        if segment != on[k] and state.touching[n, k]:
            track = -way.speed[n] * way.rail[min(n, len(way.rail) - 1), k, 1]
            if segment >= 0:
                place = way.place[n] - cars.behind[k]
                track += track_velocity(bridge, segment, place, way.speed[n], state.q[n], state.p[n])
            state.v[n, cars.coordinate[k]] = track
        on[k] = segment


@kernel
def condense_step(bridge, cars, way, axles, work, n, state):
    """Everything that step n needs to know of beam and vehicles, but the forces under the wheels.

    Left in `work`: modes at the end under the given axles alone (`ends`), answers to 1 N under each wheel
    (`rows`, `inverses`), velocities of wheels and track (`velocities`), and the system A F = right of rigid
    contact. `work.on`, the segment of each wheel during the step, must be known. `finish_step` takes the
    forces, wherever they come from.
    """
    h = way.t[n + 1] - way.t[n]
    if abs(h - work.made_for[0]) > 1e-9 * h:
        step_weights(bridge.omega, bridge.rate, h, work.weights)
        blunt_weights(bridge.omega, bridge.rate, h, work.weights)
        vehicle_inverses(cars, h, work.inverses)
        work.made_for[0] = h
    given_forces(bridge, way, axles, n, work.given)
    for i in range(bridge.omega.size):
        work.ends[0, i], work.ends[1, i] = state.q[n, i], state.p[n, i]
    move_modes(work.weights, h, work.given[0], work.given[1], work.ends[0], work.ends[1])
    free_vehicles(cars, work.inverses, h, state.z[n], state.v[n], state.v[n + 1])
    stretch = np.empty(4)
    for k in range(cars.owner.size):
        stretch[0], stretch[1] = way.place[n] - cars.behind[k], way.speed[n]
        stretch[2], stretch[3] = way.place[n + 1] - cars.behind[k], way.speed[n + 1]
        work.velocities[k, 0] = state.v[n + 1, cars.coordinate[k]]
        work.velocities[k, 1] = -way.speed[n + 1] * way.rail[min(n + 1, len(way.rail) - 1), k, 1]
        if work.on[k] >= 0:
            known = work.on[k] == work.rows_on[k]
            wheel_answers(bridge, work.weights, h, work.on[k], stretch, known, work.rows[k])
            for i in range(bridge.omega.size):
                felt = work.rows[k, 2, i] * work.ends[1, i] + work.rows[k, 3, i] * work.ends[0, i]
                work.velocities[k, 1] += felt
        work.rows_on[k] = work.on[k]
    contact_system(cars, work.inverses, work.rows, work.on, work.velocities, work.A, work.right)


@kernel
def march_vehicles(bridge, cars, way, axles, work, state):
    """March beam and vehicles in rigid contact over the times `way.t`.

    `state` holds q, p (times, modes), z, v (times, coordinates), force (times - 1, wheels), the mean of each
    step, and touching (times, wheels), all from their first rows on.
    """
    for n in range(way.t.size - 1):
        turn_wheels(bridge, cars, way, n, work.on, state)
        condense_step(bridge, cars, way, axles, work, n, state)
        for k in range(cars.owner.size):
            state.touching[n + 1, k] = state.touching[n, k]
        contact_forces(work.A, work.right, state.touching[n + 1], state.force[n])
        finish_step(cars, work, way.t[n + 1] - way.t[n], n, state)
        settle(cars, way, work, n, state)


@kernel
def finish_step(cars, work, h, n, state):
    """States at the end of step n under the forces found."""
    inverses, rows, on, ends = work.inverses, work.rows, work.on, work.ends
    F = state.force[n]
    for i in range(ends.shape[1]):
        state.q[n + 1, i], state.p[n + 1, i] = ends[0, i], ends[1, i]
        for k in range(on.size):
            if on[k] >= 0:
                state.q[n + 1, i] += F[k] * rows[k, 0, i]
                state.p[n + 1, i] += F[k] * rows[k, 1, i]
    for k in range(on.size):
        c = cars.owner[k]
        for i in range(cars.first[c + 1] - cars.first[c]):
            push = 2.0 * inverses[c, i, cars.place[k]]
            state.v[n + 1, cars.first[c] + i] -= push * (F[k] - cars.load[k])
    for i in range(state.z.shape[1]):
        state.z[n + 1, i] = state.z[n, i] + 0.5 * h * (state.v[n, i] + state.v[n + 1, i])


@kernel
def settle(cars, way, work, n, state):
    """Put wheels that touch on the track, and let land those that have come down to it."""
    rows, on = work.rows, work.on
    for k in range(on.size):
        track = -way.rail[min(n + 1, len(way.rail) - 1), k, 0]
        if on[k] >= 0:
            for i in range(rows.shape[2]):
                track += rows[k, 2, i] * state.q[n + 1, i]
        z = cars.coordinate[k]
        if state.touching[n + 1, k] or state.z[n + 1, z] >= track:
            state.z[n + 1, z] = track
            state.touching[n + 1, k] = True
