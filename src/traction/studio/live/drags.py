"""What is dragged: the drags there are, their handles (numbers within limits, choices), their solutions."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from types import ModuleType

from traction.studio.messages import Facts, RefusedError, pack

#: name, module, and the public name that it needs
LISTED = (
    ("rolling", "rolling_patch", "roll_steady"),
    ("creep-curve", "creep_curve", "Batch"),
    ("wheelset", "wheelset_position", "wheel_rail"),
    ("train", "train_speed", "resonance"),
    ("friction", "friction_curve", "friction"),
)
Given = Mapping[str, object]


def available_drags() -> dict[str, str]:
    """Modules of the drags whose functions this version has, by name."""
    import traction

    public = set(dir(traction))
    return {name: module for name, module, needed in LISTED if needed in public}


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


def describe_drag(name: str) -> Facts:
    """Handles of a drag, with limits and defaults."""
    facts: Facts = _module(name).describe()
    return facts


def solve_drag(name: str, given: Facts) -> Facts:
    """The solution where the handles are, what limits its validity, and how long it took."""
    module, began = _module(name), time.perf_counter()
    packed = read_switch(given, "packed", default=False)
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        found: Facts = module.solve(given)
    notes = dict.fromkeys(str(one.message) for one in raised if issubclass(one.category, UserWarning))
    facts = {key: pack(one) for key, one in found.items()} if packed else found
    return {**facts, "notes": list(notes), "seconds": time.perf_counter() - began}


def _module(name: str) -> ModuleType:
    module = available_drags().get(name)
    if module is None:
        raise RefusedError(404, f'there is no drag "{name[:60]}".')
    return import_module(f"traction.studio.live.{module}")
