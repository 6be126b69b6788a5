"""`QuickRolling`: what the quick theories of an elliptical contact take; `QuickContact`: what all return."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from traction import checks
from traction.contact.friction.tangential_contact import CREEPAGES
from traction.contact.normal.press import NormalContact
from traction.contact.simplified.kalker import KalkerCoefficients, kalker_coefficients
from traction.contact.simplified.quick_friction import QuickFriction
from traction.errors import InputError
from traction.materials import Pair
from traction.outputs.result import Result
from traction.outputs.variable import Variable, figure, number
from traction.theory.hertz_contacts import EllipseContact

THREE = "it is three numbers (xi, eta, spin)."  #: what a creepage must be


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


class QuickRolling(NamedTuple):
    """Checked input of a quick theory, in the order of the fields of its result."""

    semi_axes: tuple[float, float]  #: a, b, m
    load: float  #: N
    friction: float  #: at the slip speed of the centre
    creepage: tuple[float, float, float]
    ahead: int  #: +1 or -1
    coefficients: KalkerCoefficients


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
    rolling = QuickRolling((a, b), float(contact.force), mu, (xi, eta, phi), ahead, known)
    return rolling, given, pair.shear_modulus
