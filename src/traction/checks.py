"""Checks of input at the border. Each returns the clean value or raises an `InputError`."""

import math
from numbers import Real
from typing import Any

import numpy as np

from traction.errors import InputError

ROUNDING = 1e-12  #: tolerances below this ask for more than float64 products can give


def finite(name: str, value: Any, unit: str = "") -> float:
    """A finite real number."""
    scalar = isinstance(value, Real) or (isinstance(value, np.ndarray) and value.ndim == 0)
    if not scalar or isinstance(value, bool | np.bool_):
        raise InputError(f"{name} = {value!r} must be a number{_in(unit)}.")
    number = float(value)
    if not math.isfinite(number):
        raise InputError(f"{name} = {number} must be finite{_in(unit)}.")
    return number


def positive(name: str, value: Any, unit: str = "", remedy: str = "") -> float:
    """A finite number above zero."""
    number = finite(name, value, unit)
    if number <= 0.0:
        raise InputError(f"{name} = {number}{_of(unit)} must be positive{_because(remedy)}")
    return number


def at_least(name: str, value: Any, limit: float, unit: str = "", remedy: str = "") -> float:
    """A finite number not below `limit`."""
    number = finite(name, value, unit)
    if number < limit:
        raise InputError(f"{name} = {number}{_of(unit)} must be at least {limit}{_because(remedy)}")
    return number


def count(name: str, value: Any, minimum: int = 1) -> int:
    """A whole number not below `minimum`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise InputError(f"{name} = {value!r} must be a whole number of at least {minimum}.")
    if value < minimum:
        raise InputError(f"{name} = {value} must be at least {minimum}.")
    return int(value)


def choice(name: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    """One of a few named values."""
    if value not in allowed:
        raise InputError(f"{name} = {value!r} is not known; choose one of {', '.join(map(repr, allowed))}.")
    return value


def tolerance(name: str, value: Any) -> float:
    """A relative tolerance that float64 arithmetic can reach."""
    number = finite(name, value)
    if not ROUNDING <= number < 1.0:
        raise InputError(
            f"{name} = {number} must lie between {ROUNDING} (rounding of the products) and 1; 1e-6 is usual."
        )
    return number


def finite_array(
    name: str, values: Any, shape: tuple[int, ...] | None = None, unit: str = "", remedy: str = ""
) -> np.ndarray:
    """A float64 C-contiguous array of finite numbers, of the given shape."""
    if np.ma.is_masked(values):
        raise InputError(f"{name} has masked elements; fill them or cut them away{_because(remedy)}")
    try:
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be an array of numbers{_in(unit)}: {error}.") from error
    if shape is not None and array.shape != shape:
        raise InputError(f"{name} has shape {array.shape}, expected {shape}{_because(remedy)}")
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise InputError(f"{name}{list(where)} = {array[where]} must be finite{_in(unit)}{_because(remedy)}")
    return array


def exactly_one(**given: Any) -> str:
    """Name of the only argument that is not None."""
    names = [name for name, value in given.items() if value is not None]
    if len(names) != 1:
        state = "neither" if not names else " and ".join(names)
        raise InputError(f"give exactly one of {' and '.join(given)}; {state} given.")
    return names[0]


def _in(unit: str) -> str:
    return f", in {unit}" if unit else ""


def _of(unit: str) -> str:
    return f" {unit}" if unit else ""


def _because(remedy: str) -> str:
    return f": {remedy}" if remedy else "."
