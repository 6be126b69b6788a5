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
    """A beam whose top is a half space of `material`, seen from a contact patch.

    `rail_profile` is the shape of its top, a surface around the place of the wheel that does not change along
    the beam; unless given, it is flat.
    """

    beam: Beam
    material: Material
    rail_profile: Surface | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        checks.instance("beam", self.beam, Beam)
        checks.instance("material", self.material, Material)
        if not (self.rail_profile is None or isinstance(self.rail_profile, Surface)):
            raise InputError(
                f"rail_profile = {checks.shown(self.rail_profile)} is no surface; give a tr.Cylinder or "
                "another one, or leave it out for a flat top."
            )
