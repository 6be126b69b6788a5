"""Hertz contact of smooth bodies (Hertz 1882; Johnson, Contact Mechanics, chapters 3 and 4).

Lengths in m, forces in N (line contact: N/m), stresses in Pa; pressure and approach positive in compression.
`pair` is a `tr.Pair`, or its effective modulus E* as a plain number (Pa).
"""

from __future__ import annotations

import math

from scipy.optimize import brentq
from scipy.special import elliprd, elliprf, lambertw

from traction import checks
from traction.checks import Either
from traction.errors import InputError, UndefinedError
from traction.materials import Pair
from traction.theory.hertz_contacts import (
    AxisStress,
    EllipseContact,
    LineContact,
    NoContact,
    SphereContact,
    confocal,
    find_modulus,
    known_pair,
)

__all__ = [
    "AxisStress",
    "EllipseContact",
    "LineContact",
    "NoContact",
    "SphereContact",
    "axis_ratio",
    "confocal",
    "ellipse",
    "line",
    "radius_ratio",
    "sphere",
]

RATIO_LIMIT = 1e9  #: radii further apart than this are a line contact in double precision
_PUSH = "contact can only push. Give the magnitude, or an approach."
_TOUCH = "bodies at no approach do not touch."
_RADIUS = (
    "it is relative, 1/R = 1/R1 + 1/R2; conforming bodies and saddles have no Hertz contact of this kind."
)


def sphere(
    radius: float, pair: Pair | float, *, force: Either = None, approach: Either = None
) -> SphereContact:
    """Return the Hertz contact of a sphere on a plane, or of two spheres.

    a = sqrt(R delta) = (3 F R/(4 E*))^(1/3), p0 = 2 E* a/(pi R) (Hertz 1882; Johnson, section 4.2a).

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

    Examples
    --------
    >>> c = tr.hertz.sphere(0.02, tr.Pair(tr.STEEL, tr.STEEL), force=50.0)
    >>> print(f"a = {c.radius * 1e3:.3f} mm, p0 = {c.peak_pressure / 1e6:.0f} MPa")
    a = 0.187 mm, p0 = 680 MPa
    """
    R, E = checks.positive("radius", radius, "m", _RADIUS), find_modulus(pair)
    given, load = _check_load(force, approach)
    if given == "force":
        force, a = load, math.cbrt(0.75 * load * R / E)
        approach = a * a / R
    else:
        approach, a = load, math.sqrt(R * load)
        force = 4.0 / 3.0 * E * a * approach
    return SphereContact((a, a), approach, force, 2.0 * E * a / (math.pi * R), E, known_pair(pair))


def ellipse(
    radius_x: float, radius_y: float, pair: Pair | float, *, force: Either = None, approach: Either = None
) -> EllipseContact:
    """Return the elliptical Hertz contact of two smooth bodies.

    With Carlson's integrals of k = b/a, D = R_D(0, k^2, 1) and J = R_F(0, 1, k^2) (Johnson, section 4.2b):
    F = pi E* a^3/(Rx D), delta = 3 J a^2/(2 Rx D), p0 = 3 E* a/(2 Rx k D). No curve fits are used.

    Parameters
    ----------
    radius_x, radius_y
        Relative radii Rx and Ry of the gap x^2/(2 Rx) + y^2/(2 Ry), m.
    pair, force, approach
        As in `sphere`.

    Returns
    -------
    EllipseContact
        Semi-axes, approach, force and peak pressure.

    Raises
    ------
    InputError
        As `sphere`, or if the radii differ by more than a factor 1e9.

    Examples
    --------
    >>> c = tr.hertz.ellipse(0.46, 0.30, tr.Pair(tr.STEEL, tr.STEEL), force=80e3)
    >>> print(f"a = {c.semi_axes[0] * 1e3:.2f} mm, b = {c.semi_axes[1] * 1e3:.2f} mm")
    a = 6.68 mm, b = 5.02 mm
    """
    Rx = checks.positive("radius_x", radius_x, "m", _RADIUS)
    Ry = checks.positive("radius_y", radius_y, "m", _RADIUS)
    E, k = find_modulus(pair), axis_ratio(Rx, Ry)
    D, J = float(elliprd(0.0, k * k, 1.0)), float(elliprf(0.0, 1.0, k * k))
    given, load = _check_load(force, approach)
    if given == "force":
        force, a = load, math.cbrt(load * Rx * D / (math.pi * E))
        approach = 1.5 * J * a * a / (Rx * D)
    else:
        approach, a = load, math.sqrt(load * Rx * D / (1.5 * J))
        force = math.pi * E * a**3 / (Rx * D)
    return EllipseContact((a, k * a), approach, force, 1.5 * E * a / (Rx * k * D), E, known_pair(pair))


def line(
    radius: float,
    pair: Pair | float,
    *,
    force: Either = None,
    approach: Either = None,
    length: float | None = None,
) -> LineContact:
    """Return the Hertz contact of a cylinder on a plane, in plane strain.

    a = sqrt(4 F R/(pi E*)), p0 = 2 F/(pi a) (Johnson, section 4.2c); delta = a^2/(2 R) (ln(2 L/a) + 1/2) at
    the middle of a strip of length L >> a, which Lambert's W solves for a.

    Parameters
    ----------
    radius, pair
        As in `sphere`.
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
        As `sphere`, or if the length is missing or shorter than the contact.

    Examples
    --------
    >>> c = tr.hertz.line(0.46, tr.Pair(tr.STEEL, tr.STEEL), force=5e6)
    >>> print(f"a = {c.half_width * 1e3:.2f} mm")
    a = 5.07 mm
    """
    R, E = checks.positive("radius", radius, "m", _RADIUS), find_modulus(pair)
    L = None if length is None else checks.positive("length", length, "m")
    given, load = _check_load(force, approach, "N/m")
    if given == "force":
        force, a = load, math.sqrt(4.0 * load * R / (math.pi * E))
        if L is not None and 2.0 * a > L:
            raise InputError(
                f"length = {L} m must be at least the contact width {2.0 * a:.6g} m: give the long side."
            )
    else:
        a = _solve_half_width(R, load, L)
        force = math.pi * E * a * a / (4.0 * R)
    return LineContact(a, force, E * a / (2.0 * R), E, L, known_pair(pair))


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


def _check_load(force: Either, approach: Either, unit: str = "N") -> tuple[str, float]:
    """Which of the two is given, and its value."""
    if checks.exactly_one(force=force, approach=approach) == "force":
        return "force", checks.positive("force", force, unit, _PUSH)
    return "approach", checks.positive("approach", approach, "m", _TOUCH)


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
