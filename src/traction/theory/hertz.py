"""Hertz contact of smooth bodies (Hertz 1882; Johnson, Contact Mechanics, chapters 3 and 4).

Lengths in m, forces in N (line contact: N/m), stresses in Pa; pressure and approach positive in compression.
`pair` is a `tr.Pair`, or its effective modulus E* as a plain number (Pa).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import elliprd, elliprf, lambertw

from traction import checks
from traction.errors import InputError, UndefinedError
from traction.materials import Pair
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, data, figure, number
from traction.theory import inputs

PROFILE = np.linspace(-1.5, 1.5, 121)  #: of a semi-axis: where a pressure is written to files
RATIO_LIMIT = 1e9  #: radii further apart than this are a line contact in double precision

_PUSH = "contact can only push. Give the magnitude, or an approach."
_TOUCH = "bodies at no approach do not touch."
_RADIUS = (
    "it is relative, 1/R = 1/R1 + 1/R2; conforming bodies and saddles have no Hertz contact of this kind."
)


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
        (a, b), x, y = self.semi_axes, inputs.points("x", x), inputs.points("y", y)
        return self.peak_pressure * np.sqrt(np.maximum(0.0, 1.0 - (x / a) ** 2 - (y / b) ** 2))

    def displacement(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Return the combined normal displacement of both surfaces at (`x`, `y`), m (Johnson 3.5).

        Positive into the bodies. Inside the contact it is the approach minus the undeformed gap. By the
        confocal ellipse through (x, y), with squared semi-axes a^2 + w and b^2 + w, the same formula
        holds outside, without cancellation far away.
        """
        (a, b), x, y = self.semi_axes, inputs.points("x", x), inputs.points("y", y)
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
        (a, b), z, nu = self.semi_axes, inputs.depth(z), checks.poisson_ratio("poisson_ratio", poisson_ratio)
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
        return np.zeros(np.broadcast(inputs.points("x", x), inputs.points("y", y)).shape)

    def displacement(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Return zero for all `x` and `y`."""
        return self.pressure(x, y)

    def stress_on_axis(self, z: ArrayLike, poisson_ratio: float) -> AxisStress:
        """Return zero stress at all depths `z`, for any `poisson_ratio`."""
        depth = inputs.depth(z)
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
        inside = np.maximum(0.0, 1.0 - (inputs.points("x", x) / self.half_width) ** 2)
        return self.peak_pressure * np.sqrt(inside) + 0.0 * inputs.points("y", y)

    def stress_on_axis(self, z: ArrayLike, poisson_ratio: float) -> AxisStress:
        """Return the stresses at depth `z` (m) below the centre, in plane strain (Johnson, section 4.2c).

        In the body with this `poisson_ratio`. With s^2 = a^2 + z^2, sz = -p0 a/s and
        sx = -p0 ((a^2 + 2 z^2)/s - 2 z)/a = sz a^2/(s + z)^2.
        """
        a, z, nu = self.half_width, inputs.depth(z), checks.poisson_ratio("poisson_ratio", poisson_ratio)
        s = np.hypot(a, z)
        sz = -self.peak_pressure * a / s
        sx = sz * (a / (s + z)) ** 2
        return AxisStress(z, sx, nu * (sx + sz), sz)

    def _variables(self) -> Iterator[Variable]:
        x = self.half_width * PROFILE
        yield figure("force", self.force, "N/m", "normal force per length")
        yield figure("half_width", self.half_width, "m", "half width")
        yield figure("peak_pressure", self.peak_pressure, "Pa", "peak pressure")
        yield number("mean_pressure", self.mean_pressure, "Pa", "mean pressure")
        yield number("effective_modulus", self.effective_modulus, "Pa", "effective modulus")
        if self.length is not None:
            yield figure("approach", self.approach, "m", "approach")
            yield number("stiffness", self.stiffness, "Pa", "contact stiffness per length")
            yield number("length", self.length, "m", "length of the strip")
        yield axis("x", x, "m", "position along x")
        yield data("pressure", self.pressure(x), "Pa", "pressure", "x")

    def _slenderness(self, quantity: str) -> float:
        if self.length is None:
            raise UndefinedError(
                f"the {quantity} of a line contact is not defined without a reference length: a half plane "
                "under a load has no absolute displacement. Give the length of the strip, as in length=0.1."
            )
        return math.log(2.0 * self.length / self.half_width)


def sphere(
    radius: float, pair: Pair | float, *, force: float | None = None, approach: float | None = None
) -> SphereContact:
    """Return the Hertz contact of a sphere on a plane, or of two spheres.

    Parameters
    ----------
    radius
        Relative radius R, m: 1/R = 1/R1 + 1/R2.
    pair
        Materials, or the effective modulus E*, Pa.
    force
        Normal force F, N. Exactly one of `force` and `approach` is given.
    approach
        Approach delta, m; the contact is empty if it is not positive.

    Returns
    -------
    SphereContact
        Contact radius, approach, force and peak pressure.

    Raises
    ------
    InputError
        If a value is out of range, or not exactly one of force and approach is given.

    Notes
    -----
    a = sqrt(R delta) = (3 F R/(4 E*))^(1/3), p0 = 2 E* a/(pi R) (Hertz 1882; Johnson, section 4.2a).

    Examples
    --------
    >>> c = tr.hertz.sphere(0.02, tr.Pair(tr.STEEL, tr.STEEL), force=50.0)
    >>> print(f"a = {c.radius * 1e3:.3f} mm, p0 = {c.peak_pressure / 1e6:.0f} MPa")
    a = 0.187 mm, p0 = 680 MPa
    """
    R, E = checks.positive("radius", radius, "m", _RADIUS), inputs.modulus(pair)
    if checks.exactly_one(force=force, approach=approach) == "force":
        force = checks.positive("force", force, "N", _PUSH)
        a = math.cbrt(0.75 * force * R / E)
        approach = a * a / R
    else:
        approach = checks.positive("approach", approach, "m", _TOUCH)
        a = math.sqrt(R * approach)
        force = 4.0 / 3.0 * E * a * approach
    return SphereContact((a, a), approach, force, 2.0 * E * a / (math.pi * R), E, inputs.known(pair))


def ellipse(
    radius_x: float,
    radius_y: float,
    pair: Pair | float,
    *,
    force: float | None = None,
    approach: float | None = None,
) -> EllipseContact:
    """Return the elliptical Hertz contact of two smooth bodies.

    Parameters
    ----------
    radius_x, radius_y
        Relative radii Rx and Ry of the gap x^2/(2 Rx) + y^2/(2 Ry), m.
    pair
        Materials, or the effective modulus E*, Pa.
    force
        Normal force F, N. Exactly one of `force` and `approach` is given.
    approach
        Approach delta, m; the contact is empty if it is not positive.

    Returns
    -------
    EllipseContact
        Semi-axes, approach, force and peak pressure.

    Raises
    ------
    InputError
        If a value is out of range, the radii differ by more than a factor 1e9, or not exactly one of force
        and approach is given.

    Notes
    -----
    With Carlson's integrals of k = b/a, D = R_D(0, k^2, 1) and J = R_F(0, 1, k^2) (Johnson, section 4.2b):
    F = pi E* a^3/(Rx D), delta = 3 J a^2/(2 Rx D), p0 = 3 E* a/(2 Rx k D). No curve fits are used.

    Examples
    --------
    >>> c = tr.hertz.ellipse(0.46, 0.30, tr.Pair(tr.STEEL, tr.STEEL), force=80e3)
    >>> print(f"a = {c.semi_axes[0] * 1e3:.2f} mm, b = {c.semi_axes[1] * 1e3:.2f} mm")
    a = 6.68 mm, b = 5.02 mm
    """
    Rx, Ry = (
        checks.positive(n, r, "m", _RADIUS) for n, r in (("radius_x", radius_x), ("radius_y", radius_y))
    )
    E, k = inputs.modulus(pair), axis_ratio(Rx, Ry)
    D, J = float(elliprd(0.0, k * k, 1.0)), float(elliprf(0.0, 1.0, k * k))
    if checks.exactly_one(force=force, approach=approach) == "force":
        force = checks.positive("force", force, "N", _PUSH)
        a = math.cbrt(force * Rx * D / (math.pi * E))
        approach = 1.5 * J * a * a / (Rx * D)
    else:
        approach = checks.positive("approach", approach, "m", _TOUCH)
        a = math.sqrt(approach * Rx * D / (1.5 * J))
        force = math.pi * E * a**3 / (Rx * D)
    return EllipseContact((a, k * a), approach, force, 1.5 * E * a / (Rx * k * D), E, inputs.known(pair))


def line(
    radius: float,
    pair: Pair | float,
    *,
    force: float | None = None,
    approach: float | None = None,
    length: float | None = None,
) -> LineContact:
    """Return the Hertz contact of a cylinder on a plane, in plane strain.

    Parameters
    ----------
    radius
        Relative radius R, m.
    pair
        Materials, or the effective modulus E*, Pa.
    force
        Normal force per length F, N/m. Exactly one of `force` and `approach` is given.
    approach
        Approach delta, m; needs `length`.
    length
        Reference length L of the strip, m: a half plane has no absolute displacement.

    Returns
    -------
    LineContact
        Half width, force and peak pressure; approach and stiffness if `length` is given.

    Raises
    ------
    InputError
        If a value is out of range, the length is missing or shorter than the contact, or not exactly one of
        force and approach is given.

    Notes
    -----
    a = sqrt(4 F R/(pi E*)), p0 = 2 F/(pi a) (Johnson, section 4.2c); delta = a^2/(2 R) (ln(2 L/a) + 1/2) at
    the middle of a strip of length L >> a, which Lambert's W solves for a.

    Examples
    --------
    >>> c = tr.hertz.line(0.46, tr.Pair(tr.STEEL, tr.STEEL), force=5e6)
    >>> print(f"a = {c.half_width * 1e3:.2f} mm, p0 = {c.peak_pressure / 1e6:.0f} MPa")
    a = 5.07 mm, p0 = 628 MPa
    """
    R, E = checks.positive("radius", radius, "m", _RADIUS), inputs.modulus(pair)
    L = None if length is None else checks.positive("length", length, "m")
    if checks.exactly_one(force=force, approach=approach) == "force":
        force = checks.positive("force", force, "N/m", _PUSH)
        a = math.sqrt(4.0 * force * R / (math.pi * E))
        if L is not None and 2.0 * a > L:
            raise InputError(
                f"length = {L} m must be at least the contact width {2.0 * a:.6g} m: give the long side."
            )
    else:
        a = _solve_half_width(R, checks.positive("approach", approach, "m", _TOUCH), L)
        force = math.pi * E * a * a / (4.0 * R)
    return LineContact(a, force, E * a / (2.0 * R), E, L, inputs.known(pair))


def axis_ratio(radius_x: float, radius_y: float) -> float:
    """Return the ratio b/a of the semi-axes of the contact ellipse.

    Parameters
    ----------
    radius_x, radius_y
        Relative radii Rx and Ry, m.

    Returns
    -------
    float
        Root k of R_D(0, k^2, 1)/R_D(0, 1, k^2) = Ry/Rx, found in ln k (Johnson, section 4.2b).

    Raises
    ------
    InputError
        If the radii differ by more than a factor 1e9.

    Examples
    --------
    >>> print(f"{tr.hertz.axis_ratio(0.46, 0.30):.3f}")
    0.752
    """
    ratio = checks.positive("radius_y", radius_y, "m") / checks.positive("radius_x", radius_x, "m")
    if not 1.0 / RATIO_LIMIT <= ratio <= RATIO_LIMIT:
        raise InputError(
            f"radius_y / radius_x = {ratio:.3g} must lie between {1 / RATIO_LIMIT:g} and {RATIO_LIMIT:g}: "
            "use hertz.line for a cylinder."
        )
    goal = math.log(ratio)

    def excess(t: float) -> float:
        squared = math.exp(2.0 * t)
        return math.log(elliprd(0.0, squared, 1.0) / elliprd(0.0, 1.0, squared)) - goal

    # the ellipse is less slender than the curvatures, so |ln k| < |goal|; the margin admits a sphere
    reach = abs(goal) + 0.1
    return math.exp(brentq(excess, -reach, reach, xtol=1e-16, rtol=1e-15))


def radius_ratio(axis_ratio: float) -> float:
    """Return the ratio Ry/Rx of the bodies whose contact ellipse has a given ratio b/a.

    Parameters
    ----------
    axis_ratio
        Ratio b/a of the semi-axes along y and x.

    Returns
    -------
    float
        Ry/Rx; the inverse of `axis_ratio`.

    Raises
    ------
    InputError
        If the ratio is not positive.

    Examples
    --------
    >>> print(f"{tr.hertz.radius_ratio(tr.hertz.axis_ratio(0.46, 0.30)):.3f}, {0.30 / 0.46:.3f}")
    0.652, 0.652
    """
    squared = checks.positive("axis_ratio", axis_ratio, "") ** 2
    return float(elliprd(0.0, squared, 1.0) / elliprd(0.0, 1.0, squared))


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


def _solve_half_width(R: float, approach: float, length: float | None) -> float:
    """Half width of a line contact; R delta/L^2 = -w exp(1 + w) with w = -(2 ln(2 L/a) + 1)."""
    if length is None:
        raise UndefinedError(
            f"approach = {approach} m has no meaning in a line contact without a reference length: "
            "give the length of the strip, as in length=0.1, or give the force."
        )
    limit = length**2 / (8.0 * R) * (math.log(4.0) + 0.5)
    if approach > limit:
        raise InputError(
            f"approach = {approach} m must be at most {limit:.6g} m: beyond it the contact is wider than "
            f"length = {length} m."
        )
    w = float(lambertw(-R * approach / (math.e * length**2), k=-1).real)
    return math.sqrt(-4.0 * R * approach / w)
