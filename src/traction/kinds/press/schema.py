"""Kind "press": two bodies pressed together, through one load or a sequence of them."""

from __future__ import annotations

from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from traction.grid import Grid
from traction.kinds.tables.body_tables import GridTable, PairCase, SurfaceTable
from traction.scenario import si
from traction.scenario.schema import Strict, one_or_many
from traction.surfaces import SurfaceSum


class NormalLoadTable(Strict):
    """Force (per length for a line contact) or approach: one number, or a list to go through in order."""

    exactly_one = (
        ("exactly one of force, force_per_length and approach", "force", "force_per_length", "approach"),
    )

    force: one_or_many(si.PositiveForce) = None  # type: ignore[valid-type]
    force_per_length: one_or_many(si.PositiveForcePerLength) = None  # type: ignore[valid-type]
    approach: one_or_many(si.Length) = None  # type: ignore[valid-type]

    @property
    def given(self) -> str:
        """Name of the argument of `press` that is prescribed."""
        return "approach" if self.approach is not None else "force"

    @property
    def values(self) -> list[float]:
        """All loads in SI, in order."""
        value = next(v for v in (self.force, self.force_per_length, self.approach) if v is not None)
        return list(value) if isinstance(value, list) else [value]


class PressedCase(PairCase):
    """A body of given shape pressed on another one."""

    title: Annotated[str, Field(max_length=200)] = "Two bodies pressed together"
    grid: GridTable
    surface: Annotated[list[SurfaceTable], Field(min_length=1, max_length=20)]
    load: NormalLoadTable

    @model_validator(mode="after")
    def _pressed(self) -> Self:
        self.require_elastic()
        if self.load.force is not None and self.grid.line:
            raise ValueError("has a line contact, which takes load.force_per_length instead of load.force")
        if self.load.force_per_length is not None and not self.grid.line:
            raise ValueError("has no line contact, so it takes load.force instead of load.force_per_length")
        return self

    @property
    def load_unit(self) -> str:
        """Unit of the prescribed quantity."""
        return "m" if self.load.given == "approach" else "N/m" if self.grid.line else "N"

    def build_gap(self, grid: Grid) -> np.ndarray:
        """Undeformed distance over the grid, m."""
        return SurfaceSum(tuple(table.build() for table in self.surface)).gap(grid)


class PressSolverTable(Strict):
    """Settings of the contact solver."""

    tol: Annotated[float, Field(ge=1e-11, lt=1.0)] = 1e-6
    periodic: Literal["x", "y", "xy"] | None = None


class PressCase(PressedCase):
    """A body of given shape pressed on another one."""

    solver: PressSolverTable = PressSolverTable()
