"""Schemas of pressed bodies in scenario files: materials, grid, shapes and loads."""

from __future__ import annotations

from typing import Annotated, Self

import numpy as np
from pydantic import Field as Limits
from pydantic import model_validator

from traction.grid import Grid
from traction.kinds.tables.body_tables import GridTable, MaterialChoice, SurfaceTable, material
from traction.materials import Pair
from traction.scenario.schema import Length, PositiveForce, PositiveForcePerLength, Strict, one_or_many
from traction.surfaces import SurfaceSum


class NormalLoadTable(Strict):
    """Force (per length for a line contact) or approach: one number, or a list to go through in order."""

    force: one_or_many(PositiveForce) = None  # type: ignore[valid-type]
    force_per_length: one_or_many(PositiveForcePerLength) = None  # type: ignore[valid-type]
    approach: one_or_many(Length) = None  # type: ignore[valid-type]

    @model_validator(mode="after")
    def _one(self) -> Self:
        given = [name for name in type(self).model_fields if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("needs exactly one of force, force_per_length and approach")
        return self

    @property
    def given(self) -> str:
        """Name of the argument of `press` that is prescribed."""
        return "approach" if self.approach is not None else "force"

    @property
    def values(self) -> list[float]:
        """All loads in SI, in order."""
        value = next(v for v in (self.force, self.force_per_length, self.approach) if v is not None)
        return list(value) if isinstance(value, list) else [value]


class PressedCase(Strict):
    """A body of given shape pressed on another one."""

    title: Annotated[str, Limits(max_length=200)] = "Two bodies pressed together"
    upper: MaterialChoice = "steel"
    lower: MaterialChoice = "steel"
    grid: GridTable
    surface: Annotated[list[SurfaceTable], Limits(min_length=1, max_length=20)]
    load: NormalLoadTable

    @model_validator(mode="after")
    def _pressed(self) -> Self:
        if material(self.upper).rigid and material(self.lower).rigid:
            raise ValueError("has two rigid bodies; at least one of upper and lower must deform")
        if self.load.force is not None and self.grid.line:
            raise ValueError("has a line contact, which takes load.force_per_length instead of load.force")
        if self.load.force_per_length is not None and not self.grid.line:
            raise ValueError("has no line contact, so it takes load.force instead of load.force_per_length")
        return self

    @property
    def pair(self) -> Pair:
        """Both materials."""
        return Pair(material(self.upper), material(self.lower))

    def build_gap(self, grid: Grid) -> np.ndarray:
        """Undeformed distance over the grid, m."""
        return SurfaceSum(tuple(table.build() for table in self.surface)).gap(grid)
