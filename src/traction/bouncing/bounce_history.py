"""`BounceHistory`: the motion of a body that falls and bounces, with its contact and its energies."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.bouncing.falling_body import FallingBody
from traction.integrators.history import History


@dataclass(frozen=True, eq=False, repr=False)
class BounceHistory(History):
    """A history whose coordinate is the height q of the body's lowest point above the surface (m)."""

    body: FallingBody = field(kw_only=True)

    @property
    def penetration(self) -> np.ndarray:
        """Approach of the bodies, 0 in flight, m."""
        return np.maximum(0.0, -self.q)

    @cached_property
    def contact_force(self) -> np.ndarray:
        """Force of the ground on the body, N."""
        return self.body.mass * self.a + self.body.weight

    @cached_property
    def elastic_energy(self) -> np.ndarray:
        """Energy stored in the contact, and what plastic flow has taken, J."""
        return self.body.force.energies_along(self.q)

    @property
    def gravitational_energy(self) -> np.ndarray:
        """M g q, J."""
        return self.body.weight * self.q

    @cached_property
    def energy(self) -> np.ndarray:
        """Kinetic, gravitational and elastic energy, J."""
        return self.kinetic_energy + self.gravitational_energy + self.elastic_energy

    @cached_property
    def kinetic_energy(self) -> np.ndarray:
        """M v^2/2, J."""
        return 0.5 * self.body.mass * self.v**2

    def surfaces(self, t: float, x: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Heights (m) of the body's and of the ground's surface at time t and points (x, 0), deformed."""
        return self.body.surfaces(float(self.at(checks.finite("t", t, "s"))), x)


def bounce_history(history: History, body: FallingBody) -> BounceHistory:
    """The history of a falling body, with what belongs to it."""
    return BounceHistory(**{item.name: getattr(history, item.name) for item in fields(History)}, body=body)
