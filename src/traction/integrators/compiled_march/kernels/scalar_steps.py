"""One degree of freedom in compiled code: a step of each family of methods that solve equations.

All steps have the arguments (functions, numbers, table, t, dt, y, counts) and return a status and the new y:
`functions` are compiled force, jacobian and potential energy; `numbers` are `Numbers`; `table` are the
coefficients of the method; y is q, v, a, x; counts are forces, jacobians and iterations. All but the table
and the counts are numbers, not arrays, so that a march keeps them in registers.
"""

from collections import namedtuple

import numba
import numpy as np

from traction.compiled import kernel

#: a part of kernels, never called by itself: what is not inlined counts references in every call
inlined = numba.njit(forceinline=True)

#: mass, damping and stiffness, what is given, how equations are solved, 1/mass, and the largest inertia force
#: so far: at rest, where forces cancel, rounding is relative to it
Numbers = namedtuple(
    "Numbers", "mass damping stiffness has_jacobian has_energy moves picard tol most inverse scale"
)
#: statuses
DONE, NOT_FINITE, NO_CONVERGENCE, DIVERGED = range(4)
DIFFERENCE, GOOD_ENOUGH, SHORTEST, CANCELLED, GROWTHS, LEAPS = 1e-7, 1e-8, 2.0**-12, 1e-7, 4, 8
TRIALS = 16  #: residuals in an iteration, more than halvings lead to the shortest step


@inlined
def numbers_of(row, scale):
    """`Numbers` from an array of all but the last."""
    return Numbers(row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8], row[9], scale)


def numbers_with(known):
    """`numbers_of` for a march whose plain numbers are built in, those that are 0 or 1 in `known`.

    A product with zero takes its time, and all that follows waits for it.
    """
    is_unit, is_undamped, is_unsprung = known.mass == 1.0, known.damping == 0.0, known.stiffness == 0.0
    has_jacobian, has_energy, moves, picard = known.has_jacobian, known.has_energy, known.moves, known.picard

    @inlined
    def numbers(row, scale):
        return Numbers(
            1.0 if is_unit else row[0],
            0.0 if is_undamped else row[1],
            0.0 if is_unsprung else row[2],
            has_jacobian,
            has_energy,
            moves,
            picard,
            row[7],
            row[8],
            1.0 if is_unit else row[9],
            scale,
        )

    return numbers


@inlined
def sized(n, largest):
    """The same numbers at another largest acceleration."""
    return Numbers(
        n.mass,
        n.damping,
        n.stiffness,
        n.has_jacobian,
        n.has_energy,
        n.moves,
        n.picard,
        n.tol,
        n.most,
        n.inverse,
        n.mass * largest,
    )


@inlined
def net_force(functions, numbers, t, q, v, counts):
    """f - c v - k q."""
    counts[0] += 1
    total = functions[0](t, q, v)
    if numbers.damping != 0.0:
        total -= numbers.damping * v
    if numbers.stiffness != 0.0:
        total -= numbers.stiffness * q
    return total


@kernel
def differences(functions, numbers, t, q, v, a, dt, counts):
    """df/dq and df/dv by central differences."""
    force, _, _ = functions
    h = max(abs(q), abs(dt * v), abs(dt * dt * a))
    h = DIFFERENCE * (h if h > 0.0 else 1.0)
    by_q = (force(t, q + h, v) - force(t, q - h, v)) / (2.0 * h)
    counts[0] += 2
    by_v = 0.0
    if numbers.moves > 0.0:
        h = max(abs(v), abs(dt * a))
        h = DIFFERENCE * (h if h > 0.0 else 1.0)
        by_v = (force(t, q, v + h) - force(t, q, v - h)) / (2.0 * h)
        counts[0] += 2
    return by_q, by_v


@inlined
def tangents(functions, numbers, t, q, v, a, dt, counts):
    """k - df/dq and c - df/dv, by the jacobian or by differences."""
    counts[1] += 1
    if numbers.has_jacobian > 0.0:
        by_q, by_v = functions[1](t, q, v)
    else:
        by_q, by_v = differences(functions, numbers, t, q, v, a, dt, counts)
    return numbers.stiffness - by_q, numbers.damping - by_v


def picard_iteration(residual):
    """Divide the residual by the mass alone until it vanishes; returns as `scalar_solver` does."""

    @kernel
    def picard(functions, numbers, known, x, counts):
        r, size, force = residual(functions, numbers, known, x, counts)
        last, grown = np.inf, 0
        for k in range(10 * int(numbers.most)):
            if not np.isfinite(r):
                return NOT_FINITE, x, force
            error = abs(r)
            if error <= numbers.tol * size or (k > 2 and error <= GOOD_ENOUGH * size and error >= last):
                return DONE, x, force
            grown = grown + 1 if error > last else 0
            if grown >= GROWTHS:
                return DIVERGED, x, force
            counts[2] += 1
            x, last = x - r / known[-1], error
            r, size, force = residual(functions, numbers, known, x, counts)
        return NO_CONVERGENCE, x, force

    return picard


def scalar_solver(residual, slope):
    """Newton's method with line search, or Picard's iteration, for one unknown.

    `residual(functions, numbers, known, x, counts)` gives the residual, the size of the forces and the net
    force at the end; `slope` its derivative; known[-1] is the derivative by the mass alone. Solving returns a
    status, the unknown and the net force.
    """
    picard = picard_iteration(residual)

    @inlined
    def solve(functions, numbers, known, x, counts):
        if numbers.picard > 0.0:
            return picard(functions, numbers, known, x, counts)
        r, size, force = residual(functions, numbers, known, x, counts)
        if not np.isfinite(r):
            return NOT_FINITE, x, force
        if abs(r) <= numbers.tol * size:  # as often in a march: the last acceleration is this one
            return DONE, x, force
        status, iterations, leaps, last = NO_CONVERGENCE, 0, 0, np.inf
        dx, part, unasked, negligible, lowered = 0.0, 1.0, False, False, True
        for _ in range(TRIALS * int(numbers.most)):
            if lowered:
                # a residual that hardly falls any more is the rounding of the forces
                if abs(r) <= numbers.tol * size or (abs(r) > 0.5 * last and abs(r) <= GOOD_ENOUGH * size):
                    status = DONE
                    break
                if iterations >= numbers.most:
                    break
                iterations += 1
                counts[2] += 1
                dx = -r / slope(functions, numbers, known, x, counts)
                # where stiff forces cancel, rounding leaves a residual that is large against what is left
                negligible = abs(dx) <= GOOD_ENOUGH * max(abs(x), numbers.scale / known[-1])
                if negligible and abs(r) > 0.5 * last:
                    status = DONE
                    break
                last, part, unasked = abs(r), 1.0, False
            else:
                part *= 0.5
            if part < SHORTEST or x + part * dx == x:  # no part of the step lowers the residual
                if negligible or abs(r) <= GOOD_ENOUGH * size:
                    status = DONE
                    break
                if leaps >= LEAPS:
                    break
                leaps += 1
                part, unasked = 1.0, True
            trial = x + part * dx
            r1, size1, force1 = residual(functions, numbers, known, trial, counts)
            lowered = unasked or abs(r1) <= (1.0 - 1e-4 * part) * abs(r)
            if lowered:
                if not np.isfinite(r1):
                    break
                x, r, size, force = trial, r1, size1, force1
        return status, x, force

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
    inertia = numbers.mass * x
    size = max(abs(inertia), abs(force), abs(known[OLD]), numbers.scale)
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
def alpha(functions, numbers, table, t, dt, y, counts):
    """Newmark, HHT, generalized-alpha."""
    beta, gamma, alpha_m, alpha_f = table[0], table[1], table[2], table[3]
    q, v, a, x = y
    m = numbers.mass
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
    place, speed = known[PLACE] + beta * dt * dt * x1, known[SPEED] + gamma * dt * x1
    return status, (place, speed, force / m, x1)


@inlined
def euler_backward(functions, numbers, table, t, dt, y, counts):
    """v1 = v + dt x, q1 = q + dt v1 with the acceleration x of the end: the same equation without old x."""
    q, v, a, _ = y
    known = (t + dt, dt, q + dt * v, v, 0.0, 1.0, 1.0, 0.0, 0.0, numbers.mass)
    status, x, _ = alpha_solve(functions, numbers, known, a, counts)
    return status, (known[PLACE] + dt * dt * x, v + dt * x, x, 0.0)


#: places in what an energy-conserving step knows, before the Gauss points and weights
E_TIME, E_STEP, E_PLACE, E_SPEED, E_ENERGY, E_GAUSS = range(6)


@kernel
def mean_force(functions, numbers, known, d, counts):
    """Mean force F over the displacement d, and whether it follows from the energy."""
    force, _, potential = functions
    t, dt, q = known[E_TIME], known[E_STEP], known[E_PLACE]
    halfway, speed = q + 0.5 * d, d / dt
    if numbers.has_energy > 0.0:
        after = potential(t, q + d)
        work = known[E_ENERGY] - after
        if not np.isfinite(work):
            return np.nan, True
        if abs(work) > CANCELLED * max(abs(after), abs(known[E_ENERGY])):
            if numbers.moves > 0.0:
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
    inertia = 2.0 * numbers.mass * (d / dt - v) / dt
    rest = numbers.damping * d / dt + numbers.stiffness * (q + 0.5 * d)
    size = max(abs(inertia), abs(force), abs(rest), numbers.scale)
    return inertia + rest - force, size, force


@kernel
def energy_slope(functions, numbers, known, d, counts):
    """2 m/dt^2 + c/dt + k/2 - dF/dd; by the energy dF/dd = (f(q1) - F)/d."""
    t, dt, q = known[E_TIME], known[E_STEP], known[E_PLACE]
    k, c = numbers.stiffness, numbers.damping
    exact = False
    by_d = 0.0
    if numbers.has_energy > 0.0:
        after = functions[2](t, q + d)
        work = known[E_ENERGY] - after
        exact = abs(work) > CANCELLED * max(abs(after), abs(known[E_ENERGY]))
        if exact:
            counts[0] += 1
            by_d = (functions[0](t, q + d, 0.0) - work / d) / d
    if numbers.has_energy == 0.0:
        rate, k, c = 2.0 * (d / dt - known[E_SPEED]) / dt, 0.0, 0.0
        for i in range(4):
            point, weight = known[E_GAUSS][i], known[E_GAUSS][4 + i]
            by_place, by_speed = tangents(functions, numbers, t, q + point * d, d / dt, rate, dt, counts)
            k += 2.0 * weight * point * by_place
            c += weight * by_speed
    elif not exact or numbers.moves > 0.0:
        rate = 2.0 * (d / dt - known[E_SPEED]) / dt
        tangent, c = tangents(functions, numbers, t, q + 0.5 * d, d / dt, rate, dt, counts)
        if not exact:
            k = tangent
    return known[-1] + c / dt + 0.5 * k - by_d


energy_solve = scalar_solver(energy_residual, energy_slope)


@inlined
def energy_conserving(functions, numbers, table, t, dt, y, counts):
    """Midpoint rule with the mean force of the energy."""
    q, v, a, _ = y
    energy = functions[2](t + 0.5 * dt, q) if numbers.has_energy > 0.0 else 0.0
    known = (t + 0.5 * dt, dt, q, v, energy, table, 2.0 * numbers.mass / (dt * dt))
    status, d, _ = energy_solve(functions, numbers, known, dt * v + 0.5 * dt * dt * a, counts)
    q1, v1 = q + d, 2.0 * d / dt - v
    a1 = net_force(functions, numbers, t + dt, q1, v1, counts) / numbers.mass
    if status == DONE and not np.isfinite(a1):
        status = NOT_FINITE
    return status, (q1, v1, a1, 0.0)
