"""The equations of a line and its contact forces, ordered along the beam so that they form a band.

Unknowns of each node, one block: w, psi, point force, density, and M, V at the left end of the element that
follows. Rows of each node: equilibrium of forces and of moments (or the support that replaces them), the
condition of the point force and of the density, and the transfer of w and psi by the element that follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import lapack

from traction.beams.obstacle import beam_line as lines
from traction.beams.obstacle.beam_line import BeamLine
from traction.beams.obstacle.multipliers import MultiplierSpace
from traction.errors import InputError

BLOCK = 6
POINT, DENSITY, MOMENT, SHEAR = 2, 3, 4, 5  #: places of unknowns in a block after w and psi
LOWER, UPPER = 9, 6  #: half widths of the band
STATE = np.array([0, 1, MOMENT, SHEAR])  #: the state at the left end of an element in a block


class LooseError(InputError):
    """Raised when supports and contact forces of a state do not hold the beam."""


@dataclass(frozen=True, eq=False)
class ContactBalance:
    """Unknowns of one solution, and quantities derived from them."""

    states: np.ndarray  #: w, psi, M, V right of each node, (nodes, 4)
    left: np.ndarray  #: w, psi, M, V left of each node, (nodes, 4)
    points: np.ndarray  #: point forces of the contact, upwards
    densities: np.ndarray  #: contact force per length, one per function
    deflections: np.ndarray  #: (nodes, 2), from the reference: at the point, and weighted by the function
    polynomials: np.ndarray  #: of the state over each element, (elements, 4, degrees)


@dataclass(frozen=True, eq=False)
class ContactEquations:
    """A line with a space for its contact force.

    Deflections are counted from the straight line a + b x: on a plane obstacle they are then zero in the
    contact, and rounding, which the Euler-Bernoulli contact force divides by l^4, is
    that of zero.
    """

    line: BeamLine
    space: MultiplierSpace
    softness: np.ndarray  #: deflection beyond the gap per point force, 0 where points are rigid
    reference: tuple[float, float]  #: a and b

    @cached_property
    def weights(self) -> np.ndarray:
        """Integral of each function of the density."""
        return self.space.weights(self.line.lengths)

    @property
    def possible(self) -> np.ndarray:
        """Which point forces and densities exist, (nodes, 2)."""
        return np.stack((self.space.points, self.weights > 0.0), axis=1)

    @cached_property
    def _responses(self) -> tuple[np.ndarray, np.ndarray]:
        """State at the right end, and mean of w, of each element from the two densities on it."""
        ends, means = self.line.ends[:, :, 4:6], self.line.moments[:, :, 4:6]
        shapes = self.space.shapes  # (e, function, c0 c1)
        return np.einsum("esa,efa->esf", ends, shapes), np.einsum("ema,efa->emf", means, shapes)

    @cached_property
    def _base(self) -> tuple[np.ndarray, np.ndarray]:
        """Band and right side of all rows but those of the contact."""
        line, n = self.line, self.line.count
        band = np.zeros((2 * LOWER + UPPER + 1, BLOCK * (n + 1)))
        right = np.zeros((n + 1, BLOCK))
        at = BLOCK * np.arange(n + 1)
        T, R = line.ends[:, :, :4], line.ends[:, :, lines.LOAD]
        P, _ = self._responses

        def put(rows: np.ndarray, columns: np.ndarray, values: np.ndarray) -> None:
            band[LOWER + UPPER + rows - columns, columns] = values

        for force, row, state in ((1, 0, lines.V), (0, 1, lines.M)):  # equilibrium at the nodes
            rigid = np.isinf(line.springs[:, row])
            spring = np.where(rigid, 1.0, line.springs[:, row])
            sign = np.where(rigid, 1.0, -1.0 if row == 0 else 1.0)
            put(at + row, at + row, sign * spring)
            loose = np.flatnonzero(~rigid)
            before = loose[loose > 0]
            for k in range(4):
                put(at[before] + row, at[before - 1] + STATE[k], -T[before - 1, state, k])
            for f in range(2):
                put(at[before] + row, at[before - 1] + BLOCK * f + DENSITY, -P[before - 1, state, f])
            put(at[loose] + row, at[loose] + MOMENT + force, np.ones(loose.size))
            right[before, row] = R[before - 1, state]
            if row == 0:
                put(at[loose], at[loose] + POINT, -np.ones(loose.size))
                right[loose, 0] -= line.forces[loose]
        for row, state in ((4, lines.W), (5, lines.PSI)):  # through the elements
            for k in range(4):
                put(at[:-1] + row, at[:-1] + STATE[k], T[:, state, k])
            for f in range(2):
                put(at[:-1] + row, at[:-1] + BLOCK * f + DENSITY, P[:, state, f])
            put(at[:-1] + row, at[1:] + state, -np.ones(n))
            right[:-1, row] = -R[:, state]
            put(at[-1:] + row, at[-1:] + row, np.ones(1))  # nothing follows the last node
        return band, right

    def solve(self, touching: np.ndarray, gaps: np.ndarray) -> ContactBalance:
        """With `gaps` as deflections, from the reference, of the touching points and densities (nodes, 2)."""
        band, right = (array.copy() for array in self._base)
        n = self.line.count
        self._shift(right)
        at = BLOCK * np.arange(n + 1)
        middle = LOWER + UPPER
        points, densities = np.flatnonzero(touching[:, 0]), touching[:, 1]
        open_points = np.flatnonzero(~touching[:, 0])
        band[middle, at[open_points] + POINT] = 1.0
        band[middle, at[~densities] + DENSITY] = 1.0
        band[middle + POINT, at[points]] = 1.0
        band[middle, at[points] + POINT] = -self.softness[points]
        right[points, POINT] = gaps[points, 0]
        self._density_rows(band, right, densities, gaps[:, 1])
        lu, pivots, info = lapack.dgbtrf(band, LOWER, UPPER, overwrite_ab=True)
        if info:
            raise LooseError(
                "the supports and the contact do not hold the beam: a rigid-body motion is possible. "
                "Support it at two positions, clamp an end, or give a foundation."
            )
        x = lapack.dgbtrs(lu, LOWER, UPPER, right.ravel(), pivots)[0]
        return self._balance(np.asarray(x).reshape(n + 1, BLOCK))

    @cached_property
    def centres(self) -> np.ndarray:
        """Place of each point, and mean place of each density, (nodes, 2)."""
        line, shapes = self.line, self.space.shapes
        start, h = line.nodes[:-1, None], line.lengths[:, None]
        c0, c1 = shapes[..., 0], shapes[..., 1]
        share = h * (start * (c0 + 0.5 * c1) + h * (0.5 * c0 + c1 / 3.0))
        return np.stack((line.nodes, self.weighted_mean(share[:, 0], share[:, 1])), axis=1)

    def weighted_mean(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Mean of each density from the integrals with the first and the second function of each element."""
        total = lines.sum_at_nodes(first, second)
        return np.divide(total, self.weights, out=np.zeros_like(total), where=self.weights > 0.0)

    def _shift(self, right: np.ndarray) -> None:
        """Forces of supports and foundation due to the reference."""
        a, b = self.reference
        line = self.line
        for row, value in ((0, a + b * line.nodes), (1, np.full(line.nodes.size, b))):
            spring = line.springs[:, row]
            rigid = np.isinf(spring)
            elastic = np.where(rigid, 0.0, spring) * (1.0 if row == 0 else -1.0)
            right[:, row] += np.where(rigid, -value, elastic * value)
        if line.bed.any():
            push = np.einsum("esa,ea->es", line.ends[:, :, 4:6], self._bed_columns())
            for row, state in ((0, lines.V), (1, lines.M)):
                loose = ~np.isinf(line.springs[1:, row])
                right[1:, row][loose] += push[loose, state]
            right[:-1, 4] -= push[:, lines.W]
            right[:-1, 5] -= push[:, lines.PSI]

    def _bed_columns(self) -> np.ndarray:
        """The foundation under the reference as a contact force, its constant and its sloped part."""
        a, b = self.reference
        line = self.line
        return np.stack((line.bed * (a + b * line.nodes[:-1]), line.bed * b * line.lengths), axis=1)

    def _density_rows(
        self, band: np.ndarray, right: np.ndarray, touching: np.ndarray, gaps: np.ndarray
    ) -> None:
        """Mean of w weighted by each function = mean of the gap, on the band."""
        line = self.line
        means, own = line.moments, self._responses[1]
        middle = LOWER + UPPER
        scale = np.where(self.weights > 0.0, 1.0 / np.where(self.weights > 0.0, self.weights, 1.0), 0.0)
        right[touching, DENSITY] = gaps[touching]
        for f in range(2):  # of the node at the left end of an element, and of that at its right
            element = np.flatnonzero(touching[f:][: line.count])
            node = element + f
            row = BLOCK * node + DENSITY
            factor = line.lengths[element, None] * self.space.shapes[element, f] * scale[node, None]
            for k in range(4):
                column = BLOCK * element + STATE[k]
                value = (factor * means[element, :, k]).sum(axis=1)
                np.add.at(band, (middle + row - column, column), value)
            for other in range(2):
                column = BLOCK * (element + other) + DENSITY
                value = (factor * own[element, :, other]).sum(axis=1)
                np.add.at(band, (middle + row - column, column), value)
            fixed = means[element, :, lines.LOAD]
            fixed = fixed + np.einsum("ema,ea->em", means[element, :, 4:6], self._bed_columns()[element])
            right[node, DENSITY] -= (factor * fixed).sum(axis=1)

    def _balance(self, x: np.ndarray) -> ContactBalance:
        line, shapes = self.line, self.space.shapes
        a, b = self.reference
        states, densities = x[:, STATE].copy(), x[:, DENSITY]
        states[-1, 2:] = 0.0
        columns = np.ones((line.count, 7))
        columns[:, :4] = states[:-1]
        columns[:, 4:6] = densities[:-1, None] * shapes[:, 0] + densities[1:, None] * shapes[:, 1]
        columns[:, 4:6] += self._bed_columns()
        left = np.zeros_like(states)
        left[1:] = np.einsum("esc,ec->es", line.ends, columns)
        left[0, :2] = states[0, :2]
        means = np.einsum("emc,ec->em", line.moments, columns) * line.lengths[:, None]
        mean = self.weighted_mean(*((means * shapes[:, f]).sum(axis=1) for f in range(2)))
        polynomials = np.einsum("ecsn,ec->esn", line.pieces, columns)
        deflections = np.stack((states[:, 0] - self.softness * x[:, POINT], mean), axis=1)
        for one in (states, left):
            one[:, lines.W] += a + b * line.nodes
            one[:, lines.PSI] += b
        polynomials[:, lines.W, 0] += a + b * line.nodes[:-1]
        polynomials[:, lines.W, 1] += b * line.lengths
        polynomials[:, lines.PSI, 0] += b
        return ContactBalance(states, left, x[:, POINT].copy(), densities.copy(), deflections, polynomials)
