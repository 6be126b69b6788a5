"""FASTSIM: rolling by Kalker's simplified theory (Kalker 1982), hundreds of times faster than the full one.

Each surface point is an independent spring, u = L p. Particles that enter at the leading edge of an
ellipse build up traction, dp/dx = w/L, until it reaches the bound. The flexibilities

    L1 = 8 a/(3 G C11),  L2 = 8 a/(3 G C22),  L3 = pi a^2/(4 G c C23),  c = sqrt(a b)

reproduce the forces of the linear theory at small creepages. Slip opposes the traction with the flexibility
of each direction, so that sliding opposes the rigid slip; Kalker's original program, which scales the
traction instead, rotates it by L1/L2. Compared with a table of the full theory on a
circle, at random creepages from none to full sliding, forces are within 5 % of mu F_n with the parabolic
bound and 7 % with the elliptic one (2 % on average) where the reduced spin G c^3 C23 phi/(mu F_n) is at most
0.5; with spin of any size they are up to 16 and 19 % off. The spin moment, which the simplified theory does
not fit, is off by up to 8 and 12 % of mu F_n c.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.friction.tangential_contact import CREEPAGES
from traction.contact.normal.press import NormalContact
from traction.contact.simplified.kalker import KalkerCoefficients, kalker_coefficients
from traction.contact.simplified.kernels import fastsim_strips as kernels
from traction.errors import InputError
from traction.materials import Pair
from traction.outputs.result import Result
from traction.outputs.variable import Variable, components, counter, data, figure, number
from traction.theory.hertz_contacts import EllipseContact

BOUNDS = ("parabolic", "elliptic")

THREE = "it is three numbers (xi, eta, spin)."  #: what a creepage must be

MOST_STRIPS = 5000  #: and steps along each


@dataclass(frozen=True, eq=False, repr=False)
class FastsimContact(Result):
    """Result of `tr.fastsim`: tractions on body 1 along strips of an ellipse.

    Node 0 of each strip lies at its leading edge.
    """

    _rows, _drawn = ("strip", "node"), "traction_size"

    semi_axes: tuple[float, float]  #: a, b along x and y, m
    normal_force: float  #: F_n, N
    friction: float  #: coefficient of friction mu
    creepage: tuple[float, float, float]  #: xi, eta (-), phi (rad/m)
    direction: int  #: +1 or -1, rolling along x
    coefficients: KalkerCoefficients  #: creep coefficients that set the flexibilities
    flexibility: tuple[float, float, float]  #: L1, L2, L3, m/Pa
    x: np.ndarray  #: nodes, m, (strips, steps + 1)
    y: np.ndarray  #: centre lines of the strips, m, (strips,)
    bound: np.ndarray  #: traction bound at the nodes, Pa, (strips, steps + 1)
    traction: np.ndarray  #: p_x, p_y at the nodes, Pa, (2, strips, steps + 1)
    stick: np.ndarray  #: nodes that stick, (strips, steps + 1)
    force: tuple[float, float]  #: on body 1, (F_x, F_y), N
    moment: float  #: about z through the centre, N m; approximate, since the simplified theory has no C33
    stick_area: float  #: area of adhesion, m2

    def __post_init__(self) -> None:
        for array in (self.x, self.y, self.bound, self.traction, self.stick):
            array.setflags(write=False)

    @property
    def wear_number(self) -> float:
        """T gamma = -(xi F_x + eta F_y + phi M_z), N: power of the rigid slip over the rolling speed."""
        (xi, eta, phi), (fx, fy) = self.creepage, self.force
        return -(xi * fx + eta * fy + phi * self.moment)

    def _headline(self) -> str:
        a, b = self.semi_axes
        share = self.stick_area / (math.pi * a * b)
        return f"{100 * share:.0f} % of the area sticks"

    def _variables(self) -> Iterator[Variable]:
        (strips, nodes), limit = self.x.shape, self.friction * self.normal_force
        for name, value in zip("xy", self.force, strict=True):
            yield figure(f"force_{name}", value, "N", f"force along {name}", limit)
        yield figure("moment", self.moment, "N m", "spin moment", limit * self.semi_axes[0])
        yield figure("normal_force", self.normal_force, "N", "normal force")
        for (name, words), value in zip(CREEPAGES.items(), self.creepage, strict=True):
            yield figure(name, value, "rad/m" if name == "spin" else "1", words)
        yield number("friction", self.friction, "1", "coefficient of friction")
        yield number("stick_area", self.stick_area, "m2", "area that sticks")
        for name, value in zip("xy", self.semi_axes, strict=True):
            yield number(f"semi_axis_{name}", value, "m", f"semi-axis along {name}")
        yield counter("strip", strips, "number of the strip")
        yield counter("node", nodes, "number of the node from the leading edge")
        yield components()
        y = np.broadcast_to(self.y[:, None], self.x.shape)
        yield data("x", self.x, "m", "position along x", "strip", "node")
        yield data("y", y, "m", "position along y", "strip", "node")
        yield data("bound", self.bound, "Pa", "traction bound", "strip", "node")
        size = np.hypot(*self.traction)
        yield data("traction", self.traction, "Pa", "traction on body 1", "component", "strip", "node")
        yield data("traction_size", size, "Pa", "size of the traction", "strip", "node")
        yield data("stick", self.stick, "1", "nodes that stick", "strip", "node")


def fastsim(
    contact: NormalContact | EllipseContact,
    friction: float,
    *,
    creepage: ArrayLike,
    direction: int = 1,
    bound: str = "parabolic",
    strips: int = 40,
    steps: int = 40,
    coefficients: KalkerCoefficients | None = None,
) -> FastsimContact:
    """Compute steady rolling of an elliptical contact by Kalker's simplified theory (FASTSIM).

    Parameters
    ----------
    contact
        Normal contact, a result of `tr.hertz.ellipse`, `tr.hertz.sphere` or `tr.press`; its semi-axes,
        force and materials are used. A difference of the materials is neglected.
    friction
        Coefficient of friction mu.
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
    more spin.

    Examples
    --------
    >>> c = tr.hertz.sphere(0.46, tr.Pair(tr.STEEL, tr.STEEL), force=80e3)
    >>> t = tr.fastsim(c, 0.3, creepage=(1e-3, 0.0, 0.0))
    >>> print(f"F_x = {t.force[0] / 1e3:.2f} kN")
    F_x = -11.01 kN
    """
    (a, b), load, pair = check_ellipse(contact)
    mu = checks.at_least("friction", friction, 0.0)
    mu = checks.positive("friction", mu) if mu else 0.0
    xi, eta, phi = (float(part) for part in checks.finite_array("creepage", creepage, (3,), remedy=THREE))
    ahead = int(checks.choice("direction", direction, (1, -1)))
    checks.choice("bound", bound, BOUNDS)
    checks.count("strips", strips, 2, MOST_STRIPS)
    checks.count("steps", steps, 2, MOST_STRIPS)
    if coefficients is None:
        coefficients = kalker_coefficients(a / b, max(0.0, pair.poisson_ratio))
    checks.instance("coefficients", coefficients, KalkerCoefficients, "use tr.kalker_coefficients(...).")
    flexibility = L1, L2, L3 = compute_flexibilities(coefficients, (a, b), pair.shear_modulus)
    # strips of equal angle: of the ends of the ellipse, where they are short, there are many
    angle = math.pi * ((np.arange(strips) + 0.5) / strips - 0.5)
    y, half = b * np.sin(angle), a * np.cos(angle)
    width = b * np.diff(np.sin(math.pi * (np.arange(strips + 1) / strips - 0.5)))
    x = ahead * half[:, None] * np.linspace(1.0, -1.0, steps + 1)
    mean = mu * load / (math.pi * a * b)
    law = (2.0 * mean, a, 1.0) if bound == "parabolic" else (1.5 * mean, a, 0.5)
    rate = np.array([xi / L1 - phi * y / L3, np.full(strips, eta / L2)])
    limit, traction, stick = np.zeros(x.shape), np.zeros((2, *x.shape)), np.zeros(x.shape, dtype=bool)
    sums = np.zeros((4, strips))
    kernels.march_strips(half, float(ahead), (rate, phi / L3, L1 / L2), law, (limit, traction, stick), sums)
    fx, fy, turned, sticks = sums @ width
    turned -= float((width * y) @ sums[0])
    return FastsimContact(
        semi_axes=(a, b),
        normal_force=load,
        friction=mu,
        creepage=(xi, eta, phi),
        direction=ahead,
        coefficients=coefficients,
        flexibility=flexibility,
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


def check_ellipse(contact: object) -> tuple[tuple[float, float], float, Pair]:
    """Semi-axes, normal force and materials of a contact."""
    if not isinstance(contact, NormalContact | EllipseContact):
        raise InputError(
            f"contact = {checks.shown(contact)} must be a result of tr.press, "
            "tr.hertz.sphere or tr.hertz.ellipse."
        )
    pair = checks.instance("contact.pair", contact.pair, Pair, "give tr.hertz a tr.Pair, not a number.")
    a, b = contact.semi_axes
    if not (math.isfinite(b) and a > 0.0 and b > 0.0):
        raise InputError(
            f"semi_axes = {(a, b)} m must be those of an ellipse; use tr.carter for a line contact."
        )
    return (float(a), float(b)), float(contact.force), pair
