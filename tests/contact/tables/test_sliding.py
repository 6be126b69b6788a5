"""Sliding forces: closed forms, sums over a fine grid, and rays from the pole of the spin in the contact."""

import math

import numpy as np
import pytest

from traction.contact.tables import sliding
from traction.contact.tables.sliding import slide
from traction.contact.tables.solved_usetab import press_ellipse


@pytest.mark.parametrize("ratio", [0.3, 1.0, 20.0])
def test_sliding_forces(ratio):
    straight, spun = slide(ratio, np.array([[-1e6, 0.0, 0.0], [0.0, 0.0, 1e6]]))
    assert straight == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)
    assert spun[:2] == pytest.approx((0.0, 0.0), abs=1e-12)
    assert spun[2] < 0.0
    if ratio == 1.0:
        assert spun[2] == pytest.approx(-3.0 * np.pi / 16.0, rel=1e-9)


def test_the_pole_of_sliding_in_the_contact_is_integrated_well():
    aside = np.array([[0.3e6, -0.2e6, 1e6]])
    n = press_ellipse(2.0, 60)
    x, y = n.grid.x[None, :], n.grid.y[:, None]
    wx, wy = 0.3 - y, -0.2 + x
    load = n.pressure * n.grid.cell_area / np.hypot(wx, wy)
    expected = -(load * wx).sum(), -(load * wy).sum(), -(load * (x * wy - y * wx)).sum()
    assert slide(2.0, aside)[0] == pytest.approx(expected, abs=1e-3)


def creepages_of_poles(ratio, radius):
    """Creepages whose poles lie at so much of the way to the edge, in six directions."""
    angle, phi = np.linspace(0.1, 6.0, 6), np.array([-2.0, 3.0, -1.0, 1.0, 2.0, -3.0])
    x, y = math.sqrt(ratio) * radius * np.cos(angle), radius * np.sin(angle) / math.sqrt(ratio)
    return np.column_stack((y * phi, -x * phi, phi))


@pytest.mark.parametrize("ratio", [1.0 / 7.0, 3.0, 200.0])
@pytest.mark.parametrize("radius", [0.0, 0.4, 0.95, 0.999])
def test_rays_from_the_pole_are_enough(ratio, radius, monkeypatch):
    creepages = creepages_of_poles(ratio, radius)
    found = slide(ratio, creepages)
    monkeypatch.setattr(sliding, "RAYS", 3 * sliding.RAYS)
    monkeypatch.setattr(sliding, "RADII", 2 * sliding.RADII)
    np.testing.assert_allclose(found, slide(ratio, creepages), atol=5e-6)


def test_both_integrals_agree_across_the_edge():
    inside, outside = (slide(2.0, creepages_of_poles(2.0, radius)) for radius in (0.9999, 1.0001))
    np.testing.assert_allclose(inside, outside, atol=3e-3)
