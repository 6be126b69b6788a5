"""Batches of rolling contacts give the answers of the single solver, member by member."""

import numpy as np
import pytest

import traction as tr
from batch_members import FRICTION, GRID, PAIR, assert_like, given
from traction.contact.batch import splitting
from traction.contact.tables.solved_usetab import press_ellipse


@pytest.mark.parametrize("precision", ["float64", "mixed"])
@pytest.mark.parametrize(
    ("discretisation", "direction"), [("covered", 1), ("covered", -1), ("classical", 1), ("classical", -1)]
)
def test_members_are_those_of_the_single_solver(contact, members, discretisation, direction, precision):
    settings = {"discretisation": discretisation, "direction": direction}
    batch = tr.Batch(GRID, PAIR, precision=precision)
    found = batch.roll_steady(contact, FRICTION, *members, fields=True, **settings)
    assert found.ok.all()
    assert found.solved_singly == 0
    assert found.error.max() <= 1e-6
    for k in range(len(found)):
        creepage, force = given(*members, k)
        assert_like(found, k, tr.roll_steady(contact, FRICTION, creepage=creepage, force=force, **settings))


@pytest.mark.parametrize("discretisation", ["covered", "classical"])
def test_a_contact_without_symmetry(skewed, members, discretisation):
    found = tr.Batch(GRID, PAIR).roll_steady(
        skewed, FRICTION, *members, fields=True, discretisation=discretisation
    )
    assert found.ok.all()
    assert found.solved_singly == 0
    for k in (1, 4, 6, 9):
        creepage, force = given(*members, k)
        single = tr.roll_steady(
            skewed, FRICTION, creepage=creepage, force=force, discretisation=discretisation
        )
        assert_like(found, k, single)


def test_members_of_several_contacts_with_their_own_friction(contact, skewed, members):
    creepages, forces = members
    contacts, friction = [contact, skewed] * 5, np.linspace(0.2, 0.5, 10)
    found = tr.Batch(GRID, PAIR).roll_steady(
        contacts, friction, creepages, forces, discretisation="classical", fields=True
    )
    assert found.ok.all()
    assert found.solved_singly == 0
    for k in range(10):
        creepage, force = given(creepages, forces, k)
        single = tr.roll_steady(
            contacts[k], friction[k], creepage=creepage, force=force, discretisation="classical"
        )
        assert_like(found, k, single)


def test_few_covered_members_of_a_contact_are_solved_singly(contact, skewed, members):
    creepages, _ = members
    contacts = [contact] * 9 + [skewed]
    found = tr.Batch(GRID, PAIR).roll_steady(contacts, FRICTION, creepages)
    np.testing.assert_array_equal(found.singles, [9])
    assert found.force[9] == pytest.approx(tr.roll_steady(skewed, FRICTION, creepage=creepages[9]).force)


@pytest.mark.parametrize("precision", ["float64", "mixed"])
def test_any_tolerance_can_be_reached(contact, members, precision):
    batch = tr.Batch(GRID, PAIR, precision=precision)
    found = batch.roll_steady(contact, FRICTION, *members, discretisation="classical", tol=1e-10)
    assert found.solved_singly == 0
    assert found.error.max() <= 1.01e-10


def test_a_contact_that_is_nearly_its_own_image_in_y(members):
    x, y = GRID.mesh()
    n = tr.press(x**2 / 0.9 + (y - 1e-8) ** 2 / 0.7, GRID, PAIR, force=50e3, tol=1e-10)
    found = tr.Batch(GRID, PAIR).roll_steady(n, FRICTION, members[0], tol=1e-9)
    for k in range(1, 10):
        single = tr.roll_steady(n, FRICTION, creepage=members[0][k], tol=1e-9)
        np.testing.assert_allclose(found.force[k], single.force, atol=2e-8 * FRICTION * n.force)


def test_members_that_do_not_converge_are_solved_singly(contact, members, monkeypatch):
    creepages, forces = members
    expected = tr.Batch(GRID, PAIR).roll_steady(contact, FRICTION, creepages, forces)
    monkeypatch.setattr(splitting, "MOST_STEPS", 10)
    found = tr.Batch(GRID, PAIR).roll_steady(contact, FRICTION, creepages, forces)
    assert found.solved_singly == len(found) == 10
    assert found.ok.all()
    np.testing.assert_allclose(found.force, expected.force, atol=1e-6 * FRICTION * contact.force)


def test_few_members_that_converge_keep_their_solution_where_the_others_do_not(contact, monkeypatch):
    monkeypatch.setattr(splitting, "MOST_STEPS", 10)
    creepages = np.full((10, 3), (1.5e-3, -5e-4, 0.2)) * np.linspace(0.0, 1.5, 10)[:, None]
    found = tr.Batch(GRID, PAIR).roll_steady(contact, FRICTION, creepages, discretisation="classical")
    assert found.ok.all()
    assert 0 not in found.singles
    assert found.solved_singly > 0


@pytest.mark.parametrize("precision", ["float64", "mixed"])
def test_what_is_not_a_number_is_never_converged(contact, members, precision):
    batch = tr.Batch(GRID, PAIR, precision=precision)
    batch.roll_steady(contact, FRICTION, *members)
    for group in batch._groups._kept.values():
        group.splitting.exact.resolvent[0, 3, 5] = np.nan
    found = batch.roll_steady(contact, FRICTION, *members)
    assert found.solved_singly == 10
    assert np.isfinite(found.force).all()


@pytest.mark.parametrize(("ratio", "cells", "spin"), [(4.0, 20, 0.16), (200.0, 14, 1.77e-3)])
def test_slender_contacts_that_spin_have_one_solution(ratio, cells, spin):
    # what glides at the exit by the first guess must not go on to do so, with tractions of the wrong sign
    n, creepages = press_ellipse(ratio, cells), np.zeros((8, 3))
    creepages[:, 2] = np.linspace(-1.0, 1.0, 8) * spin
    found, mixed = (
        tr.Batch(n.grid, n.pair, precision=precision).roll_steady(n, 1.0, creepages)
        for precision in ("float64", "mixed")
    )
    assert found.solved_singly == mixed.solved_singly == 0
    np.testing.assert_allclose(mixed.force, found.force, atol=3e-6)


def test_few_members_are_solved_together_where_the_matrices_are_there(contact, members):
    batch, creepages = tr.Batch(GRID, PAIR), members[0]
    assert batch.roll_steady(contact, FRICTION, creepages[:2]).solved_singly == 2
    whole = batch.roll_steady(contact, FRICTION, creepages)
    few = batch.roll_steady(contact, FRICTION, creepages[:2])
    assert few.solved_singly == 0
    np.testing.assert_allclose(few.force, whole.force[:2], atol=1e-6 * FRICTION * contact.force)


def test_unlike_bodies_are_solved_singly():
    pair = tr.Pair(tr.STEEL, tr.Material(5e9, 0.45))
    n = tr.press(tr.Paraboloid(0.46, 0.38), GRID, pair, force=4e3)
    found = tr.Batch(GRID, pair).roll_steady(n, FRICTION, [(1e-3, 0.0, 0.1)])
    single = tr.roll_steady(n, FRICTION, creepage=(1e-3, 0.0, 0.1))
    assert found.solved_singly == 1
    assert found.force[0] == pytest.approx(single.force)


def test_a_line_contact():
    grid = tr.Grid.line(24, 1e-3, length=0.1)
    n = tr.press(tr.Cylinder(0.46), grid, PAIR, force=20e6)
    creepages = np.zeros((9, 3))
    creepages[:, 0] = np.linspace(0.0, 4e-3, 9)
    found = tr.Batch(grid, PAIR).roll_steady(n, FRICTION, creepages, fields=True)
    assert found.solved_singly == 0
    for k in (0, 3, 8):
        assert_like(found, k, tr.roll_steady(n, FRICTION, creepage=creepages[k]))


def test_without_friction_nothing_is_transferred(contact):
    found = tr.Batch(GRID, PAIR).roll_steady(contact, [0.0] * 9 + [0.3], (1e-3, 0.0, 0.0))
    assert found.ok.all()
    np.testing.assert_array_equal(found.force[:9], 0.0)
    assert found.force[9, 0] < 0.0


def test_matrices_are_kept_from_call_to_call(contact, skewed, members):
    batch = tr.Batch(GRID, PAIR)
    first = batch.roll_steady(contact, FRICTION, *members)
    group = next(iter(batch._groups._kept.values()))
    batch.roll_steady(skewed, FRICTION, *members)
    again = batch.roll_steady(contact, FRICTION, *members)
    assert group in batch._groups._kept.values()
    np.testing.assert_array_equal(first.force, again.force)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"creepages": [(1e-3, 0.0)]}, r"creepages has shape \(1, 2\), expected \(K, 3\)"),
        ({"creepages": [(np.nan, 0.0, 0.0)]}, r"creepages\[0, 0\] = nan must be a finite number"),
        ({"creepages": np.zeros((3, 3)), "friction": [0.1, 0.2]}, "friction has 2 rows, expected 3 or 1"),
        ({"friction": -0.1}, "friction = -0.1 must not be negative"),
        ({"friction": [[0.3], [0.2]]}, r"friction has shape \(2, 1\), expected \(K,\)"),
        ({"friction": [0.3, 1e-40]}, r"friction\[1\] = 1e-40 must lie between 1e-30 and 1e\+30"),
        ({"forces": [(20e3, np.nan)]}, r"forces\[0\] is 20000 N in size and must be below mu Fn"),
        ({"forces": [(np.inf, 0.0)]}, r"forces\[0, 0\] = inf must be a finite number"),
        ({"normals": []}, "normals is empty"),
        ({"normals": "contact"}, "normals = 'contact' must be"),
        ({"discretisation": "coarse"}, "discretisation = 'coarse' is not known"),
        ({"tol": 0.0}, "tol = 0.0 must lie between"),
    ],
)
def test_bad_input_is_named(contact, change, words):
    given = {"normals": contact, "friction": 0.3, "creepages": [(1e-3, 0.0, 0.0)], **change}
    with pytest.raises(tr.InputError, match=words):
        tr.Batch(GRID, PAIR).roll_steady(**given)


def test_a_contact_of_another_grid_is_refused(contact):
    with pytest.raises(tr.InputError, match=r"normals\[0\] has another grid"):
        tr.Batch(tr.Grid(8, 8, 1e-3, 1e-3), PAIR).roll_steady(contact, 0.3, (0.0, 0.0, 0.0))
