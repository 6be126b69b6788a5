"""dt="auto" of crossings."""

import numpy as np
import pytest

import traction as tr
from convergence import observed_order
from traction.crossing import time_step

BRIDGE = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned")), tr.STEEL)
WHEEL = tr.Wheel(0.46, 900.0, suspension=tr.Suspension(0.8e6, 30e3, mass=8e3))
FLAT = tr.Wheel(
    0.46, 900.0, suspension=WHEEL.suspension, irregularity=tr.Irregularity.flat(0.46, 0.04, at=5.0)
)
RAIL = tr.Irregularity.harmonic(3e-4, 1.0)


def test_forces_are_within_the_tolerance():
    options = {"contact": "hertz", "size": 3, "irregularity": RAIL, "t_end": 0.2}
    found = tr.cross(BRIDGE, [(WHEEL, 0.0)], 30.0, dt="auto", rtol=0.02, **options)
    exact = tr.cross(BRIDGE, [(WHEEL, 0.0)], 30.0, dt=found.dt / 16, **options)
    assert 0.0 < found.certificate.change <= 0.02
    error = np.abs(found.contact_forces - exact.contact_forces[::16]).max() / found.contacts[0].load
    assert error < 0.02
    asked = found.certificate.change / 3.0
    closer = tr.cross(BRIDGE, [(WHEEL, 0.0)], 30.0, dt="auto", rtol=asked, **options)
    assert closer.dt < found.dt / 1.5
    assert closer.certificate.change <= asked


@pytest.mark.parametrize("contact", ["hertz", pytest.param("half-space", marks=pytest.mark.slow)])
def test_peaks_of_impacts_are_right_and_cost_less_than_halving(contact):
    """Steps of 2.75 ms gave peaks of 14.8, 9.7, 42 and 10.9 loads as they were halved."""
    options = {"contact": contact, "size": 5, "t_end": 0.3}
    found = tr.cross(BRIDGE, [(FLAT, 0.0)], 30.0, dt="auto", **options)
    assert found.lost_contact
    assert found.certificate.holds
    exact = tr.cross(BRIDGE, [(FLAT, 0.0)], 30.0, dt=found.dt / 4, **options)
    load = found.contacts[0].load
    error = np.abs(found.contact_forces - exact.contact_forces[::4]).max() / load
    assert error < 0.5 * found.certificate.change < 0.5 * time_step.ACCURACY
    peaks = [one.contact_forces.max() / load for one in (found, exact)]
    np.testing.assert_allclose(*peaks, rtol=time_step.ACCURACY)
    # halving alone would march as many steps before the last run as in it
    assert found.stats["steps_of_trials"] < 0.5 * found.stats["steps"]


@pytest.mark.parametrize("contact", ["hertz", "half-space"])
def test_errors_fall_with_the_square_of_the_step_through_lost_contact(contact):
    """So that landings need no steps of their own."""
    steps, options = np.array([4e-5, 2e-5, 1e-5]), {"contact": contact, "size": 5, "t_end": 0.24}
    exact = tr.cross(BRIDGE, [(FLAT, 0.0)], 30.0, dt=2.5e-6, **options)
    runs = [tr.cross(BRIDGE, [(FLAT, 0.0)], 30.0, dt=dt, **options) for dt in steps]
    assert all(one.lost_contact for one in runs)
    peaks = [abs(one.contact_forces.max() - exact.contact_forces.max()) for one in runs]
    errors = [
        np.abs(one.contact_forces - exact.contact_forces[:: round(one.dt / exact.dt)]).max() for one in runs
    ]
    assert observed_order(steps, errors) == pytest.approx(2.0, abs=0.2)
    assert peaks[-1] < 2e-3 * exact.contact_forces.max()


def test_methods_start_at_their_stable_step():
    found = tr.cross(
        BRIDGE, [(WHEEL, 0.0)], 30.0, contact="hertz", size=2, method="verlet", dt="auto", rtol=0.1, t_end=0.1
    )
    assert found.certificate.change <= 0.1


def test_moving_load():
    found = tr.moving_load(BRIDGE.beam, [(1e5, 0.0)], 30.0, size=5, dt="auto")
    exact = tr.moving_load(BRIDGE.beam, [(1e5, 0.0)], 30.0, size=5)
    assert found.t.size < exact.t.size
    assert found.certificate.change < 1e-3
    peaks = [one.largest("acceleration", 10.0).value for one in (found, exact)]
    np.testing.assert_allclose(*peaks, rtol=1e-3)


def test_no_agreement_is_an_error_with_the_last_run(monkeypatch):
    monkeypatch.setattr(time_step, "MOST_RUNS", 1)
    with pytest.raises(tr.ConvergenceError, match="still changes by") as caught:
        tr.cross(
            BRIDGE, [(WHEEL, 0.0)], 30.0, contact="hertz", size=3, irregularity=RAIL, t_end=0.1, dt="auto",
            rtol=1e-9,
        )  # fmt: skip
    assert caught.value.result.certificate.change > 1e-9


def test_refused():
    for given, words in (({"dt": 1e-3, "rtol": 1e-3}, "rtol = 0.001 is given"), ({"dt": "fast"}, '"auto"')):
        with pytest.raises(tr.InputError, match=words):
            tr.moving_load(BRIDGE.beam, [(1e5, 0.0)], 30.0, **given)
