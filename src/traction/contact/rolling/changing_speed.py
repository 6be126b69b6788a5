"""By how much friction is off in a step in which the slip speed changes.

Over a slip S the coefficient follows d mu/dS = -(mu - mu_s(v))/dc. A step takes v as the mean over its time.
A particle that begins to slide on the way, or slides ever faster, does most of its slip faster than that, and
meets less friction. If dc is much longer than the slip of the step, the memory makes little of it; if not,
the step is to be divided. Friction without memory follows the speed at once, or with the lag of steps, at
each place of the contact: there speeds change while rolling is not steady.
"""

from __future__ import annotations

import math

import numpy as np

from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.rolling.material_step import MaterialStep
from traction.contact.stick_slip.kernels.sliding_states import SlidingRule

INSTANTS = 4  #: of a step, at which speeds are taken that change evenly


def estimate_friction_error(done: SolvedFriction) -> float:
    """Change of the mean coefficient, over that at rest, if slip speeds changed evenly within the step.

    They begin from those before the step, and have the same means. Zero where those before are not known.
    """
    step, remembered, rule = done.step, done.remembered, done.step.equation.rule
    if not isinstance(step, MaterialStep) or remembered is None or rule is None or step.interface is None:
        return 0.0
    remembers, mean = rule.distance > 0.0, remembered.speed
    before = step.speed_before if remembers else step.place_speed_before
    if before is None or mean is None or step.interface.law.is_constant:
        return 0.0
    rise, mu = np.maximum(mean - before, -mean), rule.mu_before
    for k in range(INSTANTS):
        speed = mean + (2.0 * k + 1.0 - INSTANTS) / INSTANTS * rise
        kept = _keep_over_instant(rule, speed)
        seen = np.maximum(speed + rule.gained, 0.0)
        mu = kept * mu + (1.0 - kept) * step.interface.law.evaluate(seen)[0]
    weight = np.maximum(rule.pressure, 0.0)
    apart = float((weight * np.abs(mu - remembered.mu)).sum())
    return apart / (step.interface.law.static * float(weight.sum()))


def _keep_over_instant(rule: SlidingRule, speed: np.ndarray) -> np.ndarray | float:
    """Share of the coefficient before that is left after a part of a step at slip speeds, m/s."""
    if rule.distance > 0.0:
        way = np.maximum(speed, rule.background) * rule.reach * rule.time / (INSTANTS * rule.distance)
        kept: np.ndarray = np.exp(-way)
        return kept
    return 0.0 if rule.lag == 0.0 else math.exp(-(1.0 - rule.lag) / (INSTANTS * rule.lag))
