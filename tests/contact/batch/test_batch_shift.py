"""Batches of shifts give the answers of the single solver."""

import numpy as np
import pytest

import traction as tr
from batch_members import FRICTION, GRID, PAIR, assert_like, given


@pytest.mark.parametrize("precision", ["float64", "mixed"])
def test_members_are_those_of_the_single_solver(contact, skewed, members, precision):
    displacements, forces = members[0] * (5e-3, 5e-3, 2e-3), members[1]
    contacts = [contact, skewed] * 5
    found = tr.Batch(GRID, PAIR, precision=precision).shift(
        contacts, FRICTION, displacements, forces, fields=True
    )
    assert found.ok.all()
    assert found.solved_singly == 0
    assert found.to_xarray()["displacement_x"].attrs["units"] == "m"
    for k in range(10):
        displacement, force = given(displacements, forces, k)
        assert_like(found, k, tr.shift(contacts[k], FRICTION, displacement=displacement, force=force))


def test_pulls_of_a_round_contact_are_those_of_cattaneo():
    grid, force = tr.Grid(30, 30, 0.5e-3, 0.5e-3), 60e3
    n = tr.press(tr.Sphere(0.46), grid, PAIR, force=force)
    pulls = np.array([[0.2, np.nan], [0.5, np.nan], [0.8, np.nan]] * 3) * FRICTION * force
    found = tr.Batch(grid, PAIR).shift(n, FRICTION, np.zeros(3), pulls)
    # Mindlin 1949: the displacement goes with 1 - (1 - F/mu N)^(2/3)
    share = 1.0 - (1.0 - pulls[:, 0] / (FRICTION * force)) ** (2.0 / 3.0)
    ratio = found.creepage[:, 0] / share
    np.testing.assert_allclose(ratio, ratio.mean(), rtol=5e-3)
