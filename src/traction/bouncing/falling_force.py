"""The force on a body that falls on a surface: its weight, and a contact law with or without damping."""

from __future__ import annotations

import math
from typing import Protocol

from scipy.optimize import brentq

from traction import checks
from traction.errors import InputError
from traction.integrators.core.state import Memory
from traction.laws.contact_law import Response

LEAST_RESTITUTION = 0.05  #: below it the damping is 1/(e v) to rounding


class ContactLaw(Protocol):
    """Anything that answers an approach (m) with force, stiffness and energy."""

    def response(self, approach: float) -> Response: ...  # noqa: D102


class FallingForce:
    """f(t, q) = F(-q) - m g with the height q of the lowest point (m) and the contact force F (N)."""

    def __init__(self, law: ContactLaw, weight: float) -> None:
        self.law, self.weight = law, weight
        self._last: tuple[float, Response] | None = None

    def __call__(self, t: float, q: float) -> float:
        """Net force, N."""
        return self.response(q).force - self.weight

    def response(self, q: float) -> Response:
        """What the contact answers at height q; the last answer is remembered."""
        if self._last is None or self._last[0] != q:
            self._last = q, self.law.response(-q)
        return self._last[1]

    def jacobian(self, t: float, q: float, v: float) -> tuple[float, float]:
        """df/dq = -stiffness, and df/dv = 0."""
        return -self.response(q).stiffness, 0.0

    def energy(self, q: float) -> float:
        """Elastic energy and height energy, J."""
        return self.response(q).energy + self.weight * q

    @property
    def memory(self) -> Memory:
        """Warm start of the law, if it has one."""
        return dict(getattr(self.law, "memory", {}))

    @memory.setter
    def memory(self, memory: Memory) -> None:
        self._last = None
        if memory:
            self.law.memory = memory  # type: ignore[attr-defined]


class DampedFallingForce(FallingForce):
    """f(t, q, v) = F(-q) max(0, 1 - c v) - m g (Hunt, Crossley 1975): damping grows with the contact."""

    def __init__(self, law: ContactLaw, weight: float, damping: float) -> None:
        super().__init__(law, weight)
        self.damping = damping  #: c, s/m

    def __call__(self, t: float, q: float, v: float) -> float:  # type: ignore[override]
        """Net force, N; a contact never pulls."""
        return self.response(q).force * max(0.0, 1.0 - self.damping * v) - self.weight

    def jacobian(self, t: float, q: float, v: float) -> tuple[float, float]:
        """df/dq and df/dv."""
        answer, factor = self.response(q), 1.0 - self.damping * v
        if factor <= 0.0:
            return 0.0, 0.0
        return -answer.stiffness * factor, -answer.force * self.damping


def damping_for(restitution: float, speed: float) -> float:
    """C (s/m) with which a contact F (1 + c * rate of approach) throws back `restitution` of `speed` (m/s).

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
