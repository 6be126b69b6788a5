"""Lists and ranges of values as people type them, and their combinations."""

import numpy as np
import pytest

from traction.errors import InputError
from traction.scenario.variations import (
    MOST_VARIANTS,
    combinations,
    typed_values,
    typed_variations,
    variations,
)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("20 m/s, 30 m/s", ("20 m/s", "30 m/s")),
        ("20, 30, 40 mm", ("20 mm", "30 mm", "40 mm")),
        ("20, 30 m, 40 mm", ("20 mm", "30 m", "40 mm")),
        ("20, 30", (20, 30)),
        ("1e3", (1000.0,)),
        ("rigid, hertz,", ("rigid", "hertz")),
        ('"a, b", c', ("a, b", "c")),
        ("[1, 2], [3]", ([1, 2], [3])),
        ('{ force = 1, at = [2] }, "x"', ({"force": 1, "at": [2]}, "x")),
        ("true, false", (True, False)),
        ("20:60:5 m/s", ("20 m/s", "30 m/s", "40 m/s", "50 m/s", "60 m/s")),
        ("16:64:4", (16, 32, 48, 64)),
        ("16:17:3", (16.0, 16.5, 17.0)),
        ("0.1:0.3:3", (0.1, 0.2, 0.3)),
        ("3:1:3 %", ("3 %", "2 %", "1 %")),
        ("0, 1:2:2 mm", ("0 mm", "1 mm", "2 mm")),
        ("20:40:3, 50 mm", ("20 mm", "30 mm", "40 mm", "50 mm")),
        ("20:30:2, 40:50:2 mm", ("20 mm", "30 mm", "40 mm", "50 mm")),
        ("20:30:2 m, 40:50:2, 60 mm", ("20 m", "30 m", "40 mm", "50 mm", "60 mm")),
        ("20:30:2, 40", (20, 30, 40)),
        ("1:2:2, coarse", (1, 2, "coarse")),
    ],
)
def test_values_are_read_as_typed(text, values):
    found = typed_values(text, "here")
    assert found == values
    assert [type(value) for value in found] == [type(value) for value in values]


@pytest.mark.parametrize("text", ["20:60", "20:60:1", "20:60:2.5", "20:60:0 m/s", "1:2:3:4", "20:60:m"])
def test_a_range_must_be_first_last_count(text):
    with pytest.raises(InputError, match=r"^here: the range .* must read first:last:count"):
        typed_values(text, "here")


def test_an_endless_range_is_refused_before_it_is_made():
    with pytest.raises(InputError, match="99999 values, at most"):
        typed_values("1:2:99999", "here")


def test_python_and_the_command_line_say_the_same():
    typed = typed_variations(["speed=20:30:2 m/s", "axle[0].force=1, 2"])
    given = variations({"speed": ["20 m/s", "30 m/s"], "axle[0].force": np.array([1, 2])})
    assert typed == given
    assert all(type(value) is int for value in given[1].values)
    assert variations({"speed": "20:30:2 m/s"}) == typed[:1]
    assert variations({"load": [{"force": (np.float64(1.0), 2)}]})[0].values == ({"force": [1.0, 2]},)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "varies nothing"),
        (3, "varies nothing"),
        ({"speed": []}, "speed has no values"),
        ({"speed": 3}, "speed = 3 must be a list"),
        ({"speed": {"a": 1}}, "must be a list"),
        ({"speed": "1,, 2"}, "no value between two commas"),
        ({"axle[0].force": [1], "axle.0.force": [2]}, "varied twice"),
        (
            {"axle[0].force": [1], "axle.00.force": [2]},
            r"axle\[0\]\.force, also as axle\.00\.force, is varied",
        ),
        ({"load": [{"force": 1}], "load.force": [2]}, r"^load\.force lies in load, and both are varied"),
        ({"load.force": [2], "load": [{"force": 1}]}, r"^load\.force lies in load, and both are varied"),
        ({"axle": [[]], "axle[1].force": [2]}, r"^axle\[1\]\.force lies in axle, and"),
        ({"kind": ["press"]}, "kind cannot be varied"),
        ({3: [1]}, "3 must be a key"),
    ],
)
def test_what_is_no_variation_is_a_sentence(given, message):
    with pytest.raises(InputError, match=message):
        variations(given)


def test_combinations_are_all_or_side_by_side():
    varied = variations({"a": [1, 2], "b": ["x", "y", "z"]})
    assert combinations(varied, zipped=False) == [(a, b) for a in (1, 2) for b in "xyz"]
    with pytest.raises(InputError, match="equally long, but a has 2, b has 3"):
        combinations(varied, zipped=True)
    assert combinations(variations({"a": [1, 2], "b": "xy,z"}), zipped=True) == [(1, "xy"), (2, "z")]
    many = variations({"a": range(101), "b": range(MOST_VARIANTS // 100)})
    with pytest.raises(InputError, match=r"101 x 100 = 10100 variants are too many"):
        combinations(many, zipped=False)
    side_by_side = variations({"a": range(MOST_VARIANTS + 1), "b": range(MOST_VARIANTS + 1)})
    with pytest.raises(InputError, match=r"^10001 variants are too many, at most 10000"):
        combinations(side_by_side, zipped=True)


def test_keys_that_only_begin_alike_are_varied_together():
    varied = {
        "load.force": [1],
        "load.forces": [1],
        "axle[1].mass": [1],
        "axle[10].mass": [1],
        "axle[1].at": [1],
    }
    assert [one.key for one in variations(varied)] == list(varied)
