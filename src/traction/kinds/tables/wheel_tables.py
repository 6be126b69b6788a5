"""Schemas of wheels and rails whose contact is solved: shapes, materials and flat spots in scenario files."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Self

from pydantic import Field, model_validator

from traction.beams.beam import Beam
from traction.kinds.tables.axle_tables import RADIUS, AxleTable
from traction.kinds.tables.body_tables import (
    MaterialChoice,
    SurfaceTable,
    add_surfaces,
    material,
    material_words,
    surface_words,
)
from traction.kinds.tables.drive_tables import DriveTable
from traction.quantities import quantity
from traction.scenario import si
from traction.scenario.schema import Strict
from traction.surfaces import Cylinder, Paraboloid, Surface
from traction.trains.bridge import Bridge
from traction.trains.irregularity import Irregularity
from traction.trains.train import HarmonicAxle
from traction.trains.vehicle import Suspension, Wheel

Surfaces = Annotated[list[SurfaceTable], Field(min_length=1, max_length=20)]


class RunningSurfaceTable(Strict):
    """Shape and material of a tread or a rail head."""

    not_both = (("a crown or surfaces", "crown", "surface"),)

    crown: si.PositiveLength | None = None
    """radius across the track"""
    surface: Surfaces | None = None
    """around the lowest point of a tread, or of a rail head, instead of a crown; surfaces add up"""
    material: MaterialChoice = "steel"

    @property
    def shape(self) -> Surface | None:
        """As it is given; None for a ball or a flat rail."""
        if self.surface is not None:
            return add_surfaces(self.surface)
        return None if self.crown is None else self.curve_crown(self.crown)

    @abstractmethod
    def curve_crown(self, crown: float) -> Surface:
        """Surface of a wheel with a radius across the track, m."""

    @property
    def words(self) -> str:
        """In a table of inputs."""
        shapes = [
            f"{name} {quantity(value, 'm')}" for name, value in self if name in ("radius", "crown") and value
        ]
        shapes += [surface_words(table) for table in self.surface or []]
        return ", ".join([*(shapes or ["flat"]), material_words(material(self.material))])


class WheelTable(RunningSurfaceTable):
    """Shape and material of wheels; a ball unless a crown or surfaces are given."""

    radius: si.PositiveLength = RADIUS

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self.made(1.0)
        return self

    def made(
        self, mass: float, suspension: Suspension | None = None, irregularity: Irregularity | None = None
    ) -> Wheel:
        """A wheel of this shape."""
        return Wheel(
            self.radius, mass, profile=self.shape, material=material(self.material),
            suspension=suspension, irregularity=irregularity,
        )  # fmt: skip

    def curve_crown(self, crown: float) -> Surface:
        """Of a wheel with a radius across the track, m."""
        return Paraboloid(self.radius, crown)


class RailTable(RunningSurfaceTable):
    """Shape and material of the top of the bridge; flat unless given."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if material(self.material).rigid:
            raise ValueError('has material = "rigid", but the top of a bridge must be elastic')
        return self

    def curve_crown(self, crown: float) -> Surface:
        """Of a rail with a radius across the track, m."""
        return Cylinder(crown, axis="x")

    def bridge(self, beam: Beam) -> Bridge:
        """A beam with this top."""
        return Bridge(beam, material(self.material), rail_profile=self.shape)


class WheelFlatTable(Strict):
    """A flat spot of a wheel, which comes to the rail once a turn."""

    length: si.PositiveLength
    depth: si.PositiveLength | None = None
    """of a worn flat; length^2/(16 radius) unless given"""
    at: si.Length = 0.0
    """place on the track where its middle touches"""
    worn: bool = True
    """edges rounded; false: a fresh chord"""

    def made(self, radius: float) -> Irregularity:
        """Irregularity of the tread."""
        return Irregularity.flat(radius, self.length, depth=self.depth, at=self.at, worn=self.worn)


class WheelAxleTable(AxleTable):
    """A force, or a wheel that may have its own shape and flat spot."""

    wheel: WheelTable | None = None
    """shape of this wheel, instead of that of all"""
    flat: WheelFlatTable | None = None
    drive: DriveTable | None = None
    """driving or braking of this wheel, instead of that of all"""

    @model_validator(mode="after")
    def _wheel(self) -> Self:
        if self.force is not None and any(one is not None for one in (self.wheel, self.flat, self.drive)):
            raise ValueError("takes wheel, flat and drive only with the mass or suspension of a wheel")
        return self

    def made(self, shape: WheelTable) -> float | HarmonicAxle | Wheel:
        """A force (N), a function of time, or a wheel."""
        if self.force is not None:
            return self.build()
        own = self.wheel or shape
        flat = None if self.flat is None else self.flat.made(own.radius)
        return own.made(self.mass or 0.0, self.suspended, flat)
