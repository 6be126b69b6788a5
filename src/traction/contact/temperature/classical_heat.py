"""Surface temperatures as CONTACT (Vollebregt) sums them, to reproduce its digits.

Heat is conducted into the depth only, the limit of high speed: with the effusivities e = sqrt(k rho c) of the
bodies and the distance d behind an element (Ertz and Knothe 2002, Wear 253)

    T = 2/((e1 + e2) sqrt(pi V)) sum q (sqrt(d + dx/2) - sqrt(d - dx/2))

The term of the element itself, d = 0, is sqrt(dx/2); CONTACT takes twice that. Its temperatures therefore
converge with the square root of dx: 166.8 K on the grid of its example, where 152.6 K is the limit.
Where the bodies touch their bulk temperatures mix to one, and differ again behind the contact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.fft

from traction.grid import Grid
from traction.halfspace.convolution import find_fast_length
from traction.materials import Material, thermal_constants

OWN = 2.0  #: times which the heat of an element itself is counted


@dataclass(frozen=True, eq=False)
class ClassicalBodies:
    """Two bodies that pass a contact with one speed, far faster than heat spreads."""

    grid: Grid
    materials: tuple[Material, Material]
    speed: float  #: V, m/s
    direction: int  #: of rolling
    bulk: tuple[float, float]  #: K
    touches: np.ndarray  #: elements in contact, (ny, nx)

    def share(self, power: np.ndarray) -> np.ndarray:
        """Flux into each body, W/m2, (2, ny, nx): as their effusivities."""
        upper, lower = self._effusivities
        return np.array([part / (upper + lower) * power for part in (upper, lower)])

    def heat(self, power: np.ndarray) -> np.ndarray:
        """Surface temperatures by the frictional power per area, W/m2, (2, ny, nx)."""
        rise = self.rise(power)
        return np.array([bulk + chill + rise for bulk, chill in zip(self.bulk, self._mix(), strict=True)])

    def rise(self, power: np.ndarray) -> np.ndarray:
        """Rise of the temperature of both surfaces by the frictional power, K, (ny, nx)."""
        nx, (upper, lower) = self.grid.nx, self._effusivities
        ahead = power[:, :: -self.direction]  # in the order in which particles pass
        length = find_fast_length(2 * nx)
        passed = scipy.fft.irfft(scipy.fft.rfft(ahead, length) * self._weights, length)[:, :nx]
        factor = 2.0 / ((upper + lower) * math.sqrt(math.pi * self.speed))
        return np.asarray(factor * passed[:, :: -self.direction])

    @cached_property
    def _weights(self) -> np.ndarray:
        """Transform of the heat of an element by the distance behind it, sqrt(m)."""
        nx, dx = self.grid.nx, self.grid.dx
        behind = dx * np.arange(nx)
        weights = np.sqrt(behind + 0.5 * dx) - np.sqrt(np.maximum(0.0, behind - 0.5 * dx))
        weights[0] *= OWN
        return np.asarray(scipy.fft.rfft(weights, find_fast_length(2 * nx)))

    @cached_property
    def _effusivities(self) -> tuple[float, float]:
        upper, lower = (math.sqrt(math.prod(thermal_constants("material", m))) for m in self.materials)
        return upper, lower

    def _mix(self) -> np.ndarray:
        """Change of the temperature of each body by the bulk of the other, K, (2, ny, nx)."""
        (upper, lower), difference = self._effusivities, self.bulk[1] - self.bulk[0]
        parts = (difference * lower / (upper + lower), -difference * upper / (upper + lower))
        inside = self.touches[:, :: -self.direction]
        share = inside.astype(float)
        for row, touched in zip(share, inside, strict=True):
            if touched.any():
                first, last = np.flatnonzero(touched)[[0, -1]]
                length = last - first + 1.0
                out = np.arange(last + 1, row.size)
                row[out] = 2.0 / math.pi * np.arcsin(np.sqrt(length / (out - first + 0.5)))
        return np.array([part * share[:, :: -self.direction] for part in parts])
