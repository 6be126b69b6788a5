"""Whether a grid resolves a contact: counted across its patches, and warned of."""

import warnings

import numpy as np
import pytest

import traction as tr
from coarse import FEW_ELEMENTS
from traction.contact.normal.grid_size_advice import count_across

PAIR = tr.Pair(tr.STEEL, tr.STEEL)


def test_ellipses_are_counted_along_their_shorter_side():
    x, y = np.meshgrid(np.arange(40) - 19.5, np.arange(30) - 14.5)
    pressure = np.sqrt(np.maximum(0.0, 1.0 - (x / 16.0) ** 2 - (y / 5.0) ** 2))
    assert count_across(pressure) == 10
    assert count_across(pressure.T) == 10
    assert count_across(np.zeros((4, 4))) == 0
    assert count_across(pressure[14:15]) == 32  # a line


def test_strips_across_the_grid_are_thin():
    """Rows and columns with any contact are 40 each."""
    x, y = np.meshgrid(np.arange(40), np.arange(40))
    assert count_across((np.abs(x - y) <= 1).astype(float)) == 3
    bent = np.abs(np.hypot(x, y) - 30.0) <= 1.0
    assert count_across(bent.astype(float)) <= 5


def test_patches_that_carry_little_do_not_count():
    pressure = np.zeros((30, 60))
    pressure[10:20, 5:20] = 1.0
    pressure[5:25, 40:42] = 1.0
    assert count_across(pressure) == 2
    pressure[5:25, 40:42] = 0.1
    assert count_across(pressure) == 10
    alone = np.zeros((60, 60))
    alone[::3, ::3] = 1.0  # 400 asperities of one element
    assert count_across(alone) == 1


@pytest.mark.parametrize(("across", "off"), [(2, "tens of per cent"), (4, "about 6 %"), (7, "about 2 %")])
def test_coarse_grids_are_warned_of(across, off):
    radius = tr.hertz.sphere(0.02, PAIR, force=50.0).semi_axes[0]
    dx = 2.02 * radius / across
    grid = tr.Grid(across + 6, across + 6, dx, dx)
    words = rf"has {across} elements across .* at least 8 are needed: expect errors .* of {off}\. Divide"
    with pytest.warns(tr.CoarseGridWarning, match=words) as caught:
        found = tr.press(tr.Sphere(0.02), grid, PAIR, force=50.0)
    assert found.elements_across == across
    assert caught[0].filename == __file__


def test_fine_grids_runs_and_silenced_ones_are_not_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fine = tr.press(tr.Sphere(0.02), tr.Grid(40, 40, 1.6e-5, 1.6e-5), PAIR, force=50.0)
        assert fine.elements_across >= 8
        tr.press(tr.Sphere(0.02), tr.Grid(8, 8, 5e-5, 5e-5), PAIR, approach=0.0)  # they do not touch
        warnings.simplefilter("ignore", tr.CoarseGridWarning)
        tr.press(tr.Sphere(0.02), tr.Grid(8, 8, 1e-4, 1e-4), PAIR, force=50.0)


@FEW_ELEMENTS  # they are what is tested
def test_errors_of_coarse_grids_are_of_the_stated_size():
    """Over positions of the grid, n elements across are off by up to about 1/n^2."""
    exact = tr.hertz.sphere(0.02, PAIR, force=50.0)
    for share in (0.0, 0.25, 0.5):
        for count in (3.3, 4.2, 5.1, 6.5, 8.4):
            dx = 2.0 * exact.semi_axes[0] / count
            ball, n = tr.Sphere(0.02, center=(share * dx, 0.6 * share * dx)), int(count) + 7
            found = tr.press(ball, tr.Grid(n, n, dx, dx), PAIR, force=50.0)
            off = abs(found.peak_pressure / exact.peak_pressure - 1.0)
            assert off < 1.2 / found.elements_across**2
