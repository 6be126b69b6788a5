"""Steps under given forces where friction falls: the solution that continues from small rigid slip.

A force belongs to two rigid slips, one on either side of the largest force. On the first, more slip brings
more force; Newton's method from no slip stays there, as the force grows ever more slowly with the slip.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from traction.contact.stick_slip.newton_iteration import Start, iterate_newton
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip
from traction.contact.stick_slip.stick_slip_solver import solve_stick_slip
from traction.contact.stick_slip.traction_rates import solve_traction_rates
from traction.errors import ConvergenceError, InputError

MOST_TURNS = 30
REACHED = 1e-5  #: error of the forces over the largest, near which both together converge


def solve_given_forces(equation: SlipEquation, *, tol: float, start: Start) -> StickSlip:
    """Solve a step, on the rising branch where its friction falls and its forces are given."""
    answer = solve_stick_slip(equation, tol=tol, start=start)
    if equation.rule is None or not equation.given.size:
        return answer
    if answer.converged and _is_stable(_differentiate_forces(equation, answer)):
        return answer
    products, most = answer.products, 0.0
    shifts, traction = np.zeros(len(equation.given)), start[0]
    for _ in range(MOST_TURNS):
        fixed = equation.with_shifts(shifts)
        answer = solve_stick_slip(fixed, tol=tol, start=(traction, np.zeros(0)))
        products += answer.products
        if not answer.converged:
            break
        traction, force = answer.traction, equation.sum_forces(answer.traction)
        slopes = _differentiate_forces(equation, replace(answer, shifts=shifts))
        most = max(most, float(np.linalg.norm(force)))
        if not _is_stable(slopes):
            raise _refuse(equation, most)
        if equation.force_error(traction) <= REACHED:
            answer = iterate_newton(equation, tol=tol, start=(traction, shifts))
            break
        shifts = shifts + np.linalg.solve(slopes, equation.given - force)
    else:
        answer = replace(answer, converged=False)
    rigid = answer.shifts if answer.shifts.size else shifts
    return replace(answer, products=products + answer.products, shifts=rigid)


def _differentiate_forces(equation: SlipEquation, answer: StickSlip) -> np.ndarray:
    """Derivatives of the forces by the rigid slips, (M, M); not a number where they are singular."""
    try:
        rates = solve_traction_rates(equation, answer, equation.rigid)
    except ConvergenceError:
        return np.full((len(equation.given),) * 2, np.nan)
    return np.array([equation.sum_forces(rate) for rate in rates]).T


def _is_stable(slopes: np.ndarray) -> bool:
    """Whether forces oppose rigid slips more as these grow."""
    return bool(np.isfinite(slopes).all() and np.linalg.eigvals(slopes).real.max() < 0.0)


def _refuse(equation: SlipEquation, most: float) -> InputError:
    parts = ", ".join(f"{part:.6g}" for part in equation.given)
    given = parts if len(equation.given) == 1 else f"({parts})"
    return InputError(
        f"force = {given} N is larger in size than what falling friction carries in this step, of which "
        f"{most:.5g} N were reached: give a smaller force, let it grow over more steps, or give the creepage."
    )
