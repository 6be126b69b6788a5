"""Polach's formula: creep forces of an elliptical contact in closed form (Polach 1999, 2005).

The tangential stress grows linearly from the leading edge of an ellipsoid of stresses up to the bound. With
the creepage s = |(xi, eta)|, the semi-axes a and b, G, mu and the load N,

    eps = G pi a b C s_c/(4 mu N),   C = sqrt((C11 xi)^2 + (C22 eta)^2)/s
    F = (2 mu N/pi) (k_A eps/(1 + (k_A eps)^2) + arctan(k_S eps))
    F_x = -F xi/s_c,  F_y = -F eta/s_c + F_s

Spin adds to the lateral creepage, eta_c = eta + a phi where that is the larger one, s_c = |(xi, eta_c)|, and

    F_s = (9/16) a mu N K B phi/s_c,   B = 1 + 6.3 (1 - exp(-a/b))
    K = |e| (d^3/3 - d^2/2 + 1/6) - sqrt((1 - d^2)^3)/3,   d = (e^2 - 1)/(e^2 + 1)
    e = (8/3) G b sqrt(a b) C23 eta_c/(mu N B)

k_A = k_S = 1 is the formula of 1999 (Vehicle System Dynamics 33, 728-739); smaller ones, k_S <= k_A, reduce
the slope of wet or dirty rails (Wear 258, 992-1000). There is no spin moment.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.normal.press import NormalContact
from traction.contact.simplified.kalker import KalkerCoefficients
from traction.contact.simplified.quick_rolling import QuickContact, check_rolling
from traction.errors import InputError
from traction.friction_laws.friction_law import FrictionLaw
from traction.outputs.variable import Variable, number
from traction.theory.hertz_contacts import EllipseContact


@dataclass(frozen=True, eq=False, repr=False)
class PolachContact(QuickContact):
    """Result of `tr.polach`: tangential forces on body 1."""

    slope: tuple[float, float]  #: k_A, k_S, reductions of the slope

    def _headline(self) -> str:
        limit = self.friction * self.normal_force
        return f"{100 * math.hypot(*self.force) / limit:.0f} % of the limit mu N" if limit else ""

    def _variables(self) -> Iterator[Variable]:
        yield from self._tangential_forces()
        yield from self._given_motion()
        yield from self._given_ellipse()
        for name, value in zip(("adhesion", "slip"), self.slope, strict=True):
            yield number(f"{name}_slope", value, "1", f"reduction of the slope in the area of {name}")


def polach(
    contact: NormalContact | EllipseContact,
    friction: float | FrictionLaw,
    *,
    creepage: ArrayLike,
    direction: int = 1,
    slope: tuple[float, float] = (1.0, 1.0),
    coefficients: KalkerCoefficients | None = None,
    speed: float | None = None,
) -> PolachContact:
    """Compute the creep forces of an elliptical contact by Polach's formula.

    F = (2 mu N/pi) (k_A eps/(1 + (k_A eps)^2) + arctan(k_S eps)), eps = G pi a b C s/(4 mu N), with the spin
    of Polach 1999 (Vehicle System Dynamics 33) and the slopes of Polach 2005 (Wear 258). `CreepTable.compare`
    has its errors against the full theory.

    Parameters
    ----------
    contact, creepage, direction, coefficients, speed
        As in `tr.fastsim`.
    friction
        Coefficient of friction mu, or a law of `tr.friction` without memory, which is evaluated at the slip
        speed V |(xi, eta)|.
    slope
        (k_A, k_S), above 0 and at most 1: reductions of the slope in the areas of adhesion and slip, k_S <=
        k_A; 1 for clean dry bodies.

    Returns
    -------
    PolachContact
        Forces along x and y. The formula has no spin moment.

    Raises
    ------
    InputError
        As `tr.fastsim`.

    Examples
    --------
    >>> c = tr.hertz.sphere(0.46, tr.Pair(tr.STEEL, tr.STEEL), force=80e3)
    >>> round(tr.polach(c, 0.3, creepage=(1e-3, 0.0, 0.0)).force[0])
    -11971
    """
    rolling, _, G = check_rolling(contact, (friction, speed), creepage, direction, coefficients)
    steep, late = (
        checks.positive(f"slope[{k}]", one)
        for k, one in enumerate(checks.pair("slope", slope, "two numbers (k_A, k_S)"))
    )
    if not late <= steep <= 1.0:
        raise InputError(f"slope = ({steep:g}, {late:g}) must be (k_A, k_S) with k_S <= k_A <= 1.")
    axes, load, mu, creepages, ahead, known = rolling
    turned = np.array([creepages]) * (ahead, ahead, 1.0)  # seen by someone who looks ahead
    found = polach_forces(turned, axes, mu * load, G, known, (steep, late))[0]
    fx, fy = (ahead * float(part) for part in found)
    return PolachContact(*rolling, (fx + 0.0, fy + 0.0), (steep, late))


def polach_forces(
    creepages: np.ndarray,
    semi_axes: tuple[float, float],
    limit: float,
    shear_modulus: float,
    coefficients: KalkerCoefficients,
    slope: tuple[float, float] = (1.0, 1.0),
) -> np.ndarray:
    """(F_x, F_y), N, of creepages (m, 3) with the limit mu N, (m, 2)."""
    if not limit > 0.0:
        return np.zeros((len(creepages), 2))
    (a, b), (k_a, k_s) = semi_axes, slope
    xi, eta, phi = creepages.T
    lateral, whole = _add_spin(creepages, a)
    moved = np.where(whole > 0.0, whole, 1.0)
    eps = stress_gradient(creepages, semi_axes, limit, shear_modulus, coefficients)
    pulled = 2.0 * limit / math.pi * (k_a * eps / (1.0 + (k_a * eps) ** 2) + np.arctan(k_s * eps))
    wide = 1.0 + 6.3 * (1.0 - math.exp(-a / b))
    e = 8.0 / 3.0 * shear_modulus * b * math.sqrt(a * b) * coefficients.C23 * lateral / (limit * wide)
    # K with 1 - d = 2/(e^2 + 1): its cubic is (1 - d)^2 (1 + 2 d)/6 and does not cancel where e is large
    short = 2.0 / (e * e + 1.0)
    share = np.abs(e) * short**2 * (3.0 - 2.0 * short) / 6.0 - (short * (2.0 - short)) ** 1.5 / 3.0
    turned = 9.0 / 16.0 * a * limit * share * wide * phi / moved
    return np.stack((-pulled * xi / moved, -pulled * eta / moved + turned), axis=-1)


def stress_gradient(
    creepages: np.ndarray,
    semi_axes: tuple[float, float],
    limit: float,
    shear_modulus: float,
    coefficients: KalkerCoefficients,
) -> np.ndarray:
    """eps = G pi a b C s_c/(4 mu N) of creepages (m, 3), (m,): gradient of the stress in the stick area."""
    if not limit > 0.0:
        return np.full(len(creepages), math.inf)
    (a, b), (xi, eta, _) = semi_axes, creepages.T
    size = np.hypot(xi, eta)
    some = np.where(size > 0.0, size, 1.0)
    stiffness = np.hypot(coefficients.C11 * xi, coefficients.C22 * eta) / some
    return 0.25 * math.pi * shear_modulus * a * b * stiffness * _add_spin(creepages, a)[1] / limit


def _add_spin(creepages: np.ndarray, a: float) -> tuple[np.ndarray, np.ndarray]:
    """eta_c and s_c: the lateral creepage with spin, where that is larger, and the creepage of both."""
    xi, eta, phi = creepages.T
    lateral = np.where(np.abs(eta + a * phi) > np.abs(eta), eta + a * phi, eta)
    return lateral, np.hypot(xi, lateral)
