"""A sphere on an endless plate (Zener, Physical Review 59, 1941): restitution by one parameter.

With the time D/v and the length D = (m v^2/k)^(2/5) the approach s obeys s'' + (1 + lambda d/dt) s^(3/2) = 0,
s(0) = 0, s'(0) = 1; the restitution is -s' when s returns to zero.
"""

from __future__ import annotations

import math

from traction import checks
from traction.errors import ConvergenceError

LONGEST = 1e6  #: dimensionless time; the contact lasts longer the larger lambda is


def zener_restitution(inelasticity: float) -> float:
    """Coefficient of restitution for Zener's inelasticity parameter lambda >= 0, to 1e-10."""
    from scipy.integrate import solve_ivp

    loss = checks.at_least("inelasticity", inelasticity, 0.0)

    def motion(_: float, y: list[float]) -> tuple[float, float]:
        root = math.sqrt(max(y[0], 0.0))
        return y[1], -(root**3) - 1.5 * loss * root * y[1]

    def released(_: float, y: list[float]) -> float:
        return y[0]

    released.terminal, released.direction = True, -1.0  # type: ignore[attr-defined]
    found = solve_ivp(
        motion, (0.0, LONGEST), (0.0, 1.0), method="DOP853", events=released, rtol=1e-12, atol=1e-15
    )
    if not len(found.y_events[0]):
        raise ConvergenceError(f"inelasticity = {loss} leaves no rebound that can be told from zero.")
    return -float(found.y_events[0][0][1])
