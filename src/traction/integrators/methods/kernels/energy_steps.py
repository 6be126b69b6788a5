"""An energy-conserving step: the midpoint rule with a discrete gradient (Gonzalez 1996).

The unknown is the displacement d = q1 - q = dt (v + v1)/2 in
2 M (d/dt - v)/dt + C d/dt + K (q + d/2) = F(d), where the mean force F has F.d = V(q) - V(q1) exactly.
Without an energy F is the mean of the force along d by Gauss quadrature (McLachlan et al. 1999).

Units: those of the problem that is integrated, such as m, m/s, N and s; none is assumed.
"""

from typing import NamedTuple

import numpy as np

from traction.integrators.core.kernels.step_solver import DONE, StepEquations, make_solver
from traction.integrators.methods.kernels.explicit_steps import make_finish

#: Gauss points and weights on [0, 1]
POINTS = tuple(((np.polynomial.legendre.leggauss(4)[0] + 1.0) / 2.0).tolist())
WEIGHTS = tuple((np.polynomial.legendre.leggauss(4)[1] / 2.0).tolist())
CANCELLED = 1e-7  #: a difference of energies smaller than this, relative to them, has too few digits left


class EnergyStep(NamedTuple):
    """Data of a step before its displacement is known."""

    t: float  #: in the middle
    dt: float
    q: object  #: at the start
    v: object
    energy: float  #: V(q)
    scale: float  #: of the inertia forces so far


def make_mean_force(operations):
    """The mean force F(d), and the work V(q) - V(q + d) with whether it has digits left."""
    force, potential, dot = operations.force, operations.potential, operations.dot
    given_mean_force, is_interpreted = operations.given_mean_force, operations.IS_INTERPRETED

    @operations.whole
    def work_along(problem, known, d):
        after = potential(problem, known.t, known.q + d)
        work = known.energy - after
        is_lost = abs(work) <= CANCELLED * max(abs(after), abs(known.energy)) < np.inf
        return work, not is_lost

    @operations.whole
    def mean_force(problem, known, d):
        t, q, halfway, velocity = known.t, known.q, known.q + 0.5 * d, d / known.dt
        if is_interpreted and problem.has_mean_force:
            return given_mean_force(problem, t, q, q + d)[0]
        if not problem.traits.has_energy:
            total = 0.0 * d
            for k in range(4):
                total = total + WEIGHTS[k] * force(problem, t, q + POINTS[k] * d, velocity)
            return total
        work, is_exact = work_along(problem, known, d)
        if not is_exact:
            return force(problem, t, halfway, velocity)
        if problem.traits.n == 1:
            mean = work / d
            if problem.traits.moves:
                at_rest = force(problem, t, halfway, 0.0 * d)
                mean = mean + force(problem, t, halfway, velocity) - at_rest
            return mean
        conservative = force(problem, t, halfway, 0.0 * d)
        total = force(problem, t, halfway, velocity) if problem.traits.moves else conservative
        return total + (work - dot(conservative, d)) / dot(d, d) * d

    return mean_force, work_along


def make_energy_tangents(operations, work_along):
    """tangents(problem, known, d): stiffness and damping of the equation, with what F changes with d."""
    force, tangents_at, constant = operations.force, operations.tangents, operations.constant_tangents
    dot, combine, zero_matrix = operations.dot, operations.combine, operations.zero_matrix
    add_rank_one, slope_along, is_dense = (
        operations.add_rank_one, operations.slope_along, operations.is_dense
    )  # fmt: skip
    given_mean_force, is_interpreted = operations.given_mean_force, operations.IS_INTERPRETED

    @operations.part
    def path_tangents(problem, known, d, rate):
        """A change of d moves each Gauss point by its part of it."""
        stiffness, damping = zero_matrix(problem), zero_matrix(problem)
        for i in range(4):
            k, c = tangents_at(problem, known.t, known.q + POINTS[i] * d, d / known.dt, rate, known.dt)
            stiffness = combine(1.0, stiffness, 2.0 * WEIGHTS[i] * POINTS[i], k)
            damping = combine(1.0, damping, WEIGHTS[i], c)
        return stiffness, damping

    @operations.part
    def corrected(problem, known, d, work, tangents):
        """With the derivative by d of the correction of F along d."""
        t, q, square, rest = known.t, known.q, dot(d, d), 0.0 * d
        middle, end = force(problem, t, q + 0.5 * d, rest), force(problem, t, q + d, rest)
        scale = (work - dot(middle, d)) / square
        slope = slope_along(problem, tangents[0], d)
        change = (end - middle - 0.5 * slope) / square - 2.0 * scale / square * d
        return add_rank_one(problem, tangents[0], -2.0 * scale, -2.0 * d, change), tangents[1]

    @operations.whole
    def tangents(problem, known, d):
        t, dt, q = known.t, known.dt, known.q
        halfway, velocity, rate = q + 0.5 * d, d / dt, 2.0 * (d / dt - known.v) / dt
        if problem.traits.is_linear:
            return constant(problem)
        if is_interpreted and problem.has_mean_force:
            k, c = constant(problem)
            return combine(1.0, k, -2.0, given_mean_force(problem, t, q, q + d)[1]), c
        if not problem.traits.has_energy:
            if problem.traits.n == 1 or problem.traits.has_jacobian:
                return path_tangents(problem, known, d, rate)
            return tangents_at(problem, t, halfway, velocity, rate, dt)
        work, is_exact = work_along(problem, known, d)
        if problem.traits.n == 1 and is_exact:  # dF/dd = (f(q1) - F)/d
            slope = (force(problem, t, q + d, 0.0 * d) - work / d) / d
            k, c = constant(problem)
            if problem.traits.moves:
                c = tangents_at(problem, t, halfway, velocity, rate, dt)[1]
            return combine(1.0, k, -2.0, slope), c
        found = tangents_at(problem, t, halfway, velocity, rate, dt)
        if not is_exact or not is_dense(problem, found):
            return found
        return corrected(problem, known, d, work, found)

    return tangents


def make_energy_step(operations):
    """The midpoint rule with the mean force of the energy."""
    inertia, resistance, norm = operations.inertia, operations.resistance, operations.norm
    potential, net_force, divide_by_mass = (
        operations.potential, operations.net_force, operations.divide_by_mass
    )  # fmt: skip
    solve_linear, constant = operations.solve, operations.constant_tangents
    mean_force, work_along = make_mean_force(operations)
    tangents, finish = make_energy_tangents(operations, work_along), make_finish(operations)

    @operations.part
    def residual(problem, known, d):
        dt, halfway = known.dt, known.q + 0.5 * d
        moved = inertia(problem, halfway, 2.0 * (d / dt - known.v) / dt)
        force, rest = mean_force(problem, known, d), resistance(problem, halfway, d / dt)
        size = max(norm(moved), norm(force), norm(rest), known.scale)
        return moved + rest - force, size, force

    @operations.part
    def solve_matrix(problem, known, q, tangents, r):
        """(2 M/dt^2 + C/dt + K/2)^-1 r."""
        return solve_linear(problem, q, (2.0 / known.dt**2, 1.0 / known.dt, 0.5), tangents, r)

    @operations.part
    def update(problem, known, d, r):
        return solve_matrix(problem, known, known.q + 0.5 * d, tangents(problem, known, d), r)

    @operations.part
    def linear_update(problem, known, r):
        return solve_matrix(problem, known, known.q, constant(problem), r)

    @operations.part
    def divide(problem, known, r):
        return 0.5 * known.dt**2 * divide_by_mass(problem, known.q, r)

    @operations.part
    def largest(problem, known):
        return norm(divide(problem, known, 0.0 * known.q + known.scale))

    equations = StepEquations(residual, update, linear_update, divide, largest, norm, operations.move)
    solve = make_solver(operations, equations)

    @operations.part
    def step(problem, setting, scale, t, dt, y):
        q, v, a, x = y
        middle = t + 0.5 * dt
        energy = potential(problem, middle, q) if problem.traits.has_energy else 0.0
        known = EnergyStep(middle, dt, q, v, energy, scale)
        status, missed, d, _ = solve(problem, setting.limits, known, dt * v + 0.5 * dt * dt * a)
        if status != DONE:
            return status, missed, y
        q1, v1 = q + d, 2.0 * d / dt - v
        return finish(q1, v1, divide_by_mass(problem, q1, net_force(problem, t + dt, q1, v1)), x)

    return step
