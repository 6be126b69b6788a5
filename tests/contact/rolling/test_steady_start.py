"""Steady rolling begun from an earlier result."""

import numpy as np
import pytest

import traction as tr
from traction.errors import InputError

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
GRID = tr.Grid(24, 24, 0.6e-3, 0.6e-3)


def pressed(force):
    return tr.press(tr.Paraboloid(0.46, 0.46), GRID, PAIR, force=force)


@pytest.mark.parametrize("discretisation", ["classical", "covered"])
@pytest.mark.parametrize(
    "given", [{"creepage": (1e-3, 5e-4, 0.1)}, {"creepage": (None, 0.0, 0.1), "force": (-4e3, None)}]
)
def test_a_start_leads_to_the_same_tractions(discretisation, given):
    begun = tr.roll_steady(pressed(80e3), 0.3, discretisation=discretisation, **given)
    n = pressed(80.4e3)
    alone = tr.roll_steady(n, 0.3, discretisation=discretisation, **given)
    again = tr.roll_steady(n, 0.3, discretisation=discretisation, start=begun, **given)
    assert again.ok
    assert again.force == pytest.approx(alone.force, abs=1e-5 * 0.3 * n.force)
    assert np.abs(again.traction - alone.traction).max() < 1e-4 * alone.bound.max()


def test_a_start_on_another_grid_is_refused():
    other = tr.press(tr.Paraboloid(0.46, 0.46), tr.Grid(26, 26, 0.6e-3, 0.6e-3), PAIR, force=80e3)
    begun = tr.roll_steady(other, 0.3, creepage=(1e-3, 0.0, 0.0))
    with pytest.raises(InputError, match="another grid"):
        tr.roll_steady(pressed(80e3), 0.3, creepage=(1e-3, 0.0, 0.0), start=begun)
    with pytest.raises(InputError, match="start"):
        tr.roll_steady(pressed(80e3), 0.3, creepage=(1e-3, 0.0, 0.0), start=3)
