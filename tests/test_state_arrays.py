"""State as arrays: what is flattened comes back, bit for bit."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from traction.errors import InputError
from traction.results.storage.container import pack, unpack
from traction.state_arrays import flatten_state, unflatten_state


class Spring(NamedTuple):
    stiffness: float
    loaded: bool


@dataclass(frozen=True)
class Wheel:
    rotation: float
    tractions: np.ndarray | None = None
    spring: Spring | None = None
    turns: int | None = None


@dataclass(frozen=True)
class Nothing:
    memory: dict[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class MarchState:
    step: int
    running: bool
    largest: tuple[float, float, float]
    marks: tuple[int, ...]
    nodes: np.ndarray
    first: Wheel
    wheels: dict[int, Wheel]
    springs: tuple[Spring, ...]
    pair: tuple[Wheel, Spring]
    memory: dict[str, np.ndarray]
    nothing: Nothing | None


NUMBERS = st.floats(allow_nan=True, width=64)
WHOLE = st.integers(-(2**62), 2**62)
ARRAYS = st.sampled_from(["f8", "f4", "i8", "u1", "?", "c16"]).flatmap(
    lambda dtype: arrays(dtype, array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3))
)
SPRINGS = st.builds(Spring, NUMBERS, st.booleans())
WHEELS = st.builds(Wheel, NUMBERS, st.none() | ARRAYS, st.none() | SPRINGS, st.none() | WHOLE)
MEMORIES = st.dictionaries(st.text("ab.", min_size=1, max_size=5), ARRAYS, max_size=3)
TUPLES = st.lists(WHOLE, max_size=3).map(tuple)
STATES = st.builds(
    MarchState,
    step=WHOLE,
    running=st.booleans(),
    largest=st.tuples(NUMBERS, NUMBERS, NUMBERS),
    marks=TUPLES,
    nodes=ARRAYS,
    first=WHEELS,
    wheels=st.dictionaries(WHOLE, WHEELS, max_size=3),
    springs=st.lists(SPRINGS, max_size=3).map(tuple),
    pair=st.tuples(WHEELS, SPRINGS),
    memory=MEMORIES,
    nothing=st.none() | st.builds(Nothing, MEMORIES),
)


def same(a: object, b: object) -> bool:
    """Equal in type, structure and bits."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if is_dataclass(a):
        return all(same(getattr(a, one.name), getattr(b, one.name)) for one in fields(a))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return np.array(a).tobytes() == np.array(b).tobytes()


@given(STATES)
def test_state_comes_back_bit_for_bit(state: MarchState) -> None:
    flat = flatten_state(state)
    assert all(isinstance(one, np.ndarray) for one in flat.values())
    assert same(unflatten_state(MarchState, flat), state)
    stored, _ = unpack(pack(flat))  # as a checkpoint holds it
    assert same(unflatten_state(MarchState, stored), state)


def test_names_are_dotted_and_what_is_none_is_left_out() -> None:
    flat = flatten_state(Wheel(0.5, None, Spring(2.0, True)))
    assert list(flat) == ["rotation", "spring", "spring.stiffness", "spring.loaded"]
    inner = {f"wheel.{name}": one for name, one in flat.items()}
    assert unflatten_state(Wheel, inner, "wheel") == Wheel(0.5, None, Spring(2.0, True))


def test_arrays_are_copies() -> None:
    wheel = Wheel(0.0, np.zeros(3))
    flat = flatten_state(wheel)
    back = unflatten_state(Wheel, flat)
    flat["tractions"][:] = 1.0
    assert not wheel.tractions.any()
    assert not back.tractions.any()
    assert back.tractions.flags.writeable


def test_missing_array_is_named() -> None:
    with pytest.raises(InputError, match="no 'rotation'"):
        unflatten_state(Wheel, {})


@dataclass(frozen=True)
class Unclear:
    value: int | float


def test_what_is_no_state_is_refused() -> None:
    with pytest.raises(InputError, match="one type and None"):
        flatten_state(Unclear(1))
    with pytest.raises(InputError, match="expected a dataclass"):
        flatten_state(object())
    with pytest.raises(InputError, match="must not contain dots"):
        flatten_state(Keyed({"a.b": Spring(1.0, False)}))


@dataclass(frozen=True)
class Keyed:
    springs: dict[str, Spring]
