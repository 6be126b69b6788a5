"""Contacts that reach the edge of their grid: what the sentence advises."""

import numpy as np
import pytest

import traction as tr
from traction.contact.normal.grid_size_advice import opens
from traction.status import Status

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
FORCE = 745.56e3


def pressed(width, surface=None, n=8):
    grid = tr.Grid(n, n, width / n, width / n)
    return tr.press(surface or tr.Sphere(0.46), grid, PAIR, force=FORCE, on_failure="return")


def test_the_advised_grid_holds_the_contact():
    short = pressed(10e-3)
    assert short.status is Status.EDGE
    nx = int(short.message.split("at least ")[1].split(" x ")[0])
    assert pressed(nx * 10e-3 / 8, n=nx).ok


@pytest.mark.parametrize("n", [8, 33])
def test_a_grid_that_lies_deep_inside_its_contact_is_told_to_grow(n):
    """The contact of a ball ends, but so far outside that no advice in elements is found."""
    found = pressed(1e-3, n=n)
    assert found.status is Status.TINY_GRID
    assert "more than 25 times as wide; enlarge the grid" in found.message
    with pytest.raises(tr.ConvergenceError, match="enlarge the grid, or reduce the load"):
        tr.press(tr.Sphere(0.46), found.grid, PAIR, force=FORCE)


def test_a_gap_that_does_not_open_has_no_grid():
    found = pressed(1e-3, tr.Cylinder(0.46))
    assert found.status is Status.UNBOUNDED
    assert "no grid is large enough" in found.message


def test_where_a_gap_opens():
    y, x = np.mgrid[-3:4, -4:5].astype(float)
    assert opens(x**2 + y**2, (True, True))
    assert opens(x**2, (True, False))
    assert not opens(x**2, (True, True))
    assert not opens(x + 10.0, (True, False))  # on one side it closes
    assert not opens(-(x**2), (True, False))
