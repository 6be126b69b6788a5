"""Calls of every public function with hostile values, made from the calls in the examples of the docstrings.

Each example is run, and the calls that it makes of public functions, classes and methods are kept. A hostile
call is such a call with one argument replaced, or added, by a value that nobody means.
"""

import contextlib
import copy
import dataclasses
import doctest
import functools
import inspect
import math
import os
import resource
import signal
import sys
import tempfile
import warnings

import numpy as np

import traction as tr
from public_interface import functions_of, public_objects

LONGEST = 10  #: seconds of a call
MEMORY = 8 << 30  #: bytes of address space


class Anything:
    """An object of no use."""

    def __repr__(self):
        return "Anything()"


#: numbers, texts, containers and objects that no parameter means, or that lie beyond every limit
VALUES = {
    "None": None,
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "-1.0": -1.0,
    "0": 0,
    "0.0": 0.0,
    "5e-324": 5e-324,
    "1e308": 1e308,
    "-1e308": -1e308,
    "1e21": 1e21,
    "1e7": 1e7,
    "10**7": 10**7,
    "10**400": 10**400,
    "-1": -1,
    "True": True,
    "1j": 1j,
    "text": "text",
    "no text": "",
    "null": "a\0b",
    "bytes": b"bytes",
    "empty list": [],
    "empty dict": {},
    "ragged": [[1.0], [1.0, 2.0]],
    "texts": ["a", "b"],
    "[nan]": [math.nan],
    "[1e308, 1e308]": [1e308, 1e308],
    "pair of nan": (math.nan, math.nan),
    "three of 1e308": (1e308, 1e308, 1e308),
    "nested": [[[[1.0]]]],
    "no numbers": np.zeros(0),
    "no rows": np.zeros((0, 3)),
    "nan array": np.full(3, np.nan),
    "objects": np.array([None, 1.0], dtype=object),
    "complex array": np.array([1j, 2j]),
    "masked": np.ma.masked_array([1.0, 2.0], [True, False]),
    "date": np.datetime64("2020-01-01"),
    "dict": {"force": math.nan},
    "anything": Anything(),
    "a class": Anything,
    "steel": tr.STEEL,
    "beam": tr.Beam(20.0, 2e9, 8e3),
    "grid": tr.Grid(4, 4, 1e-4, 1e-4),
    "failing function": lambda *_: math.nan,
}


class TooLongError(BaseException):
    """A call took longer than it may."""


@dataclasses.dataclass(frozen=True, eq=False)
class Call:
    """A call of a public function that works."""

    function: object
    arguments: dict  #: by name; those of a method have `self`

    def parameters(self):
        """Names of arguments that can be replaced."""
        found = inspect.signature(self.function).parameters.values()
        return [
            one.name
            for one in found
            if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
            and one.name not in ("self", "cls")
            and not one.name.startswith("_")
        ]

    def with_value(self, name, value):
        """Make the call with another value of one argument."""
        given = {**copy.copy(self.arguments), name: value}
        positional, named = [], {}
        for one in inspect.signature(self.function).parameters.values():
            if one.name not in given:
                continue
            if one.kind is one.VAR_KEYWORD:
                named.update(given[one.name])
            elif one.kind is one.VAR_POSITIONAL:
                positional += given[one.name]
            elif one.kind is one.KEYWORD_ONLY:
                named[one.name] = given[one.name]
            else:
                positional.append(given[one.name])
        return self.function(*positional, **named)


@functools.lru_cache
def codes():
    """Public functions, methods and constructors by their code."""
    found = {}
    for name, value in public_objects():
        if name.startswith("view."):
            continue
        for where, function in functions_of(name, value):
            if inspect.isclass(function):
                made = getattr(function.__init__, "__code__", None)
                if made is not None:
                    found.setdefault(made, (where, function))
            elif inspect.isfunction(function) and not isinstance(
                inspect.getattr_static(value, where.rpartition(".")[2], None), property
            ):
                found.setdefault(function.__code__, (where, function))
    return found


def record_calls(test):
    """The calls of public functions that an example makes, by name."""
    found = {}
    known = codes()

    def watch(frame, event, argument):
        if event != "call" or frame.f_code not in known:
            return
        if not frame.f_back.f_code.co_filename.startswith("<doctest"):
            return
        name, function = known[frame.f_code]
        arguments = dict(frame.f_locals)
        if inspect.isclass(function):
            arguments.pop("self", None)
        found.setdefault(name, Call(function, arguments))

    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        runner.run(test, out=lambda text: None, clear_globs=False)
    finally:
        sys.setprofile(before)
    return found


@contextlib.contextmanager
def bounded(seconds=LONGEST):
    """Let a call take no longer, and no more memory than a small machine has."""

    def ring(*_):
        raise TooLongError

    before = signal.signal(signal.SIGALRM, ring)
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, limits[1]))
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        resource.setrlimit(resource.RLIMIT_AS, limits)
        signal.signal(signal.SIGALRM, before)


def outcome_of(call, name, value):
    """What a hostile call ends in: "" for a result or an error of the package, else what is wrong."""
    try:
        with warnings.catch_warnings(), bounded():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", tr.UnitsWarning)
            result = call.with_value(name, value)
            if inspect.isgenerator(result):
                result = list(result)
    except tr.TractionError:
        return ""
    except TooLongError:
        return f"took more than {LONGEST} s"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:120]}"
    return "" if is_finite(result) else f"a result that is not finite: {repr(result)[:120]}"


def is_finite(value, depth=0):
    """Whether all numbers in a result are finite."""
    if isinstance(value, bool | str | bytes | type(None)) or depth > 4:
        return True
    if isinstance(value, int | float | complex | np.generic | np.ndarray):
        values = np.asarray(value)
        return values.dtype.kind not in "fc" or bool(np.isfinite(values).all())
    if isinstance(value, dict):
        return all(is_finite(one, depth + 1) for one in value.values())
    if isinstance(value, list | tuple | set | frozenset):
        return all(is_finite(one, depth + 1) for one in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return all(is_finite(getattr(value, one.name), depth + 1) for one in dataclasses.fields(value))
    return True


@contextlib.contextmanager
def in_empty_folder():
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        try:
            yield
        finally:
            os.chdir(before)
