"""Kind "resonance": trains cross a beam at many speeds; the largest response of each crossing."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Self

import numpy as np
from pydantic import Field, model_validator

from traction.kinds.tables.axle_tables import MOST_AXLES, TrainName, named_train
from traction.kinds.tables.beam_tables import BeamCase, held
from traction.scenario import si
from traction.scenario.schema import Strict, named_also
from traction.trains.train import Train

MOST_TRAINS, MOST_SPEEDS, MOST_CROSSINGS = 20, 100_000, 1_000_000
MOST_SWEPT_MODES = 50


class ForceTable(Strict):
    """A constant force behind the first axle."""

    force: si.Force
    distance: si.NotNegativeLength = 0.0


class AxlesTable(Strict):
    """A custom train: constant forces, and the spacing that repeats."""

    name: Annotated[str, Field(min_length=1, max_length=40)]
    spacing: si.PositiveLength | None = None
    """of coaches or axles; expected resonance speeds follow from it"""
    axle: Annotated[list[ForceTable], Field(min_length=1, max_length=MOST_AXLES)]

    def build(self) -> Train:
        """The train."""
        axles = [(axle.force, axle.distance) for axle in self.axle]
        return Train(axles, spacing=self.spacing, name=self.name)


class SpeedsTable(Strict):
    """Equally spaced speeds, or a list of them."""

    lowest: si.PositiveSpeed | None = None
    highest: si.PositiveSpeed | None = None
    count: Annotated[int, Field(ge=2, le=MOST_SPEEDS)] | None = None
    values: Annotated[list[si.PositiveSpeed], Field(min_length=1, max_length=MOST_SPEEDS)] | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        given = [value is not None for value in (self.lowest, self.highest, self.count)]
        if any(given) == (self.values is not None) or any(given) != all(given):
            raise ValueError("needs lowest, highest and count, or a list of values")
        if self.lowest is not None and self.highest is not None and self.lowest >= self.highest:
            raise ValueError(
                f"has lowest = {self.lowest:g} m/s, which must be below highest = {self.highest:g} m/s"
            )
        if self.values is not None and any(np.diff(self.values) <= 0.0):
            raise ValueError("has values that do not increase")
        return self

    @property
    def all(self) -> np.ndarray:
        """Speeds, m/s."""
        if self.values is not None:
            return np.array(self.values)
        return np.linspace(self.lowest or 0.0, self.highest or 0.0, self.count or 0)


class ResonanceCase(BeamCase):
    """Trains that cross a beam at many speeds."""

    title: Annotated[str, Field(max_length=200)] = "Resonance of a beam with trains"
    trains: Annotated[list[TrainName], Field(min_length=1, max_length=MOST_TRAINS)] | None = None
    """by name"""
    train: Annotated[list[AxlesTable], Field(min_length=1, max_length=MOST_TRAINS)] | None = None
    """custom trains"""
    speeds: SpeedsTable
    modes: Annotated[int, Field(ge=1, le=MOST_SWEPT_MODES)] = named_also("size", 3)
    place: si.NotNegativeLength | None = named_also("x")
    """midspan unless given; `x` as in `tr.resonance` is the same"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.trains is None and self.train is None:
            raise ValueError("needs trains by name, or a list of custom ones")
        names = [one.name for one in self.cars]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f'has two trains of the name "{twice}"')
        if len(names) > MOST_TRAINS or len(names) * self.speeds.all.size > MOST_CROSSINGS:
            raise ValueError(
                f"has too many crossings, at most {MOST_TRAINS} trains and {MOST_CROSSINGS} in all"
            )
        if not held(self.built):
            raise ValueError("has a beam with a rigid-body motion: support it")
        self.beam.require_ratios(self.modes)
        self.beam.require_place("place", self.place)
        return self

    @cached_property
    def cars(self) -> list[Train]:
        """All trains."""
        return [*map(named_train, self.trains or []), *(one.build() for one in self.train or [])]

    @property
    def x(self) -> float:
        """Output position, m."""
        return 0.5 * self.built.length if self.place is None else self.place
