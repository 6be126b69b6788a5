"""Members between steps: extrapolated to where a linear iteration ends."""

import numpy as np
import pytest

from traction.contact.batch.kernels.member_moves import extrapolate

SHAPE = 2, 3, 10  #: sectors, members, elements


def iterate(rates, rng):
    """z after four linear steps, their changes, and where the steps would end."""
    end, parts = rng.standard_normal(SHAPE), rng.standard_normal((len(rates), *SHAPE))
    path = [end + sum(r**k * part for r, part in zip(rates, parts, strict=True)) for k in range(5)]
    return path[-1].copy(), np.diff(path, axis=0).astype(np.float32), end


def test_three_directions_end_at_once():
    z, changes, end = iterate((0.9, -0.6, 0.3), np.random.default_rng(1))
    before = np.abs(z - end).max()
    extrapolate.py_func(None, None, changes, z)
    assert np.abs(z - end).max() < 1e-4 * before


def test_more_directions_come_nearer_in_every_member():
    z, changes, end = iterate((0.9, 0.7, 0.5, 0.2, -0.4), np.random.default_rng(2))
    before = np.linalg.norm(z - end, axis=(0, 2))
    extrapolate.py_func(None, None, changes, z)
    assert (np.linalg.norm(z - end, axis=(0, 2)) < 0.5 * before).all()


@pytest.mark.parametrize("value", [0.0, np.nan, np.inf])
def test_members_without_usable_changes_do_not_disturb_the_others(value):
    z, changes, end = iterate((0.9, -0.6, 0.3), np.random.default_rng(3))
    changes[:, :, 1] = value
    kept = z[:, 1].copy()
    with np.errstate(invalid="ignore"):
        extrapolate.py_func(None, None, changes, z)
    assert np.abs(z - end)[:, [0, 2]].max() < 1e-3
    assert value != 0.0 or np.array_equal(z[:, 1], kept)
    assert value == 0.0 or np.isnan(z[:, 1]).all()  # seen by the check that follows
