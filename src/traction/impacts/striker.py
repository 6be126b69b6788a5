"""`Striker`: the body that strikes, and its contact law."""

from __future__ import annotations

import math
from dataclasses import dataclass

from traction import checks, plausibility
from traction.errors import InputError
from traction.laws.contact_law import ContactLaw, checked_law, require_patch
from traction.laws.damped_law import DampedLaw
from traction.laws.power_law import PowerLaw
from traction.materials import Pair
from traction.quantities import given


@dataclass(frozen=True, init=False)
class Striker:
    """Compact body that strikes a structure.

    Parameters
    ----------
    mass
        Mass m, kg.
    speed
        Speed v0 towards the structure, m/s.
    damping
        Damping c of an elastic law, s/m: F (1 + c delta').
    law
        Any contact law. The contact is given in exactly one of three ways.
    hertz_constant
        K of approach = K f^(2/3), m/N^(2/3).
    radius
        Relative radius R for Hertz contact, m; needs `pair`.
    pair
        Materials of striker and structure, or the effective modulus E*, Pa.

    Examples
    --------
    >>> striker = tr.Striker(0.1, 2.0, radius=0.02, pair=tr.Pair(tr.STEEL, tr.STEEL))
    >>> striker.law.exponent
    1.5
    """

    mass: float  #: mass, kg
    speed: float  #: speed towards the structure, m/s
    law: ContactLaw  #: contact law

    def __init__(
        self,
        mass: float,
        speed: float,
        *,
        damping: float = 0.0,
        law: ContactLaw | None = None,
        hertz_constant: float | None = None,
        radius: float | None = None,
        pair: Pair | float | None = None,
    ) -> None:
        remedy = "a body without mass has no momentum to strike with."
        found = _choose_law(hertz_constant, radius, pair, law)
        if checks.at_least("damping", damping, 0.0, "s/m") > 0.0:
            found = DampedLaw(found, damping)
        checks.keep(
            self,
            mass=checks.positive("mass", mass, "kg", remedy),
            speed=checks.positive("speed", speed, "m/s", "the striker must move towards the structure."),
            law=found,
        )

    def __repr__(self) -> str:
        return f"Striker: {given(self.mass, 'kg')} at {given(self.speed, 'm/s')}, {self.law!r}"

    @classmethod
    def sphere(cls, radius: float, speed: float, pair: Pair, *, density: float | None = None) -> Striker:
        """Return a solid ball of a `radius` (m) at a `speed` (m/s), with the materials `pair`.

        Its `density` (kg/m^3) is that of `pair.upper` by default.
        """
        r = checks.positive("radius", radius, "m")
        rho = checks.instance("pair", pair, Pair).upper.density if density is None else density
        if rho is None:
            raise InputError("density is missing: pair.upper has none; give density= in kg/m^3.")
        rho = checks.positive("density", rho, "kg/m^3")
        return cls(4.0 / 3.0 * math.pi * r**3 * rho, speed, radius=r, pair=pair)


def _choose_law(
    hertz_constant: float | None, radius: float | None, pair: Pair | float | None, law: ContactLaw | None
) -> ContactLaw:
    """The contact law, given in exactly one way."""
    given = checks.exactly_one(hertz_constant=hertz_constant, radius=radius, law=law)
    if given != "radius" and pair is not None:
        raise InputError("pair belongs to radius; the other ways to give a contact include the materials.")
    if given == "hertz_constant":
        constant = checks.positive("hertz_constant", hertz_constant, "m/N^(2/3)")
        return PowerLaw(constant**-1.5, 1.5)
    if given == "radius":
        if pair is None:
            raise InputError("pair is missing: radius= needs pair=, the materials of striker and structure.")
        r = checks.positive("radius", radius, "m")
        plausibility.check_radius("radius", r, "ball")
        return PowerLaw.hertz(r, pair)
    own = checked_law("law", law)
    require_patch("law", own)
    return own
