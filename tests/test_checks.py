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
NOT_NUMBERS = [True, np.True_, "3", None, 3j, [3.0], np.array([3.0])]


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


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("check", [checks.finite, checks.positive, checks.tolerance])
def test_numbers_must_be_finite(check, value):
    with complaint(f"load = {value} must be finite"):
        check("load", value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_positive_is_above_zero(value):
    if value > 0.0:
        assert checks.positive("load", value) == value
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


@pytest.mark.parametrize("value", [True, 2.5, 2.0, "2", None, math.nan])
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


@pytest.mark.parametrize("value", [1e-12, 1e-6, 0.999])
def test_tolerance_that_float64_can_reach(value):
    assert checks.tolerance("tol", value) == value


@pytest.mark.parametrize("value", [0.0, -1e-6, 9e-13, 1.0])
def test_tolerance_out_of_reach(value):
    with complaint(f"tol = {value} must lie between 1e-12"):
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


@pytest.mark.parametrize(
    "values", ["abc", [[1.0], [1.0, 2.0]], [object()]], ids=["text", "ragged", "objects"]
)
def test_array_of_no_numbers(values):
    with complaint("gap must be an array of numbers"):
        checks.finite_array("gap", values)


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
    numbers = {"directions": "x", "nx": 12, "ny": 7, "iterations": 300, "residual": 1e-3, "tol": 1e-6}
    sentence = status.format(**numbers)
    assert "{" not in sentence
    if status is not Status.CONVERGED:
        assert re.search("; (enlarge|model|start|relax)|, so .*; ", sentence)
