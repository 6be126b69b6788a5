"""Kind "obstacle": a beam pressed on an obstacle by one load or many."""

from __future__ import annotations

from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from traction.beams.beam import Beam
from traction.beams.obstacle.obstacle_shapes import Curved, Inclined, Stepped, curved, flat, inclined, stepped
from traction.kinds.tables.body_tables import Buildable
from traction.scenario import si
from traction.scenario.schema import Strict, one_or_many

MOST_ELEMENTS = 20_000
MOST_LOADS = 2_000
SupportName = Literal["clamped", "pinned", "free", "guided"]
SpaceName = Literal["point", "constant", "linear", "dual"]


class ObstacleBeamTable(Strict):
    """The beam; with a shear stiffness it is Timoshenko's, without Euler and Bernoulli's."""

    length: si.PositiveLength
    bending_stiffness: si.PositiveBendingStiffness
    shear_stiffness: si.PositiveForce | None = None
    supports: Annotated[list[SupportName], Field(min_length=2, max_length=2)] = Field(
        default_factory=lambda: list[SupportName](("clamped", "free"))
    )
    foundation: si.NotNegativeFoundation = 0.0

    def build(self) -> Beam:
        """The beam; its mass has no effect at rest."""
        left, right = self.supports
        return Beam(
            self.length,
            self.bending_stiffness,
            1.0,
            shear_stiffness=self.shear_stiffness,
            supports=(left, right),
            foundation=self.foundation,
        )


class FlatObstacleTable(Buildable[Inclined]):
    """A level obstacle."""

    makes = flat

    type: Literal["flat"]
    gap: si.PositiveLength


class InclinedObstacleTable(Buildable[Inclined]):
    """A plane obstacle whose gap grows by `slope` per length."""

    makes = inclined

    type: Literal["inclined"]
    gap: si.PositiveLength
    slope: si.Slope


class CurvedObstacleTable(Buildable[Curved]):
    """A round obstacle, or a hollow one with a negative radius, with its extreme gap at a position."""

    makes = curved

    type: Literal["curved"]
    gap: si.PositiveLength
    radius: si.Length
    at: si.Length


class SteppedObstacleTable(Buildable[Stepped]):
    """Level pieces that change at positions, one fewer than gaps."""

    makes = stepped

    type: Literal["stepped"]
    gaps: Annotated[list[si.PositiveLength], Field(min_length=1, max_length=100)]
    places: Annotated[list[si.PositiveLength], Field(max_length=99)]


ObstacleTable = Annotated[
    FlatObstacleTable | InclinedObstacleTable | CurvedObstacleTable | SteppedObstacleTable,
    Field(discriminator="type"),
]


class PointTable(Strict):
    """A point load, downwards."""

    force: si.Force
    at: si.Length


class ObstacleLoadTable(Strict):
    """Uniform load, downwards: one number, or a list to go through; and point loads that stay."""

    per_length: one_or_many(si.ForcePerLength)  # type: ignore[valid-type]
    point: Annotated[list[PointTable], Field(max_length=50)] = Field(default_factory=list)

    @property
    def values(self) -> list[float]:
        """All loads, N/m."""
        return list(self.per_length) if isinstance(self.per_length, list) else [self.per_length]

    @property
    def forces(self) -> list[tuple[float, float]]:
        """Point loads (N) and their places (m)."""
        return [(point.force, point.at) for point in self.point]


class ObstacleMeshTable(Strict):
    """Elements, the space of the contact force, and whether the mesh fits or adapts to the contact."""

    elements: Annotated[int, Field(ge=2, le=MOST_ELEMENTS)] = 200
    multiplier: SpaceName = "linear"
    fitted: bool = True
    adaptive: bool = False
    tolerance: Annotated[float, Field(ge=1e-10, lt=1.0)] = 1e-7
    points: Annotated[int, Field(ge=11, le=20_001)] = 501
    """positions along the beam at which the solution is stored"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.adaptive and not self.fitted:
            raise ValueError("is adaptive, which needs fitted = true")
        return self


class ObstacleCase(Strict):
    """A beam pressed on an obstacle."""

    title: Annotated[str, Field(max_length=200)] = "A beam pressed on an obstacle"
    beam: ObstacleBeamTable
    obstacle: ObstacleTable
    above: si.PositiveLength | None = None
    """gap of a second, level obstacle above the beam"""
    load: ObstacleLoadTable
    mesh: ObstacleMeshTable = ObstacleMeshTable()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if len(self.load.values) > MOST_LOADS:
            raise ValueError(f"has {len(self.load.values)} loads; at most {MOST_LOADS}")
        for point in self.load.point:
            if not 0.0 <= point.at <= self.beam.length:
                raise ValueError(f"has a point load at {point.at} m, outside the beam, {self.beam.length} m")
        shape = self.obstacle.build()
        if isinstance(shape, Stepped) and shape.breaks and shape.breaks[-1] >= self.beam.length:
            raise ValueError("has a step of the obstacle beyond the end of the beam")
        gaps = shape(np.linspace(0.0, self.beam.length, 101))
        if not (gaps > 0.0).all():
            raise ValueError("has an obstacle inside the straight beam; its gap must be positive everywhere")
        self.beam.build()
        return self
