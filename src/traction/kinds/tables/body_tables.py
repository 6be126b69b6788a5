"""Schemas of what there is: materials, grids and surfaces in scenario files."""

from __future__ import annotations

from abc import abstractmethod
from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import ConfigDict, Discriminator, Field, Tag, field_validator, model_validator

from traction.grid import Grid
from traction.materials import RIGID, STEEL, Material
from traction.quantities import quantity
from traction.scenario.schema import (
    Length,
    PositiveDensity,
    PositiveLength,
    PositivePressure,
    Strict,
)
from traction.surfaces import Cylinder, HeightMap, Paraboloid, RollingProfile, Sphere, Surface

MOST_CELLS = 4096 * 4096
NAMED_MATERIALS = {"steel": STEEL, "rigid": RIGID}


class Buildable(Strict):
    """A table that stands for something; what cannot be built is refused with the file."""

    @abstractmethod
    def build(self) -> object:
        """What the table stands for."""

    @model_validator(mode="after")
    def _sound(self) -> Self:
        self.build()
        return self


class MaterialTable(Buildable):
    """An elastic material by its moduli."""

    youngs_modulus: PositivePressure
    poisson_ratio: Annotated[float, Field(gt=-1.0, le=0.5)]
    density: PositiveDensity | None = None

    def build(self) -> Material:
        """The material."""
        return Material(self.youngs_modulus, self.poisson_ratio, self.density)


MaterialChoice = Annotated[
    Annotated[Literal["steel", "rigid"], Tag("name")] | Annotated[MaterialTable, Tag("table")],
    Discriminator(lambda value: "table" if isinstance(value, dict | MaterialTable) else "name"),
]


def material(choice: str | MaterialTable) -> Material:
    """A material by name or by its moduli."""
    return NAMED_MATERIALS[choice] if isinstance(choice, str) else choice.build()


class GridTable(Strict):
    """A regular grid of nx by ny elements over two widths; with `line`, nx strips in plane strain."""

    nx: Annotated[int, Field(ge=1, le=8192)]
    ny: Annotated[int, Field(ge=1, le=8192)] | None = None
    width_x: PositiveLength
    width_y: PositiveLength | None = None
    center_x: Length = 0.0
    center_y: Length = 0.0
    line: bool = False
    length: PositiveLength | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        across = (self.ny, self.width_y)
        if self.line and across != (None, None):
            raise ValueError("describes a line contact, which has no ny and no width_y; remove them, or line")
        if not self.line and None in across:
            raise ValueError("needs ny and width_y; give them, or line = true for a line contact")
        cells = self.nx * (self.ny or 1)
        if cells > MOST_CELLS:
            raise ValueError(f"has nx * ny = {cells} elements, at most {MOST_CELLS}; choose fewer")
        self.build()
        return self

    def build(self) -> Grid:
        """The grid."""
        dx = self.width_x / self.nx
        if self.line or self.ny is None or self.width_y is None:
            return Grid.line(self.nx, dx, length=self.length, center=self.center_x)
        dy = self.width_y / self.ny
        return Grid(self.nx, self.ny, dx, dy, center=(self.center_x, self.center_y), length=self.length)


class SphereTable(Buildable):
    """A ball."""

    type: Literal["sphere"]
    radius: PositiveLength
    center_x: Length = 0.0
    center_y: Length = 0.0
    exact: bool = False

    def build(self) -> Surface:
        """The surface."""
        return Sphere(self.radius, center=(self.center_x, self.center_y), exact=self.exact)


class CylinderTable(Buildable):
    """A roller."""

    type: Literal["cylinder"]
    radius: PositiveLength
    axis: Literal["x", "y"] = "y"
    center: Length = 0.0
    exact: bool = False

    def build(self) -> Surface:
        """The surface."""
        return Cylinder(self.radius, axis=self.axis, center=self.center, exact=self.exact)


class ParaboloidTable(Buildable):
    """A body with two radii of curvature."""

    type: Literal["paraboloid"]
    radius_x: PositiveLength
    radius_y: PositiveLength
    center_x: Length = 0.0
    center_y: Length = 0.0

    def build(self) -> Surface:
        """The surface."""
        return Paraboloid(self.radius_x, self.radius_y, center=(self.center_x, self.center_y))


def _or_file(schema: dict[str, Any]) -> None:
    """In a file, the numbers may stand in another file instead."""
    schema["properties"]["file"] = {"type": "string", "description": "text file beside the scenario, in m"}
    schema["required"] = [name for name in schema["required"] if name not in ("x", "y", "z")]


class ProfileTable(Buildable):
    """A wheel of a rolling radius over lateral distances z at the positions y."""

    model_config = ConfigDict(json_schema_extra=_or_file)

    type: Literal["profile"]
    radius: PositiveLength
    y: Annotated[list[Length], Field(min_length=2, max_length=100_000, fail_fast=True)]
    z: Annotated[list[Length], Field(min_length=2, max_length=100_000, fail_fast=True)]
    interpolation: Literal["linear", "cubic"] = "linear"

    def build(self) -> Surface:
        """The surface."""
        return RollingProfile(self.radius, np.array(self.y), np.array(self.z), self.interpolation)


HeightRow = Annotated[list[Length], Field(max_length=4096, fail_fast=True)]


class HeightMapTable(Buildable):
    """Measured heights: one row of z for each y, one number in it for each x."""

    model_config = ConfigDict(json_schema_extra=_or_file)

    type: Literal["height-map"]
    x: Annotated[list[Length], Field(min_length=2, max_length=4096, fail_fast=True)]
    y: Annotated[list[Length], Field(min_length=2, max_length=4096, fail_fast=True)]
    z: Annotated[list[HeightRow], Field(min_length=2, max_length=4096, fail_fast=True)]
    interpolation: Literal["linear", "cubic"] = "linear"

    @field_validator("z")
    @classmethod
    def _rectangular(cls, rows: list[list[float]]) -> list[list[float]]:
        for number, row in enumerate(rows):
            if len(row) != len(rows[0]):
                raise ValueError(f"has {len(row)} numbers in row {number}, but {len(rows[0])} in row 0")
        return rows

    def build(self) -> Surface:
        """The surface."""
        return HeightMap(np.array(self.x), np.array(self.y), np.array(self.z), self.interpolation)


SurfaceTable = Annotated[
    SphereTable | CylinderTable | ParaboloidTable | ProfileTable | HeightMapTable, Field(discriminator="type")
]


def material_words(body: Material) -> str:
    """A material in a few words."""
    if body.rigid:
        return "rigid"
    return f"E {quantity(body.youngs_modulus, 'Pa')}, nu {body.poisson_ratio:g}"


def surface_words(table: SurfaceTable) -> str:
    """A surface in a few words."""
    lengths = {
        name: getattr(table, name) for name in ("radius", "radius_x", "radius_y") if hasattr(table, name)
    }
    return ", ".join([table.type, *(f"{name} {quantity(value, 'm')}" for name, value in lengths.items())])
