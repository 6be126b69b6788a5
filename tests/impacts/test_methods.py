"""The approximate methods: order, reference numbers, and what is true of Picard's iteration."""

import numpy as np
import pytest

import traction as tr
from convergence import observed_order
from traction.impacts.impact_problem import DensePath, struck_point
from traction.impacts.kernels import simple_impacts
from traction.impacts.kernels.collocation_step import StruckPoint


def test_small_increments_are_of_first_order(classical, reference):
    peak = reference["contacts"][0]["peak"]
    steps = np.array([1e-6, 5e-7, 2.5e-7])
    histories = [classical.strike(method="small-increment", dt=dt, t_end=2e-4) for dt in steps]
    errors = [abs(history.contacts[0].peak / peak - 1.0) for history in histories]
    assert observed_order(steps, errors) == pytest.approx(1.0, abs=0.05)
    assert errors[-1] < 3e-3
    assert histories[-1].contacts[0].end == pytest.approx(reference["contacts"][0]["end"], rel=5e-3)


def test_small_increments_find_repeated_contacts(cantilever):
    exact = cantilever.strike(t_end=0.002)
    found = cantilever.strike(method="small-increment", dt=5e-8, t_end=0.002)
    assert len(found.contacts) == len(exact.contacts) == 4
    for contact, expected in zip(found.contacts, exact.contacts, strict=True):
        assert contact.start == pytest.approx(expected.start, abs=3e-6)
        assert contact.peak == pytest.approx(expected.peak, rel=0.02)


def test_energy_method(classical, reference):
    history = classical.strike(method="energy", t_end=2e-4)
    amplitude, duration, _ = reference["half_sine_estimates"]["energy balance"]
    sine = history.stats["half_sine"]
    assert sine.amplitude == pytest.approx(amplitude, rel=1e-9)
    assert sine.duration == pytest.approx(duration, rel=1e-9)
    assert history.contacts[0].impulse == pytest.approx(2.0 * amplitude * duration / np.pi, rel=1e-9)
    # what the striker lost is in the modes
    lost = 0.5 * classical.striker.mass * (classical.striker.speed**2 - history.rebound_speed**2)
    assert history.modal_energy(sine.duration).sum() == pytest.approx(lost, rel=1e-8)


def test_energy_method_on_an_endless_plate():
    """Small losses: the half sine gives the restitution of Zener's equation to a few per cent of the loss."""
    striker = tr.Striker(0.01, 1.0, law=tr.PowerLaw(1e9, 1.5))
    plate = tr.InfinitePlate(4.0e3, 40.0)
    loss = plate.inelasticity(striker.mass, striker.speed, striker.law)
    assert 0.05 < loss < 0.5
    found = tr.impact(plate, None, striker, method="energy").restitution
    assert found == pytest.approx(tr.zener_restitution(loss), abs=0.02)


def test_half_sine_in_closed_form(classical):
    """Deflection and work under a half sine, also after it, against a march of all modes."""
    beam = tr.Beam(0.1535, 179.79, 0.796, supports=("pinned", "pinned"), damping=0.05)
    history = tr.impact(beam, 0.05, classical.striker, modes=6, t_end=1e-4)
    point = struck_point(history.response, classical.striker.mass, 0.0)
    T, n = 1.5e-4, 4000
    times = np.linspace(0.0, 3e-4, 2 * n + 1)
    force = np.where(times <= T, np.sin(np.pi * times / T), 0.0)
    cubics = np.zeros((2 * n, 4))
    cubics[:, 0], cubics[:, 1] = force[:-1], np.diff(force)
    rows = DensePath.driven(point, 0.0, times, cubics).sample(times)
    approach = rows[:, 0] - rows[:, 2]
    closed = simple_impacts.approach_loss(point, T, times[::500])
    assert -approach[::500] == pytest.approx(closed, abs=1e-6 * closed.max())
    power = rows[: n + 1, 3] * force[: n + 1]
    work = np.trapezoid(power, times[: n + 1])
    assert simple_impacts.work_taken(point, T) == pytest.approx(work, rel=1e-5)


def test_half_sine_at_resonance():
    """A mode of the sine's own frequency: q = (sin W t - W t cos W t)/(2 W^2)."""
    W, T = np.pi / 0.2, 0.2
    point = StruckPoint(np.array([[W, 0.0, 1.0]]), 1e30, 0.0, 0.0, 0.0)
    found = simple_impacts.approach_loss(point, T, np.array([0.1, 0.2]))
    assert found == pytest.approx(np.array([1.0, np.pi]) / (2.0 * W * W), rel=1e-6)


def test_picard_errors_grow_before_they_fall(classical, reference):
    history = classical.strike(method="picard", iterations=9, points=4000)
    errors = history.stats["errors"]
    expected = reference["picard_on_first_contact_window"]["half-sine (energy)"]["relsup_err_it0..25"]
    assert errors == pytest.approx(np.array(expected[:10]), rel=1e-3, abs=2e-7)
    assert history.stats["growing"] == (2,)
    assert "grow in iterate 2" in history.message
    assert history.contacts[0].peak == pytest.approx(reference["contacts"][0]["peak"], rel=5e-6)


def test_first_picard_iterate_is_in_closed_form(classical):
    """It agrees with an iterate on a grid that starts from the sampled half sine."""
    from traction.impacts import impact_methods

    history = classical.strike(method="picard", iterations=1, points=4000)
    found, sine = history.stats["iterates"], history.stats["half_sine"]
    point = struck_point(history.response, classical.striker.mass, 0.0)
    start = sine.force(found.t)
    track = impact_methods.drive_straight(point, classical.striker.speed, found.t, start)
    law = classical.striker.law.compiled(1.0)
    approach = np.maximum(impact_methods.find_approaches(track, start), 0.0)
    assert found.forces[1] == pytest.approx(law.coefficient * approach**1.5, abs=1e-5 * start.max())


def test_picard_at_the_tip_of_a_cantilever(cantilever):
    """One iterate errs by 6 %, and three more make it worse; then it converges."""
    history = cantilever.strike(method="picard", iterations=14)
    errors = history.stats["errors"]
    assert errors[:5] == pytest.approx([0.18, 0.065, 0.178, 0.154, 0.349], rel=0.02)
    assert errors[-1] < 1e-6
    assert history.stats["growing"] == (2, 4)


def test_methods_refuse_what_they_do_not_describe(classical):
    damped = tr.Striker(0.03, 0.01, hertz_constant=1.6e-7, damping=1.0)
    for method in ("small-increment", "energy", "picard"):
        with pytest.raises(tr.InputError, match=r"elastic contact law, not a DampedLaw"):
            tr.impact(classical.beam, classical.at, damped, method=method)
    for method in ("energy", "picard"):
        with pytest.raises(tr.InputError, match="does not support gravity"):
            classical.strike(method=method, gravity=9.81)
    with pytest.raises(tr.InputError, match=r'dt is not an option of method="modal", which takes tol'):
        classical.strike(dt=1e-6)
    with pytest.raises(tr.InputError, match="method = 'verlet' is not known"):
        classical.strike(method="verlet")
