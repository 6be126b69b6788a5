"""Closed forms of q'' + c q' + omega^2 q = f sin(Omega t), for many oscillators and times at once."""

from __future__ import annotations

import numpy as np

from traction.beams.kernels.oscillator import move_freely


def oscillate_freely(
    t: np.ndarray, omega: np.ndarray, rate: np.ndarray, q0: np.ndarray, v0: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """q and its velocity, (times, oscillators), without a force."""
    q, v = np.empty((t.size, omega.size)), np.empty((t.size, omega.size))
    move_freely(omega, rate, np.stack((q0, v0)), t, q, v)
    return q, v


def oscillate_under_sine(
    t: np.ndarray, omega: np.ndarray, rate: np.ndarray, force: np.ndarray, driven: float
) -> tuple[np.ndarray, np.ndarray]:
    """q and its velocity from rest at t = 0 under f sin(Omega t), Omega = `driven` (rad/s)."""
    q, v = np.empty((t.size, omega.size)), np.empty((t.size, omega.size))
    undamped = rate == 0.0
    for chosen, march in ((undamped, _oscillate_undamped), (~undamped, _oscillate_damped)):
        if chosen.any():
            q[:, chosen], v[:, chosen] = march(t, omega[chosen], rate[chosen], force[chosen], driven)
    return q, v


def _oscillate_damped(
    t: np.ndarray, omega: np.ndarray, rate: np.ndarray, force: np.ndarray, driven: float
) -> tuple[np.ndarray, np.ndarray]:
    """The steady motion Im(P e^(i Omega t)) and the free one that begins the motion at rest."""
    P = force / (omega**2 - driven**2 + 1j * rate * driven)
    steady = P * np.exp(1j * driven * t[:, None])
    q, v = oscillate_freely(t, omega, rate, -P.imag, -driven * P.real)
    return steady.imag + q, driven * steady.real + v


def _oscillate_undamped(
    t: np.ndarray, omega: np.ndarray, rate: np.ndarray, force: np.ndarray, driven: float
) -> tuple[np.ndarray, np.ndarray]:
    """f (sin Omega t - (Omega/omega) sin omega t)/(omega^2 - Omega^2), without division by zero at resonance.

    With the mean and half the difference of the two frequencies, sums of sines become products.
    """
    time = t[:, None]
    mean, half = 0.5 * (omega + driven), 0.5 * (omega - driven)
    beat = time * np.sinc(half * time / np.pi)  # sin(half t)/half
    v = force * driven / (2.0 * mean) * beat * np.sin(mean * time)
    with np.errstate(divide="ignore", invalid="ignore"):
        q = 0.5 * (np.sin(driven * time) + np.sin(omega * time)) - mean * beat * np.cos(mean * time)
        q *= force / (2.0 * mean * omega)
    still = omega == 0.0
    q[:, still] = force[still] * (time / driven - np.sin(driven * time) / driven**2)
    return q, v
