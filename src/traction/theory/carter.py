"""Steady rolling of a cylinder along its plane (Carter 1926, Fromm 1927; Johnson 8.3), alike bodies."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.checks import Either
from traction.errors import InputError
from traction.outputs.variable import Variable, figure
from traction.theory.hertz_contacts import LineContact, StickStrip


@dataclass(frozen=True, repr=False)
class CarterContact(StickStrip):
    """Cylinder rolling along +x with the tangential force Q on body 1; forces per metre."""

    half_width: float  #: a, m
    stick_half_width: float  #: a', m; the strip that sticks extends to the leading edge
    creepage: float  #: longitudinal creepage xi
    force: float  #: Q, N/m
    bound: float  #: mu p0, Pa

    def traction(self, x: ArrayLike) -> np.ndarray:
        """Return the traction p_x at `x` (m), leading edge at +a, Pa."""
        a, c, x = self.half_width, self.stick_half_width, checks.finite_points("x", x)
        outer = np.sqrt(np.maximum(0.0, 1.0 - (x / a) ** 2))
        inner = np.zeros_like(outer)
        if c > 0.0:
            inner = c / a * np.sqrt(np.maximum(0.0, 1.0 - ((x - (a - c)) / c) ** 2))
        return np.asarray(math.copysign(self.bound, self.force) * (outer - inner))

    def _variables(self) -> Iterator[Variable]:
        yield figure("force", self.force, "N/m", "tangential force per length")
        yield figure("creepage", self.creepage, "1", "creepage")
        yield from self._stick_variables()


def line(
    hertz: LineContact, radius: float, friction: float, *, creepage: Either = None, force: Either = None
) -> CarterContact:
    """Return the steady rolling contact of a cylinder on a plane (Carter).

    xi = -mu a/R (1 - sqrt(1 - Q/(mu P))) for bodies of one material; the leading strip of half width
    a' = a sqrt(1 - Q/(mu P)) sticks (Carter 1926, Fromm 1927; Johnson, section 8.3).

    Parameters
    ----------
    hertz
        Normal contact, from `tr.hertz.line`.
    radius
        Relative radius R, m.
    friction
        Coefficient of friction mu.
    creepage
        Longitudinal creepage xi. Exactly one of `creepage` and `force` is given.
    force
        Tangential force per length Q on body 1, N/m.

    Returns
    -------
    CarterContact
        Creepage, force, stick area and tractions.

    Raises
    ------
    InputError
        If the force exceeds mu P, or not exactly one of creepage and force is given.

    Examples
    --------
    >>> n = tr.hertz.line(0.46, tr.Pair(tr.STEEL, tr.STEEL), force=5e6)
    >>> c = tr.carter.line(n, 0.46, 0.3, creepage=-1e-3)
    >>> print(f"Q = {c.force / 1e3:.0f} kN/m, a'/a = {c.stick_half_width / c.half_width:.2f}")
    Q = 770 kN/m, a'/a = 0.70
    """
    checks.instance("hertz", hertz, LineContact, "give the result of tr.hertz.line.")
    mu = checks.positive("friction", friction)
    R = checks.positive("radius", radius, "m")
    a, limit = hertz.semi_axes[0], mu * hertz.force
    full = mu * a / R  # creepage at which all slips
    if checks.exactly_one(creepage=creepage, force=force) == "creepage":
        xi = checks.finite("creepage", creepage)
        stick = a * max(0.0, 1.0 - abs(xi) / full)
        pull = -math.copysign(limit * (1.0 - (stick / a) ** 2), xi)
    else:
        pull = checks.finite("force", force, "N/m")
        if abs(pull) > limit:
            raise InputError(f"force = {pull} N/m must be at most mu P = {limit:.6g} N/m.")
        stick = a * math.sqrt(1.0 - abs(pull) / limit)
        xi = -math.copysign(full * (1.0 - stick / a), pull)
    return CarterContact(a, stick, xi, pull, mu * hertz.peak_pressure)
