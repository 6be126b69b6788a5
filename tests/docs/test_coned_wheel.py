import numpy as np
import pytest

import traction as tr
from coned_wheel import RAIL_ARCS, rail_gap, rail_radius, solve_case


@pytest.mark.parametrize("tilt", [0.0, 1 / 40, 1 / 30, 0.05, -0.03])
def test_gap_is_a_smooth_convex_profile_that_touches_at_zero(tilt):
    y, z = rail_gap(tilt)
    slope = np.diff(z) / np.diff(y)
    assert np.interp(0.0, y, z) == pytest.approx(0.0, abs=1e-9)
    assert z.min() > -1e-15
    assert (np.diff(slope) > 0.0).all()
    # the tangent turns by less than a piece of the sharpest arc anywhere: no kink
    inside = np.abs(slope) < 0.3
    assert np.abs(np.diff(np.arctan(slope[inside]))).max() < 1.01e-5 / RAIL_ARCS[-1][0]


def test_gap_without_tilt_has_the_width_of_the_head_and_the_arcs_of_the_drawing():
    y, z = rail_gap(0.0)
    assert y[-1] == pytest.approx(RAIL_ARCS[-1][1])
    np.testing.assert_allclose(y, -y[::-1], atol=1e-15)
    crown = np.abs(y) < RAIL_ARCS[0][1]
    radius = RAIL_ARCS[0][0]
    np.testing.assert_allclose(z[crown], radius - np.sqrt(radius**2 - y[crown] ** 2), atol=1e-13)


def test_tilt_is_a_rotation_of_the_same_rail():
    flat, tilted, angle = np.stack(rail_gap(0.0)), np.stack(rail_gap(0.02)), 0.02
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    back = turn @ np.stack([tilted[0], -tilted[1]])
    moved = back - back[:, :1] + np.stack([flat[0], -flat[1]])[:, :1]
    np.testing.assert_allclose(moved, [flat[0], -flat[1]], atol=1e-12)


@pytest.mark.parametrize(
    ("tilt", "radius"), [(0.0, 0.3), (0.034, 0.3), (0.035, 0.08), (-0.035, 0.08), (0.3, 0.013)]
)
def test_radius_is_that_of_the_arc(tilt, radius):
    assert rail_radius(tilt) == radius


def test_tread_beyond_the_head_is_an_error():
    with pytest.raises(tr.InputError, match="where the rail head ends"):
        rail_gap(1.5)


def test_crown_contact_is_hertz_and_edge_contact_is_not():
    crown, edge = solve_case("crown", 0.0, cells=64), solve_case("edge", 1 / 30, cells=64)
    assert crown.contact.peak_pressure == pytest.approx(crown.hertz.peak_pressure, rel=2e-3)
    assert edge.contact.peak_pressure > 1.3 * edge.hertz.peak_pressure
    assert edge.contact.center[1] < -3e-4
    assert edge.contact.force == pytest.approx(100e3)


@pytest.mark.parametrize("tilt", [0.03, 0.0345, 0.04, 0.06])
def test_patch_across_two_arcs_fits_the_grid(tilt):
    assert solve_case("across", tilt, cells=48).contact.ok
