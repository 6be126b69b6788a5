"""Steps of rolling with friction that falls with the slip speed and has no memory.

Where friction falls with the slip of a step by a part r of what the contact resists, such steps multiply
errors by -r/(1 - r): from r = 1/2 they alternate about steady rolling, and from 1 a step has several
solutions. The coefficient then follows its law with a lag, at each place of the contact,

    mu = (1 - theta) mu_before + theta mu_s(s),    theta = 2/(1 + 3 r).

Steady rolling satisfies it for every theta, as mu_before is the coefficient at the same place of the contact,
not of the same particle. Errors are multiplied by (1 - theta - theta r)/(1 - theta r) = (r - 1)/(r + 1), and
theta r < 1, so that each step has one solution. Up to r = 1/3, where theta is 1, friction is the law itself.

The slip speed of a step belongs to a place half of it ahead of its traction. By covered elements mu_s is
taken at the speed at the end of the step: what it gains up to there is seen in the step before, and changes
no slope.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from traction.contact.stick_slip.interface import Interface
from traction.contact.stick_slip.slip_equation import SlipEquation

SPEEDS = np.concatenate(([0.0], np.geomspace(1e-3, 30.0, 100)))  #: at which slopes of laws are seen, m/s
#: theta = 1/(OWN + MARGIN r): steps are stable while r is less than MARGIN times its estimate
OWN, MARGIN = 0.5, 1.5
LAGGED = (
    "friction without memory falls with the slip more steeply than steps can follow, and its coefficient "
    "lags behind the law by {:.2g} mm of rolling: steady states are those of the law, and only a memory "
    "decides how they are approached"
)


def find_fall(equation: SlipEquation, interface: Interface | None) -> float:
    """Largest fall of friction with the slip of a step, over what the whole patch resists by.

    All elements together resist less than each of them alone, whose steepness may still be small; what falls
    is the friction of all, from rest, where it falls most steeply. In short steps little slip is fast, and a
    memory is lost over its distance. The patch resists by its compliance to tractions in proportion to the
    pressure, along x or y: for the largest eigenvalue of fall times compliance a Rayleigh quotient, from
    below. Both come from one product, as tractions along x displace along y oppositely in front and behind.
    """
    rule = equation.rule
    if rule is None or rule.upstream != 0 or interface is None or interface.law.is_constant:
        return 0.0
    way, law, pressure = SPEEDS * rule.time, interface.law, rule.pressure
    kept = np.zeros_like(way)
    if rule.distance > 0.0:
        forgotten = np.maximum(way, rule.background * rule.time) / rule.distance
        kept = np.exp(-forgotten) if rule.exact else 1.0 / (1.0 + forgotten)
    mu = kept * law.static + (1.0 - kept) * law.evaluate(SPEEDS)[0]
    fall = max(0.0, -float((np.diff(mu) / np.diff(way)).min()))
    if not fall or not pressure.any():
        return 0.0
    sheared = (pressure * equation.product(np.array([pressure, pressure]))).sum(axis=(1, 2))
    return fall * float(sheared.max() / pressure.sum())


def lag_friction(
    equation: SlipEquation, interface: Interface | None, see_friction: Callable[[], np.ndarray]
) -> SlipEquation:
    """The equation of a step of rolling with the lag that it needs; the same one where it needs none.

    `see_friction` returns the coefficients before the step at the same places of the contact, on the window.
    """
    rule = equation.rule
    if rule is None or rule.distance > 0.0:
        return equation
    followed = 1.0 / max(1.0, OWN + MARGIN * find_fall(equation, interface))
    if followed == 1.0:
        return equation
    known = np.ascontiguousarray(see_friction())
    return replace(equation, rule=rule._replace(mu_before=known, lag=1.0 - followed))


def describe_lag(distance: float) -> str:
    """What to say where friction lags behind its law by a distance rolled (m)."""
    return LAGGED.format(1e3 * distance)
