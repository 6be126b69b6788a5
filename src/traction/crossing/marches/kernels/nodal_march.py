"""Wheels in Hertz contact on a beam of elements or differences: the family of Newmark's method.

A step has the matrix A = (1 - alpha_m) M + (1 - alpha_f) (gamma h C + beta h^2 K) of the band, factored once
for a step length, and a small one for each vehicle. The forces F of the contacts at its end are the only
unknowns that are not linear: with b_k = -N(x_k) on the beam and 1 at the wheel the accelerations of the
method are x = x_free - (1 - alpha_f) A^-1 b' F, and the approaches

    d = d_free - G F,    G = (1 - alpha_f) beta h^2 b A^-1 b'.

Newton's method finds F in these few equations. So a step costs a solution with the band for each wheel on the
beam and one for the rest, in proportion to the number of nodes (Woodbury's formula for the whole matrix).

Units: SI; deflections in m, forces in N, times in s.
"""

from typing import NamedTuple

import numpy as np

from traction.beams.discrete.kernels.banded_matrices import factor, product, solve
from traction.beams.discrete.kernels.march_steps import accelerate, copy, inner_force, project
from traction.compiled import kernel
from traction.crossing.marches.kernels.condensed_steps import vehicle_inverses
from traction.crossing.marches.kernels.contact_springs import HERTZ, MOST_ITERATIONS, ROUNDING
from traction.crossing.marches.kernels.elastic_march import LEAST_PART, SMALL_CHANGE, newton_step
from traction.laws.kernels.law_values import power_response


class NodalWay(NamedTuple):
    """Axles at the ends of steps of one length, plain forces first, then wheels."""

    h: float  #: length of a step, s
    reach: float  #: distance of wheels and track up to which a march makes sense, m
    columns: np.ndarray  #: displacements of the beam that each axle works on, (steps, axles, width)
    values: np.ndarray  #: weights of these in the deflection under it; 0 off the beam, likewise
    loads: np.ndarray  #: plain forces, N, (steps, forces)
    rail: np.ndarray  #: height of rail and tread under the wheels, m, (steps, wheels)
    on: np.ndarray  #: which axles are on the beam in all of these steps
    between: np.ndarray  #: compliance between wheels, m/N, (steps, wheels, wheels), or of no size


class NodalRows(NamedTuple):
    """A march at the ends of its steps; displacements of the beam first, then vehicles."""

    q: np.ndarray  #: (times, n)
    v: np.ndarray
    a: np.ndarray  #: accelerations by the equation of motion
    x: np.ndarray  #: those of the method, at the last time, (n,)
    whole: np.ndarray  #: approaches of wheels and track, m, (times, wheels)
    soft: np.ndarray  #: compliance R in series with the contacts, m/N, likewise
    force: np.ndarray  #: N, likewise


class NodalWork(NamedTuple):
    """Storage for one step, with what depends on its length alone first."""

    factor: np.ndarray  #: of A without modal damping, band
    inverses: np.ndarray  #: of the vehicles
    shares: np.ndarray  #: of the damped modes in A^-1, and what these add to it by damping, (2, modes)
    lines: np.ndarray  #: shapes of these modes, (modes, displacements)
    place: np.ndarray  #: q at the end without x, (n,)
    speed: np.ndarray
    x: np.ndarray  #: without contact forces
    responses: np.ndarray  #: A^-1 N of wheels on the beam, (wheels, displacements)
    matrix: np.ndarray  #: G
    free: np.ndarray  #: d_free


@kernel
def weigh_nodal_step(motion, cars, weights, h, work):
    """Factors for a step length h; returns whether they exist."""
    beta, gamma, alpha_m, alpha_f = weights
    by_damping, by_stiffness = (1.0 - alpha_f) * gamma * h, (1.0 - alpha_f) * beta * h * h
    by_mass = 1.0 - alpha_m + by_damping * motion.alpha
    A = by_mass * motion.mass + (by_damping * motion.beta + by_stiffness) * motion.stiffness
    if factor(A, work.factor) < A.shape[1]:
        return False
    vehicle_inverses(cars, (1.0 / (1.0 - alpha_m), by_damping, by_stiffness), work.inverses)
    for j in range(motion.rates.size):
        s = 1.0 - alpha_m + by_stiffness * motion.squares[j]
        work.shares[0, j] = 1.0 / (s + by_damping * motion.rates[j])
        work.shares[1, j] = work.shares[0, j] - 1.0 / s
    return True


@kernel
def add_lines(lines, weights, x):
    """X += the sum of weighted lines, (lines, n)."""
    for j in range(weights.size):
        for i in range(x.size):
            x[i] += weights[j] * lines[j, i]


@kernel
def modal_speeds(motion, v, eta, space):
    """Velocities eta = Phi' M v of the damped modes."""
    if eta.size:
        product(motion.mass, v, space)
        project(motion.shapes, space, eta)


@kernel
def add_axle(way, n, axle, force, r):
    """Add a force (N) under an axle at the end of step n to r."""
    for j in range(way.columns.shape[2]):
        r[way.columns[n, axle, j]] += force * way.values[n, axle, j]


@kernel
def track_under(way, n, axle, q):
    """Deflection of the beam under an axle at the end of step n."""
    total = 0.0
    for j in range(way.columns.shape[2]):
        total += way.values[n, axle, j] * q[way.columns[n, axle, j]]
    return total


@kernel
def free_beam(motion, weights, way, n, rows, work):
    """`work.x` of the beam without contact forces.

    Of the damped modes, (A + C')^-1 r = A^-1 r + Phi diag(shares) Phi' r, and (A + C')^-1 M Phi is Phi times
    their shares.
    """
    _, _, alpha_m, alpha_f = weights
    size, plain = motion.mass.shape[1], way.loads.shape[1]
    r, space, eta = work.x[:size], np.empty(size), np.empty(motion.rates.size)
    inner_force(motion, work.place[:size], work.speed[:size], r, space)
    modal_speeds(motion, work.speed[:size], eta, space)
    for k in range(plain):
        add_axle(way, n, k, way.loads[n, k], r)
    if alpha_m != 0.0 or alpha_f != 0.0:
        old, moved = np.empty(size), np.empty(size)
        for i in range(size):
            old[i] = alpha_m * rows.x[i] - alpha_f * rows.a[n, i]
        product(motion.mass, old, moved)
        for i in range(size):
            r[i] = (1.0 - alpha_f) * r[i] - moved[i]
    modal = np.empty(eta.size)
    if eta.size:
        project(motion.shapes, r, modal)
        for j in range(eta.size):
            damped = (1.0 - alpha_f) * motion.rates[j] * eta[j]
            modal[j] = work.shares[1, j] * modal[j] - work.shares[0, j] * damped
    solve(work.factor, r)
    if eta.size:
        add_lines(work.lines, modal, r)


@kernel
def respond(motion, way, n, axle, work, row):
    """A^-1 N of an axle at the end of step n."""
    modal = np.zeros(motion.rates.size)
    for i in range(row.size):
        row[i] = 0.0
    for j in range(way.columns.shape[2]):
        at, value = way.columns[n, axle, j], way.values[n, axle, j]
        row[at] += value
        for mode in range(modal.size):
            modal[mode] += value * motion.shapes[at, mode]
    for mode in range(modal.size):
        modal[mode] *= work.shares[1, mode]
    solve(work.factor, row)
    if modal.size:
        add_lines(work.lines, modal, row)


@kernel
def vehicle_forces(cars, c, q, v, r):
    """R = P - K q - C v of vehicle c with the loads P of its wheels at rest, from its first coordinate on."""
    for i in range(r.size):
        r[i] = 0.0
        for j in range(r.size):
            r[i] -= cars.stiffness[c, i, j] * q[j] + cars.damping[c, i, j] * v[j]
    for k in range(cars.owner.size):
        if cars.owner[k] == c:
            r[cars.place[k]] += cars.load[k]


@kernel
def free_cars(cars, weights, first, n, rows, work):
    """`work.x` of the vehicles, whose coordinates begin at `first`, without contact forces."""
    _, _, alpha_m, alpha_f = weights
    for c in range(cars.first.size - 1):
        start, end = first + cars.first[c], first + cars.first[c + 1]
        r = np.empty(end - start)
        vehicle_forces(cars, c, work.place[start:end], work.speed[start:end], r)
        for i in range(r.size):
            old = alpha_m * rows.x[start + i] - alpha_f * rows.a[n, start + i]
            r[i] = (1.0 - alpha_f) * r[i] - cars.mass[cars.first[c] + i] * old
        for i in range(r.size):
            total = 0.0
            for j in range(r.size):
                total += work.inverses[c, i, j] * r[j]
            work.x[start + i] = total


@kernel
def condense_nodal_step(motion, cars, weights, way, static, n, work):
    """`work.free` and `work.matrix` of the wheels at the end of step n, and responses of the beam."""
    beta, _, _, alpha_f = weights
    size, plain = motion.mass.shape[1], way.loads.shape[1]
    square = beta * way.h**2
    for k in range(static.size):
        z = size + cars.coordinate[k]
        work.free[k] = static[k] + way.rail[n, k] + work.place[z] + square * work.x[z]
        if way.on[plain + k]:
            respond(motion, way, n, plain + k, work, work.responses[k])
            track = track_under(way, n, plain + k, work.place)
            work.free[k] -= track + square * track_under(way, n, plain + k, work.x)
    for k in range(static.size):
        for j in range(static.size):
            total = 0.0
            if cars.owner[j] == cars.owner[k]:
                total += work.inverses[cars.owner[k], cars.place[k], cars.place[j]]
            if way.on[plain + k] and way.on[plain + j]:
                total += track_under(way, n, plain + k, work.responses[j])
            work.matrix[k, j] = (1.0 - alpha_f) * square * total
            if n < len(way.between):
                work.matrix[k, j] += way.between[n, k, j]


@kernel
def end_forces(work, coefficients, compliance, end, F, equations):
    """Forces F at the approaches `end` of the contacts, the residuals of their equations and their slopes.

    `equations` (3, wheels) are filled with residuals and slopes. Returns the largest residual.
    """
    largest = 0.0
    for k in range(end.size):
        F[k], stiffness, _ = power_response(coefficients[k], HERTZ, end[k])
        equations[0, k] = end[k] + compliance[k] * F[k] - work.free[k]
        equations[1, k], equations[2, k] = stiffness, 1.0 + compliance[k] * stiffness
    for k in range(end.size):
        for j in range(end.size):
            equations[0, k] += work.matrix[k, j] * F[j]
        if not abs(equations[0, k]) < np.inf:  # the largest of numbers does not see one that is none
            return np.inf
        largest = max(largest, abs(equations[0, k]))
    return largest


@kernel
def solve_nodal_step(work, springs, compliance, end, F):
    """Solve for the approaches `end` and the forces F there, by Newton's method from where `end` stands.

    Returns how many iterations it took, -1 without convergence.
    """
    coefficients, static = springs
    equations, change, trial = np.empty((3, end.size)), np.empty(end.size), np.empty(end.size)
    nothing = np.empty((0, 0))  # that wheels feel of each other beside the band
    size = end_forces(work, coefficients, compliance, end, F, equations)
    for iteration in range(MOST_ITERATIONS):
        newton_step(work.matrix, nothing, equations[0], equations[1:], change)
        reach, largest = 0.0, 0.0
        for k in range(end.size):
            reach = max(reach, static[k], abs(end[k]))
            largest = max(largest, abs(change[k]))
        part, found = 2.0, np.inf
        while not (found < size or found <= ROUNDING * reach) and part > LEAST_PART:
            part *= 0.5
            for k in range(end.size):
                trial[k] = end[k] + part * change[k]
            found = end_forces(work, coefficients, compliance, trial, F, equations)
        if not found < np.inf:
            return -1
        size = found
        copy(trial, end)
        if largest <= SMALL_CHANGE * reach:
            return iteration + 1
    return -1


@kernel
def finish_nodal_step(motion, cars, weights, way, n, rows, work):
    """Motion at the end of step n under the forces found."""
    beta, gamma, _, alpha_f = weights
    h, size, plain, share = way.h, motion.mass.shape[1], way.loads.shape[1], 1.0 - alpha_f
    F, x = rows.force[n + 1], rows.x
    copy(work.x, x)
    for k in range(F.size):
        if way.on[plain + k]:
            for i in range(size):
                x[i] += share * F[k] * work.responses[k, i]
        c = cars.owner[k]
        first = size + cars.first[c]
        for i in range(cars.first[c + 1] - cars.first[c]):
            x[first + i] -= share * F[k] * work.inverses[c, i, cars.place[k]]
    for i in range(x.size):
        rows.q[n + 1, i] = work.place[i] + beta * h * h * x[i]
        rows.v[n + 1, i] = work.speed[i] + gamma * h * x[i]
        rows.a[n + 1, i] = x[i]


@kernel
def accelerate_nodes(motion, cars, way, n, rows):
    """Accelerations at the end of step n by the equation of motion, which are not those of the method."""
    size, plain = motion.mass.shape[1], way.loads.shape[1]
    q, v, a, F = rows.q[n + 1], rows.v[n + 1], rows.a[n + 1], rows.force[n + 1]
    r, space = np.empty(size), np.empty(size)
    eta, xi = np.empty(motion.rates.size), np.empty(motion.rates.size)
    inner_force(motion, q[:size], v[:size], r, space)
    modal_speeds(motion, v[:size], eta, space)
    for k in range(way.on.size):
        if way.on[k]:
            add_axle(way, n, k, way.loads[n, k] if k < plain else F[k - plain], r)
    accelerate(motion, r, eta, xi, a[:size])
    for c in range(cars.first.size - 1):
        start, end = size + cars.first[c], size + cars.first[c + 1]
        vehicle_forces(cars, c, q[start:end], v[start:end], a[start:end])
    for k in range(F.size):
        a[size + cars.coordinate[k]] -= F[k]
    for i in range(cars.mass.size):
        a[size + i] /= cars.mass[i]


@kernel
def march_nodes(motion, cars, weights, way, springs, rows, work):
    """March through all steps of `way`, from the first row; returns the steps taken and Newton's iterations.

    `springs` are the coefficients of Hertz's law and the approaches at rest.
    """
    beta, gamma, alpha_m, alpha_f = weights
    h, size, iterations, own = way.h, motion.mass.shape[1], 0, np.empty(springs[1].size)
    for n in range(way.columns.shape[0]):
        for i in range(rows.x.size):
            work.place[i] = rows.q[n, i] + h * rows.v[n, i] + (0.5 - beta) * h * h * rows.x[i]
            work.speed[i] = rows.v[n, i] + (1.0 - gamma) * h * rows.x[i]
        free_beam(motion, weights, way, n, rows, work)
        free_cars(cars, weights, size, n, rows, work)
        condense_nodal_step(motion, cars, weights, way, springs[1], n, work)
        for k in range(own.size):
            own[k] = rows.whole[n, k] - rows.soft[n, k] * rows.force[n, k]
        took = solve_nodal_step(work, springs, rows.soft[n + 1], own, rows.force[n + 1])
        if took < 0:
            return n, iterations
        for k in range(own.size):
            rows.whole[n + 1, k] = own[k] + rows.soft[n + 1, k] * rows.force[n + 1, k]
            if n < len(way.between):
                for j in range(own.size):
                    rows.whole[n + 1, k] += way.between[n, k, j] * rows.force[n + 1, j]
            if not abs(rows.whole[n + 1, k]) <= way.reach:
                return n, iterations
        iterations += took
        finish_nodal_step(motion, cars, weights, way, n, rows, work)
        if alpha_m != 0.0 or alpha_f != 0.0:
            accelerate_nodes(motion, cars, way, n, rows)
    return way.columns.shape[0], iterations
