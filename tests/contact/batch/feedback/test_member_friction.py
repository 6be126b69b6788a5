"""Friction of the members of a batch is checked, and errors name what is wrong."""

import numpy as np
import pytest

import traction as tr
from batch_members import GRID, PAIR

LAW, FILM = tr.friction.linear(0.1, (0.2, 0.5)), tr.Layer(4e9, 2e-5)
CREEPAGES = np.full((3, 3), 1e-3)


@pytest.mark.parametrize(
    ("friction", "settings", "words"),
    [
        (LAW, {}, "speed must be given with a friction law"),
        ([0.3, LAW, 0.3], {}, r"friction\[1\]: speed must be given"),
        (LAW, {"speed": -1.0}, "speed = -1.0 m/s must be positive"),
        (LAW, {"speed": [1.0, 2.0]}, "friction has 2 rows, expected 3 or 1"),
        ([LAW] * 3, {"speed": [1.0, 2.0]}, "speed has 2 rows, expected 3 or 1"),
        ([LAW] * 2, {"speed": [1.0, 2.0, 3.0]}, "friction has 2 rows, expected 3 or 1"),
        ([0.3] * 3, {"speed": [1.0, 2.0]}, "speed has 2 rows, expected 3 or 1"),
        ([], {}, "friction is empty"),
        (LAW, {"speed": np.ones((3, 1))}, r"speed has shape \(3, 1\)"),
        (-0.3, {}, "must not be negative"),
        (np.full(GRID.shape, -0.3), {}, "must not be negative"),
        (np.full((3, 4), 0.3), {}, r"friction has shape \(3, 4\), expected \(K,\)"),
        (np.full((4, *GRID.shape), 0.3), {}, "creepages has 3 rows, expected 4"),
        (0.3, {"layer": 0.1}, "tr.Layer"),
        (lambda x: 0.3, {}, "must take x and y"),
    ],
)
def test_what_cannot_be_friction_is_refused(contact, friction, settings, words):
    with pytest.raises(tr.InputError, match=words):
        tr.Batch(GRID, PAIR).roll_steady(contact, friction, CREEPAGES, **settings)


def test_shifts_refuse_what_has_no_duration_or_temperature(contact):
    batch, warm = tr.Batch(GRID, PAIR), tr.friction.thermal([0.0, 200.0], [0.3, 0.2])
    with pytest.raises(tr.InputError, match="has no duration"):
        batch.shift(contact, LAW, np.zeros(3), [[1e3, np.nan]], speed=1.0)
    with pytest.raises(tr.InputError, match="friction by temperature"):
        batch.shift(contact, warm, np.zeros(3), speed=1.0)


def test_forces_are_limited_by_fields_and_yield(contact):
    batch, force = tr.Batch(GRID, PAIR), np.array([[0.2 * contact.force, np.nan]])
    half = np.where(GRID.mesh()[1] > 0.0, 0.3, 0.0)
    with pytest.raises(tr.InputError, match=r"forces\[0\]"):
        batch.roll_steady(contact, half, np.zeros(3), force)
    with pytest.raises(tr.InputError, match=r"forces\[0\]"):
        batch.roll_steady(contact, 0.3, np.zeros(3), force, layer=tr.Layer(4e9, 2e-5, yield_stress=5e7))


def test_numbers_do_not_depend_on_speeds(contact):
    batch = tr.Batch(GRID, PAIR)
    one, each = (batch.roll_steady(contact, 0.3, CREEPAGES, speed=V) for V in (None, [10.0, 20.0, 30.0]))
    np.testing.assert_array_equal(one.force, each.force)


def test_friction_by_temperature_is_solved_one_by_one(contact):
    warm = tr.friction.thermal([0.0, 200.0], [0.3, 0.2])
    found = tr.Batch(GRID, PAIR).roll_steady(contact, [warm, 0.3], CREEPAGES[:2], speed=20.0)
    single = tr.roll_steady(contact, warm, creepage=tuple(CREEPAGES[0]), speed=20.0)
    assert tuple(found.force[0]) == single.force
    assert abs(found.force[0, 0]) < abs(found.force[1, 0])


def test_one_row_is_meant_for_all(contact):
    batch = tr.Batch(GRID, PAIR)
    one = batch.roll_steady(contact, LAW, CREEPAGES, speed=20.0)
    each = batch.roll_steady([contact] * 3, [LAW] * 3, CREEPAGES, speed=[20.0] * 3)
    np.testing.assert_array_equal(one.force, each.force)
    np.testing.assert_array_equal(one.friction, [LAW.static] * 3)
