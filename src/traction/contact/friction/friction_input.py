"""What a user gives as friction: a number, a field, a function of place or a law; and a layer."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import numpy as np

from traction import checks
from traction.contact.friction.varying_friction import VaryingFriction, make_constant
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.interface import Interface
from traction.errors import InputError
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.layer import Layer
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.friction_laws.track_friction import TrackFriction
from traction.grid import Grid

#: coefficient of friction: a number, one per cell of the grid, a function of x and y (m), or a law
Friction = (
    float
    | np.ndarray
    | Callable[[np.ndarray, np.ndarray], np.ndarray]
    | FrictionLaw
    | ThermalFriction
    | TrackFriction
)


def check_friction(
    friction: object,
    layer: object,
    speed: object,
    grid: Grid,
    position: float = 0.0,
    *,
    warms: bool = False,
) -> tuple[float, Interface | None]:
    """The largest coefficient, and law and layer where friction is not one number without a layer.

    Friction along the track is that around a `position` (m); of the temperature, for a caller that `warms` up
    the surfaces, the largest that it allows.
    """
    film = None if layer is None else checks.instance("layer", layer, Layer, "make it by tr.Layer(...).")
    way = 1.0 if speed is None else checks.positive("speed", speed, "m/s", "it is the speed of rolling.")
    varying = VaryingFriction.of(friction)
    if varying is not None and varying.thermal is not None and not warms:
        raise InputError(
            "friction by temperature is solved together with the heat by tr.roll_steady and tr.roll "
            "alone. Give a field of coefficients instead, as law.coefficient(temperature)."
        )
    if speed is None and (isinstance(friction, FrictionLaw) if varying is None else varying.needs_speed):
        raise InputError(
            "speed must be given with a friction law: it depends on slip speeds in m/s, or on heat, and "
            "slips are relative to the speed of rolling."
        )
    if varying is not None:
        return varying.law.largest, Interface(varying.law, film, way, varying.place(grid, position))
    if isinstance(friction, FrictionLaw):
        mu = friction.largest
        return mu, Interface(friction, film, way) if mu > 0.0 else None
    if inspect.ismodule(friction):
        raise InputError(
            "friction = tr.friction is where the laws are made; give one, as tr.friction.polach(...)."
        )
    if isinstance(friction, tuple) and len(friction) == 2:  # of rest and of sliding
        raise InputError(
            f"friction = {checks.shown(friction)}: a static coefficient above the kinetic one jumps where "
            "slip begins, and quasi-static solutions are not unique. Use the limit of a law with memory, "
            "tr.friction.exponential(kinetic, (static - kinetic, speed), memory=(distance, speed))."
        )
    field = _find_field(friction, grid)
    if field is None:
        remedy = "it is the coefficient mu, 0.3 for dry steel."
        mu = checks.zero_or_positive("friction", friction, "", remedy)
        return mu, Interface(make_constant(mu), film, way) if film is not None and mu > 0.0 else None
    if (field < 0.0).any():
        raise InputError(f"friction = {float(field.min()):.4g} at a cell of the grid must not be negative.")
    mu = checks.zero_or_positive("friction", float(field.max()))
    if mu == 0.0:
        return 0.0, None
    return mu, Interface(make_constant(mu), film, way, field / mu)


def find_limit(contact: NormalContact, mu: float, interface: Interface | None) -> float:
    """Largest tangential force that friction and the yield stress of a layer allow, N."""
    if interface is None:
        return mu * contact.force
    bound = mu * contact.pressure * (1.0 if interface.factor is None else interface.factor)
    if interface.layer is None or interface.layer.hardening <= 0.0:
        bound = np.minimum(bound, interface.yield_stress)
    return float(bound.sum()) * contact.grid.cell_area


def _find_field(friction: object, grid: Grid) -> np.ndarray | None:
    """Friction per cell of the grid, if it is a field or a function of place."""
    if isinstance(friction, str | bytes | type) or friction is None:
        return None
    if callable(friction):
        try:
            values = friction(*grid.mesh())
        except Exception as error:
            words = f"{type(error).__name__}: {error}".splitlines()[0]
            raise InputError(
                "friction as a function must take x and y (m), arrays over the grid, and return "
                f"coefficients; it raised {words}."
            ) from error
        values = checks.finite_array("friction(x, y)", values)
        if values.size == 1:
            values = np.full(grid.shape, float(values.ravel()[0]))
        return checks.finite_array("friction(x, y)", values, grid.shape)
    listed = isinstance(friction, list | tuple) or getattr(friction, "ndim", 0) > 0
    if not listed:
        return None
    remedy = "give one number, or one per cell of the grid, (ny, nx)."
    return checks.finite_array("friction", friction, grid.shape, "", remedy)
