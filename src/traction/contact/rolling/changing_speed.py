"""By how much friction with a memory is off in a step in which the slip speed changes.

Over a slip S the coefficient follows d mu/dS = -(mu - mu_s(v))/dc. A step takes v as the mean over its time.
A particle that begins to slide on the way, or slides ever faster, does most of its slip faster than that, and
meets less friction. If dc is much longer than the slip of the step, the memory makes little of it; if not,
the step is to be divided.
"""

from __future__ import annotations

import numpy as np

from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.rolling.material_step import MaterialStep

INSTANTS = 4  #: of a step, at which speeds are taken that change evenly


def estimate_friction_error(done: SolvedFriction) -> float:
    """Change of the mean coefficient, over that at rest, if slip speeds changed evenly within the step.

    They begin from those before the step, and have the same means. Zero where friction has no memory, which
    could be off, or the speeds before are not known.
    """
    step, remembered, rule = done.step, done.remembered, done.step.equation.rule
    if not isinstance(step, MaterialStep) or remembered is None or rule is None or step.interface is None:
        return 0.0
    before, mean = step.speed_before, remembered.speed
    if before is None or mean is None or rule.distance <= 0.0 or step.interface.law.is_constant:
        return 0.0
    rise, mu = np.maximum(mean - before, -mean), rule.mu_before
    for k in range(INSTANTS):
        speed = mean + (2.0 * k + 1.0 - INSTANTS) / INSTANTS * rise
        way = np.maximum(speed, rule.background) * rule.reach * rule.time / (INSTANTS * rule.distance)
        kept = np.exp(-way)
        mu = kept * mu + (1.0 - kept) * step.interface.law.evaluate(np.maximum(speed, 0.0))[0]
    weight = np.maximum(rule.pressure, 0.0)
    apart = float((weight * np.abs(mu - remembered.mu)).sum())
    return apart / (step.interface.law.static * float(weight.sum()))
