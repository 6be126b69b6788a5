"""Many impacts at once: the same as one by one."""

import numpy as np
import pytest

import traction as tr


def test_sweep_over_place_speed_and_mass(classical):
    x = np.array([0.03, 0.07675])
    speed = np.array([0.003, 0.01, 1.0])
    mass = classical.striker.mass * np.array([1.0, 5.0])
    at = x[:, None, None]
    sweep = tr.impact_sweep(classical.beam, at, classical.striker, speed=speed[:, None], mass=mass)
    assert sweep.peak.shape == sweep.restitution.shape == (2, 3, 2)
    assert sweep.contacts.max() > 1
    for i, j, k in np.ndindex(2, 3, 2):
        striker = tr.Striker(mass[k], speed[j], law=classical.striker.law)
        one = tr.impact(classical.beam, x[i], striker)
        first = one.contacts[0]
        assert sweep.contacts[i, j, k] == len(one.contacts)
        assert sweep.peak[i, j, k] == pytest.approx(first.peak, rel=3e-7)
        assert sweep.peak_time[i, j, k] == pytest.approx(first.peak_time, rel=1e-4)
        assert sweep.duration[i, j, k] == pytest.approx(first.duration, rel=1e-7)
        assert sweep.impulse[i, j, k] == pytest.approx(first.impulse, rel=1e-7)
        assert sweep.largest[i, j, k] == pytest.approx(max(c.peak for c in one.contacts), rel=3e-7)
        assert sweep.restitution[i, j, k] == pytest.approx(one.restitution, abs=1e-6)
        momentum = mass[k] * (speed[j] + sweep.rebound_speed[i, j, k])
        assert sweep.total_impulse[i, j, k] == pytest.approx(momentum, rel=1e-11)


def test_sweep_does_not_depend_on_the_number_of_threads(classical):
    speed = np.geomspace(1e-3, 1.0, 150)
    one, two = (
        tr.impact_sweep(classical.beam, 0.05, classical.striker, speed=speed, modes=8, workers=n)
        for n in (1, 2)
    )
    assert (one.peak == two.peak).all()
    assert (one.rebound_speed == two.rebound_speed).all()


def test_sweep_of_plates_and_plastic_contacts():
    law = tr.PlasticLaw(tr.PowerLaw(1.58e10, 1.5), 2e-6)
    striker = tr.Striker(0.03, 0.5, law=law)
    plate = tr.Plate(0.5, 0.4, 2400.0, 39.0)
    at = np.array([[0.25, 0.2], [0.1, 0.1]])
    sweep = tr.impact_sweep(plate, at, striker, modes=200, t_end=2e-4)
    for k in range(2):
        one = tr.impact(plate, at[k], striker, modes=200, t_end=2e-4)
        assert sweep.peak[k] == pytest.approx(one.contacts[0].peak, rel=1e-6)
        assert sweep.restitution[k] == pytest.approx(one.restitution, abs=1e-6)
    rigid = tr.impact_sweep(tr.RigidGround(), None, striker, speed=[0.1, 0.5])
    assert (np.diff(rigid.restitution) < 0.0).all()


def test_contact_that_lasts_has_no_rebound(classical):
    sweep = tr.impact_sweep(classical.beam, 0.05, classical.striker, t_end=1e-5)
    assert np.isnan(sweep.rebound_speed)
    assert np.isnan(sweep.duration)
    assert sweep.contacts == 1


BAD = {
    "speed must be positive": {"speed": [0.1, 0.0]},
    "do not broadcast": {"speed": np.ones(3), "mass": np.ones(4)},
    "is a support": {"at": [0.05, 0.1535]},
    "workers = 0": {"workers": 0},
}


@pytest.mark.parametrize("message", BAD)
def test_bad_sweeps(classical, message):
    given = {"at": 0.05, **BAD[message]}
    with pytest.raises(tr.InputError, match=message):
        tr.impact_sweep(classical.beam, given.pop("at"), classical.striker, **given)


def test_exports_hold_the_struck_positions():
    beam = tr.Beam(0.5, 500.0, 1.2, supports=("pinned", "pinned"))
    striker = tr.Striker.sphere(0.01, 1.0, tr.Pair(tr.STEEL, tr.STEEL))
    at = np.array([[0.1], [0.25]])
    found = tr.impact_sweep(beam, at, striker, speed=[[1.0, 2.0]], t_end=5e-4, modes=10)
    np.testing.assert_array_equal(found.to_xarray()["at"], np.broadcast_to(at, (2, 2)))
    assert found.to_pandas()["at"].tolist() == [0.1, 0.1, 0.25, 0.25]
    plate = tr.Plate.of(tr.STEEL, 0.01, 0.5, 0.4)
    places = [(0.1, 0.2), (0.25, 0.2)]
    found = tr.impact_sweep(plate, places, striker, t_end=2e-4, modes=20).to_xarray()
    assert found["at_x"].values.tolist() == [0.1, 0.25]
    assert found["at_y"].values.tolist() == [0.2, 0.2]
