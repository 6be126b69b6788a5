"""About how the temperature of a contact follows its frictional power, for Newton's method."""

from __future__ import annotations

from traction.contact.normal.press import NormalContact
from traction.contact.temperature.classical_heat import ClassicalBodies
from traction.contact.temperature.thermal_coupling import Influence
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.halfspace.heated_half_space import HeatedHalfSpace


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
        body = 0 if share >= 0.5 else 1
        heated = body_of(n.grid, (pair.upper, pair.lower)[body], velocities[body])
        return lambda power: heated.rise(max(share, 1.0 - share) * power)
    upper, lower = (
        body_of(n.grid, material, v) for material, v in zip((pair.upper, pair.lower), velocities, strict=True)
    )
    spectrum = upper.spectrum * lower.spectrum / (upper.spectrum + lower.spectrum)
    return lambda power: upper.filter(power, spectrum)
