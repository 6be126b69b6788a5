"""Checks at the border: clean values pass, everything else is named together with its limit."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from traction import checks
from traction.errors import ConvergenceError, InputError, TractionError, UndefinedError
from traction.status import Status

NUMBERS = [3, 3.0, np.float32(3), np.int8(3), Fraction(3), np.array(3.0)]
NUMBERS += [np.float16(3), np.longdouble(3), np.uint64(3), np.array(3, dtype=np.int8)]
NOT_NUMBERS = [True, np.True_, "3", None, 3j, [3.0], np.array([3.0])]
NOT_NUMBERS += [np.array("x"), np.array(True), np.array(3j), np.timedelta64(3, "s"), np.ma.masked]


def complaint(text):
    return pytest.raises(InputError, match=re.escape(text))


@pytest.mark.parametrize("value", NUMBERS, ids=repr)
def test_finite_takes_real_numbers(value):
    clean = checks.finite("load", value)
    assert (type(clean), clean) == (float, 3.0)


@pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
def test_finite_refuses_what_is_no_number(value):
    with complaint(f"load = {value!r} must be a number, in N."):
        checks.finite("load", value, "N")


@pytest.mark.parametrize(
    ("value", "start"),
    [(10**400, "1000"), (-(10**400), "-1000"), (10**5000, "<int>")],
    ids=["+", "-", "long"],
)
def test_numbers_beyond_float64(value, start):
    with pytest.raises(InputError, match=rf"^load = {start}.* must be at most 1\.8e308") as caught:
        checks.finite("load", value)
    assert len(str(caught.value)) < 2 * checks.SHOWN


@pytest.mark.parametrize("value", [math.inf, np.float32(math.inf), np.array(math.inf)])
def test_infinite_where_it_has_a_meaning(value):
    clean = checks.positive_or_infinite("radius", value)
    assert (type(clean), clean) == (float, math.inf)
    assert checks.positive_or_infinite("radius", 2) == 2.0
    for bad in (0.0, -1.0, -math.inf, math.nan, np.array([1.0, 2.0])):
        with complaint("radius = "):
            checks.positive_or_infinite("radius", bad)


def test_poisson_ratio():
    assert checks.poisson_ratio("nu", 0.5) == 0.5
    with complaint("nu = 0.51 must lie in (-1, 0.5], where the material is stable"):
        checks.poisson_ratio("nu", 0.51)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("check", [checks.finite, checks.positive, checks.tolerance])
def test_numbers_must_be_finite(check, value):
    with complaint(f"load = {value} must be finite"):
        check("load", value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_positive_is_above_zero(value):
    if checks.SMALLEST <= value <= checks.LARGEST:
        assert checks.positive("load", value) == value
    elif value > 0.0:
        with complaint(f"load = {value} N must lie between 1e-30 and 1e+30; check the unit."):
            checks.positive("load", value, "N", "push.")
    else:
        with complaint(f"load = {value} N must be positive: push."):
            checks.positive("load", value, "N", "push.")


@given(st.floats(-10, 10), st.floats(-10, 10))
def test_at_least_includes_its_limit(value, limit):
    assert checks.at_least("ratio", limit, limit) == limit
    if value < limit:
        with complaint(f"ratio = {value} must be at least {limit}."):
            checks.at_least("ratio", value, limit)
    else:
        assert checks.at_least("ratio", value, limit) == value


def test_count_takes_whole_numbers():
    assert [checks.count("nx", n) for n in (1, np.int64(7))] == [1, 7]
    assert type(checks.count("nx", np.int64(7))) is int
    assert checks.count("nx", 0, minimum=0) == 0


@pytest.mark.parametrize("value", [True, 2.5, 2.0, "2", None, math.nan, np.timedelta64(2, "s")])
def test_count_refuses_what_is_not_whole(value):
    with complaint(f"nx = {value!r} must be a whole number of at least 1."):
        checks.count("nx", value)


@pytest.mark.parametrize("value", [0, -3])
def test_count_has_a_minimum(value):
    with complaint(f"nx = {value} must be at least 1."):
        checks.count("nx", value)


def test_choice():
    assert checks.choice("axis", "x", ("x", "y")) == "x"
    with complaint("axis = 'z' is not known; choose one of 'x', 'y'."):
        checks.choice("axis", "z", ("x", "y"))


@pytest.mark.parametrize("value", [1, np.int64(1), np.uint8(1)])
def test_choice_of_a_number(value):
    clean = checks.choice("body", value, (1, 2))
    assert (type(clean), clean) == (int, 1)


@pytest.mark.parametrize(
    "value",
    [True, np.True_, 1.0, np.float64(1.0), "1", None, np.array([1, 2]), np.array(1), [1], {}],
    ids=repr,
)
def test_choice_is_of_the_same_type(value):
    with complaint(f"body = {value!r} is not known; choose one of 1, 2."):
        checks.choice("body", value, (1, 2))


def test_choice_of_texts_and_none():
    assert checks.choice("periodic", None, (None, "x")) is None
    assert type(checks.choice("periodic", np.str_("x"), (None, "x"))) is str


def test_flag():
    assert [checks.flag("exact", value) for value in (True, np.False_)] == [True, False]
    for value in ("no", 1, 0.0, None, np.array([True])):
        with complaint(f"exact = {value!r} must be True or False."):
            checks.flag("exact", value)


def test_instance():
    assert checks.instance("status", Status.CONVERGED, Status) is Status.CONVERGED
    with complaint("status = 'done' must be a tr.Status: ask the solver."):
        checks.instance("status", "done", Status, "ask the solver.")
    with complaint("names = 3 must be a dict."):
        checks.instance("names", 3, dict)


@pytest.mark.parametrize("value", [(1, 2), [1.0, 2.0], np.array([1, 2]), (np.float32(1), np.array(2.0))])
def test_point(value):
    clean = checks.point("center", value)
    assert (clean, *map(type, clean)) == ((1.0, 2.0), float, float)


@pytest.mark.parametrize("value", [5, None, (0, 0, 7), (), "a", np.zeros((3, 2))], ids=repr)
def test_point_needs_two_numbers(value):
    with complaint(f"center = {value!r} must be two numbers (x, y), in m."):
        checks.point("center", value)


@pytest.mark.parametrize(
    "value", [(1, (2, 3)), (1, "b"), (1, None), np.zeros((2, 1)), (1, math.nan)], ids=repr
)
def test_point_of_finite_numbers(value):
    with pytest.raises(InputError, match=r"center\[[01]\] = .* must be (a number|finite), in m"):
        checks.point("center", value)


def test_long_values_are_cut():
    assert checks.shown(list(range(1000))).endswith("...")
    assert len(checks.shown("x" * 1000)) == checks.SHOWN


@pytest.mark.parametrize("value", [checks.ROUNDING, 1e-6, 0.999])
def test_tolerance_that_float64_can_reach(value):
    assert checks.tolerance("tol", value) == value


@pytest.mark.parametrize("value", [0.0, -1e-6, 0.9 * checks.ROUNDING, 1.0])
def test_tolerance_out_of_reach(value):
    with complaint(f"tol = {value} must lie between {checks.ROUNDING}"):
        checks.tolerance("tol", value)


def test_array_is_contiguous_float64():
    clean = checks.finite_array("gap", np.arange(6, dtype=np.int8).reshape(2, 3).T, (3, 2))
    assert (clean.dtype, clean.flags.c_contiguous) == (np.float64, True)
    np.testing.assert_array_equal(clean, [[0, 3], [1, 4], [2, 5]])


def test_array_of_the_wrong_shape():
    with complaint("gap has shape (2, 3), expected (3, 2): look."):
        checks.finite_array("gap", np.zeros((2, 3)), (3, 2), "m", "look.")


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_array_names_the_element_that_is_not_finite(value):
    array = np.zeros((2, 3))
    array[1, 2] = value
    with complaint(f"gap[1, 2] = {value} must be finite, in m"):
        checks.finite_array("gap", array, unit="m")


NO_ARRAYS = {
    "text": "abc",
    "texts of digits": ["1", "2"],
    "ragged": [[1.0], [1.0, 2.0]],
    "objects": [object()],
    "numbers as objects": np.array([1.0, 2.0], dtype=object),
    "none": None,
    "complex": np.array([1.0 + 0j, 2.0]),
    "complex list": [1.0, 2j],
    "truths": [True, False],
    "times": np.array([1, 2], dtype="m8[s]"),
    "beyond int64": [10**400],
}


@pytest.mark.parametrize("case", NO_ARRAYS)
def test_array_of_no_numbers(case):
    with complaint("gap must be an array of numbers, in m"):
        checks.finite_array("gap", NO_ARRAYS[case], unit="m")


def test_array_beyond_float64():
    if np.finfo(np.longdouble).max > np.finfo(np.float64).max:
        with complaint("gap[0] = inf must be finite"):
            checks.finite_array("gap", np.array([np.longdouble("1e400")]))


def test_array_without_elements():
    assert checks.finite_array("gap", []).shape == (0,)


def test_array_with_a_mask():
    masked = np.ma.masked_invalid([1.0, math.nan, 3.0])
    with complaint("gap has masked elements"):
        checks.finite_array("gap", masked)
    np.testing.assert_array_equal(checks.finite_array("gap", masked[::2]), [1.0, 3.0])


def test_exactly_one():
    assert checks.exactly_one(force=None, approach=0.0) == "approach"
    with complaint("give exactly one of force and approach; neither given."):
        checks.exactly_one(force=None, approach=None)
    with complaint("give exactly one of force and approach; force and approach given."):
        checks.exactly_one(force=1.0, approach=2.0)


def test_errors_are_also_those_of_the_language():
    assert issubclass(InputError, ValueError)
    assert issubclass(ConvergenceError, RuntimeError)
    assert issubclass(UndefinedError, InputError)
    assert issubclass(UndefinedError, AttributeError)
    assert all(issubclass(error, TractionError) for error in (InputError, ConvergenceError, UndefinedError))
    assert ConvergenceError("stalled", result=3).result == 3


def test_undefined_quantities_are_absent():
    """`hasattr` must say no, so that tables and reports leave them out."""

    class Contact:
        @property
        def approach(self):
            raise UndefinedError("no length")

    assert not hasattr(Contact(), "approach")


@pytest.mark.parametrize("status", Status)
def test_statuses_are_sentences_with_a_remedy(status):
    numbers = {
        "directions": "x",
        "nx": 12,
        "ny": 7,
        "iterations": 300,
        "residual": 1e-3,
        "tol": 1e-6,
        "width": "3 m",
        "growth": 25.0,
        "t": 0.5,
        "t_end": 1.0,
        "reason": "the equations did not converge; take a smaller dt",
    }
    sentence = status.describe(**numbers)
    assert "{" not in sentence
    assert "{" not in str(status)
    if status is not Status.CONVERGED:
        assert re.search("; (enlarge|model|start|relax|take|resume)|, so .*; ", sentence)
