"""`Variable`: a quantity of a result, with its name, unit and dimensions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

#: what a quantity is taken from: its values, or a function that computes them when they are asked for
Source = ArrayLike | Callable[[], ArrayLike]


@dataclass(frozen=True, eq=False)
class Variable:
    """A quantity in SI; one whose only dimension has its own name is the coordinate of that dimension."""

    name: str
    source: Source
    unit: str  #: SI, as in "Pa"; "1" for a pure number, "" for text
    long_name: str
    dims: tuple[str, ...] = ()
    is_figure: bool = False  #: whether a summary of the result shows it
    scale: float = 0.0  #: of what it is the sum: in a summary, what is far below it is rounding

    @cached_property
    def values(self) -> np.ndarray:
        """The numbers or texts, of as many axes as there are dimensions."""
        return np.asarray(self.source() if callable(self.source) else self.source)

    @property
    def is_coordinate(self) -> bool:
        """Whether it labels a dimension."""
        return self.dims == (self.name,)

    @property
    def labels(self) -> dict[str, str]:
        """Unit and long name, as readers of netCDF expect them; the unit of text is empty."""
        return {"units": self.unit, "long_name": self.long_name}


def axis(name: str, values: Source, unit: str, long_name: str) -> Variable:
    """The coordinate of the dimension of that name."""
    return Variable(name, values, unit, long_name, (name,))


def counter(name: str, count: int, long_name: str) -> Variable:
    """The coordinate that numbers axles, modes, contacts and the like: from 1, as in reports."""
    return axis(name, np.arange(1, count + 1), "1", long_name)


def data(name: str, values: Source, unit: str, long_name: str, *dims: str) -> Variable:
    """A quantity over one or more dimensions."""
    return Variable(name, values, unit, long_name, dims)


def number(name: str, value: float | bool, unit: str, long_name: str) -> Variable:
    """A single number."""
    return Variable(name, value, unit, long_name)


def figure(
    name: str, value: float | Callable[[], float], unit: str, long_name: str, scale: float = 0.0
) -> Variable:
    """A single number that belongs into the summary of the result, where it is zero far below `scale`."""
    return Variable(name, value, unit, long_name, is_figure=True, scale=scale)


def components(*names: str) -> Variable:
    """The coordinate that labels the components of vectors."""
    return axis("component", np.array(names or ("x", "y")), "", "component")


def sizes_of(variables: Iterable[Variable]) -> dict[str, int]:
    """Length of each dimension, in the order in which they are met."""
    found: dict[str, int] = {}
    for one in variables:
        found.update(zip(one.dims, one.values.shape, strict=True))
    return found
