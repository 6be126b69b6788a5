"""Stress cycles under a moving contact: superposition, symmetry, and contacts that change on the way."""

import numpy as np
import pytest

import traction as tr
from traction.errors import InputError

PAIR = tr.Pair(tr.STEEL, tr.STEEL)


@pytest.fixture(scope="module")
def contact():
    return tr.press(tr.Sphere(0.46), tr.Grid(16, 16, 1e-3, 1e-3), PAIR, force=1e5)


@pytest.fixture(scope="module")
def rolling(contact):
    return tr.roll_steady(contact, 0.3, creepage=(-5e-4, 0.0, 0.0))


def test_history_is_the_stress_seen_from_the_contact(rolling):
    points = np.array([[1e-3, 0.0, -2e-3], [0.0, 1.5e-3, -4e-3]])
    travelled = np.array([-8e-3, 0.3e-3, 5e-3])
    history = tr.stress_history(rolling, points, travelled)
    assert history.tensor.shape == (3, 2, 3, 3)
    for k, x in enumerate(travelled):
        seen = rolling.stress(points - [x, 0.0, 0.0])
        np.testing.assert_allclose(history.tensor[k], seen.tensor, atol=1e-12 * np.abs(seen.tensor).max())


def test_points_along_the_line_of_travel_see_the_same_cycle_later(rolling):
    points = np.array([[0.0, 0.0, -3e-3], [2e-3, 0.0, -3e-3]])
    cycle = tr.stress_history(rolling, points, np.arange(-10, 11) * 1e-3)
    np.testing.assert_allclose(
        cycle.tensor[2:, 1], cycle.tensor[:-2, 0], atol=1e-12 * np.abs(cycle.tensor).max()
    )


def test_shear_reverses_evenly_under_pure_pressure(contact):
    cycle = tr.stress_history(contact, [(0.0, 0.0, -3e-3)], np.linspace(-9e-3, 9e-3, 13))
    np.testing.assert_allclose(cycle.xz, -cycle.xz[::-1], atol=1e-6 * np.abs(cycle.xz).max())


def test_sequence_of_contacts(contact, rolling):
    points, travelled = [(0.0, 0.0, -3e-3)], [-1e-3, 0.5e-3]
    history = tr.stress_history([contact, rolling], points, travelled)
    alone = [
        tr.stress_history(one, points, [x]) for one, x in zip((contact, rolling), travelled, strict=True)
    ]
    np.testing.assert_array_equal(history.tensor, np.concatenate([one.tensor for one in alone]))


def test_dataset_is_over_positions_and_points_of_the_body(rolling):
    points = np.array([[1e-3, 0.0, -2e-3], [0.0, 1.5e-3, -4e-3]])
    dataset = tr.stress_history(rolling, points, [-1e-3, 0.0, 1e-3]).to_xarray()
    assert dataset["stress_xz"].dims == ("travelled", "point")
    np.testing.assert_allclose(dataset["x"], points[:, 0])
    assert dataset["travelled"].attrs["units"] == "m"


@pytest.mark.parametrize(
    ("contacts", "points", "travelled", "message"),
    [
        ("one", [(0.0, 0.0, 1e-3)], [0.0], "outside body 2"),
        ("one", [(0.0, 0.0)], [0.0], r"points has shape \(1, 2\)"),
        ("one", [(0.0, 0.0, -1e-3)], [], "travelled has shape"),
        ("two", [(0.0, 0.0, -1e-3)], [0.0], "contacts has 2 entries, travelled 1"),
        ("none", [(0.0, 0.0, -1e-3)], [0.0], r"contacts\[0\] = 3.0 is no contact"),
        ("word", [(0.0, 0.0, -1e-3)], [0.0], "contacts"),
    ],
)
def test_bad_input(contact, contacts, points, travelled, message):
    given = {"one": contact, "two": [contact, contact], "none": [3.0], "word": 5.0}[contacts]
    with pytest.raises(InputError, match=message):
        tr.stress_history(given, points, travelled)
