"""`Column`: a value for each variant of a sweep; axes: variants as a grid over varied keys, and samples."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.outputs.variable import Variable, counter, data
from traction.quantities import LADDERS, Unit, significant, unit_for, unit_text

Value = float | int | str | bool

SAME = 1e-9  #: of the largest size: numbers that differ by less do not vary
REPEATED = 1e-6  #: relative; solvers meet a force that is given to about that
VARIANT, SAMPLE = "variant", "sample"


@dataclass(frozen=True)
class Column:
    """A quantity with a value for each variant, in SI; text where a value is not a number."""

    name: str
    unit: str  #: SI; "1" for a pure number, "" for text, and where a key may have one of several
    values: tuple[Value, ...]
    written: Unit | None = None  #: unit in which it was given, if in one
    detail: bool = False  #: whether it is a detail of another result

    @cached_property
    def is_number(self) -> bool:
        """Whether all values are numbers."""
        return all(isinstance(value, float | int) and not isinstance(value, bool) for value in self.values)

    @property
    def numbers(self) -> np.ndarray:
        """All values; NaN where there is none."""
        return np.array([float(v) if isinstance(v, float | int) else math.nan for v in self.values])

    @property
    def array(self) -> np.ndarray:
        """All values: numbers where all are, else as they are."""
        return np.array(self.values) if self.is_number else np.array(self.values, dtype=object)

    @cached_property
    def shown_in(self) -> Unit:
        """The unit for display: the one it was given in, or a suitable prefix."""
        if self.written is not None:
            return self.written
        if self.unit in LADDERS and self.is_number:
            return unit_for(self.numbers, self.unit)
        return Unit("" if self.unit == "1" else unit_text(self.unit), 1.0)

    @cached_property
    def varies(self) -> bool:
        """Whether it has different values, beyond rounding."""
        return self.spread > SAME if self.is_number else len(set(self.values)) > 1

    @cached_property
    def spread(self) -> float:
        """Difference of the largest and the smallest number, relative to the largest magnitude."""
        known = self.numbers[np.isfinite(self.numbers)]
        return float(np.ptp(known) / (np.abs(known).max() or 1.0)) if known.size else 0.0

    def repeats(self, other: Column) -> bool:
        """Whether it has the same values as another column, where it has values."""
        known = np.isfinite(self.numbers)
        ours, theirs = self.numbers[known], other.numbers[known]
        return self.unit == other.unit and np.allclose(ours, theirs, rtol=REPEATED, atol=0.0)

    @property
    def heading(self) -> str:
        """Name and SI unit."""
        return f"{self.name} ({self.unit})" if self.unit else self.name

    @property
    def label(self) -> str:
        """Name and unit for display."""
        return f"{self.name} ({self.shown_in.name})" if self.shown_in.name else self.name

    def text(self, row: int) -> str:
        """A value in the unit for display, without it."""
        value = self.values[row]
        if isinstance(value, float):
            return "" if math.isnan(value) else f"{value / self.shown_in.factor:.6g}"
        return str(value)

    def figure(self, row: int) -> str:
        """A result in four digits, likewise."""
        value = self.values[row]
        if isinstance(value, float) and math.isfinite(value):
            return significant(value / self.shown_in.factor)
        return self.text(row)


@dataclass(frozen=True)
class SweepAxis:
    """A dimension of a sweep; the variants run over all axes, the last one fastest."""

    name: str  #: the key, "variant" for lists side by side, or "sample"
    keys: tuple[str, ...]  #: that change along it
    size: int
    laws: tuple[str, ...] = ()  #: distribution of each key of samples
    drawn: str = ""  #: count, method and seed of samples

    @property
    def is_sampled(self) -> bool:
        """Whether it counts samples."""
        return bool(self.laws)

    @property
    def is_grid(self) -> bool:
        """Whether it is a list of values of one key."""
        return self.keys == (self.name,) and not self.laws


def fits(axes: Sequence[SweepAxis], keys: Sequence[str], count: int) -> bool:
    """Whether axes are those of so many variants of these keys."""
    named = sorted(key for one in axes for key in one.keys)
    laws = all(len(one.laws) in (0, len(one.keys)) for one in axes)
    return named == sorted(keys) and math.prod(one.size for one in axes) == count and laws


def identifiers(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Names of variables for the names of columns, no two the same."""
    used = set(taken)
    found = []
    for name in names:
        word = re.sub(r"\W+", "_", name).strip("_") or "column"
        word = word if word[0].isalpha() else f"value_{word}"
        while word in used:
            word += "_"
        used.add(word)
        found.append(word)
    return found


def declare_grid(
    axes: Sequence[SweepAxis], varied: Sequence[Column], results: Sequence[Column], words: Sequence[Column]
) -> Iterable[Variable]:
    """Variables of a sweep: what was varied as coordinates of its axes, all else over all of them."""
    shape = tuple(one.size for one in axes)
    titles = [one.name for one in (*varied, *results)]
    names = identifiers(titles, taken=(VARIANT, SAMPLE, *(one.name for one in words)))
    key_names = dict(zip(titles[: len(varied)], names, strict=False))
    dims = tuple(key_names[step.name] if step.is_grid else step.name for step in axes)
    for place, step in enumerate(axes):
        first = tuple(slice(None) if k == place else 0 for k in range(len(axes)))
        if not step.is_grid:
            yield counter(step.name, step.size, step.name)
        for one in (column for column in varied if column.name in step.keys):
            values, unit = _values(one)
            yield data(key_names[one.name], values.reshape(shape)[first], unit, one.name, dims[place])
    for one, name in zip(results, names[len(varied) :], strict=True):
        values, unit = _values(one)
        yield data(name, values.reshape(shape), unit, one.name, *dims)
    for one in words:
        yield data(one.name, np.array(one.values, dtype=str).reshape(shape), "", one.name, *dims)


def _values(column: Column) -> tuple[np.ndarray, str]:
    if column.is_number:
        return column.numbers, column.unit or "1"
    return np.array([str(value) for value in column.values]), ""
