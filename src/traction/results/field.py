"""What a run stores: names, units and dimensions of its numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from traction import checks
from traction.errors import InputError

SAMPLE = "sample"  #: the leading dimension of every field

#: what netCDF can hold too
DTYPES = ("float64", "float32", "int64", "int32", "int16", "int8", "uint8", "bool")

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")


@dataclass(frozen=True)
class Field:
    """A quantity that every sample of a run holds."""

    name: str
    unit: str  #: SI, as in "Pa"; "1" for a pure number
    long_name: str
    dims: tuple[str, ...] = ()  #: dimensions after the sample, as in ("y", "x"); each has a `Coordinate`
    dtype: str = "float64"
    may_be_nan: bool = False  #: False: a number that is not finite stops the run
    labels_samples: bool = False  #: True for time, distance and the like: the dataset's coordinate of samples

    def __post_init__(self) -> None:
        _check_words(self.name, self.unit, self.long_name)
        _check_dims(self.name, self.dims)
        checks.choice(f"dtype of {self.name}", self.dtype, DTYPES)
        if self.labels_samples and self.dims:
            raise InputError(
                f"{self.name} labels samples, so it must be one number per sample, without dims."
            )


@dataclass(frozen=True, eq=False)
class Coordinate:
    """The values along one dimension, which has the same name."""

    name: str
    values: np.ndarray
    unit: str
    long_name: str

    def __post_init__(self) -> None:
        _check_words(self.name, self.unit, self.long_name)
        if self.name == SAMPLE:
            raise InputError(
                f"a coordinate must not be called {SAMPLE!r}; that dimension counts the samples."
            )
        values = np.asarray(self.values)
        if values.ndim != 1:
            raise InputError(f"coordinate {self.name} has shape {values.shape}, expected one dimension.")
        object.__setattr__(self, "values", _kept(self.name, values))


@dataclass(frozen=True, eq=False)
class Constant:
    """A quantity that does not change from sample to sample, such as the gap before loading."""

    name: str
    values: np.ndarray
    unit: str
    long_name: str
    dims: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_words(self.name, self.unit, self.long_name)
        _check_dims(self.name, self.dims)
        object.__setattr__(self, "values", _kept(self.name, np.asarray(self.values)))


def check_layout(
    fields: Sequence[Field], coordinates: Sequence[Coordinate], constants: Sequence[Constant] = ()
) -> dict[str, int]:
    """Size of every dimension; an `InputError` where names clash or a dimension has no coordinate."""
    if not fields:
        raise InputError("fields is empty; a run must store at least one field.")
    measured: list[Field | Constant] = [*fields, *constants]
    names = [item.name for item in measured] + [item.name for item in coordinates]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{name!r} names more than one field, coordinate or constant; rename one.")
    sizes = {coordinate.name: len(coordinate.values) for coordinate in coordinates}
    for item in measured:
        for dim in item.dims:
            if dim not in sizes:
                raise InputError(f"{item.name} has dimension {dim!r}, which has no coordinate; add one.")
    for constant in constants:
        expected = tuple(sizes[dim] for dim in constant.dims)
        if constant.values.shape != expected:
            raise InputError(f"{constant.name} has shape {constant.values.shape}, expected {expected}.")
    return sizes


def shapes_of(fields: Sequence[Field], sizes: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """Shape of one sample of each field."""
    return {field.name: tuple(sizes[dim] for dim in field.dims) for field in fields}


def _check_words(name: Any, unit: Any, long_name: Any) -> None:
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name == SAMPLE:
        raise InputError(
            f"name {name!r} must be letters, digits and underscores, begin with a letter, not be {SAMPLE!r}."
        )
    for what, text in (("unit", unit), ("long_name", long_name)):
        if not isinstance(text, str) or not text or not text.isprintable():
            raise InputError(f'{what} of {name} = {text!r} must be printable text; write "1" for no unit.')


def _check_dims(name: str, dims: Any) -> None:
    if not isinstance(dims, tuple) or not all(isinstance(dim, str) for dim in dims):
        raise InputError(f'dims of {name} = {dims!r} must be a tuple of names such as ("y", "x").')
    if len(set(dims)) != len(dims):
        raise InputError(f"dims of {name} = {dims!r} must name each dimension once.")


def _kept(name: str, values: np.ndarray) -> np.ndarray:
    """A copy that nobody can change."""
    checks.choice(f"dtype of {name}", values.dtype.name, DTYPES)
    copy = np.array(values, order="C")
    copy.flags.writeable = False
    return copy
