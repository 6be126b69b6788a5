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

    Raises
    ------
    InputError
        If the profile is not a surface.

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

    def __post_init__(self) -> None:
        checks.instance("beam", self.beam, Beam)
        checks.instance("material", self.material, Material)
        if not (self.rail_profile is None or isinstance(self.rail_profile, Surface)):
            raise InputError(
                f"rail_profile = {checks.shown(self.rail_profile)} is not a surface; give a tr.Cylinder "
                "or another one, or omit it for a flat top."
            )
