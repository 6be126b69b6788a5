"""Largest values of sampled histories, between the samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MOST_BETWEEN = 0.1  #: of the largest sample, that a motion which its samples resolve rises above it


@dataclass(frozen=True)
class Peak:
    """Largest magnitude of a quantity, with its sign."""

    value: float
    time: float  #: s
    place: float  #: m


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

    A swing that has eight samples or more rises between them by less than a tenth of its size. Quintics that
    rise further than that above all samples follow no motion: then it is the largest sample.
    """
    k = int(np.argmax(np.abs(w)))
    best, time = float(w[k]), float(t[k])
    for start in (k - 1, k):
        if 0 <= start < t.size - 1:
            value, at = _on_quintic(
                t[start : start + 2], w[start : start + 2], v[start : start + 2], a[start : start + 2]
            )
            if abs(value) > abs(best):
                best, time = value, at
    if abs(best) > (1.0 + MOST_BETWEEN) * abs(float(w[k])):
        return float(w[k]), float(t[k])
    return best, time


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
