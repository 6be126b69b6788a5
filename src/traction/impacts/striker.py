"""`Striker`: the body that strikes, and the law of its contact."""

from __future__ import annotations

import math
from dataclasses import dataclass

from traction import checks, plausibility
from traction.errors import InputError
from traction.laws.contact_law import ContactLaw, checked_law, require_patch
from traction.laws.damped_law import DampedLaw
from traction.laws.power_law import PowerLaw
from traction.materials import Pair


@dataclass(frozen=True, init=False)
class Striker:
    """A compact body of `mass` (kg) that strikes at `speed` (m/s).

    Its contact is given in one of three ways: by `hertz_constant` K (m/N^(2/3)) of approach = K f^(2/3); by
    `radius` (m) and `pair`, for Hertz; or by any contact `law`. `damping` (s/m) makes the force of an elastic
    law F (1 + damping delta').
    """

    mass: float  #: kg
    speed: float  #: m/s, towards the structure
    law: ContactLaw

    def __init__(
        self,
        mass: float,
        speed: float,
        *,
        hertz_constant: float | None = None,
        radius: float | None = None,
        pair: Pair | float | None = None,
        law: ContactLaw | None = None,
        damping: float = 0.0,
    ) -> None:
        remedy = "a body without mass has no momentum to strike with."
        found = _choose_law(hertz_constant, radius, pair, law)
        if checks.at_least("damping", damping, 0.0, "s/m") > 0.0:
            found = DampedLaw(found, damping)
        checks.keep(
            self,
            mass=checks.positive("mass", mass, "kg", remedy),
            speed=checks.positive("speed", speed, "m/s", "the striker must come towards the structure."),
            law=found,
        )

    @classmethod
    def sphere(cls, radius: float, speed: float, pair: Pair, *, density: float | None = None) -> Striker:
        """A solid ball; its density (kg/m^3) is that of `pair.upper` unless given."""
        r = checks.positive("radius", radius, "m")
        rho = checks.instance("pair", pair, Pair).upper.density if density is None else density
        if rho is None:
            raise InputError("density is missing: pair.upper has none; give density= in kg/m^3.")
        rho = checks.positive("density", rho, "kg/m^3")
        plausibility.check_radius("radius", r, "ball")
        return cls(4.0 / 3.0 * math.pi * r**3 * rho, speed, radius=r, pair=pair)


def _choose_law(
    hertz_constant: float | None, radius: float | None, pair: Pair | float | None, law: ContactLaw | None
) -> ContactLaw:
    """The one way in which a contact is given."""
    given = checks.exactly_one(hertz_constant=hertz_constant, radius=radius, law=law)
    if given != "radius" and pair is not None:
        raise InputError("pair belongs to radius; the other ways to give a contact know their materials.")
    if given == "hertz_constant":
        constant = checks.positive("hertz_constant", hertz_constant, "m/N^(2/3)")
        return PowerLaw(constant**-1.5, 1.5)
    if given == "radius":
        if pair is None:
            raise InputError("pair is missing: radius= needs pair=, the materials of striker and structure.")
        return PowerLaw.hertz(checks.positive("radius", radius, "m"), pair)
    own = checked_law("law", law)
    require_patch("law", own)
    return own
