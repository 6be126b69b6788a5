"""`solve_stick_slip`: Newton's method, and fallbacks where it does not converge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from traction.contact.stick_slip.newton_iteration import Start, iterate_newton
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip

OTHER_RHO = (0.2, 0.04, 5.0, 0.008)  #: times that of the equation, where that one does not converge
PART_RHO = 0.04  #: likewise, along parts of the load
PARTS = (0.1, 0.3, 0.5, 0.7, 0.85, 0.95, 1.0)  #: of the load, where all rho fail
MAX_HALVINGS = 80  #: of the interval of a shift whose force is given
COARSE_PART = 1e-2  #: tolerance of the parts on the way


def solve_stick_slip(
    equation: SlipEquation, *, tol: float, start: Start | None = None, slip: np.ndarray | None = None
) -> StickSlip:
    """Newton's method from tractions and shifts, or from zero; with other rho, then by parts, if necessary.

    `tol` bounds |p - P(p - rho s)| over the largest bound, for the rho of the equation. `slip` is that of the
    start, if known.
    """
    if not equation.bound.any():
        return _slide_freely(equation)
    answer, products = iterate_newton(equation, tol=tol, start=start, slip=slip), 0
    for factor in OTHER_RHO:
        if answer.converged:
            break
        # any rho has the same solution, but from afar each one takes other elements for sticking
        products += answer.products
        other = replace(equation, rho=factor * equation.rho)
        answer = iterate_newton(other, tol=min(1.0, factor) * tol, start=start)
    if not answer.converged:
        products += answer.products
        answer = _solve_by_parts(equation, tol)
    if not answer.converged and len(equation.given) == 1:
        products += answer.products
        answer = _solve_by_halving(equation, tol)
    return replace(answer, products=products + answer.products)


def _slide_freely(equation: SlipEquation) -> StickSlip:
    """The solution without friction: no tractions, and the rigid slip everywhere."""
    stick, shifts = np.zeros(equation.bound.shape, dtype=bool), np.zeros(len(equation.rigid))
    return StickSlip(np.zeros_like(equation.known), equation.known, shifts, stick, (0.0,), 0, converged=True)


def _solve_by_parts(equation: SlipEquation, tol: float) -> StickSlip:
    """Newton's method along increasing parts of the load, each started from the one before."""
    start, products = None, 0
    for part in PARTS:
        loaded = replace(
            equation, known=part * equation.known, given=part * equation.given, rho=PART_RHO * equation.rho
        )
        answer = iterate_newton(loaded, tol=PART_RHO * (tol if part == 1.0 else COARSE_PART), start=start)
        products += answer.products
        start = answer.traction, answer.shifts
    return replace(answer, products=products)


def _solve_by_halving(equation: SlipEquation, tol: float) -> StickSlip:
    """A given force by bisection of its shift: it decreases as the shift grows.

    Where nearly all slips and no traction can turn, the force hardly depends on the shift, and Newton's
    method diverges; in a line contact of unlike bodies it does so even at small forces.
    """
    reach = float(np.abs(equation.known).max() + equation.own.max() * equation.bound.max())
    reach /= float(np.abs(equation.rigid).max())
    low, high, shift = -np.inf, np.inf, 0.0
    traction, products = np.zeros_like(equation.known), 0
    for step in range(MAX_HALVINGS):
        fixed = equation.with_shifts(np.array([shift]))
        answer = solve_stick_slip(fixed, tol=tol, start=(traction, np.zeros(0)))
        traction, products = answer.traction, products + answer.products
        right = answer.converged and equation.force_error(traction) <= tol
        if right or not answer.converged:
            break
        if equation.sum_forces(traction)[0] > equation.given[0]:
            low, shift = shift, 0.5 * (shift + high) if high < np.inf else shift + 2.0**step * reach
        else:
            high, shift = shift, 0.5 * (low + shift) if low > -np.inf else shift - 2.0**step * reach
    return replace(answer, products=products, converged=right, shifts=np.array([shift]))
