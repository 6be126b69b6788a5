"""A beam of finite differences (5.22): five points in space, ghost nodes beyond the ends.

The curvature at a node is (u[j-1] - 2 u[j] + u[j+1])/dx^2, and K is the second derivative of the energy
sum_j w_j EI dx curvature_j^2/2 with w = 1/2 at the ends: inside, its rows are (1, -4, 6, -4, 1) EI/dx^3. Of a
ghost node only the slope t = (u[1] - u[-1])/(2 dx) of the end is unknown, and with s = (u[1] - u[0])/dx

    curvature = 2 (s - t)/dx,    energy = (2 EI/dx) (s - t)^2/2 + k t^2/2,

the spring k against rotation in series with the half cell. So k = infinity gives u[-1] = u[1] (clamped,
guided) and the rows (7, -4, 1) of the thesis, k = 0 no moment (pinned, free). Multiplied by dx and halved at
the ends the equations are symmetric, and what a force shares to the nodes is divided by dx through the mass.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from traction import checks
from traction.beams import element_kernels as kernels
from traction.beams.banded_kernels import WIDTH
from traction.beams.discrete import DiscreteBeam, damped_modes, numbered, without_held
from traction.errors import InputError
from traction.integrators.method import Method
from traction.integrators.methods import method as method_of

if TYPE_CHECKING:
    from traction.beams.beam import Beam

FEWEST = 4  #: cells
WHOLE = 1e-9  #: of a cell, by which the end of a segment may miss a node


@dataclass(frozen=True, eq=False)
class BeamDifferences(DiscreteBeam):
    """Displacements are the deflections of the nodes, without those that supports hold."""

    grid: _Grid

    @property
    def order(self) -> int:
        """2."""
        return 2

    @property
    def spacing(self) -> float:
        """dx, m."""
        return self.grid.dx

    def von_neumann_limit(self, method: str | Method, **options: Any) -> float:
        """The longest stable step (s) on a grid without ends, (5.37): its fastest wave goes up and down.

        There omega^2 = (16 EI/dx^4 + k)/(m + 4 rho I/dx^2); the clamped grid itself is a little slower.
        """
        squares = [
            (16.0 * EI / self.spacing**4 + k) / (m + 4.0 * rotary / self.spacing**2)
            for EI, m, _, rotary, k in (segment.section for segment in self.beam.segments)
        ]
        return method_of(method, **options).stability_limit / float(np.sqrt(max(squares)))

    def state_of(self, deflection: np.ndarray, slope: np.ndarray) -> np.ndarray:
        """Values at the nodes."""
        return np.asarray(deflection[self.numbers >= 0])

    def _rows(self, quantity: str, x: np.ndarray) -> sparse.csr_array:
        """By Hermite's cubics through the nodes and their slopes; moments linear between the nodes."""
        dx, n = self.spacing, self.nodes.size
        cell = np.clip((x / dx).astype(np.int64), 0, n - 2)
        xi = x / dx - cell
        grid = self.grid
        if quantity == "moment":
            return sparse.csr_array(_between(cell, n, 1.0 - xi, xi) @ grid.moments)
        if quantity == "shear":
            one = np.ones(x.size) / dx
            return sparse.csr_array(_between(cell, n, -one, one) @ grid.moments)
        row = kernels.DEFLECTION if quantity == "deflection" else kernels.SLOPE
        weights = np.empty((x.size, 4))
        for k in range(x.size):
            kernels.shape_row(row, xi[k], dx, 0.0, 1.0, weights[k])
        own = _between(cell, n, weights[:, 0], weights[:, 2])
        return sparse.csr_array(own + _between(cell, n, weights[:, 1], weights[:, 3]) @ grid.slopes)


def _between(cell: np.ndarray, n: int, first: np.ndarray, second: np.ndarray) -> sparse.csr_array:
    """Rows with two numbers, at the ends of cells."""
    rows = np.repeat(np.arange(cell.size), 2)
    columns = np.stack((cell, cell + 1), axis=1).ravel()
    return sparse.csr_array((np.stack((first, second), axis=1).ravel(), (rows, columns)), shape=(cell.size, n))


@dataclass(frozen=True, eq=False)
class _Grid:
    """Sections and supports on the nodes 0 to n."""

    beam: Beam
    n: int
    ends: np.ndarray  #: nodes of the ends of the segments

    @property
    def dx(self) -> float:
        return self.beam.length / self.n

    @cached_property
    def cells(self) -> np.ndarray:
        """EI, m, rho I and k of the cells, (4, n)."""
        chosen = np.array([[s.section[i] for s in self.beam.segments] for i in (0, 1, 3, 4)])
        return np.repeat(chosen, np.diff(self.ends), axis=1)

    def at_nodes(self, cells: np.ndarray) -> np.ndarray:
        """What the half cells on both sides of each node hold, per cell."""
        return 0.5 * (np.r_[0.0, cells] + np.r_[cells, 0.0])

    @cached_property
    def bending(self) -> np.ndarray:
        """EI of the nodes inside: at a joint both sides bear the same moment, so that compliances add."""
        return 1.0 / self.at_nodes(1.0 / self.cells[0])[1:-1]

    @cached_property
    def end_springs(self) -> np.ndarray:
        """Of the half cells at both ends, 2 EI/dx, N m."""
        return 2.0 * self.cells[0, [0, -1]] / self.dx

    @cached_property
    def end_rotations(self) -> np.ndarray:
        """Springs against rotation at both ends, N m."""
        return np.array([self.beam.supports[0].rotation, self.beam.supports[-1].rotation])

    @cached_property
    def slopes(self) -> sparse.csr_array:
        """w' at the nodes: central differences; at the ends t = s half/(half + spring)."""
        n = self.n
        with np.errstate(invalid="ignore"):
            kept = self.end_springs / (self.end_springs + self.end_rotations)
        rows = sparse.lil_array((n + 1, n + 1))
        rows.setdiag(0.5 / self.dx, 1)
        rows.setdiag(-0.5 / self.dx, -1)
        rows[0, :2] = np.array([-1.0, 1.0]) * kept[0] / self.dx
        rows[n, n - 1 :] = np.array([-1.0, 1.0]) * kept[1] / self.dx
        return sparse.csr_array(rows)

    @cached_property
    def moments(self) -> sparse.csr_array:
        """M = -EI w'' at the nodes; at the ends -+ the spring between s and t."""
        n, dx2 = self.n, self.dx**2
        rows = sparse.lil_array((n + 1, n + 1))
        rows.setdiag(np.r_[0.0, 2.0 * self.bending / dx2, 0.0])
        rows.setdiag(np.r_[0.0, -self.bending / dx2], 1)
        rows.setdiag(np.r_[-self.bending / dx2, 0.0], -1)
        series = self.series / self.dx
        rows[0, :2] = np.array([1.0, -1.0]) * series[0]
        rows[n, n - 1 :] = np.array([-1.0, 1.0]) * series[1]
        return sparse.csr_array(rows)

    @cached_property
    def series(self) -> np.ndarray:
        """Springs of the half cell and of the support in series, N m."""
        with np.errstate(divide="ignore"):
            return 1.0 / (1.0 / self.end_springs + 1.0 / self.end_rotations)

    def bands(self) -> tuple[np.ndarray, np.ndarray]:
        """K and M of all nodes, (4, n + 1)."""
        dx, n = self.dx, self.n
        K, M = np.zeros((WIDTH + 1, n + 1)), np.zeros((WIDTH + 1, n + 1))
        # cut, so that motions without strain need no force to the last digit: see `element_kernels`
        bending = np.array([kernels.cut(c, kernels.DIGITS) for c in self.bending / dx**3])
        for i, a in enumerate((1.0, -2.0, 1.0)):
            for j, b in enumerate((1.0, -2.0, 1.0)[: i + 1]):
                K[i - j, i : i + n - 1] += a * b * bending
        for first, spring in zip((0, n - 1), self.series / dx**2, strict=True):
            K[0, first : first + 2] += spring
            K[1, first + 1] -= spring
        M[0] = self.at_nodes(self.cells[1]) * dx
        K[0] += self.at_nodes(self.cells[3]) * dx
        turning = self.cells[2] / dx
        M[0, :-1] += turning
        M[0, 1:] += turning
        M[1, 1:] -= turning
        self._add_springs(K)
        return K, M

    def _add_springs(self, K: np.ndarray) -> None:
        """Elastic supports; against rotation inside the beam on the central difference."""
        for k, (node, held) in enumerate(zip(self.ends, self.beam.supports, strict=True)):
            if np.isfinite(held.deflection):
                K[0, node] += held.deflection
            if held.rotation and 0 < k < len(self.ends) - 1:
                if not np.isfinite(held.rotation):
                    raise InputError(
                        f"supports[{k}] holds the rotation inside the beam rigidly, which differences cannot "
                        "do; use elements, or two beams."
                    )
                spring = held.rotation / (2.0 * self.dx) ** 2
                K[0, [node - 1, node + 1]] += spring
                K[2, node + 1] -= spring


def differences(beam: Beam, n: int, modes: int | None) -> BeamDifferences:
    """`n` cells of equal length."""
    cells = checks.count("n", n, FEWEST)
    if any(segment.shear_compliance for segment in beam.segments):
        raise InputError(
            "differences are those of EI w'''' = p - m w_tt, Euler and Bernoulli's; the beam has a shear "
            "stiffness. Use elements, or leave out shear_stiffness."
        )
    dx = beam.length / cells
    at = np.rint(beam.ends / dx)
    off = float(np.abs(beam.ends / dx - at).max())
    if off > WHOLE * cells or (np.diff(at) < 1).any():
        raise InputError(
            f"n = {cells} cells of {dx:.6g} m do not end where segments end, at {beam.ends} m; choose n so "
            "that every segment has a whole number of cells, or use elements."
        )
    grid = _Grid(beam, cells, at.astype(np.int64))
    K, M = grid.bands()
    held = [node for node, support in zip(grid.ends, beam.supports, strict=True) if np.isinf(support.deflection)]
    numbers = numbered(cells + 1, np.array(held, dtype=np.int64))
    length = np.array([beam.length])
    geometry = (np.r_[0.0, length], length / cells, np.array([0, cells]), np.zeros(1), numbers, np.ones(cells + 1), kernels.LINEAR)
    return BeamDifferences(
        beam,
        np.linspace(0.0, beam.length, cells + 1),
        numbers,
        without_held(M, numbers),
        without_held(K, numbers),
        geometry,
        damped_modes(beam, modes, int((numbers >= 0).sum())),
        grid,
    )
