"""Cross sections of beams: area, second moment of area and shear coefficient (Cowper 1966)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from traction import checks
from traction.errors import InputError


@dataclass(frozen=True)
class BeamSection:
    """A cross section that bends about one axis."""

    area: float  #: A, m2
    second_moment: float  #: I, m4
    shear_coefficient: float | None = None  #: kappa of kappa G A; None where it is not known

    @classmethod
    def rectangle(cls, width: float, height: float, poisson_ratio: float) -> BeamSection:
        """Width across the bending plane, height along it, m."""
        b, h = checks.positive("width", width, "m"), checks.positive("height", height, "m")
        kappa = 10.0 * (1.0 + poisson_ratio) / (12.0 + 11.0 * poisson_ratio)
        return cls(b * h, b * h**3 / 12.0, kappa)

    @classmethod
    def circle(cls, diameter: float, inner_diameter: float, poisson_ratio: float) -> BeamSection:
        """A round bar, or a tube with an inner diameter above zero, m."""
        outer = checks.positive("diameter", diameter, "m")
        inner = checks.not_negative("inner_diameter", inner_diameter, "m")
        if inner >= outer:
            raise InputError(f"inner_diameter = {inner} m must be below diameter = {outer} m.")
        nu, square = poisson_ratio, (1.0 + (inner / outer) ** 2) ** 2
        below = (7.0 + 6.0 * nu) * square + (20.0 + 12.0 * nu) * (inner / outer) ** 2
        area = 0.25 * math.pi * (outer**2 - inner**2)
        return cls(area, math.pi / 64.0 * (outer**4 - inner**4), 6.0 * (1.0 + nu) * square / below)


def read_section(
    poisson_ratio: float,
    width: float | None,
    height: float | None,
    diameter: float | None,
    inner_diameter: float | None,
    area: float | None,
    second_moment: float | None,
) -> BeamSection:
    """The section that a user gave in one of three ways."""
    ways = {
        "width and height": (width, height),
        "diameter": (diameter,),
        "area and second_moment": (area, second_moment),
    }
    begun = [words for words, values in ways.items() if any(value is not None for value in values)]
    whole = [words for words in begun if all(value is not None for value in ways[words])]
    if len(begun) != 1 or begun != whole:
        given = " with ".join(begun) or "nothing"
        raise InputError(
            f"the section needs exactly one of {', '.join(ways)} (m, m2, m4), each whole; given: {given}."
        )
    if inner_diameter is not None and diameter is None:
        raise InputError("inner_diameter is that of a tube; give its diameter too.")
    if width is not None and height is not None:
        return BeamSection.rectangle(width, height, poisson_ratio)
    if diameter is not None:
        return BeamSection.circle(diameter, inner_diameter or 0.0, poisson_ratio)
    return BeamSection(
        checks.positive("area", area, "m2"), checks.positive("second_moment", second_moment, "m4")
    )


def shear_coefficient(section: BeamSection, shear: bool | float) -> float | None:
    """Kappa of a Timoshenko beam: the known one, or the one given; None for Euler-Bernoulli."""
    if shear is False:
        return None
    if shear is not True:
        kappa = checks.positive("shear", shear)
        if kappa > 1.0:
            raise InputError(f"shear = {kappa} must be at most 1: a coefficient; a rectangle has 0.85.")
        return kappa
    if section.shear_coefficient is None:
        raise InputError(
            "shear = True, but the shear coefficient of a section given by its area is not known: give it, "
            "as in shear=0.85."
        )
    return section.shear_coefficient
