"""Schemas of materials, grids and surfaces in scenario files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar, Generic, Literal, Self, TypeVar

from pydantic import ConfigDict, Discriminator, Field, Tag, field_validator, model_validator

from traction.grid import Grid
from traction.materials import RIGID, STEEL, Material, Pair
from traction.quantities import given
from traction.scenario import si
from traction.scenario.schema import Strict
from traction.surfaces import Cylinder, HeightMap, Paraboloid, RollingProfile, Sphere, Surface, SurfaceSum

MOST_CELLS = 4096 * 4096
Built = TypeVar("Built")
NAMED_MATERIALS = {"steel": STEEL, "rigid": RIGID}


class Buildable(Strict, Generic[Built]):
    """A table that describes an object; invalid ones are refused with the file."""

    makes: ClassVar[Callable[..., Any]]  #: takes the keys of the table as its arguments

    joins: ClassVar[tuple[str, ...]] = ()  #: an argument, and the keys whose values it takes together

    def build(self) -> Built:
        """The object that the table describes."""
        given = {name: value for name, value in self if name != "type"}
        if self.joins:
            name, *keys = self.joins
            given[name] = tuple(given.pop(key) for key in keys)
        return type(self).makes(**given)

    @model_validator(mode="after")
    def _sound(self) -> Self:
        self.build()
        return self


class MaterialTable(Buildable[Material]):
    """An elastic material by its moduli."""

    makes = Material

    youngs_modulus: si.PositivePressure
    poisson_ratio: Annotated[float, Field(gt=-1.0, le=0.5)]
    density: si.PositiveDensity | None = None
    specific_heat: si.PositiveSpecificHeat | None = None
    """for temperatures"""
    conductivity: si.PositiveConductivity | None = None
    """for temperatures"""


MaterialChoice = Annotated[
    Annotated[Literal["steel", "rigid"], Tag("name")] | Annotated[MaterialTable, Tag("table")],
    Discriminator(lambda value: "table" if isinstance(value, dict | MaterialTable) else "name"),
]


def material(choice: str | MaterialTable) -> Material:
    """A material by name or by its moduli."""
    return NAMED_MATERIALS[choice] if isinstance(choice, str) else choice.build()


class PairCase(Strict):
    """Two bodies by their materials."""

    title: Annotated[str, Field(max_length=200)] = ""
    upper: MaterialChoice = "steel"
    lower: MaterialChoice = "steel"

    @property
    def pair(self) -> Pair:
        """Both materials."""
        return Pair(material(self.upper), material(self.lower))

    def require_elastic(self) -> None:
        """Refuse two rigid bodies."""
        if material(self.upper).rigid and material(self.lower).rigid:
            raise ValueError("has two rigid bodies; at least one of upper and lower must deform")


class GridTable(Strict):
    """A regular grid of nx by ny elements over two widths; with `line`, nx strips in plane strain."""

    nx: Annotated[int, Field(ge=1, le=8192)]
    ny: Annotated[int, Field(ge=1, le=8192)] | None = None
    width_x: si.PositiveLength
    width_y: si.PositiveLength | None = None
    center_x: si.Length = 0.0
    center_y: si.Length = 0.0
    line: bool = False
    length: si.PositiveLength | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        across = (self.ny, self.width_y)
        if self.line and across != (None, None):
            raise ValueError("describes a line contact, which has no ny and no width_y; remove them, or line")
        if not self.line and None in across:
            raise ValueError("needs ny and width_y; give them, or line = true for a line contact")
        if self.cells > MOST_CELLS:
            raise ValueError(f"has nx * ny = {self.cells} elements, at most {MOST_CELLS}; choose fewer")
        self.build()
        return self

    @property
    def cells(self) -> int:
        """Number of elements."""
        return self.nx * (self.ny or 1)

    def require_area(self, most: int, no_line: str, too_many: str) -> None:
        """Refuse a line contact, or more than so many elements, in these words."""
        if self.line:
            raise ValueError(f"does not support line contact{no_line}")
        if self.cells > most:
            raise ValueError(too_many)

    def build(self) -> Grid:
        """The grid."""
        dx = self.width_x / self.nx
        if self.line or self.ny is None or self.width_y is None:
            return Grid.line(self.nx, dx, length=self.length, center=self.center_x)
        dy = self.width_y / self.ny
        return Grid(self.nx, self.ny, dx, dy, center=(self.center_x, self.center_y), length=self.length)


class SphereTable(Buildable[Surface]):
    """A ball."""

    makes = Sphere
    joins = ("center", "center_x", "center_y")

    type: Literal["sphere"]
    radius: si.PositiveLength
    center_x: si.Length = 0.0
    center_y: si.Length = 0.0
    exact: bool = False


class CylinderTable(Buildable[Surface]):
    """A roller."""

    makes = Cylinder

    type: Literal["cylinder"]
    radius: si.PositiveLength
    axis: Literal["x", "y"] = "y"
    center: si.Length = 0.0
    exact: bool = False


class ParaboloidTable(Buildable[Surface]):
    """A body with two radii of curvature."""

    makes = Paraboloid
    joins = ("center", "center_x", "center_y")

    type: Literal["paraboloid"]
    radius_x: si.PositiveLength
    radius_y: si.PositiveLength
    center_x: si.Length = 0.0
    center_y: si.Length = 0.0


def _or_file(schema: dict[str, Any]) -> None:
    """In a file, the numbers may be in another file instead."""
    schema["properties"]["file"] = {"type": "string", "description": "text file beside the scenario, in m"}
    schema["required"] = [name for name in schema["required"] if name not in ("x", "y", "z")]


class ProfileTable(Buildable[Surface]):
    """A wheel of a rolling radius over lateral distances z at the positions y."""

    model_config = ConfigDict(json_schema_extra=_or_file)

    makes = RollingProfile

    type: Literal["profile"]
    radius: si.PositiveLength
    y: Annotated[list[si.Length], Field(min_length=2, max_length=100_000, fail_fast=True)]
    z: Annotated[list[si.Length], Field(min_length=2, max_length=100_000, fail_fast=True)]
    interpolation: Literal["linear", "cubic"] = "linear"


HeightRow = Annotated[list[si.Length], Field(max_length=4096, fail_fast=True)]


class HeightMapTable(Buildable[Surface]):
    """Measured heights: one row of z for each y, one number in it for each x."""

    model_config = ConfigDict(json_schema_extra=_or_file)

    makes = HeightMap

    type: Literal["height-map"]
    x: Annotated[list[si.Length], Field(min_length=2, max_length=4096, fail_fast=True)]
    y: Annotated[list[si.Length], Field(min_length=2, max_length=4096, fail_fast=True)]
    z: Annotated[list[HeightRow], Field(min_length=2, max_length=4096, fail_fast=True)]
    interpolation: Literal["linear", "cubic"] = "linear"

    @field_validator("z")
    @classmethod
    def _rectangular(cls, rows: list[list[float]]) -> list[list[float]]:
        for number, row in enumerate(rows):
            if len(row) != len(rows[0]):
                raise ValueError(f"has {len(row)} numbers in row {number}, but {len(rows[0])} in row 0")
        return rows


SurfaceTable = Annotated[
    SphereTable | CylinderTable | ParaboloidTable | ProfileTable | HeightMapTable, Field(discriminator="type")
]


def add_surfaces(tables: Sequence[SurfaceTable]) -> Surface:
    """The surface that several make together."""
    built = [table.build() for table in tables]
    return built[0] if len(built) == 1 else SurfaceSum(tuple(built))


def material_words(body: Material) -> str:
    """A material in a few words."""
    if body.rigid:
        return "rigid"
    return f"E = {given(body.youngs_modulus, 'Pa')}, ν = {body.poisson_ratio:g}"  # noqa: RUF001


def surface_words(table: SurfaceTable) -> str:
    """A surface in a few words."""
    lengths = {
        name: getattr(table, name) for name in ("radius", "radius_x", "radius_y") if hasattr(table, name)
    }
    if len(lengths) == 2:
        across = " and ".join(given(value, "m") for value in lengths.values())
        return f"{table.type}, radii {across} along x and y"
    return ", ".join([table.type, *(f"{name} {given(value, 'm')}" for name, value in lengths.items())])
