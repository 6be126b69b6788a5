"""A band of heat on a half space that moves under it (Jaeger 1942; Carslaw and Jaeger 1959, section 10.7).

The flux q enters through |x| < l, and the material passes with the velocity v along +x. With the diffusivity
kappa = k/(rho c) the steady temperature of the surface is

    T = 2 kappa q/(pi k v) (P(v (x + l)/(2 kappa)) - P(v (x - l)/(2 kappa))),   dP/du = exp(u) K0(|u|)
    P = u exp(u) (K0(u) + K1(u)) - 1  for u > 0,    P = u exp(u) (K0(-u) - K1(-u)) - 1  for u < 0

At high speed its largest value, where the material leaves, is 2 q sqrt(2 l/(pi k rho c v)).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import k0e, k1e

from traction import checks
from traction.materials import Material, thermal_constants
from traction.outputs.result import Result
from traction.outputs.variable import Variable, figure, number
from traction.theory.hertz_contacts import along_strip

PROFILE = np.linspace(-2.0, 4.0, 241)  #: x/l of the stored profile


@dataclass(frozen=True, repr=False)
class HeatedBand(Result):
    """Band of uniform heat flux over a moving half space."""

    _drawn = "rise"

    half_width: float  #: l, m
    flux: float  #: q, W/m2
    speed: float  #: v, m/s
    conductivity: float  #: k, W/(m K)
    diffusivity: float  #: kappa, m2/s

    @property
    def peclet(self) -> float:
        """Peclet number v l/(2 kappa)."""
        return self.speed * self.half_width / (2.0 * self.diffusivity)

    @property
    def largest(self) -> float:
        """Largest rise, K, which lies between the middle of the band and the edge where material leaves."""
        places = np.linspace(0.0, self.half_width, 20001)
        return float(self.rise(places).max())

    def rise(self, x: ArrayLike) -> np.ndarray:
        """Return the rise of the surface temperature, K, at `x` (m), positive where the material leaves."""
        u = checks.finite_points("x", x) * (self.speed / (2.0 * self.diffusivity))
        whole = 2.0 * self.diffusivity * self.flux / (math.pi * self.conductivity * self.speed)
        return np.asarray(whole * (integrate_band(u + self.peclet) - integrate_band(u - self.peclet)))

    def _variables(self) -> Iterator[Variable]:
        x = self.half_width * PROFILE
        yield figure("largest", self.largest, "K", "largest rise of the temperature")
        yield figure("peclet", self.peclet, "1", "Peclet number")
        yield number("half_width", self.half_width, "m", "half width of the band")
        yield number("flux", self.flux, "W/m2", "heat flux")
        yield number("speed", self.speed, "m/s", "speed")
        yield from along_strip(x, self.rise, "rise", "K", "rise of the surface temperature")


def band(flux: float, half_width: float, material: Material, speed: float) -> HeatedBand:
    """Return the temperature of a half space that moves under a band of uniform heat flux.

    Parameters
    ----------
    flux
        Heat flux q into the body, W/m2.
    half_width
        Half width l of the band along the motion, m.
    material
        Material with density, specific heat and conductivity.
    speed
        Speed v of the material under the band, m/s; at rest a half plane has no steady temperature.

    Returns
    -------
    HeatedBand
        With `.rise(x)`, `.largest` and `.peclet`.

    Raises
    ------
    InputError
        If `half_width` or `speed` is not positive, or the material lacks thermal constants.

    Examples
    --------
    >>> heated = tr.moving_heat.band(1e8, 5e-3, tr.STEEL, 30.0)
    >>> print(f"{heated.largest:.1f} K at a Peclet number of {heated.peclet:.0f}")
    155.0 K at a Peclet number of 5299
    """
    k = thermal_constants("material", material)[1]
    return HeatedBand(
        checks.positive("half_width", half_width, "m"),
        checks.finite("flux", flux, "W/m2"),
        checks.positive("speed", speed, "m/s"),
        k,
        material.diffusivity,
    )


def integrate_band(u: np.ndarray) -> np.ndarray:
    """P(u), the integral from 0 to u of exp(t) K0(|t|)."""
    size = np.abs(u)
    some = np.where(size > 0.0, size, 1.0)
    # the scaled functions hold exp(|u|): ahead of the source exp(u) K is exp(-2 |u|) times the scaled one
    behind = some * (k0e(some) + k1e(some)) - 1.0
    ahead = -some * np.exp(-2.0 * some) * (k0e(some) - k1e(some)) - 1.0
    return np.where(size == 0.0, 0.0, np.where(u > 0.0, behind, ahead))


__all__ = ["HeatedBand", "band"]
