"""State as arrays: nested dataclasses and named tuples <-> one flat dict of arrays, which a file can hold.

    @dataclass(frozen=True)
    class Wheel:
        rotation: float
        tractions: np.ndarray | None

    @dataclass(frozen=True)
    class MarchState:
        step: int
        wheels: dict[int, Wheel]

    arrays = flatten_state(MarchState(3, {1: Wheel(0.5, None)}))  # {"step": 3, "wheels.1.rotation": 0.5}
    state = unflatten_state(MarchState, arrays)

The annotations of the fields decide: numbers (bool, int, float), arrays, tuples of numbers (one array),
tuples and dicts of further parts, dataclasses and named tuples, and any of these or None. Names of parts are
joined by dots. None is omitted; an optional part that consists of parts leaves a mark under its own
name. Bits, dtypes and shapes of arrays come back as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from traction.errors import InputError

Arrays = dict[str, np.ndarray]
T = TypeVar("T")

NUMBERS = (bool, int, float)


def flatten_state(state: object) -> Arrays:
    """All numbers and arrays of a dataclass or a named tuple, by their dotted names; arrays are copied."""
    arrays: Arrays = {}
    _store(arrays, "", type(state), state)
    return arrays


def unflatten_state(kind: type[T], arrays: Mapping[str, np.ndarray], prefix: str = "") -> T:
    """The `kind` that was flattened into arrays, whose names begin with `prefix`; arrays are copied."""
    return _load(arrays, prefix, kind)


def _store(arrays: Arrays, name: str, hint: object, value: Any) -> None:
    kind, optional = _required(hint)
    if optional and value is None:
        return
    if _is_leaf(kind):
        arrays[name] = np.array(value, dtype=_dtype(kind))
        return
    if optional:
        arrays[name] = np.array(True)
    parts = _parts_of(name, kind, value)
    if _is_varying(kind):
        arrays[name] = np.array(len(value))
    for part, inner, one in parts:
        _store(arrays, f"{name}.{part}" if name else part, inner, one)


def _parts_of(name: str, kind: object, value: Any) -> list[tuple[str, object, object]]:
    """Name, annotation and value of each part of a structure."""
    arguments = get_args(kind)
    if get_origin(kind) is dict:
        if not _is_leaf(_required(arguments[1])[0]) and any("." in str(key) for key in value):
            raise InputError(f"the keys of {name} must not contain dots: {', '.join(map(str, value))}.")
        return [(str(key), arguments[1], one) for key, one in value.items()]
    if get_origin(kind) is tuple:
        hints = arguments[:1] * len(value) if _is_varying(kind) else arguments
        return [(str(k), hint, one) for k, (hint, one) in enumerate(zip(hints, value, strict=True))]
    return [(part, hint, getattr(value, part)) for part, hint in _fields_of(kind).items()]


def _load(arrays: Mapping[str, np.ndarray], name: str, hint: object) -> Any:
    kind, optional = _required(hint)
    if optional and name not in arrays:
        return None
    if _is_leaf(kind):
        return _leaf(arrays, name, kind)
    inside = f"{name}." if name else ""
    arguments = get_args(kind)
    if get_origin(kind) is dict:
        rests = [one.removeprefix(inside) for one in arrays if one.startswith(inside)]
        if not _is_leaf(_required(arguments[1])[0]):
            rests = [rest.partition(".")[0] for rest in rests]
        keys = dict.fromkeys(rests)
        return {_key(arguments[0], key): _load(arrays, inside + key, arguments[1]) for key in keys}
    if get_origin(kind) is tuple:
        count = _count_of(arrays, name) if _is_varying(kind) else len(arguments)
        hints = arguments[:1] * count if _is_varying(kind) else arguments
        return tuple(_load(arrays, f"{inside}{k}", hint) for k, hint in enumerate(hints))
    return kind(**{part: _load(arrays, inside + part, inner) for part, inner in _fields_of(kind).items()})


def _leaf(arrays: Mapping[str, np.ndarray], name: str, kind: Any) -> object:
    values, dtype = _found(arrays, name), _dtype(kind)
    if dtype is None:
        return np.array(values)
    counts = [n for n in [len(get_args(kind))] if kind not in NUMBERS and not _is_varying(kind)]
    expected = () if kind in NUMBERS else (*counts, *values.shape[:1])[:1]
    if values.dtype != np.dtype(dtype) or values.shape != expected:
        raise InputError(
            f"the stored {name!r} is {values.dtype} of shape {values.shape}, expected {expected}."
        )
    return kind(values) if kind in NUMBERS else tuple(values.tolist())


def _count_of(arrays: Mapping[str, np.ndarray], name: str) -> int:
    """Number of parts of a tuple, of which each has an array at least."""
    count = _found(arrays, name)
    if count.shape != () or count.dtype.kind != "i" or not 0 <= int(count) <= len(arrays):
        raise InputError(f"the stored {name!r} is not a number of parts.")
    return int(count)


def _key(kind: Callable[[str], object], key: str) -> object:
    try:
        return kind(key)
    except ValueError as error:
        raise InputError(f"the stored state has {key!r} as a key.") from error


def _found(arrays: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    if name not in arrays:
        raise InputError(f"the stored state has no {name!r}; it was written by another version: start anew.")
    return arrays[name]


@lru_cache(maxsize=1024)
def _required(hint: object) -> tuple[Any, bool]:
    """An annotation without None, and whether it had it."""
    if get_origin(hint) not in (Union, UnionType):
        return hint, False
    others = [one for one in get_args(hint) if one is not NoneType]
    if len(others) != 1:
        raise InputError(f"{hint} is not a state: a part has one type, or one type and None.")
    return others[0], True


@lru_cache(maxsize=1024)
def _is_leaf(kind: object) -> bool:
    """Whether one array holds it: a number, an array, or a tuple of numbers."""
    if kind in NUMBERS or kind is np.ndarray or get_origin(kind) is np.ndarray:
        return True
    return get_origin(kind) is tuple and set(get_args(kind)) <= {*NUMBERS, Ellipsis}


@lru_cache(maxsize=1024)
def _dtype(kind: object) -> type | None:
    """Of a leaf; None for arrays, which have their own."""
    inside = get_args(kind) if get_origin(kind) is tuple else (kind,)
    return max((one for one in NUMBERS if one in inside), key=NUMBERS.index, default=None)


def _is_varying(kind: object) -> bool:
    """Whether it is a tuple of any number of parts."""
    return get_origin(kind) is tuple and get_args(kind)[-1] is Ellipsis


@lru_cache(maxsize=256)
def _fields_of(kind: object) -> dict[str, object]:
    """Annotations of the fields of a dataclass or a named tuple."""
    if not isinstance(kind, type) or not (is_dataclass(kind) or hasattr(kind, "_fields")):
        raise InputError(f"{kind} is not a state: expected a dataclass, a named tuple, numbers or arrays.")
    hints = get_type_hints(kind)
    names = [one.name for one in fields(kind) if one.init] if is_dataclass(kind) else list(hints)
    return {name: hints[name] for name in names}
