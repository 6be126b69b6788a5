"""The modal method: reference numbers, conservation laws, order, and a second integrator."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import traction as tr
from convergence import observed_order
from traction.impacts import impact_methods
from traction.impacts.impact_problem import struck_point
from traction.laws.rigid_strike import strike_rigid_ground


def test_classical_case(classical, reference):
    history = classical.strike(t_end=0.004)
    (contact,), (expected,) = history.contacts, reference["contacts"]
    assert contact.peak == pytest.approx(expected["peak"], rel=1e-8)
    assert contact.end == pytest.approx(expected["end"], rel=1e-8)
    assert contact.impulse == pytest.approx(expected["impulse"], rel=1e-8)
    assert contact.peak_time == pytest.approx(expected["t_peak"], rel=1e-6)
    assert history.rebound_speed == pytest.approx(-reference["sphere_velocity_at_window_end"], rel=1e-7)
    assert history.ok


def test_samples_of_the_classical_case(classical, reference):
    history = classical.strike(t_end=0.004)
    t, force, beam, sphere = np.array(reference["first_contact_samples[t,f,w_beam,s_sphere]"]).T
    peak = reference["contacts"][0]["peak"]
    assert history.force_at(t) == pytest.approx(force, abs=1e-7 * peak)
    assert np.interp(t, history.t, history.force) == pytest.approx(force, abs=3e-6 * peak)
    motion = history.motion_at(t)
    assert motion[:, 2] == pytest.approx(beam, abs=1e-8 * beam.max())
    assert motion[:, 0] == pytest.approx(sphere, abs=1e-8 * sphere.max())


@pytest.mark.parametrize("case", ["classical", "heavy", "cantilever"])
def test_momentum_and_energy(case, request):
    case = request.getfixturevalue(case)
    history = case.strike(t_end=0.004)
    lost = case.striker.mass * (case.striker.speed + history.rebound_speed)
    assert sum(contact.impulse for contact in history.contacts) == pytest.approx(lost, rel=1e-12)
    assert history.energies.imbalance < 1e-8


@pytest.mark.parametrize("case", ["heavy", "cantilever"])
def test_repeated_contacts_agree_with_a_runge_kutta_integration(case, request):
    """Twelve modes as an ordinary differential equation, by an adaptive method of order 8."""
    case = request.getfixturevalue(case)
    history = case.strike(t_end=0.002, modes=12, residual=False)
    assert len(history.contacts) >= 2
    omega, phi = history.response.frequencies, history.response.shapes
    k, mass, n = case.striker.law.coefficient, case.striker.mass, omega.size

    def motion(_, y):
        force = k * max(0.0, y[0] - phi @ y[2 : 2 + n]) ** 1.5
        return np.r_[y[1], -force / mass, y[2 + n :], phi * force - omega**2 * y[2 : 2 + n]]

    start = np.zeros(2 + 2 * n)
    start[1] = case.striker.speed
    t = np.linspace(0.0, 0.002, 401)
    scale = np.r_[1e-6, 0.01, np.full(n, 1e-7), np.full(n, 1e-3)]
    found = solve_ivp(motion, (0.0, t[-1]), start, "DOP853", t_eval=t, rtol=1e-11, atol=1e-12 * scale)
    expected = k * np.maximum(0.0, found.y[0] - phi @ found.y[2 : 2 + n]) ** 1.5
    assert history.force_at(t) == pytest.approx(expected, abs=2e-7 * expected.max())
    assert history.motion_at(t)[:, 0] == pytest.approx(found.y[0], abs=1e-8 * np.abs(found.y[0]).max())


def test_error_follows_the_tolerance(cantilever):
    exact = cantilever.strike(t_end=0.002, tol=1e-11)
    for tol in (1e-6, 1e-8):
        found = cantilever.strike(t_end=0.002, tol=tol)
        assert len(found.contacts) == len(exact.contacts) == 4
        for contact, expected in zip(found.contacts, exact.contacts, strict=True):
            assert contact.start == pytest.approx(expected.start, abs=10.0 * tol * exact.t[-1])
            assert contact.end == pytest.approx(expected.end, abs=10.0 * tol * exact.t[-1])
            assert contact.peak == pytest.approx(expected.peak, rel=100.0 * tol)


def test_steps_are_of_sixth_order(classical):
    """Where they resolve the modes: the impulse of equal steps errs with the sixth power of their length."""
    from traction.impacts.kernels.collocation_step import H, ImpactMotion, P, T, accept, attempt, make_work

    striker = classical.striker
    history = classical.strike(t_end=1e-4, modes=3)
    point = struck_point(history.response, striker.mass, 0.0)
    law = striker.law.compiled(1.0)
    start = int(np.searchsorted(history.track.times, 3e-5))
    counts, impulses = (2, 4, 8, 64), []
    for n in counts:
        motion = ImpactMotion(
            history.track.states[start].copy(),
            history.track.memories[start].copy(),
            history.track.q[start].copy(),
            history.track.v[start].copy(),
        )
        h = (8e-5 - motion.state[T]) / n
        work = make_work(point.modes)
        for _ in range(n):
            solved, _ = attempt(h, point, motion, law, work)
            assert solved
            accept(h, point, motion, work)
        assert motion.state[H] > 0.0
        impulses.append(motion.state[P])
    errors = np.abs(np.array(impulses[:-1]) - impulses[-1])
    assert observed_order(1.0 / np.array(counts[:-1]), errors) == pytest.approx(6.0, abs=0.8)


def test_residual_flexibility_of_twenty_modes(classical, reference):
    """The table counts the modes that move the middle only, every other one."""
    exact = classical.strike(t_end=2e-4, modes=400, tol=1e-11).contacts[0].peak
    peak = {r: classical.strike(t_end=2e-4, modes=20, residual=r).contacts[0].peak for r in (True, False)}
    assert peak[True] == pytest.approx(exact, rel=1e-8)
    assert peak[False] / exact - 1.0 == pytest.approx(5.8e-5, rel=0.02)
    table = reference["modal_convergence_peak{N:[truncated,with residual flexibility]}"]
    for count in ("3", "10", "20"):
        modes = 2 * int(count) - 1
        for residual, expected in zip((False, True), table[count], strict=True):
            found = classical.strike(t_end=2e-4, modes=modes, residual=residual).contacts[0].peak
            assert found == pytest.approx(expected, rel=1e-8)


def test_separated_striker_never_returns_without_gravity(classical):
    history = classical.strike(t_end=1.0)
    assert len(history.contacts) == 1
    assert history.stats["steps"] < 400


def test_gravity_brings_it_back(classical):
    g, speed = 9.81, classical.striker.speed
    history = tr.impact(tr.RigidGround(), None, classical.striker, gravity=g, t_end=0.01)
    first, second = history.contacts[:2]
    assert second.start - first.end == pytest.approx(2.0 * speed / g, rel=1e-6)
    assert history.energies.imbalance < 1e-8
    flying = classical.strike(gravity=g, t_end=0.02)
    assert len(flying.contacts) > 5
    assert flying.energies.imbalance < 1e-7


def test_damped_beam_loses_energy(classical):
    beam = tr.Beam(0.1535, 179.78858333333335, 0.796, supports=("pinned", "pinned"), damping=0.02)
    damped = tr.impact(beam, classical.at, classical.striker, t_end=0.004)
    total = damped.energies.total
    assert (np.diff(total) <= 1e-9 * total[0]).all()
    assert 0.3 < total[-1] / total[0] < 0.9
    assert damped.restitution == pytest.approx(classical.strike(t_end=0.004).restitution, abs=0.01)


def test_failure_keeps_what_there_is(classical, monkeypatch):
    monkeypatch.setattr(impact_methods, "MOST_STEPS", 1)
    monkeypatch.setattr(impact_methods, "CHUNK", 20)
    with pytest.raises(tr.ConvergenceError, match="too many steps") as caught:
        classical.strike(t_end=0.004)
    assert caught.value.result.stats["steps"] == 20
    history = classical.strike(t_end=0.004, on_failure="return")
    assert history.status is tr.Status.STEP_FAILED
    assert not history.ok


def test_rigid_contact_in_closed_form(reference):
    striker = tr.Striker(reference["sphere_mass"], 0.01, hertz_constant=reference["K_hertz(alpha=K f^2/3)"])
    found = strike_rigid_ground(striker.law.compiled(1.0), striker.mass, striker.speed)
    force, duration = reference["half_sine_estimates"]["rigid target Hertz"]
    assert found[0] == pytest.approx(force, rel=1e-12)
    assert found[2] == pytest.approx(duration, rel=1e-8)
    history = tr.impact(tr.RigidGround(), None, striker)
    assert history.contacts[0].peak == pytest.approx(force, rel=1e-8)
    assert history.contacts[0].duration == pytest.approx(found[2], rel=1e-9)
    assert history.restitution == pytest.approx(1.0, abs=1e-8)
