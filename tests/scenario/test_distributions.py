"""Distributions: as they are typed, their moments, and what is refused."""

import numpy as np
import pytest

from traction.errors import InputError
from traction.scenario.distributions import find_distribution

MIDPOINTS = (np.arange(20_000) + 0.5) / 20_000


def numbers(text):
    values = find_distribution(text, "here").values_at(MIDPOINTS)
    return np.array([float(str(value).split()[0]) for value in values])


@pytest.mark.parametrize(
    ("text", "mean", "deviation"),
    [
        ("uniform(20, 60 m/s)", 40.0, 40.0 / np.sqrt(12.0)),
        ("normal(2.08, 0.1) GN m2", 2.08, 0.1),
        ("lognormal(2.0, 0.5)", 2.0, 0.5),
        ("normal(50, 5) W/(m K)", 50.0, 5.0),
        ("integers(1, 9)", 5.0, np.sqrt(80.0 / 12.0)),
    ],
)
def test_values_have_the_moments_that_were_written(text, mean, deviation):
    found = numbers(text)
    assert found.mean() == pytest.approx(mean, rel=1e-4)
    assert found.std() == pytest.approx(deviation, rel=2e-3)


def test_limits_hold_and_leave_the_shape_between_them():
    for name in ("normal", "lognormal"):
        whole, limited = numbers(f"{name}(2, 0.5)"), numbers(f"{name}(2, 0.5, 1.5, 2.2)")
        assert limited.min() >= 1.5
        assert limited.max() <= 2.2
        inside = whole[(whole > 1.5) & (whole < 2.2)]
        np.testing.assert_allclose(
            np.quantile(limited, [0.2, 0.8]), np.quantile(inside, [0.2, 0.8]), rtol=1e-3
        )


def test_values_are_written_as_in_a_file():
    values = {
        "uniform(0, 1 km, )": "0.5 km",
        "uniform(1 m, 1 km)": "0.5005 km",
        "uniform(1, 2)": 1.5,
        "integers(3, 3)": 3,
        'choice("a, b", c)': "c",
        "choice(1, 2) mm": "2 mm",
        "integers(2, 2 km)": "2 km",
        "uniform(283.15 K, 40 degC)": "25 degC",
        "uniform(10 degC, 313.15 K)": "298.15 K",
        "choice(soft, 2) mm": "2 mm",
        "choice([1, 2], [3, 4])": [3, 4],
    }
    for text, value in values.items():
        (found,) = find_distribution(text, "here").values_at(np.array([0.5]))
        assert found == value, text
        assert type(found) is type(value), text


def test_ends_of_the_probabilities_are_values_too():
    for text in ("normal(0, 1)", "uniform(1, 2)", "integers(1, 4)", "choice(1, 2)", "lognormal(1, 1)"):
        assert all(np.isfinite(find_distribution(text, "here").values_at(np.array([0.0, 1.0]))))


@pytest.mark.parametrize(
    ("text", "expected", "unit"),
    [
        ("normal(20, 5 degC)", (20.0, 5.0), "degC"),
        ("normal(-20, 5 degC)", (-20.0, 5.0), "degC"),
        ("normal(20 degC, 5 K)", (293.15, 5.0), "K"),
        ("normal(293.15 K, 5 degC)", (20.0, 5.0), "degC"),
        ("normal(293, 5 degC) K", (293.0, 5.0), "K"),
        ("normal(20, 5000 mK) degC", (20.0, 5.0), "degC"),
        ("normal(20 degC, 5 degC) mK", (293150.0, 5000.0), "mK"),
        ("normal(293 K, 5 degC, 280 K, 310 K)", (293.0, 5.0, 280.0, 310.0), "K"),
        ("normal(20 degC, 5 degC, 283 K, 313 K)", (293.15, 5.0, 283.0, 313.0), "K"),
        ("normal(20 degC, 5 K, 10 degC, 40 degC)", (20.0, 5.0, 10.0, 40.0), "degC"),
        ("normal(293.15 K, 5 K, 283.15 K, 40 degC)", (20.0, 5.0, 10.0, 40.0), "degC"),
        ("lognormal(20 degC, 5 degC) K", (293.15, 5.0), "K"),
        ("lognormal(20 degC, 5 degC, 10 degC, 313 K)", (293.15, 5.0, 283.15, 313.0), "K"),
        ("normal(1 m, 5 mm, 0.9 m, 1.1 m)", (1.0, 0.005, 0.9, 1.1), "m"),
    ],
)
def test_a_deviation_in_degC_is_a_difference(text, expected, unit):
    """Means and limits have the zero of degC, deviations have none."""
    found = find_distribution(text, "here")
    assert found.numbers == pytest.approx(expected, rel=1e-12)
    assert found.unit == unit


def test_temperatures_are_the_same_in_degC_and_K():
    celsius = numbers("normal(293.15 K, 5 K, 10 degC, 40 degC)")
    kelvin = numbers("normal(20 degC, 5 degC, 283.15 K, 313.15 K)")
    np.testing.assert_allclose(celsius + 273.15, kelvin, rtol=1e-9)
    assert numbers("normal(293, 5 degC) K").std() == pytest.approx(5.0, rel=2e-3)


def test_other_text_is_no_distribution():
    for text in ("20 m/s, 30 m/s", "Bridge (old)", "f(1)", "20:60:9 m/s", "", "(1, 2)"):
        assert find_distribution(text, "here") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("unifrom(1, 2)", r'there is no distribution "unifrom"; did you mean uniform\(least, most unit\)'),
        ("uniform(2, 1)", "least = 2 must be below most = 1"),
        ("uniform(1)", "has 1 number; it must read uniform"),
        ("uniform()", "must read uniform"),
        ("uniform(1,,2)", "must read uniform"),
        ("uniform(a, b)", "a is not a number"),
        ("uniform(1 m, 2 s)", "1 m and s do not go together"),
        ("uniform(1, 2 ms/foo)", "which is not known"),
        ("uniform(1, 1e999)", "is too large"),
        ("normal(1, 0)", "standard deviation 0 must be positive"),
        ("normal(1, 2, 3)", "has 3 numbers"),
        ("normal(0, 1, 4, 3)", "least = 4 must be below most = 3"),
        ("normal(0, 1, 30, 40)", "less than one value in a million"),
        ("lognormal(-1, 1)", "the mean -1 must be positive"),
        ("normal(293 K, -5 degC) K", "standard deviation -5 must be positive"),
        ("lognormal(20, 5 degC)", r"write lognormal\(293.15, 5 K\)"),
        ("lognormal(-20, 5) degC", r"write lognormal\(253.15, 5 K\)"),
        ("lognormal(293.15 K, 5 degC)", r"write lognormal\(293.15, 5 K\)"),
        ("lognormal(293 K, 5 K, 10, 40 degC)", r"write lognormal\(293, 5, 283.15, 313.15 K\)"),
        ("lognormal(20, 0 degC)", "standard deviation 0 must be positive"),
        ("integers(1, 2.5)", "must be whole numbers"),
        ("choice(rigid, hertz) mm", "no value is a number to which the unit mm belongs"),
    ],
)
def test_what_makes_no_sense_is_refused(text, message):
    with pytest.raises(InputError, match=f"^here: .*{message}"):
        find_distribution(text, "here")


def test_a_unit_behind_the_last_number_holds_for_all():
    choice = find_distribution("choice(20, 30 mm, 0.1 m, 40 km/h)", "here")
    assert choice.values == ("20 km/h", "30 mm", "0.1 m", "40 km/h")
    assert find_distribution("choice(1, soft)", "here").values == (1, "soft")
