"""How two bodies in contact share the heat of friction.

The power q per area enters body 1 by q1 and body 2 by q2 = q - q1. In perfect contact both surfaces have one
temperature at each point that touches, with the bulk temperatures B1 and B2 and the influences A1 and A2,

    B1 + A1 q1 = B2 + A2 (q - q1),     (A1 + A2) q1 = A2 q + B2 - B1

where heat also flows from a hot body into a cold one that it rolls on (Ertz and Knothe 2002).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse.linalg import LinearOperator, gmres

from traction.errors import ConvergenceError
from traction.halfspace.heated_half_space import HeatedHalfSpace

TOLERANCE = 1e-9  #: of the equality of temperatures, relative to their size
MOST_PRODUCTS = 400


@dataclass(frozen=True, eq=False)
class TwoBodies:
    """Two heated bodies, None where one takes no heat, their bulk temperatures and their contact."""

    bodies: tuple[HeatedHalfSpace | None, HeatedHalfSpace | None]
    bulk: tuple[float, float]  #: K
    touches: np.ndarray  #: elements in contact, (ny, nx)

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
        if difference == 0.0 and _are_alike(upper, lower):
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


def _are_alike(upper: HeatedHalfSpace, lower: HeatedHalfSpace) -> bool:
    """Whether equal fluxes warm both bodies equally."""
    constants = [(b.velocity, b.material.conductivity, b.material.diffusivity) for b in (upper, lower)]
    return constants[0] == constants[1]
