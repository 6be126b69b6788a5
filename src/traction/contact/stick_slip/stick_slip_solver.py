"""`solve_stick_slip`: Newton's method, and fallbacks where it does not converge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from traction.contact.stick_slip.newton_iteration import Start, iterate_any_rho, iterate_newton
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip
from traction.contact.stick_slip.steep_bounds import solve_steep

PART_RHO = 0.04  #: times that of the equation, along parts of the load
PARTS = (0.1, 0.3, 0.5, 0.7, 0.85, 0.95, 1.0)  #: of the load, where all rho fail
MAX_HALVINGS = 80  #: of the interval of a shift whose force is given
OTHER_PARTS = (0.4, 0.65, 0.3, 0.8)  #: of this interval, where its middle does not converge
COARSE_PART = 1e-2  #: tolerance of the parts on the way


def solve_stick_slip(
    equation: SlipEquation,
    *,
    tol: float,
    start: Start | None = None,
    slip: np.ndarray | None = None,
    brief: bool = False,
) -> StickSlip:
    """Newton's method from tractions and shifts, or from zero; with other rho, then by parts, if necessary.

    Where bounds fall steeply with the slip, the way is that of `steep_bounds`.

    `tol` bounds |p - P(p - rho s)| over the largest bound, for the rho of the equation. `slip` is that of the
    start, if known. A `brief` attempt is Newton's method alone, by whole steps or by damped ones.
    """
    if not equation.bound.any():
        return _slide_freely(equation)
    if brief:
        answer = iterate_newton(equation, tol=tol, start=start, slip=slip)
        return answer if answer.converged else iterate_newton(equation, tol=tol, start=start, damped=True)
    answer = iterate_any_rho(equation, tol=tol, start=start, slip=slip)
    products = answer.products
    if not answer.converged:
        follow = _solve_by_parts if equation.rule is None else solve_steep
        answer = follow(equation, tol, start)
        products += answer.products
    # where friction falls, a force is followed from zero by who gave it; that of a line may change by steps
    by_steps = equation.rule is None or len(equation.bound) == 1
    if not answer.converged and len(equation.given) == 1 and by_steps:
        answer = _solve_by_halving(equation, tol)
        products += answer.products
    return replace(answer, products=products)


def _slide_freely(equation: SlipEquation) -> StickSlip:
    """The solution without friction: no tractions, and the rigid slip everywhere."""
    stick, shifts = np.zeros(equation.bound.shape, dtype=bool), np.zeros(len(equation.rigid))
    return StickSlip(np.zeros_like(equation.known), equation.known, shifts, stick, (0.0,), 0, converged=True)


def _solve_by_parts(equation: SlipEquation, tol: float, start: Start | None) -> StickSlip:
    """Newton's method along increasing parts of the load, each started from the one before."""
    start, products = None, 0  # from none, since the way from `start` failed
    for part in PARTS:
        loaded = replace(
            equation, known=part * equation.known, given=part * equation.given, rho=PART_RHO * equation.rho
        )
        answer = iterate_newton(loaded, tol=PART_RHO * (tol if part == 1.0 else COARSE_PART), start=start)
        products += answer.products
        start = answer.traction, answer.shifts
    return replace(answer, products=products)


def _solve_by_halving(equation: SlipEquation, tol: float) -> StickSlip:
    """A given force by bisection of its shift, which it decreases with, and Newton's method at the end.

    Where nearly all slips and no traction can turn, as in a line contact of unlike bodies, the force depends
    on the shift by steps, one for each element that reverses: between the last two shifts these elements
    stick, and the force decides on their tractions.
    """
    reach = float(np.abs(equation.known).max() + equation.own.max() * equation.bound.max())
    reach /= float(np.abs(equation.rigid).max())
    shift, products, ends, failures = 0.0, 0, dict[bool, tuple[float, np.ndarray]](), 0
    traction = np.zeros_like(equation.known)
    for step in range(MAX_HALVINGS):
        fixed = equation.with_shifts(np.array([shift]))
        answer = solve_stick_slip(fixed, tol=tol, start=(traction, np.zeros(0)))
        products += answer.products
        if answer.converged:
            traction, failures = answer.traction, 0
            above = bool(equation.sum_forces(traction)[0] > equation.given[0])
            ends[above] = shift, traction
            if equation.force_error(traction) <= tol:
                break
        elif len(ends) < 2 or failures == len(OTHER_PARTS):
            break
        if len(ends) < 2:
            shift += (1.0 if above else -1.0) * 2.0**step * reach
            continue
        failures += not answer.converged
        part = OTHER_PARTS[failures - 1] if failures else 0.5
        shift = (1.0 - part) * ends[False][0] + part * ends[True][0]
        if shift in (ends[False][0], ends[True][0]):
            break
    right = answer.converged and equation.force_error(answer.traction) <= tol
    answer = replace(answer, products=products, converged=right, shifts=np.array([shift]))
    return answer if right or len(ends) < 2 else _stick_between(equation, ends, answer, tol)


def _stick_between(
    equation: SlipEquation, ends: dict[bool, tuple[float, np.ndarray]], last: StickSlip, tol: float
) -> StickSlip:
    """Newton's method from the tractions and the shift between two that enclose the given force."""
    (upper, above), (lower, below) = ends[True], ends[False]
    start = 0.5 * (above + below), np.array([0.5 * (upper + lower)])
    answer = iterate_any_rho(equation, tol=tol, start=start)
    return replace(answer, products=last.products + answer.products)
