"""Spaces for the contact force: point forces at nodes, and densities over the elements; their work on beams.

A density lambda_j phi_j(x), lambda_j >= 0 (N/m), is conjugate to the mean of the gap weighted by phi_j; a
point force to the gap at its node.

    "point"     forces at the nodes
    "constant"  phi = 1 on one element
    "linear"    phi = the hat N_j of a node
    "dual"      phi = 2 N_j - N_i on each element i, j: biorthogonal to the hats (Wohlmuth 2000)

On finite elements the forces have a mesh of their own. Their work is integrated over the pieces between
the nodes of all meshes, on which all functions are polynomials.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from traction import checks
from traction.beams.discrete.beam_elements import BeamElements
from traction.beams.obstacle.beam_line import POINTS, WEIGHTS, Load, find_elements, sample_load, sum_at_nodes
from traction.beams.obstacle.obstacle_shapes import ObstacleGap

SPACES = ("point", "constant", "linear", "dual")
#: (first, second) function on an element as c0 + c1 t
SHAPES = {
    "point": ((0.0, 0.0), (0.0, 0.0)),
    "constant": ((1.0, 0.0), (0.0, 0.0)),
    "linear": ((1.0, -1.0), (0.0, 1.0)),
    "dual": ((2.0, -3.0), (-1.0, 3.0)),
}


@dataclass(frozen=True, eq=False)
class MultiplierSpace:
    """Multipliers of one line: a density and a point force for each node, in one block.

    The density of the first function of element e has the number e, that of the second the number e + 1;
    the constant ones have no second. Where `halves` is false a function is cut off from an element, which
    is how a contact that begins at a node begins there with its full force.
    """

    name: str
    halves: np.ndarray  #: whether the first and the second function act on an element, (elements, 2)
    points: np.ndarray  #: whether a point force may act on a node

    @classmethod
    def of(cls, name: str, count: int) -> MultiplierSpace:
        """The space on a line of `count` elements."""
        known = checks.choice("multiplier", name, SPACES)
        points = np.full(count + 1, known == "point")
        return cls(known, np.full((count, 2), known != "point"), points)

    @cached_property
    def shapes(self) -> np.ndarray:
        """c0 and c1 of both functions on each element, (elements, 2, 2)."""
        return np.where(self.halves[:, :, None], np.array(SHAPES[self.name]), 0.0)

    def weights(self, lengths: np.ndarray) -> np.ndarray:
        """Integral of each phi_j."""
        means = self.shapes[..., 0] + 0.5 * self.shapes[..., 1]
        return sum_at_nodes(lengths * means[:, 0], lengths * means[:, 1])


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
        functions = _evaluate_multipliers(name, nodes, x)
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


def _evaluate_multipliers(name: str, nodes: np.ndarray, x: np.ndarray) -> sparse.csr_array:
    """Values of the contact forces' functions at positions, (positions, forces)."""
    element, t = find_elements(nodes, x)
    rows, (first, second) = np.arange(x.size), SHAPES[name]
    shape = x.size, nodes.size - (name == "constant")
    values = sparse.csr_array((first[0] + first[1] * t, (rows, element)), shape=shape)
    if name != "constant":
        values = values + sparse.csr_array((second[0] + second[1] * t, (rows, element + 1)), shape=shape)
    return sparse.csr_array(values)


def load_vector(model: BeamElements, load: Load) -> np.ndarray:
    """Of a load (N/m) on the displacements of a beam."""
    h = np.diff(model.nodes)
    x = (model.nodes[:-1, None] + h[:, None] * POINTS).ravel()
    weights = (h[:, None] * WEIGHTS).ravel()
    return np.asarray(model.sampler("deflection", x).T @ (sample_load(load, x) * weights))
