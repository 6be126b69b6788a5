"""By how much friction is off in a step in which the slip speed changes.

Over a slip S the coefficient follows d mu/dS = -(mu - mu_s(v))/dc. A step takes v as the mean over its time.
A particle that begins to slide on the way, or slides ever faster, does most of its slip faster than that, and
meets less friction. If dc is much longer than the slip of the step, the memory makes little of it; if not,
the step is to be divided. Friction without memory follows the speed at once, or with the lag of steps, at
each place of the contact: there speeds change while rolling is not steady.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.rolling.material_step import MaterialStep
from traction.contact.stick_slip.interface import find_coefficient, keep_over

INSTANTS = 4  #: of a step, at which speeds are taken that change evenly
MOST_OFF = 1e-3  #: error of the mean coefficient of friction in a step, over that at rest, that is tolerated
#: the same of a coefficient that lags: errors of one step are errors of all within its lag, and grow in those
#: in which friction falls faster than the contact follows
MOST_OFF_LAGGING = 1e-4
LEAST_HALF, LEAST_LAGGING = 0.25, 0.015625  #: of a step that is halved by either error, in elements


class FrictionError(NamedTuple):
    """Estimated errors of the mean coefficient of friction in a step, over that at rest."""

    remembered: float = 0.0  #: of what particles remember
    lagging: float = 0.0  #: of the lag behind that, or behind a law without memory

    @property
    def largest(self) -> float:
        """The larger one."""
        return max(self)

    def divides(self, cells: float) -> bool:
        """Whether a step over so many elements is to be halved."""
        if self.lagging > MOST_OFF_LAGGING and cells >= 2.0 * LEAST_LAGGING:
            return True
        return self.remembered > MOST_OFF and cells >= 2.0 * LEAST_HALF


def estimate_friction_error(done: SolvedFriction) -> FrictionError:
    """Change of the mean coefficient, over that at rest, if slip speeds changed evenly within the step.

    They begin from those before the step, and have the same means. Zero where those before are not known.
    """
    step, remembered, rule = done.step, done.remembered, done.step.equation.rule
    if not isinstance(step, MaterialStep) or remembered is None or rule is None or step.interface is None:
        return FrictionError()
    law, mean = step.interface.law, remembered.speed
    yields = done.plastic_share is not None
    before = step.speed_before if rule.distance > 0.0 else step.place_speed_before
    if before is None or mean is None or law.is_constant:
        return FrictionError()

    def weigh(apart: np.ndarray) -> float:
        """Mean size of a difference of coefficients, over that at rest.

        The edge of what yields passes through elements from step to step: what it moves to and fro cancels.
        """
        weight = np.maximum(rule.pressure, 0.0)
        off = abs((weight * apart).sum()) if yields else (weight * np.abs(apart)).sum()
        return float(off) / (law.static * float(weight.sum()))

    rise, memory, path = np.maximum(mean - before, -mean), rule.mu_before, []
    for k in range(INSTANTS):
        speed = mean + (2.0 * k + 1.0 - INSTANTS) / INSTANTS * rise
        kept = keep_over(rule, speed, rule.reach * rule.time / INSTANTS) if rule.distance > 0.0 else 0.0
        seen = speed if rule.distance > 0.0 else np.maximum(speed + rule.gained, 0.0)
        memory = kept * memory + (1.0 - kept) * law.evaluate(seen)[0]
        path.append(memory)
    own = weigh(memory - remembered.mu)
    if rule.distance > 0.0 and rule.lag > 0.0:
        path = step.pass_evenly(remembered.mu, INSTANTS)
    elif rule.lag == 0.0:
        return FrictionError(own)
    mu, lags = rule.seen, math.exp(-(1.0 - rule.lag) / (INSTANTS * rule.lag))
    for one in path:
        mu = lags * mu + (1.0 - lags) * one
    followed = (1.0 - rule.lag) * own if rule.distance > 0.0 else 0.0
    return FrictionError(followed, weigh(mu - find_coefficient(rule, remembered.mu)))
