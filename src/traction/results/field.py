"""Content of a run: names, units and dimensions of its numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction import checks
from traction.errors import InputError

Samples = dict[str, np.ndarray]  #: field name -> array with the samples first

SAMPLE = "sample"  #: the leading dimension of every field

#: what netCDF can hold too
DTYPES = ("float64", "float32", "int64", "int32", "int16", "int8", "uint8", "bool")

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")


@dataclass(frozen=True)
class Field:
    """A quantity in every sample of a run."""

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


def field_table(rows: str) -> tuple[Field, ...]:
    """Fields, a line each: name | unit | words | dimensions | dtype, "may be nan", "labels samples".

    The last two may be left out; commas separate several of what the last may hold.
    """
    return tuple(_read_field(*(cell.strip() for cell in row.split("|"))) for row in rows.strip().splitlines())


def _read_field(name: str, unit: str, words: str, dims: str = "", more: str = "") -> Field:
    flags = {"may be nan": "may_be_nan", "labels samples": "labels_samples"}
    given = [word.strip() for word in more.split(",") if word.strip()]
    dtype = next((word for word in given if word not in flags), "float64")
    chosen = {flags[word]: True for word in given if word in flags}
    return Field(name, unit, words, tuple(dims.split()), dtype, **chosen)


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
    """A quantity that is constant over the samples, such as the gap before loading."""

    name: str
    values: np.ndarray
    unit: str
    long_name: str
    dims: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_words(self.name, self.unit, self.long_name)
        _check_dims(self.name, self.dims)
        object.__setattr__(self, "values", _kept(self.name, np.asarray(self.values)))


@dataclass(frozen=True, eq=False)
class Layout:
    """Content of a run: fields of every sample, the number of samples, and constants."""

    fields: tuple[Field, ...]
    total: int  #: number of samples of the complete run
    coordinates: tuple[Coordinate, ...] = ()
    constants: tuple[Constant, ...] = ()

    def __post_init__(self) -> None:
        checks.count("total", self.total)
        if not self.fields:
            raise InputError("fields is empty; a run must store at least one field.")
        measured: list[Field | Constant] = [*self.fields, *self.constants]
        names = [item.name for item in measured] + [item.name for item in self.coordinates]
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"{name!r} names more than one field, coordinate or constant; rename one.")
        for item in measured:
            for dim in item.dims:
                if dim not in self._sizes:
                    raise InputError(f"{item.name} has dimension {dim!r}, which has no coordinate; add one.")
        for constant in self.constants:
            expected = self._shape(constant)
            if constant.values.shape != expected:
                raise InputError(f"{constant.name} has shape {constant.values.shape}, expected {expected}.")

    @cached_property
    def _sizes(self) -> dict[str, int]:
        return {coordinate.name: len(coordinate.values) for coordinate in self.coordinates}

    def _shape(self, item: Field | Constant) -> tuple[int, ...]:
        return tuple(self._sizes[dim] for dim in item.dims)

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shape of one sample of each field."""
        return {field.name: self._shape(field) for field in self.fields}

    @property
    def bytes_per_sample(self) -> int:
        """Size of one sample, at least 1."""
        shapes = self.shapes
        sizes = (np.dtype(item.dtype).itemsize * int(np.prod(shapes[item.name])) for item in self.fields)
        return max(1, sum(sizes))

    def empty(self, count: int) -> Samples:
        """Storage for `count` samples."""
        shapes = self.shapes
        return {item.name: np.empty((count, *shapes[item.name]), dtype=item.dtype) for item in self.fields}

    def count_of(self, samples: Mapping[str, np.ndarray]) -> int:
        """Number of samples; an `InputError` unless all fields are there, of the right shape."""
        if set(samples) != {item.name for item in self.fields}:
            expected = ", ".join(item.name for item in self.fields)
            raise InputError(f"samples hold {', '.join(samples) or 'nothing'}; expected exactly {expected}.")
        counts = set()
        for name, shape in self.shapes.items():
            if samples[name].ndim == 0 or samples[name].shape[1:] != shape:
                raise InputError(f"{name} has shape {samples[name].shape}, expected (samples, *{shape}).")
            counts.add(len(samples[name]))
        for item in self.fields:
            if samples[item.name].dtype != np.dtype(item.dtype):
                raise InputError(f"{item.name} has dtype {samples[item.name].dtype}, expected {item.dtype}.")
        if len(counts) != 1:
            raise InputError(f"the fields have {sorted(counts)} samples; each must have the same number.")
        return counts.pop()


def _check_words(name: object, unit: object, long_name: object) -> None:
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name == SAMPLE:
        raise InputError(
            f"name {name!r} must be letters, digits and underscores, begin with a letter, not be {SAMPLE!r}."
        )
    for what, text in (("unit", unit), ("long_name", long_name)):
        if not isinstance(text, str) or not text or not text.isprintable():
            raise InputError(f'{what} of {name} = {text!r} must be printable text; write "1" for no unit.')


def _check_dims(name: str, dims: object) -> None:
    if not isinstance(dims, tuple) or not all(isinstance(dim, str) for dim in dims):
        raise InputError(f'dims of {name} = {dims!r} must be a tuple of names such as ("y", "x").')
    if len(set(dims)) != len(dims):
        raise InputError(f"dims of {name} = {dims!r} must name each dimension once.")


def _kept(name: str, values: np.ndarray) -> np.ndarray:
    """A read-only copy."""
    checks.choice(f"dtype of {name}", values.dtype.name, DTYPES)
    copy = np.array(values, order="C")
    copy.flags.writeable = False
    return copy
