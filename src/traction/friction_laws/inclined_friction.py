"""`InclinedFriction`: a coefficient of friction that depends on the inclination of a rail's surface."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError


@dataclass(frozen=True)
class InclinedFriction:
    """Friction that is piecewise linear in the inclination; made by `tr.friction.by_inclination`."""

    inclinations: tuple[float, ...]  #: of the rail's surface, rad, increasing; positive on the gauge side
    coefficients: tuple[float, ...]  #: mu at these; constant below the first and above the last

    def __post_init__(self) -> None:
        places = checks.finite_array("inclinations", self.inclinations, unit="rad")
        values = checks.finite_array("coefficients", self.coefficients)
        if places.ndim != 1 or places.size < 2 or values.shape != places.shape:
            raise InputError(
                f"inclinations and coefficients have shapes {places.shape} and {values.shape}; give lists of "
                "at least two numbers each."
            )
        if not (np.diff(places) > 0.0).all() or np.abs(places).max() > math.pi:
            raise InputError(f"inclinations = {places.tolist()} rad must increase, from -pi to pi.")
        if (values < 0.0).any() or not (values > 0.0).any():
            raise InputError(f"coefficients = {values.tolist()} must not be negative, nor all zero.")
        checks.keep(self, inclinations=tuple(places.tolist()), coefficients=tuple(values.tolist()))

    def coefficient(self, inclination: ArrayLike) -> np.ndarray:
        """Return the coefficients of friction at an `inclination` (rad)."""
        given = checks.finite_points("inclination", inclination, "rad")
        return np.asarray(np.interp(given, self.inclinations, self.coefficients))
