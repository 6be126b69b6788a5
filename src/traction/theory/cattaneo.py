"""Tangential loading of a sphere or a cylinder without rolling (Cattaneo 1938, Mindlin 1949; Johnson 7.2).

The tractions are mu times Hertz's pressure, minus mu times that of a smaller contact, which sticks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.materials import Pair
from traction.outputs.result import Result
from traction.outputs.variable import Variable, axis, data, figure, number
from traction.theory.hertz_contacts import PROFILE, LineContact, SphereContact, StickStrip


@dataclass(frozen=True, repr=False)
class CattaneoContact(Result):
    """Circular contact of radius a that sticks inside the radius c; the force acts along x."""

    _drawn = "traction"

    radius: float  #: a, m
    stick_radius: float  #: c = a (1 - Q/(mu P))^(1/3), m
    shift: float  #: displacement of distant points against each other, m
    force: float  #: Q, N
    bound: float  #: mu p0, Pa

    def traction(self, r: ArrayLike) -> np.ndarray:
        """Return the traction along the force at the distance `r` (m) from the centre, Pa."""
        return self.bound * _share_of_bound(checks.finite_points("r", r), self.radius, self.stick_radius)

    def _variables(self) -> Iterator[Variable]:
        r = self.radius * PROFILE[PROFILE >= 0.0]
        yield figure("force", self.force, "N", "tangential force")
        yield figure("shift", self.shift, "m", "displacement of distant points")
        yield figure("radius", self.radius, "m", "contact radius")
        yield figure("stick_radius", self.stick_radius, "m", "radius that sticks")
        yield number("bound", self.bound, "Pa", "traction bound at the middle")
        yield axis("r", r, "m", "distance from the middle")
        yield data("traction", self.traction(r), "Pa", "tangential traction", "r")


@dataclass(frozen=True, repr=False)
class CattaneoStrip(StickStrip):
    """Line contact of half width a that sticks within the half width c; forces per metre."""

    half_width: float  #: a, m
    stick_half_width: float  #: c = a sqrt(1 - Q/(mu P)), m
    force: float  #: Q, N/m
    bound: float  #: mu p0, Pa

    def traction(self, x: ArrayLike) -> np.ndarray:
        """Return the traction along the force at `x` (m) from the centre, Pa."""
        return self.bound * _share_of_bound(
            checks.finite_points("x", x), self.half_width, self.stick_half_width
        )

    def _variables(self) -> Iterator[Variable]:
        yield figure("force", self.force, "N/m", "tangential force per length")
        yield from self._stick_variables()


def _share_of_bound(r: np.ndarray, a: float, c: float) -> np.ndarray:
    """Sum of two ellipses (Cattaneo): full slip within a, minus the correction that makes |x| < c stick."""
    outer = np.sqrt(np.maximum(0.0, 1.0 - (r / a) ** 2))
    inner = c / a * np.sqrt(np.maximum(0.0, 1.0 - (r / c) ** 2)) if c > 0.0 else 0.0
    return np.asarray(outer - inner)


def sphere(hertz: SphereContact, friction: float, force: float) -> CattaneoContact:
    """Return the tractions of a sphere that is pressed and then pulled tangentially.

    c = a (1 - Q/(mu P))^(1/3) (Cattaneo 1938, Mindlin 1949; Johnson, section 7.2).

    Parameters
    ----------
    hertz
        Normal contact, from `tr.hertz.sphere` with a `tr.Pair` of bodies of one material.
    friction
        Coefficient of friction mu.
    force
        Tangential force Q, N, below mu P.

    Returns
    -------
    CattaneoContact
        Stick radius, tangential shift and tractions.

    Raises
    ------
    InputError
        If the force is negative or reaches mu P.

    Examples
    --------
    >>> n = tr.hertz.sphere(0.02, tr.Pair(tr.STEEL, tr.STEEL), force=50.0)
    >>> c = tr.cattaneo.sphere(n, 0.3, force=7.5)
    >>> print(f"c/a = {c.stick_radius / c.radius:.3f}")
    c/a = 0.794
    """
    mu, share = _find_share(SphereContact, "sphere", hertz, friction, force)
    pair = checks.instance("hertz.pair", hertz.pair, Pair, "give Hertz a tr.Pair, not a number.")
    stick = hertz.radius * (1.0 - share) ** (1.0 / 3.0)
    # both bodies together: 3 mu P (2 - nu)/(16 a G) with the combined constants, for each half of 1/G
    compliance = (
        3.0 * mu * hertz.force * (2.0 - pair.poisson_ratio) / (8.0 * hertz.radius * pair.shear_modulus)
    )
    shift = compliance * (1.0 - (stick / hertz.radius) ** 2)
    return CattaneoContact(hertz.radius, stick, shift, force, mu * hertz.peak_pressure)


def line(hertz: LineContact, friction: float, force: float) -> CattaneoStrip:
    """Return the tractions of a cylinder that is pressed and then pulled along its direction of curvature.

    c = a sqrt(1 - Q/(mu P)) (Cattaneo 1938; Johnson, section 7.2).

    Parameters
    ----------
    hertz
        Normal contact, from `tr.hertz.line`.
    friction, force
        As in `sphere`; Q per length, N/m.

    Returns
    -------
    CattaneoStrip
        Half width of the stick area and tractions.

    Raises
    ------
    InputError
        As `sphere`.

    Examples
    --------
    >>> c = tr.cattaneo.line(tr.hertz.line(0.46, tr.Pair(tr.STEEL, tr.STEEL), force=5e6), 0.3, force=0.75e6)
    >>> print(f"c/a = {c.stick_half_width / c.half_width:.3f}")
    c/a = 0.707
    """
    mu, share = _find_share(LineContact, "line", hertz, friction, force)
    a = hertz.semi_axes[0]
    return CattaneoStrip(a, a * float(np.sqrt(1.0 - share)), force, mu * hertz.peak_pressure)


def _find_share(
    kind: type[SphereContact | LineContact], maker: str, hertz: object, friction: float, force: float
) -> tuple[float, float]:
    """mu, and Q/(mu P), below 1, of a contact of a `kind` that this function of `tr.hertz` makes."""
    contact = checks.instance("hertz", hertz, kind, f"give the result of tr.hertz.{maker}.")
    mu = checks.positive("friction", friction)
    pull = checks.at_least("force", force, 0.0, "N", "give its size; the traction has its direction.")
    limit = mu * contact.force
    if pull >= limit:
        raise InputError(f"force = {pull} must be below mu P = {limit:.6g}, above which the bodies slide.")
    return mu, pull / limit
