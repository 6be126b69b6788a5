"""Parts of batches that fit into memory, and what is left where memory is short."""

import numpy as np
import pytest

import traction as tr
from batch_members import FRICTION, GRID, PAIR
from traction.app.checks.contact import friction_checks as checks_of_friction
from traction.contact.batch import friction_groups, pressing
from traction.contact.batch.device import Processor
from traction.contact.batch.member_parts import solve_parts


def fit(most):
    """A solver that runs out of memory with more members."""

    def solve(part):
        if part.size > most:
            raise MemoryError
        return list(part)

    return solve


def test_parts_are_halved_where_memory_is_short():
    found = list(solve_parts(fit(3), np.arange(20), 11))
    np.testing.assert_array_equal(np.concatenate(found), np.arange(20))
    assert max(map(len, found)) <= 3
    assert not list(solve_parts(fit(0), np.arange(4), 4))
    assert not list(solve_parts(fit(9), np.arange(0), 4))


def test_members_are_solved_one_by_one_where_matrices_do_not_fit(contact, members, monkeypatch):
    def fail(*_):
        raise MemoryError

    expected = tr.Batch(GRID, PAIR).roll_steady(contact, FRICTION, *members)
    monkeypatch.setattr(friction_groups.FrictionGroup, "prepare", fail)
    monkeypatch.setattr(pressing.Pressing, "__init__", fail)
    found = tr.Batch(GRID, PAIR).roll_steady(contact, FRICTION, *members)
    assert found.ok.all()
    assert found.solved_singly == 10
    np.testing.assert_allclose(found.force, expected.force, atol=1e-6 * FRICTION * contact.force)
    assert tr.Batch(GRID, PAIR).press(contact.gap, forces=[50e3, 60e3]).solved_singly == 2


def test_contacts_too_large_for_dense_matrices_are_solved_one_by_one(contact, members, monkeypatch):
    monkeypatch.setattr(Processor, "most_rolled", int(contact.contact.sum()) - 1)
    for discretisation in ("covered", "classical"):
        found = tr.Batch(GRID, PAIR).roll_steady(contact, FRICTION, *members, discretisation=discretisation)
        assert found.solved_singly == 10


@pytest.mark.slow
def test_the_check_of_batches_by_the_program_is_solved_by_a_batch():
    assert checks_of_friction._batch().solved_singly == 0


@pytest.mark.parametrize("call", ["roll_steady", "shift"])
def test_no_members_are_an_error(contact, call):
    with pytest.raises(tr.InputError, match=r"(creepages|displacements) is empty; give one for all members"):
        getattr(tr.Batch(GRID, PAIR), call)(contact, FRICTION, np.empty((0, 3)))
    with pytest.raises(tr.InputError, match="forces is empty"):
        getattr(tr.Batch(GRID, PAIR), call)(contact, FRICTION, np.zeros(3), np.empty((0, 2)))
