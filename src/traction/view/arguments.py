"""Arguments of figures and animations, checked against the types that their functions declare."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, wraps
from inspect import Signature, cleandoc, signature
from pathlib import Path
from typing import ParamSpec, TypeVar

import numpy as np

from traction import checks
from traction.errors import InputError

P = ParamSpec("P")
R = TypeVar("R")


def whole_number(name: str, value: object) -> None:
    """Raise InputError unless a value is a whole number of either sign."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool | np.timedelta64):
        raise InputError(f"{name} = {checks.shown(value)} must be a whole number.")


#: types that are no classes of results: their checks, and what these want
PLAIN: dict[object, tuple[Callable[[str, object], object], str]] = {
    float: (checks.finite, "a number"),
    int: (whole_number, "a whole number"),
    bool: (checks.flag, "True or False"),
    Path: (checks.path, "a path"),
    np.ndarray: (checks.finite_array, "an array of numbers"),
}
WORDS = {types.NoneType: "None", str: "a string", Callable: "a function"}
#: the functions that return what figures show
RETURNED_BY = {
    "tr.BounceHistory": "tr.bounce",
    "tr.ContactCrossing": "tr.cross",
    "tr.ContactFunctions": "tr.contact_functions",
    "tr.Crossing": "tr.cross or tr.moving_load",
    "tr.ForceMap": "tr.force_map",
    "tr.History": "tr.bounce or tr.integrate",
    "tr.ImpactHistory": "tr.impact",
    "tr.KinematicWave": "tr.kinematic_wave",
    "tr.Landing": "tr.land",
    "tr.NormalContact": "tr.press",
    "tr.ObstacleContact": "tr.obstacle.solve",
    "tr.ResonanceCurve": "tr.resonance",
    "tr.Rest": "tr.rest",
    "tr.Spectrum": "tr.spectrum",
    "tr.Stability": "tr.stability",
    "tr.Sweep": "tr.sweep",
    "tr.TangentialContact": "tr.shift or tr.roll_steady",
    "tr.WheelRailContact": "tr.wheel_rail",
}
UNIONS = (typing.Union, types.UnionType)
RAISES = "\n\nRaises\n"  #: the section of docstrings before which that on what is returned stands
RETURNS = "\n\nReturns\n-------\nAxes\n    The axes."  #: of all figures


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function raise InputError for arguments that are not finite or not of the types it declares.

    Ranges remain for the function to check: it knows how many wheels there are.
    """

    @wraps(function)
    def call(*args: P.args, **options: P.kwargs) -> R:
        parameters, hints = _declared(function)
        for name, value in parameters.bind(*args, **options).arguments.items():
            check_argument(name, value, hints[name])
        return function(*args, **options)

    return call


def figure(function: Callable[P, R]) -> Callable[P, R]:
    """Let a figure check its arguments, and say in its docstring what all figures return."""
    call = checked(function)
    call.__doc__ = cleandoc(function.__doc__ or "").replace(RAISES, RETURNS + RAISES, 1)
    return call


@cache
def _declared(function: Callable[..., object]) -> tuple[Signature, dict[str, object]]:
    """Parameters of a function and their types."""
    names = {**_matplotlib_types(), "ArrayLike": np.ndarray}
    return signature(function), typing.get_type_hints(function, localns=names)


def check_argument(name: str, value: object, hint: object) -> None:
    """Raise InputError unless a value is of a type."""
    kind, inner = typing.get_origin(hint) or hint, typing.get_args(hint)
    if kind in UNIONS:
        _check_any(name, value, hint)
    elif kind in PLAIN:
        PLAIN[kind][0](name, value)
    elif kind is Mapping:
        if not isinstance(value, Mapping):
            raise _refused(name, value, hint)
        for key, one in value.items():
            check_argument(f"a name in {name}", key, inner[0])
            check_argument(f"{name}[{key!r}]", one, inner[1])
    elif kind in (Sequence, tuple):
        _check_items(name, value, hint)
    elif not isinstance(value, typing.cast(type, kind)) or (kind is Iterable and isinstance(value, str)):
        raise _refused(name, value, hint)


def _refused(name: str, value: object, hint: object) -> InputError:
    return InputError(f"{name} = {checks.shown(value)} must be {words_for(hint)}.")


def _check_any(name: str, value: object, hint: object) -> None:
    """Raise InputError unless a value is of one of several types."""
    several, raised = typing.get_args(hint), []
    if Path in several and isinstance(value, str):
        several = (Path,)
    for one in several:
        try:
            check_argument(name, value, one)
        except InputError as error:
            raised.append(error)
        else:
            return
    alone = len(several) == 2 and several[1] is types.NoneType
    raise raised[0] if alone else _refused(name, value, hint)


def _check_items(name: str, value: object, hint: object) -> None:
    """Raise InputError unless each item of a list is of its type."""
    flat = value.ravel() if isinstance(value, np.ndarray) and value.dtype == object else value
    found = checks.items(name, flat, words_for(hint))
    inner = typing.get_args(hint)
    wanted = inner * len(found) if typing.get_origin(hint) is Sequence else inner
    if len(found) != len(wanted):
        raise _refused(name, value, hint)
    for number, (one, kind) in enumerate(zip(found, wanted, strict=True)):
        check_argument(f"{name}[{number}]", one, kind)


def words_for(hint: object) -> str:
    """A type in words, such as "a dict of names, each with a tr.Crossing"."""
    kind, inner = typing.get_origin(hint) or hint, typing.get_args(hint)
    if kind in PLAIN:
        return PLAIN[kind][1]
    if kind in WORDS:
        return WORDS[kind]
    if kind in UNIONS:
        return " or ".join(map(words_for, inner))
    if kind is Mapping:
        return f"a dict of names, each with {words_for(inner[1])}"
    if kind in (Sequence, Iterable):
        return f"a list, each of {words_for(inner[0])}"
    if kind is tuple:
        return f"({', '.join(map(words_for, inner))})"
    if getattr(kind, "_is_protocol", False):
        return f"an object with {' and '.join(part for part in vars(kind) if part[0] != '_')}"
    named = checks.class_name(typing.cast(type, kind))
    return f"a {named}, as {RETURNED_BY[named]} returns" if named in RETURNED_BY else f"a {named}"


def _matplotlib_types() -> dict[str, type]:
    """Classes of matplotlib that figures take, by name."""
    try:
        from matplotlib.axes import Axes
        from matplotlib.figure import Figure
    except ImportError as error:
        raise no_matplotlib() from error
    return {"Axes": Axes, "Figure": Figure}


def no_matplotlib() -> InputError:
    """What to do where matplotlib is missing."""
    return InputError("figures need matplotlib: pip install traction[plot]")
