"""Kind "rest": wheels at rest on a bridge, contact patches and bending in agreement."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from traction.kinds.tables.beam_tables import BeamCase, held
from traction.kinds.tables.body_tables import GridTable
from traction.kinds.tables.wheel_tables import RailTable, WheelTable
from traction.scenario import si
from traction.scenario.schema import Strict

MOST_WHEELS = 50
MOST_CELLS = 512 * 512
ONE = 1.0  #: mass of a wheel that stands, which does not matter, kg


class StandingWheelTable(WheelTable):
    """A wheel, its position, and either its force or its downward displacement."""

    exactly_one = (("either a force or a drop", "force", "drop"),)

    at: si.NotNegativeLength
    force: si.PositiveForce | None = None
    drop: si.PositiveLength | None = None
    """since it touched the straight bridge"""


class RestSolverTable(Strict):
    """Settings of the coupled solution of bending and contact."""

    method: Literal["newton", "fixed-point"] = "newton"
    tol: Annotated[float, Field(ge=1e-12, lt=1.0)] = 1e-10
    max_iterations: Annotated[int, Field(ge=1, le=1000)] = 30


class RestCase(BeamCase):
    """Wheels on a bridge."""

    title: Annotated[str, Field(max_length=200)] = "Wheels at rest on a bridge"
    rail: RailTable = RailTable()
    wheel: Annotated[list[StandingWheelTable], Field(min_length=1, max_length=MOST_WHEELS)]
    grid: GridTable | None = None
    """of each patch, around its wheel; 48 x 48 elements that hold it unless given"""
    solver: RestSolverTable = RestSolverTable()
    points: Annotated[int, Field(ge=2, le=10_001)] = 201
    """along the bridge, at which deflections are stored"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for k, one in enumerate(self.wheel):
            self.beam.require_place(f"wheel.{k}.at", one.at)
        if not held(self.built):
            raise ValueError("has an unsupported beam; give it supports or a foundation")
        if self.grid is not None:
            too_many = f"has more than {MOST_CELLS} elements in its grid; choose fewer"
            self.grid.require_area(MOST_CELLS, "; tr.rest does, with grid=tr.Grid.line", too_many)
        return self

    @property
    def stood(self) -> dict[str, Any]:
        """Wheels, bridge and grid, as `tr.rest` takes them."""
        return {
            "wheel": [one.made(ONE) for one in self.wheel], "bridge": self.rail.bridge(self.built),
            "at": [one.at for one in self.wheel], "force": [one.force for one in self.wheel],
            "drop": [one.drop for one in self.wheel],
            "grid": None if self.grid is None else self.grid.build(),
        }  # fmt: skip
