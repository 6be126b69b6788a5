"""Arguments of figures are checked against the types that their functions declare."""

import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

import traction as tr
from traction.view.arguments import check_argument

#: declared type, values of it, values that are not, and words of the error
KINDS = [
    (float, [1, 2.5, np.float32(3.0)], [None, math.nan, "1", [1.0], 1e308], "must"),
    (int, [0, -3, np.int64(2)], [1.0, True, None], "must be a whole number"),
    (bool, [True, np.False_], [0, None], "must be True or False"),
    (str | None, ["", "text", None], [1, b"text"], "must be a string"),
    (str | Path, ["a.gif", Path("a")], [None, "a\0b"], "must be"),
    (np.ndarray, [[1.0, 2.0], np.eye(2), 3], [[math.nan], ["a"], [[1.0], [1.0, 2.0]]], "must be"),
    (tuple[float, float], [(1.0, 2), np.zeros(2)], [(1.0,), "ab", 1.0, (1.0, None)], "must be"),
    (Sequence[int], [(0, 1), [2]], ["01", 3, [0.5]], "must be"),
    (Mapping[str, float], [{"a": 1.0}], [{1: 1.0}, {"a": None}, [("a", 1.0)]], "must be"),
    (Iterable[str], [iter("ab"), ["a"]], ["ab", 3], "must be a list"),
    (Callable[[float], float], [math.sin], [1.0], "must be a function"),
    (tr.Grid, [tr.Grid(4, 4, 1.0, 1.0)], [tr.STEEL, None], "must be a tr.Grid"),
    (tr.History | Sequence[tr.History], [[]], [1.0], "as tr.bounce or tr.integrate returns or a list"),
]


@pytest.mark.parametrize(("kind", "right", "wrong", "words"), KINDS)
def test_values_of_other_types_are_refused(kind, right, wrong, words):
    for value in right:
        check_argument("value", value, kind)
    for value in wrong:
        with pytest.raises(tr.InputError, match=words):
            check_argument("value", value, kind)


def test_items_are_named():
    with pytest.raises(tr.InputError, match=r"times\[1\] = nan must be finite"):
        check_argument("times", [0.0, math.nan], Sequence[float])
    with pytest.raises(tr.InputError, match=r"forces\['Carter'\] must be an array of numbers"):
        check_argument("forces", {"Carter": "none"}, Mapping[str, np.ndarray])


def test_every_figure_checks_its_arguments():
    own = {"blank_figure", "quantity", "unit_for"}  # numbers and texts, by checks of their own
    figures = {name: getattr(tr.view, name) for name in tr.view.__all__}
    plain = [
        name for name, one in figures.items() if inspect.isfunction(one) and not hasattr(one, "__wrapped__")
    ]
    assert set(plain) == own


def test_a_figure_says_which_function_returns_what_it_shows():
    with pytest.raises(tr.InputError, match=r"contact = 1.0 must be a tr.NormalContact, as tr.press returns"):
        tr.view.pressure_map(1.0)
    with pytest.raises(tr.InputError, match="ax = 'here' must be a Axes"):
        tr.view.mode_plot(tr.Beam(20.0, 2e9, 8e3), ax="here")
