"""Forces of an ellipse all of whose points slide: what creep forces tend to at large creepages."""

from __future__ import annotations

import math

import numpy as np

RADII, ANGLES = 24, 96  #: points of the integral
FINE = 8  #: times as many along both, where the pole of the spin is in the contact


def slide(ratio: float, creepage: np.ndarray) -> np.ndarray:
    """Forces over mu N and moments over mu N c where all points slide, (members, 3).

    The integral of -p w/|w| with the rigid slip w = (xi - phi y, eta + phi x) over the ellipse, in radii r
    with u = sqrt(1 - r^2), which makes the weights of the Hertz pressure 3 u^2.
    """
    a, b = math.sqrt(ratio), 1.0 / math.sqrt(ratio)
    xi, eta, phi = creepage.T
    pole = np.hypot(eta / a, xi / b) < np.abs(phi)  # at (-eta, xi)/phi
    values = np.empty_like(creepage)
    values[~pole] = _integrate_sliding(a, b, creepage[~pole], RADII, ANGLES)
    for k in np.flatnonzero(pole):
        values[k] = _integrate_sliding(a, b, creepage[k : k + 1], FINE * RADII, FINE * ANGLES)[0]
    return values


def _integrate_sliding(a: float, b: float, creepage: np.ndarray, radii: int, angles: int) -> np.ndarray:
    node, weight = np.polynomial.legendre.leggauss(radii)
    u = 0.5 * (node + 1.0)
    radius, angle = np.sqrt(1.0 - u**2)[:, None], 2.0 * math.pi * (np.arange(angles) + 0.5) / angles
    load = np.repeat(1.5 * weight * u**2 / angles, angles)
    x, y = (a * radius * np.cos(angle)).ravel(), (b * radius * np.sin(angle)).ravel()
    xi, eta, phi = creepage.T[..., None]
    wx, wy = xi - phi * y, eta + phi * x
    size = np.hypot(wx, wy)
    px, py = -load * wx / size, -load * wy / size
    return np.stack((px.sum(axis=1), py.sum(axis=1), (x * py - y * px).sum(axis=1)), axis=-1)
