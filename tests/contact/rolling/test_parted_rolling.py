"""Steady rolling of a contact whose parts displace each other by a share only."""

from dataclasses import replace

import numpy as np
import pytest

import traction as tr
from traction.contact.normal.part_interaction import PartInteraction

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
GRID = tr.Grid(14, 34, 0.5e-3, 0.5e-3)
CREEPAGE = (6e-4, -4e-4, 0.3)
MIDDLE = GRID.ny // 2


def bumps(x, y):
    return np.minimum((y - 4e-3) ** 2, (y + 4.5e-3) ** 2) / 0.5 + x**2 / 0.6


@pytest.fixture(scope="module")
def contact():
    return tr.press(bumps, GRID, PAIR, approach=1.6e-5)


def with_share(contact, share):
    part = np.repeat([0, 1], [MIDDLE, GRID.ny - MIDDLE])
    return replace(contact, parts=PartInteraction(part, np.array([[1.0, share], [share, 1.0]])))


def only(contact, rows):
    """The same pressure on some rows alone."""
    pressure = np.zeros(GRID.shape)
    pressure[rows] = contact.pressure[rows]
    return replace(contact, pressure=pressure, force=float(pressure.sum()) * GRID.cell_area)


def roll(contact, discretisation):
    return tr.roll_steady(contact, 0.3, creepage=CREEPAGE, discretisation=discretisation)


@pytest.mark.parametrize("discretisation", ["classical", "covered"])
def test_parts_pass_from_one_half_space_to_two(contact, discretisation):
    """With the share 1 they are one contact, with 0 each is by itself, and in between is no jump."""
    whole = roll(contact, discretisation)
    apart = [roll(only(contact, rows), discretisation) for rows in (slice(MIDDLE), slice(MIDDLE, None))]
    together, none = (roll(with_share(contact, share), discretisation) for share in (1.0, 0.0))
    tolerance = 1e-5 * whole.bound.max()
    assert np.abs(together.traction - whole.traction).max() < tolerance
    assert np.abs(none.traction - sum(one.traction for one in apart)).max() < tolerance
    assert none.dissipation == pytest.approx(sum(one.dissipation for one in apart), rel=1e-5)
    difference = np.array(whole.force) - none.force
    assert np.abs(difference).max() > 1e-3 * 0.3 * contact.force
    half = roll(with_share(contact, 0.5), discretisation)
    assert half.ok
    assert (np.array(half.force) - none.force) / difference == pytest.approx([0.5, 0.5], abs=0.1)
