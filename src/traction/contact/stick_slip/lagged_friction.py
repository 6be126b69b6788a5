"""Steps of rolling with friction that falls with the slip speed and has no memory, or too short a one.

Where friction falls with the slip of a step by a part r of what the contact resists, such steps multiply
errors by -r/(1 - r): from r = 1/2 they alternate about steady rolling, and from 1 a step has several
solutions. The coefficient then follows its law with a lag, at each place of the contact,

    mu = (1 - theta) mu_before + theta mu_s(s),    theta = 2/(1 + 3 r).

Steady rolling satisfies it for every theta, as mu_before is the coefficient at the same place of the
contact, not of the same particle. Errors are multiplied by (1 - theta - theta r)/(1 - theta r)
= (r - 1)/(r + 1), and theta r < 1, so that each step has one solution. Up to r = 1/3, where theta is 1,
friction is the law itself.

With a memory, mu_s is what the particle remembers, and r that of the law alone. A memory of the distance dc
is long enough where friction that falls by all it may, over dc, falls less steeply than the contact resists,
pA (mu_s(0) - mu_s(v)) < dc, and so does that of small changes of a speed v, pA |mu'| v < dc, with the
displacement pA by tractions as large as the pressure. Steps of whole cells lag only where nearly all slides
and they would leave steady rolling, as those of CONTACT would.

The slip speed of a step belongs to a place half of it ahead of its traction. By covered elements mu_s is
taken at the speed at the end of the step: what it gains up to there is seen in the step before, and changes
no slope.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from traction.contact.stick_slip.interface import Interface
from traction.contact.stick_slip.kernels.sliding_states import SlidingRule
from traction.contact.stick_slip.slip_equation import SlipEquation

SPEEDS = np.concatenate(([0.0], np.geomspace(1e-3, 30.0, 100)))  #: at which slopes of laws are seen, m/s
#: theta = 1/(OWN + MARGIN r): steps are stable while r is less than MARGIN times its estimate
OWN, MARGIN = 0.5, 1.5
FASTER = 2.0  #: slip speed that elasticity may bring about, over the rigid one
STEADY = 0.95  #: fall at which steps of whole cells with a memory do not lag yet, over that of lasting errors
LAGGED = (
    "friction falls with the slip more steeply than steps can follow, and its coefficient lags behind the "
    "law by {:.2g} mm of rolling: steady states are those of the law, and only a longer memory decides how "
    "they are approached"
)


class Speeds(NamedTuple):
    """A range of slip speeds, m/s."""

    least: float
    most: float


NO_SPEEDS = Speeds(0.0, 0.0)


def find_fall(equation: SlipEquation, interface: Interface | None) -> float:
    """Largest fall of friction with the slip of a step, over what the whole patch resists by.

    All elements together resist less than each of them alone, whose steepness may still be small; what falls
    is the friction of all, from rest, where it falls most steeply. In short steps little slip is fast, and a
    memory is lost over its distance.
    """
    rule = equation.rule
    if rule is None or rule.upstream != 0 or interface is None or interface.law.is_constant:
        return 0.0
    law, kept = interface.law, np.zeros_like(SPEEDS)
    if rule.distance > 0.0:
        kept = _keep_over_step(rule, SPEEDS)
    mu = kept * law.static + (1.0 - kept) * law.evaluate(SPEEDS)[0]
    return _find_steepest(mu, SPEEDS * rule.time) * _find_displacement(equation)


def lag_friction(
    equation: SlipEquation,
    interface: Interface | None,
    speeds: Speeds,
    see_friction: Callable[[], np.ndarray],
) -> SlipEquation:
    """The equation of a step of rolling with the lag that it needs; the same one where it needs none.

    `speeds` of slip may occur. `see_friction` returns the coefficients before the step at the same places of
    the contact, on the window.
    """
    rule = equation.rule
    if rule is None or interface is None or interface.law.is_constant:
        return equation
    fall = _find_steepest(interface.law.evaluate(SPEEDS)[0], SPEEDS * rule.time)
    resists = _find_displacement(equation) if fall > 0.0 else 0.0
    followed = 1.0 / max(1.0, OWN + MARGIN * fall * resists)
    if followed == 1.0:
        return equation
    if rule.distance > 0.0 and _is_remembered(rule, interface, resists, speeds):
        return equation
    known = np.ascontiguousarray(see_friction())
    return replace(equation, rule=rule._replace(seen=known, lag=1.0 - followed))


def _is_remembered(rule: SlidingRule, interface: Interface, resists: float, speeds: Speeds) -> bool:
    """Whether a memory is long enough for steps to approach steady rolling, by the displacement pA, m."""
    first, last = np.searchsorted(SPEEDS, speeds)
    likely = SPEEDS[max(0, first - 1) : last + 1]
    if last == 0 or likely.size < 2:
        return True
    law, middle = interface.law.evaluate(likely)[0], 0.5 * (likely[1:] + likely[:-1])
    slope = -np.diff(law) / np.diff(likely)
    if rule.exact:
        falls = max(float((slope * middle).max()), interface.law.static - float(law.min()))
        return falls * resists < rule.distance
    kept = _keep_over_step(rule, middle)
    fall = (1.0 - kept) * slope * resists / rule.time
    return bool((fall <= STEADY * 0.5 * (1.0 + kept)).all())


def _keep_over_step(rule: SlidingRule, speed: np.ndarray) -> np.ndarray:
    """Share of a memory that a step at slip speeds (m/s) keeps."""
    forgotten = np.maximum(speed, rule.background) * rule.time / rule.distance
    return np.exp(-forgotten) if rule.exact else 1.0 / (1.0 + forgotten)


def _find_steepest(mu: np.ndarray, way: np.ndarray) -> float:
    """Largest fall of coefficients with a slip, 1/m."""
    return max(0.0, -float((np.diff(mu) / np.diff(way)).min()))


def _find_displacement(equation: SlipEquation) -> float:
    """Displacement pA by tractions as large as the pressure, along x or y, m.

    Of the eigenvalue of fall times compliance that is largest it is a Rayleigh quotient, from below. Both
    come from one product, as tractions along x displace along y oppositely in front and behind.
    """
    assert equation.rule is not None
    pressure = equation.rule.pressure
    if not pressure.any():
        return 0.0
    sheared = (pressure * equation.product(np.array([pressure, pressure]))).sum(axis=(1, 2))
    return float(sheared.max() / pressure.sum())


def describe_lag(distance: float) -> str:
    """What to say where friction lags behind its law by a distance rolled (m)."""
    return LAGGED.format(1e3 * distance)
