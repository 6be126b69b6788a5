"""The energy-conserving method keeps the energy of vector systems, through contact, at any step."""

import math

import numpy as np
import pytest

import traction as tr


def kepler(t, q):
    return -q / np.linalg.norm(q) ** 3


def kepler_energy(q):
    return -1.0 / float(np.linalg.norm(q))


def chain_force(t, q):
    """Fermi, Pasta, Ulam: springs with a cubic term between fixed ends."""
    stretch = np.diff(np.concatenate(([0.0], q, [0.0])))
    pull = stretch + 0.7 * stretch**3
    return pull[1:] - pull[:-1]


def chain_energy(q):
    stretch = np.diff(np.concatenate(([0.0], q, [0.0])))
    return float((0.5 * stretch**2 + 0.175 * stretch**4).sum())


@pytest.mark.parametrize("dt", [0.02, 0.1])
def test_kepler(dt):
    system = tr.SecondOrderSystem(
        1.0, kepler, np.array([1.0, 0.0]), np.array([0.0, 1.2]), energy=kepler_energy
    )
    h = tr.integrate(system, "energy-conserving", dt, 20.0)
    np.testing.assert_allclose(h.energy, h.energy[0], rtol=1e-10)
    exact = tr.integrate(system, "radau-iia", "auto", 20.0, rtol=1e-9)
    assert np.abs(h.q[-1] - exact.q[-1]).max() < 15.0 * dt**2


@pytest.mark.parametrize("solver", ["newton", "picard"])
def test_fermi_pasta_ulam(solver):
    q0 = np.sin(math.pi * np.arange(1, 17) / 17.0)
    system = tr.SecondOrderSystem(1.0, chain_force, q0, energy=chain_energy)
    h = tr.integrate(system, "energy-conserving", 0.1, 20.0, solver=solver)
    np.testing.assert_allclose(h.energy, h.energy[0], rtol=1e-10)
    drifting = tr.integrate(system, "newmark", 0.1, 20.0)
    assert np.ptp(drifting.energy) > 1e4 * np.ptp(h.energy)


def test_without_an_energy_a_quartic_potential_is_kept_by_the_quadrature():
    system = tr.SecondOrderSystem(1.0, lambda t, q: -q - q**3, 1.0, 0.5)
    h = tr.integrate(system, "energy-conserving", 0.2, 20.0)
    energy = 0.5 * h.v**2 + 0.5 * h.q**2 + 0.25 * h.q**4
    np.testing.assert_allclose(energy, energy[0], rtol=1e-10)


def test_contacts_of_a_vector_system():
    """Three balls in a box, pushed by stiff walls and by each other, in long steps."""
    k = 1e4

    def overlaps(q):
        return np.array([-q[0], q[0] - q[1] + 1.0, q[1] - q[2] + 1.0, q[2] - 4.0])

    def force(t, q):
        push = k * np.maximum(0.0, overlaps(q)) ** 1.5
        return push[:-1] - push[1:]

    system = tr.SecondOrderSystem(
        np.array([1.0, 2.0, 0.5]),
        force,
        np.array([0.5, 1.9, 3.3]),
        np.array([1.0, -1.5, 0.3]),
        energy=lambda q: 0.4 * k * float((np.maximum(0.0, overlaps(q)) ** 2.5).sum()),
        gap=lambda t, q: -overlaps(q),
    )
    h = tr.integrate(system, "energy-conserving", 0.02, 5.0)
    assert len(h.contacts) > 5
    np.testing.assert_allclose(h.energy, h.energy[0], rtol=1e-9)
    assert np.all(np.diff(h.t) > 0.0)


def test_damping_takes_energy_and_no_step_gives_it_back():
    system = tr.SecondOrderSystem(
        1.0, lambda t, q: -10.0 * q**3, 1.0, energy=lambda q: 2.5 * q**4, damping=0.3
    )
    h = tr.integrate(system, "energy-conserving", 0.3, 30.0)
    assert np.diff(h.energy).max() <= 1e-12
    assert h.energy[-1] < 0.02 * h.energy[0]


def test_a_force_of_the_velocity_beside_an_energy():
    system = tr.SecondOrderSystem(1.0, lambda t, q, v: -(q**3) - 0.2 * v, 1.0, energy=lambda q: 0.25 * q**4)
    h = tr.integrate(system, "energy-conserving", 0.01, 5.0)
    exact = tr.integrate(system, "radau-iia", 0.05, 5.0)
    assert h.q[-1] == pytest.approx(exact.q[-1], abs=1e-4)
    assert np.diff(h.energy).max() <= 1e-12


@pytest.mark.parametrize(
    "energy",
    [lambda q: q**2, lambda q: -0.5 * q**2, lambda q: 0.0, lambda q, v: 0.5 * q**2 + q, lambda q: 0.5 * q],
)
def test_an_energy_that_does_not_belong_to_the_force(energy):
    system = tr.SecondOrderSystem(1.0, lambda t, q: -q, 1.0, energy=energy)
    with pytest.raises(tr.InputError, match="energy does not belong to the force"):
        tr.integrate(system, "energy-conserving", 0.1, 1.0)
    assert tr.integrate(system, "rk4", 0.1, 1.0).ok  # which does not use it


def test_an_energy_that_belongs_at_any_scale():
    """Of a ball of a micrometre, high above the ground and near it, and of a heavy one."""
    for k, weight, height in ((1e5, 1e-14, 1e-9), (1e5, 1e-14, 1e-3), (1e12, 1e6, 100.0), (1e8, 50.0, 0.0)):
        system = tr.SecondOrderSystem(
            weight / 9.81,
            lambda t, q, k=k, w=weight: k * max(0.0, -q) ** 1.5 - w,
            height,
            -math.sqrt(2.0 * 9.81 * max(height, 1e-3)),
            energy=lambda q, k=k, w=weight: 0.4 * k * max(0.0, -q) ** 2.5 + w * q,
        )
        h = tr.integrate(system, "energy-conserving", 1e-4, 1e-3)
        np.testing.assert_allclose(h.energy, h.energy[0], rtol=1e-9)


@pytest.mark.parametrize("energy", [lambda q: math.nan, lambda q: np.ones(2), lambda q: math.inf])
def test_an_energy_that_is_no_number(energy):
    system = tr.SecondOrderSystem(1.0, lambda t, q: -q, 1.0, energy=energy)
    with pytest.raises(tr.TractionError, match="energy"):
        tr.integrate(system, "energy-conserving", 0.1, 1.0)
    with pytest.raises(tr.UndefinedError, match="must be one finite number"):
        tr.integrate(system, "rk4", 0.1, 1.0).energy  # noqa: B018


def test_bodies_that_just_touch_at_the_start_are_no_wrong_energy():
    def overlap(q):
        return np.maximum(0.0, 0.1 - np.diff(q))  # of the last two 3e-17 m, by rounding

    def force(t, q):
        push = 1e7 * overlap(q) ** 1.5
        return np.append(-push, 0.0) + np.insert(push, 0, 0.0)

    system = tr.SecondOrderSystem(
        1.0, force, [0.0, 0.2, 0.3], [1.0, 0.0, 0.0], energy=lambda q: 4e6 * float((overlap(q) ** 2.5).sum())
    )
    h = tr.integrate(system, "energy-conserving", 1e-4, 0.12)
    assert h.energy[-1] == pytest.approx(h.energy[0], rel=1e-12)
    assert h.v[-1, 2] > 0.9
