"""Changes by dotted keys: they reach tables and elements, and leave what they are made from alone."""

from copy import deepcopy

import pytest

from traction.scenario.changes import changed, key_parts, value_at, value_of, with_value, written
from traction.scenario.toml import ScenarioError, parse

DATA = {"speed": 1, "axle": [{"force": 2, "at": [1, 2]}, {"force": 3}], "beam": {"length": 4}, "none": []}


@pytest.mark.parametrize(
    ("key", "path"),
    {
        "speed": ("speed",),
        "beam.length": ("beam", "length"),
        "beam.new.table": ("beam", "new", "table"),
        "axle.1.force": ("axle", 1, "force"),
        "axle[1].force": ("axle", 1, "force"),
        "axle[0].at[1]": ("axle", 0, "at", 1),
    }.items(),
)
def test_a_key_reaches_its_value_and_nothing_else(key, path):
    before = deepcopy(DATA)
    after, found = with_value(DATA, key, "new", "here")
    assert found == path
    assert value_at(after, path) == "new"
    assert before == DATA
    back, _ = with_value(after, key, value_at(DATA, path), "here")
    if value_at(DATA, path) is not None:
        assert back == DATA
        assert key_parts(written(path)) == key_parts(key)


def test_a_key_that_leads_nowhere_is_refused():
    for key, message in {
        "axle[2].force": "from 0 to 1",
        "axle.x": "from 0 to 1",
        "speed.a": "no table",
        "none[0].force": 'no element "0", the list is empty',
    }.items():
        with pytest.raises(ScenarioError, match=f"^here: .*{message}"):
            with_value(DATA, key, 1, "here")


@pytest.mark.parametrize(
    ("text", "value"),
    [("3", 3), ("true", True), ('"3"', "3"), ("[1, 2]", [1, 2]), ("30 m/s", "30 m/s"), ("hertz", "hertz")],
)
def test_quotes_are_optional(text, value):
    assert value_of(text) == value


def test_a_second_line_is_no_second_key():
    assert value_of("3\nother = 4") == "3\nother = 4"


def test_an_error_in_a_table_that_a_change_made_names_the_change():
    document = changed(parse(b"speed = 1", "file"), "trian.speed", 1, "--set trian.speed")
    assert document.where(("trian",)) == "--set trian.speed"
    assert document.where(("speed",)) == "file:1"
    assert document.where(("train",)) == "file:1"


def test_where_nothing_is_there_is_none():
    assert value_at(DATA, ("axle", 5, "force")) is None
    assert value_at(DATA, ("speed", 0)) is None
    assert value_at("text", (0,)) is None
