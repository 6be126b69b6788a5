"""Steady rolling of elements as matrices that all members of a batch share.

The slip of a member is H p + W where its elements hold their particles. Shares change it (see
`covered_rolling`): of elements that stick at the exit the columns of their tractions, of elements that glide
their own rows. With the shares on the diagonals of S and G, over a step of one cell,

    slip = (1 - G) (H + dH S) p + G (C + dC S) p + W,

with four matrices that depend on the contact alone. Whole cells have H only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.contact.batch.mirror_sectors import MirrorSectors
from traction.contact.elements.covered_cells import CoveredElements
from traction.contact.elements.covered_rolling import SlipPoints
from traction.contact.elements.whole_cells import SPIN_OFFSET
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.halfspace.half_space import HalfSpace
from traction.halfspace.tangential_influence import PAIRS

Matrix = np.ndarray  # (ns, 2 h, columns)


@dataclass(frozen=True, eq=False)
class RollingMatrices:
    """Matrices of a patch in sectors, slips over rho; and what else its elements have, at their ne places."""

    patch: FrictionPatch
    row: np.ndarray  #: of each element on the window of the patch, (n,)
    column: np.ndarray
    sectors: MirrorSectors
    rho: float  #: Pa/m, the scale of slips
    held: Matrix  #: H
    by_sticking: Matrix | None  #: dH, for elements at the exit
    by_gliding: Matrix | None  #: C - H, and behind it dC, for elements at the exit
    rigid: np.ndarray  #: slip of a unit of each creepage, (3, ns, 2 h)
    exits: np.ndarray  #: number of the pair among those at the exit, or -1, (ne,)
    own: np.ndarray  #: of H, dH, C and dC: slip by an own unit traction, (4, 2, ne)
    turn: np.ndarray  #: slip along y by a unit of spin, centred minus held, (ne,)
    least: np.ndarray  #: slip of a whole cell by its own unit traction, (2,)
    arms: np.ndarray  #: x at which the force of each acts, its change where it sticks, and y, m, (3, ne)

    @property
    def covered(self) -> bool:
        """Whether elements have shares."""
        return self.by_gliding is not None

    def take_places(self, bound: np.ndarray) -> np.ndarray:
        """Values over the window at the ne places."""
        chosen = self.sectors.elements
        return np.ascontiguousarray(bound[..., self.row[chosen], self.column[chosen]])


def fill_whole_cells(patch: FrictionPatch, direction: int) -> RollingMatrices:
    """The matrices of whole cells in steady rolling."""
    row, column = (where.astype(np.int64) for where in np.nonzero(patch.bound > 0.0))
    half_space, (ny, nx), dx = HalfSpace(patch.grid, patch.pair), patch.grid.shape, patch.grid.dx
    sectors, n = MirrorSectors.find(row, column), row.size
    up, along = (np.subtract.outer(where, where) for where in (row, column))
    matrix = np.empty((2, n, 2, n))
    for (i, j), pair in zip(((0, 0), (0, 1), (1, 1)), PAIRS, strict=True):
        lags = half_space.factor(*pair) * half_space.spectrum(*pair, (ny, nx + 1)).lags
        odd, rows = i != j, np.abs(up)
        here, ahead = (
            lags[rows, np.abs(place)] * ((np.sign(place) * np.sign(up)) if odd else 1.0)
            for place in (along, along + direction)
        )
        matrix[i, :, j], matrix[j, :, i] = here - ahead, here - ahead
    own = np.array([matrix[k, 0, k, 0] for k in (0, 1)])
    rho, zero = 2.0 / own.sum(), np.zeros(sectors.elements.size)
    x, y = patch.grid.x[column] + direction * SPIN_OFFSET * dx, patch.grid.y[row]
    arms = np.array([patch.grid.x[column][sectors.elements], zero, y[sectors.elements]])
    own_field = rho * np.broadcast_to(own[:, None], (2, zero.size))
    return RollingMatrices(
        patch, row, column, sectors, rho,
        held=rho * sectors.fold_matrix(matrix, sectors, np.arange(n)),
        by_sticking=None,
        by_gliding=None,
        rigid=sectors.fold_fields(rho * dx * _turn(x, y)),
        exits=np.full(zero.size, -1),
        own=np.array([own_field, 0.0 * own_field, own_field, 0.0 * own_field]),
        turn=zero,
        least=rho * own,
        arms=arms,
    )  # fmt: skip


def fill_covered(patch: FrictionPatch, direction: int) -> RollingMatrices:
    """The matrices of covered elements."""
    elements, dx = CoveredElements(patch, direction), patch.grid.dx
    (low, high), leaves, n = elements.covered, elements.ends[1], elements.row.size
    sectors = MirrorSectors.find(elements.row, elements.column, low, high)
    some, one, at = sectors.select(leaves), np.ones(n), sectors.elements
    points = [SlipPoints(elements, elements.load_parts(s * one), one > 0.0) for s in (0.0, 1.0)]
    rho = 2.0 / float(points[0].usual.sum())
    every, last = np.arange(n), np.flatnonzero(leaves)
    place = np.full(n, -1)
    place[last] = np.arange(last.size)
    H, C = (points[0].weigh(g * one).matrix(every) for g in (0.0, 1.0))
    dH, dC = (points[1].weigh(g * one).matrix(last) - m[..., last] for g, m in ((0.0, H), (1.0, C)))
    held, glide = (sectors.fold_matrix(m, sectors, every) for m in (H, C - H))
    by_sticking, glide_exit = (sectors.fold_matrix(m, some, place) for m in (dH, dC))
    own = np.zeros((4, 2, n))
    for k in (0, 1):
        own[0, k], own[2, k] = H[k, every, k, every], C[k, every, k, every]
        own[1, k, last], own[3, k, last] = (m[k, last, k, place[last]] for m in (dH, dC))
    x, y = (patch.grid.x[0] + dx * elements.middle, patch.grid.y[elements.row])
    ahead = 0.5 * direction * dx * elements.way
    centres = [patch.grid.x[elements.column] + dx * (w[:, 2] - w[:, 0]) for w in (p.parts.far_weights for p in points)]
    exits = np.full(n, -1)
    for half in (some.upper, some.lower):
        exits[half] = np.arange(half.size)
    return RollingMatrices(
        patch, elements.row, elements.column, sectors, rho,
        held=rho * held,
        by_sticking=rho * by_sticking,
        by_gliding=rho * np.concatenate((glide, glide_exit), axis=2),
        rigid=sectors.fold_fields(rho * dx * _turn(x + ahead, y)),
        exits=exits[at],
        own=rho * own[..., at],
        turn=-rho * dx * ahead[at],
        least=rho * points[0].usual,
        arms=np.array([centres[0], centres[1] - centres[0], y])[:, at],
    )  # fmt: skip


def _turn(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Fields of a unit of each creepage at places, (3, 2, n)."""
    one, zero = np.ones_like(x), np.zeros_like(x)
    return np.array([[one, zero], [zero, one], [-y, x]])
