"""Surfaces that are paraboloids around their lowest point, as Hertz theory requires."""

from __future__ import annotations

import numpy as np

from traction.errors import InputError
from traction.surfaces import Sphere, Surface

NEAR = 1e-3  #: fraction of its size within which a surface is treated as a paraboloid
FAR = 0.5  #: relative deviation from that paraboloid allowed within a contact for which a grid is built


def curvature_radii(surface: Surface) -> tuple[float, float]:
    """Radii of curvature (m) along x and y at the origin, where the surface must be lowest."""
    if isinstance(surface, Sphere) and surface.center == (0.0, 0.0):
        return surface.radius, surface.radius
    radii = []
    h = NEAR * max(1e-3, float(getattr(surface, "radius_x", 0.0)))
    middle = float(surface.height(np.zeros(1), np.zeros(1))[0])
    for dx, dy in ((h, 0.0), (0.0, h)):
        ends = [float(surface.height(np.array([s * dx]), np.array([s * dy]))[0]) for s in (1.0, -1.0)]
        bend = (sum(ends) - 2.0 * middle) / (h * h)
        if not bend > 0.0 or abs(ends[0] - ends[1]) > 0.1 * bend * h * h:
            raise InputError(
                "surface has no smooth lowest point at (0, 0), which Hertz needs, also to make a grid; give "
                'contact="half-space" with grid=, larger than the contact.'
            )
        radii.append(1.0 / bend)
    return radii[0], radii[1]


def require_paraboloid(surface: Surface, radii: tuple[float, float], semi_axes: tuple[float, float]) -> None:
    """Refuse Hertz, or a grid sized by Hertz, for a surface that deviates from its paraboloid."""
    if isinstance(surface, Sphere):
        return
    a, b = semi_axes
    parts = np.array([-1.0, -0.5, 0.5, 1.0])
    x, y = np.concatenate((a * parts, np.zeros(4))), np.concatenate((np.zeros(4), b * parts))
    rise = surface.height(x, y) - surface.height(np.zeros(1), np.zeros(1))
    expected = x**2 / (2.0 * radii[0]) + y**2 / (2.0 * radii[1])
    off = np.abs(rise / expected - 1.0)
    if not off.max() <= FAR:
        k = int(np.argmax(off))
        raise InputError(
            f"surface is not a paraboloid: by its curvature at (0, 0) it would touch over {2 * a:.3g} m x "
            f"{2 * b:.3g} m, but at ({x[k]:.3g}, {y[k]:.3g}) m it is {rise[k]:.3g} m high instead of "
            f'{expected[k]:.3g} m. Give contact="half-space" with grid=, larger than the contact.'
        )
