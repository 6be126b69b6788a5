"""A beam divided into parts short compared with the waves of a frequency: exact stiffness, and shapes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lapack

from traction.beams.beam_description import BeamDescription
from traction.beams.exact.kernels import beam_parts as kernels
from traction.integrators.core.matrices import SingularError

WIDTH = 3  #: of the band on each side
ROWS = {"deflection": (0, 0), "slope": (0, 1), "curvature": (0, 2), "rotation": (1, 0)}
ROWS |= {"moment": (2, 0), "shear": (3, 0)}  #: row of the polynomials and derivative of each quantity


@dataclass(frozen=True, eq=False)
class PartChain:
    """A beam, and the number of parts of each segment."""

    beam: BeamDescription
    counts: np.ndarray

    @classmethod
    def at(cls, beam: BeamDescription, square: float) -> PartChain:
        """Division for frequencies up to the root of `square`, 1/s^2."""
        return cls(beam, np.array([segment.parts(square) for segment in beam.segments], dtype=np.int64))

    @cached_property
    def sections(self) -> np.ndarray:
        """EI, m, 1/kGA, rho I, k and the length of a part, for each segment."""
        lengths = np.array([segment.length for segment in self.beam.segments]) / self.counts
        return np.column_stack((self.beam.sections, lengths))

    @cached_property
    def springs(self) -> np.ndarray:
        """Node and stiffnesses of each support."""
        nodes = np.r_[0, np.cumsum(self.counts)]
        return np.column_stack((nodes, [held.stiffness for held in self.beam.supports]))

    @property
    def size(self) -> int:
        """Number of displacements."""
        return 2 * (int(self.counts.sum()) + 1)

    @cached_property
    def held(self) -> np.ndarray:
        """Displacements that rigid supports prevent."""
        nodes = self.springs[:, 0].astype(int)
        places = np.stack((2 * nodes, 2 * nodes + 1), axis=1)
        return places[np.isinf(self.springs[:, 1:])]

    def frequencies_below(self, square: float) -> int:
        """Number of natural frequencies whose square (1/s^2) is below this."""
        return int(kernels.negative_pivots(self.bands(square)[0]))

    def bands(self, square: float) -> tuple[np.ndarray, np.ndarray]:
        """Lower bands of K and of M = -dK/d(omega^2), (size, 4)."""
        K, M = np.empty((self.size, WIDTH + 1)), np.empty((self.size, WIDTH + 1))
        T, D = self.transfers(square)
        kernels.assemble(self.sections, self.counts, T, D, self.springs, K, M)
        return K, M

    def transfers(
        self, square: float, loads: np.ndarray | None = None, reach: float = 1.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Transfers over a share `reach` of a part of each segment under loads (N/m), and derivatives."""
        n = len(self.counts)
        T, D = np.empty((n, 4, 5)), np.empty((n, 4, 4))
        kernels.transfer_parts(self.sections, square, reach, np.zeros(n) if loads is None else loads, T, D)
        return T, D

    @cached_property
    def table(self) -> np.ndarray:
        """Start of each segment, length of a part, index of its first part; last, the end."""
        parts = np.r_[0, np.cumsum(self.counts)]
        return np.stack((self.beam.ends, np.r_[self.sections[:, 5], 0.0], parts), axis=1)

    def states(self, d: np.ndarray, square: float) -> np.ndarray:
        """w, psi, M, V at the starts of the parts from the displacements of the nodes, (parts, 4)."""
        T = np.repeat(self.transfers(square)[0], self.counts, axis=0).transpose(1, 2, 0)
        EI, length = np.repeat(self.sections[:, (0, 5)], self.counts, axis=0).T
        w, psi = d[:-2:2] / length, d[1:-2:2]
        left_w = d[2::2] / length - (T[0, 0] * w + T[0, 1] * psi)
        left_psi = d[3::2] - (T[1, 0] * w + T[1, 1] * psi)
        determinant = T[0, 2] * T[1, 3] - T[0, 3] * T[1, 2]
        moment = T[1, 3] / determinant * left_w + -T[0, 3] / determinant * left_psi
        shear = -T[1, 2] / determinant * left_w + T[0, 2] / determinant * left_psi
        return np.column_stack((d[:-2:2], psi, moment * EI / length, shear * EI / length**2))


def multiply_band(band: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Symmetric band times the columns of x."""
    total = band[:, :1] * x
    for d in range(1, band.shape[1]):
        total[d:] += band[d:, d : d + 1] * x[:-d]
        total[:-d] += band[d:, d : d + 1] * x[d:]
    return np.asarray(total)


def factor_band(band: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """The function b -> K^-1 b of a symmetric band, which may be indefinite."""
    n, width = len(band), band.shape[1] - 1
    largest = np.abs(band).max(axis=1)
    for d in range(1, width + 1):
        largest[:-d] = np.maximum(largest[:-d], np.abs(band[d:, d]))
    if not largest.all():
        raise SingularError("the stiffness of the beam is singular.")
    scale = 1.0 / np.sqrt(largest)  # deflections and rotations have other units
    full = np.zeros((3 * width + 1, n))  # the first rows are room for pivoting
    full[2 * width] = band[:, 0] * scale**2
    for d in range(1, width + 1):
        side = band[d:, d] * scale[d:] * scale[:-d]
        full[2 * width + d, : n - d] = full[2 * width - d, d:] = side
    lu, pivots, zero = lapack.dgbtrf(full, width, width)
    if zero:
        raise SingularError("the stiffness of the beam is singular.")

    def solve(b: np.ndarray) -> np.ndarray:
        right = b * (scale if b.ndim == 1 else scale[:, None])
        x = np.asarray(lapack.dgbtrs(lu, width, width, right, pivots)[0])
        return x * (scale if b.ndim == 1 else scale[:, None])

    return solve


@dataclass(frozen=True, eq=False)
class BeamShape:
    """Polynomials over the parts of a beam."""

    pieces: np.ndarray  #: (parts, 4, DEGREE)
    table: np.ndarray  #: see `kernels.beam_parts`

    @classmethod
    def from_states(cls, chain: PartChain, square: float, loads: np.ndarray, starts: np.ndarray) -> BeamShape:
        """From the states (w, psi, M, V) at the starts of the parts, under uniform loads (N/m)."""
        pieces = np.empty((int(chain.counts.sum()), 4, kernels.DEGREE))
        halves = chain.transfers(square, loads, 0.5)[0]
        kernels.expand_parts(chain.sections, chain.counts, square, loads, halves, starts, pieces)
        return cls(pieces, chain.table)

    @property
    def breaks(self) -> np.ndarray:
        """Positions between which it is smooth, m."""
        return self.table[:, 0]

    @property
    def parts(self) -> np.ndarray:
        """Ends of the parts, over each of which it is a polynomial, m."""
        starts, lengths, firsts = self.table[:-1].T
        counts = np.diff(self.table[:, 2]).astype(int)
        inside = np.arange(len(self.pieces)) - np.repeat(firsts, counts)
        return np.r_[np.repeat(starts, counts) + inside * np.repeat(lengths, counts), self.table[-1, 0]]

    def at(self, quantity: str, x: ArrayLike) -> np.ndarray:
        """Values at positions x, m, zero outside the beam."""
        row, order = ROWS[quantity]
        places = np.ascontiguousarray(x, dtype=float).ravel()
        values = np.empty(places.size)
        kernels.sample_shape(self.pieces, self.table, row, order, places, values)
        return values.reshape(np.shape(x))
