"""Stick and slip by a semismooth Newton method with a preconditioned Krylov solver inside.

Find tractions |p| <= g and rigid shifts c with s = B p + k + sum c_m R_m, s = 0 where |p| < g, and
p = -g s/|s| where the elements slip. That is p = P(p - rho s) with the projection P on the disc of radius g
(any rho > 0), whose derivative is known where P is smooth: sticking elements get s = 0, slipping ones stay
on their bound and turn. Each step solves that linear problem (Alart, Curnier 1991; Hintermueller, Ito,
Kunisch 2003); B, which couples all elements, is only ever multiplied with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from traction.contact import stick_slip_kernels as kernels
from traction.contact.krylov import flexible_gmres

LOOSEST, TIGHTEST = 0.1, 1e-9  #: relative residuals that the linear solver is asked for
MAX_STEPS = 60
MAX_INNER = 120
NONE = np.zeros((0, 2, 1, 1))


@dataclass(frozen=True, eq=False)
class SlipEquation:
    """What determines tractions and slips on the elements of a window; fields are (2, ny, nx)."""

    bound: np.ndarray  #: g, Pa, (ny, nx); zero outside the contact
    known: np.ndarray  #: k, m: slip that does not depend on the unknown tractions
    product: Callable[[np.ndarray], np.ndarray]  #: B
    inverse: Callable[[np.ndarray], np.ndarray]  #: about the inverse of the half space, for preconditioning
    own: np.ndarray  #: B of each element on itself, m/Pa, (2, ny, nx)
    rho: (
        np.ndarray
    )  #: Pa/m, (ny, nx), any; the method finds its way best by about the inverse of the largest B
    upstream: int = 0  #: where the neighbour upstream lies, +1 or -1; 0 where B is the half space itself
    rigid: np.ndarray = field(default_factory=lambda: NONE)  #: R_m, unknown rigid slips, (M, 2, ny, nx)
    resultants: np.ndarray = field(default_factory=lambda: NONE)  #: tractions to given forces, (M, 2, ny, nx)
    given: np.ndarray = field(default_factory=lambda: np.zeros(0))  #: these forces, (M,)


@dataclass(frozen=True, eq=False)
class StickSlip:
    """A solution, or how far it got."""

    traction: np.ndarray  #: Pa
    slip: np.ndarray  #: m
    shifts: np.ndarray  #: c, of the rigid shifts that were not given
    stick: np.ndarray  #: (ny, nx)
    residuals: tuple[float, ...]  #: violation over the largest bound, per Newton step
    products: int
    converged: bool


@dataclass
class _Iterate:
    """Where Newton's method stands."""

    traction: np.ndarray
    slip: np.ndarray
    shifts: np.ndarray
    state: np.ndarray
    normal: np.ndarray
    weight: np.ndarray
    products: int = 0
    residuals: list[float] = field(default_factory=list)


def solve_stick_slip(
    equation: SlipEquation,
    *,
    tol: float,
    start: tuple[np.ndarray, np.ndarray] | None = None,
) -> StickSlip:
    """Newton's method from tractions and shifts, or from nothing."""
    bound = equation.bound
    largest = float(bound.max())
    shape = bound.shape
    traction = np.zeros((2, *shape)) if start is None else np.where(bound > 0.0, start[0], 0.0)
    shifts = np.zeros(len(equation.rigid)) if start is None else start[1].copy()
    vector, number = np.zeros((2, *shape)), np.zeros(shape)
    it = _Iterate(traction, vector, shifts, np.zeros(shape, np.int8), vector.copy(), number)
    it.slip = _slip(equation, it)
    converged, fresh = False, True
    for _ in range(MAX_STEPS):
        worst, _ = kernels.classify(it.traction, it.slip, bound, equation.rho, it.state, it.normal, it.weight)
        error = worst / largest
        if equation.given.size:
            error = max(error, _force_error(equation, it.traction))
        it.residuals.append(error)
        if not np.isfinite(error) or (fresh and error <= tol):
            converged = error <= tol
            break
        if error <= tol:  # the slip was added up from steps; what counts is that of the tractions
            it.slip, fresh = _slip(equation, it), True
            it.residuals.pop()
            continue
        _newton_step(equation, it, error, tol)
        fresh = False
    return StickSlip(
        it.traction,
        it.slip,
        it.shifts,
        it.state == kernels.STICK,
        tuple(it.residuals),
        it.products,
        converged,
    )


def _slip(equation: SlipEquation, it: _Iterate) -> np.ndarray:
    """S = B p + k + sum c R."""
    total = equation.known + np.tensordot(it.shifts, equation.rigid, axes=1)
    if it.traction.any():
        it.products += 1
        total = total + equation.product(it.traction)
    return total


def _force_error(equation: SlipEquation, traction: np.ndarray) -> float:
    """Largest error of a given force, relative to the largest possible one."""
    found = np.tensordot(equation.resultants, traction, axes=3)
    most = np.tensordot(np.abs(equation.resultants).sum(axis=1), equation.bound, axes=2)
    return float(np.max(np.abs(found - equation.given) / most))


def _newton_step(equation: SlipEquation, it: _Iterate, error: float, goal: float) -> None:
    """Bring slipping elements to their bound, and solve for all free components and shifts."""
    step, b = np.empty_like(it.traction), np.empty_like(it.traction)
    change = np.zeros_like(step)
    if kernels.to_bound(it.traction, equation.bound, it.state, it.normal, step) > 0.0:
        it.products += 1
        change = equation.product(step)
    kernels.right_side(it.traction, it.slip, change, equation.rho, it.state, it.normal, it.weight, b)
    brought = it.traction + step
    linear = _Linear(equation, it.state, it.normal, it.weight)
    missing = equation.given - np.tensordot(equation.resultants, brought, axes=3)
    answer = flexible_gmres(
        linear.apply,
        linear.precondition,
        np.concatenate((b.ravel(), linear.scale * missing)),
        tol=min(LOOSEST, max(TIGHTEST, 0.3 * error, 0.1 * goal / error)),
        max_iterations=MAX_INNER,
    )
    it.products += answer.iterations
    it.traction = brought + answer.x[: b.size].reshape(b.shape)
    it.shifts = it.shifts + answer.x[b.size :]
    it.slip = it.slip + change + answer.extra


class _Linear:
    """The linear problem of one Newton step, for the free components and the rigid shifts."""

    def __init__(
        self, equation: SlipEquation, state: np.ndarray, normal: np.ndarray, weight: np.ndarray
    ) -> None:
        self.equation, self.state, self.normal, self.weight = equation, state, normal, weight
        self.shape = (2, *state.shape)
        self.size = 2 * state.size
        # forces as slips: those of an element under the mean traction
        total = np.abs(equation.resultants).sum(axis=(1, 2, 3))
        self.scale = float(equation.own.max()) / np.where(total > 0.0, total, 1.0)
        self._resultants = self.scale[:, None, None, None] * equation.resultants
        # tractions that a unit of each rigid shift would ask for, and the forces they bring
        self._pushes = [self._tractions(self.free(rigid)) for rigid in equation.rigid]
        pushes = np.array([np.tensordot(self._resultants, push, axes=3) for push in self._pushes])
        self._forces = pushes.T if len(pushes) else np.zeros((0, 0))

    def apply(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residual of the step for free tractions and shifts x, and the slip they make."""
        traction, shifts = x[: self.size].reshape(self.shape), x[self.size :]
        slip = self.equation.product(traction)
        if shifts.size:
            slip = slip + np.tensordot(shifts, self.equation.rigid, axes=1)
        result = self.free(slip)
        result += self.weight * traction
        forces = np.tensordot(self._resultants, traction, axes=3)
        return np.concatenate((result.ravel(), forces)), slip

    def precondition(self, r: np.ndarray) -> np.ndarray:
        """Tractions, then shifts that make up the forces, by the approximate inverse."""
        traction = self._tractions(r[: self.size].reshape(self.shape))
        missing = np.tensordot(self._resultants, traction, axes=3) - r[self.size :]
        if not missing.size:
            return traction.ravel()
        shifts = np.linalg.lstsq(self._forces, missing, rcond=1e-12)[0]
        for shift, push in zip(shifts, self._pushes, strict=True):
            traction -= shift * push
        return np.concatenate((traction.ravel(), shifts))

    def _tractions(self, slip: np.ndarray) -> np.ndarray:
        """About the free tractions that bring about a slip.

        In rolling, B is the half space differentiated along x: slips are summed up from the leading edge on,
        then the half space is inverted on the sticking elements; slipping ones follow their neighbours.
        """
        equation, summed = self.equation, np.empty(self.shape)
        if equation.upstream:
            kernels.sum_downstream(slip, self.state, equation.upstream, summed)
        else:
            kernels.mask_stick(slip, self.state, summed)
        traction = np.ascontiguousarray(equation.inverse(summed))
        kernels.sweep_slip(
            slip, self.state, self.normal, self.weight, equation.own, equation.upstream, traction
        )
        return traction

    def free(self, field_: np.ndarray) -> np.ndarray:
        """What of a field belongs to free components."""
        result = np.empty(self.shape)
        kernels.project(np.ascontiguousarray(field_), self.state, self.normal, result)
        return result


def rates(equation: SlipEquation, solution: StickSlip, causes: np.ndarray, *, tol: float) -> np.ndarray:
    """Change of the tractions with the slip along each of `causes`, (K, 2, ny, nx), at a solution.

    The states are held fixed: at the solution an element between stick and slip changes nothing. Shifts whose
    force is given stay free, so that these forces do not change.
    """
    shape = equation.bound.shape
    state, normal, weight = np.zeros(shape, np.int8), np.zeros((2, *shape)), np.zeros(shape)
    kernels.classify(solution.traction, solution.slip, equation.bound, equation.rho, state, normal, weight)
    linear = _Linear(equation, state, normal, weight)
    answers = []
    for cause in causes:
        b = np.concatenate((-linear.free(cause).ravel(), np.zeros(len(equation.given))))
        answer = flexible_gmres(linear.apply, linear.precondition, b, tol=tol, max_iterations=2 * MAX_INNER)
        answers.append(answer.x[: linear.size].reshape(linear.shape))
    return np.array(answers)
