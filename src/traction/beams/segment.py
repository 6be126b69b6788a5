"""A stretch of beam with one section (Timoshenko 1921).

    kGA (w'' - psi') - k w + p = m w_tt,    EI psi'' + kGA (w' - psi) = rho I psi_tt

with the deflection w (m, downwards), the rotation psi of the section, the moment M = -EI psi' (sagging
positive) and the shear force V = kGA (w' - psi). Without shear compliance psi = w': Euler and Bernoulli's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from traction import checks

LARGEST_WAVE = 0.5  #: of what keeps the clamped frequencies of a part above the one that is looked for
LARGEST_FOUNDATION = 16.0  #: k l^4/EI and (k l^2/kGA)^2 of one part, for which its series converge fast


@dataclass(frozen=True)
class Segment:
    """Constant section between two places."""

    length: float  #: L, m
    bending_stiffness: float  #: EI, N m^2
    mass_per_length: float  #: m, kg/m
    shear_compliance: float = 0.0  #: 1/kGA, 1/N; zero is the theory of Euler and Bernoulli
    rotary_inertia: float = 0.0  #: rho I, kg m
    foundation: float = 0.0  #: Winkler's k, N/m^2

    @classmethod
    def checked(
        cls,
        length: float,
        bending_stiffness: float,
        mass_per_length: float,
        *,
        shear_stiffness: float | None,
        rotary_inertia: float | None,
        foundation: float | None,
    ) -> Segment:
        """A segment from what a user gives."""
        shear = (
            math.inf
            if shear_stiffness is None
            else checks.positive_or_infinite("shear_stiffness", shear_stiffness, "N")
        )
        rotary = checks.at_least("rotary_inertia", rotary_inertia or 0.0, 0.0, "kg m")
        bed = checks.at_least("foundation", foundation or 0.0, 0.0, "N/m^2")
        return cls(
            checks.positive("length", length, "m"),
            checks.positive("bending_stiffness", bending_stiffness, "N m^2"),
            checks.positive("mass_per_length", mass_per_length, "kg/m"),
            1.0 / shear,
            rotary,
            bed,
        )

    @property
    def section(self) -> tuple[float, float, float, float, float]:
        """EI, m, 1/kGA, rho I, k."""
        return (
            self.bending_stiffness,
            self.mass_per_length,
            self.shear_compliance,
            self.rotary_inertia,
            self.foundation,
        )

    def parts(self, square: float) -> int:
        """Parts of equal length none of which, clamped, has a frequency whose square (1/s^2) is below this.

        With psi = w = 0 at both ends, Poincare's inequality for w and psi and w' = psi + V/kGA give

            1/omega^2 <= max(2 m l^2/(pi^2 kGA), 2 m l^4/(pi^4 EI) + rho I l^2/(pi^2 EI)).
        """
        EI, m, compliance, rotary, k = self.section
        square, l2 = max(square, 0.0), self.length**2
        shear = 2.0 * square * m * compliance * l2 / math.pi**2
        bending = 2.0 * square * m * l2 * l2 / (math.pi**4 * EI)
        turning = square * rotary * l2 / (math.pi**2 * EI)
        # bending / n^4 + turning / n^2 <= limit
        n2 = (turning + math.sqrt(turning**2 + 4.0 * LARGEST_WAVE * bending)) / (2.0 * LARGEST_WAVE)
        n4 = max(k * l2 * l2 / EI, (k * l2 * compliance) ** 2) / LARGEST_FOUNDATION
        return max(1, math.ceil(math.sqrt(max(n2, shear / LARGEST_WAVE))), math.ceil(n4**0.25))
