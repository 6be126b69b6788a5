"""`damping_for`: the damping of a contact that has a coefficient of restitution."""

from __future__ import annotations

import math

from scipy.optimize import brentq

from traction import checks
from traction.errors import InputError

LEAST_RESTITUTION = 0.05  #: below it the damping is 1/(e v) to rounding


def damping_for(restitution: float, speed: float) -> float:
    """Damping c (s/m) of a contact F (1 + c * rate) that throws back `restitution` of `speed` (m/s).

    For any elastic law F, without gravity: d (1 + e) = ln((1 + d)/(1 - e d)) with d = c * speed, from
    m v dv/(1 + c v) = -F d(approach) on the way in and out.
    """
    e = checks.finite("restitution", restitution)
    if not LEAST_RESTITUTION <= e <= 1.0:
        raise InputError(f"restitution = {e} must lie in [{LEAST_RESTITUTION}, 1]; 1 is without loss.")
    if e > 1.0 - 1e-9:
        return 0.0
    speed = checks.positive("speed", speed, "m/s", "restitution is that of an impact at some speed.")

    def mismatch(d: float) -> float:
        return d * (1.0 + e) - math.log1p(d) + math.log1p(-e * d)

    # d = 0 solves it too; the other root lies where the mismatch has become positive and falls again
    low = 1.5 * (1.0 - e)
    while mismatch(low) <= 0.0:
        low *= 0.5
    return float(brentq(mismatch, low, (1.0 - 1e-14) / e, xtol=1e-15)) / speed
