"""`solve_stick_slip`: Newton's method, and fallbacks where it does not converge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from traction.contact.stick_slip.newton_iteration import Start, iterate_newton, make_states
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip

OTHER_RHO = (0.2, 0.04, 5.0, 0.008)  #: times that of the equation, where that one does not converge
PART_RHO = 0.04  #: likewise, along parts of the load
PARTS = (0.1, 0.3, 0.5, 0.7, 0.85, 0.95, 1.0)  #: of the load, where all rho fail
MAX_HALVINGS = 80  #: of the interval of a shift whose force is given
OTHER_PARTS = (0.4, 0.65, 0.3, 0.8)  #: of this interval, where its middle does not converge
COARSE_PART = 1e-2  #: tolerance of the parts on the way
MAX_LAGS = 30  #: turns in which bounds follow the slip
LEAST_PART, LEAST_BOUND = 0.05, 1e-6  #: of a change that is followed; of the largest bound that is left
FIRST_STEEP, LEAST_STEEP = 0.05, 2e-3  #: parts of a load at first, and the least
NEAR = 1e-4  #: change of the bounds, over the largest, from which Newton's method converges


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
    if not answer.converged and equation.rule is not None:
        products += answer.products
        answer = _solve_steep(equation, tol, start)
    if not answer.converged:
        products += answer.products
        by_parts = _solve_by_parts if equation.rule is None else _solve_by_steep_parts
        answer = by_parts(equation, tol)
    if not answer.converged and len(equation.given) == 1:
        products += answer.products
        answer = _solve_by_halving(equation, tol)
    return replace(answer, products=products + answer.products)


def _slide_freely(equation: SlipEquation) -> StickSlip:
    """The solution without friction: no tractions, and the rigid slip everywhere."""
    stick, shifts = np.zeros(equation.bound.shape, dtype=bool), np.zeros(len(equation.rigid))
    return StickSlip(np.zeros_like(equation.known), equation.known, shifts, stick, (0.0,), 0, converged=True)


def _solve_steep(equation: SlipEquation, tol: float, start: Start | None) -> StickSlip:
    """Bounds that fall steeply with the slip: by short steps of Newton's method, or by following them."""
    products = 0
    for factor in (1.0, *OTHER_RHO):
        other = replace(equation, rho=factor * equation.rho)
        answer = iterate_newton(other, tol=min(1.0, factor) * tol, start=start, damped=True)
        products += answer.products
        if answer.converged:
            return replace(answer, products=products)
    answer = follow_bounds(equation, tol, start)
    return replace(answer, products=products + answer.products)


def follow_bounds(equation: SlipEquation, tol: float, start: Start | None = None) -> StickSlip:
    """Bounds that depend on the slip by iteration: solved as they are, followed in part, and so on.

    Newton's method ends it. The part becomes smaller where bounds alternate.
    """
    fixed, products, states = replace(equation, rule=None), 0, make_states(equation)
    bound, part, last = equation.bound, 1.0, np.inf
    if start is not None:
        states.classify(equation, start[0], equation.compute_slip(*start))
        bound = np.where(bound > 0.0, np.maximum(states.bound, LEAST_BOUND * bound), 0.0)
    for turn in range(MAX_LAGS):
        loose = max(tol, min(COARSE_PART, 0.1 * last))
        answer = iterate_newton(replace(fixed, bound=bound), tol=loose, start=start)
        products += answer.products
        if not answer.converged:
            break
        start = answer.traction, answer.shifts
        states.classify(equation, answer.traction, answer.slip)
        change = np.where(bound > 0.0, states.bound - bound, 0.0)
        error = float(np.abs(change).max() / equation.bound.max())
        if error <= NEAR or turn == MAX_LAGS - 1:
            break
        part = max(LEAST_PART, 0.6 * part) if error > 0.8 * last else part
        last = error
        bound = np.where(bound > 0.0, np.maximum(bound + part * change, LEAST_BOUND * equation.bound), 0.0)
    answer = iterate_newton(equation, tol=tol, start=start)
    return replace(answer, products=products + answer.products)


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


def _solve_by_steep_parts(equation: SlipEquation, tol: float) -> StickSlip:
    """The same for bounds that depend on the slip: by damped steps, and shorter parts where these fail."""
    start, products, load, step = None, 0, 0.0, FIRST_STEEP
    while load < 1.0 and step >= LEAST_STEEP:
        goal = min(1.0, load + step)
        part = replace(equation, known=goal * equation.known, given=goal * equation.given)
        loose = tol if goal == 1.0 else NEAR
        answer = iterate_newton(part, tol=loose, start=start)
        products += answer.products
        if not answer.converged:
            answer = iterate_newton(part, tol=loose, start=start, damped=True)
            products += answer.products
        if answer.converged:
            start, load, step = (answer.traction, answer.shifts), goal, min(1.5 * step, 4.0 * FIRST_STEEP)
        else:
            step *= 0.5
    # a part is not the whole: its solution is only where the iteration came to
    return replace(answer, products=products, converged=answer.converged and load == 1.0)


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
    for factor in (1.0, *OTHER_RHO):
        other = replace(equation, rho=factor * equation.rho)
        answer = iterate_newton(other, tol=min(1.0, factor) * tol, start=start)
        last = replace(answer, products=last.products + answer.products)
        if last.converged:
            break
    return last
