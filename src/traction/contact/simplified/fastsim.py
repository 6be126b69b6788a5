"""FASTSIM: rolling by Kalker's simplified theory (Kalker 1982), hundreds of times faster than the full one.

Each surface point is an independent spring, u = L p, with the flexibilities that `fastsim` states: they
reproduce the forces of the linear theory at small creepages. Particles that enter at the leading edge of an
ellipse build up traction, dp/dx = w/L, until it reaches the bound. Slip opposes the traction with the
flexibility of each direction, so that sliding opposes the rigid slip; Kalker's original program, which scales
the traction instead, rotates it by L1/L2. Compared with a table of the full theory on a circle, at random
creepages from none to full sliding, forces are within 5 % of mu F_n with the parabolic bound and 7 % with the
elliptic one (2 % on average) where the reduced spin is at most 0.5; with spin of any size they are up to 16
and 19 % off. The spin moment, which the simplified theory does not fit, is off by up to 8 and 12 % of mu F_n
c.

For wet or dirty rails the flexibilities are divided by k, with Polach's gradient eps of the tangential
stress, which grows with the ratio of slip to stick area: k0 is the reduction of the slope at small creepages,
k0 alpha that at large ones.
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
from traction.contact.simplified.kernels import strip_marches as kernels
from traction.contact.simplified.polach import stress_gradient
from traction.contact.simplified.quick_rolling import MOST_STRIPS, StripContact, check_rolling, divide_ellipse
from traction.errors import InputError
from traction.friction_laws.friction_law import FrictionLaw
from traction.outputs.variable import Variable, number
from traction.theory.hertz_contacts import EllipseContact

BOUNDS = ("parabolic", "elliptic")
CLEAN = (1.0, 1.0, 0.0)  #: slope of clean dry bodies

Slope = tuple[float, float, float]  #: k0, alpha, beta


@dataclass(frozen=True, eq=False, repr=False)
class FastsimContact(StripContact):
    """Result of `tr.fastsim`: tractions on body 1 along strips of an ellipse.

    Node 0 of each strip lies at its leading edge.
    """

    flexibility: tuple[float, float, float]  #: L1, L2, L3, m/Pa, divided by `reduction`
    reduction: float = 1.0  #: k, of the slope

    def _variables(self) -> Iterator[Variable]:
        yield from super()._variables()
        yield number("reduction", self.reduction, "1", "reduction of the slope")


def fastsim(
    contact: NormalContact | EllipseContact,
    friction: float | FrictionLaw,
    *,
    creepage: ArrayLike,
    direction: int = 1,
    bound: str = "parabolic",
    strips: int = 40,
    steps: int = 40,
    coefficients: KalkerCoefficients | None = None,
    slope: Slope = CLEAN,
    speed: float | None = None,
) -> FastsimContact:
    """Compute steady rolling of an elliptical contact by Kalker's simplified theory (FASTSIM).

    Parameters
    ----------
    contact
        Normal contact, a result of `tr.hertz.ellipse`, `tr.hertz.sphere` or `tr.press`; its semi-axes,
        force and materials are used. A difference of the materials is neglected.
    friction
        Coefficient of friction mu, or a law of `tr.friction` without memory, which is evaluated at the local
        slip speed of the rigid bodies.
    creepage
        (xi, eta, phi): longitudinal and lateral creepage (-) and spin (rad/m).
    direction
        +1 rolls along +x, -1 along -x.
    bound
        Traction bound: "parabolic", mu times a paraboloid as in Kalker's program, or "elliptic", mu times
        Hertz's pressure.
    strips
        Number of strips across the ellipse.
    steps
        Number of steps along each strip; forces converge at second order, with the elliptic bound at order
        3/2.
    coefficients
        Kalker's coefficients; from the table of `tr.kalker_coefficients` by default.
    slope
        (k0, alpha, beta): reduction of the slope on wet or dirty rails. The flexibilities are divided by
        k = k0 (alpha + (1 - alpha)/(1 + beta eps)); 0 < k0 <= 1, 0 < alpha <= 1, beta >= 0. By default
        k = 1.
    speed
        Rolling speed V, m/s; required with a law.

    Returns
    -------
    FastsimContact
        Tractions, forces, moment and stick area.

    Raises
    ------
    InputError
        If the contact is not elliptical, or a value is out of range.

    Notes
    -----
    u = L p with L1 = 8 a/(3 G C11), L2 = 8 a/(3 G C22), L3 = pi a^2/(4 G c C23), c = sqrt(a b) (Kalker 1982,
    Vehicle System Dynamics 11). Against the full theory on a circle, and with the parabolic bound, forces are
    within 5 % of mu F_n where the reduced spin G c^3 C23 phi/(mu F_n) is at most 0.5, and up to 16 % off with
    more spin. The reduction of the slope, with eps = G pi a b C s/(4 mu F_n) of Polach's formula, is that of
    Spiryagin, Polach and Cole (2013, Vehicle System Dynamics 51).

    Examples
    --------
    >>> c = tr.hertz.sphere(0.46, tr.Pair(tr.STEEL, tr.STEEL), force=80e3)
    >>> t = tr.fastsim(c, 0.3, creepage=(1e-3, 0.0, 0.0))
    >>> print(f"F_x = {t.force[0] / 1e3:.2f} kN")
    F_x = -11.01 kN
    """
    rolling, given, G = check_rolling(contact, (friction, speed), creepage, direction, coefficients)
    checks.choice("bound", bound, BOUNDS)
    checks.count("strips", strips, 2, MOST_STRIPS)
    checks.count("steps", steps, 2, MOST_STRIPS)
    (a, b), load, mu, (xi, eta, phi), ahead, known = rolling
    softening, reduction = _check_slope(slope), 1.0
    if softening != CLEAN:
        eps = stress_gradient(np.array([[ahead * xi, ahead * eta, phi]]), (a, b), mu * load, G, known)
        k0, alpha, beta = softening  # of full sliding, where eps is infinite, k = k0 alpha
        reduction = k0 * (alpha + (1.0 - alpha) / (1.0 + beta * float(eps[0]))) if beta > 0.0 else k0
    flexibility = L1, L2, L3 = compute_flexibilities(known, (a, b), reduction * G)
    y, half, width = divide_ellipse((a, b), strips)
    x = ahead * half[:, None] * np.linspace(1.0, -1.0, steps + 1)
    mean = given.constant * load / (math.pi * a * b)
    law = (2.0 * mean, a, 1.0) if bound == "parabolic" else (1.5 * mean, a, 0.5)
    falls = np.ones(x.shape)
    if given.law is not None and given.constant > 0.0:
        falls = given.at(np.hypot(xi - phi * y[:, None], eta + phi * x)) / given.constant
    rate = np.array([xi / L1 - phi * y / L3, np.full(strips, eta / L2)])
    limit, traction, stick = np.zeros(x.shape), np.zeros((2, *x.shape)), np.zeros(x.shape, dtype=bool)
    sums = np.zeros((4, strips))
    growth = (rate, phi / L3, L1 / L2)
    kernels.march_strips(half, float(ahead), growth, law, falls, (limit, traction, stick), sums)
    fx, fy, turned, sticks = sums @ width
    turned -= float((width * y) @ sums[0])
    return FastsimContact(
        *rolling,
        flexibility=flexibility,
        reduction=reduction,
        x=x,
        y=y,
        bound=limit,
        traction=traction,
        stick=stick,
        force=(float(fx), float(fy)),
        moment=float(turned),
        stick_area=float(sticks),
    )


def compute_flexibilities(
    coefficients: KalkerCoefficients, semi_axes: tuple[float, float], shear_modulus: float
) -> tuple[float, float, float]:
    """L1, L2, L3, m/Pa, which reproduce the forces of the linear theory at small creepages."""
    a, b = semi_axes
    c, G = math.sqrt(a * b), shear_modulus
    return (
        8.0 * a / (3.0 * G * coefficients.C11),
        8.0 * a / (3.0 * G * coefficients.C22),
        math.pi * a * a / (4.0 * G * c * coefficients.C23),
    )


def _check_slope(slope: object) -> Slope:
    words = "three numbers (k0, alpha, beta)"
    parts = checks.items("slope", slope, words)
    if len(parts) != 3:
        raise InputError(f"slope = {checks.shown(slope)} must be {words}.")
    k0, alpha = (checks.positive(f"slope[{k}]", one) for k, one in enumerate(parts[:2]))
    beta = checks.not_negative("slope[2]", parts[2])
    if not (k0 <= 1.0 and alpha <= 1.0):
        raise InputError(f"slope = ({k0:g}, {alpha:g}, {beta:g}) must have k0 and alpha of at most 1.")
    return k0, alpha, beta
