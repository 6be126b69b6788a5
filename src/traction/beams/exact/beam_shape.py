"""`BeamShape`: w, psi, M and V along a beam, exact to rounding at any place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from traction.beams.exact.dynamic_stiffness import PartChain
from traction.beams.exact.kernels import shape_pieces as kernels

ROWS = {"deflection": (0, 0), "slope": (0, 1), "curvature": (0, 2), "rotation": (1, 0)}
ROWS |= {"moment": (2, 0), "shear": (3, 0)}  #: row of the polynomials and derivative of each quantity


@dataclass(frozen=True, eq=False)
class BeamShape:
    """Polynomials over the parts of a beam."""

    pieces: np.ndarray  #: (parts, 4, DEGREE)
    table: np.ndarray  #: see `shape_pieces`

    @classmethod
    def from_states(cls, chain: PartChain, square: float, loads: np.ndarray, starts: np.ndarray) -> BeamShape:
        """From the states (w, psi, M, V) at the starts of the parts, under uniform loads (N/m)."""
        pieces = np.empty((int(chain.counts.sum()), 4, kernels.DEGREE))
        kernels.expand_parts(chain.sections, chain.counts, square, loads, starts, pieces)
        return cls(pieces, chain.table)

    @property
    def breaks(self) -> np.ndarray:
        """Places between which it is smooth, m."""
        return self.table[:, 0]

    @property
    def parts(self) -> np.ndarray:
        """Ends of the parts, over each of which it is a polynomial, m."""
        starts, lengths, firsts = self.table[:-1].T
        counts = np.diff(self.table[:, 2]).astype(int)
        inside = np.arange(len(self.pieces)) - np.repeat(firsts, counts)
        return np.r_[np.repeat(starts, counts) + inside * np.repeat(lengths, counts), self.table[-1, 0]]

    def at(self, quantity: str, x: ArrayLike) -> np.ndarray:
        """Values at places x, m, zero outside the beam."""
        row, order = ROWS[quantity]
        places = np.ascontiguousarray(x, dtype=float).ravel()
        values = np.empty(places.size)
        kernels.sample_shape(self.pieces, self.table, row, order, places, values)
        return values.reshape(np.shape(x))
