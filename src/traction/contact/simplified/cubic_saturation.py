"""Tangential forces in closed form: those of Kalker's linear theory, saturated by a cubic law.

With f the force of the linear theory over the bound mu N, the force is mu N (f - f^2/3 + f^3/27) up to f = 3,
and mu N beyond (Vermeulen and Johnson 1964; with spin, Shen, Hedrick and Elkins 1983). An estimate to begin
from.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from traction.contact.simplified.kalker import RATIOS, kalker_coefficients
from traction.materials import Pair

SLIDES = 3.0  #: force of the linear theory from which all slides, over the bound


class SaturatedForce(NamedTuple):
    """Tangential forces on body 1."""

    force: tuple[float, float]  #: along x and y, N
    slides: bool  #: whether nothing sticks


def saturate_creep(
    semi_axes: tuple[float, float],
    normal_force: float,
    mu: float,
    creepage: tuple[float, float, float],
    pair: Pair,
) -> SaturatedForce:
    """Forces of a contact of about an ellipse; of slender ones with the last coefficients of the table."""
    a, b = semi_axes
    bound = mu * normal_force
    if not bound > 0.0 or not min(a, b) > 0.0:
        return SaturatedForce((0.0, 0.0), slides=False)
    ratio = min(max(a / b, RATIOS[0]), RATIOS[-1])
    linear = kalker_coefficients(ratio, max(0.0, pair.poisson_ratio))
    (xi, eta, phi), stiffness = creepage, pair.shear_modulus * a * b
    fx = -stiffness * linear.C11 * xi
    fy = -stiffness * (linear.C22 * eta + math.sqrt(a * b) * linear.C23 * phi)
    f = math.hypot(fx, fy) / bound
    share = 1.0 / f if f >= SLIDES else 1.0 - f / 3.0 + f**2 / 27.0
    return SaturatedForce((share * fx, share * fy), f >= SLIDES)
