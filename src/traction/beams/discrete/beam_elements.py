"""A beam of finite elements (Hermite's cubics; Friedman, Kosmatka 1993, with shear) and consistent mass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from traction import checks
from traction.beams.beam_description import BeamDescription
from traction.beams.discrete.discrete_beam import (
    QUANTITIES,
    DiscreteBeam,
    count_damped_modes,
    number_free,
    without_held,
)
from traction.beams.discrete.element_matrices import assemble_bands
from traction.beams.discrete.kernels import element_shapes as kernels
from traction.errors import InputError


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
        return 2 if self.beam.shears else 4

    @property
    def scales(self) -> np.ndarray:
        """Lengths (m) by which the rotations of the nodes are multiplied in q."""
        return self.geometry.scales

    def state_of(self, deflection: np.ndarray, slope: np.ndarray) -> np.ndarray:
        """Values at the nodes; sections stay normal to the axis."""
        return np.stack((deflection, slope * self.scales), axis=1).ravel()[self.numbers >= 0]

    def _rows(self, quantity: str, x: np.ndarray) -> sparse.csr_array:
        geometry, rows = self.geometry, np.empty((x.size, 4))
        s, cell, xi = self._find_cells(x)
        stiffnesses = self.beam.sections[s, 0]
        kernels.shape_rows(
            QUANTITIES.index(quantity), xi, geometry.lengths[s], geometry.phis[s], stiffnesses, rows
        )
        rows[:, 1] /= geometry.scales[cell]
        rows[:, 3] /= geometry.scales[cell + 1]
        columns, ends = 2 * cell[:, None] + np.arange(4), np.arange(0, 4 * x.size + 1, 4)
        return sparse.csr_array((rows.ravel(), columns.ravel(), ends), shape=(x.size, self.numbers.size))


def divide_into_elements(
    beam: BeamDescription, n: int | Sequence[int], modes: int | None = None
) -> BeamElements:
    """`n` elements in all, or so many in each segment; `modes` are damped."""
    counts = _count_elements(beam, n)
    lengths = np.array([segment.length for segment in beam.segments]) / counts
    sections = np.column_stack((beam.sections, lengths))
    firsts = np.r_[0, np.cumsum(counts)]
    scales = np.r_[np.repeat(lengths, counts), lengths[-1]]
    K, M = assemble_bands(sections, counts, scales)
    springs = np.array(
        [
            (held.deflection, held.rotation / scales[node] ** 2)
            for node, held in zip(firsts, beam.supports, strict=True)
        ]
    ).ravel()
    at = (2 * firsts[:, None] + np.arange(2)).ravel()
    rigid = np.isinf(springs)
    K[0, at[~rigid]] += springs[~rigid]
    numbers = number_free(K.shape[1], at[rigid])
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
        kernels.BeamCells(ends, lengths, firsts, phis, numbers, scales, True),
        count_damped_modes(beam, modes, int((numbers >= 0).sum())),
    )


def _count_elements(beam: BeamDescription, n: int | Sequence[int]) -> np.ndarray:
    """Elements of each segment: as given, or in proportion to the lengths."""
    parts = len(beam.segments)
    if not isinstance(n, int) and np.ndim(n) == 1:
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
