"""What operations on numbers have of their own: one degree of freedom, kept in registers.

Units: those of the problem that is integrated, such as m, m/s, N and s; none is assumed.
"""

import numpy as np

from traction.integrators.compiled_march.kernels.compiled_operations import part, whole
from traction.integrators.core.kernels.step_solver import FORCES

DIFFERENCE = 1e-7  #: of finite differences, relative to the size of what is varied


@part
def norm(x):
    """|x|."""
    return abs(x)


@part
def dot(x, y):
    """X y."""
    return x * y


product = dot


@part
def divide(a, r):
    """R/a."""
    return r / a


@part
def divide_by_mass(problem, q, r):
    """R/m."""
    return r / problem.matrices.mass


@whole
def differences(problem, t, q, v, a, dt):
    """df/dq and df/dv by central differences."""
    force = problem.functions.force
    h = max(abs(q), abs(dt * v), abs(dt * dt * a))
    h = DIFFERENCE * (h if h > 0.0 else 1.0)
    by_q = (force(t, q + h, v) - force(t, q - h, v)) / (2.0 * h)
    problem.work[FORCES] += 2
    by_v = 0.0
    if problem.traits.moves:
        h = max(abs(v), abs(dt * a))
        h = DIFFERENCE * (h if h > 0.0 else 1.0)
        by_v = (force(t, q, v + h) - force(t, q, v - h)) / (2.0 * h)
        problem.work[FORCES] += 2
    return by_q, by_v


@part
def add_rank_one(problem, a, scale, d, u):
    """A + scale + d u."""
    return a + scale + d * u


@part
def slope_along(problem, stiffness, d):
    """(df/dq) d of the force alone."""
    return (problem.matrices.stiffness - stiffness) * d


@part
def stack(x0, x1, x2):
    """Numbers of three stages."""
    return x0, x1, x2


@part
def norm_of_stages(x):
    """The largest of three magnitudes; NaN where one is."""
    total = x[0] + x[1] + x[2]
    return max(abs(x[0]), abs(x[1]), abs(x[2])) if total - total == 0.0 else np.nan


@part
def move_stages(x, part, dx):
    """X + part dx."""
    return x[0] + part * dx[0], x[1] + part * dx[1], x[2] + part * dx[2]


@part
def weigh_stages(row, x):
    """Three coefficients times the numbers of the stages."""
    return row[0] * x[0] + row[1] * x[1] + row[2] * x[2]


@part
def combine_stages(a, x):
    """Coefficients (3, 3) times the numbers of the stages."""
    return (
        a[0, 0] * x[0] + a[0, 1] * x[1] + a[0, 2] * x[2],
        a[1, 0] * x[0] + a[1, 1] * x[1] + a[1, 2] * x[2],
        a[2, 0] * x[0] + a[2, 1] * x[1] + a[2, 2] * x[2],
    )


@part
def stage_row(table, dt, i, tangents):
    """Row i of dt a_ij c_i + dt^2 (aa)_ij k_i."""
    by_place, by_speed, a, aa = dt * dt * tangents[0], dt * tangents[1], table.a, table.aa
    return (
        by_speed * a[i, 0] + by_place * aa[i, 0],
        by_speed * a[i, 1] + by_place * aa[i, 1],
        by_speed * a[i, 2] + by_place * aa[i, 2],
    )


@part
def solve_stages(problem, table, dt, stages, r):
    """Solve with delta_ij m + dt a_ij c_i + dt^2 (aa)_ij k_i, by cofactors."""
    m = problem.matrices.mass
    a0, a1, a2 = stage_row(table, dt, 0, stages[0][1])
    b0, b1, b2 = stage_row(table, dt, 1, stages[1][1])
    c0, c1, c2 = stage_row(table, dt, 2, stages[2][1])
    a0, b1, c2 = m + a0, m + b1, m + c2
    d0, d1, d2 = b1 * c2 - b2 * c1, b2 * c0 - b0 * c2, b0 * c1 - b1 * c0
    scale = 1.0 / (a0 * d0 + a1 * d1 + a2 * d2)
    return (
        scale * (d0 * r[0] + (c1 * a2 - c2 * a1) * r[1] + (a1 * b2 - a2 * b1) * r[2]),
        scale * (d1 * r[0] + (c2 * a0 - c0 * a2) * r[1] + (a2 * b0 - a0 * b2) * r[2]),
        scale * (d2 * r[0] + (c0 * a1 - c1 * a0) * r[1] + (a0 * b1 - a1 * b0) * r[2]),
    )
