"""Explicit steps: forward and symplectic Euler, velocity Verlet, and RK4 with its embedded solution.

Units: those of the problem that is integrated, such as m, m/s, N and s; none is assumed.
"""

import numpy as np

from traction.integrators.core.kernels.step_solver import DONE, NOT_FINITE


def make_finish(operations):
    """The end of an explicit step, and whether it is finite."""
    norm = operations.norm

    @operations.part
    def finish(q, v, a, x):
        return DONE if norm(q) + norm(v) + norm(a) < np.inf else NOT_FINITE, 0.0, (q, v, a, x)

    return finish


def make_forward_euler_step(operations):
    """q1 = q + dt v, v1 = v + dt a."""
    return make_euler_step(operations, False)


def make_symplectic_euler_step(operations):
    """v1 = v + dt a, q1 = q + dt v1."""
    return make_euler_step(operations, True)


def make_euler_step(operations, with_new_velocity):
    """Either of these: the coordinates move with the old or the new velocity."""
    acceleration, finish = operations.acceleration, make_finish(operations)

    @operations.part
    def step(problem, setting, scale, t, dt, y):
        q, v, a, x = y
        v1 = v + dt * a
        q1 = q + dt * (v1 if with_new_velocity else v)
        return finish(q1, v1, acceleration(problem, t + dt, q1, v1), x)

    return step


def make_verlet_step(operations):
    """q1 = q + dt v + dt^2/2 a, v1 = v + dt/2 (a + a1); (M + dt/2 C) a1 = f(v + dt a) - K q1 - C half."""
    split_force, divide_damped = operations.split_force, operations.divide_damped
    finish = make_finish(operations)

    @operations.part
    def step(problem, setting, scale, t, dt, y):
        q, v, a, x = y
        half = v + 0.5 * dt * a
        q1 = q + dt * half
        a1 = divide_damped(problem, q1, 0.5 * dt, split_force(problem, t + dt, q1, half + 0.5 * dt * a, half))
        return finish(q1, half + 0.5 * dt * a1, a1, x)

    return step


def make_rk4_stages(operations):
    """A step of four stages, weighted 1, 2, 2, 1, and velocity and acceleration of the last stage."""
    acceleration, finish = operations.acceleration, make_finish(operations)

    @operations.part
    def stages(problem, t, dt, y):
        q, v, a, x = y
        h = 0.5 * dt
        v2 = v + h * a
        a2 = acceleration(problem, t + h, q + h * v, v2)
        v3 = v + h * a2
        a3 = acceleration(problem, t + h, q + h * v2, v3)
        v4 = v + dt * a3
        a4 = acceleration(problem, t + dt, q + dt * v3, v4)
        q1 = q + dt / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4)
        v1 = v + dt / 6.0 * (a + 2.0 * a2 + 2.0 * a3 + a4)
        return finish(q1, v1, acceleration(problem, t + dt, q1, v1), x), v4, a4

    return stages


def make_rk4_step(operations):
    """The state after a step."""
    stages = make_rk4_stages(operations)

    @operations.part
    def step(problem, setting, scale, t, dt, y):
        return stages(problem, t, dt, y)[0]

    return step


def make_rk4_estimated_step(operations):
    """The same, and the errors of the solution of order 3 it holds."""
    stages = make_rk4_stages(operations)

    @operations.part
    def step(problem, setting, scale, t, dt, y):
        (status, missed, end), v4, a4 = stages(problem, t, dt, y)
        _, v1, a1, _ = end
        return status, missed, end, (dt / 6.0 * abs(v4 - v1), dt / 6.0 * abs(a4 - a1), abs(v4 - v1))

    return step
