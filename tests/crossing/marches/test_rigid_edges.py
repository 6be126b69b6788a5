"""Rigid wheels at soft ends of a bridge roll over the step of the track, or meet it at once."""

import numpy as np
import pytest

import traction as tr

RADIUS, STIFFNESS = 0.46, 1e8
SOFT = tr.Beam(20.0, 2.08e9, 7900.0, supports=(tr.Support(STIFFNESS), tr.Support(STIFFNESS)), damping=0.02)
WHEEL = tr.Wheel(RADIUS, 900.0, suspension=tr.Suspension(0.8e6, 30e3, mass=8e3))
COACH = tr.Train.vehicle(
    body_mass=32e3, body_inertia=1.97e6, bogie_mass=2615.0, bogie_inertia=1476.0, wheel_mass=1813.0,
    primary=(1.18e6, 39.2e3), secondary=(530e3, 90.2e3), bogie_spacing=12.0, axle_spacing=2.5,
)  # fmt: skip


def arc(y):
    return RADIUS - np.sqrt(RADIUS**2 - y**2)


def test_a_slow_wheel_pivots_on_the_edge_of_the_ground():
    """Until the spring carries it, ground and bridge share the wheel, and the end sinks along its circle."""
    run = tr.moving_load(SOFT, [(WHEEL, 0.01)], 0.05, size=8, residual=False, dt=1e-3, t_end=1.2)
    y, z = run.places[:, 0], run.vehicle[:, 0]
    full = np.sqrt(2.0 * RADIUS * 8.9e3 * 9.81 / STIFFNESS)
    shared = (y > 0.0) & (y < 0.9 * full)
    assert run.landings == ()
    np.testing.assert_allclose(z[shared], arc(y[shared]), atol=1e-12)
    np.testing.assert_allclose(run.deflection(0.0)[shared], arc(y[shared]), rtol=0.02)
    np.testing.assert_allclose(z[y <= 0.0], 0.0, atol=1e-15)
    assert (z[y > 1.1 * full] < arc(y[y > 1.1 * full])).all()  # the bridge alone
    assert np.abs(run.contact_forces / (8.9e3 * 9.81) - 1.0).max() < 0.3
    assert run.energies.closure < 1e-6
    assert run.energies.drift < 1e-4


@pytest.mark.filterwarnings("ignore:wheels land again in rigid contact")
def test_a_fast_wheel_strikes_the_edge_where_its_circle_touches_it():
    """Its impulse is m V y/sqrt(R^2 - y^2) and that of its own velocity; sudden steps left out both."""
    run = tr.moving_load(SOFT, [(WHEEL, 0.0)], 30.0, size=10, residual=False, dt=1e-4, t_end=0.72)
    strike = run.landings[0]
    y = 20.0 - 30.0 * strike.t
    n = int(np.searchsorted(run.t, strike.t)) - 1
    before = run.vehicle[n, 0] + (strike.t - run.t[n]) * run.vehicle_velocity[n, 0]
    assert arc(y) == pytest.approx(before, rel=1e-3)
    lifted = 30.0 * y / np.sqrt(RADIUS**2 - y**2)
    assert strike.impulse == pytest.approx(900.0 * (run.vehicle_velocity[n, 0] + lifted), rel=5e-3)
    assert not run.in_contact[n + 2, 0]  # it flies from there
    assert run.vehicle[:, 0].min() < -1e-3
    assert run.energies.closure < 1e-6
    assert run.energies.drift < 1e-3


@pytest.mark.filterwarnings("ignore:wheels land again in rigid contact")
def test_a_fast_wheel_falls_onto_a_bridge_that_has_sunk():
    """Its centre leaves the edge level and falls under the force of its load, until it meets the bridge."""
    run = tr.moving_load(SOFT, [(WHEEL, 0.0), (WHEEL, 3.0)], 30.0, size=10, dt=1e-4, t_end=0.12)
    landed = next(one for one in run.landings if one.wheel == 1)
    t = landed.t - 0.1
    fall = 8.9e3 * 9.81 / 900.0 * (t**2 / 2.0 - 30e3 / 900.0 * t**3 / 6.0)  # the damper holds it back
    n = int(np.searchsorted(run.t, landed.t)) - 1
    met = run.vehicle[n, 2] + (landed.t - run.t[n]) * run.vehicle_velocity[n, 2]
    assert fall == pytest.approx(met, rel=5e-3)
    assert t > 3e-3


def test_wheels_without_a_radius_are_lifted_by_the_drive():
    """Putting them on level track behind a sunk end added 4 % of the work as an error of the method."""
    run = tr.moving_load(SOFT, COACH, 30.0, size=6, dt=5e-4, t_end=1.0)
    assert not run.lost_contact
    assert run.energies.drift < 1e-4
    assert run.energies.closure < 1e-4
