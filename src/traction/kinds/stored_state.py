"""Checks of stored states before they are used: whoever wrote them may have set every checksum right."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.state_arrays import Arrays

LARGEST_COUNT = 2**53  #: of steps; floats count no further
LEAST_INDEX = -16  #: marks of arrays of indices, below zero
MANY = 10_000  #: an index may be as large, or as the largest array has elements


def require_like(first: Arrays, state: Mapping[str, np.ndarray], *, growing: tuple[str, ...] = ()) -> None:
    """Refuse arrays of other types and shapes than in the `first` state of a run, and NaN where it has none.

    Rows of those named `growing` may have become more. Names with dots belong to structures, which are
    checked as they are read; the others must be the same.
    """
    plain, given = ({name for name in one if "." not in name} for one in (first, state))
    for name in sorted(plain ^ given):
        raise InputError(f"{checks.shown(name)} is {'missing' if name in plain else 'unknown'}")
    largest = max([MANY, *(array.size for array in first.values())])
    for name, array in first.items():
        if name in state:
            _require_alike(name, array, state[name], name in growing)
            require_indices(name, state[name], largest)


def _require_alike(name: str, first: np.ndarray, array: np.ndarray, growing: bool) -> None:
    alike = array.shape[1:] == first.shape[1:] and len(array) if growing else array.shape == first.shape
    if array.dtype != first.dtype or array.ndim != first.ndim or not alike:
        raise InputError(
            f"{name} is an array {array.shape} of {array.dtype}, expected {first.shape} of {first.dtype}"
        )
    if array.dtype.kind in "fc" and np.isnan(array).any() and not np.isnan(first).any():
        raise InputError(f"{name} is not a number")


def require_indices(name: str, array: np.ndarray, largest: int) -> None:
    """Refuse counts and indices that lead nowhere."""
    if array.dtype.kind not in "iu" or not array.size:
        return
    low, high = (0, LARGEST_COUNT) if array.ndim == 0 else (LEAST_INDEX, largest)
    if array.min() < low or array.max() > high:
        raise InputError(f"{name} lies outside {low} to {high}")


def require_shapes(parts: Mapping[str, tuple[np.ndarray, tuple[int, ...]]]) -> None:
    """Refuse arrays that have other shapes than they must."""
    for name, (array, shape) in parts.items():
        if array.shape != shape:
            raise InputError(f"{name} has shape {array.shape}, expected {shape}")


def require_counter(name: str, state: Mapping[str, np.ndarray], samples: int) -> None:
    """Refuse a state whose number of samples is not that of its file."""
    count = state.get(name)
    if count is None or count.shape != () or count.dtype.kind != "i" or int(count) != samples:
        raise InputError(f"{name} is {checks.shown(count)}, expected {samples}")
