"""`SmoothTrack`: the track that wheels see on finite elements whose slope jumps from one to the next.

With shear the slope of the axis within an element is that of its sections and the mean shear strain, which
jumps at nodes. Wheels that follow such a track are struck at every node, by V times the jump of the slope,
however short the elements. Hermite cubics through the deflections of the nodes, with slopes of the sections
and a shear strain there that is the cubic through the means of the next four elements, have no kinks;
forces act on the coordinates by the same lines. Next to the end of a segment it is the mean of two elements,
and at it linear through those of two. Means of two elements would leave a ripple of (k l)^3/60 of a
wave of number k; its waves run along the beam, come back from its ends and meet the wheel again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy import sparse

from traction.beams.discrete.beam_elements import BeamElements

REACH = 4  #: elements whose mean strains determine that at a node


@dataclass(frozen=True, eq=False)
class SmoothTrack:
    """Lines of n coordinates over the elements of a beam."""

    nodes: np.ndarray  #: m
    values: sparse.csr_array  #: deflections of the nodes, (nodes, n)
    slopes: tuple[sparse.csr_array, sparse.csr_array]  #: at both ends of each element, (elements, n)

    @classmethod
    def of(cls, model: BeamElements) -> SmoothTrack | None:
        """Track of a beam with shear; None where elements meet without kinks."""
        if not any(segment.shear_compliance for segment in model.beam.segments):
            return None
        nodes, firsts = model.nodes, model.geometry.firsts
        middles = 0.5 * (nodes[1:] + nodes[:-1])
        strains = model.sampler("slope", middles) - model.sampler("rotation", middles)
        turned = model.sampler("rotation", nodes)
        slopes = [
            turned[first : last + 1] + end_values(last - first) @ strains[first:last]
            for first, last in pairwise(firsts.tolist())
        ]
        left = sparse.csr_array(sparse.vstack([one[:-1] for one in slopes]))
        right = sparse.csr_array(sparse.vstack([one[1:] for one in slopes]))
        return cls(nodes, model.sampler("deflection", nodes), (left, right))

    def rows(self, x: np.ndarray) -> sparse.csr_array:
        """Deflections at positions on the beam (m), (positions, n)."""
        return self._combined(x, slope=False)

    def slope_rows(self, x: np.ndarray) -> sparse.csr_array:
        """Slopes at positions on the beam (m), (positions, n)."""
        return self._combined(x, slope=True)

    @cached_property
    def _lines(self) -> sparse.csr_array:
        """Deflections at both ends of all elements, then slopes, (4 elements, n)."""
        return sparse.csr_array(sparse.vstack((self.values[:-1], self.values[1:], *self.slopes)))

    def _combined(self, x: np.ndarray, slope: bool) -> sparse.csr_array:
        elements = self.nodes.size - 1
        k = np.clip(np.searchsorted(self.nodes, x, side="right") - 1, 0, elements - 1)
        h = np.diff(self.nodes)[k]
        s = (x - self.nodes[k]) / h
        if slope:
            up = 6.0 * s * (1.0 - s) / h
            weights = -up, up, (1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)
        else:
            up = s * s * (3.0 - 2.0 * s)
            weights = 1.0 - up, up, h * s * (1.0 - s) ** 2, h * s * s * (s - 1.0)
        columns = (k[:, None] + elements * np.arange(4)).ravel()
        ends = 4 * np.arange(x.size + 1)
        shape = (x.size, 4 * elements)
        combined = sparse.csr_array((np.stack(weights, axis=1).ravel(), columns, ends), shape=shape)
        return sparse.csr_array(combined @ self._lines)


def reach(elements: int, node: int) -> int:
    """Number of elements of a segment on either side of a node that determine the strain there."""
    return min(node, elements - node, REACH // 2)


def end_values(elements: int) -> sparse.csr_array:
    """Weights of the means over the elements of a segment in the values at its nodes, (nodes, elements)."""
    found = np.zeros((elements + 1, elements))
    found[0, 0] = found[-1, -1] = 1.0
    if elements > 1:
        found[0, :2] = found[-1, :-3:-1] = 1.5, -0.5
    for node in range(1, elements):
        side = reach(elements, node)
        powers = np.arange(1.0, 2 * side + 1.0)
        ends = np.arange(-side, side + 1)[:, None] ** powers / powers
        means = np.diff(ends, axis=0)  # of the powers of x over the elements, the node at x = 0
        found[node, node - side : node + side] = np.linalg.solve(means.T, np.eye(2 * side)[0])
    return sparse.csr_array(found)
