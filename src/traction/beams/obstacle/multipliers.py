"""Spaces for the contact force: point forces at nodes, and densities over the elements.

A density lambda_j phi_j(x), lambda_j >= 0 (N/m), goes with the mean of the gap weighted by phi_j; a point
force with the gap at its node.

    "point"     forces at the nodes
    "constant"  phi = 1 on one element
    "linear"    phi = the hat N_j of a node
    "dual"      phi = 2 N_j - N_i on each element i, j: biorthogonal to the hats (Wohlmuth 2000)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction import checks

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
        total = np.zeros(lengths.size + 1)
        total[:-1] += lengths * means[:, 0]
        total[1:] += lengths * means[:, 1]
        return total
