"""Time steps that are too long are warned of, and refused where the result is worthless."""

import re
import warnings

import numpy as np
import pytest

import traction as tr
from traction.crossing import time_step
from traction.crossing.results.crossing_certificate import away_from, force_roughness, samples_per_mode
from traction.status import Status

BRIDGE = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned")), tr.STEEL)
SPRUNG = tr.Suspension(0.8e6, 30e3, mass=8e3)
WHEEL = tr.Wheel(0.46, 900.0, suspension=SPRUNG)
FLAT = tr.Wheel(0.46, 900.0, suspension=SPRUNG, irregularity=tr.Irregularity.flat(0.46, 0.04, at=5.0))


def cross(wheel=WHEEL, **options):
    return tr.cross(BRIDGE, [(wheel, 0.0)], 30.0, **{"contact": "hertz", "size": 5, **options})


@pytest.mark.parametrize("n", [2, 4, 10, 20])
def test_roughness_of_an_oscillation(n):
    wave = 1.0 + 0.5 * np.cos(2.0 * np.pi * np.arange(20 * n) / n)[:, None]
    found = force_roughness(wave, np.ones(wave.shape, dtype=bool))
    assert found == pytest.approx(8.0 / 3.0 * np.sin(np.pi / n) ** 4 * 0.5 / 1.5, rel=1e-9)


def test_ends_of_the_bridge_are_left_out():
    places = np.array([[-1.0, 0.0]]) + np.arange(13)[:, None] * 1.0
    smooth = away_from(np.array([0.0, 6.5]), places)
    assert np.flatnonzero(~smooth[:, 0]).tolist() == [0, 1, 2, 3, 5, 6, 7, 8, 9, 10]
    assert np.flatnonzero(~smooth[:, 1]).tolist() == [0, 1, 2, 4, 5, 6, 7, 8, 9]


def test_modes_at_rest_need_no_samples():
    omega, t = np.array([10.0, 100.0]), np.linspace(0.0, 1.0, 1001)[:, None]
    slow, fast = np.cos(10.0 * t), 0.05 * np.cos(100.0 * t)
    still = samples_per_mode(omega, np.hstack([slow, 0.05 + 0 * t]), np.hstack([10.0 * slow, 0 * t]), 1e-3)
    moving = samples_per_mode(omega, np.hstack([slow, fast]), np.hstack([10.0 * slow, 100.0 * fast]), 1e-3)
    np.testing.assert_allclose([still, moving], [2.0 * np.pi / 1e-2, 2.0 * np.pi / 0.1])


def test_smooth_rolling_needs_no_contact_resolution():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, exact = cross(dt=0.01), cross(dt=1e-4)
    assert found.certificate.holds
    assert found.certificate.steps_per_contact_period < 1.0
    np.testing.assert_allclose(found.deflection(10.0).max(), exact.deflection(10.0).max(), rtol=1e-3)


def test_impacts_between_steps_are_refused_with_the_result():
    with pytest.raises(tr.ConvergenceError, match=r"contact force departs by 1\d\d % of its peak") as caught:
        cross(FLAT, dt=2.75e-3)
    result = caught.value.result
    assert result.status is Status.UNRESOLVED
    assert not result.ok
    assert not result.certificate.usable
    returned = cross(FLAT, dt=2.75e-3, on_failure="return")
    np.testing.assert_array_equal(returned.contact_forces, result.contact_forces)
    assert "worthless" in returned.message


def test_steps_that_are_named_lead_to_one_that_holds():
    dt, named = 4e-4, []
    while len(named) < 4:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            run = cross(FLAT, dt=dt, t_end=0.3)
        if not caught:
            break
        dt = float(re.search(r"Choose dt = (\S+) s", str(caught[0].message))[1])
        named.append(dt)
    assert named
    assert run.certificate.holds


def test_default_steps_hold_with_a_flat():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cross(FLAT, t_end=0.3).certificate.holds


@pytest.mark.parametrize("contact", ["hertz", "rigid"])
def test_few_steps(contact):
    with pytest.warns(tr.StepWarning, match="crosses a span in 6"):
        cross(contact=contact, dt=0.112)
    with pytest.raises(tr.ConvergenceError, match="worthless"):
        cross(contact=contact, dt=0.5)


def test_a_method_that_feeds_the_motion_is_refused():
    rail = tr.Irregularity.harmonic(2e-3, 1.0)
    with pytest.raises(tr.ConvergenceError, match="the method has added or removed 1"):
        cross(method="symplectic-euler", size=3, dt=1.5e-3, irregularity=rail)


def test_moving_load():
    with pytest.warns(tr.StepWarning, match="samples per period"):
        tr.moving_load(BRIDGE.beam, [(1e5, 0.0)], 30.0, dt=0.1)
    with pytest.raises(tr.ConvergenceError, match=r"crosses a span in 2\.0 steps"):
        tr.moving_load(BRIDGE.beam, [(1e5, 0.0)], 30.0, dt=0.5)
    failed = tr.moving_load(BRIDGE.beam, [(1e5, 0.0)], 30.0, dt=0.5, on_failure="return")
    assert failed.status is Status.UNRESOLVED
    assert tr.moving_load(BRIDGE.beam, [(1e5, 0.0)], 30.0, size=5, dt=0.01).certificate.holds


def test_rigid_contact_has_energies_in_its_certificate():
    rail = tr.Irregularity.harmonic(3e-4, 1.0)
    found = cross(contact="rigid", irregularity=rail, dt=2e-3).certificate
    finer = cross(contact="rigid", irregularity=rail, dt=1e-3).certificate
    assert found.holds
    assert 0.0 < found.energy_error < 1e-4
    assert finer.drift == pytest.approx(found.drift / 4.0, rel=0.1)


@pytest.mark.filterwarnings("ignore:wheels land again in rigid contact")
def test_rigid_wheels_on_a_flat_in_a_step_are_warned_of():
    """A step as long as the flat: the wheel is put on a track that has risen meanwhile, which adds energy."""
    with pytest.warns(tr.StepWarning, match="the method has added or removed"):
        cross(FLAT, contact="rigid", dt=7e-4)
    with pytest.raises(tr.ConvergenceError, match="the method has added or removed 3"):
        cross(FLAT, contact="rigid", dt=1e-3)


@pytest.mark.filterwarnings("ignore:wheels land again in rigid contact")
def test_landings_of_rigid_wheels_are_located():
    """At the ends of steps, wheels that landed added 30 and 12 % of the work in these steps."""
    runs = [cross(FLAT, contact="rigid", dt=dt, t_end=0.3) for dt in (1e-4, 5e-5)]
    assert all(one.certificate.drift < 2e-3 for one in runs)
    first = [one.landings[0].t for one in runs]
    np.testing.assert_allclose(*first, atol=1e-3 * runs[0].dt)
    impulses = [one.landings[0].impulse for one in runs]  # 2.4 % apart if they lift off at the ends of steps
    np.testing.assert_allclose(*impulses, rtol=1e-4)
    assert all(np.abs(one.t - one.landings[0].t).min() > 2e-6 for one in runs)
    peaks = [one.largest("deflection", 5.0).value for one in runs]
    np.testing.assert_allclose(*peaks, rtol=1e-4)
    assert runs[0].stats["steps"] > runs[0].t.size


def test_the_turn_of_the_track_at_a_support_is_work_of_the_drive():
    """A coach over the kinks at the ends of a bent bridge: nothing is added by the method."""
    coach = tr.Train.vehicle(
        body_mass=32e3, body_inertia=1.97e6, bogie_mass=2615.0, bogie_inertia=1476.0, wheel_mass=1813.0,
        primary=(1.18e6, 39.2e3), secondary=(530e3, 90.2e3), bogie_spacing=12.0, axle_spacing=2.5,
    )  # fmt: skip
    found = tr.moving_load(BRIDGE.beam, coach, 30.0, size=5, dt=1e-3).energies
    assert found.drift < 1e-5
    assert found.closure < 1e-4


@pytest.mark.parametrize("contact", ["hertz", "rigid"])
def test_default_steps_that_memory_limits_are_warned_of(contact, monkeypatch):
    """A train of 230 m at 10 m/s had accelerations that were wrong by 1 to 6 %, silently."""
    monkeypatch.setattr(time_step, "MOST_NUMBERS", 2e4)
    monkeypatch.setattr(time_step, "MOST_PER_CROSSING", 1000)
    monkeypatch.setattr(time_step, "PER_RUN", 100)
    with pytest.warns(
        tr.StepWarning, match=r"advances mode 20 by 1\.\d+ rad per step: .* Choose size = 1\d,"
    ) as caught:
        found = cross(contact=contact, size=20, t_end=0.4)
    size = int(re.search(r"size = (\d+)", str(caught[0].message))[1])
    assert float(found.bridge.omega[size - 1]) * found.dt < 1.11
    case = {
        "beam": {"length": 20.0, "bending_stiffness": 2.08e9, "mass_per_length": 7900.0},
        "axle": [{"mass": 900.0}], "speed": 30.0, "model": {"size": 20},
        "time": {"t_end": 0.4, "samples": 11},
    }  # fmt: skip
    kind, more = ("moving-load", {}) if contact == "rigid" else ("cross", {"contact": contact})
    assert "as short as memory allows" in tr.simulate(tr.Scenario.build(kind, **case, **more)).message


def test_refused():
    with pytest.raises(tr.InputError, match="on_failure"):
        cross(on_failure="ignore")


def test_default_steps_resolve_accelerations_of_all_modes():
    """Slowly, 20,000 steps per crossing turned the highest mode by 2 rad, and the peak was 1.7 % wrong."""
    slow = {"t_end": 0.2}
    found = tr.moving_load(BRIDGE.beam, [(WHEEL, 0.0)], 10.0, **slow)
    exact = tr.moving_load(BRIDGE.beam, [(WHEEL, 0.0)], 10.0, dt=found.dt / 4.0, **slow)
    assert float(found.bridge.omega[-1]) * found.dt < 0.51
    peaks = [one.largest("acceleration", 10.0).value for one in (found, exact)]
    np.testing.assert_allclose(*peaks, rtol=5e-3)


def test_peaks_of_accelerations_under_forces_do_not_depend_on_the_step():
    peaks = [
        tr.moving_load(BRIDGE.beam, [(1e5, 0.0)], 30.0, size=5, dt=dt).largest("acceleration", 10.0).value
        for dt in (1e-3, 1e-4)
    ]
    np.testing.assert_allclose(*peaks, rtol=1e-3)
