"""Derivatives of a solution of stick and slip: rates of its tractions for a given slip."""

from __future__ import annotations

import numpy as np

from traction.contact.stick_slip.flexible_gmres import KrylovSpace
from traction.contact.stick_slip.newton_iteration import MAX_INNER, make_states, make_step
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip
from traction.errors import ConvergenceError

RATE_TOLERANCE = 1e-9
WORST_RATE = 1e-6  #: residual of derivatives that are still given out


def solve_traction_rates(
    equation: SlipEquation, solution: StickSlip, causes: np.ndarray, *, tol: float = RATE_TOLERANCE
) -> np.ndarray:
    """Derivatives of the tractions by the slip along each of `causes`, (K, 2, ny, nx), at a solution.

    The states are held fixed: at the solution an element between stick and slip changes nothing. Rigid shifts
    are held too, and tangential forces free.
    """
    states = make_states(equation)
    states.classify(equation, solution.traction, solution.slip)
    linear = make_step(equation.without_forces(), states)
    space, rates = KrylovSpace(linear.sizes, 2 * MAX_INNER), []
    for cause in causes:
        b = -linear.project(cause).ravel()
        answer = linear.solve(b, tol=tol, most=2 * MAX_INNER, space=space)
        if not answer.residual <= WORST_RATE:
            raise ConvergenceError(
                f"the linear solve for the tangent reached {answer.residual:.1e} only (asked {tol}); "
                "use differences of two solutions instead."
            )
        rates.append(answer.x.reshape(linear.shape))
    return np.array(rates)
