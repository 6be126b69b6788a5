"""Wheels on a vibrating beam with a contact that gives way, condensed to the approaches under the wheels.

Over a step the force of each wheel is constant, its mean F. With the answers that `coupled_kernels` condenses
beam and vehicles to, the approaches at the end of the step are linear in these forces,

    d1 = d_free - B F,    B = h S^-1 + phi(s1) q_F,

and the law of contact adds F = (E(d1) - E(d0))/(d1 - d0), E its elastic energy: the mean of the force over
the approach. The modes answer to a constant force exactly and the vehicles by the trapezoidal rule, so that
each of them takes up F times its own displacement; what wheel and track do not take up is stored in the
contact. So the energy of the whole is kept to rounding while the wheels stand still, at any step.
"""

import math

import numpy as np

from traction.compiled import kernel
from traction.simulation.coupled_kernels import condense_step, eliminate, finish_step, segment_in_step
from traction.simulation.modal_kernels import segment_of, two_slopes, value_and_slope

MOST_ITERATIONS = 60
SMALL_CHANGE = 1e-9  #: of the approaches, over the largest: the next one would be its square
ROUNDING = 1e-15  #: of the approaches, likewise
LEAST_PART = 1e-4  #: of a Newton step


@kernel
def approach_of(bridge, cars, way, n, k, segment, state):
    """How far wheel k lies below the track at time n, beyond its approach at rest."""
    track = -way.rail[min(n, len(way.rail) - 1), k, 0]
    if segment >= 0:
        for i in range(bridge.omega.size):
            value, _ = value_and_slope(
                bridge.shapes, bridge.tables, i, segment, way.place[n] - cars.behind[k]
            )
            track += value * state.q[n, i]
    return state.z[n, cars.coordinate[k]] - track


@kernel
def approach_system(cars, way, work, static, n, state, B, free):
    """Approaches at the end of step n: `free` (without forces under the wheels) less B F."""
    h = way.t[n + 1] - way.t[n]
    rows, on = work.rows, work.on
    for k in range(on.size):
        z = cars.coordinate[k]
        free[k] = static[k] + state.z[n, z] + 0.5 * h * (state.v[n, z] + state.v[n + 1, z])
        free[k] += way.rail[min(n + 1, len(way.rail) - 1), k, 0]
        if on[k] >= 0:
            for i in range(rows.shape[2]):
                free[k] -= rows[k, 2, i] * work.ends[0, i]
        for j in range(on.size):
            B[k, j] = 0.0
            if cars.owner[j] == cars.owner[k]:
                push = h * work.inverses[cars.owner[k], cars.place[k], cars.place[j]]
                B[k, j] += push
                free[k] += push * cars.load[j]
            if on[k] >= 0 and on[j] >= 0:
                for i in range(rows.shape[2]):
                    B[k, j] += rows[k, 2, i] * rows[j, 0, i]


@kernel
def prepare_step(bridge, cars, way, axles, work, contact, n, state):
    """Condense step n. Returns the approaches at its end without forces under the wheels, and B.

    `contact` are the approaches at rest, at all times (times, wheels), known up to time n, and their jumps.
    Where a wheel passes to another segment the track may have a step, as at an end that springs hold: the
    approach at time n is found anew, and the jump is kept.
    """
    static, approach, jump = contact
    wheels = cars.owner.size
    free, B = np.empty(wheels), np.empty((wheels, wheels))
    for k in range(wheels):
        segment = segment_in_step(bridge, cars, way, n, k)
        if segment != work.on[k]:
            work.on[k] = segment
            found = static[k] + approach_of(bridge, cars, way, n, k, segment, state)
            jump[n, k] = found - approach[n, k]
            approach[n, k] = found
    condense_step(bridge, cars, way, axles, work, n, state)
    approach_system(cars, way, work, static, n, state, B, free)
    return free, B


@kernel
def hertz_mean(coefficient, start, end):
    """Mean of k max(0, d)^(3/2) between two approaches, and its derivative by the second.

    Where both touch, the roots a and b of the approaches give (2k/5) (a^5 - b^5)/(a^2 - b^2) without
    cancellation.
    """
    if start <= 0.0 and end <= 0.0:
        return 0.0, 0.0
    if start <= 0.0 or end <= 0.0:
        energy = 0.4 * coefficient * max(start, end) ** 2.5
        mean = energy / abs(end - start)
        force = coefficient * max(0.0, end) ** 1.5
        return mean, (force - mean) / (end - start)
    a, b = math.sqrt(end), math.sqrt(start)
    mean = 0.4 * coefficient * (a**4 + a**3 * b + a * a * b * b + a * b**3 + b**4) / (a + b)
    return mean, 0.2 * coefficient * (3.0 * a**3 + 6.0 * a * a * b + 4.0 * a * b * b + 2.0 * b**3) / (
        a + b
    ) ** 2


@kernel
def newton_step(B, residual, stiffness, change):
    """Solve (1 + B diag(stiffness)) change = -residual."""
    n = residual.size
    system = np.empty((n, n + 1))
    for k in range(n):
        for j in range(n):
            system[k, j] = B[k, j] * stiffness[j] + (1.0 if j == k else 0.0)
        system[k, n] = -residual[k]
    eliminate(system, n)
    for k in range(n):
        change[k] = system[k, n]


@kernel
def mean_forces(B, free, coefficients, start, end, F, stiffness):
    """Hertz's mean forces and stiffnesses at the approaches `end`; returns the largest |end - free + B F|."""
    for k in range(end.size):
        F[k], stiffness[k] = hertz_mean(coefficients[k], start[k], end[k])
    largest = 0.0
    for k in range(end.size):
        residual = end[k] - free[k]
        for j in range(end.size):
            residual += B[k, j] * F[j]
        largest = max(largest, abs(residual))
    return largest


@kernel
def hertz_forces(B, free, springs, start, end, F):
    """Solve for the mean forces F and the approaches `end`, by Newton's method from where `end` stands.

    Returns how many iterations it took, -1 without convergence.
    """
    coefficients, static = springs
    n = end.size
    residual, stiffness, change, trial = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    size = mean_forces(B, free, coefficients, start, end, F, stiffness)
    for iteration in range(MOST_ITERATIONS):
        reach = static.max()
        for k in range(n):
            reach = max(reach, abs(end[k]))
            residual[k] = end[k] - free[k]
            for j in range(n):
                residual[k] += B[k, j] * F[j]
        newton_step(B, residual, stiffness, change)
        part, found = 2.0, np.inf
        while not (found < size or found <= ROUNDING * reach) and part > LEAST_PART:
            part *= 0.5
            for k in range(n):
                trial[k] = end[k] + part * change[k]
            found = mean_forces(B, free, coefficients, start, trial, F, stiffness)
        size = found
        largest = 0.0
        for k in range(n):
            end[k] = trial[k]
            largest = max(largest, abs(change[k]))
        if largest <= SMALL_CHANGE * reach:
            return iteration + 1
    return -1


@kernel
def march_hertz(bridge, cars, way, axles, work, springs, state, found):
    """March beam and vehicles with Hertz's contact over the times `way.t`.

    `springs` are (k, approach at rest) of the wheels; `found` are the approaches (times, wheels), their jumps
    and the step to begin with, up to which everything is known. Returns the step that failed, -1 if none, and
    the number of Newton's iterations.
    """
    _, static = springs
    approach, jump, first = found
    iterations = 0
    for n in range(first, way.t.size - 1):
        free, B = prepare_step(bridge, cars, way, axles, work, (static, approach, jump), n, state)
        for k in range(static.size):
            approach[n + 1, k] = approach[n, k] if n == 0 else 2.0 * approach[n, k] - approach[n - 1, k]
        took = hertz_forces(B, free, springs, approach[n], approach[n + 1], state.force[n])
        if took < 0:
            return n, iterations
        iterations += took
        finish_step(cars, work, way.t[n + 1] - way.t[n], n, state)
        for k in range(static.size):
            state.touching[n + 1, k] = approach[n + 1, k] > 0.0
    return -1, iterations


@kernel
def shape_rows(bridge, places, values, slopes):
    """Deflections and slopes of all modes at places along the beam, (places, modes); zero off it."""
    values[:] = 0.0
    slopes[:] = 0.0
    for k in range(places.size):
        segment = segment_of(bridge.ends, places[k])
        if segment >= 0:
            for i in range(bridge.omega.size):
                values[k, i], slopes[k, i] = value_and_slope(
                    bridge.shapes, bridge.tables, i, segment, places[k]
                )


@kernel
def end_rates(bridge, cars, way, step, end, state, rates):
    """At one end of a step: power of the drive and its rate, F V (r' - w') without the rail's part.

    `rates` (2,) gets their sums over the wheels under the mean forces of the step; `way` also has
    accelerations.
    """
    n = step + end
    V, A = way.speed[n], way.acceleration[n]
    rates[:] = 0.0
    for k in range(cars.owner.size):
        place = way.place[n] - cars.behind[k]
        middle = 0.5 * (way.place[step] + way.place[step + 1]) - cars.behind[k]
        segment = segment_of(bridge.ends, middle)
        if segment < 0 or state.force[step, k] == 0.0:
            continue
        slope, bend, turn = 0.0, 0.0, 0.0
        for i in range(bridge.omega.size):
            _, one, two = two_slopes(bridge.shapes, bridge.tables, i, segment, place)
            slope += one * state.q[n, i]
            bend += two * state.q[n, i]
            turn += one * state.p[n, i]
        rates[0] -= state.force[step, k] * V * slope
        rates[1] -= state.force[step, k] * (A * slope + V * V * bend + V * turn)


@kernel
def drive_work(bridge, cars, way, state, work):
    """Work of the drive along the slope of the beam in each step, by the corrected trapezoidal rule."""
    start, end = np.empty(2), np.empty(2)
    for n in range(way.t.size - 1):
        h = way.t[n + 1] - way.t[n]
        end_rates(bridge, cars, way, n, 0, state, start)
        end_rates(bridge, cars, way, n, 1, state, end)
        work[n] = 0.5 * h * (start[0] + end[0]) + h * h / 12.0 * (start[1] - end[1])
