"""Implicit Runge-Kutta methods of one degree of freedom in compiled code: all stages at once.

The arguments are those of `scalar_kernels`.
"""

import numpy as np

from traction.compiled import kernel
from traction.integrators.scalar_kernels import (
    DIVERGED,
    DONE,
    GOOD_ENOUGH,
    GROWTHS,
    LEAPS,
    MASS,
    MOST,
    NO_CONVERGENCE,
    NOT_FINITE,
    PICARD,
    SCALE,
    SHORTEST,
    TOL,
    inlined,
    net_force,
    tangents,
)

#: places of the unknowns of the stages in z, which has room for SPACE numbers; of at most three stages
STAGES, RESIDUALS, UPDATES, TRIALS, TRIED, JACOBIAN, SPACE = 4, 8, 12, 16, 20, 24, 40
WIDTH = 4  #: of a row of the jacobian with its right side


def implicit_family(stages):
    """The step of methods with so many stages: loops of a known length are written out by the compiler."""

    @inlined
    def stage_residual(functions, numbers, table, t, dt, y, z, at_x, at_r, counts):
        """m A_i - (f - c V_i - k Q_i) of all stages at x into r; returns error and size of the forces."""
        s = stages
        at_c = 1 + s * s + s
        at_aa = at_c + s
        error, size = 0.0, numbers[SCALE]
        for i in range(s):
            speed, place = 0.0, 0.0
            for j in range(s):
                speed += table[1 + i * s + j] * z[at_x + j]
                place += table[at_aa + i * s + j] * z[at_x + j]
            c = table[at_c + i] * dt
            q = y[0] + c * y[1] + dt * dt * place
            v = y[1] + dt * speed
            force = net_force(functions, numbers, t + c, q, v, counts)
            inertia = numbers[MASS] * z[at_x + i]
            r = inertia - force
            z[at_r + i] = r
            size = max(size, abs(inertia), abs(force))
            if not np.isfinite(r):
                return np.nan, size
            error = max(error, abs(r))
        return error, size

    @kernel
    def stage_update(functions, numbers, table, t, dt, y, z, counts):
        """The Newton step -J^-1 r of all stages, by elimination with pivoting; returns its size."""
        s = stages
        at_c = 1 + s * s + s
        at_aa = at_c + s
        for i in range(s):
            speed, place = 0.0, 0.0
            for j in range(s):
                speed += table[1 + i * s + j] * z[STAGES + j]
                place += table[at_aa + i * s + j] * z[STAGES + j]
            c = table[at_c + i] * dt
            q, v = y[0] + c * y[1] + dt * dt * place, y[1] + dt * speed
            stiffness, damping = tangents(functions, numbers, t + c, q, v, z[STAGES + i], dt, counts)
            row = JACOBIAN + i * WIDTH
            for j in range(s):
                z[row + j] = (
                    dt * table[1 + i * s + j] * damping + dt * dt * table[at_aa + i * s + j] * stiffness
                )
            z[row + i] += numbers[MASS]
            z[row + s] = -z[RESIDUALS + i]
        for i in range(s):
            row, pivot = JACOBIAN + i * WIDTH, i
            for k in range(i + 1, s):
                if abs(z[JACOBIAN + k * WIDTH + i]) > abs(z[JACOBIAN + pivot * WIDTH + i]):
                    pivot = k
            if pivot != i:
                other = JACOBIAN + pivot * WIDTH
                for j in range(s + 1):
                    z[row + j], z[other + j] = z[other + j], z[row + j]
            for k in range(i + 1, s):
                other = JACOBIAN + k * WIDTH
                ratio = z[other + i] / z[row + i]
                for j in range(i, s + 1):
                    z[other + j] -= ratio * z[row + j]
        largest = 0.0
        for i in range(s - 1, -1, -1):
            row = JACOBIAN + i * WIDTH
            total = z[row + s]
            for j in range(i + 1, s):
                total -= z[row + j] * z[UPDATES + j]
            z[UPDATES + i] = total / z[row + i]
            largest = max(largest, abs(z[UPDATES + i]))
        return largest

    @kernel
    def stage_picard(functions, numbers, table, t, dt, y, z, counts):
        """X <- x - r/m until it settles."""
        s = stages
        last, grown = np.inf, 0
        for k in range(10 * int(numbers[MOST])):
            error, size = stage_residual(functions, numbers, table, t, dt, y, z, STAGES, RESIDUALS, counts)
            if not np.isfinite(error):
                return NOT_FINITE
            if error <= numbers[TOL] * size or (k > 2 and error <= GOOD_ENOUGH * size and error >= last):
                return DONE
            grown = grown + 1 if error > last else 0
            if grown >= GROWTHS:
                return DIVERGED
            counts[2] += 1
            last = error
            for i in range(s):
                z[STAGES + i] -= z[RESIDUALS + i] / numbers[MASS]
        return NO_CONVERGENCE

    @inlined
    def stage_trial(functions, numbers, table, t, dt, y, z, part, counts):
        """Try a part of the Newton step; returns its error, the size of the forces, and whether it moves."""
        moves = False
        for i in range(stages):
            z[TRIALS + i] = z[STAGES + i] + part * z[UPDATES + i]
            moves = moves or z[TRIALS + i] != z[STAGES + i]
        if not moves:
            return np.nan, 0.0, False
        error, size = stage_residual(functions, numbers, table, t, dt, y, z, TRIALS, TRIED, counts)
        return error, size, True

    @kernel
    def stage_newton(functions, numbers, table, t, dt, y, z, counts):
        """Newton's method with line search for the stage accelerations."""
        s = stages
        error, size = stage_residual(functions, numbers, table, t, dt, y, z, STAGES, RESIDUALS, counts)
        if not np.isfinite(error):
            return NOT_FINITE
        last, leaps = np.inf, 0
        for _ in range(int(numbers[MOST])):
            if error <= numbers[TOL] * size or (error > 0.5 * last and error <= GOOD_ENOUGH * size):
                return DONE
            counts[2] += 1
            update = stage_update(functions, numbers, table, t, dt, y, z, counts)
            largest = numbers[SCALE] / numbers[MASS]
            for i in range(s):
                largest = max(largest, abs(z[STAGES + i]))
            negligible = update <= GOOD_ENOUGH * largest
            if negligible and error > 0.5 * last:
                return DONE
            last = error
            part = 1.0
            lowered = False
            while part >= SHORTEST and not lowered:
                error1, size1, moves = stage_trial(functions, numbers, table, t, dt, y, z, part, counts)
                if not moves:
                    break
                lowered = error1 <= (1.0 - 1e-4 * part) * error
                part *= 0.5
            if not lowered:
                if negligible or error <= GOOD_ENOUGH * size:
                    return DONE
                error1, size1, _ = stage_trial(functions, numbers, table, t, dt, y, z, 1.0, counts)
                if leaps >= LEAPS or not np.isfinite(error1):
                    return NO_CONVERGENCE
                leaps += 1
            error, size = error1, size1
            for i in range(s):
                z[STAGES + i], z[RESIDUALS + i] = z[TRIALS + i], z[TRIED + i]
        return NO_CONVERGENCE

    @inlined
    def implicit_runge_kutta(functions, numbers, table, t, dt, y, z, counts):
        """All stages at once."""
        s = stages
        for i in range(s):
            z[STAGES + i] = y[2]
        if numbers[PICARD] > 0.0:
            status = stage_picard(functions, numbers, table, t, dt, y, z, counts)
        else:
            status = stage_newton(functions, numbers, table, t, dt, y, z, counts)
        at_b = 1 + s * s
        at_ba = at_b + 2 * s + s * s
        speed, place = 0.0, 0.0
        for i in range(s):
            speed += table[at_b + i] * z[STAGES + i]
            place += table[at_ba + i] * z[STAGES + i]
        z[0] = y[0] + dt * y[1] + dt * dt * place
        z[1] = y[1] + dt * speed
        z[3] = 0.0
        if table[-1] > 0.0:
            z[2] = z[STAGES + s - 1]
        else:
            z[2] = net_force(functions, numbers, t + dt, z[0], z[1], counts) / numbers[MASS]
        if status == DONE and not np.isfinite(z[2]):
            return NOT_FINITE
        return status

    return implicit_runge_kutta
