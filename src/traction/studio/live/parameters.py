"""Handles of a drag: numbers within limits, and choices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from traction.studio.refusal import RefusedError

Given = Mapping[str, object]


@dataclass(frozen=True)
class Labelled:
    """What can be changed in a drag: its name in a request, and its words on the page."""

    name: str
    label: str


@dataclass(frozen=True)
class DragHandle(Labelled):
    """A number that can be dragged between two limits, in SI."""

    unit: str
    default: float
    minimum: float
    maximum: float
    step: float | None = None  #: of arrow keys

    def read(self, given: Given) -> float:
        """The value in a request, the default where there is none."""
        return self.check(given.get(self.name, self.default))

    def check(self, value: object) -> float:
        """The number, if it is one within the limits."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise RefusedError(400, f"{self.name} must be a finite number.")
        if not self.minimum <= value <= self.maximum:
            raise RefusedError(
                400, f"{self.name} = {value:g} {self.unit} must be from {self.minimum:g} to {self.maximum:g}."
            )
        return float(value)


@dataclass(frozen=True)
class DragChoice(Labelled):
    """One of several words."""

    default: str
    options: tuple[str, ...]

    def read(self, given: Given) -> str:
        """The word in a request, the default where there is none."""
        value = given.get(self.name, self.default)
        if not isinstance(value, str) or value not in self.options:
            raise RefusedError(400, f"{self.name} must be one of {', '.join(self.options)}.")
        return value


def read_vector(given: Given, name: str, handles: Sequence[DragHandle]) -> tuple[float, ...]:
    """Several numbers under one name; defaults where there are none."""
    values = given.get(name, [one.default for one in handles])
    if not isinstance(values, list) or len(values) != len(handles):
        raise RefusedError(400, f"{name} must be a list of {len(handles)} numbers.")
    return tuple(one.check(value) for one, value in zip(handles, values, strict=True))


def read_count(given: Given, name: str, default: int, least: int, most: int) -> int:
    """A whole number within limits."""
    value = given.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise RefusedError(400, f"{name} must be a whole number from {least} to {most}.")
    return value


def read_switch(given: Given, name: str, default: bool = True) -> bool:
    """True or false."""
    value = given.get(name, default)
    if not isinstance(value, bool):
        raise RefusedError(400, f"{name} must be true or false.")
    return value


def describe_handles(handles: Sequence[Labelled]) -> list[dict[str, object]]:
    """For the page."""
    return [asdict(one) for one in handles]
