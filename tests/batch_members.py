"""What the members of the tested batches share."""

import numpy as np

import traction as tr

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
GRID = tr.Grid(14, 13, dx=1.1e-3, dy=1.0e-3)
FRICTION = 0.3


def given(shifts, forces, k):
    """Creepage or displacement and force of a member, as the single solvers take them."""
    force = [None if np.isnan(f) else f for f in forces[k]]
    return [s if f is None else None for s, f in zip(shifts[k], force, strict=False)] + [shifts[k, 2]], force


def assert_like(batch, k, single):
    """A member of a batch has the forces, fields and powers of the single solver."""
    contact, limit = single.normal, single.friction * single.normal.force
    moved = np.abs(single.creepage).max() + 1e-12
    np.testing.assert_allclose(batch.force[k], single.force, atol=1e-6 * limit)
    np.testing.assert_allclose(batch.moment[k], single.moment, atol=1e-6 * limit * contact.semi_axes[0])
    np.testing.assert_allclose(batch.creepage[k], single.creepage, atol=1e-6 * moved)
    np.testing.assert_allclose(batch.dissipation[k], single.dissipation, atol=1e-6 * limit * moved)
    np.testing.assert_array_equal(batch.stick[k], single.stick)
    # shares settle to 4e-3, which moves single tractions more than forces
    bound, slip = single.friction * contact.peak_pressure, np.abs(single.slip).max()
    np.testing.assert_allclose(batch.traction[k], single.traction, atol=1e-3 * bound)
    np.testing.assert_allclose(batch.slip[k], single.slip, atol=1e-3 * slip + 1e-12)
    assert abs(batch.stick_share[k] - single.stick.sum() / contact.contact.sum()) < 1e-12
