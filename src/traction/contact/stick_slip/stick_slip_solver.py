"""Stick and slip by a semismooth Newton method with a preconditioned Krylov solver inside.

Find tractions |p| <= g and rigid shifts c with s = B p + k + sum c_m R_m, s = 0 where |p| < g, and
p = -g s/|s| where the elements slip. That is p = P(p - rho s) with the projection P on the disc of radius g
(any rho > 0), whose derivative is known where P is smooth: sticking elements get s = 0, slipping ones stay
on their bound and turn. Each step solves that linear problem (Alart, Curnier 1991; Hintermueller, Ito,
Kunisch 2003); B, which couples all elements, is only ever multiplied with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from traction.contact.stick_slip.flexible_gmres import flexible_gmres
from traction.contact.stick_slip.kernels import stick_slip_states as kernels
from traction.contact.stick_slip.kernels.newton_steps import newton_step
from traction.contact.stick_slip.linear_step import LinearStep
from traction.errors import ConvergenceError

LOOSEST, TIGHTEST = 0.1, 1e-9  #: relative residuals that the linear solver is asked for
ROUNDING = 1e-9  #: tolerance below which it may matter that slips are added up from step to step
MAX_STEPS = 60
MAX_INNER = 120
PATIENCE = 8  #: steps without gain after which another way is tried
LOST = 1e6  #: violation from which nothing comes back
OTHER_RHO = (0.2, 0.04, 5.0, 0.008)  #: times that of the equation, where that one leads nowhere
PART_RHO = 0.04  #: likewise, along parts of the load
PARTS = (0.1, 0.3, 0.5, 0.7, 0.85, 0.95, 1.0)  #: of the load, where all rho fail
MAX_HALVINGS = 80  #: of the interval of a shift whose force is given
COARSE_PART = 1e-2  #: tolerance of the parts on the way
WORST_RATE = 1e-6  #: residual of derivatives that are still given out
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

    #: product and inverse for `newton_steps.newton_step`, on a small window
    operators: tuple[Any, Any] | None = None

    @cached_property
    def areas(self) -> np.ndarray:
        """Forces of unit tractions, (M,)."""
        total = np.abs(self.resultants).sum(axis=(1, 2, 3))
        return np.where(total > 0.0, total, 1.0)

    @cached_property
    def scale(self) -> np.ndarray:
        """Slip that a unit of each force counts as: that of an element under the mean traction, (M,)."""
        scale: np.ndarray = float(self.own.max()) / self.areas
        return scale

    @cached_property
    def fields(self) -> tuple[np.ndarray, ...]:
        """For `newton_steps.newton_step`."""
        return self.bound, self.own, self.rho, self.rigid, self.resultants, self.given, self.scale

    @cached_property
    def most(self) -> np.ndarray:
        """Largest forces that the bounds allow, (M,)."""
        most: np.ndarray = np.tensordot(np.abs(self.resultants).sum(axis=1), self.bound, axes=2)
        return most


def both(product: Any, inverse: Any) -> tuple[Any, Any] | None:
    """`SlipEquation.operators` of a product and an inverse, either of which may have no compiled form."""
    return None if product is None or inverse is None else (product, inverse)


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
    """Newton's method from tractions and shifts, or from nothing; with other rho, then by parts, if need be.

    `tol` bounds |p - P(p - rho s)| over the largest bound, for the rho of the equation.
    """
    answer, products = _newton(equation, tol=tol, start=start), 0
    for factor in OTHER_RHO:
        if answer.converged:
            break
        # any rho has the same solution, but from afar each one takes other elements for sticking
        products += answer.products
        other = replace(equation, rho=factor * equation.rho)
        answer = _newton(other, tol=min(1.0, factor) * tol, start=start)
    if not answer.converged:
        products += answer.products
        answer = _by_parts(equation, tol)
    if not answer.converged and len(equation.given) == 1:
        products += answer.products
        answer = _by_halving(equation, tol)
    return replace(answer, products=products + answer.products)


def _by_parts(equation: SlipEquation, tol: float) -> StickSlip:
    """Newton's method along growing parts of the load, each started from the one before."""
    start, products = None, 0
    for part in PARTS:
        loaded = replace(
            equation, known=part * equation.known, given=part * equation.given, rho=PART_RHO * equation.rho
        )
        answer = _newton(loaded, tol=PART_RHO * (tol if part == 1.0 else COARSE_PART), start=start)
        products += answer.products
        start = answer.traction, answer.shifts
    return replace(answer, products=products)


def _by_halving(equation: SlipEquation, tol: float) -> StickSlip:
    """A given force by halving the interval of its shift: it falls as the shift grows.

    Where nearly all slips and none can turn, the force hardly depends on the shift, and Newton's method flies
    off; in a line contact of unlike bodies it does so even at small forces.
    """
    reach = float(np.abs(equation.known).max() + equation.own.max() * equation.bound.max())
    reach /= float(np.abs(equation.rigid).max())
    low, high, shift = -np.inf, np.inf, 0.0
    traction, products = np.zeros_like(equation.known), 0
    for step in range(MAX_HALVINGS):
        answer = _shifted(equation, shift, tol, traction)
        traction, products = answer.traction, products + answer.products
        right = answer.converged and _force_error(equation, traction) <= tol
        if right or not answer.converged:
            break
        if _totals(equation.resultants, traction)[0] > equation.given[0]:
            low, shift = shift, 0.5 * (shift + high) if high < np.inf else shift + 2.0**step * reach
        else:
            high, shift = shift, 0.5 * (low + shift) if low > -np.inf else shift - 2.0**step * reach
    return replace(answer, products=products, converged=right)


def _shifted(equation: SlipEquation, shift: float, tol: float, start: np.ndarray) -> StickSlip:
    """The solution at a given shift instead of a given force."""
    nothing = equation.rigid[:0]
    known = equation.known + shift * equation.rigid[0]
    fixed = replace(equation, known=known, rigid=nothing, resultants=nothing, given=np.zeros(0))
    answer = solve_stick_slip(fixed, tol=tol, start=(start, np.zeros(0)))
    return replace(answer, shifts=np.array([shift]))


def _newton(equation: SlipEquation, *, tol: float, start: tuple[np.ndarray, np.ndarray] | None) -> StickSlip:
    """Newton's method, until the tolerance is met or nothing is gained any more."""
    it = _started(equation, start)
    largest = float(equation.bound.max())
    converged, fresh = False, True
    while len(it.residuals) < MAX_STEPS:
        worst, _ = kernels.classify(
            it.traction, it.slip, equation.bound, equation.rho, it.state, it.normal, it.weight
        )
        error = worst / largest
        if equation.given.size:
            error = max(error, _force_error(equation, it.traction))
        if error <= tol and tol < ROUNDING and not fresh:  # the slip was added up from steps
            it.slip, fresh = _slip(equation, it), True
            continue
        it.residuals.append(error)
        converged = error <= tol
        if converged or not error < LOST or _stalled(it.residuals):
            break
        _newton_step(equation, it, error, tol)
        fresh = False
    stick = it.state == kernels.STICK
    return StickSlip(it.traction, it.slip, it.shifts, stick, tuple(it.residuals), it.products, converged)


def _started(equation: SlipEquation, start: tuple[np.ndarray, np.ndarray] | None) -> _Iterate:
    """Tractions and shifts to start from, with their slip."""
    shape = equation.bound.shape
    traction, shifts = np.zeros((2, *shape)), np.zeros(len(equation.rigid))
    if start is not None:
        traction, shifts = np.where(equation.bound > 0.0, start[0], 0.0), start[1].copy()
    vector, number = np.zeros((2, *shape)), np.zeros(shape)
    it = _Iterate(traction, vector, shifts, np.zeros(shape, np.int8), vector.copy(), number)
    it.slip = _slip(equation, it)
    return it


def _stalled(residuals: list[float]) -> bool:
    """Whether the last steps brought nothing."""
    return len(residuals) > PATIENCE and min(residuals[-PATIENCE:]) > 0.7 * min(residuals[:-PATIENCE])


def _slip(equation: SlipEquation, it: _Iterate) -> np.ndarray:
    """s = B p + k + sum c R."""
    total = equation.known + np.tensordot(it.shifts, equation.rigid, axes=1)
    if it.traction.any():
        it.products += 1
        total = total + equation.product(it.traction)
    return total


def _totals(resultants: np.ndarray, traction: np.ndarray) -> np.ndarray:
    """Forces of the tractions, (M,)."""
    return resultants.reshape(len(resultants), traction.size) @ traction.ravel()


def _force_error(equation: SlipEquation, traction: np.ndarray) -> float:
    """Largest error of a given force, relative to the largest possible one."""
    errors = np.abs(_totals(equation.resultants, traction) - equation.given) / equation.most
    return float(errors.max())


def _newton_step(equation: SlipEquation, it: _Iterate, error: float, goal: float) -> None:
    """Bring slipping elements to their bound, and solve for all free components and shifts."""
    tol = min(LOOSEST, max(TIGHTEST, 0.3 * error, 0.6 * goal / error))
    if equation.operators is not None:
        states, iterate = (it.state, it.normal, it.weight), (it.traction, it.slip, it.shifts)
        operators = *equation.operators, equation.upstream
        it.products += newton_step(operators, equation.fields, states, iterate, (tol, MAX_INNER))
        return
    step, b = np.empty_like(it.traction), np.empty_like(it.traction)
    change = np.zeros_like(step)
    if kernels.to_bound(it.traction, equation.bound, it.state, it.normal, step) > 0.0:
        it.products += 1
        change = equation.product(step)
    kernels.right_side(it.traction, it.slip, change, equation.rho, it.state, it.normal, it.weight, b)
    brought = it.traction + step
    linear = LinearStep(equation, it.state, it.normal, it.weight)
    missing = equation.given - _totals(equation.resultants, brought)
    answer = flexible_gmres(
        linear.apply,
        linear.precondition,
        np.concatenate((b.ravel(), linear.scale * missing)),
        tol=tol,
        max_iterations=MAX_INNER,
    )
    it.products += answer.iterations
    it.traction = brought + answer.x[: b.size].reshape(b.shape)
    it.shifts = it.shifts + answer.x[b.size :]
    it.slip = it.slip + change + answer.extra


def rates(equation: SlipEquation, solution: StickSlip, causes: np.ndarray, *, tol: float) -> np.ndarray:
    """Change of the tractions with the slip along each of `causes`, (K, 2, ny, nx), at a solution.

    The states are held fixed: at the solution an element between stick and slip changes nothing. Shifts whose
    force is given stay free, so that these forces do not change.
    """
    shape = equation.bound.shape
    state, normal, weight = np.zeros(shape, np.int8), np.zeros((2, *shape)), np.zeros(shape)
    kernels.classify(solution.traction, solution.slip, equation.bound, equation.rho, state, normal, weight)
    linear = LinearStep(equation, state, normal, weight)
    answers = []
    for cause in causes:
        b = np.concatenate((-linear.free(cause).ravel(), np.zeros(len(equation.given))))
        answer = flexible_gmres(linear.apply, linear.precondition, b, tol=tol, max_iterations=2 * MAX_INNER)
        if not answer.residual <= WORST_RATE:
            raise ConvergenceError(
                f"the linear solve for the tangent reached {answer.residual:.1e} only (asked {tol}); "
                "take differences of two solutions instead."
            )
        answers.append(answer.x[: linear.size].reshape(linear.shape))
    return np.array(answers)
