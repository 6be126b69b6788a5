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
    assert np.abs(z - end).max() < 1e-3 * before  # changes are in single precision


def test_the_next_change_is_smaller_in_every_member():
    rng = np.random.default_rng(2)
    rates, start = rng.uniform(-0.5, 0.9, SHAPE), rng.standard_normal(SHAPE)
    path = [rates**k * start for k in range(5)]
    z, changes = path[-1].copy(), np.diff(path, axis=0).astype(np.float32)
    extrapolate.py_func(None, None, changes, z)
    before, after = (np.linalg.norm((1.0 - rates) * one, axis=(0, 2)) for one in (path[-1], z))
    assert (after < before).all()


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
