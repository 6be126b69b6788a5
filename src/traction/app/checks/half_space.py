"""The half space: influence coefficients and stresses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from traction.app.check import Check
from traction.contact.normal.press import press
from traction.grid import Grid
from traction.halfspace.half_space import HalfSpace
from traction.halfspace.subsurface import subsurface_stress
from traction.materials import STEEL, Material, Pair
from traction.surfaces import Sphere
from traction.theory import hertz

STEEL_PAIR = Pair(STEEL, STEEL)


def checks() -> Iterator[Check]:
    """Influence coefficients and stresses."""
    love = 0.72 * 4.0 * np.log(1.0 + np.sqrt(2.0)) / np.pi
    yield Check("influence-element", "displacement", "Love 1929", love, 1e-12, _element)
    ball = hertz.sphere(0.1, STEEL_PAIR, force=1500.0)
    depth = 0.48 * ball.radius
    expected, source = ball.stress_on_axis(depth, STEEL.poisson_ratio).von_mises, "Johnson 1985, 3.4"
    yield Check("stress-below-sphere", "von Mises", source, expected, 5e-3, _von_mises, ball.radius, depth)


def _element() -> float:
    body = Material.from_shear_modulus(1.0, 0.28)
    space = HalfSpace(Grid(1, 1, 1.0, 1.0), Pair(body, body))
    return float(space.product("z", "z", np.ones((1, 1)))[0, 0])


def _von_mises(radius: float, depth: float) -> float:
    grid = Grid.around(1.2 * radius, 1.2 * radius, 41, 41)
    contact = press(Sphere(0.1), grid, STEEL_PAIR, force=1500.0)
    traction = np.zeros((3, *grid.shape))
    traction[2] = contact.pressure
    return float(subsurface_stress([0.0, 0.0, -depth], grid, traction, STEEL_PAIR, body=2).von_mises)
