"""Radau methods of one degree of freedom in compiled code: three stages at once.

The arguments are those of `scalar_steps`; x, r and dx are accelerations, residuals and updates of the
stages.
"""

import numpy as np

from traction.compiled import kernel
from traction.integrators.compiled_march.kernels.scalar_steps import (
    DIVERGED,
    DONE,
    GOOD_ENOUGH,
    GROWTHS,
    LEAPS,
    NO_CONVERGENCE,
    NOT_FINITE,
    SHORTEST,
    TRIALS,
    inlined,
    net_force,
    tangents,
)

#: places in the table, as `Tableau.flat` lays it out: a, b, c, aa, ba, and whether the last stage is the end
A, B, C, AA, BA, STIFF = 1, 10, 13, 16, 25, 28


@inlined
def weighted(table, at, x):
    """Three coefficients times the accelerations."""
    return table[at] * x[0] + table[at + 1] * x[1] + table[at + 2] * x[2]


@inlined
def largest(x):
    """Of three sizes."""
    return max(abs(x[0]), abs(x[1]), abs(x[2]))


@inlined
def stage(table, i, dt, y, x):
    """Time since the start, place and speed of a stage."""
    c = table[C + i] * dt
    return (
        c,
        y[0] + c * y[1] + dt * dt * weighted(table, AA + 3 * i, x),
        y[1] + dt * weighted(table, A + 3 * i, x),
    )


@inlined
def residuals(functions, numbers, table, t, dt, y, x, counts):
    """m A_i - (f - c V_i - k Q_i) of all stages, the largest of them, and the size of the forces."""
    c0, q0, v0 = stage(table, 0, dt, y, x)
    c1, q1, v1 = stage(table, 1, dt, y, x)
    c2, q2, v2 = stage(table, 2, dt, y, x)
    f = (
        net_force(functions, numbers, t + c0, q0, v0, counts),
        net_force(functions, numbers, t + c1, q1, v1, counts),
        net_force(functions, numbers, t + c2, q2, v2, counts),
    )
    m = numbers.mass
    r = (m * x[0] - f[0], m * x[1] - f[1], m * x[2] - f[2])
    error = largest(r) if np.isfinite(r[0] + r[1] + r[2]) else np.nan
    return r, error, max(numbers.scale, m * largest(x), largest(f))


@inlined
def row(functions, numbers, table, i, t, dt, y, x, counts):
    """Derivative of the residual of a stage by all accelerations, but for the mass."""
    c, q, v = stage(table, i, dt, y, x)
    stiffness, damping = tangents(functions, numbers, t + c, q, v, x[i], dt, counts)
    by_speed, by_place = dt * damping, dt * dt * stiffness
    return (
        by_speed * table[A + 3 * i] + by_place * table[AA + 3 * i],
        by_speed * table[A + 3 * i + 1] + by_place * table[AA + 3 * i + 1],
        by_speed * table[A + 3 * i + 2] + by_place * table[AA + 3 * i + 2],
    )


@inlined
def solved(a, b, c, r):
    """The solution dx of three equations with the rows a, b, c and the right side -r, by cofactors."""
    a0, a1, a2 = b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]
    b0, b1, b2 = c[1] * a[2] - c[2] * a[1], c[2] * a[0] - c[0] * a[2], c[0] * a[1] - c[1] * a[0]
    c0, c1, c2 = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    scale = -1.0 / (a[0] * a0 + a[1] * a1 + a[2] * a2)
    return (
        scale * (a0 * r[0] + b0 * r[1] + c0 * r[2]),
        scale * (a1 * r[0] + b1 * r[1] + c1 * r[2]),
        scale * (a2 * r[0] + b2 * r[1] + c2 * r[2]),
    )


@inlined
def update(functions, numbers, table, t, dt, y, x, r, counts):
    """The Newton step of all stages."""
    m = numbers.mass
    a = row(functions, numbers, table, 0, t, dt, y, x, counts)
    b = row(functions, numbers, table, 1, t, dt, y, x, counts)
    c = row(functions, numbers, table, 2, t, dt, y, x, counts)
    return solved((m + a[0], a[1], a[2]), (b[0], m + b[1], b[2]), (c[0], c[1], m + c[2]), r)


@inlined
def moved(x, part, dx):
    """Accelerations after a part of an update."""
    return (x[0] + part * dx[0], x[1] + part * dx[1], x[2] + part * dx[2])


@kernel
def stage_picard(functions, numbers, table, t, dt, y, counts):
    """X <- x - r/m until it settles: a status and the accelerations."""
    x = (y[2], y[2], y[2])
    last, grown = np.inf, 0
    for k in range(10 * int(numbers.most)):
        r, error, size = residuals(functions, numbers, table, t, dt, y, x, counts)
        if not np.isfinite(error):
            return NOT_FINITE, x
        if error <= numbers.tol * size or (k > 2 and error <= GOOD_ENOUGH * size and error >= last):
            return DONE, x
        grown = grown + 1 if error > last else 0
        if grown >= GROWTHS:
            return DIVERGED, x
        counts[2] += 1
        last = error
        x = moved(x, -1.0 / numbers.mass, r)
    return NO_CONVERGENCE, x


@kernel
def stage_newton(functions, numbers, table, t, dt, y, counts):
    """Newton's method with line search for the accelerations, as `solve` of `scalar_solver`."""
    x = (y[2], y[2], y[2])
    iterations, leaps = 0, 0
    r, dx, error, size, last = x, x, 0.0, 0.0, np.inf
    trial, part, unasked, negligible = x, 0.0, True, False
    for _ in range(TRIALS * int(numbers.most)):
        r1, error1, size1 = residuals(functions, numbers, table, t, dt, y, trial, counts)
        if unasked or error1 <= (1.0 - 1e-4 * part) * error:
            if not np.isfinite(error1):
                return NOT_FINITE if part == 0.0 else NO_CONVERGENCE, x
            x, r, error, size = trial, r1, error1, size1
            if error <= numbers.tol * size or (error > 0.5 * last and error <= GOOD_ENOUGH * size):
                return DONE, x
            if iterations >= numbers.most:
                return NO_CONVERGENCE, x
            iterations += 1
            counts[2] += 1
            dx = update(functions, numbers, table, t, dt, y, x, r, counts)
            negligible = largest(dx) <= GOOD_ENOUGH * max(numbers.scale * numbers.inverse, largest(x))
            if negligible and error > 0.5 * last:
                return DONE, x
            last, part, unasked = error, 1.0, False
        else:
            part *= 0.5
        if part < SHORTEST or moved(x, part, dx) == x:
            if negligible or error <= GOOD_ENOUGH * size:
                return DONE, x
            if leaps >= LEAPS:
                return NO_CONVERGENCE, x
            leaps += 1
            part, unasked = 1.0, True
        trial = moved(x, part, dx)
    return NO_CONVERGENCE, x


@inlined
def radau(functions, numbers, table, t, dt, y, counts):
    """Three stages at once."""
    if numbers.picard > 0.0:
        status, x = stage_picard(functions, numbers, table, t, dt, y, counts)
    else:
        status, x = stage_newton(functions, numbers, table, t, dt, y, counts)
    q = y[0] + dt * y[1] + dt * dt * weighted(table, BA, x)
    v = y[1] + dt * weighted(table, B, x)
    a = x[2]
    if not table[STIFF] > 0.0:
        a = net_force(functions, numbers, t + dt, q, v, counts) * numbers.inverse
    if status == DONE and not np.isfinite(a):
        status = NOT_FINITE
    return status, (q, v, a, 0.0)
