"""The equations of an implicit step: Newton's method with line search, or Picard's iteration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.integrators.core.matrices import Solve
from traction.integrators.core.motion import NotFiniteError, StepError

GOOD_ENOUGH = 1e-8  #: of the forces; where rounding lets nothing better be reached, this is accepted
SHORTEST = 2.0**-12  #: part of a Newton step that the line search still tries
LINEAR_GAIN = 1e-2  #: by which the constant matrices alone must lower the residual to be used
LEAPS = 8  #: whole Newton steps taken though the residual does not fall, as across the kink of a stiff force
GROWTHS = 4  #: times that Picard's residual may grow in a row


@dataclass(frozen=True)
class Solver:
    """How the equations of an implicit step are solved."""

    solver: str = "newton"  #: "newton" or "picard"
    tol: float = 1e-12  #: residual force, relative to the forces in the equation
    max_iterations: int = 50

    def __post_init__(self) -> None:
        checks.choice("solver", self.solver, ("newton", "picard"))
        tol = checks.finite("tol", self.tol)
        if not 1e-15 <= tol <= 1e-2:
            raise InputError(f"tol = {tol} must lie between 1e-15 (rounding) and 1e-2; 1e-12 is usual.")
        checks.count("max_iterations", self.max_iterations)


@dataclass(frozen=True)
class Equations:
    """R(x) = 0 for the unknown accelerations or displacements x of a step."""

    residual: Callable[[np.ndarray], tuple[np.ndarray, float]]  #: R and the size of the forces in it
    newton: Callable[[np.ndarray], Solve]  #: x -> (b -> J^-1 b)
    picard: Callable[[], Solve]  #: b -> M^-1 b, by the mass alone
    t: float  #: for messages
    scale: float = 0.0  #: of the forces so far
    linear: Callable[[], Solve] | None = None  #: b -> J^-1 b by the constant matrices alone, if worth a try


def solved(equations: Equations, guess: np.ndarray, solver: Solver, counts: dict[str, int]) -> np.ndarray:
    """The unknowns of the step, or a `StepError` that says how it went wrong."""
    equations = replace(equations, residual=_scaled(equations))
    march = _picard if solver.solver == "picard" else _newton
    return march(equations, guess, solver, counts)


def _scaled(equations: Equations) -> Callable[[np.ndarray], tuple[np.ndarray, float]]:
    """The residual with the size of the forces now or, if that was larger, before."""

    def residual(x: np.ndarray) -> tuple[np.ndarray, float]:
        r, size = equations.residual(x)
        return r, max(size, equations.scale)

    return residual


def _newton(equations: Equations, x: np.ndarray, solver: Solver, counts: dict[str, int]) -> np.ndarray:
    r, size = equations.residual(x)
    error = _norm(r)
    if equations.linear is not None and error > solver.tol * size:
        # a force that depends on time alone, or weakly on the state, needs no differences
        trial = x - equations.linear()(r)
        better = _improved(equations, trial, LINEAR_GAIN * error)
        if better is not None:
            x, (r, size, error) = trial, better
    last, leaps = np.inf, 0
    for _ in range(solver.max_iterations):
        # a residual that hardly falls any more is the rounding of the forces
        if error <= solver.tol * size or (error > 0.5 * last and error <= GOOD_ENOUGH * size):
            return x
        counts["iterations"] += 1
        dx = -equations.newton(x)(r)
        found = _line_search(equations, x, dx, error)
        if found is None or error > 0.5 * last:
            if error <= GOOD_ENOUGH * size or _negligible(dx, x, equations):
                return x
            if found is None and leaps < LEAPS:
                leaps += 1
                there = _improved(equations, x + dx, np.inf)
                found = None if there is None else (x + dx, *there)
            if found is None:
                break
        last = error
        x, r, size, error = found
    raise StepError(
        f"Newton's method did not converge at t = {equations.t:.9g}: residual "
        f"{error / max(size, 1e-300):.1e} of the forces, "
        f"asked {solver.tol:.0e}, after {solver.max_iterations} iterations at most; take a "
        "smaller dt, or check that the force is continuous"
    )


def _negligible(dx: np.ndarray, x: np.ndarray, equations: Equations) -> bool:
    """Whether a correction is small against the unknowns, now or as large as the forces once made them.

    Where stiff forces cancel, rounding leaves a residual that is large against what is left of them.
    """
    once = equations.picard()(np.full_like(x, equations.scale))
    return _norm(dx) <= GOOD_ENOUGH * max(_norm(x), _norm(once))


def _line_search(
    equations: Equations, x: np.ndarray, dx: np.ndarray, error: float
) -> tuple[np.ndarray, np.ndarray, float, float] | None:
    """The longest part of the step that lowers the residual, or None where none does."""
    part = 1.0
    while part >= SHORTEST:
        trial = x + part * dx
        if np.array_equal(trial, x):
            return None
        found = _improved(equations, trial, (1.0 - 1e-4 * part) * error)
        if found is not None:
            return trial, *found
        part *= 0.5
    return None


def _improved(equations: Equations, x: np.ndarray, limit: float) -> tuple[np.ndarray, float, float] | None:
    """Residual, size of the forces and error at x, if the error is at most `limit`."""
    try:
        r, size = equations.residual(x)
    except NotFiniteError:  # too far out; nearer to the last iterate it may be finite
        return None
    error = _norm(r)
    return (r, size, error) if error <= limit else None


def _picard(equations: Equations, x: np.ndarray, solver: Solver, counts: dict[str, int]) -> np.ndarray:
    """X <- x - M^-1 R(x): what the forces of the last iterate would accelerate."""
    divide = equations.picard()
    last, grown = np.inf, 0
    for iteration in range(10 * solver.max_iterations):
        r, size = equations.residual(x)
        error = _norm(r)
        if error <= solver.tol * size or (iteration > 2 and error <= GOOD_ENOUGH * size and error >= last):
            return x
        grown = grown + 1 if error > last else 0
        if grown >= GROWTHS:
            raise StepError(
                f"Picard's iteration diverges at t = {equations.t:.9g}: its residual grows by a factor of "
                f'{error / last:.2g} per iteration; take a smaller dt, or solver="newton"'
            )
        counts["iterations"] += 1
        x, last = x - divide(r), error
    raise StepError(
        f"Picard's iteration did not converge at t = {equations.t:.9g}: residual "
        f"{last / max(size, 1e-300):.1e} of the forces after {10 * solver.max_iterations} iterations; "
        'take a smaller dt, or solver="newton"'
    )


def _norm(r: np.ndarray) -> float:
    return float(np.abs(r).max())
