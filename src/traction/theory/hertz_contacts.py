"""Results of `hertz`: pressures, displacements and stresses of elliptical contacts and of line contacts."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import elliprd, elliprf

from traction import checks
from traction.errors import InputError, UndefinedError
from traction.materials import Pair
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, data, figure, number

PROFILE = np.linspace(-1.5, 1.5, 121)  #: of a semi-axis: where a pressure is written to files


@dataclass(frozen=True, repr=False)
class AxisStress(Result):
    """Principal stresses on the axis below the centre of a load, Pa, tension positive."""

    _rows, _drawn = ("point",), "von_mises"

    z: np.ndarray  #: depth below the surface, m
    sigma_x: np.ndarray  #: stress along x, Pa
    sigma_y: np.ndarray  #: stress along y, Pa
    sigma_z: np.ndarray  #: stress along z, Pa

    @property
    def max_shear(self) -> np.ndarray:
        """Largest shear stress, half the difference of the extreme principal stresses (Tresca), Pa."""
        stresses = np.stack([self.sigma_x, self.sigma_y, self.sigma_z])
        return 0.5 * (stresses.max(axis=0) - stresses.min(axis=0))

    @property
    def von_mises(self) -> np.ndarray:
        """Equivalent stress sqrt(((sx - sy)^2 + (sy - sz)^2 + (sz - sx)^2) / 2), Pa."""
        sx, sy, sz = self.sigma_x, self.sigma_y, self.sigma_z
        return np.sqrt(0.5 * ((sx - sy) ** 2 + (sy - sz) ** 2 + (sz - sx) ** 2))

    def _variables(self) -> Iterator[Variable]:
        mises = np.ravel(self.von_mises)
        yield figure("peak_von_mises", float(mises.max()), "Pa", "largest von Mises stress")
        yield figure("peak_depth", float(np.ravel(self.z)[mises.argmax()]), "m", "at depth")
        yield data("z", np.ravel(self.z), "m", "depth", "point")
        for k in "xyz":
            stress = np.ravel(getattr(self, f"sigma_{k}"))
            yield data(f"sigma_{k}", stress, "Pa", f"normal stress along {k}", "point")
        yield data("max_shear", np.ravel(self.max_shear), "Pa", "largest shear stress (Tresca)", "point")
        yield data("von_mises", mises, "Pa", "von Mises stress", "point")


@dataclass(frozen=True, repr=False)
class EllipseContact(Result):
    """Elliptical Hertz contact with pressure p0 sqrt(1 - x^2/a^2 - y^2/b^2)."""

    _drawn = "pressure"

    semi_axes: tuple[float, float]  #: (a, b) along x and y, m
    approach: float  #: delta, of distant points of the bodies, m
    force: float  #: F = 2/3 pi a b p0, N
    peak_pressure: float  #: p0, Pa
    effective_modulus: float  #: E*, Pa
    pair: Pair | None = None  #: the materials, if given

    @property
    def mean_pressure(self) -> float:
        """Mean pressure F / (pi a b) = 2/3 p0, Pa."""
        return self.peak_pressure * 2.0 / 3.0

    @property
    def stiffness(self) -> float:
        """dF/d(approach) = 3/2 F/delta, N/m, since F grows as delta^(3/2)."""
        return 1.5 * self.force / self.approach

    def pressure(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Return p0 sqrt(1 - x^2/a^2 - y^2/b^2) at (`x`, `y`), m, inside the contact and 0 outside, Pa."""
        (a, b), x, y = self.semi_axes, checks.finite_points("x", x), checks.finite_points("y", y)
        return self.peak_pressure * np.sqrt(np.maximum(0.0, 1.0 - (x / a) ** 2 - (y / b) ** 2))

    def displacement(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Return the combined normal displacement of both surfaces at (`x`, `y`), m (Johnson 3.5).

        Positive into the bodies. Inside the contact it is the approach minus the undeformed gap. By the
        confocal ellipse through (x, y), with squared semi-axes a^2 + w and b^2 + w, the same formula
        holds outside, without cancellation far away.
        """
        (a, b), x, y = self.semi_axes, checks.finite_points("x", x), checks.finite_points("y", y)
        w = confocal(x, y, a, b)
        wa, wb = a * a + w, b * b + w
        curved = x * x * elliprd(w, wb, wa) + y * y * elliprd(w, wa, wb)
        return self.peak_pressure * a * b / self.effective_modulus * (elliprf(w, wa, wb) - curved / 3.0)

    def stress_on_axis(self, z: ArrayLike, poisson_ratio: float) -> AxisStress:
        """Return the stresses at depth `z` (m) below the centre, in the body with this `poisson_ratio`.

        Derived from Boussinesq's potentials (Johnson 3.2) with the potential of a homoeoid; on a circle they
        are Johnson 3.45. With A^2 = a^2 + z^2, B^2 = b^2 + z^2 and Carlson's R_D,
        sz = -p0 a b/(A B), sx = p0 a b (2/3 z (Dx + nu Dy) - 2 nu/(A B) - (1 - 2 nu)/(A (A + B))).
        """
        (a, b), z, nu = self.semi_axes, check_depth(z), checks.poisson_ratio("poisson_ratio", poisson_ratio)
        wa, wb = np.hypot(a, z), np.hypot(b, z)
        dx = z / 1.5 * elliprd(z**2, wb**2, wa**2)
        dy = z / 1.5 * elliprd(z**2, wa**2, wb**2)
        scale, common = self.peak_pressure * a * b, 2.0 * nu / (wa * wb)
        sx = scale * (dx + nu * dy - common - (1.0 - 2.0 * nu) / (wa * (wa + wb)))
        sy = scale * (dy + nu * dx - common - (1.0 - 2.0 * nu) / (wb * (wa + wb)))
        return AxisStress(z, sx, sy, -scale / (wa * wb))

    def _variables(self) -> Iterator[Variable]:
        a, b = self.semi_axes
        yield figure("force", self.force, "N", "normal force")
        yield figure("approach", self.approach, "m", "approach")
        yield figure("semi_axis_x", a, "m", "semi-axis along x")
        yield figure("semi_axis_y", b, "m", "semi-axis along y")
        yield figure("peak_pressure", self.peak_pressure, "Pa", "peak pressure")
        yield number("mean_pressure", self.mean_pressure, "Pa", "mean pressure")
        yield number("stiffness", self.stiffness, "N/m", "contact stiffness")
        yield number("effective_modulus", self.effective_modulus, "Pa", "effective modulus")
        yield axis("x", a * PROFILE, "m", "position along x")
        yield data("pressure", self.pressure(a * PROFILE), "Pa", "pressure at y = 0", "x")


@dataclass(frozen=True, repr=False)
class NoContact(EllipseContact):
    """Separated bodies, at zero or negative approach: no contact area, no force, no pressure."""

    @classmethod
    def of(cls, contact: EllipseContact, approach: float) -> NoContact:
        """Return the bodies of `contact` at an `approach` (m) at which they do not touch."""
        return cls((0.0, 0.0), approach, 0.0, 0.0, contact.effective_modulus, contact.pair)

    @property
    def stiffness(self) -> float:
        """Zero, N/m."""
        return 0.0

    def pressure(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Return zero for all `x` and `y`."""
        return np.zeros(np.broadcast(checks.finite_points("x", x), checks.finite_points("y", y)).shape)

    def displacement(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Return zero for all `x` and `y`."""
        return self.pressure(x, y)

    def stress_on_axis(self, z: ArrayLike, poisson_ratio: float) -> AxisStress:
        """Return zero stress at all depths `z`, for any `poisson_ratio`."""
        depth = check_depth(z)
        nothing = np.zeros(depth.shape)
        checks.poisson_ratio("poisson_ratio", poisson_ratio)
        return AxisStress(depth, nothing, nothing, nothing)


@dataclass(frozen=True, repr=False)
class SphereContact(EllipseContact):
    """Circular Hertz contact with p(r) = p0 sqrt(1 - r^2/a^2); the methods take r, or x and y."""

    @property
    def radius(self) -> float:
        """Contact radius a, m."""
        return self.semi_axes[0]


def along_strip(
    x: np.ndarray, values: Callable[[np.ndarray], np.ndarray], name: str, unit: str, words: str
) -> Iterator[Variable]:
    """A quantity of a strip over its width: `values` at the places x (m)."""
    yield axis("x", x, "m", "position along x")
    yield data(name, values(x), unit, words, "x")


@dataclass(frozen=True, repr=False)
class LineContact(Result):
    """Hertz contact of an infinite strip, p0 sqrt(1 - x^2/a^2); plane strain, forces per metre."""

    _drawn = "pressure"

    half_width: float  #: a, m
    force: float  #: F, N/m
    peak_pressure: float  #: p0 = 2 F/(pi a), Pa
    effective_modulus: float  #: E*, Pa
    length: float | None = None  #: reference length L of the strip, m
    pair: Pair | None = None  #: the materials, if given

    @property
    def semi_axes(self) -> tuple[float, float]:
        """Semi-axes (a, infinity), m."""
        return self.half_width, math.inf

    @property
    def mean_pressure(self) -> float:
        """Mean pressure F/(2 a) = pi/4 p0, Pa."""
        return self.peak_pressure * math.pi / 4.0

    @property
    def approach(self) -> float:
        """Approach delta = 2 F/(pi E*) (ln(2 L/a) + 1/2), m, at the middle of a strip of length L >> a."""
        slenderness = self._slenderness("approach")
        return 2.0 * self.force / (math.pi * self.effective_modulus) * (slenderness + 0.5)

    @property
    def stiffness(self) -> float:
        """Stiffness dF/d(approach) = pi E*/(2 ln(2 L/a)), N/m per metre."""
        return math.pi * self.effective_modulus / (2.0 * self._slenderness("stiffness"))

    def pressure(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Return p0 sqrt(1 - x^2/a^2) at `x` (m) inside the contact and 0 outside, Pa, for every `y`."""
        inside = np.maximum(0.0, 1.0 - (checks.finite_points("x", x) / self.half_width) ** 2)
        return self.peak_pressure * np.sqrt(inside) + 0.0 * checks.finite_points("y", y)

    def stress_on_axis(self, z: ArrayLike, poisson_ratio: float) -> AxisStress:
        """Return the stresses at depth `z` (m) below the centre, in plane strain (Johnson, section 4.2c).

        In the body with this `poisson_ratio`. With s^2 = a^2 + z^2, sz = -p0 a/s and
        sx = -p0 ((a^2 + 2 z^2)/s - 2 z)/a = sz a^2/(s + z)^2.
        """
        a, z, nu = self.half_width, check_depth(z), checks.poisson_ratio("poisson_ratio", poisson_ratio)
        s = np.hypot(a, z)
        sz = -self.peak_pressure * a / s
        sx = sz * (a / (s + z)) ** 2
        return AxisStress(z, sx, nu * (sx + sz), sz)

    def _variables(self) -> Iterator[Variable]:
        a = self.half_width
        yield figure("force", self.force, "N/m", "normal force per length")
        yield figure("half_width", a, "m", "half width")
        yield figure("peak_pressure", self.peak_pressure, "Pa", "peak pressure")
        yield number("mean_pressure", self.mean_pressure, "Pa", "mean pressure")
        yield number("effective_modulus", self.effective_modulus, "Pa", "effective modulus")
        if self.length is not None:
            yield figure("approach", self.approach, "m", "approach")
            yield number("stiffness", self.stiffness, "Pa", "contact stiffness per length")
            yield number("length", self.length, "m", "length of the strip")
        yield from along_strip(a * PROFILE, self.pressure, "pressure", "Pa", "pressure")

    def _slenderness(self, quantity: str) -> float:
        if self.length is None:
            raise UndefinedError(
                f"the {quantity} of a line contact is not defined without a reference length: a half plane "
                "under a load has no absolute displacement. Give the length of the strip, as in length=0.1."
            )
        return math.log(2.0 * self.length / self.half_width)


def confocal(x: np.ndarray, y: np.ndarray, a: float, b: float) -> np.ndarray:
    """Return the confocal coordinate of points outside an ellipse.

    Parameters
    ----------
    x, y
        Points, m.
    a, b
        Semi-axes, m.

    Returns
    -------
    ndarray
        w >= 0 with x^2/(a^2 + w) + y^2/(b^2 + w) = 1 outside the ellipse, 0 inside, m2.

    Raises
    ------
    InputError
        If points are not finite, or semi-axes not positive.

    Examples
    --------
    >>> print(tr.hertz.confocal(np.array([2.0]), np.array([0.0]), 1.0, 1.0))
    [3.]
    """
    x, y = checks.finite_points("x", x), checks.finite_points("y", y)
    a, b = checks.positive("a", a, "m"), checks.positive("b", b, "m")
    half = 0.5 * (x * x + y * y - a * a - b * b)
    product = np.maximum(0.0, (b * (x - a)) * (b * (x + a)) + (a * y) ** 2)
    root = np.sqrt(half * half + product)
    # the two forms of the same root; each adds numbers of one sign only
    return np.where(half > 0.0, half + root, product / (root + np.abs(half) + np.finfo(float).tiny))


class StickStrip(Result):
    """A line contact of which a strip sticks; lengths in m, the bound mu p0 in Pa."""

    _drawn = "traction"

    half_width: float
    stick_half_width: float
    bound: float

    @abstractmethod
    def traction(self, x: ArrayLike) -> np.ndarray:
        """Return the traction at `x` (m) from the centre, Pa."""

    def _stick_variables(self) -> Iterator[Variable]:
        yield figure("half_width", self.half_width, "m", "half width")
        yield figure("stick_half_width", self.stick_half_width, "m", "half width that sticks")
        yield number("bound", self.bound, "Pa", "traction bound at the middle")
        x = self.half_width * PROFILE
        yield from along_strip(x, self.traction, "traction", "Pa", "tangential traction")


def find_modulus(pair: Pair | float) -> float:
    """E* of a pair of bodies, or of a plain number."""
    if isinstance(pair, Pair):
        return pair.effective_modulus
    return checks.positive("pair", pair, "Pa", "give a tr.Pair, or its effective modulus E*.")


def known_pair(pair: Pair | float) -> Pair | None:
    """The pair, if it is one and not a plain number."""
    return pair if isinstance(pair, Pair) else None


def check_depth(z: ArrayLike) -> np.ndarray:
    """Depths below the surface, m."""
    array = checks.finite_points("z", z)
    if array.size and array.min() < 0.0:
        raise InputError(f"z = {array.min()} m must not be negative: it is the depth below the surface.")
    return array
