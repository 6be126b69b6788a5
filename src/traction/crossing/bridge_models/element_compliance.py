"""Elements under wheels: the smooth track that wheels see, and the compliance of a loaded element, m/N.

With shear the slope of the axis within an element is that of its sections and the mean shear strain, which
jumps at nodes. Wheels that follow such a track are struck at every node, by V times the jump of the slope,
however short the elements. Hermite cubics through the deflections of the nodes, with slopes of the sections
and a shear strain there that is the cubic through the means of the next four elements, have no kinks;
forces act on the coordinates by the same lines. Next to the end of a segment it is the mean of two elements,
and at it linear through those of two. Means of two elements would leave a ripple of (k l)^3/60 of a
wave of number k; its waves run along the beam, come back from its ends and meet the wheel again.

Nodes of `beam_elements` are exact under forces at rest, wherever these act. Between its nodes a loaded
element deflects by more than its shape functions N: by the particular solution that they do not contain, that
of the element with both ends clamped. With xi = x/l, p = xi (1 - xi) and phi = 12 EI/(kGA l^2) a force of 1 N
at xi deflects the clamped element there by

    c(xi) = l^3/(12 EI (1 + phi)) p (4 p^2 + phi (1 + p) + phi^2),

l^3 p^3/(3 EI) in bending alone, l p/kGA in shear alone: N K^-1 N' + c is the deflection of the beam under 1 N
at its point of action, exactly.

Where `SmoothTrack` takes other lines S, the rest is c + D K^-1 (N + S)' with D = N - S. Lines of both kinds
pass through all states of a beam without load on it (cubics), so that D does no work on them: as forces D
deflects nothing beyond the nodes it acts on, and K^-1 D' is that of a few nodes between clamped ones. The
compliance is a polynomial of degree 6 over each element. It is in series with the contact, as the residual
compliance of neglected modes is.

Wheels feel each other likewise, C(s, t) = c(s, t) + D(s) K^-1 N(t)' + S(s) K^-1 D(t)': by c in one element,

    c(s, t) = l^3/(12 EI) [2 (xi - tau)^3 - phi (xi - tau) - n_w(xi) b (2 b^2 - phi) - 6 n_psi(xi) b^2]

with tau = t/l <= xi = s/l, b = 1 - tau and the shape functions n_w and l n_psi of deflection and rotation at
its end; by D some elements further.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy import sparse

from traction.beams.discrete.beam_elements import BeamElements
from traction.beams.discrete.kernels.element_shapes import own_compliances

REACH = 4  #: elements whose mean strains determine that at a node
POINTS = 0.5 + 0.5 * np.cos(np.pi * (np.arange(7) + 0.5) / 7)  #: in an element, that determine a polynomial
CUBIC = 0.5 + 0.5 * np.cos(np.pi * (np.arange(4) + 0.5) / 4)  #: the same of degree 3
FAR = REACH  #: elements between two wheels, from which on they do not feel each other by lines


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

    @cached_property
    def _lines(self) -> sparse.csr_array:
        """Deflections at both ends of all elements, then slopes, (4 elements, n)."""
        return sparse.csr_array(sparse.vstack((self.values[:-1], self.values[1:], *self.slopes)))

    def rows(self, x: np.ndarray, slope: bool = False) -> sparse.csr_array:
        """Deflections, or slopes, at positions on the beam (m), (positions, n)."""
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


@dataclass(frozen=True, eq=False)
class ElementCompliance:
    """Compliance of the elements of a beam under a wheel on them."""

    elements: BeamElements
    smooth: SmoothTrack | None  #: lines that wheels see, if not the shape functions

    def at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Compliance (m/N) and its derivative at positions x (m) of any shape; zero outside the beam."""
        places, nodes = np.ascontiguousarray(x, dtype=float).ravel(), self.elements.nodes
        cell = np.clip(np.searchsorted(nodes, places, side="right") - 1, 0, nodes.size - 2)
        length = np.diff(nodes)[cell]
        xi = (places - nodes[cell]) / length
        on = (places >= nodes[0]) & (places <= nodes[-1])
        value, slope = np.zeros((2, places.size))
        for power in self.polynomials[cell].T[::-1]:
            value, slope = value * xi + power, slope * xi + value
        found = np.where(on, value, 0.0), np.where(on, slope / length, 0.0)
        return found[0].reshape(np.shape(x)), found[1].reshape(np.shape(x))

    def between_wheels(self, places: np.ndarray, pairs: np.ndarray) -> np.ndarray | None:
        """C of pairs of wheels at places (m, (times, wheels)), and its slope as all move, (2, times, pairs).

        Zero where one of a pair is outside the beam; None where no pair is near each other.
        """
        nodes, both = self.elements.nodes, np.sort(places[:, pairs], axis=2)
        cell = np.clip(np.searchsorted(nodes, both, side="right") - 1, 0, nodes.size - 2)
        near = (both[:, :, 0] >= nodes[0]) & (both[:, :, 1] <= nodes[-1])
        near &= cell[:, :, 1] - cell[:, :, 0] <= (0 if self.smooth is None else FAR)
        if not near.any():
            return None
        cell, lengths = cell[near], np.diff(nodes)[cell[near]]
        xi = (both[near] - nodes[cell]) / lengths
        found = np.zeros((2, *near.shape))
        found[:, near] = self._within_element(cell, xi) + self._by_lines(cell, xi, lengths)
        return found

    def _within_element(self, cell: np.ndarray, xi: np.ndarray) -> np.ndarray:
        """c(s, t) and its slope, (2, n), of places xi = (tau, xi) in elements, (n, 2); 0 in two of them."""
        tau, at = xi.T
        geometry, element = self.elements.geometry, cell[:, 0]
        segment = np.searchsorted(geometry.firsts, element, side="right") - 1
        length, phi = geometry.lengths[segment], geometry.phis[segment]
        scale, b, apart = length**3 / (12.0 * self.elements.beam.sections[segment, 0]), 1.0 - tau, at - tau
        w, turned = at * (phi + at * (3.0 - 2.0 * at)), at * (-0.5 * phi - at * (1.0 - 0.5 * phi - at))
        w_slope, turned_slope = phi + 6.0 * at * (1.0 - at), -0.5 * phi - at * (2.0 - phi - 3.0 * at)
        by_end = w * b * (2.0 * b * b - phi) + 6.0 * turned * b * b
        moved = w_slope * b * (2.0 * b * b - phi) - w * (6.0 * b * b - phi)
        moved += 6.0 * turned_slope * b * b - 12.0 * turned * b
        value = scale * (apart * (2.0 * apart**2 - phi) - by_end / (1.0 + phi))
        slope = -scale * moved / ((1.0 + phi) * length)
        return np.where(cell[:, 0] == cell[:, 1], [value, slope], 0.0)

    def _by_lines(self, cell: np.ndarray, xi: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """D K^-1 N' + S K^-1 D' of the same places, and its slope."""
        if self.smooth is None:
            return np.zeros((2, len(cell)))
        terms = self._mutual[cell[:, 1], cell[:, 1] - cell[:, 0]]
        powers = xi[:, :, None] ** np.arange(4)
        rates = np.arange(4) * xi[:, :, None] ** np.maximum(np.arange(4) - 1, 0) / lengths[:, :, None]
        (t, s), (dt, ds) = powers.swapaxes(0, 1), rates.swapaxes(0, 1)

        def total(left: np.ndarray, right: np.ndarray) -> np.ndarray:
            return np.asarray(np.einsum("ni,nij,nj->n", left, terms, right))

        return np.array([total(s, t), total(ds, t) + total(s, dt)])

    @cached_property
    def _mutual(self) -> np.ndarray:
        """Coefficients of xi^i tau^j in D K^-1 N' + S K^-1 D', (elements of s, elements back to t, 4, 4)."""
        model, nodes, smooth, n = self.elements, self.elements.nodes, self.smooth, CUBIC.size
        assert smooth is not None
        places = (nodes[:-1, None] + np.diff(nodes)[:, None] * CUBIC).ravel()
        N, S = model.sampler("deflection", places), smooth.rows(places)
        D, elements = N - S, nodes.size - 1
        to_powers = np.linalg.inv(np.vander(CUBIC, increasing=True))
        found = np.zeros((elements, FAR + 1, n, n))
        for k, own, stiffness in self._patches():
            forces = D[n * k : n * (k + 1)][:, own].toarray()
            moved = np.linalg.solve(stiffness, forces.T) @ to_powers.T
            around = range(max(k - FAR, 0), min(k + FAR + 1, elements))
            rows = slice(n * around.start, n * around.stop)
            shape = (len(around), n, own.size)
            by_n, by_s = (to_powers @ R[rows][:, own].toarray().reshape(shape) @ moved for R in (N, S))
            for m, one, other in zip(around, by_n, by_s, strict=True):  # powers of the place in m, in k
                if m <= k:
                    found[k, k - m] += one.T
                if m >= k:
                    found[m, m - k] += other
        return found

    def _patches(self) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Each element, the coordinates that its D moves, and their stiffness between clamped nodes."""
        model = self.elements
        stiffness = model.banded_matrix("stiffness").csr()
        for first, last in pairwise(model.geometry.firsts.tolist()):
            for k in range(first, last):
                before, after = (reach(last - first, k + j - first) for j in (0, 1))
                nodes = np.arange(max(k - before, first) + 1, min(k + 1 + after, last))
                own = model.numbers[(2 * nodes[:, None] + np.arange(2)).ravel()]
                yield k, own, stiffness[own][:, own].toarray()

    @cached_property
    def polynomials(self) -> np.ndarray:
        """Coefficients of xi^0 to xi^6 in each element, (elements, 7)."""
        model, nodes = self.elements, self.elements.nodes
        places = nodes[:-1, None] + np.diff(nodes)[:, None] * POINTS
        found = np.empty((places.size, 2))
        EI = np.ascontiguousarray(model.beam.sections[:, 0])
        own_compliances(model.geometry, EI, places.ravel(), found)
        values = found[:, 0].reshape(places.shape)
        if self.smooth is not None:
            values = values + self._between_neighbours(self.smooth, places)
        return values @ np.linalg.inv(np.vander(POINTS, increasing=True)).T

    def _between_neighbours(self, smooth: SmoothTrack, places: np.ndarray) -> np.ndarray:
        """D K^-1 (N + S)' at positions in each element, (elements, positions)."""
        model, points = self.elements, places.shape[1]
        N, S = model.sampler("deflection", places.ravel()), smooth.rows(places.ravel())
        D, total, found = N - S, N + S, np.zeros(places.shape)
        for k, own, stiffness in self._patches():
            rows = slice(k * points, (k + 1) * points)
            forces, line = D[rows][:, own].toarray(), total[rows][:, own].toarray()
            found[k] = (line * np.linalg.solve(stiffness, forces.T).T).sum(axis=1)
        return found
