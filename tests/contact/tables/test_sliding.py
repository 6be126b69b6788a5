"""Sliding forces: closed forms, and sums over a fine grid where the pole of the spin is in the contact."""

import numpy as np
import pytest

from traction.contact.tables.sliding import slide
from traction.contact.tables.usetab.usetab_solution import press_ellipse


@pytest.mark.parametrize("ratio", [0.3, 1.0, 20.0])
def test_sliding_forces(ratio):
    straight, spun = slide(ratio, np.array([[-1e6, 0.0, 0.0], [0.0, 0.0, 1e6]]))
    assert straight == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)
    assert spun[:2] == pytest.approx((0.0, 0.0), abs=1e-12)
    assert spun[2] < 0.0
    if ratio == 1.0:
        assert spun[2] == pytest.approx(-3.0 * np.pi / 16.0, rel=1e-5)


def test_the_pole_of_sliding_in_the_contact_is_integrated_well():
    aside = np.array([[0.3e6, -0.2e6, 1e6]])
    n = press_ellipse(2.0, 60)
    x, y = n.grid.x[None, :], n.grid.y[:, None]
    wx, wy = 0.3 - y, -0.2 + x
    load = n.pressure * n.grid.cell_area / np.hypot(wx, wy)
    expected = -(load * wx).sum(), -(load * wy).sum(), -(load * (x * wy - y * wx)).sum()
    assert slide(2.0, aside)[0] == pytest.approx(expected, abs=1e-3)
