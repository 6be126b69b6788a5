"""What operations on small vectors have of their own: vectors are arrays, matrices are square arrays.

Units: those of the problem that is integrated, such as m, m/s, N and s; none is assumed.
"""

import numpy as np

from traction.integrators.compiled_march.kernels.compiled_operations import part, whole
from traction.integrators.compiled_march.kernels.scalar_operations import DIFFERENCE
from traction.integrators.core.kernels.step_solver import FORCES


@whole
def norm(x):
    """Largest component; NaN where one is."""
    size = 0.0
    for value in x.flat:
        if not abs(value) <= size:
            size = abs(value)
            if size != size:
                break
    return size


norm_of_stages = norm


@whole
def dot(x, y):
    """x.y."""
    return np.sum(x * y)


@whole
def product(a, x):
    """A x."""
    y = np.zeros_like(x)
    for i in range(len(x)):
        for j in range(len(x)):
            y[i] += a[i, j] * x[j]
    return y


@whole
def divide(a, r):
    """A^-1 r."""
    return np.linalg.solve(a, r)


@part
def divide_by_mass(problem, q, r):
    """M^-1 r."""
    return product(problem.matrices.inverse, r)


@whole
def vary(force, t, q, v, of_speed, sizes):
    """Derivatives of a force by its coordinates or velocities, by central differences."""
    slopes, largest = np.empty((len(q), len(q))), sizes.max()
    steps = DIFFERENCE * np.maximum(sizes, 1e-3 * largest if largest > 0.0 else 1.0)
    for k in range(len(q)):
        step = np.zeros_like(q)
        step[k] = steps[k]
        up, down = (v + step, v - step) if of_speed else (q + step, q - step)
        change = force(t, q, up) - force(t, q, down) if of_speed else force(t, up, v) - force(t, down, v)
        slopes[:, k] = change / (up[k] - down[k])
    return slopes


@whole
def differences(problem, t, q, v, a, dt):
    """df/dq and df/dv by central differences."""
    force, n = problem.functions.force, len(q)
    sizes = np.maximum(np.maximum(np.abs(q), np.abs(dt * v)), np.abs(dt * dt * a))
    by_q, by_v = vary(force, t, q, v, False, sizes), np.zeros((n, n))
    problem.work[FORCES] += 2 * n
    if problem.traits.moves:
        by_v = vary(force, t, q, v, True, np.maximum(np.abs(v), np.abs(dt * a)))
        problem.work[FORCES] += 2 * n
    return by_q, by_v


@part
def add_rank_one(problem, a, scale, d, u):
    """A + scale 1 + d u'."""
    return a + scale * np.eye(len(d)) + np.outer(d, u)


@part
def slope_along(problem, stiffness, d):
    """(df/dq)' d of the force alone."""
    return product((problem.matrices.stiffness - stiffness).T, d)


@whole
def stack(x0, x1, x2):
    """Vectors of three stages, as rows."""
    x = np.empty((3, len(x0)))
    x[0], x[1], x[2] = x0, x1, x2
    return x


@whole
def weigh_stages(row, x):
    """Three coefficients times the vectors of the stages."""
    return row[0] * x[0] + row[1] * x[1] + row[2] * x[2]


@part
def combine_stages(a, x):
    """Coefficients (3, 3) times the vectors of the stages."""
    return stack(weigh_stages(a[0], x), weigh_stages(a[1], x), weigh_stages(a[2], x))


@whole
def solve_stages(problem, table, dt, stages, r):
    """Solve with the blocks delta_ij M + dt a_ij C_i + dt^2 (aa)_ij K_i."""
    n = r.shape[1]
    matrix = np.empty((3 * n, 3 * n))
    for i in range(3):
        stiffness, damping = stages[i][1]
        for j in range(3):
            block = dt * table.a[i, j] * damping + dt * dt * table.aa[i, j] * stiffness
            matrix[i * n : (i + 1) * n, j * n : (j + 1) * n] = block
        matrix[i * n : (i + 1) * n, i * n : (i + 1) * n] += problem.matrices.mass
    return np.linalg.solve(matrix, r.reshape(3 * n)).reshape((3, n))
