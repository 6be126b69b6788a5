"""Kind "obstacle": a beam pressed on an obstacle by one load or many."""

from __future__ import annotations

from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Discriminator, Tag, model_validator
from pydantic import Field as Limits

from traction.beams.beam import Beam
from traction.beams.obstacle.obstacle_shapes import Curved, Inclined, Stepped, curved, flat, inclined, stepped
from traction.scenario.schema import (
    Force,
    ForcePerLength,
    Length,
    NotNegativeFoundation,
    PositiveBendingStiffness,
    PositiveForce,
    PositiveLength,
    Slope,
    Strict,
    one_or_many,
)

MOST_ELEMENTS = 20_000
MOST_LOADS = 2_000
SupportName = Literal["clamped", "pinned", "free", "guided"]
SpaceName = Literal["point", "constant", "linear", "dual"]


class ObstacleBeamTable(Strict):
    """The beam; with a shear stiffness it is Timoshenko's, without Euler and Bernoulli's."""

    length: PositiveLength
    bending_stiffness: PositiveBendingStiffness
    shear_stiffness: PositiveForce | None = None
    supports: Annotated[list[SupportName], Limits(min_length=2, max_length=2)] = Limits(
        default_factory=lambda: list[SupportName](("clamped", "free"))
    )
    foundation: NotNegativeFoundation = 0.0

    def build(self) -> Beam:
        """The beam; its mass has no part in what is at rest."""
        left, right = self.supports
        return Beam(
            self.length,
            self.bending_stiffness,
            1.0,
            shear_stiffness=self.shear_stiffness,
            supports=(left, right),
            foundation=self.foundation,
        )


class FlatObstacleTable(Strict):
    """A level obstacle."""

    type: Literal["flat"]
    gap: PositiveLength

    def build(self) -> Inclined:
        """The shape."""
        return flat(self.gap)


class InclinedObstacleTable(Strict):
    """A plane obstacle whose gap grows by `slope` per length."""

    type: Literal["inclined"]
    gap: PositiveLength
    slope: Slope

    def build(self) -> Inclined:
        """The shape."""
        return inclined(self.gap, self.slope)


class CurvedObstacleTable(Strict):
    """A round obstacle, or a hollow one with a negative radius, with its extreme gap at a place."""

    type: Literal["curved"]
    gap: PositiveLength
    radius: Length
    at: Length

    def build(self) -> Curved:
        """The shape."""
        return curved(self.gap, self.radius, self.at)


class SteppedObstacleTable(Strict):
    """Level pieces that change at places, one less than gaps."""

    type: Literal["stepped"]
    gaps: Annotated[list[PositiveLength], Limits(min_length=1, max_length=100)]
    places: Annotated[list[PositiveLength], Limits(max_length=99)]

    def build(self) -> Stepped:
        """The shape."""
        return stepped(self.gaps, self.places)


ObstacleTable = Annotated[
    Annotated[FlatObstacleTable, Tag("flat")]
    | Annotated[InclinedObstacleTable, Tag("inclined")]
    | Annotated[CurvedObstacleTable, Tag("curved")]
    | Annotated[SteppedObstacleTable, Tag("stepped")],
    Discriminator("type"),
]


class PointTable(Strict):
    """A point load, downwards."""

    force: Force
    at: Length


class ObstacleLoadTable(Strict):
    """Uniform load, downwards: one number, or a list to go through; and point loads that stay."""

    per_length: one_or_many(ForcePerLength)  # type: ignore[valid-type]
    point: Annotated[list[PointTable], Limits(max_length=50)] = Limits(default_factory=list)

    @property
    def values(self) -> list[float]:
        """All loads, N/m."""
        return list(self.per_length) if isinstance(self.per_length, list) else [self.per_length]


class ObstacleMeshTable(Strict):
    """Elements, the space of the contact force, and whether the mesh fits or adapts to the contact."""

    elements: Annotated[int, Limits(ge=2, le=MOST_ELEMENTS)] = 200
    multiplier: SpaceName = "linear"
    fitted: bool = True
    adaptive: bool = False
    tolerance: Annotated[float, Limits(ge=1e-10, lt=1.0)] = 1e-7
    points: Annotated[int, Limits(ge=11, le=20_001)] = 501
    """places along the beam at which the answer is stored"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.adaptive and not self.fitted:
            raise ValueError("is adaptive, which needs fitted = true")
        return self


class ObstacleCase(Strict):
    """A beam pressed on an obstacle."""

    title: Annotated[str, Limits(max_length=200)] = "A beam pressed on an obstacle"
    beam: ObstacleBeamTable
    obstacle: ObstacleTable
    above: PositiveLength | None = None
    """gap of a second, level obstacle above the beam"""
    load: ObstacleLoadTable
    mesh: ObstacleMeshTable = ObstacleMeshTable()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if len(self.load.values) > MOST_LOADS:
            raise ValueError(f"has {len(self.load.values)} loads; at most {MOST_LOADS}")
        for point in self.load.point:
            if not 0.0 <= point.at <= self.beam.length:
                raise ValueError(f"has a point load at {point.at} m, off the beam of {self.beam.length} m")
        shape = self.obstacle.build()
        if isinstance(shape, Stepped) and shape.breaks and shape.breaks[-1] >= self.beam.length:
            raise ValueError("has a step of the obstacle beyond the end of the beam")
        gaps = shape(np.linspace(0.0, self.beam.length, 101))
        if not (gaps > 0.0).all():
            raise ValueError("has an obstacle inside the straight beam; its gap must be positive everywhere")
        self.beam.build()
        return self


CASE = ObstacleCase
