"""Derivatives of a solution of stick and slip: how its tractions follow a slip."""

from __future__ import annotations

import numpy as np

from traction.contact.stick_slip.flexible_gmres import KrylovSpace, flexible_gmres
from traction.contact.stick_slip.linear_step import ElementStates, LinearStep
from traction.contact.stick_slip.newton_iteration import MAX_INNER
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip
from traction.errors import ConvergenceError

WORST_RATE = 1e-6  #: residual of derivatives that are still given out


def solve_traction_rates(
    equation: SlipEquation, solution: StickSlip, causes: np.ndarray, *, tol: float
) -> np.ndarray:
    """Change of the tractions with the slip along each of `causes`, (K, 2, ny, nx), at a solution.

    The states are held fixed: at the solution an element between stick and slip changes nothing. Shifts whose
    force is given stay free, so that these forces do not change.
    """
    states = ElementStates(equation.bound.shape)
    states.classify(equation, solution.traction, solution.slip)
    linear = LinearStep(equation, states)
    space, rates = KrylovSpace(linear.sizes, 2 * MAX_INNER), []
    for cause in causes:
        b = np.zeros(linear.sizes[0])
        b[: linear.sizes[1]] = -linear.project(cause).ravel()
        answer = flexible_gmres(linear, b, tol=tol, max_iterations=2 * MAX_INNER, space=space)
        if not answer.residual <= WORST_RATE:
            raise ConvergenceError(
                f"the linear solve for the tangent reached {answer.residual:.1e} only (asked {tol}); "
                "take differences of two solutions instead."
            )
        rates.append(answer.x[: linear.sizes[1]].reshape(linear.shape))
    return np.array(rates)
