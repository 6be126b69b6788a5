"""A sphere on a block in three dimensions, against Hertz and `tr.press`."""

import pytest

import traction as tr
from traction.app.finite_elements.block import press_sphere

STEEL = tr.Material(2.1e11, 0.3)
PAIR = tr.Pair(tr.RIGID, STEEL)
HERTZ = tr.hertz.sphere(0.1, PAIR, force=1000.0)


def test_peak_pressure_and_radius_are_those_of_hertz():
    block = press_sphere(0.1, STEEL, 1000.0, fine=0.4)
    contact = tr.press(
        tr.Sphere(0.1), tr.Grid.around(1.2 * HERTZ.radius, 1.2 * HERTZ.radius, 40, 40), PAIR, force=1000.0
    )
    for found in (HERTZ, contact):
        assert block.peak_pressure == pytest.approx(found.peak_pressure, rel=0.03)
        assert block.radius == pytest.approx(found.semi_axes[0], rel=0.01)
    assert 4.0 * block.forces.sum() == pytest.approx(1000.0)
    assert block.pressure[block.r > 1.2 * HERTZ.radius].sum() == 0.0


@pytest.mark.slow
def test_finer_elements_come_nearer():
    errors = [
        abs(press_sphere(0.1, STEEL, 1000.0, fine=fine).peak_pressure / HERTZ.peak_pressure - 1.0)
        for fine in (0.4, 0.3, 0.24)
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.01
