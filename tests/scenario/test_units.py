"""Quantities: every value is its number times its unit, and what is no quantity is a sentence."""

import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from traction.scenario.units import (
    DIMENSIONS,
    LISTED,
    LONGEST,
    NONE,
    PLAIN,
    PREFIXED,
    PREFIXES,
    parsed,
    pattern,
    si_value,
    unit,
)

KNOWN = {
    ("100 kN", "force"): 1e5,
    ("0.25 mm", "length"): 2.5e-4,
    ("30 m/s", "speed"): 30.0,
    ("108 km/h", "speed"): 30.0,
    ("210 GPa", "pressure"): 2.1e11,
    ("1 bar", "pressure"): 1e5,
    ("200 N/mm^2", "pressure"): 2e8,
    ("7850 kg/m^3", "density"): 7850.0,
    ("7.85 t/m³", "density"): 7850.0,
    ("50 mJ/m^2", "work of adhesion"): 0.05,
    ("2 MN/m", "force per length"): 2e6,
    ("3 N m", "energy"): 3.0,
    ("3 N*m", "energy"): 3.0,
    ("3 N·m", "energy"): 3.0,
    ("12 mm²", "area"): 1.2e-5,
    ("12 mm**2", "area"): 1.2e-5,
    ("180 deg", "angle"): math.pi,
    ("5 %", "number"): 0.05,
    ("-1_000 µm", "length"): -1e-3,
    ("1 μm", "length"): 1e-6,  # the Greek letter
    (".5 m", "length"): 0.5,
    ("5 1/s", "frequency"): 5.0,
    ("  7m  ", "length"): 7.0,
    ("9.81 m s^-2", "acceleration"): 9.81,
    ("80 K", "temperature"): 80.0,
    ("20 degC", "temperature"): 293.15,
    ("-20degC", "temperature"): 253.15,
    ("50 W/(m degC)", "thermal conductivity"): 50.0,
    ("50 W/(m K)", "thermal conductivity"): 50.0,
    ("50 W/m/K", "thermal conductivity"): 50.0,
    ("0.05 W / (mm·K)", "thermal conductivity"): 50.0,
    ("0.45 kJ/(kg K)", "specific heat"): 450.0,
    ("450 J kg^-1 K^-1", "specific heat"): 450.0,
    ("2 1/(m)", "spin"): 2.0,
}


@pytest.mark.parametrize(("text", "dimension"), KNOWN)
def test_known_values(text, dimension):
    assert si_value(text, DIMENSIONS[dimension]) == pytest.approx(KNOWN[text, dimension], rel=1e-15)


@pytest.mark.parametrize("dimension", DIMENSIONS.values(), ids=lambda dimension: dimension.name)
def test_the_example_of_a_dimension_has_it(dimension):
    assert math.isfinite(si_value(dimension.example, dimension))


@given(
    value=st.floats(-1e6, 1e6),
    prefix=st.sampled_from(["", *PREFIXES]),
    symbol=st.sampled_from(list(PREFIXED)),
    power=st.integers(-3, 3).filter(bool),
)
def test_a_value_is_its_number_times_prefix_and_unit(value, prefix, symbol, power):
    if prefix + symbol in PLAIN:  # min is a minute, not a milli-inch
        return
    size, exponents = PREFIXED[symbol]
    expected = value * (PREFIXES.get(prefix, 1.0) * size) ** power
    found, dimensions = parsed(f"{value!r} {prefix}{symbol}^{power}")
    assert found == pytest.approx(expected, rel=1e-14)
    assert dimensions == tuple(power * exponent for exponent in exponents)


@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_a_plain_number_is_taken_as_it_stands(value):
    assert parsed(repr(value)) == (value, NONE)


@pytest.mark.parametrize("text", ["20 degC^1", "20 degC m/m", "20 1/degC^-1"])
def test_a_temperature_in_degC_stands_alone(text):
    with pytest.raises(ValueError, match='write a temperature in "degC" alone'):
        parsed(text)


def test_a_wrong_dimension_is_named():
    with pytest.raises(ValueError, match=r'^is a length, expected a speed such as "30 m/s"$'):
        si_value("30 mm", DIMENSIONS["speed"])
    with pytest.raises(ValueError, match=r'^is a number, expected a force such as "100 kN"$'):
        si_value("30", DIMENSIONS["force"])
    with pytest.raises(ValueError, match=r"^is a quantity in m\^4, expected an area"):
        si_value("3 m^4", DIMENSIONS["area"])


HOSTILE = {
    "": "does not begin with a number",
    "   ": "does not begin with a number",
    "N": "does not begin with a number",
    "nan N": "does not begin with a number",
    "inf N": "does not begin with a number",
    "-inf": "does not begin with a number",
    "٣ N": "does not begin with a number",
    "1e999 N": "is too large",
    "0e9999 Gm^9 Gm^9 Gm^9 Gm^9": "is too large",
    "1e99999 N": "unit",
    "9" * 400: "too long",
    "1 " + "m " * 60: "too long",
    "1 m m m m m m m m m": "not understood",
    "3 m^9^9": "not understood",
    "3 m^99": "unit",
    "3 m/": "ends too early",
    "3 m//s": "not understood",
    "3 W/(m/K)": "not understood",
    "3 W/()": "not understood",
    "3 (m)": "not understood",
    "3 /(m)": "not understood",
    "3 W/(m K) s": "not understood",
    "3 W/(m K": "not understood",
    "3 lb": "not known",
    "3 kkN": "not known",
    "3 N\0": "not understood",
    "3 N; import os": "not understood",
    "1,5 mm": "not understood",
    "0x10 N": "unit",
    "3 m٣": "not understood",
}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_refused_with_a_reason(text):
    with pytest.raises(ValueError, match=HOSTILE[text]):
        si_value(text, DIMENSIONS["force"])


@pytest.mark.parametrize("text", ["3 1", "3 t 1", "3 1^2/m", "3 1*m"])
def test_one_is_no_unit_but_begins_some(text):
    with pytest.raises(ValueError, match='"1/m"'):
        parsed(text)
    assert parsed("3 1/m") == (3.0, (-1, 0, 0, 0))


@given(text=st.text(max_size=2 * LONGEST))
def test_any_text_is_a_finite_number_or_a_sentence(text):
    try:
        value, _ = parsed(text)
    except ValueError as error:
        assert str(error)  # noqa: PT017
    else:
        assert math.isfinite(value)


WORDS = [*PLAIN, *PREFIXED, *(f"{p}{u}" for p in PREFIXES for u in PREFIXED)]
POWERS = ["", "2", "^2", "**-1", "-2", "²"]


@given(
    number=st.floats(allow_nan=False, allow_infinity=False).map(repr)
    | st.sampled_from(["1_000", ".5", "+3."]),
    factors=st.lists(
        st.tuples(st.sampled_from(WORDS), st.sampled_from(POWERS), st.sampled_from([" ", "/", " * ", "·"])),
        max_size=4,
    ),
    below=st.sampled_from(["", "/(m K)", " / ( kg·K )", "/(s²)"]),
)
def test_the_pattern_for_editors_matches_what_is_understood(number, factors, below):
    text = number + " " + "".join("".join(factor) for factor in factors) + below
    try:
        _, exponents = parsed(text)
    except ValueError:
        return
    if exponents != NONE:
        some = next(iter(DIMENSIONS.values()))
        assert re.search(pattern(replace(some, exponents=exponents)), text), text


@pytest.mark.parametrize("dimension", DIMENSIONS.values(), ids=lambda dimension: dimension.name)
def test_the_pattern_for_editors_knows_examples_and_refuses_nonsense(dimension):
    assert re.search(pattern(dimension), dimension.example)
    bare = ["5", "51"] if dimension.exponents != NONE else []
    for text in ("", "abc", "3 furlong", "3 m/", "m", "3 " + "m" * 70 + "!", *bare):
        assert not re.search(pattern(dimension), text), text


def test_no_dimension_hides_another_of_its_name():
    assert list(DIMENSIONS.values()) == list(LISTED)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("kmh", "km/h"),
        ("KN", "kN"),
        ("kNm", "kN m"),
        ("GNm2", "GN m2"),
        ("Gpa", "GPa"),
        ("mpa", "MPa"),
        ("Km/h", "km/h"),
        ("sec", "s"),
        ("tonnes", "t"),
        ("kelvin", "K"),
        ("°C", "degC"),
    ],
)
def test_a_unit_that_is_nearly_right_is_named(written, meant):
    unit(meant)
    with pytest.raises(ValueError, match="did you mean") as caught:
        unit(written)
    assert str(caught.value) == f'has the unit "{written}", which is not known; did you mean "{meant}"?'


def test_other_units_than_si_are_converted_and_nonsense_is_listed():
    with pytest.raises(ValueError, match=r'"mph", which is not known; 1 mph is 0\.44704 m/s'):
        unit("mph")
    with pytest.raises(ValueError, match=r'"furlong", which is not known; known are m, g, s, N'):
        unit("furlong")
