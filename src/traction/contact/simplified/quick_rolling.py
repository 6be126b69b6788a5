"""What the quick theories of an elliptical contact take and return: `QuickRolling`, `QuickContact`, strips.

A law of friction is evaluated at the slip speed of the rigid bodies, V |w|, as Polach (2005) and Spiryagin,
Polach and Cole (2013) do: also where the surfaces stick, and without the elastic part of the slip.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.contact.friction.tangential_contact import CREEPAGES
from traction.contact.normal.press import NormalContact
from traction.contact.simplified.kalker import KalkerCoefficients, kalker_coefficients
from traction.errors import InputError
from traction.friction_laws.friction_law import FrictionLaw
from traction.friction_laws.inclined_friction import InclinedFriction
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.friction_laws.track_friction import TrackFriction
from traction.materials import Pair
from traction.outputs.result import Result
from traction.outputs.variable import Variable, components, counter, data, figure, number
from traction.theory.hertz_contacts import EllipseContact

THREE = "it is three numbers (xi, eta, spin)."  #: what a creepage must be
MOST_STRIPS = 5000  #: and steps along each


@dataclass(frozen=True)
class QuickFriction:
    """A coefficient, or a law with the rolling speed."""

    constant: float
    law: FrictionLaw | None = None
    speed: float = 0.0  #: V, m/s

    @classmethod
    def check(cls, friction: object, speed: object) -> QuickFriction:
        """Check what was given as `friction` and `speed`."""
        if isinstance(friction, ThermalFriction | InclinedFriction | TrackFriction):
            one = "value(0.5)" if isinstance(friction, TrackFriction) else "coefficient(250.0)"
            raise InputError(
                "the quick theories take one coefficient of friction, or a law of the slip speed; give the "
                f"coefficient at one temperature, inclination or place, as law.{one}, or use tr.roll_steady."
            )
        if not isinstance(friction, FrictionLaw):
            mu = checks.zero_or_positive("friction", friction)
            if speed is not None:
                checks.positive("speed", speed, "m/s", "it is the speed of rolling.")
            return cls(mu)
        if speed is None:
            raise InputError("speed is missing: a law of friction needs the rolling speed, m/s.")
        if friction.memory is not None:
            raise InputError(
                "the quick theories have no memory of friction: use tr.roll_steady, or give the law without "
                "memory."
            )
        return cls(friction.static, friction, checks.positive("speed", speed, "m/s"))

    def at(self, slip: np.ndarray | float) -> np.ndarray:
        """Coefficients where the rigid slip, over the rolling speed, has the size `slip`."""
        if self.law is None:
            return np.full(np.shape(slip), self.constant)
        return self.law.coefficient(self.speed * np.asarray(slip))


@dataclass(frozen=True, eq=False, repr=False)
class QuickContact(Result):
    """Forces on body 1 by one of the quick theories."""

    semi_axes: tuple[float, float]  #: a, b along x and y, m
    normal_force: float  #: F_n, N
    friction: float  #: coefficient of friction mu; of a law, at the slip speed of the centre
    creepage: tuple[float, float, float]  #: xi, eta (-), phi (rad/m)
    direction: int  #: +1 or -1, rolling along x
    coefficients: KalkerCoefficients  #: creep coefficients, which set the forces at small creepages
    force: tuple[float, float]  #: on body 1, (F_x, F_y), N

    def _tangential_forces(self) -> Iterator[Variable]:
        for name, value in zip("xy", self.force, strict=True):
            yield figure(
                f"force_{name}", value, "N", f"force along {name}", self.friction * self.normal_force
            )

    def _given_motion(self) -> Iterator[Variable]:
        yield figure("normal_force", self.normal_force, "N", "normal force")
        for (name, words), value in zip(CREEPAGES.items(), self.creepage, strict=True):
            yield figure(name, value, "rad/m" if name == "spin" else "1", words)
        yield number("friction", self.friction, "1", "coefficient of friction")

    def _given_ellipse(self) -> Iterator[Variable]:
        for name, value in zip("xy", self.semi_axes, strict=True):
            yield number(f"semi_axis_{name}", value, "m", f"semi-axis along {name}")


#: checked input: semi-axes, load, friction, creepage, direction and creep coefficients, as in `QuickContact`
QuickRolling = tuple[tuple[float, float], float, float, tuple[float, float, float], int, KalkerCoefficients]


def check_rolling(
    contact: object,
    friction: tuple[object, object],
    creepage: object,
    direction: object,
    coefficients: object,
) -> tuple[QuickRolling, QuickFriction, float]:
    """What was given, its friction (of a coefficient or law, and a speed) and its shear modulus, Pa.

    Creep coefficients are those of the table unless given.
    """
    given = QuickFriction.check(*friction)
    if not isinstance(contact, NormalContact | EllipseContact):
        raise InputError(
            f"contact = {checks.shown(contact)} must be a result of tr.press, "
            "tr.hertz.sphere or tr.hertz.ellipse."
        )
    pair = checks.instance("contact.pair", contact.pair, Pair, "give tr.hertz a tr.Pair, not a number.")
    a, b = (float(part) for part in contact.semi_axes)
    if not (math.isfinite(b) and a > 0.0 and b > 0.0):
        raise InputError(
            f"semi_axes = {(a, b)} m must be those of an ellipse; use tr.carter for a line contact."
        )
    xi, eta, phi = (float(part) for part in checks.finite_array("creepage", creepage, (3,), remedy=THREE))
    ahead = int(checks.choice("direction", direction, (1, -1)))
    if coefficients is None:
        coefficients = kalker_coefficients(a / b, max(0.0, pair.poisson_ratio))
    known = checks.instance(
        "coefficients", coefficients, KalkerCoefficients, "use tr.kalker_coefficients(...)."
    )
    mu = float(given.at(math.hypot(xi, eta)))
    rolling = (a, b), float(contact.force), mu, (xi, eta, phi), ahead, known
    return rolling, given, pair.shear_modulus


@dataclass(frozen=True, eq=False, repr=False)
class StripContact(QuickContact):
    """Tractions on body 1 along strips of an ellipse. Node 0 of each strip lies at its leading edge."""

    _rows, _drawn = ("strip", "node"), "traction_size"

    x: np.ndarray  #: nodes, m, (strips, steps + 1)
    y: np.ndarray  #: centre lines of the strips, m, (strips,)
    bound: np.ndarray  #: traction bound at the nodes, Pa, (strips, steps + 1)
    traction: np.ndarray  #: p_x, p_y at the nodes, Pa, (2, strips, steps + 1)
    stick: np.ndarray  #: nodes that stick, (strips, steps + 1)
    moment: float  #: about z through the centre, N m; approximate, since these theories do not fit C33
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

    @abstractmethod
    def _variables(self) -> Iterator[Variable]:
        (strips, nodes), limit = self.x.shape, self.friction * self.normal_force
        yield from self._tangential_forces()
        yield figure("moment", self.moment, "N m", "spin moment", limit * self.semi_axes[0])
        yield from self._given_motion()
        yield number("stick_area", self.stick_area, "m2", "area that sticks")
        yield from self._given_ellipse()
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


def divide_ellipse(semi_axes: tuple[float, float], strips: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Middle, half length and width of strips of an ellipse, m.

    They are of equal angle: of the ends of the ellipse, where they are short, there are many.
    """
    a, b = semi_axes
    angle = math.pi * ((np.arange(strips) + 0.5) / strips - 0.5)
    width = b * np.diff(np.sin(math.pi * (np.arange(strips + 1) / strips - 0.5)))
    return b * np.sin(angle), a * np.cos(angle), width
