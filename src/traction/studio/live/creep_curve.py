"""Creep forces over longitudinal creepage, at the spin, load, ellipse and friction of a dragged patch."""

from __future__ import annotations

import numpy as np

import traction as tr
from traction.studio.live.drags import Given, describe_handles
from traction.studio.live.rolling_patch import (
    AXES,
    CREEPAGE,
    FRICTION,
    LOAD,
    SPIN,
    STEEL,
    PressedEllipse,
    press_ellipse,
)
from traction.studio.messages import Facts, describe_axis, describe_curve

ELEMENTS, POINTS = 20, 33
SATURATED = 6.0  #: times the creepage at which linear theory would slide, up to which the curve is drawn


def describe() -> Facts:
    """The handles."""
    return {"parameters": describe_handles((CREEPAGE[1], SPIN, LOAD, *AXES, FRICTION))}


def solve(given: Given) -> Facts:
    """Forces on body 1 over the longitudinal creepage, symmetric about zero."""
    eta, spin = CREEPAGE[1].check(given.get("eta", 0.0)), SPIN.read(given)
    ellipse = PressedEllipse.read(given)
    normal = press_ellipse(ellipse, ELEMENTS)
    a, b = ellipse.semi_axes
    stiffness = tr.kalker_coefficients(a / b, STEEL.poisson_ratio).C11 * STEEL.shear_modulus * a * b
    reach = min(SATURATED * ellipse.friction * ellipse.load / stiffness, CREEPAGE[0].maximum)
    creepage = reach * np.linspace(-1.0, 1.0, POINTS) ** 3  # finer where the curve is steep
    cases = np.column_stack((creepage, np.full(POINTS, eta), np.full(POINTS, spin)))
    found = tr.Batch(normal.grid, STEEL).roll_steady(normal, ellipse.friction, cases)
    curves = [
        describe_curve(f"force_{one}", f"force along {one}", "N", values)
        for one, values in zip("xy", found.force.T, strict=True)
    ]
    x = describe_axis("creepage", "longitudinal creepage", "", creepage)
    return {"x": x, "series": curves, "bound": ellipse.friction * ellipse.load}
