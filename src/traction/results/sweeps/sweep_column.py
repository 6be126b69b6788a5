"""`Column`: a varied quantity or a result of a sweep, with a value for each variant."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.quantities import LADDERS, Unit, significant, unit_for, unit_text

Value = float | int | str | bool

SAME = 1e-9  #: of the largest size: numbers that differ by less do not vary
REPEATED = 1e-6  #: relative; solvers meet a force that is given to about that


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
