"""What the tractions of a patch begin from."""

from types import SimpleNamespace

import numpy as np
import pytest

import traction as tr
from traction.wheelsets.patches.rolling import find_start

PAIR = tr.Pair(tr.STEEL, tr.STEEL)


def pressed(cells):
    return tr.press(tr.Sphere(0.3), tr.Grid(cells, cells, 4e-4, 4e-4), PAIR, force=2e3)


def test_a_contact_on_another_grid_hands_its_shares_of_the_bound_on():
    small, large = pressed(16), pressed(20)
    t = tr.roll_steady(small, 0.3, creepage=(1e-3, 0.0, 0.0))
    assert find_start(t, SimpleNamespace(normal=small)) is t
    start = find_start(t, SimpleNamespace(normal=large))
    assert start.grid == small.grid
    np.testing.assert_allclose(start.share * t.bound, t.traction, atol=1e-12 * t.bound.max())
    assert np.hypot(*start.share).max() == pytest.approx(1.0)
    assert find_start(None, SimpleNamespace(normal=large)) is None
