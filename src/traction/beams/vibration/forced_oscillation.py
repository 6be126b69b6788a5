"""Closed forms of q'' + c q' + omega^2 q = f sin(Omega t), for many oscillators and times at once."""

from __future__ import annotations

import numpy as np


def free(
    t: np.ndarray, omega: np.ndarray, rate: np.ndarray, q0: np.ndarray, v0: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """q and its velocity, (times, oscillators), without a force.

    With h = c/2 they are e^-ht (q0 C + (v0 + h q0) S) and e^-ht (v0 C - (omega^2 q0 + h v0) S), where C and S
    are cos and sin(w t)/w of w^2 = omega^2 - h^2, or cosh and sinh where that is negative.
    """
    h = 0.5 * rate
    C, S = _decaying(t[:, None], h, omega)
    return q0 * C + (v0 + h * q0) * S, v0 * C - (omega**2 * q0 + h * v0) * S


def _decaying(t: np.ndarray, h: np.ndarray, omega: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """e^-ht times cos(w t) and sin(w t)/w, w^2 = omega^2 - h^2; no overflow where that is negative."""
    w = np.sqrt(np.abs((omega - h) * (omega + h)))
    decay = np.exp(-h * t)
    C, S = decay * np.cos(w * t), decay * t * np.sinc(w * t / np.pi)
    over = omega < h
    if over.any():
        # the slower root -h + w = -omega^2/(h + w) is a difference of equal numbers at strong damping
        slow = -(omega[over] ** 2) / (h[over] + w[over])
        twice = -np.expm1(-2.0 * w[over] * t)
        C[:, over] = np.exp(slow * t) * (1.0 - 0.5 * twice)
        S[:, over] = np.exp(slow * t) * twice / (2.0 * w[over])
    return C, S


def forced(
    t: np.ndarray, omega: np.ndarray, rate: np.ndarray, force: np.ndarray, driven: float
) -> tuple[np.ndarray, np.ndarray]:
    """q and its velocity from rest at t = 0 under f sin(Omega t), Omega = `driven` (rad/s)."""
    q, v = np.empty((t.size, omega.size)), np.empty((t.size, omega.size))
    undamped = rate == 0.0
    for chosen, march in ((undamped, _forced_undamped), (~undamped, _forced_damped)):
        if chosen.any():
            q[:, chosen], v[:, chosen] = march(t, omega[chosen], rate[chosen], force[chosen], driven)
    return q, v


def _forced_damped(
    t: np.ndarray, omega: np.ndarray, rate: np.ndarray, force: np.ndarray, driven: float
) -> tuple[np.ndarray, np.ndarray]:
    """The steady motion Im(P e^(i Omega t)) and the free one that begins the motion at rest."""
    P = force / (omega**2 - driven**2 + 1j * rate * driven)
    steady = P * np.exp(1j * driven * t[:, None])
    q, v = free(t, omega, rate, -P.imag, -driven * P.real)
    return steady.imag + q, driven * steady.real + v


def _forced_undamped(
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
