"""Displacements at element centres moved along x, against those at points."""

import numpy as np
import pytest

import traction as tr
from traction.halfspace.half_space import HalfSpace
from traction.halfspace.shifted_influence import compute_shifted_displacement, compute_sideways_displacement

PAIR = tr.Pair(tr.Material.from_shear_modulus(26.7e9, 0.33), tr.STEEL)
GRIDS = [tr.Grid(9, 7, 1e-3, 2e-3), tr.Grid.line(16, 1e-3, length=0.4)]


@pytest.mark.parametrize("shift", [0.0, 1e-3, -0.37e-3])
@pytest.mark.parametrize("grid", GRIDS, ids=["grid", "line"])
def test_moved_centres_see_what_points_do(grid, shift):
    half_space = HalfSpace(grid, PAIR)
    x, y = grid.mesh()
    px, py, p = np.random.default_rng(0).uniform(0.0, 1e6, (3, *grid.shape))

    def at(i, j, load):
        return half_space.at_points(i, j, load, x + shift, y)

    exact = np.array([at(i, "x", px) + at(i, "y", py) for i in "xy"])
    found = compute_shifted_displacement(np.array([px, py]), grid, PAIR, shift)
    np.testing.assert_allclose(found, exact, atol=1e-10 * np.abs(exact).max())
    exact = np.array([at(i, "z", p) for i in "xy"])
    found = compute_sideways_displacement(p, grid, PAIR, shift)
    np.testing.assert_allclose(found, exact, atol=1e-10 * np.abs(exact).max())
