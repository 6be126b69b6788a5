"""Forces of an ellipse all of whose points slide: what creep forces tend to at large creepages."""

from __future__ import annotations

import math

import numpy as np

RADII, ANGLES = 24, 96  #: points of the integral
RAYS = 384  #: from the pole of the spin, where it is in the contact


def slide(ratio: float, creepage: np.ndarray) -> np.ndarray:
    """Forces over mu N and moments over mu N c where all points slide, (members, 3).

    The integral of -p w/|w| with the rigid slip w = (xi - phi y, eta + phi x) over the ellipse.
    """
    a, b = math.sqrt(ratio), 1.0 / math.sqrt(ratio)
    xi, eta, phi = creepage.T
    pole = np.hypot(eta / a, xi / b) < np.abs(phi)  # at (-eta, xi)/phi
    values = np.empty_like(creepage)
    values[~pole] = _integrate_from_centre(a, b, creepage[~pole])
    values[pole] = _integrate_from_pole(a, b, creepage[pole])
    return values


def _integrate_from_centre(a: float, b: float, creepage: np.ndarray) -> np.ndarray:
    """In radii r with u = sqrt(1 - r^2), which makes the weights of the Hertz pressure 3 u^2."""
    node, weight = np.polynomial.legendre.leggauss(RADII)
    u = 0.5 * (node + 1.0)
    radius, angle = np.sqrt(1.0 - u**2)[:, None], 2.0 * math.pi * (np.arange(ANGLES) + 0.5) / ANGLES
    load = np.repeat(1.5 * weight * u**2 / ANGLES, ANGLES)
    x, y = (a * radius * np.cos(angle)).ravel(), (b * radius * np.sin(angle)).ravel()
    xi, eta, phi = creepage.T
    wx, wy = xi[:, None] - phi[:, None] * y, eta[:, None] + phi[:, None] * x
    # sums of p/|w| times 1, x, y and r^2: w is linear in x and y
    whole, first, second, square = (load / np.sqrt(wx**2 + wy**2) @ np.stack((x**0, x, y, x**2 + y**2), 1)).T
    force = (phi * second - xi * whole, -eta * whole - phi * first, xi * second - eta * first - phi * square)
    return np.stack(force, axis=-1)


def _integrate_from_pole(a: float, b: float, creepage: np.ndarray) -> np.ndarray:
    """Along rays from the pole (x0, y0), on which the direction of the slip is constant.

    A point is (x0 + r sqrt(a) cos t, y0 + r sqrt(b) sin t), with dA = r dr dt as a b = 1: between the angle
    of the plane and that of the ellipse stretched to a circle, of which either has a jump if b << a. Along a
    ray 1 - (x/a)^2 - (y/b)^2 = m (end - r) (r + behind); with r = end (1 - s^2) its root is smooth in s.
    """
    xi, eta, phi = creepage.T[..., None, None]
    x0, y0, angle = -eta / phi, xi / phi, (2.0 * math.pi / RAYS * np.arange(RAYS))[:, None]
    along, across = math.sqrt(a) * np.cos(angle), math.sqrt(b) * np.sin(angle)
    m = (along / a) ** 2 + (across / b) ** 2
    half = (x0 * along / a**2 + y0 * across / b**2) / m
    root = np.sqrt(half**2 + np.maximum(0.0, 1.0 - (x0 / a) ** 2 - (y0 / b) ** 2) / m)
    end, behind = root - half, root + half
    node, weight = np.polynomial.legendre.leggauss(RADII)
    s = 0.5 * (node + 1.0)
    inward = 1.0 - s**2  # r over its end
    shares = (1.5 / math.pi) * (2.0 * math.pi / RAYS) * weight * s**2 * inward  # 2 s ds, half by `weight`
    sums = np.sqrt(end * inward + behind) @ np.stack((shares, shares * inward), axis=1)
    near = (np.sqrt(m) * end**2.5) * sums[..., :1]
    far = (np.sqrt(m) * end**3.5) * sums[..., 1:]
    size = np.hypot(along, across)
    ux, uy = -across / size, along / size
    force = (ux * near, uy * near, (x0 * uy - y0 * ux) * near + size * far)
    return np.concatenate([-np.sign(phi[..., 0]) * part.sum(axis=1) for part in force], axis=-1)
