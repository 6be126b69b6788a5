"""`QuickFriction`: the coefficient of friction of the quick theories, constant or by the rigid slip.

A law is evaluated at the slip speed of the rigid bodies, V |w|, as Polach (2005) and Spiryagin, Polach and
Cole (2013) do: also where the surfaces stick, and without the elastic part of the slip.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.inclined_friction import InclinedFriction
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.friction_laws.track_friction import TrackFriction


@dataclass(frozen=True)
class QuickFriction:
    """A coefficient, or a law with the rolling speed."""

    constant: float
    law: FrictionLaw | None = None
    speed: float = 0.0  #: V, m/s

    @classmethod
    def check(cls, friction: object, speed: object) -> QuickFriction:
        """Check what was given as `friction` and `speed`."""
        if isinstance(friction, ThermalFriction | InclinedFriction | TrackFriction):
            one = "value(0.5)" if isinstance(friction, TrackFriction) else "coefficient(250.0)"
            raise InputError(
                "the quick theories take one coefficient of friction, or a law of the slip speed; give the "
                f"coefficient at one temperature, inclination or place, as law.{one}, or use tr.roll_steady."
            )
        if not isinstance(friction, FrictionLaw):
            mu = checks.zero_or_positive("friction", friction)
            if speed is not None:
                checks.positive("speed", speed, "m/s", "it is the speed of rolling.")
            return cls(mu)
        if speed is None:
            raise InputError("speed is missing: a law of friction needs the rolling speed, m/s.")
        if friction.memory is not None:
            raise InputError(
                "the quick theories have no memory of friction: use tr.roll_steady, or give the law without "
                "memory."
            )
        return cls(friction.static, friction, checks.positive("speed", speed, "m/s"))

    def at(self, slip: np.ndarray | float) -> np.ndarray:
        """Coefficients where the rigid slip, over the rolling speed, has the size `slip`."""
        if self.law is None:
            return np.full(np.shape(slip), self.constant)
        return self.law.coefficient(self.speed * np.asarray(slip))
