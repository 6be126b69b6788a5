"""A beam of finite elements (Hermite's cubics; Friedman, Kosmatka 1993, with shear) and consistent mass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from traction import checks
from traction.beams.discrete.discrete_beam import (
    QUANTITIES,
    DiscreteBeam,
    damped_modes,
    numbered,
    without_held,
)
from traction.beams.discrete.kernels import element_shapes as kernels
from traction.beams.discrete.kernels.banded_matrices import WIDTH
from traction.errors import InputError

if TYPE_CHECKING:
    from traction.beams.beam import Beam


class BeamElements(DiscreteBeam):
    """Displacements are w and l psi (m) of each node, in this order, without those that supports hold.

    l is the length of the element right of the node (of the last one, left of it).
    """

    @property
    def order(self) -> int:
        """4 by Euler and Bernoulli's theory, 2 by Timoshenko's.

        With shear the relative error of a square is omega^2 m l^2/(12 kGA) and a term of order 4, which is
        the larger one as long as elements are longer than the beam is high.
        """
        return 2 if any(segment.shear_compliance for segment in self.beam.segments) else 4

    @property
    def scales(self) -> np.ndarray:
        """Lengths (m) by which the rotations of the nodes are multiplied in q."""
        return np.asarray(self.geometry[5])

    def state_of(self, deflection: np.ndarray, slope: np.ndarray) -> np.ndarray:
        """Values at the nodes; sections stay normal to the axis."""
        return np.stack((deflection, slope * self.geometry[5]), axis=1).ravel()[self.numbers >= 0]

    def _rows(self, quantity: str, x: np.ndarray) -> sparse.csr_array:
        rows, columns = np.empty((x.size, 4)), np.empty((x.size, 4), dtype=np.int64)
        stiffnesses = np.array([segment.bending_stiffness for segment in self.beam.segments])
        kernels.sample_rows(QUANTITIES.index(quantity), self.geometry, stiffnesses, x, rows, columns)
        ends = np.arange(0, 4 * x.size + 1, 4)
        return sparse.csr_array((rows.ravel(), columns.ravel(), ends), shape=(x.size, self.numbers.size))


def elements(beam: Beam, n: int | Sequence[int], modes: int | None) -> BeamElements:
    """`n` elements in all, or so many in each segment."""
    counts = _counts(beam, n)
    lengths = np.array([segment.length for segment in beam.segments]) / counts
    sections = np.array(
        [(*segment.section, length) for segment, length in zip(beam.segments, lengths, strict=True)]
    )
    firsts = np.r_[0, np.cumsum(counts)]
    displacements = 2 * (int(firsts[-1]) + 1)
    K, M = np.zeros((WIDTH + 1, displacements)), np.zeros((WIDTH + 1, displacements))
    scales = np.r_[np.repeat(lengths, counts), lengths[-1]]
    kernels.assemble(sections, counts, scales, K, M)
    springs = np.array(
        [
            (held.deflection, held.rotation / scales[node] ** 2)
            for node, held in zip(firsts, beam.supports, strict=True)
        ]
    ).ravel()
    at = (2 * firsts[:, None] + np.arange(2)).ravel()
    rigid = np.isinf(springs)
    K[0, at[~rigid]] += springs[~rigid]
    numbers = numbered(displacements, at[rigid])
    if (numbers < 0).all():
        raise InputError("n = 1 element is held at both ends and cannot move; give at least 2.")
    ends, phis = beam.ends, 12.0 * sections[:, 0] * sections[:, 2] / lengths**2
    nodes = np.r_[
        0.0,
        np.concatenate(
            [np.linspace(a, b, c + 1)[1:] for a, b, c in zip(ends, ends[1:], counts, strict=False)]
        ),
    ]
    return BeamElements(
        beam,
        nodes,
        numbers,
        without_held(M, numbers),
        without_held(K, numbers),
        (ends, lengths, firsts, phis, numbers, scales, kernels.CUBIC),
        damped_modes(beam, modes, int((numbers >= 0).sum())),
    )


def _counts(beam: Beam, n: Any) -> np.ndarray:
    """Elements of each segment: as given, or in proportion to the lengths."""
    parts = len(beam.segments)
    if np.ndim(n) == 1:
        if len(n) != parts:
            raise InputError(f"n has {len(n)} numbers; give one in all, or one per segment ({parts}).")
        return np.array([checks.count(f"n[{k}]", one) for k, one in enumerate(n)])
    total = checks.count("n", n)
    if total < parts:
        raise InputError(f"n = {total} elements are too few for {parts} segments, each needs one.")
    shares = np.array([segment.length for segment in beam.segments]) / beam.length * (total - parts)
    counts = np.floor(shares).astype(np.int64)
    for k in np.argsort(counts - shares, kind="stable")[: total - parts - int(counts.sum())]:
        counts[k] += 1
    return counts + 1
