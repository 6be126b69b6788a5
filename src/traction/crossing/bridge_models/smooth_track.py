"""`SmoothTrack`: the track that wheels see on finite elements whose slope jumps from one to the next.

With shear the slope of the axis within an element is that of its nodes and the mean shear strain, which jumps
at nodes. Wheels that follow such a track are struck at every node, by V times the jump of the slope, however
short the elements. Hermite cubics through the deflections of the nodes, with the mean of both slopes there,
have no kinks; forces act on the coordinates by the same lines. At ends of segments each side keeps its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.beams.discrete.beam_elements import BeamElements

BESIDE = 1e-9  #: of an element, how far from its nodes slopes are evaluated


@dataclass(frozen=True, eq=False)
class SmoothTrack:
    """Lines of n coordinates over the elements of a beam."""

    nodes: np.ndarray  #: m
    values: np.ndarray  #: deflections of the nodes, (nodes, n)
    slopes: np.ndarray  #: at both ends of each element, (2, elements, n)

    @classmethod
    def of(cls, model: BeamElements) -> SmoothTrack | None:
        """Track of a beam with shear; None where elements meet without kinks."""
        if not any(segment.shear_compliance for segment in model.beam.segments):
            return None
        nodes = model.nodes
        aside = BESIDE * np.diff(nodes)
        left, right = (model.sampler("slope", x).toarray() for x in (nodes[:-1] + aside, nodes[1:] - aside))
        inner = np.ones(nodes.size - 2, dtype=bool)
        inner[model.geometry[2][1:-1] - 1] = False  # nodes at the ends of segments, by their numbers
        mean = 0.5 * (left[1:] + right[:-1])
        left[1:][inner], right[:-1][inner] = mean[inner], mean[inner]
        return cls(nodes, model.sampler("deflection", nodes).toarray(), np.stack((left, right)))

    def rows(self, x: np.ndarray) -> np.ndarray:
        """Deflections at positions on the beam (m), (positions, n)."""
        return self._combined(x, slope=False)

    def slope_rows(self, x: np.ndarray) -> np.ndarray:
        """Slopes at positions on the beam (m), (positions, n)."""
        return self._combined(x, slope=True)

    def _combined(self, x: np.ndarray, slope: bool) -> np.ndarray:
        k = np.clip(np.searchsorted(self.nodes, x, side="right") - 1, 0, self.nodes.size - 2)
        h = np.diff(self.nodes)[k]
        s = (x - self.nodes[k]) / h
        if slope:
            up = 6.0 * s * (1.0 - s) / h
            weights = -up, up, (1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)
        else:
            up = s * s * (3.0 - 2.0 * s)
            weights = 1.0 - up, up, h * s * (1.0 - s) ** 2, h * s * s * (s - 1.0)
        lines = self.values[k], self.values[k + 1], self.slopes[0, k], self.slopes[1, k]
        return np.asarray(sum(w[:, None] * line for w, line in zip(weights, lines, strict=True)))
