"""Stored friction: what is needed to go on comes back; tips of the stick zone that do not fit are refused."""

from dataclasses import replace

import numpy as np
import pytest

import traction as tr
from traction.kinds.friction.stored_friction import StoredMaterial

PAIR = tr.Pair(tr.STEEL, tr.STEEL)


@pytest.fixture(scope="module")
def rolled():
    n = tr.press(tr.Cylinder(0.5), tr.Grid.line(20, 0.5e-3, length=0.1), PAIR, force=3e6)
    t = tr.shift(n, 0.3, displacement=(None, 0.0, 0.0), force=(-5e5, None))
    for _ in range(4):
        t = tr.roll(t, 0.3, distance=0.2e-3, creepage=(None, 0.0, 0.0), force=(-5e5, None))
    return t


def test_tips_come_back(rolled):
    stored = StoredMaterial.of(rolled.state)
    stored.check(rolled.normal.grid)
    state = stored.restore(rolled.normal, rolled.friction)
    assert np.isfinite(state.tips.place).all()
    np.testing.assert_array_equal(state.tips.place, rolled.state.tips.place)
    assert rolled.state.elements.ceiling.any()
    np.testing.assert_array_equal(state.elements.ceiling, rolled.state.elements.ceiling)


def roll_steep(t, cells, steps):
    """A contact after steps with a steep law without memory."""
    law, way = tr.friction.exponential(0.15, (0.15, 0.1)), cells * t.normal.grid.dx
    for _ in range(steps):
        t = tr.roll(t, law, distance=way, creepage=(0.006, 0.0005, 0.1), speed=20.0)
    return t


@pytest.fixture(scope="module")
def pressed():
    n = tr.press(tr.Paraboloid(0.46, 0.3), tr.Grid(18, 14, 0.85e-3, 0.85e-3), PAIR, force=80e3)
    return tr.shift(n, 0.3, displacement=(0.0, 0.0, 0.0))


@pytest.mark.parametrize("cells", [1.0, 0.4])
def test_steep_laws_without_memory_go_on_bit_for_bit(pressed, cells):
    """The coefficients that they lag behind and the slip speeds before the step are stored."""
    t = roll_steep(pressed, cells, 6)
    stored = StoredMaterial.of(t.state)
    stored.check(t.normal.grid)
    back = replace(t, state=stored.restore(t.normal, t.friction))
    on, again = (roll_steep(one, cells, 2) for one in (t, back))
    assert on.lag > 0.0
    np.testing.assert_array_equal(again.traction, on.traction)


@pytest.mark.parametrize(
    "wrong",
    [
        {"direction": 0},
        {"row": np.array([-1])},
        {"row": np.array([7])},
        {"place": np.array([np.inf])},
        {"drift": np.zeros(3)},
        {"grown": 1.5},
    ],
)
def test_tips_that_do_not_fit_are_refused(rolled, wrong):
    stored = StoredMaterial.of(rolled.state)
    with pytest.raises(tr.InputError, match="tips"):
        replace(stored, tips=replace(stored.tips, **wrong)).check(rolled.normal.grid)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("row", lambda one: one - 7),
        ("row", lambda one: one + 20),
        ("row", lambda one: one + 0.5),
        ("place", lambda one: one[1:]),
        ("left", lambda one: one / 0.0),
        ("mu", lambda one: -one),
    ],
)
def test_lagging_friction_that_does_not_fit_is_refused(pressed, name, change):
    t = roll_steep(pressed, 0.4, 2)
    stored = StoredMaterial.of(t.state)
    with np.errstate(divide="ignore"):
        wrong = stored.lagging._replace(**{name: change(getattr(stored.lagging, name))})
    with pytest.raises(tr.InputError, match="lagging"):
        replace(stored, lagging=wrong).check(t.normal.grid)
