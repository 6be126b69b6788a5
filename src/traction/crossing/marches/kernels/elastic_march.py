"""Wheels on a vibrating beam in elastic contact, condensed to the approaches under the wheels.

Over a step the force of each wheel is constant, its mean F. With the responses that `condensed_steps`
reduces beam and vehicles to, the approaches at the end of the step are linear in these forces,

    d1 = d_free - B F,    B = h S^-1 + phi(s1) q_F,

and the law of contact adds F = (E(d1) - E(d0))/(d1 - d0), E its elastic energy: the mean of the force over
the approach. The modes respond to a constant force exactly and the vehicles by the trapezoidal rule, so that
each of them takes up F times its own displacement; what wheel and track do not take up is stored in the
contact. So the energy of the whole is kept to rounding while the wheels stand still, at any step.

The neglected modes deflect at once under each wheel, by R P(a) with the force P of the contact's own approach
a: d = a + R P(a), two springs in series that store E(a) + R P^2/2. R depends on the place. With its mean
R' = (R0 + R1)/2 over a step, x = a + R' P and m the mean of P over a,

    F (x1 - x0) = m (a1 - a0) + (P0 + P1)/2 R' (P1 - P0)

is what both springs take up, F lying between m and (P0 + P1)/2; what is left of their energies and of F times
the change of d is proportional to R1 - R0: work of the drive.

Units: SI; modal coordinates in m sqrt(kg), shapes of modes in 1/sqrt(kg), forces in N, times in s.
"""

from typing import NamedTuple

import numpy as np

from traction.compiled import kernel
from traction.crossing.bridge_models.kernels.mode_shapes import value_and_slope
from traction.crossing.marches.kernels.condensed_steps import (
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


class Springs(NamedTuple):
    """Contacts under the wheels, in series with the neglected modes."""

    coefficients: np.ndarray  #: k of Hertz's law, N/m^(3/2); zero of other laws
    static: np.ndarray  #: approaches at rest, m
    compliance: np.ndarray  #: R of the neglected modes at both ends of each step, m/N, (steps, 2, wheels)


class ContactRows(NamedTuple):
    """Contacts at the ends of steps, (times, wheels)."""

    closing: np.ndarray  #: approaches of the wheels to the track of the modes, m
    approach: np.ndarray  #: of the contacts themselves: minus the deflection of the neglected modes, m
    lifted: np.ndarray  #: what steps in the height of the track add to the energy, J
    turned: np.ndarray  #: work of the drive on the compliance in the step that begins, J


@kernel
def march_hertz(bridge, cars, way, work, springs, rows, contacts, steps):
    """March beam and vehicles with Hertz's contact through `steps` (first, last + 1), and enter the next one.

    Everything is known up to the first of them, and the time before. Returns the step that failed, -1 if
    none, and the number of Newton's iterations.
    """
    iterations = 0
    for n in range(steps[0], steps[1]):
        prepare_step(bridge, cars, way, work, springs.static, n, rows, contacts.closing)
        step_over(springs, contacts, n)
        took = solve_hertz(springs, contacts, n, work.matrix, work.right, rows.force[n])
        if took < 0:
            return n, iterations
        iterations += took
        finish_step(cars, work, way.t[n + 1] - way.t[n], n, rows)
        for k in range(springs.static.size):
            rows.touching[n + 1, k] = contacts.approach[n + 1, k] > 0.0
    if steps[1] < way.t.size - 1:
        enter_step(bridge, cars, way, work.on, springs.static, steps[1], rows, contacts.closing)
        step_over(springs, contacts, steps[1])
    return -1, iterations


@kernel
def enter_step(bridge, cars, way, on, static, n, rows, closing):
    """Find the segment of each wheel in step n, and where that is another one its approach at time n anew.

    The track may have a step there, as at an end of the bridge that springs hold.
    """
    for k in range(on.size):
        segment = segment_in_step(bridge, cars, way, n, k)
        if segment == on[k]:
            continue
        on[k] = segment
        track = -way.rail[min(n, len(way.rail) - 1), k, 0]
        if segment >= 0:
            place = way.place[n] - cars.behind[k]
            for i in range(bridge.omega.size):
                value, _ = value_and_slope(bridge.shapes, bridge.tables, i, segment, place)
                track += value * rows.q[n, i]
        closing[n, k] = static[k] + (rows.z[n, cars.coordinate[k]] - track)


@kernel
def prepare_step(bridge, cars, way, work, static, n, rows, closing):
    """Enter and condense step n: d1 = `work.right` - `work.matrix` F are the approaches at its end."""
    enter_step(bridge, cars, way, work.on, static, n, rows, closing)
    condense_step(bridge, cars, way, work, n, rows)
    h = way.t[n + 1] - way.t[n]
    shapes, on, free, B = work.rows, work.on, work.right, work.matrix
    for k in range(on.size):
        z = cars.coordinate[k]
        free[k] = static[k] + rows.z[n, z] + 0.5 * h * (rows.v[n, z] + rows.v[n + 1, z])
        free[k] += way.rail[min(n + 1, len(way.rail) - 1), k, 0]
        if on[k] >= 0:
            for i in range(shapes.shape[2]):
                free[k] -= shapes[k, 2, i] * work.ends[0, i]
        for j in range(on.size):
            B[k, j] = 0.0
            if cars.owner[j] == cars.owner[k]:
                push = h * work.inverses[cars.owner[k], cars.place[k], cars.place[j]]
                B[k, j] += push
                free[k] += push * cars.load[j]
            if on[k] >= 0 and on[j] >= 0:
                for i in range(shapes.shape[2]):
                    B[k, j] += shapes[k, 2, i] * shapes[j, 0, i]


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
    return change * (0.5 * average * average + 0.125 * gained * gained - mean * average)


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
    """Mean forces F at the approaches `end`, the residuals of the equations there and their slopes.

    Returns the largest residual, infinite where one is NaN.
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
def step_over(springs, contacts, n):
    """Where the track has a step in height at time n, put the contacts on it; see `ContactRows.lifted`."""
    closing, local = contacts.closing, contacts.approach
    for k in range(springs.static.size):
        R = springs.compliance[n, 0, k]
        force, _, energy = power_response(springs.coefficients[k], HERTZ, local[n, k])
        if abs(closing[n, k] - local[n, k] - R * force) <= JUMP * springs.static[k]:
            continue
        last = springs.compliance[n - 1, 1, k] if n > 0 else 0.0
        before = energy + 0.5 * last * force**2
        local[n, k] = hertz_inside(springs.coefficients[k], R, closing[n, k])
        force, _, energy = power_response(springs.coefficients[k], HERTZ, local[n, k])
        contacts.lifted[n, k] = energy + 0.5 * R * force**2 - before


@kernel
def solve_hertz(springs, contacts, n, B, free, F):
    """Approaches at the end of step n and the mean forces F in it; returns the iterations, -1 if none did."""
    k0, local, R = springs.coefficients, contacts.approach, springs.compliance[n]
    for k in range(k0.size):
        local[n + 1, k] = local[n, k] if n == 0 else 2.0 * local[n, k] - local[n - 1, k]
    took = hertz_forces(B, free, (k0, springs.static, R), local[n], local[n + 1], F)
    for k in range(k0.size):
        before, _, _ = power_response(k0[k], HERTZ, local[n, k])
        after, _, _ = power_response(k0[k], HERTZ, local[n + 1, k])
        contacts.closing[n + 1, k] = local[n + 1, k] + R[1, k] * after
        contacts.turned[n, k] = turning_work(R[:, k], (before, after), F[k])
    return took
