"""Batches of pressed contacts give the answers of the single solver."""

import numpy as np
import pytest

import traction as tr
from batch_members import GRID, PAIR

GAPS = [tr.Paraboloid(0.36 + 0.02 * k, 0.46 - 0.01 * k) for k in range(6)]
FORCES = np.linspace(50e3, 70e3, 6)


@pytest.mark.parametrize("grid", [GRID, tr.Grid(16, 14, 1e-3, 1e-3)], ids=["odd", "even"])
def test_members_are_those_of_the_single_solver(grid):
    found = tr.Batch(grid, PAIR).press(GAPS, forces=FORCES, fields=True)
    assert found.ok.all()
    assert found.solved_singly == 0
    assert found.error.max() <= 1e-6
    for k, (gap, force) in enumerate(zip(GAPS, FORCES, strict=True)):
        single = tr.press(gap, grid, PAIR, force=force)
        assert found.force[k] == pytest.approx(force, rel=1e-12)
        assert found.approach[k] == pytest.approx(single.approach, rel=2e-6)
        assert found.peak_pressure[k] == pytest.approx(single.peak_pressure, rel=2e-5)
        assert found.contact_area[k] == pytest.approx(single.contact_area)
        np.testing.assert_array_equal(found.pressure[k] > 0.0, single.contact)


def test_approaches_and_bodies_that_do_not_touch():
    approaches = np.array([-1e-6, 0.0, 5e-5, 6e-5])
    found = tr.Batch(GRID, PAIR).press(GAPS[0], approaches=approaches)
    assert found.ok.all()
    assert found.solved_singly == 0
    np.testing.assert_array_equal(found.force[:2], 0.0)
    for k in (2, 3):
        single = tr.press(GAPS[0], GRID, PAIR, approach=approaches[k])
        assert found.force[k] == pytest.approx(single.force, rel=2e-6)


def test_gaps_without_symmetry_as_an_array():
    x, y = GRID.mesh()
    gaps = np.array([x**2 + y**2 + 0.3 * x * y + 9.0 * (x + shift) ** 3 for shift in (0.0, 1e-3, 2e-3)])
    found = tr.Batch(GRID, PAIR).press(gaps, forces=40e3, fields=True)
    assert found.solved_singly == 0
    for k, gap in enumerate(gaps):
        single = tr.press(gap, GRID, PAIR, force=40e3)
        np.testing.assert_allclose(found.pressure[k], single.pressure, atol=2e-5 * single.peak_pressure)


def test_a_contact_at_the_edge_of_the_grid_says_so():
    found = tr.Batch(GRID, PAIR).press(GAPS[0], forces=[45e3, 4e6])
    assert list(found.ok) == [True, False]
    assert found.status[1] is tr.Status.EDGE
    np.testing.assert_array_equal(found.singles, [1])


def test_pressed_members_can_roll():
    batch = tr.Batch(GRID, PAIR)
    pressed = batch.press(GAPS, forces=FORCES, fields=True)
    rolled = batch.roll_steady(
        [pressed[k] for k in range(6)] * 2, 0.3, (2e-3, 0.0, 0.0), discretisation="classical"
    )
    assert rolled.solved_singly == 0
    single = tr.roll_steady(pressed[4], 0.3, creepage=(2e-3, 0.0, 0.0), discretisation="classical")
    np.testing.assert_allclose(rolled.force[[4, 10]], [single.force] * 2, atol=2e-6 * 0.3 * 66e3)


def test_line_contacts_are_solved_singly():
    grid = tr.Grid.line(24, 1e-3, length=0.1)
    found = tr.Batch(grid, PAIR).press(tr.Cylinder(0.46), forces=[10e6, 20e6])
    assert found.ok.all()
    assert found.solved_singly == 2


def test_members_with_few_elements_are_warned_of():
    with pytest.warns(tr.CoarseGridWarning, match="1 of 2 members has fewer than 50 elements in contact"):
        tr.Batch(GRID, PAIR).press(GAPS[0], forces=[5e3, 60e3])


def test_the_contact_of_a_member_needs_its_fields():
    found = tr.Batch(GRID, PAIR).press(GAPS[0], forces=60e3)
    with pytest.raises(tr.InputError, match="fields=True"):
        found[0]
    kept = tr.Batch(GRID, PAIR).press(GAPS[0], forces=60e3, fields=True)
    with pytest.raises(IndexError, match="member 1 of 1"):
        kept[1]
    with pytest.raises(TypeError, match="integer"):
        kept[0.5]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"forces": None}, "forces"),
        ({"approaches": 1e-5}, "forces"),
        ({"forces": [1e3, -1.0]}, "forces has the value -1.0 N and must be positive"),
        ({"forces": [[1e3]]}, r"forces has shape \(1, 1\), expected \(K,\)"),
        ({"gaps": GAPS[:2], "forces": [1.0, 2.0, 3.0]}, "gaps has 2 rows, expected 3 or 1"),
        ({"gaps": []}, "gaps is empty"),
        ({"forces": []}, "forces is empty; give one for all members, or one for each"),
        ({"forces": [1e3, 1e40]}, r"forces\[1\] = 1e\+40 N must lie between 1e-30 and 1e\+30"),
    ],
)
def test_bad_input_is_named(change, words):
    with pytest.raises(tr.InputError, match=words):
        tr.Batch(GRID, PAIR).press(**{"gaps": GAPS[0], "forces": 1e3, **change})
