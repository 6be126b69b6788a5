"""FaStrip: rolling by strip theory where it sticks and FASTSIM where it slips (Sichani, Enblom, Berg 2016).

Each strip along x of an elliptical contact rolls as a plane of its own. With rolling along +x, the half
length a_y of the strip, P = mu p0/a, and two ellipses that end at the leading edge,

    p = A sqrt(a_y^2 - x^2) - B sqrt((a_y - d)^2 - (x - d)^2)

the slip vanishes ahead of x = -a_y + 2 d, and behind it p = A sqrt(a_y^2 - x^2) has the size of the bound:

    A_x = B_x = -X/d,   B_y = -Y/d,   A_y = -Y/d - Phi,   |A| = P
    d = (X^2 + Y^2)/(P (sqrt(Y^2 + (1 - psi^2) X^2) - psi Y)),   psi = Phi/P
    X = G (xi - phi y)/(2 (1 - nu)),   Y = G eta/2,   Phi = G phi/2

(Carter 1926 for X alone; Kalker 1967). The creepages are scaled, xi by 4 (1 - nu) C11/pi^2, eta by
4 C22/pi^2 and phi by 3 C23 sqrt(b/a)/pi, by which the forces at small creepages are those of Kalker's linear
theory for any ellipse. In the slip area the traction has the size of the bound, and the direction that
springs of the flexibilities L1 and L2 of FASTSIM find for all creepages, spin included: what slides then
opposes the rigid slip. (With L3 for spin, as FASTSIM needs it where it sticks, the pole of the spin is
displaced, and forces at large spin are up to 17 % of mu N off instead of 8 %.) A strip slips as a whole where
d >= a_y. Where much spin leaves no d, or the traction would exceed the bound at the leading edge, FASTSIM
with the elliptic bound and L3 decides what sticks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.normal.press import NormalContact
from traction.contact.simplified.fastsim import compute_flexibilities
from traction.contact.simplified.kalker import KalkerCoefficients
from traction.contact.simplified.kernels import strip_marches as kernels
from traction.contact.simplified.quick_rolling import MOST_STRIPS, StripContact, check_rolling, divide_ellipse
from traction.friction_laws.friction_law import FrictionLaw
from traction.outputs.variable import Variable, data
from traction.theory.hertz_contacts import EllipseContact

LEAST = 1e-8  #: of a strip that slips at its trailing edge, where the traction of sticking is infinite


@dataclass(frozen=True, eq=False, repr=False)
class FastripContact(StripContact):
    """Result of `tr.fastrip`: tractions on body 1 along strips of an ellipse.

    Node 0 of each strip lies at its leading edge.
    """

    #: length of the slip zone at the trailing edge of each strip, m, (strips,); of strips of FASTSIM all
    slip_length: np.ndarray

    def _variables(self) -> Iterator[Variable]:
        yield from super()._variables()
        yield data("slip_length", self.slip_length, "m", "length of the slip zone", "strip")


def fastrip(
    contact: NormalContact | EllipseContact,
    friction: float | FrictionLaw,
    *,
    creepage: ArrayLike,
    direction: int = 1,
    strips: int = 40,
    steps: int = 40,
    coefficients: KalkerCoefficients | None = None,
    speed: float | None = None,
) -> FastripContact:
    """Compute steady rolling of an elliptical contact by strip theory (FaStrip).

    Strip theory with the elliptic bound of Hertz, scaled to the forces of Kalker's linear theory (Sichani,
    Enblom and Berg 2016, Vehicle System Dynamics 54).

    Parameters
    ----------
    contact, creepage, direction, strips, coefficients, speed
        As in `tr.fastsim`.
    friction
        Coefficient of friction mu, or a law of `tr.friction` without memory, which is evaluated at the slip
        speed of the rigid bodies in the middle of each strip.
    steps
        Number of intervals between nodes along each strip.

    Returns
    -------
    FastripContact
        Tractions, forces, moment and stick area.

    Raises
    ------
    InputError
        As `tr.fastsim`.

    Notes
    -----
    Against the full theory on a circle, forces are within 3 % of mu N without spin and 8 % with spin of any
    size, 2 % root mean square; `CreepTable.compare` has its errors beside those of FASTSIM and of Polach's
    formula.

    Examples
    --------
    >>> c = tr.hertz.sphere(0.46, tr.Pair(tr.STEEL, tr.STEEL), force=80e3)
    >>> print(f"{tr.fastrip(c, 0.3, creepage=(1e-3, 0.0, 0.0)).force[0] / 1e3:.2f} kN")
    -11.42 kN
    """
    rolling, given, G = check_rolling(contact, (friction, speed), creepage, direction, coefficients)
    checks.count("strips", strips, 2, MOST_STRIPS)
    checks.count("steps", steps, 2, MOST_STRIPS)
    (a, b), load, _, (xi, eta, phi), ahead, known = rolling
    motion = np.array([ahead * xi, ahead * eta, phi])  # seen by someone who looks ahead, as are all fields
    y, half, width = divide_ellipse((a, b), strips)
    mu = given.at(np.hypot(motion[0] - phi * y, motion[1]))
    top = 1.5 * load / (math.pi * a * b) / a
    slip, ellipses = fit_ellipses(motion, y, half, top * mu, (G, a / b, known))
    L1, L2, L3 = compute_flexibilities(known, (a, b), G)
    drawn = np.array([motion[0] - phi * y, np.full(strips, motion[1])]) / [[L1], [L2]]
    held = np.array([motion[0] / L1 - phi * y / L3, np.full(strips, motion[1] / L2)])
    growth = (np.array([drawn, held]), (phi / L2, phi / L3), L1 / L2)
    shape = (strips, steps + 1)
    places, bound, stick = np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=bool)
    traction, sums = np.zeros((2, *shape)), np.zeros((4, strips))
    kernels.fill_strips(half, slip, ellipses, growth, top, mu, (places, bound, traction, stick), sums)
    fx, fy, turned, sticks = sums @ width
    order = slice(None, None, ahead)  # of the strips, for y to grow
    return FastripContact(
        *rolling,
        x=ahead * places[order],
        y=ahead * y[order],
        bound=bound[order].copy(),
        traction=ahead * traction[:, order],
        stick=stick[order].copy(),
        force=(ahead * float(fx), ahead * float(fy)),
        moment=float(turned - (width * y) @ sums[0]),
        stick_area=float(sticks),
        slip_length=2.0 * np.minimum(slip, half)[order],
    )


def fit_ellipses(
    motion: np.ndarray,
    y: np.ndarray,
    half: np.ndarray,
    bound: np.ndarray,
    constants: tuple[float, float, KalkerCoefficients],
) -> tuple[np.ndarray, np.ndarray]:
    """Half length d of the slip zones, m, and A_x, A_y, B_x, B_y of the ellipses, Pa/m, of strips at `y`.

    `bound` is P = mu p0/a, Pa/m; `constants` are G, a/b and Kalker's coefficients. Where the whole strip
    slips, d is its half length; where strip theory has no solution, d is twice that.
    """
    G, ratio, k = constants
    xi, eta, phi = motion
    C23 = math.pi / 3.0 * math.sqrt(ratio)  # of strips, as are C11 = pi^2/(4 (1 - nu)) and C22 = pi^2/4
    spin = phi * k.C23 / C23
    X = 2.0 * G / math.pi**2 * k.C11 * xi - 0.5 * G / (1.0 - k.poisson_ratio) * spin * y
    Y, turn = 2.0 * G / math.pi**2 * k.C22 * eta, 0.5 * G * spin
    some = np.where(bound > 0.0, bound, 1.0)
    psi = turn / some
    square = Y**2 + (1.0 - psi**2) * X**2
    width = np.sqrt(np.maximum(0.0, square)) - psi * Y
    rests = (X == 0.0) & (Y == 0.0) & (np.abs(psi) <= 1.0)  # d = 0
    sticks = (square >= 0.0) & ((width > 0.0) | rests) & (bound > 0.0)
    d = (X**2 + Y**2) / (some * np.where(width > 0.0, width, 1.0))
    way = np.maximum(d, LEAST * half)  # without creepage nothing slips: A and B are then those of w/L
    inner = -np.array([X, np.full_like(X, Y)]) / way
    outer = inner - np.array([[0.0], [turn]])
    # at the leading edge p/sqrt(a_y^2 - x^2) is A - B sqrt(1 - d/a_y): with much spin it slips there too
    lead = outer - inner * np.sqrt(np.maximum(0.0, 1.0 - way / half))
    sticks &= (way >= half) | (np.hypot(lead[0], lead[1]) <= bound)
    return np.where(sticks, np.minimum(way, half), 2.0 * half), np.array([*outer, *inner])
