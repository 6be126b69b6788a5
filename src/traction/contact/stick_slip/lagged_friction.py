"""Steps of rolling with friction that falls with the slip speed and has no memory, or too short a one.

Where friction falls with the slip of a step by a part r of what the contact resists, such steps multiply
errors by -r/(1 - r): from r = 1/2 they alternate about steady rolling, and from 1 a step has several
solutions. The coefficient then follows its law with a lag, at each place of the contact,

    mu = (1 - theta) mu_before + theta mu_s(s),    theta = 2/(1 + 3 r).

Steady rolling satisfies it for every theta, as mu_before is the coefficient at the same place of the
contact, not of the same particle. Errors are multiplied by (1 - theta - theta r)/(1 - theta r)
= (r - 1)/(r + 1), and theta r < 1, so that each step has one solution. Up to r = 1/3, where theta is 1,
friction is the law itself.

With a memory, mu_s is replaced by the coefficient that the particle remembers, and r is that of the law
alone. A fall from rest over the distance dc of the memory is less steep than the resistance of the contact
where pA (mu_s(0) - mu_s(v)) < dc, with the displacement pA by tractions as large as the pressure; a fall by a
small change of a speed v where pA |mu'| max(v, s0) < dc. Near these limits forces jump after a change of the
creepage; a memory that is 1.5 times as long needs no lag.

Steps of whole cells keep the part k of a memory and multiply errors by (k - (1 - k) r)/(1 - (1 - k) r). They
follow the law at once, as in CONTACT, until errors would persist, (1 - k) r > (1 + k)/2 by the slopes at the
slips found, or slip speeds alternate, over several steps: after a change of the creepage one or two steps may
do so on the way to steady rolling.

The slip speed of a step belongs to a place half a step ahead of its traction. Covered elements take mu_s at
the speed at the end of the step: its increase from the middle to the end is that of the step before, so that
slopes do not change.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from traction.contact.stick_slip.interface import Interface, keep_over
from traction.contact.stick_slip.slip_equation import SlipEquation

SPEEDS = np.concatenate(([0.0], np.geomspace(1e-3, 30.0, 100)))  #: at which slopes of laws are seen, m/s
#: theta = 1/(OWN + MARGIN r): steps are stable while r is less than MARGIN times its estimate
OWN, MARGIN = 0.5, 1.5
#: fall from which errors of steps of whole cells with a memory count as persistent, over the limit; lower
#: for steps that lag already, which continue to lag until errors are halved in a step
LASTING, LASTING_LAGGED = 0.95, 0.5
STICKS_AGAIN = 0.3  #: part of the load that sticks again in a step, from which it jumps
#: change of the mean slip speed, over the opposite one before and over the speed, from which steps alternate
ALTERNATES, LITTLE_RISE = 0.95, 1e-3
CALM = 0.9  #: share of the count of unsettled steps that remains after a step
UNSETTLED = 2.0  #: of these, from which steps lag
LAGGED = (
    "friction falls with the slip more steeply than steps can follow, and its coefficient lags behind the "
    "law by {:.2g} mm of rolling: steady states are those of the law, but the transient is not determined by "
    "it; a longer memory would determine it"
)


class Unrest(NamedTuple):
    """Whether steps of whole cells with a memory settle towards steady rolling."""

    steps: float = 0.0  #: count of recent steps whose errors last, that jump or that alternate
    stuck: float = 1.0  #: share of the load that stuck in the last step
    speed: float = 0.0  #: mean slip speed in that step, weighted by the load, m/s
    rise: float = 0.0  #: its change from the step before, m/s


AT_REST = Unrest()


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
        kept = keep_over(rule, SPEEDS, rule.time)
    mu = kept * law.static + (1.0 - kept) * law.evaluate(SPEEDS)[0]
    return _find_steepest(mu, SPEEDS * rule.time) * _find_displacement(equation, rule.pressure)


def lag_friction(
    equation: SlipEquation,
    interface: Interface | None,
    is_remembered: Callable[[SlipEquation, Interface], bool],
    see_friction: Callable[[], np.ndarray],
) -> SlipEquation:
    """The equation of a step of rolling with the lag that it needs; the same one where it needs none.

    `is_remembered` returns whether a memory is long enough to need none. `see_friction` returns the
    coefficients before the step at the same places of the contact, on the window.
    """
    rule = equation.rule
    if rule is None or interface is None or interface.law.is_constant:
        return equation
    fall = _find_steepest(interface.law.evaluate(SPEEDS)[0], SPEEDS * rule.time)
    resists = _find_displacement(equation, rule.pressure) if fall > 0.0 else 0.0
    followed = 1.0 / max(1.0, OWN + MARGIN * fall * resists)
    if followed == 1.0 or (rule.distance > 0.0 and is_remembered(equation, interface)):
        return equation
    known = np.ascontiguousarray(see_friction())
    return replace(equation, rule=rule._replace(seen=known, lag=1.0 - followed))


def has_long_memory(equation: SlipEquation, interface: Interface, fastest: float = math.inf) -> bool:
    """Whether a memory is so long that steps of any length need no lag, up to the fastest slip speed, m/s."""
    rule = equation.rule
    assert rule is not None
    speeds = SPEEDS[: max(3, np.searchsorted(SPEEDS, fastest) + 1)]
    law, middle = interface.law.evaluate(speeds)[0], 0.5 * (speeds[1:] + speeds[:-1])
    slope = -np.diff(law) / np.diff(speeds)
    falls = slope * np.maximum(middle, rule.background)
    fall = max(float(falls.max()), interface.law.static - float(law.min()))
    return MARGIN * fall * _find_displacement(equation, rule.pressure) < rule.distance


def count_unrest(
    equation: SlipEquation, interface: Interface | None, speed: np.ndarray, before: Unrest
) -> Unrest:
    """Count of unsettled steps after a step of whole cells, by its slip speeds, m/s; 0 where it sticks."""
    rule = equation.rule
    if rule is None or rule.distance == 0.0 or interface is None or interface.law.is_constant:
        return AT_REST
    load, slips = np.maximum(rule.pressure, 0.0), speed > 0.0
    whole = max(float(load.sum()), np.finfo(float).tiny)
    stuck, mean = 1.0 - float(load[slips].sum()) / whole, float((load * speed).sum()) / whole
    kept, slope = keep_over(rule, speed, rule.time), np.where(slips, -interface.law.evaluate(speed)[1], 0.0)
    fall = 2.0 * (1.0 - kept) / (1.0 + kept) * np.maximum(slope, 0.0) / rule.time
    lasts = _find_displacement(equation, fall * load) > (LASTING if rule.lag == 0.0 else LASTING_LAGGED)
    rise, least = mean - before.speed, max(ALTERNATES * abs(before.rise), LITTLE_RISE * mean)
    jumps = stuck - before.stuck > STICKS_AGAIN or (rise * before.rise < 0.0 and abs(rise) > least)
    jumps = jumps and not has_long_memory(equation, interface)
    return Unrest(CALM * before.steps + float(lasts) + float(jumps), stuck, mean, rise)


def _find_steepest(mu: np.ndarray, way: np.ndarray) -> float:
    """Largest fall of coefficients with a slip, 1/m."""
    return max(0.0, -float((np.diff(mu) / np.diff(way)).min()))


def _find_displacement(equation: SlipEquation, load: np.ndarray) -> float:
    """Mean displacement by tractions like a load along x or y, weighted by it; m for a load in Pa.

    For pressure it is pA. Of the eigenvalue of fall times compliance that is largest it is a Rayleigh
    quotient, from below. Both come from one product, as tractions along x displace along y oppositely in
    front and behind.
    """
    if not load.any():
        return 0.0
    sheared = (load * equation.product(np.array([load, load]))).sum(axis=(1, 2))
    return float(sheared.max() / load.sum())


def describe_lag(distance: float) -> str:
    """What to say where friction lags behind its law by a distance rolled (m)."""
    return LAGGED.format(1e3 * distance)
