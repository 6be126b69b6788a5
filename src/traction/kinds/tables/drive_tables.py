"""Schemas of driving and braking in scenario files: numbers, or tables of [time, value] pairs."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Annotated, Any, Self

import numpy as np
from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from traction.kinds.tables.friction_tables import (
    AlongTrackTable,
    FrictionTable,
    LayerTable,
    TemperatureTable,
    or_law,
)
from traction.quantities import significant, unit_for
from traction.scenario import si
from traction.scenario.schema import Strict
from traction.trains.drive import Drive, Law, OverTime

MOST_PAIRS = 10_000
MOST_ELEMENTS = 128  #: per direction, of a grid of tractions
Torque = si.quantity("torque", ge=-1e15, le=1e15)
Friction = si.quantity("number", ge=1e-6, le=1e3)
Given = float | list[tuple[float, float]]  #: a number, or times and values
UNITS = {"force": "N", "creepage": "1", "torque": "N m"}


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
    """of the wheel that a torque turns"""
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
        return f"{kind} {given}, {friction}{layer}"


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
