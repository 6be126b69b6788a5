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
    """Principal stresses below the middle of a load, Pa, tension positive."""

    _rows, _drawn = ("point",), "von_mises"

    z: np.ndarray  #: depth, m
    sigma_x: np.ndarray
    sigma_y: np.ndarray
    sigma_z: np.ndarray

    @property
    def max_shear(self) -> np.ndarray:
        """Half the difference of the largest and the smallest principal stress (Tresca)."""
        stresses = np.stack([self.sigma_x, self.sigma_y, self.sigma_z])
        return 0.5 * (stresses.max(axis=0) - stresses.min(axis=0))

    @property
    def von_mises(self) -> np.ndarray:
        """sqrt(((sx - sy)^2 + (sy - sz)^2 + (sz - sx)^2) / 2)."""
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
    """Contact over an ellipse with the pressure p0 sqrt(1 - x^2/a^2 - y^2/b^2)."""

    _drawn = "pressure"

    semi_axes: tuple[float, float]  #: (a, b) along x and y
    approach: float  #: delta, of distant points of the bodies
    force: float  #: F = 2/3 pi a b p0
    peak_pressure: float  #: p0
    effective_modulus: float  #: E*
    pair: Pair | None = None

    @property
    def mean_pressure(self) -> float:
        """F / (pi a b) = 2/3 p0."""
        return self.peak_pressure * 2.0 / 3.0

    @property
    def stiffness(self) -> float:
        """dF/d(approach) = 3/2 F/delta, N/m, since F grows as delta^(3/2)."""
        return 1.5 * self.force / self.approach

    def pressure(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """p0 sqrt(1 - x^2/a^2 - y^2/b^2) inside the contact, 0 outside."""
        (a, b), x, y = self.semi_axes, inputs.points("x", x), inputs.points("y", y)
        return self.peak_pressure * np.sqrt(np.maximum(0.0, 1.0 - (x / a) ** 2 - (y / b) ** 2))

    def displacement(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Combined normal displacement u1 + u2 of the surfaces, m, into the bodies (Johnson 3.5).

        Inside it is the approach less the undeformed gap. By the confocal ellipse through (x, y), with
        squared semi-axes a^2 + w and b^2 + w, the same formula holds outside, and does not cancel far away.
        """
        (a, b), x, y = self.semi_axes, inputs.points("x", x), inputs.points("y", y)
        w = confocal(x, y, a, b)
        wa, wb = a * a + w, b * b + w
        curved = x * x * elliprd(w, wb, wa) + y * y * elliprd(w, wa, wb)
        return self.peak_pressure * a * b / self.effective_modulus * (elliprf(w, wa, wb) - curved / 3.0)

    def stress_on_axis(self, z: ArrayLike, poisson_ratio: float) -> AxisStress:
        """Stresses at depth z (m) below the middle, in the body with this Poisson ratio.

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
    """Bodies apart, of a zero or negative approach: an ellipse of no size without force and pressure."""

    @classmethod
    def of(cls, contact: EllipseContact, approach: float) -> NoContact:
        """The bodies of a contact at an approach (m) at which they do not touch."""
        return cls((0.0, 0.0), approach, 0.0, 0.0, contact.effective_modulus, contact.pair)

    @property
    def stiffness(self) -> float:
        """Zero, N/m."""
        return 0.0

    def pressure(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Zero everywhere."""
        return np.zeros(np.broadcast(inputs.points("x", x), inputs.points("y", y)).shape)

    def displacement(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Zero everywhere."""
        return self.pressure(x, y)

    def stress_on_axis(self, z: ArrayLike, poisson_ratio: float) -> AxisStress:
        """Zero everywhere."""
        depth = inputs.depth(z)
        nothing = np.zeros(depth.shape)
        checks.poisson_ratio("poisson_ratio", poisson_ratio)
        return AxisStress(depth, nothing, nothing, nothing)


@dataclass(frozen=True, repr=False)
class SphereContact(EllipseContact):
    """Contact over a circle: p(r) = p0 sqrt(1 - r^2/a^2); the methods take r, or x and y."""

    @property
    def radius(self) -> float:
        """Contact radius a."""
        return self.semi_axes[0]


@dataclass(frozen=True, repr=False)
class LineContact(Result):
    """Contact over an endless strip with the pressure p0 sqrt(1 - x^2/a^2); plane strain, force per metre."""

    _drawn = "pressure"

    half_width: float  #: a
    force: float  #: F, N/m
    peak_pressure: float  #: p0 = 2 F/(pi a)
    effective_modulus: float  #: E*
    length: float | None = None  #: L, of the strip whose approach is meant
    pair: Pair | None = None

    @property
    def semi_axes(self) -> tuple[float, float]:
        """(a, infinity)."""
        return self.half_width, math.inf

    @property
    def mean_pressure(self) -> float:
        """F/(2 a) = pi/4 p0."""
        return self.peak_pressure * math.pi / 4.0

    @property
    def approach(self) -> float:
        """The approach delta = 2 F/(pi E*) (ln(2 L/a) + 1/2), at the middle of a strip of length L >> a."""
        slenderness = self._slenderness("approach")
        return 2.0 * self.force / (math.pi * self.effective_modulus) * (slenderness + 0.5)

    @property
    def stiffness(self) -> float:
        """dF/d(approach) = pi E*/(2 ln(2 L/a)), N/m per metre."""
        return math.pi * self.effective_modulus / (2.0 * self._slenderness("stiffness"))

    def pressure(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """p0 sqrt(1 - x^2/a^2) inside the contact, 0 outside, at every y."""
        inside = np.maximum(0.0, 1.0 - (inputs.points("x", x) / self.half_width) ** 2)
        return self.peak_pressure * np.sqrt(inside) + 0.0 * inputs.points("y", y)

    def stress_on_axis(self, z: ArrayLike, poisson_ratio: float) -> AxisStress:
        """Stresses at depth z (m) below the middle, in plane strain (Johnson, section 4.2c).

        With s^2 = a^2 + z^2, sz = -p0 a/s and sx = -p0 ((a^2 + 2 z^2)/s - 2 z)/a = sz a^2/(s + z)^2.
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
    """Sphere of relative radius R (m) under `force` F (N) or `approach` delta (m) (Johnson 4.2a).

    a = sqrt(R delta) = (3 F R/(4 E*))^(1/3), p0 = 2 E* a/(pi R).
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
    """Bodies with the gap x^2/(2 Rx) + y^2/(2 Ry) under `force` F (N) or `approach` delta (m) (Johnson 4.2b).

    With Carlson's integrals of k = b/a, D = R_D(0, k^2, 1) and J = R_F(0, 1, k^2):
    F = pi E* a^3/(Rx D), delta = 3 J a^2/(2 Rx D), p0 = 3 E* a/(2 Rx k D); no curve fits.
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
    """Cylinder of relative radius R (m) under `force` F (N/m) or `approach` delta (m) (Johnson 4.2c).

    a = sqrt(4 F R/(pi E*)), p0 = 2 F/(pi a). The approach exists only for a strip of a given `length` L >> a:
    delta = a^2/(2 R) (ln(2 L/a) + 1/2), which Lambert's W solves for a.
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
    """b/a of the contact ellipse: the root of R_D(0, k^2, 1)/R_D(0, 1, k^2) = Ry/Rx, found in ln k."""
    ratio = radius_y / radius_x
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
    """Ry/Rx of the bodies whose contact ellipse has b/a = `axis_ratio`: the other way round."""
    squared = checks.positive("axis_ratio", axis_ratio, "") ** 2
    return float(elliprd(0.0, squared, 1.0) / elliprd(0.0, 1.0, squared))


def confocal(x: np.ndarray, y: np.ndarray, a: float, b: float) -> np.ndarray:
    """The w >= 0 with x^2/(a^2 + w) + y^2/(b^2 + w) = 1 outside the ellipse, 0 inside."""
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
