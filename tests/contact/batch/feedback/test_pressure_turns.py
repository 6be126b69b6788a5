"""Batches of unlike bodies give the answers of the single solver, whose pressure depends on the tractions."""

import numpy as np
import pytest

import traction as tr
from batch_members import FRICTION, GRID, assert_like, given

UNLIKE = tr.Pair(tr.STEEL, tr.Material(70e9, 0.33))


@pytest.fixture(scope="module")
def contacts():
    """A contact that is its own image in y, and one that is not."""
    skewed = tr.press(
        lambda x, y: x**2 / 0.9 + y**2 / 0.7 + 0.5 * x * y + 20.0 * y**3, GRID, UNLIKE, force=20e3
    )
    return tr.press(tr.Paraboloid(0.46, 0.38), GRID, UNLIKE, force=30e3), skewed


@pytest.mark.parametrize("law", [None, tr.friction.exponential(0.15, (0.15, 0.2), memory=(1e-4, 1e-2))])
def test_rolling_is_that_of_the_single_solver(contacts, members, law):
    both, (creepages, forces) = [*contacts] * 5, members
    forces = forces * 0.5 if law is None else np.full((10, 2), np.nan)
    friction, settings = (FRICTION, {}) if law is None else (law, {"speed": 20.0})
    settings["discretisation"] = "classical"
    found = tr.Batch(GRID, UNLIKE).roll_steady(both, friction, creepages, forces, fields=True, **settings)
    assert found.ok.all()
    assert found.solved_singly == 0
    for k in (1, 3, 5, 6, 9):
        creepage, force = given(creepages, forces, k)
        single = tr.roll_steady(both[k], friction, creepage=creepage, force=force, **settings)
        assert_like(found, k, single)


def test_shifts_are_those_of_the_single_solver(contacts, members):
    both, displacements, forces = [*contacts] * 5, members[0] * (5e-3, 5e-3, 2e-3), 0.5 * members[1]
    found = tr.Batch(GRID, UNLIKE).shift(both, FRICTION, displacements, forces, fields=True)
    assert found.ok.all()
    assert found.solved_singly == 0
    for k in (1, 3, 5, 6, 9):
        displacement, force = given(displacements, forces, k)
        assert_like(found, k, tr.shift(both[k], FRICTION, displacement=displacement, force=force))


def test_sliding_members_carry_the_pressure_that_their_tractions_bring(contacts):
    n, creepages = (
        contacts[0],
        np.array([[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.1, 0.1, 0.0]] * 2),
    )
    found = tr.Batch(GRID, UNLIKE).roll_steady(
        n, FRICTION, creepages, fields=True, discretisation="classical"
    )
    assert found.solved_singly == 0
    half_space = tr.HalfSpace(GRID, UNLIKE)
    for traction in found.traction[:4]:
        lift = sum(half_space.product("z", along, part) for along, part in zip("xy", traction, strict=True))
        pressed = tr.press(n.gap + lift, GRID, UNLIKE, force=n.force, tol=1e-8)
        size = np.hypot(*traction)
        np.testing.assert_allclose(size, FRICTION * pressed.pressure, atol=3e-6 * size.max())
        assert np.abs(pressed.pressure - n.pressure).max() > 1e-2 * n.peak_pressure


def test_covered_elements_end_at_edges_of_their_own(contacts):
    found = tr.Batch(GRID, UNLIKE).roll_steady(contacts[0], FRICTION, np.full((8, 3), 1e-3))
    assert found.solved_singly == 8
    assert found.ok.all()
