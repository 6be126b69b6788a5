"""Work of contact forces on the displacements of finite elements.

The forces live on a mesh of their own. Their work is integrated over the pieces between the nodes of all
meshes, on which all functions are polynomials.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from traction.beams.discrete.beam_elements import BeamElements
from traction.beams.obstacle.beam_line import POINTS, WEIGHTS, Load, sample_load
from traction.beams.obstacle.multipliers import SHAPES
from traction.beams.obstacle.obstacle_shapes import ObstacleGap


@dataclass(frozen=True, eq=False)
class Mortar:
    """Work of each contact force: on the displacements of each beam, and on the gap."""

    works: tuple[sparse.csr_array, ...]  #: (forces, displacements) of each beam
    gaps: np.ndarray  #: work on the gap
    weights: np.ndarray  #: force of each value, N
    resultants: tuple[np.ndarray, ...]  #: work on w = 1 and w = x of each beam's own functions, (2, forces)


def make_mortar(models: tuple[BeamElements, ...], nodes: np.ndarray, name: str, gap: ObstacleGap) -> Mortar:
    """Of the forces of a space on `nodes` (m)."""
    if name == "point":
        x, weight = nodes, np.ones(nodes.size)
        functions = sparse.csr_array(sparse.eye_array(nodes.size))
    else:
        cuts = np.unique(
            np.concatenate([nodes, *(model.nodes[model.nodes <= nodes[-1]] for model in models)])
        )
        cuts = cuts[np.r_[True, np.diff(cuts) > 1e-12 * cuts[-1]]]
        h = np.diff(cuts)
        x, weight = (cuts[:-1, None] + h[:, None] * POINTS).ravel(), (h[:, None] * WEIGHTS).ravel()
        functions = _multiplier_values(name, nodes, x)
    weighted = sparse.csr_array(functions.T @ sparse.diags_array(weight))
    resultants = []
    for model in models:
        every = model._rows("deflection", x)  # also of displacements that supports hold
        one = np.zeros(every.shape[1])
        one[::2] = 1.0
        line = np.stack((model.nodes, model.scales), axis=1).ravel()
        resultants.append(np.stack((weighted @ (every @ one), weighted @ (every @ line))))
    works = tuple(sparse.csr_array(weighted @ model.sampler("deflection", x)) for model in models)
    return Mortar(works, weighted @ gap(x), weighted @ np.ones(x.size), tuple(resultants))


def _multiplier_values(name: str, nodes: np.ndarray, x: np.ndarray) -> sparse.csr_array:
    """Values of the contact forces' functions at places, (places, forces)."""
    h = np.diff(nodes)
    element = np.clip(np.searchsorted(nodes, x, side="right") - 1, 0, h.size - 1)
    t = (x - nodes[element]) / h[element]
    rows = np.arange(x.size)
    (a0, a1), (b0, b1) = SHAPES[name]
    count = h.size if name == "constant" else h.size + 1
    first = sparse.csr_array((a0 + a1 * t, (rows, element)), shape=(x.size, count))
    if name == "constant":
        return first
    return sparse.csr_array(
        first + sparse.csr_array((b0 + b1 * t, (rows, element + 1)), shape=(x.size, count))
    )


def load_vector(model: BeamElements, load: Load) -> np.ndarray:
    """Of a load (N/m) on the displacements of a beam."""
    h = np.diff(model.nodes)
    x = (model.nodes[:-1, None] + h[:, None] * POINTS).ravel()
    weights = (h[:, None] * WEIGHTS).ravel()
    return np.asarray(model.sampler("deflection", x).T @ (sample_load(load, x) * weights))
