"""The user's compiled functions as function pointers: of one type for all problems, so that no kernel is
compiled anew for each. Whatever they take, a kernel sees f(t, q, v), its slopes, V(t, q) and gap(t, q).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numba
import numpy as np
from numba import float64, types

from traction.errors import InputError

KEPT = 64  #: pointers of earlier problems
OF_STATE = float64(float64, float64, float64)
OF_PLACE = float64(float64, float64)
SLOPES = types.UniTuple(float64, 2)(float64, float64, float64)


@lru_cache(maxsize=KEPT)
def force(function: Any, arguments: int) -> Any:
    """f(t, q, v)."""
    return _pointer("force", OF_STATE, _guarded_state(of_state(function, arguments), np.nan))


def of_state(function: Any, arguments: int) -> Any:
    """A force of (t), (t, q) or (t, q, v) as a compiled one of (t, q, v)."""
    if arguments == 1:
        return numba.njit(lambda t, q, v: float(function(t)))
    if arguments == 2:
        return numba.njit(lambda t, q, v: float(function(t, q)))
    return numba.njit(lambda t, q, v: float(function(t, q, v)))


@lru_cache(maxsize=KEPT)
def jacobian(function: Any) -> Any:
    """(df/dq, df/dv) at (t, q, v)."""
    return numba.cfunc(SLOPES)(_guarded_state(slopes(function), (np.nan, np.nan)))


@lru_cache(maxsize=KEPT)
def slopes(function: Any) -> Any:
    """A jacobian that returns (df/dq, df/dv), or df/dq alone, as one that returns both."""
    if function is None:
        return _no_slopes
    for shape in (_pair(function), numba.njit(lambda t, q, v: (float(function(t, q, v)), 0.0))):
        try:
            shape.compile((float64, float64, float64))
            return shape
        except numba.core.errors.NumbaError:
            continue
    raise InputError("jacobian cannot be compiled: it must return df/dq, or (df/dq, df/dv), as numbers.")


@numba.njit
def _no_slopes(t, q, v):  # type: ignore[no-untyped-def]
    return (np.nan, np.nan)


def _pair(function: Any) -> Any:
    def pair(t, q, v):  # type: ignore[no-untyped-def]
        by_q, by_v = function(t, q, v)
        return (float(by_q), float(by_v))

    return numba.njit(pair)


@lru_cache(maxsize=KEPT)
def potential(energy: Any, arguments: int, k: float) -> Any:
    """Potential energy of the force, V(t, q), without that of the stiffness k; zero where none is given."""
    return _pointer("energy", OF_PLACE, _guarded_place(potential_of(energy, arguments, k)))


def potential_of(energy: Any, arguments: int, k: float) -> Any:
    """The same, as a compiled function."""
    if energy is None:
        return numba.njit(lambda t, q: 0.0)
    full, half = _energy(energy, arguments), 0.0 if arguments == 1 else 0.5 * k
    return numba.njit(lambda t, q: full(t, q, 0.0) - half * q * q)


@lru_cache(maxsize=KEPT)
def total_energy(energy: Any, arguments: int, m: float, k: float) -> Any:
    """Total energy at (t, q, v)."""
    full = _energy(energy, arguments)
    if arguments > 1:
        return _pointer("energy", OF_STATE, _guarded_state(full, np.nan))
    whole = numba.njit(lambda t, q, v: full(t, q, v) + 0.5 * m * v * v + 0.5 * k * q * q)
    return _pointer("energy", OF_STATE, _guarded_state(whole, np.nan))


def _energy(function: Any, arguments: int) -> Any:
    """An energy of (q), (q, v) or (t, q, v) as one of (t, q, v)."""
    if arguments == 1:
        return numba.njit(lambda t, q, v: float(function(q)))
    if arguments == 2:
        return numba.njit(lambda t, q, v: float(function(q, v)))
    return numba.njit(lambda t, q, v: float(function(t, q, v)))


@lru_cache(maxsize=KEPT)
def gap(function: Any) -> Any:
    """The gap at (t, q); open where there is none."""
    known = (
        numba.njit(lambda t, q: 1.0) if function is None else numba.njit(lambda t, q: float(function(t, q)))
    )
    return _pointer("gap", OF_PLACE, _guarded_place(known))


def _guarded_state(function: Any, nothing: Any) -> Callable[..., Any]:
    """An exception cannot leave a function pointer; what is not a number stops the march."""

    def guarded(t, q, v):  # type: ignore[no-untyped-def]
        try:
            return function(t, q, v)
        except Exception:  # whatever the user's function raises
            return nothing

    return guarded


def _guarded_place(function: Any) -> Callable[..., Any]:
    """The same for functions of (t, q)."""

    def guarded(t, q):  # type: ignore[no-untyped-def]
        try:
            return function(t, q)
        except Exception:  # whatever the user's function raises
            return np.nan

    return guarded


def _pointer(name: str, signature: Any, function: Callable[..., Any]) -> Any:
    try:
        return numba.cfunc(signature)(function)
    except (numba.core.errors.NumbaError, TypeError, ValueError) as error:
        words = str(error).strip().splitlines()[-1]
        raise InputError(f"{name} cannot be compiled for numbers (float64): {words}") from error
