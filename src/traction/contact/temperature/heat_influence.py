"""About how the temperature of a contact follows its frictional power, for Newton's method."""

from __future__ import annotations

import math

from traction.contact.normal.press import NormalContact
from traction.contact.temperature.heat_sharing import ClassicalBodies
from traction.contact.temperature.thermal_coupling import Influence
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.halfspace.heated_half_space import HeatedHalfSpace
from traction.materials import Pair, thermal_constants


def approximate_influence(
    n: NormalContact,
    velocities: tuple[float, float],
    law: ThermalFriction,
    discretisation: str,
    body_of: type[HeatedHalfSpace] = HeatedHalfSpace,
) -> Influence:
    """B: as if heat passed between the bodies over their whole surface, not only where they touch."""
    pair, share = n.pair, law.share
    if discretisation == "classical" and share == "equal":
        direction, nothing = (1 if velocities[1] < 0.0 else -1), (0.0, 0.0)
        materials, speed = (pair.upper, pair.lower), abs(velocities[1])
        classical = ClassicalBodies(n.grid, materials, speed, direction, nothing, n.contact)
        return classical.rise
    if not isinstance(share, str):
        body = find_hotter_body(pair, law)
        heated, part = body_of(n.grid, (pair.upper, pair.lower)[body], velocities[body]), law.parts[body]
        return lambda power: heated.rise(part * power)
    upper, lower = (
        body_of(n.grid, material, v) for material, v in zip((pair.upper, pair.lower), velocities, strict=True)
    )
    spectrum = upper.spectrum * lower.spectrum / (upper.spectrum + lower.spectrum)
    return lambda power: upper.filter(power, spectrum)


def find_effusivities(pair: Pair, law: ThermalFriction) -> tuple[float, float]:
    """sqrt(k rho c) of both bodies; infinite for one that is given no heat. Raises an error without data."""
    bodies = {"body 1": pair.upper, "body 2": pair.lower}
    upper, lower = (
        math.sqrt(math.prod(thermal_constants(*body))) if part > 0.0 else math.inf
        for body, part in zip(bodies.items(), law.parts, strict=True)
    )
    return upper, lower


def find_hotter_body(pair: Pair, law: ThermalFriction) -> int:
    """Number, 0 or 1, of the body whose surface a given share of the heat warms more."""
    upper, lower = find_effusivities(pair, law)
    return 0 if law.parts[0] / upper >= law.parts[1] / lower else 1
