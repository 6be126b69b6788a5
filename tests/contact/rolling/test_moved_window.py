"""Contacts on a grid that moves by whole elements: steps from there are the same."""

import numpy as np
import pytest

import traction as tr
from traction.contact.rolling.moved_window import WindowPart, carry_over

STEP = 0.6e-3
STEELS = tr.Pair(tr.STEEL, tr.STEEL)
LAW = tr.friction.linear(0.2, (0.1, 1.0), memory=(1e-4, 1e-2))


def parabola(grid, y0=0.0):
    x, y = grid.mesh()
    return x**2 / 0.8 + (y - y0) ** 2 / 0.6


def shifted_grid(rows, columns):
    return tr.Grid(20, 24, STEP, STEP, center=(columns * STEP, rows * STEP))


def roll_twice(grid, friction, pair, **given):
    n = tr.press(parabola(grid), grid, pair, force=20e3)
    t = tr.roll_steady(n, friction, creepage=(1e-3, 5e-4, 0.2), **given)
    return tr.roll(t, friction, distance=0.6e-3, creepage=(1e-3, -5e-4, 0.2), **given)


def roll_aside(t, friction, **given):
    grid, pair = t.normal.grid, t.normal.pair
    after = tr.press(parabola(grid, 1.5 * STEP), grid, pair, force=18e3, tol=1e-9)
    return tr.roll(t, friction, distance=0.5e-3, creepage=(5e-4, 5e-4, 0.1), normal=after, **given)


@pytest.mark.parametrize(
    ("friction", "pair", "given"),
    [
        (0.3, STEELS, {}),
        (0.3, STEELS, {"discretisation": "classical"}),
        (LAW, STEELS, {"speed": 10.0}),
        (0.3, STEELS, {"layer": tr.Layer(4e9, 1e-5, yield_stress=2e8), "speed": 10.0}),
        (0.3, tr.Pair(tr.STEEL, tr.Material(7e10, 0.3)), {}),
    ],
    ids=["covered", "classical", "law", "layer", "unlike"],
)
def test_a_step_from_a_moved_grid_is_the_same(friction, pair, given):
    grid, other = shifted_grid(0, 0), shifted_grid(2, -1)
    t = roll_twice(grid, friction, pair, **given)
    moved = carry_over([WindowPart(t, -2, 1, (0, 24))], other, parabola(other) - t.normal.approach, pair)
    assert moved.force == pytest.approx(t.force, rel=1e-12)
    here, there = roll_aside(t, friction, **given), roll_aside(moved, friction, **given)
    limit = 0.3 * 18e3
    assert there.force == pytest.approx(here.force, abs=1e-5 * limit)
    assert there.traction[:, :-2, 1:] == pytest.approx(
        here.traction[:, 2:, :-1], abs=1e-5 * np.abs(here.traction).max()
    )
    assert there.dissipation == pytest.approx(here.dissipation, rel=1e-3)


def test_a_contact_taken_in_two_parts_is_whole_again():
    grid = shifted_grid(0, 0)
    t = roll_twice(grid, 0.3, STEELS)
    gap = parabola(grid) - t.normal.approach
    parts = [WindowPart(t, 0, 0, (0, 12)), WindowPart(t, 0, 0, (12, 24))]
    joined = carry_over(parts, grid, gap, STEELS)
    assert joined.normal.force == pytest.approx(t.normal.force)
    assert np.array_equal(joined.traction, t.traction)
    assert np.array_equal(joined.state.elements.row, t.state.elements.row)
    assert np.array_equal(joined.state.elements.run, t.state.elements.run)
    assert np.array_equal(joined.state.traction, t.state.traction)
    half = carry_over(parts[:1], grid, gap, STEELS)
    assert half.normal.force == pytest.approx(0.5 * t.normal.force, rel=1e-6)


def test_without_a_contact_bodies_begin_apart():
    grid = shifted_grid(0, 0)
    apart = carry_over([], grid, parabola(grid) + 1e-6, STEELS)
    assert not apart.normal.contact.any()
    t = tr.roll(
        apart,
        0.3,
        distance=0.4e-3,
        creepage=(1e-3, 0.0, 0.0),
        normal=tr.press(parabola(grid), grid, STEELS, force=20e3),
    )
    assert t.ok
    assert t.force[0] < 0.0
