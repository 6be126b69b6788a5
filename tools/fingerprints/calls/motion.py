"""Motion in time: integration by all methods, events, stability, bouncing bodies."""

from __future__ import annotations

from typing import Any

import numpy as np

import traction as tr
from fingerprints.calls.bodies import METHODS, RUBBER, STEEL
from fingerprints.cases import call, each
from fingerprints.results import Numbers, history, take

SOFT = tr.Pair(RUBBER, RUBBER)


def oscillator() -> tr.SecondOrderSystem:
    """q'' = -q - q^3, without damping."""
    return tr.SecondOrderSystem(
        1.0, lambda t, q, v: -q - q**3, 1.2, 0.3, jacobian=lambda t, q, v: -1.0 - 3.0 * q**2,
        energy=lambda q: 0.5 * q**2 + 0.25 * q**4,
    )  # fmt: skip


def chain(kind: str = "dense") -> tr.SecondOrderSystem:
    """Four masses on springs that harden, damped and driven."""
    n = 4
    K: Any = 2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    if kind == "banded":
        bands = np.array([np.r_[0.0, -np.ones(n - 1)], 2.0 * np.ones(n), np.r_[-np.ones(n - 1), 0.0]])
        K = tr.Banded(1, 1, bands)
    elif kind == "sparse":
        from scipy import sparse

        K = sparse.csr_array(K)

    def force(t: float, q: np.ndarray) -> np.ndarray:
        return -0.2 * q**3 + np.array([0.5 * np.sin(1.3 * t), 0.0, 0.0, 0.0])

    start = np.array([0.5, 0.0, -0.3, 0.1])
    mass = np.array([1.0, 2.0, 1.5, 1.0])
    return tr.SecondOrderSystem(mass, force, start, 0.1, damping=0.05, stiffness=K)


def two_springs() -> tr.SecondOrderSystem:
    """Two coordinates with an energy, a coupling that is not linear and nothing that damps."""

    def energy(q: np.ndarray) -> float:
        return float(0.5 * q @ q + 0.25 * (q[0] - q[1]) ** 4)

    def force(t: float, q: np.ndarray) -> np.ndarray:
        pull = (q[0] - q[1]) ** 3
        return -q - np.array([pull, -pull])

    return tr.SecondOrderSystem(np.array([1.0, 3.0]), force, np.array([1.0, -0.5]), 0.0, energy=energy)


def hopping() -> tr.SecondOrderSystem:
    """A mass that falls on a stiff spring."""

    def force(t: float, q: float, v: float) -> float:
        return -9.81 + 2e3 * max(0.0, -q)

    def energy(q: float) -> float:
        return 9.81 * q + 1e3 * max(0.0, -q) ** 2

    return tr.SecondOrderSystem(1.0, force, 0.2, 0.0, energy=energy, gap=lambda t, q: q, ballistic=True)


@each("integrators/oscillator_{}", METHODS)
def integrate_oscillator(method: str) -> Numbers:
    """A scalar oscillator that is not linear, by fixed steps."""
    return history(tr.integrate(oscillator(), method, 0.05, 6.0))


@call("integrators/method")
def choose_method() -> Numbers:
    """Methods with options of their own."""
    damped = tr.method("newmark", beta=0.3025, gamma=0.6)
    return {"newmark": repr(damped), "rk4": repr(tr.method("rk4"))}


@each("integrators/auto_{}", METHODS)
def integrate_auto(method: str) -> Numbers:
    """The same by controlled steps."""
    return history(tr.integrate(oscillator(), method, "auto", 2.0, rtol=1e-4))


@each("integrators/chain_{}", METHODS)
def integrate_chain(method: str) -> Numbers:
    """A small system of matrices; of the energy-conserving method one with an energy."""
    system = two_springs() if method == "energy-conserving" else chain()
    return history(tr.integrate(system, method, 0.04, 3.0))


@each("integrators/chain_auto_{}", ("rk4", "radau-iia", "newmark"))
def integrate_chain_auto(method: str) -> Numbers:
    """The same by controlled steps."""
    return history(tr.integrate(chain(), method, "auto", 3.0, rtol=1e-5))


@each("integrators/storage_{}", ("dense", "banded", "sparse"))
def integrate_storage(kind: str) -> Numbers:
    """Matrices in each storage."""
    return history(tr.integrate(chain(kind), "newmark", 0.05, 2.0))


@each("integrators/events_{}", METHODS)
def integrate_events(method: str) -> Numbers:
    """Contacts located inside the steps."""
    return history(tr.integrate(hopping(), method, 0.004, 1.2))


@each("integrators/events_auto_{}", ("rk4", "radau-iia", "energy-conserving"))
def integrate_events_auto(method: str) -> Numbers:
    """Contacts located under controlled steps."""
    return history(tr.integrate(hopping(), method, "auto", 1.2, rtol=1e-5))


@call("integrators/events_off")
def integrate_without_events() -> Numbers:
    """Steps that pass over the contacts."""
    return history(tr.integrate(hopping(), "verlet", 0.004, 1.0, locate_events=False))


@call("integrators/moving_gap")
def integrate_moving_gap() -> Numbers:
    """A floor that moves by itself."""

    def gap(t: float, q: float) -> float:
        return q - 0.05 * np.sin(20.0 * t)

    def force(t: float, q: float) -> float:
        return -9.81 + 4e3 * max(0.0, -gap(t, q))

    system = tr.SecondOrderSystem(1.0, force, 0.3, gap=gap)
    return history(tr.integrate(system, "rk4", 0.003, 0.8))


@call("integrators/options")
def integrate_options() -> Numbers:
    """Options of the methods, and a mass that depends on q."""
    pendulum = tr.SecondOrderSystem(lambda q: 1.0 + 0.3 * q**2, lambda t, q, v: -np.sin(q) - 0.1 * v, 1.0)
    return {
        "picard": history(tr.integrate(oscillator(), "newmark", 0.05, 2.0, solver="picard")),
        "alpha": history(tr.integrate(chain(), "generalized-alpha", 0.05, 2.0, spectral_radius=0.5)),
        "beta": history(tr.integrate(chain(), "newmark", 0.05, 2.0, beta=0.3, gamma=0.6)),
        "mass": history(tr.integrate(pendulum, "radau-iia", 0.1, 2.0)),
    }


@call("integrators/restart")
def integrate_restart() -> Numbers:
    """A march that is cut and goes on."""
    first = tr.integrate(chain(), "hht", 0.05, 1.0)
    return {"first": history(first), "second": history(tr.integrate(chain(), "hht", 0.05, 2.0, start=first))}


@call("integrators/failure")
def integrate_failure() -> Numbers:
    """A motion that grows without bound, returned with its status."""
    system = tr.SecondOrderSystem(1.0, lambda t, q, v: q * q * q, 2.0, 1.0)
    return take(tr.integrate(system, "rk4", 0.05, 5.0, on_failure="return"), "t q v status")


@each("integrators/stability_{}", METHODS)
def stability(method: str) -> Numbers:
    """Spectral radius, period error and damping, and what the table says."""
    names = "omega_dt spectral_radius period_error damping_ratio limit"
    x = np.geomspace(0.01, 100.0, 13)
    table = take(tr.methods()[method], "order stability_limit high_frequency_radius implicit")
    free, damped = tr.stability(method, x), tr.stability(method, x, damping_ratio=0.05)
    return {"free": take(free, names), "damped": take(damped, names), "table": table}


@each("bounce/hertz_{}", METHODS)
def bounce_hertz(method: str) -> Numbers:
    """A soft ball that bounces by Hertz's law, by fixed steps."""
    return history(tr.bounce(0.05, SOFT, 0.1, method=method, dt=2e-4, t_end=0.45))


@each("bounce/hertz_auto_{}", ("rk4", "radau-iia", "energy-conserving", "generalized-alpha"))
def bounce_auto(method: str) -> Numbers:
    """The same by controlled steps."""
    return history(tr.bounce(0.05, SOFT, 0.1, method=method, rtol=1e-5, t_end=0.45))


@each("bounce/half_space_{}", ("rk4", "energy-conserving", "verlet"))
def bounce_half_space(method: str) -> Numbers:
    """The contact solved at every step."""
    h = tr.bounce(
        0.05, SOFT, 0.1, contact="half-space", elements=12, method=method, dt=5e-4, t_end=0.3
    )  # fmt: skip
    shown = h.surfaces(float(h.contacts[0].peak_time), np.linspace(-0.02, 0.02, 9))
    return {**history(h), "surfaces": shown}


@call("bounce/half_space_auto")
def bounce_half_space_auto() -> Numbers:
    """Controlled steps, a paraboloid that falls with a speed."""
    surface = tr.Paraboloid(0.08, 0.04)
    h = tr.bounce(
        pair=SOFT, height=0.02, contact="half-space", surface=surface, mass=0.5, speed=0.5, elements=12,
        rtol=1e-4, t_end=0.12,
    )  # fmt: skip
    return history(h)


@call("bounce/losses")
def bounce_losses() -> Numbers:
    """Restitution and damping, of steel."""
    restitution = tr.bounce(0.02, STEEL, 0.05, restitution=0.8, t_end=0.4)
    damping = tr.bounce(0.05, SOFT, 0.1, damping=0.1, method="radau-iia", dt=2e-4, t_end=0.3)
    return {"restitution": history(restitution), "damping": history(damping)}


@each("bounce/compiled_{}", ("rk4", "newmark"))
def bounce_compiled(method: str) -> Numbers:
    """The equation of motion as compiled functions."""
    body = tr.falling_body(0.05, SOFT, 0.1)
    found = take(body, "mass gravity weight first_touch damping law.coefficient law.exponent")
    system = body.system(0.1, compiled=True)
    return {**found, **history(tr.integrate(system, method, 2e-4, 0.4))}


@call("belt/limit_cycle")
def belt_cycle() -> Numbers:
    """Stick and slip on a belt."""
    h = tr.belt_oscillator(1.0, 1e3, 10.0, tr.friction.exponential(0.25, (0.15, 0.05)), 0.1, t_end=0.8)
    return take(h, "t q v a sticks frequency amplitude stick_share")
