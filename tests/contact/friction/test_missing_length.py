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
