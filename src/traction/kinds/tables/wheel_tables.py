"""Schemas of wheels and rails in scenario files: shapes, materials and flat spots, driving and braking."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from functools import partial
from typing import Annotated, Any, Self

import numpy as np
from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from traction.beams.beam import Beam
from traction.kinds.tables.axle_tables import RADIUS, AxleTable
from traction.kinds.tables.body_tables import (
    Buildable,
    MaterialChoice,
    SurfaceTable,
    add_surfaces,
    material,
    material_words,
    surface_words,
)
from traction.kinds.tables.friction_tables import (
    AlongTrackTable,
    FrictionTable,
    LayerTable,
    TemperatureTable,
    or_law,
)
from traction.quantities import quantity, significant, unit_for
from traction.scenario import si
from traction.scenario.schema import Strict
from traction.surfaces import Cylinder, Paraboloid, Surface
from traction.trains.bridge import Bridge
from traction.trains.drive import Drive, Law, OverTime
from traction.trains.irregularity import Irregularity
from traction.trains.shaft import Shaft
from traction.trains.train import HarmonicAxle
from traction.trains.vehicle import Suspension, Wheel

MOST_PAIRS = 10_000
MOST_ELEMENTS = 128  #: per direction, of a grid of tractions
Torque = si.quantity("torque", ge=-1e15, le=1e15)
Friction = si.quantity("number", ge=1e-6, le=1e3)
Given = float | list[tuple[float, float]]  #: a number, or times and values
UNITS = {"force": "N", "creepage": "1", "torque": "N m"}
Surfaces = Annotated[list[SurfaceTable], Field(min_length=1, max_length=20)]


def over_time(number: Any) -> Any:
    """The type of a number, or of a list of [time, number] pairs."""
    pair = Annotated[tuple[si.NotNegativeTime, number], BeforeValidator(_pair)]
    many = Annotated[list[pair], Field(min_length=2, max_length=MOST_PAIRS, fail_fast=True)]
    either = Annotated[number, Tag("one")] | Annotated[many, Tag("many")]
    return Annotated[either, Discriminator(lambda value: "many" if isinstance(value, list) else "one")]


def _pair(value: object) -> object:
    """TOML has lists only."""
    if isinstance(value, list | tuple) and len(value) == 2:
        return tuple(value)
    raise ValueError('must be a pair such as ["0.5 s", "-20 kN"]')


class ShaftTable(Buildable[Shaft]):
    """Torsional spring and damper between a driven wheel and a rotor."""

    makes = Shaft

    stiffness: si.PositiveRotationalStiffness
    damping: si.NotNegativeRotationalDamping = 0.0
    inertia: si.PositiveMomentOfInertia | None = None
    """of the rotor that a torque turns"""

    @property
    def words(self) -> str:
        """In a table of inputs."""
        return quantity(self.stiffness, "N m/rad")


class DriveTable(Strict):
    """Exactly one of a force, a creepage and a torque drives or brakes a wheel; and its friction.

    All of them are numbers, or lists of [time, value] pairs, linear between and constant outside.
    """

    force: over_time(si.Force) | None = None  # type: ignore[valid-type]
    """of the rail on the wheel, along the travel: positive drives, negative brakes"""
    creepage: over_time(si.Number) | None = None  # type: ignore[valid-type]
    """longitudinal; positive brakes"""
    torque: over_time(Torque) | None = None  # type: ignore[valid-type]
    """on the wheel: positive drives, negative brakes until it is locked"""
    inertia: si.PositiveMomentOfInertia | None = None
    """of the wheel that a torque or a shaft turns"""
    shaft: ShaftTable | None = None
    """between the wheel and a rotor, which has the creepage, or on which the torque acts"""
    lateral: over_time(si.Number) = 0.0  # type: ignore[valid-type]
    """creepage across the track"""
    spin: over_time(si.Spin) = 0.0  # type: ignore[valid-type]
    friction: or_law(over_time(Friction)) = 0.3  # type: ignore[valid-type]
    """coefficient, or a table of a law of the slip speed or the temperature, or along the bridge"""
    layer: LayerTable | None = None
    """between wheel and rail"""
    elements: Annotated[int, Field(ge=4, le=MOST_ELEMENTS)] | None = None
    """per direction, on which tractions are solved; those of the contact, and 24 of Hertz's, unless given"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for name in ("force", "creepage", "torque", "lateral", "spin", "friction"):
            pairs = getattr(self, name)
            if isinstance(pairs, list) and any(b[0] <= a[0] for a, b in itertools.pairwise(pairs)):
                raise ValueError(f"needs increasing times in {name}")
        self.build()
        return self

    def build(self) -> Drive:
        """As `tr.cross` takes it."""
        return Drive(
            force=_follow(self.force),
            creepage=(_follow(self.creepage), _follow(self.lateral), _follow(self.spin)),
            torque=_follow(self.torque),
            inertia=self.inertia,
            shaft=None if self.shaft is None else self.shaft.build(),
            friction=self._law,
            layer=None if self.layer is None else self.layer.build(),
            elements=self.elements,
        )

    @property
    def _law(self) -> OverTime | Law:
        law: OverTime | Law = self.friction.build() if self._is_table else _follow(self.friction)
        return law

    @property
    def _is_table(self) -> bool:
        return isinstance(self.friction, FrictionTable | TemperatureTable | AlongTrackTable)

    @property
    def words(self) -> str:
        """In a table of inputs."""
        kind = self.build().kind
        given = _describe_range(getattr(self, kind), UNITS[kind])
        friction = (
            self.friction.words if self._is_table else f"friction {_describe_range(self.friction, '1')}"
        )
        layer = "" if self.layer is None else f", layer of {self.layer.words}"
        shaft = "" if self.shaft is None else f" of a rotor, shaft of {self.shaft.words}"
        return f"{kind} {given}{shaft}, {friction}{layer}"


class WheelsDriveTable(DriveTable):
    """Drive of all wheels that have none of their own, or of some."""

    wheels: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1, max_length=1000)] | None = None
    """numbers of wheels, counted from 1"""


def _follow(value: Any) -> Any:
    """A number, or a function that is linear between the given times, and constant before and after them."""
    if not isinstance(value, list):
        return value
    times, values = np.array(value, dtype=float).T
    return partial(np.interp, xp=times, fp=values)


def _describe_range(value: Given, unit: str) -> str:
    """As in "-20.00 kN", or "between -20.00 and 0 kN" of a table."""
    values = [pair[1] for pair in value] if isinstance(value, list) else [value]
    factor, name = 1.0, ""
    if unit != "1":
        chosen = unit_for(values, unit)
        factor, name = chosen.factor, f" {chosen.name}"
    low, high = (significant(one / factor) for one in (min(values), max(values)))
    return f"{low}{name}" if low == high else f"between {low} and {high}{name}"


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
