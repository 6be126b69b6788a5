"""Figures of sweeps: curves, families and maps of what is in the table; crosses where a variant failed."""

import math

import numpy as np
import pytest

from traction.errors import InputError
from traction.quantities import Unit
from traction.results.sweeps.sweep import Sweep, SweepTable
from traction.results.sweeps.sweep_column import Column
from traction.view import sweep_plot

KMH = Unit("km/h", 1 / 3.6)


def table(results, *varied, failed=()):
    count = len(results)
    status = tuple("failed" if k in failed else "done" for k in range(count))
    values = tuple(math.nan if k in failed else float(v) for k, v in enumerate(results))
    names = tuple(f"{k:03d}" for k in range(count))
    return SweepTable(names, varied, (Column("deflection", "m", values),), status, ("",) * count)


def product(first, second):
    pairs = [(a, b) for a in first for b in second]
    return tuple(a for a, _ in pairs), tuple(b for _, b in pairs)


def test_one_key_is_a_curve_in_order_and_in_the_units_written():
    one = table([3e-3, 1e-3, 2e-3], Column("speed", "m/s", (30.0, 10.0, 20.0), KMH))
    ax = sweep_plot(Sweep("cross", (), one), "deflection")
    x, y = ax.lines[0].get_data()
    np.testing.assert_allclose(x, [36.0, 72.0, 108.0])
    np.testing.assert_allclose(y, [1.0, 2.0, 3.0])
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_legend()) == ("speed (km/h)", "mm", None)
    titled = sweep_plot(one, "deflection", title="Midspan")
    assert (titled.get_ylabel(), titled.get_title(loc="left")) == ("deflection (mm)", "Midspan")


def test_a_variant_that_failed_breaks_the_curve_and_leaves_a_cross():
    one = table([1e-3, 2e-3, 3e-3], Column("speed", "m/s", (1.0, 2.0, 3.0)), failed=(1,))
    curve, cross = sweep_plot(one, "deflection").lines
    assert np.isnan(curve.get_ydata()[1])
    assert (cross.get_marker(), list(cross.get_xdata())) == ("x", [2.0])


def test_two_keys_are_a_curve_for_each_value_of_the_shorter():
    radius, speed = product((0.4, 0.5), (10.0, 20.0, 30.0))
    both = table(range(1, 7), Column("radius", "m", radius), Column("speed", "m/s", speed))
    ax = sweep_plot(both, "deflection")
    assert ax.get_xlabel() == "speed (m/s)"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["radius = 400 mm", "radius = 500 mm"]
    assert [list(line.get_ydata()) for line in ax.lines] == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    other = sweep_plot(both, "deflection", over="radius", legend=False)
    assert [list(line.get_ydata()) for line in other.lines] == [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]
    assert other.get_legend() is None


def test_side_by_side_keys_are_one_curve():
    both = table([1, 2, 3], Column("a", "1", (1.0, 2.0, 3.0)), Column("b", "1", (7.0, 5.0, 6.0)))
    assert len(sweep_plot(both, "deflection").lines) == 1


def test_many_values_of_two_keys_are_a_map():
    a, b = product(tuple(map(float, range(8))), tuple(map(float, range(7))))
    both = table(np.arange(56) / 100, Column("a", "1", a), Column("b", "1", b), failed=(9,))
    ax = sweep_plot(both, "deflection")
    mesh = ax.collections[0]
    cells = mesh.get_array().reshape(7, 8)
    assert cells[2, 3] * 1e-3 == pytest.approx(0.23)  # a = 3, b = 2, in mm
    assert cells.mask.sum() == 1
    assert [list(one) for one in ax.lines[0].get_data()] == [[1.0], [2.0]]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("a", "b")


def test_many_values_of_three_keys_are_curves_without_names():
    a, bc = product(tuple(map(float, range(9))), tuple(range(8)))
    b, c = tuple(float(one // 2) for one in bc), tuple(float(one % 2) for one in bc)
    ax = sweep_plot(
        table(range(72), *(Column(n, "1", v) for n, v in zip("abc", (a, b, c), strict=True))), "deflection"
    )
    assert (len(ax.lines), ax.get_legend()) == (8, None)


def test_texts_are_places_on_the_axis():
    one = table([1, 2], Column("contact", "", ("rigid", "hertz")))
    ax = sweep_plot(one, "deflection")
    assert [label.get_text() for label in ax.get_xticklabels()] == ["rigid", "hertz"]
    assert list(ax.lines[0].get_xdata()) == [0.0, 1.0]


def test_what_cannot_be_drawn_is_a_sentence():
    one = table([1, 2], Column("contact", "", ("rigid", "hertz")))
    with pytest.raises(InputError, match=r'no column "deflecton"; did you mean "deflection"\?'):
        sweep_plot(one, "deflecton")
    with pytest.raises(InputError, match='"contact" is not a number'):
        sweep_plot(one, "contact")
    with pytest.raises(InputError, match='over = "speed" must be a key that is varied: contact'):
        sweep_plot(one, "deflection", over="speed")
