"""`RailFriction`: friction between wheel and rail, and where on the rail it applies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.contact.friction.friction_input import Friction
from traction.errors import InputError
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.inclined_friction import InclinedFriction
from traction.friction_laws.layer import Layer
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.friction_laws.track_friction import TrackFriction
from traction.wheelsets.geometry.pose import SIGNS
from traction.wheelsets.patches.contact_plane import ContactPlane, ReferencePoint


@dataclass(frozen=True, eq=False)
class RailFriction:
    """A coefficient, a law, or coefficients along the rail's profile or along the track; and a layer."""

    given: float | FrictionLaw | ThermalFriction | InclinedFriction | TrackFriction
    layer: Layer | None = None
    position: float = 0.0  #: of the centre of the wheelset along the track, m

    @classmethod
    def check(cls, friction: object, layer: object, position: object = 0.0) -> RailFriction:
        """Check what `tr.wheel_rail` was given."""
        film = (
            None if layer is None else checks.instance("layer", layer, Layer, "such as tr.Layer(4e9, 1e-5).")
        )
        place = checks.finite("position", position, "m")
        if isinstance(friction, FrictionLaw | ThermalFriction | InclinedFriction | TrackFriction):
            return cls(friction, film, place)
        mu = checks.zero_or_positive("friction", friction, "", "it is mu, 0.3 for dry steel.")
        return cls(mu, film, place)

    @property
    def needs_speed(self) -> bool:
        """Whether the speed of rolling matters."""
        return self.is_law or self.layer is not None

    @property
    def is_law(self) -> bool:
        """Whether friction depends on the slip speed or the temperature."""
        return isinstance(self._base, FrictionLaw | ThermalFriction)

    @property
    def thermal(self) -> ThermalFriction | None:
        """The law of friction by temperature, if there is one."""
        return self._base if isinstance(self._base, ThermalFriction) else None

    @property
    def _base(self) -> object:
        return self.given.law if isinstance(self.given, TrackFriction) else self.given

    def require_quick(self, theory: str) -> None:
        """Raise an error for what a quick theory of rolling does not know."""
        if self.layer is not None:
            raise InputError(f'layer is not known to {theory}; use tangential="half-space".')
        if isinstance(self._base, ThermalFriction) or (self.is_law and isinstance(self.given, TrackFriction)):
            raise InputError(
                f"friction by temperature, or a law that varies along the track, is not known to {theory}; "
                'use tangential="half-space".'
            )
        if self.is_law and theory == "a table":
            raise InputError('friction: tables have constant coefficients; use tangential="half-space".')

    def place(self, plane: ContactPlane | ReferencePoint) -> float:
        """Position of a patch along the track, m."""
        return self.position + float(plane.origin[0])

    def over(self, plane: ContactPlane) -> Friction:
        """Friction over the elements of a patch."""
        if not isinstance(self._base, InclinedFriction):
            return self._given
        rows = np.repeat(self._base.coefficient(plane.inclination)[:, None], plane.grid.nx, axis=1)
        if not isinstance(self.given, TrackFriction):
            return rows
        return rows * self.given.mean(self.place(plane) + plane.grid.x, plane.grid.dx)

    def at_angle(self, plane: ContactPlane) -> Friction:
        """Friction with one inclination for the whole patch, its contact angle."""
        if not isinstance(self._base, InclinedFriction):
            return self._given
        mu = float(self._base.coefficient(-SIGNS[plane.side] * plane.angle))
        if not isinstance(self.given, TrackFriction):
            return mu
        return mu * np.repeat(
            self.given.mean(self.place(plane) + plane.grid.x, plane.grid.dx)[None], plane.grid.ny, 0
        )

    @property
    def _given(self) -> float | FrictionLaw | ThermalFriction | TrackFriction:
        assert not isinstance(self.given, InclinedFriction)
        return self.given

    def estimate(self, plane: ContactPlane | ReferencePoint, slip_speed: float) -> float:
        """About the coefficient of a patch that slips, cold; of a law that at the slip speed, m/s."""
        mu, base = self.at_reference(plane), self._base
        if isinstance(mu, FrictionLaw):
            return float(mu.coefficient(slip_speed))
        return max(base.coefficients) if isinstance(base, ThermalFriction) else mu

    def at_reference(self, plane: ContactPlane | ReferencePoint) -> float | FrictionLaw:
        """Friction at the reference point of a patch, for quick theories."""
        base, factor = self._base, 1.0
        if isinstance(self.given, TrackFriction):
            factor = float(self.given.value(self.place(plane)))
        if isinstance(base, InclinedFriction):
            return factor * float(base.coefficient(-SIGNS[plane.side] * plane.angle))
        if isinstance(base, FrictionLaw):
            return base
        return factor * (base if isinstance(base, float) else 1.0)
