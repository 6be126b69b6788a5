"""Frictional work per area: its sum, its sign, its convergence, and Carter's closed form."""

import numpy as np
import pytest

import traction as tr

PAIR, MU = tr.Pair(tr.STEEL, tr.STEEL), 0.3
RADIUS, LOAD, SHARE = 0.5, 178.9e3, 0.64  # m, N/m, of mu Fn
HERTZ = tr.hertz.line(RADIUS, PAIR, force=LOAD)


def sphere(across):
    radius = tr.hertz.sphere(0.1898, PAIR, force=1e5).radius
    cell = 2.0 * radius / (across - 0.3)
    return tr.press(tr.Sphere(0.1898), tr.Grid(across + 4, across + 4, cell, cell), PAIR, force=1e5)


@pytest.fixture(scope="module")
def ball():
    """32 elements across."""
    return sphere(32)


def total(t):
    return float(t.power_density.sum()) * t.normal.grid.cell_area


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize(
    "creepage", [(1e-3, 0.0, 0.0), (1e-3, 2e-3, 0.5), (0.0, 0.0, 1.0), (3e-3, -5e-3, 0.7), (1e-4, 0.0, 0.0)]
)
def test_the_sum_is_the_dissipation(ball, creepage, direction):
    t = tr.roll_steady(ball, MU, creepage=creepage, direction=direction)
    assert total(t) == pytest.approx(t.dissipation, rel=5e-5)
    assert t.power_density.min() == 0.0
    assert not t.power_density[~ball.contact].any()


@pytest.mark.parametrize(
    "layer",
    [tr.Layer(3e9, 2e-4), tr.Layer(3e9, 2e-4, 250e6), tr.Layer(3e9, 2e-4, 250e6, hardening=1e13)],
    ids=["elastic", "plastic", "hardening"],
)
@pytest.mark.parametrize("creepage", [(1e-3, 0.0, 0.0), (4e-3, 2e-3, 0.5)])
def test_the_sum_is_the_dissipation_with_a_layer(ball, creepage, layer):
    """The shear of a layer is stored, and does no work over a row of elements."""
    t = tr.roll_steady(ball, MU, creepage=creepage, layer=layer)
    assert total(t) == pytest.approx(t.dissipation, rel=5e-5)
    assert t.power_density.min() == 0.0


def test_the_sum_of_unlike_bodies_is_near_the_dissipation():
    """Their pressure does work as well; the sum approaches the dissipation with finer elements."""
    pair, off = tr.Pair(tr.STEEL, tr.Material(72e9, 0.33)), []
    for n in (16, 32):
        grid = tr.Grid(n, n, 14e-3 / n, 14e-3 / n)
        t = tr.roll_steady(tr.press(tr.Sphere(RADIUS), grid, pair, force=35e3), MU, creepage=(1e-3, 0.0, 0.0))
        off.append(abs(total(t) / t.dissipation - 1.0))
    assert off[1] < 0.01
    assert off[1] < 0.5 * off[0]


def test_it_is_the_traction_times_the_slip_where_all_slides(ball):
    t = tr.roll_steady(ball, MU, creepage=(0.05, 0.03, 0.0))
    field = t.bound * np.hypot(*t.slip)
    assert np.abs(t.power_density - field).max() <= 5e-3 * field.max()


def carter(across):
    """Rolled with Carter's force, and the field of the closed form at the centres."""
    grid = tr.Grid.line(across + 6, 2.0 * HERTZ.half_width / (across - 0.37))
    n = tr.press(tr.Cylinder(RADIUS), grid, PAIR, force=LOAD, tol=1e-9)
    t = tr.roll_steady(n, MU, creepage=(None, 0.0, 0.0), force=(-SHARE * MU * LOAD, None), tol=1e-8)
    a = HERTZ.half_width
    stick = a * np.sqrt(1.0 - SHARE)  # half of the width that sticks, at the leading edge
    behind = grid.x - (a - stick)  # from its middle
    slip = abs(t.creepage[0]) * np.sqrt(np.maximum(0.0, behind**2 - stick**2)) / (a - stick)
    bound = MU * HERTZ.peak_pressure * np.sqrt(np.maximum(0.0, 1.0 - (grid.x / a) ** 2))
    return t, np.where(behind < -stick, bound * slip, 0.0)


def test_carter():
    errors, sums, cells = [], [], (16, 32, 64, 128, 256)
    for across in cells:
        t, exact = carter(across)
        x, a = t.normal.grid.x, HERTZ.half_width
        inside = (x > -0.85 * a) & (x < a * (1.0 - 2.0 * np.sqrt(1.0 - SHARE)) - 0.15 * a)
        errors.append(np.sqrt(np.mean((t.power_density[0] - exact)[inside] ** 2)) / exact.max())
        sums.append(abs(total(t) / t.dissipation - 1.0))
    assert errors[1] <= 2e-3
    assert -np.polyfit(np.log(cells), np.log(errors), 1)[0] >= 1.9
    assert max(sums) <= 5e-6
    assert -np.polyfit(np.log(cells[2:]), np.log(sums[2:]), 1)[0] >= 1.9


def test_steps_dissipate_where_particles_slip(ball):
    """In transient rolling at the steady creepage the field stays that of steady rolling."""
    creepage = (2e-3, 1e-3, 0.5)
    steady = tr.roll_steady(ball, MU, creepage=creepage)
    t, field, way = steady, 0.0, 0.0
    for part in (1.0, 0.3, 2.4):
        t = tr.roll(t, MU, distance=part * ball.grid.dx, creepage=creepage)
        assert total(t) == pytest.approx(t.dissipation, rel=1e-9)
        assert t.power_density.min() == 0.0
        field, way = field + t.power_density, way + part * ball.grid.dx
    error = field / way - steady.power_density
    assert np.sqrt(np.mean(error**2) / np.mean(steady.power_density**2)) <= 0.05


def test_shifts_and_classical_elements_sum_tractions_times_slips(ball):
    for t in (
        tr.shift(ball, MU, force=(-0.5 * MU * ball.force, 0.0)),
        tr.roll_steady(ball, MU, creepage=(2e-3, 1e-3, 0.5), discretisation="classical"),
    ):
        assert total(t) == pytest.approx(t.dissipation, rel=1e-6)
        assert t.power_density.min() == 0.0


def test_it_is_exported_with_its_unit(ball):
    steady = tr.roll_steady(ball, MU, creepage=(2e-3, 1e-3, 0.5))
    exported = steady.to_xarray()
    assert exported.power_density.attrs["units"] == "J/m3"
    np.testing.assert_array_equal(exported.power_density, steady.power_density)
    shifted = tr.shift(ball, MU, force=(-0.5 * MU * ball.force, 0.0))
    assert shifted.to_xarray().power_density.attrs["units"] == "J/m2"
