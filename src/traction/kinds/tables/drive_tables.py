"""Schemas of driving and braking in scenario files: numbers, or tables of [time, value] pairs."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import BeforeValidator, Discriminator, Tag, model_validator
from pydantic import Field as Limits

from traction.kinds.tables.friction_tables import Force, Number, Spin
from traction.quantities import significant, unit_for
from traction.scenario.schema import NotNegativeTime, PositiveMomentOfInertia, Strict
from traction.scenario.schema import quantity as typed
from traction.trains.drive import Drive

MOST_PAIRS = 10_000
MOST_ELEMENTS = 128  #: per direction, of a grid of tractions
Torque = typed("torque", ge=-1e15, le=1e15)
Friction = typed("number", ge=1e-6, le=1e3)
UNITS = {"force": "N", "creepage": "1", "torque": "N m"}


@dataclass(frozen=True, eq=False)
class OverTime:
    """A quantity that is linear between given times, and constant before and after them."""

    times: np.ndarray  #: s
    values: np.ndarray

    def __call__(self, t: ArrayLike) -> np.ndarray:
        """At these times, s."""
        return np.asarray(np.interp(np.asarray(t, dtype=float), self.times, self.values))


def over_time(number: Any) -> Any:
    """The type of a number, or of a list of [time, number] pairs."""
    pair = Annotated[tuple[NotNegativeTime, number], BeforeValidator(_pair)]
    many = Annotated[list[pair], Limits(min_length=2, max_length=MOST_PAIRS, fail_fast=True)]
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

    force: over_time(Force) | None = None  # type: ignore[valid-type]
    """of the rail on the wheel, along the travel: positive drives, negative brakes"""
    creepage: over_time(Number) | None = None  # type: ignore[valid-type]
    """longitudinal; positive brakes"""
    torque: over_time(Torque) | None = None  # type: ignore[valid-type]
    """on the wheel: positive drives, negative brakes until it is locked"""
    inertia: PositiveMomentOfInertia | None = None
    """of the wheel that a torque turns"""
    lateral: over_time(Number) = 0.0  # type: ignore[valid-type]
    """creepage across the track"""
    spin: over_time(Spin) = 0.0  # type: ignore[valid-type]
    friction: over_time(Friction) = 0.3  # type: ignore[valid-type]
    """coefficient"""
    elements: Annotated[int, Limits(ge=4, le=MOST_ELEMENTS)] | None = None
    """per direction, on which tractions are solved; those of the contact, and 24 of Hertz's, unless given"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for name in ("force", "creepage", "torque", "lateral", "spin", "friction"):
            pairs = getattr(self, name)
            if isinstance(pairs, list) and any(b[0] <= a[0] for a, b in itertools.pairwise(pairs)):
                raise ValueError(f"needs rising times in {name}")
        self.build()
        return self

    def build(self) -> Drive:
        """As `tr.cross` takes it."""
        return Drive(
            force=_made(self.force),
            creepage=(_made(self.creepage), _made(self.lateral), _made(self.spin)),
            torque=_made(self.torque),
            inertia=self.inertia,
            friction=_made(self.friction),
            elements=self.elements,
        )

    @property
    def words(self) -> str:
        """In a table of inputs."""
        kind = self.build().kind
        return f"{kind} {_range(getattr(self, kind), UNITS[kind])}, friction {_range(self.friction, '1')}"


class WheelsDriveTable(DriveTable):
    """Of all wheels that have no drive of their own, or of some."""

    wheels: Annotated[list[Annotated[int, Limits(ge=1)]], Limits(min_length=1, max_length=1000)] | None = None
    """numbers of wheels, counted from 1"""


def _made(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    times, values = np.array(value, dtype=float).T
    return OverTime(times, values)


def _range(value: float | list[tuple[float, float]], unit: str) -> str:
    """As in "-20.00 kN", or "between -20.00 and 0 kN" of a table."""
    values = [pair[1] for pair in value] if isinstance(value, list) else [value]
    factor, name = 1.0, ""
    if unit != "1":
        chosen = unit_for(values, unit)
        factor, name = chosen.factor, f" {chosen.name}"
    low, high = (significant(one / factor) for one in (min(values), max(values)))
    return f"{low}{name}" if low == high else f"between {low} and {high}{name}"
