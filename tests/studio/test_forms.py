"""Forms and checks: what a schema asks for, what is wrong with a scenario, and its text and Python lines."""

import tomllib

import pytest

import traction as tr
from traction.kinds.case import loads
from traction.kinds.registry import KINDS, kind_of, shipped
from traction.studio.forms.case_list import describe_case, list_cases, list_kinds
from traction.studio.forms.checked_case import check_case
from traction.studio.forms.form import describe_form
from traction.studio.messages import RefusedError

TYPES = {
    "quantity": (int, float, str),
    "number": (int, float),
    "integer": (int,),
    "text": (str,),
    "boolean": (bool,),
    "table": (dict,),
    "list": (list,),
    "pair": (list,),
    "free": (dict,),
}


def fits(field, value):
    """Whether a form with this field can hold the value."""
    if field["type"] == "choice":
        return value in field["options"]
    if field["type"] == "either":
        return any(fits(option, value) for option in field["options"])
    if not isinstance(value, TYPES[field["type"]]):
        return False
    if field["type"] == "table":
        known = {one["key"]: one for one in field["fields"]}
        return all(key in known and fits(known[key], inner) for key, inner in value.items())
    if field["type"] == "list":
        return all(fits(field["item"], inner) for inner in value)
    if field["type"] == "pair":
        return len(value) == 2 and all(map(fits, field["items"], value))
    return True


def fields_of(field):
    yield field
    for inner in field.get("fields", field.get("options", field.get("items", []))):
        if isinstance(inner, dict):
            yield from fields_of(inner)
    if "item" in field:
        yield from fields_of(field["item"])


@pytest.mark.parametrize("kind", KINDS)
def test_the_form_has_every_key_of_the_schema(kind):
    form = describe_form(kind)
    assert {field["key"] for field in form["fields"]} == set(kind_of(kind).schema.model_fields)
    for field in fields_of({"fields": form["fields"], "type": "table", "label": kind}):
        assert field["type"] in {*TYPES, "choice", "either"}
        assert field["label"]
        if field["type"] == "quantity" and field["dimension"] != "number":
            assert field["unit"] == field["units"][0]
            assert field["minimum"] < field["maximum"]
    shown = [field for field in form["fields"] if not field["advanced"]]
    assert all(not field["advanced"] for field in form["fields"] if field["required"])
    assert shown


@pytest.mark.parametrize("name", shipped())
def test_the_form_can_hold_every_built_in_case(name):
    values = describe_case(name)["values"]
    form = describe_form(values.pop("kind"))
    by_key = {field["key"]: field for field in form["fields"]}
    files = [one for one in values.get("surface", []) if "file" in one]
    for key, value in values.items():
        if not (key == "surface" and files):
            assert fits(by_key[key], value), key


def test_a_form_of_no_kind_is_refused():
    with pytest.raises(RefusedError) as refused:
        describe_form("pres")
    assert refused.value.status == 404
    assert "did you mean" in refused.value.sentence


def test_every_case_is_listed_with_words():
    listed = list_cases()["cases"]
    assert [one["name"] for one in listed] == list(shipped())
    assert all(one["title"] and one["description"] and one["kind"] in KINDS for one in listed)
    assert all(one["start"] in shipped() for one in list_kinds()["kinds"])


@pytest.mark.parametrize("name", shipped())
def test_a_built_in_case_survives_text_values_and_python(name):
    folder = str(shipped()[name].parent)
    by_text = check_case(toml=shipped()[name].read_text(), folder=folder)
    assert by_text["ok"], by_text["errors"]
    values = dict(by_text["values"])
    by_values = check_case(kind=values.pop("kind"), values=values, folder=folder)
    assert by_values["ok"]
    assert by_values["normal"] == by_text["normal"]
    if "file" not in by_text["toml"]:
        built = {}
        program = (
            by_text["python"].replace("run = tr.simulate", "# run = tr.simulate").replace("print(run)", "")
        )
        exec(program, {"tr": tr}, built)
        assert built["scenario"].to_toml() == by_text["normal"]
    assert loads(by_text["normal"]).to_toml() == by_text["normal"]


@pytest.mark.parametrize(
    ("before", "after", "path", "words"),
    [
        ('height = "1 m"', 'height = "-1 m"', ["fall", "height"], "must not be negative"),
        ('height = "1 m"', 'height = "1 kg"', ["fall", "height"], "expected a length"),
        ('height = "1 m"', 'heigth = "1 m"', ["fall", "heigth"], "did you mean"),
        ('method = "rk4"', 'method = "rk5"', ["time", "method"], "did you mean"),
        ('upper = "rigid"', 'upper = "rigid"\nlower = "rigid"', [], "two rigid bodies"),
        ("poisson_ratio = 0.5", "poisson_ratio = 0.7", ["lower", "poisson_ratio"], "at most 0.5"),
    ],
)
def test_a_wrong_value_is_explained_at_its_key(before, after, path, words):
    text = shipped()["bouncing-ball"].read_text()
    if path == []:
        start, rest = text.split("[lower]")
        text = start + "[ball]" + rest.split("[ball]")[1]
    checked = check_case(toml=text.replace(before, after))
    assert not checked["ok"]
    assert checked["normal"] is None
    problem = next(one for one in checked["errors"] if words in one["message"])
    assert problem["path"] == path
    if path:
        assert path[-1] in checked["toml"].splitlines()[problem["line"] - 1]


def test_problems_of_the_text_have_a_line():
    checked = check_case(toml='kind = "modes"\n[beam\n')
    assert checked["values"] is None
    assert [one["line"] for one in checked["errors"]] == [2]


@pytest.mark.parametrize("toml", ["", "\ud800", "kind = 1", 'kind = "nothing"', "[" * 100, "x" * 10_000])
def test_any_text_is_checked(toml):
    checked = check_case(toml=toml)
    assert not checked["ok"]
    assert checked["errors"]


def test_numbers_without_a_unit_are_noted():
    text = shipped()["bouncing-ball"].read_text().replace('height = "1 m"', "height = 1.0")
    assert check_case(toml=text)["notes"] == ["fall.height = 1 m"]


def test_values_without_a_number_are_left_out():
    values = tomllib.loads(shipped()["bouncing-ball"].read_text()) | {"mass": None}
    values["fall"]["speed"] = None
    checked = check_case(kind="bounce", values=values)
    assert checked["ok"]
    assert "mass" not in checked["toml"]
