"""A beam cut into parts that are short against the waves of a frequency: its exact stiffness there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import lapack

from traction.beams.exact.kernels import part_stiffness as kernels
from traction.beams.segment import Segment
from traction.beams.supports import Support
from traction.errors import InputError

WIDTH = 3  #: of the band on each side


@dataclass(frozen=True, eq=False)
class Chain:
    """Segments, supports at their ends, and the number of parts of each segment."""

    segments: tuple[Segment, ...]
    supports: tuple[Support, ...]
    counts: np.ndarray

    @classmethod
    def at(cls, segments: Sequence[Segment], supports: Sequence[Support], square: float) -> Chain:
        """Cut for frequencies up to the root of `square`, 1/s^2."""
        counts = np.array([segment.parts(square) for segment in segments], dtype=np.int64)
        return cls(tuple(segments), tuple(supports), counts)

    @cached_property
    def sections(self) -> np.ndarray:
        """EI, m, 1/kGA, rho I, k and the length of a part, for each segment."""
        return np.array(
            [
                (*segment.section, segment.length / n)
                for segment, n in zip(self.segments, self.counts, strict=True)
            ]
        )

    @cached_property
    def springs(self) -> np.ndarray:
        """Node and stiffnesses of each support."""
        nodes = np.r_[0, np.cumsum(self.counts)]
        return np.array([(node, *held.stiffness) for node, held in zip(nodes, self.supports, strict=True)])

    @property
    def size(self) -> int:
        """Number of displacements."""
        return 2 * (int(self.counts.sum()) + 1)

    @cached_property
    def held(self) -> np.ndarray:
        """Displacements that rigid supports hold."""
        nodes = self.springs[:, 0].astype(int)
        places = np.stack((2 * nodes, 2 * nodes + 1), axis=1)
        return places[np.isinf(self.springs[:, 1:])]

    def frequencies_below(self, square: float) -> int:
        """Number of natural frequencies whose square (1/s^2) is below this."""
        return int(kernels.frequencies_below(self.sections, self.counts, square, self.springs))

    def bands(self, square: float) -> tuple[np.ndarray, np.ndarray]:
        """Lower bands of K and of M = -dK/d(omega^2), (size, 4)."""
        K, M = np.empty((self.size, WIDTH + 1)), np.empty((self.size, WIDTH + 1))
        kernels.assemble(self.sections, self.counts, square, self.springs, K, M)
        return K, M

    @cached_property
    def table(self) -> np.ndarray:
        """Where each segment starts, length of a part, number of its first part; last, the end."""
        starts = np.r_[0.0, np.cumsum([segment.length for segment in self.segments])]
        parts = np.r_[0, np.cumsum(self.counts)]
        return np.stack((starts, np.r_[self.sections[:, 5], 0.0], parts), axis=1)

    def polynomials(self, d: np.ndarray, square: float) -> np.ndarray:
        """w, psi, M, V over each part from the displacements of the nodes, (parts, 4, DEGREE)."""
        pieces = np.empty((int(self.counts.sum()), 4, kernels.DEGREE))
        kernels.polynomials(self.sections, self.counts, square, np.ascontiguousarray(d), pieces)
        return pieces


def product(band: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Symmetric band times the columns of x."""
    total = band[:, :1] * x
    for d in range(1, band.shape[1]):
        total[d:] += band[d:, d : d + 1] * x[:-d]
        total[:-d] += band[d:, d : d + 1] * x[d:]
    return np.asarray(total)


def factored(band: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """The function b -> K^-1 b of a symmetric band, which may be indefinite."""
    n, width = len(band), band.shape[1] - 1
    largest = np.abs(band).max(axis=1)
    for d in range(1, width + 1):
        largest[:-d] = np.maximum(largest[:-d], np.abs(band[d:, d]))
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


class SingularError(InputError):
    """A stiffness has no inverse."""
