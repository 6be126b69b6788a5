"""The list of cases: each is a name and a function that computes numbers by the public API."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

Compute = Callable[[], Mapping[str, Any]]
Arrays = dict[str, np.ndarray]

API: dict[str, Compute] = {}  #: calls of the public API, by name
ERROR = "error"  #: the array that holds the text of what a case raised


def call(name: str, *arguments: Any) -> Callable[[Callable[..., Mapping[str, Any]]], Any]:
    """Register a function as the case `api/NAME`; `arguments` are passed on to it.

    Several of these above one function make several cases of it.
    """

    def register(function: Callable[..., Mapping[str, Any]]) -> Callable[..., Mapping[str, Any]]:
        full = f"api/{name}"
        if full in API:
            raise ValueError(f"the case {full} is there twice; give one of them another name.")
        API[full] = lambda: function(*arguments)
        return function

    return register


def each(name: str, values: Iterable[Any]) -> Callable[[Callable[..., Mapping[str, Any]]], Any]:
    """Register a function of one argument as a case for each value; `{}` in the name stands for it."""

    def register(function: Callable[..., Mapping[str, Any]]) -> Callable[..., Mapping[str, Any]]:
        for value in values:
            call(name.format(value), value)(function)
        return function

    return register


def matches(name: str, only: Iterable[str]) -> bool:
    """Whether a case is asked for: by its group, the begin of its path, or a pattern with * and ?."""
    wanted = [one.rstrip("/") for one in only]
    if not wanted:
        return True
    return any(name == one or name.startswith(f"{one}/") or fnmatchcase(name, one) for one in wanted)


def computed(compute: Compute) -> Arrays:
    """The arrays of a case; of one that raises, the text of the error."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return dict(flat(compute()))
        except Exception as error:
            return {ERROR: np.array(f"{type(error).__name__}: {error}")}


def flat(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, np.ndarray]]:
    """All arrays of nested mappings, names joined by dots."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", array_of(value)


def array_of(value: Any) -> np.ndarray:
    """Numbers as they are, everything else as text."""
    if isinstance(value, Enum):
        return np.array(str(value.value))
    if value is None or isinstance(value, str):
        return np.array(str(value))
    array = np.array(value)
    if array.dtype.kind in "biufc":
        return array
    if array.dtype.kind in "Mm":
        return array.astype(np.int64)
    return np.array([str(one) for one in array.ravel()]).reshape(array.shape)
