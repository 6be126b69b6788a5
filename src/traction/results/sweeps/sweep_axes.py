"""Axes of a sweep: its variants as a grid over the keys that were varied, and over samples."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from traction.outputs.variable import Variable, counter, data
from traction.results.sweeps.sweep_column import Column

VARIANT, SAMPLE = "variant", "sample"


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
