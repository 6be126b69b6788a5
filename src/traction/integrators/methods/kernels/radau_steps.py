"""Three implicit Runge-Kutta stages at once (Hairer, Wanner, Solving ODEs II, IV.5): Radau IA and IIA.

With the stage accelerations A_j as unknowns, the stages have V_i = v + dt sum a_ij A_j and
Q_i = q + c_i dt v + dt^2 sum (a a)_ij A_j, and M(Q_i) A_i = f - C V_i - K Q_i at the time t + c_i dt.

Units: those of the problem that is integrated, such as m, m/s, N and s; none is assumed.
"""

from typing import NamedTuple

from traction.integrators.core.kernels.step_solver import DONE, StepEquations, make_solver
from traction.integrators.methods.kernels.explicit_steps import make_finish


class StagesStep(NamedTuple):
    """Data of a step before the accelerations of its stages are known."""

    t: float  #: at the start
    dt: float
    q: object
    v: object
    table: object  #: Butcher's coefficients
    scale: float  #: of the inertia forces so far


def make_stages_solver(operations):
    """solve(problem, limits, known, A): the accelerations of the stages."""
    net_force, inertia, norm, stack = (
        operations.net_force, operations.inertia, operations.norm, operations.stack
    )  # fmt: skip
    combine, solve_blocks = operations.combine_stages, operations.solve_stages
    divide_by_mass, tangents_at = operations.divide_by_mass, operations.tangents
    constant_tangents = operations.constant_tangents

    @operations.part
    def stage_at(known, i, place, speed):
        """Time, coordinates and velocities of a stage, from sums of accelerations."""
        c, dt = known.table.c[i], known.dt
        return known.t + c * dt, known.q + dt * (c * known.v) + dt * dt * place, known.v + dt * speed

    @operations.part
    def balance(problem, known, i, sums, a):
        """M A_i - (f - C V_i - K Q_i), and the size of the forces."""
        t, q, v = stage_at(known, i, sums[0][i], sums[1][i])
        moved, force = inertia(problem, q, a), net_force(problem, t, q, v)
        return moved - force, max(norm(moved), norm(force))

    @operations.part
    def residual(problem, known, A):
        sums = combine(known.table.aa, A), combine(known.table.a, A)
        r0, size0 = balance(problem, known, 0, sums, A[0])
        r1, size1 = balance(problem, known, 1, sums, A[1])
        r2, size2 = balance(problem, known, 2, sums, A[2])
        return stack(r0, r1, r2), max(size0, size1, size2, known.scale), A[2]

    @operations.part
    def tangent(problem, known, i, sums, a):
        t, q, v = stage_at(known, i, sums[0][i], sums[1][i])
        return q, tangents_at(problem, t, q, v, a, known.dt)

    @operations.part
    def update(problem, known, A, r):
        sums = combine(known.table.aa, A), combine(known.table.a, A)
        stages = (
            tangent(problem, known, 0, sums, A[0]),
            tangent(problem, known, 1, sums, A[1]),
            tangent(problem, known, 2, sums, A[2]),
        )
        return solve_blocks(problem, known.table, known.dt, stages, r)

    @operations.part
    def linear_update(problem, known, r):
        stage = known.q, constant_tangents(problem)
        return solve_blocks(problem, known.table, known.dt, (stage, stage, stage), r)

    @operations.part
    def divide(problem, known, r):
        q = known.q
        return stack(
            divide_by_mass(problem, q, r[0]),
            divide_by_mass(problem, q, r[1]),
            divide_by_mass(problem, q, r[2]),
        )

    @operations.part
    def largest(problem, known):
        return norm(divide_by_mass(problem, known.q, 0.0 * known.q + known.scale))

    space = operations.norm_of_stages, operations.move_stages
    return make_solver(operations, StepEquations(residual, update, linear_update, divide, largest, *space))


def make_radau_step(operations):
    """All stages at once."""
    stack, weigh, acceleration = operations.stack, operations.weigh_stages, operations.acceleration
    solve, finish = make_stages_solver(operations), make_finish(operations)

    @operations.part
    def step(problem, setting, scale, t, dt, y):
        q, v, a, x = y
        table = setting.coefficients
        known = StagesStep(t, dt, q, v, table, scale)
        status, missed, A, _ = solve(problem, setting.limits, known, stack(a, a, a))
        if status != DONE:
            return status, missed, y
        q1 = q + dt * v + dt * dt * weigh(table.ba, A)
        v1 = v + dt * weigh(table.b, A)
        a1 = 1.0 * A[2] if table.stiffly_accurate else acceleration(problem, t + dt, q1, v1)
        return finish(q1, v1, a1, x)

    return step
