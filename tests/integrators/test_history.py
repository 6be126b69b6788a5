"""Dense output, energies and what a history says of itself."""

import numpy as np
import pytest

import traction as tr
from convergence import observed_order

SYSTEM = tr.SecondOrderSystem(1.0, lambda t, q: -q, 1.0, energy=lambda q: 0.5 * q * q)
WHEN = np.linspace(0.1, 1.9, 37)


@pytest.mark.parametrize(("name", "order"), [("rk4", 4), ("radau-iia", 5), ("newmark", 2)])
def test_dense_output_is_as_good_as_the_steps(name, order):
    steps = [0.2, 0.1, 0.05, 0.025, 0.0125]
    exact = (np.cos(WHEN), -np.sin(WHEN), -np.cos(WHEN))
    for derivative, expected in enumerate(exact):
        errors = []
        for dt in steps:
            h = tr.integrate(SYSTEM, name, dt, 2.0)
            found = (h.at, h.velocity_at, h.acceleration_at)[derivative](WHEN)
            errors.append(np.abs(found - expected).max())
        assert observed_order(steps, errors) >= min(order, 6 - derivative, 4) - 0.2


def test_dense_output_passes_through_the_steps():
    h = tr.integrate(SYSTEM, "rk4", 0.1, 2.0)
    np.testing.assert_allclose(h.at(h.t), h.q, rtol=0.0, atol=1e-14)
    np.testing.assert_allclose(h.velocity_at(h.t), h.v, rtol=0.0, atol=1e-13)
    np.testing.assert_allclose(h.acceleration_at(h.t), h.a, rtol=0.0, atol=1e-11)
    assert np.shape(h.at(0.5)) == ()
    assert h.at([[0.5, 0.6, 0.7]]).shape == (1, 3)


def test_dense_output_of_vectors():
    h = tr.integrate(tr.SecondOrderSystem(1.0, lambda t, q: -q, np.array([1.0, 2.0, -1.0])), "rk4", 0.05, 2.0)
    np.testing.assert_allclose(h.at(WHEN), np.outer(np.cos(WHEN), [1.0, 2.0, -1.0]), atol=1e-6)
    assert h.at(0.5).shape == (3,)
    assert h.velocity_at([[0.5, 0.6]]).shape == (1, 2, 3)


@pytest.mark.parametrize("t", [-0.1, 2.1, [0.5, 3.0], np.nan, "now"])
def test_a_time_outside_is_an_error(t):
    h = tr.integrate(SYSTEM, "rk4", 0.1, 2.0)
    for ask in (h.at, h.velocity_at, h.acceleration_at):
        with pytest.raises(tr.InputError, match="t"):
            ask(t)


def test_energies_however_they_are_given():
    """Potential of the force, or total energy of (q, v) or (t, q, v); with a stiffness beside it."""
    q0, v0 = np.array([1.0, -0.5]), np.array([0.2, 0.0])
    M, K = np.array([2.0, 3.0]), np.array([[2.0, -1.0], [-1.0, 2.0]])
    force = lambda t, q: -(q**3)  # noqa: E731
    potential = lambda q: 0.25 * float((q**4).sum())  # noqa: E731
    total = lambda q, v: potential(q) + 0.5 * float(v @ (M * v)) + 0.5 * float(q @ K @ q)  # noqa: E731
    for energy in (potential, total, lambda t, q, v: total(q, v)):
        h = tr.integrate(
            tr.SecondOrderSystem(M, force, q0, v0, stiffness=K, energy=energy), "energy-conserving", 0.1, 10.0
        )
        assert h.energy[0] == pytest.approx(total(q0, v0), rel=1e-14)
        np.testing.assert_allclose(h.energy, h.energy[0], rtol=1e-11)
        np.testing.assert_allclose(h.kinetic_energy, 0.5 * (h.v**2 @ M), rtol=1e-14)


def test_energy_that_is_not_known():
    h = tr.integrate(tr.SecondOrderSystem(1.0, lambda t, q: -q, 1.0), "rk4", 0.1, 1.0)
    with pytest.raises(tr.UndefinedError, match="give the system energy="):
        h.energy  # noqa: B018
    free = tr.integrate(tr.SecondOrderSystem(1.0, None, 1.0, stiffness=4.0), "newmark", 0.1, 1.0)
    np.testing.assert_allclose(free.energy, 2.0, rtol=1e-11)


def test_arrays_cannot_be_changed_and_are_whole():
    h = tr.integrate(SYSTEM, "rk4", 0.1, 2.0)
    with pytest.raises(ValueError, match="read-only"):
        h.q[0] = 1.0
    assert h.t.shape == h.q.shape == h.v.shape == h.a.shape == (21,)
    assert h.q.flags.c_contiguous
    assert "rk4, 20 steps, t = 0 to 2 s" in repr(h)


def test_summary_counts_the_accepted_steps():
    """Steps that are taken again from where a contact is met are no steps of the result."""
    ball = tr.SecondOrderSystem(
        1.0, lambda t, q: -9.81 + 1e6 * max(0.0, -q), 0.1, gap=lambda t, q: q, energy=lambda q: 9.81 * q
    )
    history = tr.integrate(ball, "verlet", 1e-3, 0.5)
    assert f", {len(history.t) - 1} steps, t = 0" in repr(history)
    forced = tr.SecondOrderSystem(1.0, lambda t, q: 1e3 * (t > 0.3) - 1e4 * q**3, 1.0, stiffness=4.0)
    history = tr.integrate(forced, "rk4", "auto", 0.4)
    rejected = history.stats["rejected"]
    assert rejected > 0
    assert f", {len(history.t) - 1} steps ({rejected} rejected), t = 0" in repr(history)
