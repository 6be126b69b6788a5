"""Residual flexibility: what the modes that are left out give way at once.

Modes above the last one kept follow the forces as if at rest. With G(x, s) the influence line of the beam at
rest,

    w(x, t) = sum_i phi_i(x) (q_i - f_i/omega_i^2) + sum_k F_k G(x, s_k),    f_i = sum_k F_k phi_i(s_k),

and likewise for moments and shear forces with their lines. Where the beam can move as a whole, its mass holds
it like a foundation of omega^2 = sigma: both sums then belong to 1/(omega_i^2 + sigma), and twice the answer
for sigma less that for 2 sigma leaves an error of (sigma/omega^2)^2 of the modes left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from traction.beams.beam import Beam
from traction.beams.exact.influence_lines import InfluenceLine, influence_line

SHIFT = 1e-3  #: sigma over the square of the lowest frequency that is not zero


@dataclass(frozen=True, eq=False)
class Flexibility:
    """Shares of modes in the flexibility, and influence lines with their factors."""

    of_modes: np.ndarray  #: 1/omega_i^2, s^2
    shifts: tuple[tuple[float, float], ...]  #: factor, square

    def lines(self, beam: Beam, quantity: str, x: float, side: str) -> list[tuple[float, InfluenceLine]]:
        """Influence lines whose sum, with these factors, is that of the whole beam."""
        return [(factor, _line(beam, quantity, x, side, square)) for factor, square in self.shifts]


def flexibility(beam: Beam, omega: np.ndarray) -> Flexibility:
    """Of a beam whose modes with these frequencies (rad/s) are kept."""
    if omega[0] > 0.0:
        return Flexibility(1.0 / omega**2, ((1.0, 0.0),))
    elastic = beam.frequencies(3)
    sigma = SHIFT * float(elastic[elastic > 0.0][0]) ** 2
    share = 2.0 / (omega**2 + sigma) - 1.0 / (omega**2 + 2.0 * sigma)
    return Flexibility(share, ((2.0, -sigma), (-1.0, -2.0 * sigma)))


@lru_cache(maxsize=1024)
def _line(beam: Beam, quantity: str, x: float, side: str, square: float) -> InfluenceLine:
    return influence_line(beam, quantity, x, side=side, square=square)
