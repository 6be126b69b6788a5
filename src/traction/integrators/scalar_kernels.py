"""One degree of freedom in compiled code: a step of each family of methods, and marches made of them.

All steps have the arguments (functions, numbers, table, t, dt, y, z, counts): `functions` are compiled force,
jacobian and potential energy; `numbers` are those below; `table` are the coefficients of the method; y and z
are q, v, a, x before and after the step, and behind them z has room for unknowns (nothing is allocated in a
step); counts are forces, jacobians and iterations. They return a status.
numbers[SCALE] is the largest inertia force so far: at rest, where forces cancel, rounding is relative to it.
"""

import numba
import numpy as np

from traction.compiled import kernel

#: a part of kernels, never called by itself: numba counts references in every call that it does not inline
inlined = numba.njit(inline="always")

#: places in `numbers`
MASS, DAMPING, STIFFNESS, HAS_JACOBIAN, HAS_ENERGY, MOVES, PICARD, TOL, MOST, SCALE, INVERSE = range(11)
#: statuses
DONE, NOT_FINITE, NO_CONVERGENCE, DIVERGED = range(4)
DIFFERENCE, GOOD_ENOUGH, SHORTEST, CANCELLED, GROWTHS, LEAPS = 1e-7, 1e-8, 2.0**-12, 1e-7, 4, 8


@inlined
def net_force(functions, numbers, t, q, v, counts):
    """f - c v - k q."""
    counts[0] += 1
    return functions[0](t, q, v) - numbers[DAMPING] * v - numbers[STIFFNESS] * q


@kernel
def tangents(functions, numbers, t, q, v, a, dt, counts):
    """k - df/dq and c - df/dv, by the jacobian or by central differences."""
    counts[1] += 1
    force, jacobian, _ = functions
    if numbers[HAS_JACOBIAN] > 0.0:
        by_q, by_v = jacobian(t, q, v)
        return numbers[STIFFNESS] - by_q, numbers[DAMPING] - by_v
    h = max(abs(q), abs(dt * v), abs(dt * dt * a))
    h = DIFFERENCE * (h if h > 0.0 else 1.0)
    by_q = (force(t, q + h, v) - force(t, q - h, v)) / (2.0 * h)
    counts[0] += 2
    by_v = 0.0
    if numbers[MOVES] > 0.0:
        h = max(abs(v), abs(dt * a))
        h = DIFFERENCE * (h if h > 0.0 else 1.0)
        by_v = (force(t, q, v + h) - force(t, q, v - h)) / (2.0 * h)
        counts[0] += 2
    return numbers[STIFFNESS] - by_q, numbers[DAMPING] - by_v


@inlined
def symplectic_euler(functions, numbers, table, t, dt, y, z, counts):
    """v1 = v + dt a, q1 = q + dt v1."""
    z[1] = y[1] + dt * y[2]
    z[0] = y[0] + dt * z[1]
    z[2] = net_force(functions, numbers, t + dt, z[0], z[1], counts) * numbers[INVERSE]
    z[3] = 0.0
    return DONE if np.isfinite(z[2]) else NOT_FINITE


@inlined
def verlet(functions, numbers, table, t, dt, y, z, counts):
    """Velocity Verlet; damping at the end of the step."""
    half = y[1] + 0.5 * dt * y[2]
    z[0] = y[0] + dt * half
    counts[0] += 1
    force = functions[0](t + dt, z[0], half + 0.5 * dt * y[2]) - numbers[STIFFNESS] * z[0]
    c = numbers[DAMPING]
    z[2] = (force - c * half) / (numbers[MASS] + 0.5 * dt * c)
    z[1] = half + 0.5 * dt * z[2]
    z[3] = 0.0
    return DONE if np.isfinite(z[2]) else NOT_FINITE


@inlined
def euler_forward(functions, numbers, table, t, dt, y, z, counts):
    """q1 = q + dt v, v1 = v + dt a."""
    z[0] = y[0] + dt * y[1]
    z[1] = y[1] + dt * y[2]
    z[2] = net_force(functions, numbers, t + dt, z[0], z[1], counts) * numbers[INVERSE]
    z[3] = 0.0
    return DONE if np.isfinite(z[2]) else NOT_FINITE


@inlined
def rk4(functions, numbers, table, t, dt, y, z, counts):
    """Four stages with velocities v1..v4 and accelerations a1..a4, weighted 1, 2, 2, 1."""
    per_mass, h = numbers[INVERSE], 0.5 * dt
    q, v1, a1 = y[0], y[1], y[2]
    v2 = v1 + h * a1
    a2 = net_force(functions, numbers, t + h, q + h * v1, v2, counts) * per_mass
    v3 = v1 + h * a2
    a3 = net_force(functions, numbers, t + h, q + h * v2, v3, counts) * per_mass
    v4 = v1 + dt * a3
    a4 = net_force(functions, numbers, t + dt, q + dt * v3, v4, counts) * per_mass
    z[0] = q + dt / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4)
    z[1] = v1 + dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
    z[2] = net_force(functions, numbers, t + dt, z[0], z[1], counts) * per_mass
    z[3] = 0.0
    return DONE if np.isfinite(z[2]) else NOT_FINITE


def scalar_solver(residual, slope):
    """Newton's method with line search, or Picard's iteration, for one unknown.

    `residual(functions, numbers, known, x, counts)` gives the residual, the size of the forces and the net
    force at the end; `slope` its derivative; known[-1] is the derivative by the mass alone.
    """

    @kernel
    def solve(functions, numbers, known, x, counts):
        r, size, force = residual(functions, numbers, known, x, counts)
        tol = numbers[TOL]
        if numbers[PICARD] > 0.0:
            last, grown = np.inf, 0
            for k in range(10 * int(numbers[MOST])):
                if not np.isfinite(r):
                    return NOT_FINITE, x, force
                error = abs(r)
                if error <= tol * size or (k > 2 and error <= GOOD_ENOUGH * size and error >= last):
                    return DONE, x, force
                grown = grown + 1 if error > last else 0
                if grown >= GROWTHS:
                    return DIVERGED, x, force
                counts[2] += 1
                x, last = x - r / known[-1], error
                r, size, force = residual(functions, numbers, known, x, counts)
            return NO_CONVERGENCE, x, force
        if not np.isfinite(r):
            return NOT_FINITE, x, force
        last, leaps = np.inf, 0
        for _ in range(int(numbers[MOST])):
            # a residual that hardly falls any more is the rounding of the forces
            if abs(r) <= tol * size or (abs(r) > 0.5 * last and abs(r) <= GOOD_ENOUGH * size):
                return DONE, x, force
            counts[2] += 1
            dx = -r / slope(functions, numbers, known, x, counts)
            # where stiff forces cancel, rounding leaves a residual that is large against what is left of them
            negligible = abs(dx) <= GOOD_ENOUGH * max(abs(x), numbers[SCALE] / known[-1])
            if negligible and abs(r) > 0.5 * last:
                return DONE, x, force
            last = abs(r)
            part = 1.0
            lowered = False
            while part >= SHORTEST and x + part * dx != x:
                r1, size1, force1 = residual(functions, numbers, known, x + part * dx, counts)
                if abs(r1) <= (1.0 - 1e-4 * part) * abs(r):
                    x, r, size, force = x + part * dx, r1, size1, force1
                    lowered = True
                    break
                part *= 0.5
            if not lowered:
                if negligible or abs(r) <= GOOD_ENOUGH * size:
                    return DONE, x, force
                r1, size1, force1 = residual(functions, numbers, known, x + dx, counts)
                if leaps >= LEAPS or not np.isfinite(r1):
                    return NO_CONVERGENCE, x, force
                leaps += 1
                x, r, size, force = x + dx, r1, size1, force1
        return NO_CONVERGENCE, x, force

    return solve


#: places in what an alpha step knows: end time, dt, predicted q and v, forces of the old state, parameters
TIME, STEP, PLACE, SPEED, OLD, BETA, GAMMA, ALPHA_M, ALPHA_F = range(9)


@inlined
def alpha_residual(functions, numbers, known, x, counts):
    """(1 - alpha_m) m x1 - (1 - alpha_f) r1 and what is known of the old state."""
    dt = known[STEP]
    q1 = known[PLACE] + known[BETA] * dt * dt * x
    v1 = known[SPEED] + known[GAMMA] * dt * x
    force = net_force(functions, numbers, known[TIME], q1, v1, counts)
    inertia = numbers[MASS] * x
    size = max(abs(inertia), abs(force), abs(known[OLD]), numbers[SCALE])
    return (1.0 - known[ALPHA_M]) * inertia - (1.0 - known[ALPHA_F]) * force + known[OLD], size, force


@inlined
def alpha_slope(functions, numbers, known, x, counts):
    """(1 - alpha_m) m + (1 - alpha_f) (gamma dt c + beta dt^2 k)."""
    dt = known[STEP]
    q1 = known[PLACE] + known[BETA] * dt * dt * x
    v1 = known[SPEED] + known[GAMMA] * dt * x
    k, c = tangents(functions, numbers, known[TIME], q1, v1, x, dt, counts)
    implicit = known[GAMMA] * dt * c + known[BETA] * dt * dt * k
    return known[-1] + (1.0 - known[ALPHA_F]) * implicit


alpha_solve = scalar_solver(alpha_residual, alpha_slope)


@inlined
def alpha(functions, numbers, table, t, dt, y, z, counts):
    """Newmark, HHT, generalized-alpha."""
    beta, gamma, alpha_m, alpha_f = table[0], table[1], table[2], table[3]
    q, v, a, x = y[0], y[1], y[2], y[3]
    m = numbers[MASS]
    known = (
        t + dt,
        dt,
        q + dt * v + (0.5 - beta) * dt * dt * x,
        v + (1.0 - gamma) * dt * x,
        m * (alpha_m * x - alpha_f * a),
        beta,
        gamma,
        alpha_m,
        alpha_f,
        (1.0 - alpha_m) * m,
    )
    status, x1, force = alpha_solve(functions, numbers, known, x, counts)
    z[0] = known[PLACE] + beta * dt * dt * x1
    z[1] = known[SPEED] + gamma * dt * x1
    z[2] = force / m
    z[3] = x1
    return status


#: places in what an energy-conserving step knows, before the Gauss points and weights
E_TIME, E_STEP, E_PLACE, E_SPEED, E_ENERGY, E_GAUSS = range(6)


@kernel
def mean_force(functions, numbers, known, d, counts):
    """Mean force F over the displacement d, and whether it follows from the energy."""
    force, _, potential = functions
    t, dt, q = known[E_TIME], known[E_STEP], known[E_PLACE]
    halfway, speed = q + 0.5 * d, d / dt
    if numbers[HAS_ENERGY] > 0.0:
        after = potential(t, q + d)
        work = known[E_ENERGY] - after
        if not np.isfinite(work):
            return np.nan, True
        if abs(work) > CANCELLED * max(abs(after), abs(known[E_ENERGY])):
            if numbers[MOVES] > 0.0:
                counts[0] += 2
                return work / d + force(t, halfway, speed) - force(t, halfway, 0.0), True
            return work / d, True
        counts[0] += 1
        return force(t, halfway, speed), False
    total = 0.0
    for k in range(4):
        total += known[E_GAUSS][4 + k] * force(t, q + known[E_GAUSS][k] * d, speed)
    counts[0] += 4
    return total, False


@inlined
def energy_residual(functions, numbers, known, d, counts):
    """M (v1 - v)/dt + c d/dt + k (q + d/2) - F."""
    dt, q, v = known[E_STEP], known[E_PLACE], known[E_SPEED]
    force, _ = mean_force(functions, numbers, known, d, counts)
    inertia = 2.0 * numbers[MASS] * (d / dt - v) / dt
    rest = numbers[DAMPING] * d / dt + numbers[STIFFNESS] * (q + 0.5 * d)
    size = max(abs(inertia), abs(force), abs(rest), numbers[SCALE])
    return inertia + rest - force, size, force


@kernel
def energy_slope(functions, numbers, known, d, counts):
    """2 m/dt^2 + c/dt + k/2 - dF/dd; by the energy dF/dd = (f(q1) - F)/d."""
    t, dt, q = known[E_TIME], known[E_STEP], known[E_PLACE]
    k, c = numbers[STIFFNESS], numbers[DAMPING]
    exact = False
    by_d = 0.0
    if numbers[HAS_ENERGY] > 0.0:
        after = functions[2](t, q + d)
        work = known[E_ENERGY] - after
        exact = abs(work) > CANCELLED * max(abs(after), abs(known[E_ENERGY]))
        if exact:
            counts[0] += 1
            by_d = (functions[0](t, q + d, 0.0) - work / d) / d
    if numbers[HAS_ENERGY] == 0.0:
        rate, k, c = 2.0 * (d / dt - known[E_SPEED]) / dt, 0.0, 0.0
        for i in range(4):
            point, weight = known[E_GAUSS][i], known[E_GAUSS][4 + i]
            by_place, by_speed = tangents(functions, numbers, t, q + point * d, d / dt, rate, dt, counts)
            k += 2.0 * weight * point * by_place
            c += weight * by_speed
    elif not exact or numbers[MOVES] > 0.0:
        rate = 2.0 * (d / dt - known[E_SPEED]) / dt
        tangent, c = tangents(functions, numbers, t, q + 0.5 * d, d / dt, rate, dt, counts)
        if not exact:
            k = tangent
    return known[-1] + c / dt + 0.5 * k - by_d


energy_solve = scalar_solver(energy_residual, energy_slope)


@inlined
def energy_conserving(functions, numbers, table, t, dt, y, z, counts):
    """Midpoint rule with the mean force of the energy."""
    q, v, a = y[0], y[1], y[2]
    energy = functions[2](t + 0.5 * dt, q) if numbers[HAS_ENERGY] > 0.0 else 0.0
    known = (t + 0.5 * dt, dt, q, v, energy, table, 2.0 * numbers[MASS] / (dt * dt))
    status, d, _ = energy_solve(functions, numbers, known, dt * v + 0.5 * dt * dt * a, counts)
    z[0] = q + d
    z[1] = 2.0 * d / dt - v
    z[2] = net_force(functions, numbers, t + dt, z[0], z[1], counts) / numbers[MASS]
    z[3] = 0.0
    if status == DONE and not np.isfinite(z[2]):
        return NOT_FINITE
    return status
