"""`VaryingFriction`: a law of friction times factors of the place along the track and of the temperature."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from traction.errors import InputError
from traction.friction_laws.falling_law import NO_TERM, FallingLaw
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.inclined_friction import InclinedFriction
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.friction_laws.track_friction import TrackFriction
from traction.grid import Grid


@dataclass(frozen=True, eq=False)
class VaryingFriction:
    """Friction that varies along the track, or with the temperature, or both.

    Where no law of the slip speed is given, the law is constant, the largest coefficient, and factors are
    relative to it.
    """

    law: FrictionLaw
    scale: float  #: by which factors are divided: 1 where a law is given
    track: TrackFriction | None
    thermal: ThermalFriction | None

    @classmethod
    def of(cls, friction: object) -> VaryingFriction | None:
        """Of what a user gives; None where it does not vary in this way."""
        track = friction if isinstance(friction, TrackFriction) else None
        base: object = friction if track is None else track.law
        if isinstance(base, InclinedFriction):
            raise InputError(
                "friction by inclination is for tr.wheel_rail, which knows the rail's surface. Give a "
                "function of x and y here, as lambda x, y: law.coefficient(inclination(y))."
            )
        thermal = base if isinstance(base, ThermalFriction) else None
        if track is None and thermal is None:
            return None
        law = base if isinstance(base, FrictionLaw) else None if thermal is None else thermal.law
        if law is not None:
            return cls(law, 1.0, track, thermal)
        scale = 1.0 if track is None else max(track.values)
        scale *= 1.0 if thermal is None else thermal.largest_factor
        return cls(make_constant(scale), scale, track, thermal)

    @classmethod
    def find_law(cls, friction: object) -> FrictionLaw:
        """The law of the slip speed of any friction; a constant one of a number."""
        varying = cls.of(friction)
        if varying is not None:
            return varying.law
        return friction if isinstance(friction, FrictionLaw) else make_constant(float(friction))  # type: ignore[arg-type]

    @property
    def needs_speed(self) -> bool:
        """Whether the speed of rolling matters."""
        return self.thermal is not None or not self.law.is_constant

    def place(self, grid: Grid, position: float, warm: np.ndarray | None = None) -> np.ndarray:
        """Factors by which coefficients of the law are multiplied, (ny, nx).

        On a grid around a position (m) along the track; of the `warm` coefficients of the temperature,
        without them of the largest that it allows. Places along the track are means over the cells, so that a
        step of friction passes them evenly.
        """
        factor = np.full(grid.shape, 1.0 / self.scale)
        if self.track is not None:
            factor = factor * self.track.mean(position + grid.x, grid.dx)
        if self.thermal is not None:
            factor = factor * (self.thermal.largest_factor if warm is None else warm)
        return factor


@lru_cache(64)
def make_constant(mu: float) -> FallingLaw:
    """Constant friction as a law."""
    return FallingLaw("linear", mu, NO_TERM)
