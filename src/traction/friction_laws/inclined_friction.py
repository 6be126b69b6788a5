"""`InclinedFriction`: a coefficient of friction that depends on the inclination of a rail's surface."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.friction_laws.piecewise import check_points


@dataclass(frozen=True)
class InclinedFriction:
    """Friction that is piecewise linear in the inclination; made by `tr.friction.by_inclination`."""

    inclinations: tuple[float, ...]  #: of the rail's surface, rad, increasing; positive on the gauge side
    coefficients: tuple[float, ...]  #: mu at these; constant below the first and above the last

    def __post_init__(self) -> None:
        places, values = check_points("inclinations", self.inclinations, self.coefficients, "rad")
        if max(-places[0], places[-1]) > math.pi:
            raise InputError(f"inclinations = {list(places)} rad must lie from -pi to pi.")
        checks.keep(self, inclinations=places, coefficients=values)

    def coefficient(self, inclination: ArrayLike) -> np.ndarray:
        """Return the coefficients of friction at an `inclination` (rad)."""
        given = checks.finite_points("inclination", inclination, "rad")
        return np.asarray(np.interp(given, self.inclinations, self.coefficients))
