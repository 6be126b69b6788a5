"""Wheels on a vibrating beam with a contact that gives way, condensed to the approaches under the wheels.

Over a step the force of each wheel is constant, its mean F. With the answers that `rigid_steps` condenses
beam and vehicles to, the approaches at the end of the step are linear in these forces,

    d1 = d_free - B F,    B = h S^-1 + phi(s1) q_F,

and the law of contact adds F = (E(d1) - E(d0))/(d1 - d0), E its elastic energy: the mean of the force over
the approach. The modes answer to a constant force exactly and the vehicles by the trapezoidal rule, so that
each of them takes up F times its own displacement; what wheel and track do not take up is stored in the
contact. So the energy of the whole is kept to rounding while the wheels stand still, at any step.

The modes left out give way at once under each wheel, by R P(a) with the force P of the contact's own approach
a: d = a + R P(a), two springs in series that store E(a) + R P^2/2. R depends on the place. With its mean
R' = (R0 + R1)/2 over a step, x = a + R' P and m the mean of P over a,

    F (x1 - x0) = m (a1 - a0) + (P0 + P1)/2 R' (P1 - P0)

is what both springs take up, F lying between m and (P0 + P1)/2; what is left of their energies and of F times
the change of d is proportional to R1 - R0: work of the drive.
"""

import numpy as np

from traction.compiled import kernel
from traction.crossing.marches.kernels.modal_propagation import segment_of, two_slopes, value_and_slope
from traction.crossing.marches.kernels.rigid_steps import (
    condense_step,
    eliminate,
    finish_step,
    segment_in_step,
)
from traction.laws.kernels.power_values import hertz_mean, power_response

HERTZ = 1.5  #: exponent of the contact law
MOST_ITERATIONS = 60
SMALL_CHANGE = 1e-9  #: of the approaches, over the largest: the next one would be its square
ROUNDING = 1e-15  #: of the approaches, likewise
LEAST_PART = 1e-4  #: of a Newton step
JUMP = 1e-11  #: of an approach at rest, up to which a step of the track is none


@kernel
def approach_of(bridge, cars, way, n, k, segment, state):
    """How far wheel k lies below the track of the modes at time n, beyond its approach at rest."""
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

    `contact` are the approaches at rest and those to the track of the modes at all times (times, wheels),
    known up to time n. Where a wheel passes to another segment the track may have a step, as at an end that
    springs hold: the approach at time n is found anew.
    """
    static, approach = contact
    wheels = cars.owner.size
    free, B = np.empty(wheels), np.empty((wheels, wheels))
    for k in range(wheels):
        segment = segment_in_step(bridge, cars, way, n, k)
        if segment != work.on[k]:
            work.on[k] = segment
            approach[n, k] = static[k] + approach_of(bridge, cars, way, n, k, segment, state)
    condense_step(bridge, cars, way, axles, work, n, state)
    approach_system(cars, way, work, static, n, state, B, free)
    return free, B


@kernel
def series_mean(mean, slope, compliance, change, forces, stiffness):
    """Mean force of contact and compliance in series, and its derivative by the approach at the end.

    `mean` and `slope` are those of the contact alone, whose approach changes by `change`; `forces` are its
    forces at both ends, `stiffness` the one at the end.
    """
    if compliance == 0.0:
        return mean, slope
    gained = forces[1] - forces[0]
    whole = change + compliance * gained
    off = 0.5 * (forces[0] + forces[1]) - mean
    if whole == 0.0:
        share, turn = compliance * stiffness / (1.0 + compliance * stiffness), 0.0
    else:
        share = compliance * gained / whole
        turn = compliance * (stiffness * change - gained) / (whole * whole)
    return mean + share * off, slope + share * (0.5 * stiffness - slope) + off * turn


@kernel
def turning_work(compliances, forces, mean):
    """Work of the drive in a step on a compliance that changes: forces at both ends, and the mean one."""
    change = compliances[1] - compliances[0]
    average, gained = 0.5 * (forces[0] + forces[1]), forces[1] - forces[0]
    return change * (0.5 * average**2 + 0.125 * gained**2 - mean * average)


@kernel
def hertz_inside(coefficient, compliance, whole):
    """Approach a of the contact itself with a + R P(a) = `whole`, by Newton's method from above.

    Not a number without convergence.
    """
    approach = whole
    if compliance == 0.0 or whole <= 0.0:
        return approach
    for _ in range(MOST_ITERATIONS):
        force, stiffness, _ = power_response(coefficient, HERTZ, approach)
        change = (approach + compliance * force - whole) / (1.0 + compliance * stiffness)
        approach -= change
        if abs(change) <= ROUNDING * whole:
            return approach
    return np.nan


@kernel
def hertz_series(coefficient, compliances, approaches):
    """Forces of Hertz's contact in series with compliances, at the approaches of both."""
    forces = np.empty(approaches.size)
    for n in range(approaches.size):
        own = hertz_inside(coefficient, compliances[n], approaches[n])
        forces[n] = power_response(coefficient, HERTZ, own)[0]
    return forces


@kernel
def newton_step(B, residual, slopes, change):
    """Solve (diag(own) + B diag(stiffness)) change = -residual, `slopes` being (stiffness, own)."""
    n = residual.size
    system = np.empty((n, n + 1))
    for k in range(n):
        for j in range(n):
            system[k, j] = B[k, j] * slopes[0, j] + (slopes[1, k] if j == k else 0.0)
        system[k, n] = -residual[k]
    eliminate(system, n)
    for k in range(n):
        change[k] = system[k, n]


@kernel
def mean_forces(B, free, springs, start, end, F, residual, slopes):
    """Mean forces F at the approaches `end`, what the equations lack there (`residual`) and their slopes.

    Returns the largest residual, infinite where one is not a number.
    """
    coefficients, _, compliances = springs
    for k in range(end.size):
        before, _, _ = power_response(coefficients[k], HERTZ, start[k])
        after, stiffness, _ = power_response(coefficients[k], HERTZ, end[k])
        mean, slope = hertz_mean(coefficients[k], start[k], end[k])
        between = 0.5 * (compliances[0, k] + compliances[1, k])
        F[k], slopes[0, k] = series_mean(mean, slope, between, end[k] - start[k], (before, after), stiffness)
        slopes[1, k] = 1.0 + compliances[1, k] * stiffness
        residual[k] = end[k] + compliances[1, k] * after - free[k]
    largest = 0.0
    for k in range(end.size):
        for j in range(end.size):
            residual[k] += B[k, j] * F[j]
        if not abs(residual[k]) < np.inf:  # the largest of numbers does not see one that is none
            return np.inf
        largest = max(largest, abs(residual[k]))
    return largest


@kernel
def hertz_forces(B, free, springs, start, end, F):
    """Solve for the mean forces F and the approaches `end`, by Newton's method from where `end` stands.

    Returns how many iterations it took, -1 without convergence.
    """
    static = springs[1]
    n = end.size
    residual, change, trial = np.empty(n), np.empty(n), np.empty(n)
    slopes = np.empty((2, n))
    size = mean_forces(B, free, springs, start, end, F, residual, slopes)
    for iteration in range(MOST_ITERATIONS):
        reach = static.max()
        for k in range(n):
            reach = max(reach, abs(end[k]))
        newton_step(B, residual, slopes, change)
        part, found = 2.0, np.inf
        while not (found < size or found <= ROUNDING * reach) and part > LEAST_PART:
            part *= 0.5
            for k in range(n):
                trial[k] = end[k] + part * change[k]
            found = mean_forces(B, free, springs, start, trial, F, residual, slopes)
        if not found < np.inf:
            return -1
        size = found
        largest = 0.0
        for k in range(n):
            end[k] = trial[k]
            largest = max(largest, abs(change[k]))
        if largest <= SMALL_CHANGE * reach:
            return iteration + 1
    return -1


@kernel
def step_over(springs, approach, n, local, lifted):
    """Where the track has a step at time n, put the contacts on it; `lifted` is the energy it adds."""
    coefficients, static, compliance = springs
    for k in range(static.size):
        R = compliance[n, 0, k]
        force, _, energy = power_response(coefficients[k], HERTZ, local[n, k])
        if abs(approach[n, k] - local[n, k] - R * force) <= JUMP * static[k]:
            continue
        last = compliance[n - 1, 1, k] if n > 0 else 0.0
        before = energy + 0.5 * last * force**2
        local[n, k] = hertz_inside(coefficients[k], R, approach[n, k])
        force, _, energy = power_response(coefficients[k], HERTZ, local[n, k])
        lifted[n, k] = energy + 0.5 * R * force**2 - before


@kernel
def march_hertz(bridge, cars, way, axles, work, springs, state, found):
    """March beam and vehicles with Hertz's contact over the times `way.t`.

    `springs` are (k, approach at rest) of the wheels and the compliance under them at both ends of each step
    (steps, 2, wheels). `found` (times, wheels) are the approaches to the track of the modes and those of the
    contacts, what steps of the track add to the energy, and the drive's work on the compliance in each step;
    and the step to begin with, up to which everything is known. Returns the step that failed, -1 if none, and
    the number of Newton's iterations.
    """
    coefficients, static, compliance = springs
    approach, local, lifted, turned, first = found
    iterations = 0
    for n in range(first, way.t.size - 1):
        free, B = prepare_step(bridge, cars, way, axles, work, (static, approach), n, state)
        step_over(springs, approach, n, local, lifted)
        for k in range(static.size):
            local[n + 1, k] = local[n, k] if n == 0 else 2.0 * local[n, k] - local[n - 1, k]
        here = coefficients, static, compliance[n]
        took = hertz_forces(B, free, here, local[n], local[n + 1], state.force[n])
        if took < 0:
            return n, iterations
        iterations += took
        finish_step(cars, work, way.t[n + 1] - way.t[n], n, state)
        for k in range(static.size):
            before, _, _ = power_response(coefficients[k], HERTZ, local[n, k])
            after, _, _ = power_response(coefficients[k], HERTZ, local[n + 1, k])
            approach[n + 1, k] = local[n + 1, k] + compliance[n, 1, k] * after
            turned[n, k] = turning_work(compliance[n, :, k], (before, after), state.force[n, k])
            state.touching[n + 1, k] = local[n + 1, k] > 0.0
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
def residual_rows(bridge, lines, shares, places, found):
    """Compliance of the modes left out and its slope at places along the beam, found (places, 2); 0 off it.

    `lines` (segments, terms) are Chebyshev's coefficients of the whole beam's compliance, `shares` what each
    mode has of it. At rigid supports rounding is all there is: no less than nothing is left.
    """
    found[:] = 0.0
    for k in range(places.size):
        segment = segment_of(bridge.ends, places[k])
        if segment < 0:
            continue
        start, end = bridge.ends[segment], bridge.ends[segment + 1]
        u = 2.0 * (places[k] - start) / (end - start) - 1.0
        value, slope = lines[segment, 0], 0.0
        T, last, dT, dlast = u, 1.0, 1.0, 0.0
        for n in range(1, lines.shape[1]):
            value += lines[segment, n] * T
            slope += lines[segment, n] * dT
            T, last, dT, dlast = 2.0 * u * T - last, T, 2.0 * T + 2.0 * u * dT - dlast, dT
        slope *= 2.0 / (end - start)
        for i in range(bridge.omega.size):
            w, turn = value_and_slope(bridge.shapes, bridge.tables, i, segment, places[k])
            value -= shares[i] * w * w
            slope -= 2.0 * shares[i] * w * turn
        if value > 0.0:
            found[k, 0], found[k, 1] = value, slope


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
