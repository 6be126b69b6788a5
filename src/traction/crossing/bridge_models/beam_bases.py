"""Meaning of the coordinates of a beam: `ModalBasis` (modes) and `NodalBasis` (displacements of nodes).

Both combine coordinates (times, n) to quantities at positions along the beam.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from traction.beams.beam import Beam
from traction.beams.discrete.discrete_beam import DiscreteBeam
from traction.beams.exact.modes import Modes
from traction.crossing.bridge_models.modal_bridge import ModalBridge, modal_bridge
from traction.crossing.row_products import sum_rows


@dataclass(frozen=True, eq=False)
class ModalBasis:
    """The lowest modes of a beam."""

    modes: Modes
    bridge: ModalBridge

    @classmethod
    def of(cls, beam: Beam, size: int) -> ModalBasis:
        """Basis of the lowest `size` modes."""
        return cls(beam.modes(size), modal_bridge(beam, size))

    def combine(self, q: np.ndarray, quantity: str, x: float) -> np.ndarray:
        """Deflection, moment or shear force at x (m) over time."""
        return sum_rows(q * _shapes_at(self.modes, quantity, x))

    def slopes(self, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Slopes at positions x (m), (times, positions)."""
        return np.asarray(q @ self.modes.slope(x))

    def moments_under(self, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Bending moments at moving positions x (m, times)."""
        return np.asarray((q.T * self.modes.moment(x)).sum(axis=0))


@dataclass(frozen=True, eq=False)
class NodalBasis:
    """Displacements of the nodes of elements or differences that no support prevents."""

    discrete: DiscreteBeam

    def combine(self, q: np.ndarray, quantity: str, x: float) -> np.ndarray:
        """Deflection, moment or shear force at x (m) over time."""
        return np.asarray((self.discrete.row(quantity, x) @ q.T)[0])

    def slopes(self, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Slopes at positions x (m), (times, positions)."""
        return np.asarray(self.discrete.slope(q, x))

    def moments_under(self, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Bending moments at moving positions x (m, times)."""
        return np.asarray((self.discrete.sampler("moment", x).toarray() * q).sum(axis=1))


@lru_cache(maxsize=1024)
def _shapes_at(modes: Modes, quantity: str, x: float) -> np.ndarray:
    """Shapes of all modes at a position, cached: runs of single samples need the same ones repeatedly."""
    shapes = np.array(getattr(modes, quantity)(x))
    shapes.flags.writeable = False
    return shapes
