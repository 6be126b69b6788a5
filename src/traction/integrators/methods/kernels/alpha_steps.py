"""Implicit steps with one acceleration x1 as unknown: Newmark, HHT, generalized-alpha, and backward Euler.

q1 = place + beta dt^2 x1, v1 = speed + gamma dt x1, and the equation of motion between the ends of the step,
(1 - alpha_m) M x1 - (1 - alpha_f) r1 + M (alpha_m x - alpha_f a) = 0 with the net force r1 at the end.

Units: those of the problem that is integrated, such as m, m/s, N and s; none is assumed.
"""

from typing import NamedTuple

from traction.integrators.core.kernels.step_solver import DONE, StepEquations, make_solver


class AlphaStep(NamedTuple):
    """Data of a step before x1 is known."""

    t: float  #: at the end
    dt: float
    q: object  #: at the start
    place: object  #: q1 without x1
    speed: object  #: v1 without x1
    weighted: object  #: alpha_m x - alpha_f a of the old state
    old: object  #: times the mass
    weights: object  #: beta, gamma, alpha_m, alpha_f
    scale: float  #: of the inertia forces so far


def make_end(operations):
    """Coordinates and velocities at the end."""

    @operations.part
    def end(known, x):
        dt, w = known.dt, known.weights
        return known.place + w.beta * dt * dt * x, known.speed + w.gamma * dt * x

    return end


def make_alpha_solver(operations):
    """solve(problem, limits, known, x): x1 and its net force."""
    net_force, inertia, norm = operations.net_force, operations.inertia, operations.norm
    divide_by_mass, constant_tangents = operations.divide_by_mass, operations.constant_tangents
    tangents_at, solve_linear, is_interpreted = (
        operations.tangents, operations.solve, operations.IS_INTERPRETED
    )  # fmt: skip
    end = make_end(operations)

    @operations.part
    def residual(problem, known, x):
        q1, v1 = end(known, x)
        force, moved = net_force(problem, known.t, q1, v1), inertia(problem, q1, x)
        old, w = known.old, known.weights
        if is_interpreted and problem.varies_mass:  # that of the end is taken: accelerations are weighted
            old = inertia(problem, q1, known.weighted)
        size = max(norm(moved), norm(force), norm(old), known.scale)
        return (1.0 - w.alpha_m) * moved - (1.0 - w.alpha_f) * force + old, size, force

    @operations.part
    def solve_matrix(problem, known, q1, tangents, r):
        """((1 - alpha_m) M + (1 - alpha_f) (gamma dt C + beta dt^2 K))^-1 r."""
        dt, w = known.dt, known.weights
        share = 1.0 - w.alpha_f
        weights = (1.0 - w.alpha_m, share * w.gamma * dt, share * w.beta * dt * dt)
        return solve_linear(problem, q1, weights, tangents, r)

    @operations.part
    def update(problem, known, x, r):
        q1, v1 = end(known, x)
        return solve_matrix(problem, known, q1, tangents_at(problem, known.t, q1, v1, x, known.dt), r)

    @operations.part
    def linear_update(problem, known, r):
        return solve_matrix(problem, known, known.q, constant_tangents(problem), r)

    @operations.part
    def divide(problem, known, r):
        return divide_by_mass(problem, known.q, r) / (1.0 - known.weights.alpha_m)

    @operations.part
    def largest(problem, known):
        return norm(divide(problem, known, 0.0 * known.q + known.scale))

    return make_solver(
        operations,
        StepEquations(residual, update, linear_update, divide, largest, norm, operations.move),
    )


def make_alpha_step(operations):
    """Newmark, HHT, generalized-alpha (Chung, Hulbert 1993)."""
    inertia, divide_by_mass = operations.inertia, operations.divide_by_mass
    end, solve = make_end(operations), make_alpha_solver(operations)

    @operations.part
    def step(problem, setting, scale, t, dt, y):
        q, v, a, x = y
        w = setting.coefficients
        place, speed = q + dt * v + (0.5 - w.beta) * dt * dt * x, v + (1.0 - w.gamma) * dt * x
        weighted = w.alpha_m * x - w.alpha_f * a
        known = AlphaStep(t + dt, dt, q, place, speed, weighted, inertia(problem, q, weighted), w, scale)
        status, missed, x1, force = solve(problem, setting.limits, known, x)
        if status != DONE:
            return status, missed, y
        q1, v1 = end(known, x1)
        return status, missed, (q1, v1, divide_by_mass(problem, q1, force), x1)

    return step


def make_backward_euler_step(operations):
    """v1 = v + dt x1, q1 = q + dt v1 with the acceleration x1 of the end: beta = gamma = 1, no old x."""
    end, solve = make_end(operations), make_alpha_solver(operations)

    @operations.part
    def step(problem, setting, scale, t, dt, y):
        q, v, a, x = y
        nothing = 0.0 * q
        known = AlphaStep(t + dt, dt, q, q + dt * v, v, nothing, nothing, setting.coefficients, scale)
        status, missed, x1, _ = solve(problem, setting.limits, known, a)
        if status != DONE:
            return status, missed, y
        q1, v1 = end(known, x1)
        return status, missed, (q1, v1, x1, x)

    return step
