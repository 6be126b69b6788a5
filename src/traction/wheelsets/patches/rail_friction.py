"""`RailFriction`: friction between wheel and rail, and where on the rail it applies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.inclined_friction import InclinedFriction
from traction.friction_laws.layer import Layer
from traction.wheelsets.geometry.pose import SIGNS
from traction.wheelsets.patches.contact_plane import ContactPlane


@dataclass(frozen=True, eq=False)
class RailFriction:
    """A coefficient, a law of the slip speed, or coefficients along the rail's profile; and a layer."""

    given: float | FrictionLaw | InclinedFriction
    layer: Layer | None = None

    @classmethod
    def check(cls, friction: object, layer: object) -> RailFriction:
        """Check what `tr.wheel_rail` was given."""
        film = (
            None if layer is None else checks.instance("layer", layer, Layer, "such as tr.Layer(4e9, 1e-5).")
        )
        if isinstance(friction, FrictionLaw | InclinedFriction):
            return cls(friction, film)
        return cls(checks.at_least("friction", friction, 0.0, "", "it is mu, 0.3 for dry steel."), film)

    @property
    def needs_speed(self) -> bool:
        """Whether the speed of rolling matters."""
        return isinstance(self.given, FrictionLaw) or self.layer is not None

    def require_quick(self, theory: str) -> None:
        """Raise an error for what a quick theory of rolling does not know."""
        if self.layer is not None:
            raise InputError(f'layer is not known to {theory}; use tangential="half-space".')
        if isinstance(self.given, FrictionLaw) and theory == "a table":
            raise InputError('friction: tables have constant coefficients; use tangential="half-space".')

    def over(self, plane: ContactPlane) -> float | np.ndarray | FrictionLaw:
        """Friction over the elements of a patch."""
        if not isinstance(self.given, InclinedFriction):
            return self.given
        return np.repeat(self.given.coefficient(plane.inclination)[:, None], plane.grid.nx, axis=1)

    def at_reference(self, plane: ContactPlane) -> float | FrictionLaw:
        """Friction at the reference point of a patch."""
        if not isinstance(self.given, InclinedFriction):
            return self.given
        return float(self.given.coefficient(-SIGNS[plane.side] * plane.angle))
