"""Trains, wheels, vehicles: geometry, equilibrium, bad input."""

import json

import numpy as np
import pytest

import traction as tr
from reference_cases import DATA_FOLDER
from traction.trains.train import force_rates
from traction.trains.travel import read_travel

HSLM = json.loads((DATA_FOLDER / "dynamics.json").read_text(encoding="utf-8"))["hslm"]
NUMBERS = {
    "body_mass": 32e3, "body_inertia": 2e6, "bogie_mass": 2600.0, "bogie_inertia": 1500.0,
    "wheel_mass": 1800.0, "primary": (1.2e6, 4e4), "secondary": (5e5, 9e4), "bogie_spacing": 12.0,
    "axle_spacing": 2.5,
}  # fmt: skip


@pytest.mark.parametrize("name", HSLM["table_N_D_d_P"])
def test_hslm_follows_its_table(name):
    coaches, D, d, P = HSLM["table_N_D_d_P"][name]
    train = tr.Train.hslm(name)
    x = train.places
    assert len(train) == 2 * (coaches + 1) + 12
    assert {force for force, _ in train.forces} == {1e3 * P}
    assert train.spacing == D
    np.testing.assert_allclose(x[:6], [0.0, 3.0, 14.0, 17.0, 20.525, 20.525 + d])
    bogies = x[6:-6].reshape(-1, 2)
    np.testing.assert_allclose(np.diff(bogies, axis=1), d)
    np.testing.assert_allclose(bogies.mean(axis=1), 20.525 + D - 3.525 / 2 + D * np.arange(coaches + 1))
    np.testing.assert_allclose(x[-1] - x[-6:][::-1], x[:6])


def test_hslm_a1_has_its_length():
    known = HSLM["values"]["A1"]
    train = tr.Train.hslm("A1")
    assert len(train) == known["n_axles"]
    assert train.length == pytest.approx(known["first_to_last_axle_m"])


def test_quarter_car_stands_in_equilibrium():
    above = tr.Suspension(2e5, 1e3, 300.0)
    wheel = tr.Wheel(0.46, 40.0, suspension=tr.Suspension(1e6, 2e3, 60.0, above=above))
    vehicle = wheel.vehicle
    np.testing.assert_allclose(vehicle.axle_masses, [400.0])
    assert vehicle.names == ("wheel", "mass 1", "mass 2")
    np.testing.assert_allclose(vehicle.at_rest_on(np.array([0.01])), 0.01)


def test_bogie_vehicle_tilts_with_the_track():
    vehicle, _ = tr.Train.vehicle(**NUMBERS).vehicles[0]
    slope = 1e-3
    lower = -slope * np.array(vehicle.offsets)
    z = vehicle.at_rest_on(lower)
    np.testing.assert_allclose(z[[1, 3, 5]], slope, rtol=1e-9)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tr.Wheel(0.46, -1.0), "mass = -1.0 kg must not be negative"),
        (lambda: tr.Wheel(0.0, 1.0), "radius = 0.0 m must be positive"),
        (lambda: tr.Wheel(0.46, 0.0), "it has no weight"),
        (lambda: tr.Wheel(0.46, 1.0, suspension=3.0), "must be a tr.Suspension"),
        (lambda: tr.Wheel(0.46, 1.0, material="steel"), "must be a tr.Material"),
        (lambda: tr.Suspension(0.0, 0.0, 1.0), "stiffness = 0.0 N/m must be positive"),
        (lambda: tr.Suspension(1e6), "mass = 0.0 kg must be positive"),
        (lambda: tr.Suspension(1e6, -1.0, 1.0), "damping = -1.0"),
        (lambda: tr.Train([]), "loads is empty"),
        (lambda: tr.Train([("heavy", 0.0)]), "must be a number"),
        (lambda: tr.Train.hslm("B1"), "name = 'B1' is not known"),
        (lambda: tr.Train.vehicle(**{**NUMBERS, "axle_spacing": 13.0}), "the bogies overlap"),
        (lambda: tr.Train.vehicle(**{**NUMBERS, "primary": 1e6}), "primary"),
        (lambda: tr.Train.vehicle(**NUMBERS, count=2, spacing=5.0), "spacing = 5.0 m must be above 14.5"),
        (lambda: tr.HarmonicAxle(1.0, 1.0, 0.0), "frequency = 0.0 Hz must be positive"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(tr.InputError, match=words):
        make()


def test_rates_of_a_function_are_those_of_the_sine():
    t = np.linspace(0.1, 1.0, 7)
    wave = tr.HarmonicAxle(3.0, 2.0, 1.5, 0.2)
    np.testing.assert_allclose(
        force_rates(lambda s: wave(s), t, 1e-2), force_rates(wave, t, 1e-2), rtol=1e-5, atol=1e-5
    )


def test_travel_by_speed_is_its_integral():
    way = read_travel(lambda t: 10.0 + 4.0 * np.sin(3.0 * t), 5.0)
    t = np.linspace(0.0, 5.0, 23)
    place = 10.0 * t + 4.0 / 3.0 * (1.0 - np.cos(3.0 * t))
    np.testing.assert_allclose(way.place(t), place, atol=1e-10)
    np.testing.assert_allclose(way.speed(t), 10.0 + 4.0 * np.sin(3.0 * t), atol=1e-6)
    np.testing.assert_allclose(way.acceleration(t), 12.0 * np.cos(3.0 * t), atol=1e-4)
    np.testing.assert_allclose(way.time_at(place[1:]), t[1:], atol=1e-9)
    assert np.isinf(way.time_at(np.array([1e3]))).all()


def test_a_train_may_stop():
    way = read_travel(lambda t: np.maximum(10.0 - 5.0 * t, 0.0), 4.0)
    assert float(way.place(np.array(4.0))) == pytest.approx(10.0, abs=1e-5)


def test_a_beam_is_no_bridge_and_a_bridge_no_beam():
    beam, wheel = tr.Beam(20.0, 2e9, 7900.0), tr.Wheel(0.46, 1e3)
    for call in (lambda: tr.cross(beam, [(wheel, 0.0)], 30.0), lambda: tr.rest(wheel, beam, 10.0, 1e5)):
        with pytest.raises(tr.InputError, match=r"wrap it: tr\.Bridge\(beam, tr\.STEEL\)"):
            call()
    bridge = tr.Bridge(beam, tr.STEEL)
    with pytest.raises(tr.InputError, match=r"give it: bridge\.beam"):
        tr.moving_load(bridge, [(1e5, 0.0)], 30.0)
    with pytest.raises(tr.InputError, match=r"give it: bridge\.beam"):
        tr.resonance(bridge, tr.Train.hslm("A1"), [60.0])
