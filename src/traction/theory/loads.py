"""Prescribed pressures on a half space: surface displacements, and stresses below the centre.

Johnson, Contact Mechanics, sections 3.3 and 3.4; Love 1929. Lengths in m, forces in N, pressures in Pa and
positive in compression, displacements positive into the body, stresses positive in tension. `pair` is a
`tr.Pair`, whose two surface displacements are added; for one half space give its modulus E/(1 - nu^2) (Pa).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ellipe, elliprd

from traction import checks
from traction.checks import Either
from traction.materials import Pair
from traction.theory.hertz_contacts import AxisStress, SphereContact, check_depth, find_modulus, known_pair

__all__ = [
    "HertzRectangle",
    "UniformCircle",
    "UniformRectangle",
    "hertz_circle",
    "hertz_rectangle",
    "uniform_circle",
    "uniform_rectangle",
]

_STEPS = np.arange(-84, 85) * 0.04  #: nodes of the double-exponential rule, whose tails end at 1e-19


@dataclass(frozen=True)
class UniformCircle:
    """Uniform pressure on a circle."""

    radius: float  #: a
    peak_pressure: float  #: p
    effective_modulus: float  #: E*

    @property
    def force(self) -> float:
        """Total force F = pi a^2 p, N."""
        return math.pi * self.radius**2 * self.peak_pressure

    def pressure(self, r: ArrayLike) -> np.ndarray:
        """Return the pressure at the distance `r` (m) from the centre, Pa."""
        return np.where(np.abs(checks.finite_points("r", r)) <= self.radius, self.peak_pressure, 0.0)[()]

    def displacement(self, r: ArrayLike) -> np.ndarray:
        """Return the normal displacement at the distance `r` (m) from the centre, m (Johnson 3.29).

        Inside 4 p a/(pi E*) E(r/a), outside 4 p r/(pi E*) (E(a/r) - (1 - a^2/r^2) K(a/r)). The difference is
        (a/r)^2 q R_D(0, 1, q)/3 with q = 1 - a^2/r^2, without cancellation far away.
        """
        a, outer = self.radius, np.abs(checks.finite_points("r", r)) > self.radius
        near, far = np.where(outer, a, r), np.where(outer, np.abs(r), 2.0 * a)
        q = (far - a) * (far + a) / far**2
        shape = np.where(outer, a / far * q * elliprd(0.0, 1.0, q) / 3.0, ellipe((near / a) ** 2))
        return 4.0 * self.peak_pressure * a / (math.pi * self.effective_modulus) * shape

    def stress_on_axis(self, z: ArrayLike, poisson_ratio: float) -> AxisStress:
        """Return the stresses at depth `z` (m) below the centre, in the body with this `poisson_ratio`.

        Johnson 3.4a, with t = 1 - z/sqrt(a^2 + z^2) against cancellation at depth:
        sz = -p t (3 - 3 t + t^2), sx = sy = -p t (nu - 1/2 + 3/2 t - t^2/2).
        """
        a, z, nu = self.radius, check_depth(z), checks.poisson_ratio("poisson_ratio", poisson_ratio)
        s = np.hypot(a, z)
        t = a * a / (s * (s + z))
        sx = -self.peak_pressure * t * (nu - 0.5 + 1.5 * t - 0.5 * t * t)
        return AxisStress(z, sx, sx, -self.peak_pressure * t * (3.0 - 3.0 * t + t * t))


@dataclass(frozen=True)
class _RectangleLoad:
    """Pressure on the rectangle |x| < a, |y| < b."""

    fullness: ClassVar[float]  #: F/(a b p0)

    half_widths: tuple[float, float]  #: (a, b)
    peak_pressure: float  #: p0
    effective_modulus: float  #: E*

    @property
    def force(self) -> float:
        """Total force F, N."""
        return self.fullness * math.prod(self.half_widths) * self.peak_pressure

    @classmethod
    def _checked(cls, sides: dict[str, float], pair: Pair | float, pressure: Either, force: Either) -> Self:
        """The load of a peak pressure (Pa) or a force (N) on a rectangle of two half widths, m."""
        a, b = (checks.positive(name, half, "m") for name, half in sides.items())
        return cls((a, b), _find_peak(pressure, force, cls.fullness * (a * b)), find_modulus(pair))


class UniformRectangle(_RectangleLoad):
    """Uniform pressure p on the rectangle |x| < a, |y| < b: F = 4 a b p."""

    fullness = 4.0

    def pressure(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Return the pressure at (`x`, `y`), m, in Pa."""
        (a, b), x, y = self.half_widths, checks.finite_points("x", x), checks.finite_points("y", y)
        return np.where((np.abs(x) <= a) & (np.abs(y) <= b), self.peak_pressure, 0.0)[()]

    def displacement(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Return the normal displacement at (`x`, `y`), m (Love 1929; Johnson 3.25).

        p/(pi E*) times the integral of 1/r over the rectangle.
        """
        (a, b), x, y = self.half_widths, checks.finite_points("x", x), checks.finite_points("y", y)
        total = (
            _integrate_moment(x + a, y, b)
            - _integrate_moment(x - a, y, b)
            + _integrate_moment(y + b, x, a)
            - _integrate_moment(y - b, x, a)
        )
        return self.peak_pressure / (math.pi * self.effective_modulus) * total

    def stress_on_axis(self, z: ArrayLike, poisson_ratio: float) -> AxisStress:
        """Return the stresses at depth `z` (m) below the centre, in the body with this `poisson_ratio`.

        Love 1929, with c^2 = a^2 + b^2 + z^2 and Q = arctan(a b/(z c)), a quarter of the solid angle of the
        rectangle: sz = -2 p/pi (Q + a b z/c (1/(a^2 + z^2) + 1/(b^2 + z^2))),
        sx = 2 p/pi (a b z/(c (a^2 + z^2)) - 2 nu Q - (1 - 2 nu) (arctan(b/a) - arctan(b z/(a c)))).
        """
        (a, b), z = self.half_widths, check_depth(z)
        nu = checks.poisson_ratio("poisson_ratio", poisson_ratio)
        c = np.sqrt(a * a + b * b + z * z)
        angle = np.arctan2(a * b, z * c)
        x, y = (a * b * z / (c * (side * side + z * z)) for side in (a, b))
        # the difference of the two arctangents as one, which keeps its digits at depth
        tilt_x = np.arctan2(a * b * (a * a + b * b), (c + z) * (a * a * c + b * b * z))
        tilt_y = np.arctan2(a * b * (a * a + b * b), (c + z) * (b * b * c + a * a * z))
        scale = 2.0 * self.peak_pressure / math.pi
        sx = scale * (x - 2.0 * nu * angle - (1.0 - 2.0 * nu) * tilt_x)
        sy = scale * (y - 2.0 * nu * angle - (1.0 - 2.0 * nu) * tilt_y)
        return AxisStress(z, sx, sy, -scale * (angle + x + y))


class HertzRectangle(_RectangleLoad):
    """Pressure p0 sqrt(1 - x^2/a^2) on the rectangle |x| < a, |y| < b, as under a roller: F = pi a b p0."""

    fullness = math.pi

    def pressure(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Return the pressure at (`x`, `y`), m, in Pa."""
        (a, b), x, y = self.half_widths, checks.finite_points("x", x), checks.finite_points("y", y)
        arch = np.sqrt(np.maximum(0.0, 1.0 - (x / a) ** 2))
        return self.peak_pressure * np.where(np.abs(y) <= b, arch, 0.0)

    def displacement(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Return the normal displacement at (`x`, `y`), m.

        p0/(pi E*) times the integral of sqrt(1 - s^2/a^2)/r, exact along y and by quadrature along s. The
        integrand is singular at s = x and at the rim; a double-exponential substitution on either side of
        x removes both, with a relative error of 1e-12 where b > 1e-4 a.
        """
        (a, b), x, y = (
            self.half_widths,
            *np.broadcast_arrays(checks.finite_points("x", x), checks.finite_points("y", y)),
        )
        total = np.zeros(x.shape)
        split = np.clip(x, -a, a)
        # nodes of (0, 1) as distances to 0 and to 1, and weights (Takahasi and Mori 1974)
        stretched = math.pi * np.sinh(_STEPS)
        shares, rests = 1.0 / (1.0 + np.exp(-stretched)), 1.0 / (1.0 + np.exp(stretched))
        weights = 0.04 * math.pi * np.cosh(_STEPS) * shares * rests
        for share, rest, weight in zip(shares, rests, weights, strict=True):
            for side, reach in ((1.0, a - split), (-1.0, a + split)):
                # s = split + side * reach * share; its distances to both rims are sums of positive numbers
                root = np.sqrt(rest * reach * (2.0 * a - rest * reach)) / a
                offset = np.where(reach > 0.0, x - split - side * reach * share, a)
                total += weight * reach * root * _integrate_segment(offset, y, b)
        return self.peak_pressure / (math.pi * self.effective_modulus) * total


def uniform_circle(
    radius: float, pair: Pair | float, *, pressure: Either = None, force: Either = None
) -> UniformCircle:
    """Return a uniform pressure on a circle of a half space.

    Johnson, Contact Mechanics, section 3.4a.

    Parameters
    ----------
    radius
        Radius a of the circle, m.
    pair
        Materials, or the effective modulus E*, Pa.
    pressure
        Pressure p, Pa. Exactly one of `pressure` and `force` is given; both may be negative.
    force
        Total force F, N.

    Returns
    -------
    UniformCircle
        Displacement and stresses of the load.

    Raises
    ------
    InputError
        If the radius is not positive, or not exactly one of `pressure` and `force` is given.

    Examples
    --------
    >>> load = tr.loads.uniform_circle(0.01, tr.Pair(tr.STEEL, tr.RIGID), force=1e3)
    >>> print(f"{load.displacement(0.0) * 1e6:.4f} um at the centre")
    0.2795 um at the centre
    """
    a = checks.positive("radius", radius, "m")
    return UniformCircle(a, _find_peak(pressure, force, math.pi * a * a), find_modulus(pair))


def hertz_circle(
    radius: float, pair: Pair | float, *, pressure: Either = None, force: Either = None
) -> SphereContact:
    """Return the pressure p0 sqrt(1 - r^2/a^2) on a circle, as under a sphere (Johnson, section 3.4c).

    Parameters
    ----------
    radius, pair, pressure, force
        As in `uniform_circle`; the pressure is its peak p0.

    Returns
    -------
    SphereContact
        Displacement and stresses of the load.

    Raises
    ------
    InputError
        As `uniform_circle`.

    Examples
    --------
    >>> load = tr.loads.hertz_circle(0.01, tr.Pair(tr.STEEL, tr.RIGID), force=1e3)
    >>> print(f"p0 = {load.peak_pressure / 1e6:.3f} MPa")
    p0 = 4.775 MPa
    """
    a, E = checks.positive("radius", radius, "m"), find_modulus(pair)
    area = 2.0 / 3.0 * math.pi * a * a
    p0 = _find_peak(pressure, force, area)
    return SphereContact((a, a), math.pi * a * p0 / (2.0 * E), area * p0, p0, E, known_pair(pair))


def uniform_rectangle(
    half_width_x: float,
    half_width_y: float,
    pair: Pair | float,
    *,
    pressure: Either = None,
    force: Either = None,
) -> UniformRectangle:
    """Return a uniform pressure on a rectangle of a half space.

    Love 1929; Johnson, Contact Mechanics, section 3.3.

    Parameters
    ----------
    half_width_x, half_width_y
        Half the sides a and b of the rectangle along x and y, m.
    pair, pressure, force
        As in `uniform_circle`.

    Returns
    -------
    UniformRectangle
        Displacement and stresses of the load.

    Raises
    ------
    InputError
        As `uniform_circle`, or if a half width is not positive.

    Examples
    --------
    >>> load = tr.loads.uniform_rectangle(0.01, 0.02, tr.Pair(tr.STEEL, tr.RIGID), force=1e3)
    >>> print(f"{load.displacement(0.0) * 1e6:.4f} um at the centre")
    0.1681 um at the centre
    """
    sides = {"half_width_x": half_width_x, "half_width_y": half_width_y}
    return UniformRectangle._checked(sides, pair, pressure, force)


def hertz_rectangle(
    half_width_x: float,
    half_width_y: float,
    pair: Pair | float,
    *,
    pressure: Either = None,
    force: Either = None,
) -> HertzRectangle:
    """Return the pressure p0 sqrt(1 - x^2/a^2) on a rectangle of a half space, as under a roller.

    Parameters
    ----------
    half_width_x, half_width_y, pair, pressure, force
        As in `uniform_rectangle`; the pressure is its peak p0.

    Returns
    -------
    HertzRectangle
        Displacement of the load.

    Raises
    ------
    InputError
        As `uniform_rectangle`.

    Examples
    --------
    >>> load = tr.loads.hertz_rectangle(0.01, 0.02, tr.Pair(tr.STEEL, tr.RIGID), force=1e3)
    >>> print(f"{load.displacement(0.0) * 1e6:.4f} um at the centre")
    0.1813 um at the centre
    """
    sides = {"half_width_x": half_width_x, "half_width_y": half_width_y}
    return HertzRectangle._checked(sides, pair, pressure, force)


def _find_peak(pressure: Either, force: Either, area: float) -> float:
    """The peak pressure; a load may pull, so its sign is free."""
    if checks.exactly_one(pressure=pressure, force=force) == "pressure":
        return checks.finite("pressure", pressure, "Pa")
    return checks.finite("force", force, "N") / area


def _integrate_segment(x: np.ndarray, y: np.ndarray, half: float) -> np.ndarray:
    """Integral of 1/r over |y| < h = `half`, seen from (x, y) off it: ln((r1 + r2 + 2 h)/(r1 + r2 - 2 h)).

    The denominator is a sum of positive numbers, so that no digits are lost near the segment or far away.
    """
    above, below = np.abs(y) + half, np.abs(y) - half
    r_above, r_below = np.hypot(x, above), np.hypot(x, below)
    outside = r_below + np.abs(below)
    inside = x * x / np.where(below < 0.0, outside, 1.0)
    narrow = x * x / (r_above + above) + np.where(below < 0.0, inside, outside)
    return np.log1p(4.0 * half / narrow)


def _integrate_moment(x: np.ndarray, y: np.ndarray, half: float) -> np.ndarray:
    """The product of x and the segment's integral, which vanishes with x."""
    return x * _integrate_segment(np.where(x == 0.0, half, x), y, half)
