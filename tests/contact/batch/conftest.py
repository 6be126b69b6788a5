"""Contacts and members that the tests of batches share."""

import numpy as np
import pytest

import traction as tr
from batch_members import FRICTION, GRID, PAIR


@pytest.fixture(scope="session")
def contact():
    return tr.press(tr.Paraboloid(0.46, 0.38), GRID, PAIR, force=60e3)


@pytest.fixture(scope="session")
def skewed():
    """A contact without mirror symmetry."""

    def gap(x, y):
        return x**2 / 0.9 + y**2 / 0.7 + 0.5 * x * y + 20.0 * y**3

    return tr.press(gap, GRID, PAIR, force=40e3)


@pytest.fixture(scope="session")
def members():
    """Creepages from none to full sliding with spin, and forces along x, y, both or none."""
    rng = np.random.default_rng(5)
    creepages = rng.uniform(-1.0, 1.0, (10, 3)) * (4e-3, 4e-3, 0.8)
    creepages[0] = 0.0
    forces = np.full((10, 2), np.nan)
    forces[3:6, 0] = forces[5:8, 1] = 0.4 * FRICTION * 40e3
    return creepages, forces
