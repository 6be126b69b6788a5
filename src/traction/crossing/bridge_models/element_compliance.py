"""Compliance of a loaded element under a wheel: what nodes and lines between them leave of a force, m/N.

Nodes of `beam_elements` are exact under forces at rest, wherever these act. Between its nodes a loaded
element deflects by more than its shape functions N: by the particular solution that they do not contain, that
of the element with both ends clamped. With xi = x/l, p = xi (1 - xi) and phi = 12 EI/(kGA l^2) a force of 1 N
at xi deflects the clamped element there by

    c(xi) = l^3/(12 EI (1 + phi)) p (4 p^2 + phi (1 + p) + phi^2),

l^3 p^3/(3 EI) in bending alone, l p/kGA in shear alone: N K^-1 N' + c is the deflection of the beam under 1 N
at its point of action, exactly.

Where `smooth_track` takes other lines S, the rest is c + D K^-1 (N + S)' with D = N - S. Lines of both kinds
pass through all states of a beam without load on it (cubics), so that D does no work on them: as forces D
deflects nothing beyond the nodes it acts on, and K^-1 D' is that of a few nodes between clamped ones. The
compliance is a polynomial of degree 6 over each element. It is in series with the contact, as the residual
compliance of neglected modes is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from traction.beams.discrete.beam_elements import BeamElements
from traction.beams.discrete.kernels.element_shapes import own_compliances
from traction.crossing.bridge_models.smooth_track import SmoothTrack, reach

POINTS = 0.5 + 0.5 * np.cos(np.pi * (np.arange(7) + 0.5) / 7)  #: in an element, that determine a polynomial


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
        D, total = N - S, N + S
        stiffness, found = model.banded_matrix("stiffness").csr(), np.zeros(places.shape)
        for first, last in pairwise(model.geometry.firsts.tolist()):
            for k in range(first, last):
                before, after = (reach(last - first, k + j - first) for j in (0, 1))
                nodes = np.arange(max(k - before, first) + 1, min(k + 1 + after, last))
                own = model.numbers[(2 * nodes[:, None] + np.arange(2)).ravel()]
                rows = slice(k * points, (k + 1) * points)
                forces, line = D[rows][:, own].toarray(), total[rows][:, own].toarray()
                moved = np.linalg.solve(stiffness[own][:, own].toarray(), forces.T)
                found[k] = (line * moved.T).sum(axis=1)
        return found
