"""What batches of pressures and of friction share: members, and parts of them that fit into memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

import numpy as np

from traction import checks
from traction.errors import InputError

SAFETY = 0.2  #: tolerance of an iteration relative to that of its certificate
FEW = 1 / 8  #: share of the members that may have converged before the others are copied together

Found = TypeVar("Found")


def count_members(sizes: Mapping[str, int]) -> int:
    """K, of arguments with so many rows each; one row is meant for all members."""
    for name, size in sizes.items():
        if not size:
            raise InputError(f"{name} is empty; give one for all members, or one for each.")
    count = max(sizes.values())
    for name, size in sizes.items():
        if size not in (1, count):
            raise InputError(
                f"{name} has {size} rows, expected {count} or 1: one for each member, or one for all."
            )
    return count


def require_usual_sizes(name: str, values: np.ndarray, unit: str = "") -> None:
    """Check that positive values of members are such as the single solvers take."""
    bad = (values != 0.0) & ((values < checks.SMALLEST) | (values > checks.LARGEST))
    if bad.any():
        k = int(np.flatnonzero(bad)[0])
        raise InputError(
            f"{name}[{k}] = {values[k]}{unit} must lie between {checks.SMALLEST} and {checks.LARGEST}; check "
            "the unit."
        )


def choose_pause(errors: np.ndarray, step: int, tol: float, limits: tuple[int, int]) -> int:
    """Steps to the next check: until enough members have converged, at their rate so far.

    errors: of members, relative, after so many steps; limits: the shortest and the longest pause.
    """
    few = int(FEW * errors.size)
    error = float(np.partition(errors, few)[few])
    left = step * (math.log(tol) / math.log(error) - 1.0) if tol < error < 1.0 else 0.0
    return int(min(limits[1], max(limits[0], left)))


def is_certified(error: np.ndarray, tol: float) -> np.ndarray:
    """Whether errors of certificates are within a tolerance, but for rounding; NaN is not."""
    return np.asarray(error <= 1.01 * tol + 1e-13)


def solve_parts(solve: Callable[[np.ndarray], Found], chosen: np.ndarray, most: int) -> Iterator[Found]:
    """Solve chosen members in parts of so many; where memory is short, parts are halved.

    A member that does not fit alone is left out.
    """
    parts = np.array_split(chosen, -(-chosen.size // most)) if chosen.size else []
    while parts:
        part = parts.pop(0)
        try:
            found = solve(part)
        except MemoryError:
            if part.size > 1:
                parts[:0] = np.array_split(part, 2)
        else:
            yield found
