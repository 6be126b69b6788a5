"""`ResidualFlexibility`: response of the neglected modes.

Modes above the last one kept follow a force as if at rest. With G(x, s) the deflection at x of the whole beam
at rest under 1 N at s, theirs is

    r(x, s) = G(x, s) - sum_i phi_i(x) phi_i(s)/omega_i^2

over the modes kept, and likewise for moments and shear forces with their lines. Taken at a square sigma of a
frequency, G belongs to K - sigma M and the sum to 1/(omega_i^2 - sigma): of a force that is slow beside the
neglected modes, r is the same. Where the beam can move as a whole it has no rest; there r is a sum of such
terms at two negative sigma, at which mass acts like a foundation, with factors that leave an error of
(sigma/omega^2)^2 of the neglected modes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from traction.beams.beam_description import BeamDescription
from traction.beams.exact.modes import Modes, natural_modes
from traction.beams.exact.statics import InfluenceLine, bend_beam, influence_line

SLOW = 1e-3  #: -sigma over the square of the lowest frequency above zero, of a beam that can move as a whole
Shifts = tuple[tuple[float, float], ...]  #: factor and sigma (1/s^2) of each term


@dataclass(frozen=True, eq=False)
class ResidualFlexibility:
    """Flexibility of the modes of a beam above those kept."""

    beam: BeamDescription
    modes: Modes  #: those kept
    shifts: Shifts

    @classmethod
    def of(cls, beam: BeamDescription, size: int) -> ResidualFlexibility:
        """Flexibility of all modes but the lowest `size`, under slow forces."""
        modes = natural_modes(beam, size)
        return cls(beam, modes, ((1.0, 0.0),) if modes.frequencies[0] > 0.0 else _choose_slow_shifts(beam))

    @cached_property
    def of_modes(self) -> np.ndarray:
        """Shares of the modes kept: sum of factor/(omega_i^2 - sigma), s^2."""
        square = self.modes.frequencies**2
        return np.asarray(sum(factor / (square - sigma) for factor, sigma in self.shifts))

    def lines(self, quantity: str, x: float, side: str = "right") -> list[tuple[float, InfluenceLine]]:
        """Influence lines of a quantity at x whose sum, with these factors, is that of the whole beam."""
        return [(factor, _find_line(self.beam, quantity, x, side, sigma)) for factor, sigma in self.shifts]

    def under(self, s: float, force: float = 1.0) -> Callable[[str, np.ndarray], np.ndarray]:
        """The function of (quantity, positions x in m) that is r of a force (N) at s (m)."""
        weight = force * self.modes.deflection(s)
        whole = [bend_beam(self.beam, [(force, s)], square=sigma) for _, sigma in self.shifts]

        def at(quantity: str, x: np.ndarray) -> np.ndarray:
            shapes, total = getattr(self.modes, quantity)(x), np.zeros(np.shape(x))
            for (factor, sigma), bending in zip(self.shifts, whole, strict=True):
                kept = np.tensordot(weight / (self.modes.frequencies**2 - sigma), shapes, axes=1)
                total = total + factor * (getattr(bending, quantity)(x) - kept)
            return total

        return at


def find_lowest_elastic(beam: BeamDescription) -> float:
    """Lowest frequency above zero, rad/s."""
    omega = natural_modes(beam, 3).frequencies
    return float(omega[omega > 0.0][0])


def _choose_slow_shifts(beam: BeamDescription) -> Shifts:
    """Shifts for a beam with a rigid-body motion."""
    sigma = SLOW * find_lowest_elastic(beam) ** 2
    return (2.0, -sigma), (-1.0, -2.0 * sigma)


@lru_cache(maxsize=1024)
def _find_line(beam: BeamDescription, quantity: str, x: float, side: str, sigma: float) -> InfluenceLine:
    return influence_line(beam, quantity, x, side=side, square=sigma)
