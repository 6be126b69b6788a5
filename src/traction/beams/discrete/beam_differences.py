"""A beam of finite differences: five points in space, ghost nodes beyond the ends.

The curvature at a node is (u[j-1] - 2 u[j] + u[j+1])/dx^2, and K is the second derivative of the energy
sum_j EI dx curvature_j^2/2: its rows are (1, -4, 6, -4, 1) EI/dx^3. Seen from the node, the half cells on its
sides bend from its slope t to the slopes l = (u[j] - u[j-1])/dx and r = (u[j+1] - u[j])/dx,

    energy = a (t - l)^2/2 + b (r - t)^2/2 + k t^2/2,    a = 2 EI/dx on the left, b on the right,

with the spring k of a support against rotation. t is where this is least. Inside a beam that is the central
difference; at an end only one side is there, and t stands for the ghost node: k = infinity gives u[-1] = u[1]
(clamped, guided) and the row (7, -4, 1) of de Looij (2015), k = 0 no moment (pinned, free). Multiplied by dx
and halved at the ends the equations are symmetric; the nodal shares of a force are divided by dx through the
mass.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from traction import checks
from traction.beams.beam_description import BeamDescription
from traction.beams.discrete.beam_elements import MOST_ELEMENTS, cut_digits
from traction.beams.discrete.discrete_beam import DiscreteBeam, number_free
from traction.beams.discrete.kernels import element_shapes as kernels
from traction.beams.discrete.kernels.banded_matrices import WIDTH
from traction.errors import InputError
from traction.integrators.core.method import Method
from traction.integrators.method_table import method as method_of

FEWEST = 4  #: cells
WHOLE = 1e-9  #: of a cell, by which the end of a segment may miss a node


class BeamDifferences(DiscreteBeam):
    """Displacements are the deflections of the nodes, without those that supports prevent."""

    @cached_property
    def grid(self) -> _DifferenceGrid:
        """Sections and supports on the nodes."""
        return _DifferenceGrid(self.beam, self.nodes.size - 1)

    @property
    def order(self) -> int:
        """2."""
        return 2

    @property
    def spacing(self) -> float:
        """dx, m."""
        return self.grid.dx

    def von_neumann_limit(self, method: str | Method, **options: object) -> float:
        """The longest stable step (s) on an infinite grid, whose fastest wave alternates.

        There omega^2 = (16 EI/dx^4 + k)/(m + 4 rho I/dx^2) (de Looij 2015, 5.37); the clamped grid itself
        is a little slower.
        """
        squares = [
            (16.0 * EI / self.spacing**4 + k) / (m + 4.0 * rotary / self.spacing**2)
            for EI, m, _, rotary, k in self.beam.sections
        ]
        return method_of(method, **options).stability_limit / float(np.sqrt(max(squares)))

    def state_of(self, deflection: np.ndarray, slope: np.ndarray) -> np.ndarray:
        """Values at the nodes."""
        return np.asarray(deflection[self.numbers >= 0])

    def _rows(self, quantity: str, x: np.ndarray) -> sparse.csr_array:
        """Rows by Hermite cubics through the nodes and their slopes; moments linear between the nodes."""
        dx, n, grid = self.spacing, self.nodes.size, self.grid
        _, cell, xi = self._find_cells(x)
        if quantity in ("moment", "shear"):
            none, one = np.zeros(x.size), np.full(x.size, 1.0 / dx)
            first, last = (1.0 - xi, xi) if quantity == "moment" else (-one, one)
            left, right = grid.moments
            ends = _make_end_rows(cell, n, first, none) @ right, _make_end_rows(cell, n, none, last) @ left
            return sparse.csr_array(ends[0] + ends[1])
        row = kernels.DEFLECTION if quantity == "deflection" else kernels.SLOPE  # which is the rotation
        weights, unit = np.empty((x.size, 4)), np.ones(x.size)
        kernels.shape_rows(row, xi, dx * unit, 0.0 * unit, unit, weights)
        own = _make_end_rows(cell, n, weights[:, 0], weights[:, 2])
        return sparse.csr_array(own + _make_end_rows(cell, n, weights[:, 1], weights[:, 3]) @ grid.slopes)


def _make_end_rows(cell: np.ndarray, n: int, first: np.ndarray, second: np.ndarray) -> sparse.csr_array:
    """Rows with two numbers, at the ends of cells."""
    rows = np.repeat(np.arange(cell.size), 2)
    columns = np.stack((cell, cell + 1), axis=1).ravel()
    return sparse.csr_array(
        (np.stack((first, second), axis=1).ravel(), (rows, columns)), shape=(cell.size, n)
    )


@dataclass(frozen=True, eq=False)
class _DifferenceGrid:
    """Sections and supports on the nodes 0 to n."""

    beam: BeamDescription
    n: int

    @cached_property
    def ends(self) -> np.ndarray:
        """Nodes of the ends of the segments."""
        return np.rint(self.beam.ends / self.dx).astype(np.int64)

    @property
    def dx(self) -> float:
        return self.beam.length / self.n

    @cached_property
    def cells(self) -> np.ndarray:
        """EI, m, rho I and k of the cells, (4, n)."""
        return np.repeat(self.beam.sections[:, [0, 1, 3, 4]].T, np.diff(self.ends), axis=1)

    def at_nodes(self, cells: np.ndarray) -> np.ndarray:
        """Mass of the half cells on both sides of each node, per cell."""
        return 0.5 * (np.r_[0.0, cells] + np.r_[cells, 0.0])

    @cached_property
    def springs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """a, b and k of the nodes, N m; cut, so that motions without strain need no force to the last digit.

        See `beam_elements`.
        """
        half = cut_digits(2.0 * self.cells[0] / self.dx)
        k = np.zeros(self.n + 1)
        k[self.ends] = [held.rotation for held in self.beam.supports]
        return np.r_[0.0, half], np.r_[half, 0.0], k

    @cached_property
    def _slopes_beside(self) -> tuple[sparse.csr_array, sparse.csr_array]:
        """l and r of the nodes."""
        n = self.n
        step = sparse.diags_array([-np.ones(n), np.ones(n)], offsets=[0, 1], shape=(n, n + 1)) / self.dx
        none = sparse.csr_array((1, n + 1))
        return sparse.csr_array(sparse.vstack((none, step))), sparse.csr_array(sparse.vstack((step, none)))

    @cached_property
    def slopes(self) -> sparse.csr_array:
        """t = (a l + b r)/(a + b + k)."""
        a, b, k = self.springs
        left, right = self._slopes_beside
        return sparse.csr_array(_scale_rows(a / (a + b + k), left) + _scale_rows(b / (a + b + k), right))

    @cached_property
    def moments(self) -> tuple[sparse.csr_array, sparse.csr_array]:
        """M = -EI w'' on the left and on the right of the nodes; they differ by the moment of a support."""
        a, b, _ = self.springs
        left, right = self._slopes_beside
        return (
            sparse.csr_array(_scale_rows(a, left - self.slopes)),
            sparse.csr_array(_scale_rows(b, self.slopes - right)),
        )

    def bands(self) -> tuple[np.ndarray, np.ndarray]:
        """K and M of all nodes, (4, n + 1)."""
        dx, n = self.dx, self.n
        K, M = np.zeros((WIDTH + 1, n + 1)), np.zeros((WIDTH + 1, n + 1))
        self._add_bending(K)
        M[0] = self.at_nodes(self.cells[1]) * dx
        K[0] += self.at_nodes(self.cells[3]) * dx
        turning = self.cells[2] / dx
        M[0, :-1] += turning
        M[0, 1:] += turning
        M[1, 1:] -= turning
        for node, held in zip(self.ends, self.beam.supports, strict=True):
            K[0, node] += held.deflection if np.isfinite(held.deflection) else 0.0
        return K, M

    def _add_bending(self, K: np.ndarray) -> None:
        """The energy is (p l^2 + 2 q l r + s r^2)/2 with t eliminated."""
        a, b, k = self.springs
        held = np.isinf(k)
        spring = np.where(held, 0.0, k)
        total = a + b + spring
        p = np.where(held, a, a * (b + spring) / total)
        s = np.where(held, b, b * (a + spring) / total)
        q = np.where(held, 0.0, -a * b / total)
        p, q, s = (cut_digits(x / self.dx**2) for x in (p, q, s))
        K[0] += p - 2.0 * q + s
        K[0, :-1] += p[1:]
        K[0, 1:] += s[:-1]
        K[1, 1:] += (q - p)[1:] + (q - s)[:-1]
        K[2, 2:] -= q[1:-1]


def _scale_rows(factors: np.ndarray, rows: sparse.csr_array) -> sparse.csr_array:
    """Rows of a matrix times numbers."""
    return sparse.csr_array(sparse.diags_array(factors) @ rows)


def divide_into_cells(beam: BeamDescription, n: int, modes: int | None = None) -> BeamDifferences:
    """`n` cells of equal length; `modes` are damped."""
    cells = checks.count("n", n, FEWEST, MOST_ELEMENTS)
    if beam.shears:
        raise InputError(
            "differences are those of EI w'''' = p - m w_tt, Euler-Bernoulli's; the beam has a shear "
            "stiffness. Use elements, or leave out shear_stiffness."
        )
    grid = _DifferenceGrid(beam, cells)
    off = float(np.abs(beam.ends / grid.dx - grid.ends).max())
    if off > WHOLE * cells or (np.diff(grid.ends) < 1).any():
        raise InputError(
            f"n = {cells} cells of {grid.dx:.6g} m do not end where segments end, at {beam.ends} m; choose n "
            "so that every segment has a whole number of cells, or use elements."
        )
    rigid = np.isinf([support.deflection for support in beam.supports])
    numbers = number_free(cells + 1, grid.ends[rigid])
    length = np.array([beam.length])
    ends, firsts, scales = np.r_[0.0, length], np.array([0, cells]), np.ones(cells + 1)
    geometry = kernels.BeamCells(ends, length / cells, firsts, np.zeros(1), numbers, scales, False)
    nodes = np.linspace(0.0, beam.length, cells + 1)
    return BeamDifferences.without_held(beam, nodes, grid.bands(), geometry, modes)
