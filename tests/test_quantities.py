import numpy as np
import pytest

import traction as tr
from traction.quantities import LADDERS, counted, figure_text, quantity, significant, unit_for, unit_text


@pytest.mark.parametrize(
    ("value", "si", "text"),
    [
        (7.193e-3, "m", "7.193 mm"),
        (5.2e-5, "m", "52.00 µm"),
        (2e-10, "m", "0.2000 nm"),
        (0.46, "m", "460.0 mm"),
        (1.2268e9, "Pa", "1227 MPa"),
        (2.1e11, "Pa", "210.0 GPa"),
        (1e5, "N", "100.0 kN"),
        (999.999999999999, "N", "1.000 kN"),
        (1.428e9, "N/m", "1.428 GN/m"),
        (1.223e-4, "m2", "122.3 mm²"),
        (0.0, "Pa", "0 Pa"),
        (2.943e-3, "s", "2.943 ms"),
        (0.4515, "s", "0.4515 s"),
        (8e-7, "s", "0.8000 µs"),
        (41.2e-6, "J", "41.20 µJ"),
        (0.25, "J", "0.2500 J"),
        (2.5e3, "J", "2.500 kJ"),
    ],
)
def test_quantity_reads_as_an_engineer_writes_it(value, si, text):
    assert quantity(value, si) == text


@pytest.mark.parametrize("si", sorted(LADDERS))
def test_every_size_has_a_unit_and_keeps_its_value(si):
    for value in 10.0 ** np.arange(-18, 13):
        unit = unit_for(value, si)
        assert unit.of(value) * unit.factor == pytest.approx(value)


def test_largest_finite_value_decides():
    assert unit_for([1e-6, -2e-3, np.inf], "m").name == "mm"


def test_unknown_unit_is_an_error():
    with pytest.raises(tr.InputError, match="furlong"):
        unit_for(1.0, "furlong")


@pytest.mark.parametrize(
    ("value", "text"),
    [(9.9996, "10.00"), (-0.01234, "-0.01234"), (1.5e-9, "1.500e-09"), (123456.0, "123456")],
)
def test_significant_digits(value, text):
    assert significant(value) == text


def test_nouns_are_singular_where_there_is_one():
    assert [counted(n, "wheel") for n in (0, 1, 2)] == ["0 wheels", "1 wheel", "2 wheels"]


def test_units_are_written_for_people():
    assert figure_text(2.161, "m/s2") == "2.161 m/s²"
    assert [unit_text(unit) for unit in ("kg/m3", "N m2", "m2", "1", "W", "m/s2 or rad/s2")] == [
        "kg/m³", "N m²", "m²", "1", "W", "m/s² or rad/s²",
    ]  # fmt: skip
