"""Largest values of sampled histories, between the samples."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

MOST_APART = 0.05  #: largest relative difference of quintic and cubic at a peak; a sine has it at 3 samples


@dataclass(frozen=True)
class Peak:
    """Largest magnitude of a quantity, with its sign."""

    value: float  #: value of largest magnitude, with its sign
    time: float  #: time of the peak, s
    place: float  #: position x of the peak, m


def largest_between(t: np.ndarray, values: np.ndarray) -> tuple[float, float]:
    """Value of largest magnitude and its time, on a parabola through the largest sample."""
    k = int(np.argmax(np.abs(values)))
    if k in (0, values.size - 1):
        return float(values[k]), float(t[k])
    before, here, after = values[k - 1 : k + 2]
    bend = before - 2.0 * here + after
    if bend * here >= 0.0:
        return float(here), float(t[k])
    shift = np.clip(0.5 * (before - after) / bend, -1.0, 1.0)
    return float(here + 0.25 * (after - before) * shift), float(t[k] + shift * (t[k + 1] - t[k]))


def largest_of_smooth(t: np.ndarray, w: np.ndarray, v: np.ndarray, a: np.ndarray) -> tuple[float, float]:
    """Value of largest magnitude and its time, on quintics through values, velocities and accelerations.

    Where a quintic and the cubic through values and velocities disagree, the samples are too far apart: the
    largest sample is returned, with a warning.
    """
    k = int(np.argmax(np.abs(w)))
    best, time = float(w[k]), float(t[k])
    unresolved = False
    for start in (k - 1, k):
        if 0 <= start < t.size - 1:
            piece = slice(start, start + 2)
            value, at = _on_quintic(t[piece], w[piece], v[piece], a[piece])
            if abs(value) <= abs(best):
                continue
            if abs(value - _on_cubic(at, t[piece], w[piece], v[piece])) > MOST_APART * abs(value):
                unresolved = True
            else:
                best, time = value, at
    if unresolved:
        warnings.warn(
            f"samples {t[1] - t[0]:.3g} s apart do not resolve the motion between them: the largest sample, "
            f"{best:.6g}, is returned. Use a smaller dt, or store more samples.",
            stacklevel=3,
        )
    return best, time


def largest_on_cubics(
    t: np.ndarray, values: np.ndarray, rates: np.ndarray, smooth: np.ndarray
) -> tuple[float, float]:
    """Value of largest magnitude and its time, on cubics through values and rates in the `smooth` steps."""
    h, y = np.diff(t), values[:-1]
    c, e, rise = h * rates[:-1], h * rates[1:], np.diff(values)
    a, b = c + e - 2.0 * rise, 3.0 * rise - 2.0 * c - e  # y + c s + b s^2 + a s^3
    turn = b + np.copysign(np.sqrt(np.maximum(0.0, b * b - 3.0 * a * c)), b)
    with np.errstate(divide="ignore", invalid="ignore"):
        s = np.stack((-c / turn, -turn / (3.0 * a)))
        s = np.where((s > 0.0) & (s < 1.0) & smooth, s, 0.0)
    inner = y + s * (c + s * (b + s * a))
    row, n = np.unravel_index(int(np.argmax(np.abs(inner))), inner.shape)
    k = int(np.argmax(np.abs(values)))
    if abs(values[k]) >= abs(inner[row, n]):
        return float(values[k]), float(t[k])
    return float(inner[row, n]), float(t[n] + s[row, n] * h[n])


def _on_cubic(at: float, t: np.ndarray, w: np.ndarray, v: np.ndarray) -> float:
    """Value at a time within one interval, on the cubic through values and velocities."""
    h = t[1] - t[0]
    s = (at - t[0]) / h
    up = s * s * (3.0 - 2.0 * s)
    return float(w[0] + (w[1] - w[0]) * up + h * s * (1.0 - s) * ((1.0 - s) * v[0] - s * v[1]))


def _on_quintic(t: np.ndarray, w: np.ndarray, v: np.ndarray, a: np.ndarray) -> tuple[float, float]:
    """Largest magnitude within one interval."""
    h = t[1] - t[0]
    p, v0, v1, a0, a1 = w[1] - w[0], h * v[0], h * v[1], h * h * a[0], h * h * a[1]
    curve = np.polynomial.Polynomial(
        [
            w[0],
            v0,
            0.5 * a0,
            10.0 * p - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1,
            -15.0 * p + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1,
            6.0 * p - 3.0 * (v0 + v1) - 0.5 * (a0 - a1),
        ]
    )
    roots = curve.deriv().roots()
    inside = roots[(np.abs(roots.imag) < 1e-9) & (roots.real > 0.0) & (roots.real < 1.0)].real
    s = np.r_[0.0, 1.0, inside]
    k = int(np.argmax(np.abs(curve(s))))
    return float(curve(s[k])), float(t[0] + h * s[k])
