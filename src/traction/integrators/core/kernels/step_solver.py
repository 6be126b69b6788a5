"""The equations of an implicit step: Newton's method with line search, or Picard's iteration; its path.

Like the formulas of the methods this stands once. Unknowns are numbers, vectors or those of several stages;
`make_solver` closes over the operations that differ, and what it returns is interpreted or compiled.

Units: those of the problem that is integrated, such as m, m/s, N and s; none is assumed.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy import ndarray as Vector  # noqa: N812  or a number

Formulas = Callable[..., tuple]  #: of a step

#: statuses of a step
DONE, NOT_FINITE, NOT_CONVERGED, DIVERGED = range(4)
#: places in the work that is counted
FORCES, JACOBIANS, FACTORS, ITERATIONS = range(4)

GOOD_ENOUGH = 1e-8  #: of the forces; where rounding lets nothing better be reached, this is accepted
SHORTEST = 2.0**-12  #: part of a Newton step that the line search still tries
TRIALS = 16  #: residuals in an iteration, more than halvings lead to the shortest step
LINEAR_GAIN = 1e-2  #: by which the constant matrices alone must lower the residual to be used
LEAPS = 8  #: whole Newton steps taken though the residual does not fall, as across the kink of a stiff force
GROWTHS = 4  #: times that Picard's residual may grow in a row


class Limits(NamedTuple):
    """How equations are solved."""

    uses_picard: bool
    tol: float  #: residual force, relative to the forces in the equation
    most: int  #: iterations


class Traits(NamedTuple):
    """What formulas ask for of a problem."""

    n: int  #: degrees of freedom
    is_linear: bool  #: whether the matrices are all there is but a load over time
    has_jacobian: bool
    has_energy: bool
    moves: bool  #: whether the force depends on the velocity
    is_damped: bool
    is_sprung: bool


class StepSetting(NamedTuple):
    """What all steps of a method have in common."""

    coefficients: object  #: of the method
    limits: Limits


class StepEquations(NamedTuple):
    """R(x) = 0 for the unknowns x of a step, as functions of the problem and of what is `known` of the step.

    `known.scale` is the largest inertia force so far: at rest, where forces cancel, rounding is relative
    to it.
    """

    residual: object  #: (problem, known, x): R, the size of the forces in it, and a force to be kept
    update: object  #: (problem, known, x, R): J^-1 R
    linear_update: object  #: (problem, known, R): the same by the constant matrices alone
    divide: object  #: (problem, known, R): by the mass alone
    largest: object  #: (problem, known): the largest unknown that forces of the size `known.scale` make
    norm: object  #: (x): its largest component; NaN where one is
    move: object  #: (x, part, dx): x + part dx


def make_picard(operations, equations):
    """Picard's iteration, called as what `make_solver` returns."""
    divide, norm, move = equations.divide, equations.norm, equations.move
    residual = operations.guard(equations.residual)

    @operations.whole
    def iterate_picard(problem, limits, known, x):
        """X <- x - M^-1 R(x): what the forces of the last iterate would accelerate."""
        last, grown = np.inf, 0
        for k in range(10 * limits.most):
            r, size, force = residual(problem, known, x)
            error = norm(r)
            if not error < np.inf:
                return NOT_FINITE, error, x, force
            if error <= limits.tol * size or (k > 2 and error <= GOOD_ENOUGH * size and error >= last):
                return DONE, error, x, force
            grown = grown + 1 if error > last else 0
            if grown >= GROWTHS:
                return DIVERGED, error / last, x, force
            problem.work[ITERATIONS] += 1
            x, last = move(x, -1.0, divide(problem, known, r)), error
        return NOT_CONVERGED, last / max(size, 1e-300), x, force

    return iterate_picard


def make_solver(operations, equations):
    """solve(problem, limits, known, x): a status, the residual that is left, the unknowns, the kept force."""
    _, update, linear_update, _, largest, norm, move = equations
    residual, is_interpreted = operations.guard(equations.residual), operations.IS_INTERPRETED
    iterate_picard = make_picard(operations, equations)

    @operations.part
    def is_negligible(problem, known, x, dx):
        """Whether an update is small against the unknowns, now or as large as the forces once made them.

        Where stiff forces cancel, rounding leaves a residual that is large against what is left of them.
        """
        return norm(dx) <= GOOD_ENOUGH * max(norm(x), largest(problem, known))

    @operations.part
    def solve(problem, limits, known, x):
        if limits.uses_picard:
            return iterate_picard(problem, limits, known, x)
        iterations, leaps, r, dx, error, size, last = 0, 0, x, x, np.inf, 0.0, np.inf
        trial, part, is_leap = x, 0.0, True  # the first residual is that of the guess
        for _ in range(TRIALS * limits.most):
            r1, size1, force = residual(problem, known, trial)
            error1 = norm(r1)
            if is_leap or error1 <= (1.0 - 1e-4 * part) * error:
                if not error1 < np.inf:
                    return NOT_FINITE if part == 0.0 else NOT_CONVERGED, error / max(size, 1e-300), x, force
                x, r, size, error = trial, r1, size1, error1
                # a residual that hardly falls any more is the rounding of the forces
                if error <= limits.tol * size or (error > 0.5 * last and error <= GOOD_ENOUGH * size):
                    return DONE, error, x, force
                if is_interpreted and part == 0.0 and problem.tries_linear:
                    # a force that depends on time alone, or weakly on the state, needs no differences
                    trial = move(x, -1.0, linear_update(problem, known, r))
                    r1, size1, force1 = residual(problem, known, trial)
                    if norm(r1) <= LINEAR_GAIN * error:
                        x, r, size, force, error = trial, r1, size1, force1, norm(r1)
                        if error <= limits.tol * size:
                            return DONE, error, x, force
                if iterations >= limits.most:
                    break
                iterations += 1
                problem.work[ITERATIONS] += 1
                dx = update(problem, known, x, r)
                if error > 0.5 * last and is_negligible(problem, known, x, dx):
                    return DONE, error, x, force
                last, part, is_leap, kept = error, 1.0, False, force
            else:
                part *= 0.5
            trial = move(x, -part, dx)
            if part < SHORTEST or norm(move(trial, -1.0, x)) == 0.0:  # no part of dx lowers the residual
                if error <= GOOD_ENOUGH * size or is_negligible(problem, known, x, dx):
                    return DONE, error, x, kept
                if leaps >= LEAPS:
                    break
                leaps += 1
                part, is_leap = 1.0, True
                trial = move(x, -1.0, dx)
        return NOT_CONVERGED, error / max(size, 1e-300), x, force

    return solve


def quintic_coefficients(
    dt: Vector | float, q0: Vector, v0: Vector, a0: Vector, q1: Vector, v1: Vector, a1: Vector
) -> tuple[Vector, Vector, Vector, Vector, Vector, Vector]:
    """Coefficients of the quintic through q, v and a at both ends of a step, over the part s of it."""
    p, v0, v1, a0, a1 = q1 - q0, dt * v0, dt * v1, dt * dt * a0, dt * dt * a1
    return (
        q0,
        v0,
        0.5 * a0,
        10.0 * p - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1,
        -15.0 * p + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1,
        6.0 * p - 3.0 * (v0 + v1) - 0.5 * (a0 - a1),
    )
