"""Line contact without a reference length: what does not depend on it is computed, the rest refused."""

import numpy as np
import pytest

import traction as tr
from traction.errors import UndefinedError

LIKE = tr.Pair(tr.STEEL, tr.STEEL)
UNLIKE = tr.Pair(tr.STEEL, tr.Material(70e9, 0.33))
FORCE = 0.5 * 0.3 * 5e6


def contact(length, pair=LIKE):
    return tr.press(tr.Cylinder(0.46), tr.Grid.line(40, 0.4e-3, length=length), pair, force=5e6)


def pushed(length, pair=LIKE):
    return tr.shift(contact(length, pair), 0.3, displacement=(None, 0.0, 0.0), force=(FORCE, None))


@pytest.mark.parametrize("pair", [LIKE, UNLIKE], ids=["like", "unlike"])
def test_shift_by_a_force(pair):
    free, long = pushed(None, pair), pushed(10.0, pair)
    peak = 0.3 * free.normal.peak_pressure
    np.testing.assert_allclose(free.traction, long.traction, atol=1e-5 * peak)
    assert np.isnan(free.creepage[0])
    assert free.normal.grid.length is None
    assert "nan" not in repr(free)
    with pytest.raises(UndefinedError, match="tangent is not defined without a reference length"):
        _ = free.tangent


@pytest.mark.parametrize("scheme", ["covered", "world-fixed", "moving", "moving-interpolated"])
def test_rolling_at_a_held_force_has_a_creepage(scheme):
    given = {"distance": 0.4e-3, "creepage": (None, 0.0, 0.0), "scheme": scheme}
    found = []
    for length in (None, 10.0):
        t = pushed(length)
        for _ in range(2):
            t = tr.roll(t, 0.3, force=(t.force[0], None), **given)
        found.append(t)
    free, long = found
    assert free.creepage[0] == pytest.approx(long.creepage[0], rel=1e-4)
    np.testing.assert_allclose(free.traction, long.traction, atol=1e-4 * 0.3 * free.normal.peak_pressure)


def test_rolling_to_another_force_has_none():
    t = tr.roll(pushed(None), 0.3, distance=0.2e-3, creepage=(None, 0.0, 0.0), force=(0.8 * FORCE, None))
    assert np.isnan(t.creepage[0])
    again = tr.roll(t, 0.3, distance=0.2e-3, creepage=(None, 0.0, 0.0), force=(t.force[0], None))
    assert np.isfinite(again.creepage[0])


def test_forces_that_depend_on_the_length_are_refused():
    with pytest.raises(UndefinedError, match="force at a given shift is not defined without"):
        tr.shift(contact(None), 0.3, displacement=(1e-5, 0.0, 0.0))
    with pytest.raises(UndefinedError, match="force at a given creepage is not defined without"):
        tr.roll(pushed(None), 0.3, distance=0.2e-3, creepage=(1e-3, 0.0, 0.0))


def test_nothing_that_moves_needs_no_length():
    t = tr.shift(contact(None), 0.3, displacement=(0.0, 0.0, 0.0))
    assert not t.traction.any()
    assert t.creepage == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("friction", [0.3, tr.friction.exponential(0.2, (0.15, 1.0))], ids=["number", "law"])
def test_a_given_shift_of_a_law_is_refused_with_the_same_sentence(friction):
    n = tr.press(tr.Cylinder(0.46), tr.Grid.line(30, 0.5e-3), tr.Pair(tr.STEEL, tr.STEEL), force=5e6)
    with pytest.raises(tr.UndefinedError, match="not defined without a reference length"):
        tr.shift(n, friction, displacement=(1e-6, 0.0, 0.0), speed=1.0)


def test_a_layer_that_yields_is_shifted_by_a_force():
    """Its time does not matter, and a strip has no end that would give one."""
    film = tr.Layer(4e9, 1e-5, yield_stress=1e8)
    found = []
    for length in (None, 0.1):
        grid = tr.Grid.line(30, 0.5e-3, length=length)
        n = tr.press(tr.Cylinder(0.46), grid, tr.Pair(tr.STEEL, tr.STEEL), force=5e6)
        t = tr.shift(n, 0.3, force=(1e5, None), displacement=(None, 0.0, 0.0), layer=film)
        found.append(t.traction[0, 0])
    assert found[0] == pytest.approx(found[1], abs=1e-4 * abs(found[1]).max())
