"""`Bridge`: a beam, and the surface on which wheels stand."""

from __future__ import annotations

from dataclasses import dataclass, field

from traction import checks
from traction.beams.beam import Beam
from traction.errors import InputError
from traction.materials import Material
from traction.surfaces import Surface


@dataclass(frozen=True)
class Bridge:
    """Beam whose top is, within a contact patch, a half space of a given material.

    Parameters
    ----------
    beam
        The beam.
    material
        Material of its top (the rail).
    rail_profile
        Shape of the top around the contact point, constant along the beam; flat by default.

    Examples
    --------
    >>> beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"))
    >>> bridge = tr.Bridge(beam, tr.STEEL, rail_profile=tr.Cylinder(0.3, axis="x"))
    >>> bridge.beam.length
    20.0
    """

    beam: Beam
    material: Material
    rail_profile: Surface | None = field(default=None, kw_only=True)

    def __repr__(self) -> str:
        profile = "" if self.rail_profile is None else ", with a rail profile"
        return f"Bridge: {self.beam._words}; rail {self.material._words}{profile}"

    def __post_init__(self) -> None:
        checks.instance("beam", self.beam, Beam)
        checks.instance("material", self.material, Material)
        if not (self.rail_profile is None or isinstance(self.rail_profile, Surface)):
            raise InputError(
                f"rail_profile = {checks.shown(self.rail_profile)} is not a surface; give a tr.Cylinder "
                "or another one, or omit it for a flat top."
            )


def check_bridge(bridge: object) -> Bridge:
    """A bridge; of a beam it is said how to make one of it."""
    if isinstance(bridge, Beam):
        raise InputError(
            "bridge is a tr.Beam, which has no surface for the wheels; wrap it: tr.Bridge(beam, tr.STEEL)."
        )
    return checks.instance("bridge", bridge, Bridge)


def check_beam(beam: object) -> Beam:
    """A beam; of a bridge it is said which beam is meant."""
    if isinstance(beam, Bridge):
        raise InputError("beam is a tr.Bridge, of which only the beam counts here; give it: bridge.beam.")
    return checks.instance("beam", beam, Beam)
