"""Calls of every public function with hostile values, made from the calls in the examples of the docstrings.

Each example is run, and the calls that it makes of public functions, classes and methods are kept. A hostile
call is such a call with one argument replaced, or added, by a value that nobody means.
"""

import contextlib
import dataclasses
import doctest
import functools
import inspect
import math
import resource
import shutil
import signal
import sys
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
    "steel": tr.STEEL,
    "beam": tr.Beam(20.0, 2e9, 8e3),
    "grid": tr.Grid(4, 4, 1e-4, 1e-4),
    "failing function": lambda *_: math.nan,
}


#: calls of methods that no example makes
MORE = """
>>> beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"))
>>> modes, bent = beam.modes(3), beam.bend([(1e3, 10.0)])
>>> _ = beam.influence(5.0), beam.differences(16), beam.segment_at(3.0)
>>> _ = bent.slope(5.0), bent.curvature(5.0), bent.rotation(5.0), bent.moment(5.0), bent.shear(5.0)
>>> _ = modes.deflection(5.0), modes.moment(5.0)
>>> grid, pair = tr.Grid(8, 8, 1e-4, 1e-4), tr.Pair(tr.STEEL, tr.STEEL)
>>> half_space, field = tr.HalfSpace(grid, pair), np.full(grid.shape, 1e6)
>>> _ = half_space.direct("z", "z", field), half_space.on_grid("z", "z", field, grid)
>>> _ = half_space.at_points("z", "z", field, np.zeros(2), np.zeros(2)), half_space.factor("z", "z")
>>> _ = tr.Material.from_shear_modulus(8e10, 0.3)
>>> _ = tr.Irregularity.step(1e-3, 1.0, 0.1), tr.Irregularity.fra(6, seed=1), tr.Irregularity.flat(0.46, 0.05)
>>> _ = tr.Irregularity.sampled([0.0, 1.0, 2.0, 3.0], [0.0, 1e-3, 0.0, 0.0])
>>> _ = tr.rolling_waves.difference(1.0, 0.5)
>>> fall = tr.bounce(0.01, pair, height=0.01, t_end=0.05)
>>> _ = fall.at(0.01), fall.velocity_at(0.01), fall.acceleration_at(0.01)
>>> contact = tr.press(tr.Sphere(0.1), tr.Grid(16, 16, 5e-5, 5e-5), pair, force=50.0)
>>> _ = contact.stress(np.array([[0.0, 0.0, 1e-4]]), body=1)
"""


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

    def again(self):
        """Make the call as it was."""
        return self.make(self.arguments)

    def with_value(self, name, value):
        """Make the call with another value of one argument."""
        return self.make({**self.arguments, name: value})

    def make(self, given):
        """Make the call with these arguments."""
        if isinstance(given.get("out"), str) and given["out"]:
            shutil.rmtree(given["out"], ignore_errors=True)
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
        for where, function in functions_of(name, value):
            if inspect.isclass(function):
                made = getattr(function.__init__, "__code__", None)
                if made is not None:
                    found.setdefault(made, (where, function))
            elif inspect.isfunction(function) and not isinstance(
                inspect.getattr_static(value, where.rpartition(".")[2], None), property
            ):
                found.setdefault(inspect.unwrap(function).__code__, (where, function))
    return found


def caller_of(frame):
    """The frame of a call, past the checks of its arguments."""
    frame = frame.f_back
    return frame.f_back if frame.f_code.co_filename.endswith("arguments.py") else frame


def record_calls(test):
    """The calls of public functions that an example makes, by name."""
    found = {}
    known = codes()

    def watch(frame, event, argument):
        if event != "call" or frame.f_code not in known:
            return
        if not caller_of(frame).f_code.co_filename.startswith("<doctest"):
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

    before = signal.signal(signal.SIGPROF, ring)
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, limits[1]))
    signal.setitimer(signal.ITIMER_PROF, seconds)  # of the processor, whatever else it does
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        resource.setrlimit(resource.RLIMIT_AS, limits)
        signal.signal(signal.SIGPROF, before)


def outcome_of(call, name, value, usual=frozenset()):
    """What a hostile call ends in: "" for a result or an error of the package, else what is wrong.

    Numbers that are not finite in the `usual` result either, such as a rigid stiffness, may be so.
    """
    try:
        with warnings.catch_warnings(), bounded():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", UserWarning)  # our own, which are documented
            result = call.with_value(name, value)
            if inspect.isgenerator(result):
                result = list(result)
    except tr.TractionError:
        return ""
    except TooLongError:
        return f"took more than {LONGEST} s"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:120]}"
    found = not_finite(result) - usual
    return f"not finite: {', '.join(sorted(found))[:120]}" if found else ""


def usual_gaps(call):
    """Names of numbers in the result of a call without hostile values that are not finite."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return not_finite(call.again())


def not_finite(value, name="", depth=0):
    """Names of the numbers in a result that are not finite."""
    if isinstance(value, bool | str | bytes | type(None)) or depth > 4:
        return set()
    if isinstance(value, int | float | complex | np.generic | np.ndarray):
        values = np.asarray(value)
        return set() if values.dtype.kind not in "fc" or np.isfinite(values).all() else {name or "itself"}
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, list | tuple | set | frozenset):
        parts = [("", one) for one in value]
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = [(one.name, getattr(value, one.name)) for one in dataclasses.fields(value)]
    else:
        return set()
    return set().union(*(not_finite(one, f"{name}.{inner}".strip("."), depth + 1) for inner, one in parts))
