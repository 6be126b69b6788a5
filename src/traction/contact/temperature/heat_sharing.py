"""Surface temperatures of two bodies that share the heat of friction.

The power q per area enters body 1 by q1 and body 2 by q2 = q - q1. In perfect contact both surfaces have one
temperature at each point that touches, with the bulk temperatures B1 and B2 and the influences A1 and A2,

    B1 + A1 q1 = B2 + A2 (q - q1),     (A1 + A2) q1 = A2 q + B2 - B1

where heat also flows from a hot body into a cold one that it rolls on (Ertz and Knothe 2002).

`ClassicalBodies` sum as CONTACT (Vollebregt) does, to reproduce its digits. Heat is conducted into the depth
only, the limit of high speed: with the effusivities e = sqrt(k rho c) of the bodies and the distance d behind
an element (Ertz and Knothe 2002, Wear 253)

    T = 2/((e1 + e2) sqrt(pi V)) sum q (sqrt(d + dx/2) - sqrt(d - dx/2))

The term of the element itself, d = 0, is sqrt(dx/2); CONTACT takes twice that. Its temperatures therefore
converge with the square root of dx: 166.8 K on the grid of its example, where 152.6 K is the limit. Where the
bodies touch their bulk temperatures mix to one, and differ again behind the contact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
import scipy.fft
from scipy.sparse.linalg import LinearOperator, gmres

from traction.errors import ConvergenceError
from traction.grid import Grid
from traction.halfspace.convolution import find_fast_length
from traction.halfspace.heated_half_space import HeatedHalfSpace
from traction.materials import Material, thermal_constants

TOLERANCE = 1e-9  #: of the equality of temperatures, relative to their size
MOST_PRODUCTS = 400
Value = TypeVar("Value")
Two = tuple[Value, Value]  #: of body 1 and of body 2
OWN = 2.0  #: times which the heat of an element itself is counted


@dataclass(frozen=True, eq=False)
class TwoBodies:
    """Two heated bodies, None where one takes no heat, their bulk temperatures and their contact."""

    bodies: Two[HeatedHalfSpace | None]
    bulk: Two[float]  #: K
    touches: np.ndarray  #: elements in contact, (ny, nx)

    @classmethod
    def moving(
        cls,
        grid: Grid,
        materials: Two[Material],
        velocities: Two[float],
        parts: Two[float] | None,
        bulk: Two[float],
        touches: np.ndarray,
        body_of: type[HeatedHalfSpace] = HeatedHalfSpace,
    ) -> TwoBodies:
        """Bodies that pass the grid with velocities (m/s); one whose given part of the heat is 0 is None."""
        first, second = (
            body_of(grid, material, v) if part > 0.0 else None
            for material, v, part in zip(materials, velocities, parts or (1.0, 1.0), strict=True)
        )
        return cls((first, second), bulk, touches)

    def divide(self, power: np.ndarray, parts: Two[float] | None, tol: float = TOLERANCE) -> np.ndarray:
        """Flux into each body, W/m2, (2, ny, nx), by given parts of the power or for equal temperatures."""
        return self.share_equally(power, tol) if parts is None else np.array([part * power for part in parts])

    def heat(self, flux: np.ndarray) -> np.ndarray:
        """Surface temperatures, K, by the flux into each body, W/m2; both (2, ny, nx)."""
        pairs = zip(self.bodies, self.bulk, flux, strict=True)
        return np.array(
            [np.full(one.shape, bulk) if body is None else bulk + body.rise(one) for body, bulk, one in pairs]
        )

    def share_equally(self, power: np.ndarray, tol: float = TOLERANCE) -> np.ndarray:
        """Flux into each body, W/m2, (2, ny, nx), by which the surfaces that touch are equally warm.

        `power` is that of friction per area, which is zero where they do not touch; `tol` that of the
        temperatures.
        """
        upper, lower = self.bodies
        if upper is None or lower is None:
            raise ValueError("a body without thermal constants shares no heat")
        difference = self.bulk[1] - self.bulk[0]
        same = [
            (body.velocity, body.material.conductivity, body.material.diffusivity) for body in (upper, lower)
        ]
        if difference == 0.0 and same[0] == same[1]:  # equal fluxes warm both bodies equally
            return np.array([0.5 * power, 0.5 * power])
        touches, spread = self.touches, np.zeros(power.shape)
        both = upper.spectrum + lower.spectrum

        def apply(values: np.ndarray, spectrum: np.ndarray) -> np.ndarray:
            spread[touches] = values
            return upper.filter(spread, spectrum)[touches]

        # of what body 1 takes beyond half of the heat
        wanted = 0.5 * upper.filter(power, lower.spectrum - upper.spectrum)[touches] + difference
        n, scale = wanted.size, float(upper.filter(power, both)[touches].max(initial=abs(difference)))
        system = LinearOperator((n, n), matvec=lambda f: apply(f, both), dtype=float)
        inverse = LinearOperator((n, n), matvec=lambda f: apply(f, 1.0 / both), dtype=float)
        near = tol * scale * math.sqrt(n)
        beyond, failed = gmres(
            system, wanted, rtol=0.0, atol=near, restart=min(n, MOST_PRODUCTS), maxiter=1, M=inverse
        )
        if failed and not np.abs(system @ beyond - wanted).max() <= 1e3 * tol * scale:
            raise ConvergenceError(
                f"the share of the heat did not converge in {MOST_PRODUCTS} products; "
                "give the share of body 1, such as share=0.5."
            )
        flux = np.array([0.5 * power, 0.5 * power])
        flux[0][touches] += beyond
        flux[1][touches] -= beyond
        return flux


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
