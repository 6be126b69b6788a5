"""Slip of elements by their tractions, as matrices that all members of a batch share.

The slip of a member is H p + W where its elements hold their particles. Shares change it (see
`covered_rolling`): of elements that stick at the exit the columns of their tractions, of elements that glide
their own rows. With the shares on the diagonals of S and G, over a step of one cell,

    slip = (1 - G) (H + dH S) p + G (C + dC S) p + W,

with four matrices that depend on the contact alone. Whole cells have H only.

Where the elements at -y are the mirror images of those at +y, tractions along x that are even in y displace
nothing but the even part along x and the odd part along y, and vice versa. A matrix falls into two blocks
of half the size: half the memory and half the work of each product. Without symmetry there is one block.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.contact.batch.kernels.mirror_folds import fold_rows
from traction.contact.elements.covered_cells import CoveredElements
from traction.contact.elements.covered_rolling import SlipPoints
from traction.contact.elements.element_influence import ElementInfluence
from traction.contact.elements.whole_cells import SPIN_OFFSET, choose_step_rho
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.halfspace.half_space import HalfSpace
from traction.halfspace.tangential_influence import PAIRS
from traction.processors import available_cores

#: tau of steady rolling, whose operator is of order zero: of about this size for all waves
ROLLING_STEP = 0.85
NOTHING = np.empty((2, 0, 0))  #: matrices of whole cells, which have no shares

MOST_THREADS = 16  #: that fill the matrices of one contact

Matrix = np.ndarray  # (ns, 2 h, columns)
Influences = list[list[ElementInfluence]]  # of elements that do not stick or do, held or gliding
Columns = tuple[np.ndarray, np.ndarray, np.ndarray]  # all, at the exit, place of each there or -1


@dataclass(frozen=True, eq=False)
class MirrorSectors:
    """Pairs of elements that are mirror images; fields of elements are (2, ne), sectors (ns, 2 h).

    Elements in the middle are pairs with themselves: they are counted twice among the ne = ns h, with half
    the weight.
    """

    upper: np.ndarray  #: elements at +y, (h,)
    lower: np.ndarray  #: their images, or () without symmetry

    @classmethod
    def find(
        cls, row: np.ndarray, column: np.ndarray, *features: np.ndarray, same: float = 0.0
    ) -> MirrorSectors:
        """Of elements in rows and columns; features of images differ by no more than `same`."""
        number = {place: e for e, place in enumerate(zip(row.tolist(), column.tolist(), strict=True))}
        last = int(row.min() + row.max())
        image = np.array([number.get((last - j, i), -1) for j, i in number], dtype=np.int64)
        if (image < 0).any() or any(np.abs(f - f[image]).max() > same for f in features):
            return cls(np.arange(row.size), np.empty(0, dtype=np.int64))
        upper = np.flatnonzero(2 * row >= last)
        return cls(upper, image[upper])

    @property
    def count(self) -> int:
        """Number of sectors, 1 or 2."""
        return 2 if self.lower.size else 1

    @cached_property
    def elements(self) -> np.ndarray:
        """The element at each of the ne places."""
        return np.concatenate((self.upper, self.lower))

    @cached_property
    def share(self) -> np.ndarray:
        """Weight of each place in a sum over the elements, (ne,)."""
        shares = 1.0 / np.bincount(self.elements)
        return np.asarray(shares[self.elements])

    @cached_property
    def weight(self) -> np.ndarray:
        """Of a sector in the field of a pair: 1/sqrt(2), 1 of an element in the middle, (h,)."""
        if self.count == 1:
            return np.ones(self.upper.size)
        return np.where(self.upper == self.lower, 1.0, np.sqrt(0.5))

    def take(self, pairs: np.ndarray) -> MirrorSectors:
        """Some of the pairs."""
        return MirrorSectors(self.upper[pairs], self.lower[pairs] if self.lower.size else self.lower)

    def fold_fields(self, fields: np.ndarray) -> np.ndarray:
        """Sectors (..., ns, 2 h) of fields of elements, (..., 2, n)."""
        up, half = fields[..., self.upper], 0.5 / self.weight
        if self.count == 1:
            return np.concatenate((up[..., 0, :], up[..., 1, :]), axis=-1)[..., None, :]
        down = fields[..., self.lower]
        even, odd = (up + down) * half, (up - down) * half
        first = np.concatenate((even[..., 0, :], odd[..., 1, :]), axis=-1)
        second = np.concatenate((odd[..., 0, :], even[..., 1, :]), axis=-1)
        return np.stack((first, second), axis=-2)

    def fold_matrix(self, rows: np.ndarray, sources: MirrorSectors, columns: np.ndarray) -> np.ndarray:
        """Blocks (ns, 2 h, 2 h') of a matrix, of which only the rows of `upper` are needed, (2, h, 2, m).

        columns: the column of each element, (n,). The rows of the images say the same.
        """
        left = columns[sources.upper]
        if self.count == 1:
            return rows[..., left].reshape(1, 2 * self.upper.size, -1)
        blocks = np.empty((2, 2 * self.upper.size, 2 * left.size))
        alone = self.upper == self.lower
        fold_rows(rows, alone, self.weight, left, columns[sources.lower], sources.weight, blocks)
        return blocks

    def unfold_fields(self, sectors: np.ndarray) -> np.ndarray:
        """Fields of elements (..., 2, n) from sectors (..., ns, 2 h)."""
        h = self.upper.size
        x, y = sectors[..., :h], sectors[..., h:]
        fields = np.zeros((*sectors.shape[:-2], 2, int(self.elements.max()) + 1))
        if self.count == 1:
            fields[..., 0, self.upper], fields[..., 1, self.upper] = x[..., 0, :], y[..., 0, :]
            return fields
        (e, f), (q, r) = (np.moveaxis(part * self.weight, -2, 0) for part in (x, y))
        fields[..., 0, self.upper], fields[..., 0, self.lower] = e + f, e - f
        fields[..., 1, self.upper], fields[..., 1, self.lower] = r + q, r - q
        return fields


@dataclass(frozen=True, eq=False)
class SlipMatrices:
    """Matrices of a patch in sectors, slips over rho; and what else its elements have, at their ne places."""

    patch: FrictionPatch
    row: np.ndarray  #: of each element on the window of the patch, (n,)
    column: np.ndarray
    sectors: MirrorSectors
    rho: float  #: Pa/m, the scale of slips
    tau: float  #: length of the steps of the splitting
    held: Matrix  #: H
    by_sticking: Matrix  #: dH, for elements at the exit
    by_gliding: Matrix  #: C - H, and behind it dC, for elements at the exit
    rigid: np.ndarray  #: slip of a unit of each creepage, (3, ns, 2 h)
    exits: np.ndarray  #: number of the pair among those at the exit, or -1, (ne,)
    own: np.ndarray  #: of H, dH, C and dC: slip by an own unit traction, (4, 2, ne)
    turn: np.ndarray  #: slip along y by a unit of spin, centred minus held, (ne,)
    least: np.ndarray  #: slip of a whole cell by its own unit traction, (2,)
    arms: np.ndarray  #: x at which the force of each acts, its change where it sticks, and y, m, (3, ne)
    direction: int  #: of rolling, +1 or -1; 0 of a shift
    reach: np.ndarray | None = None  #: ways of particles over a cell, (n,); None of whole cells

    def take_places(self, bound: np.ndarray) -> np.ndarray:
        """Values over the window at the ne places."""
        chosen = self.sectors.elements
        return np.ascontiguousarray(bound[..., self.row[chosen], self.column[chosen]])


def fill_whole_cells(patch: FrictionPatch, direction: int, layer: float = 0.0) -> SlipMatrices:
    """The matrices of whole cells in steady rolling over one cell, or in a shift where the direction is 0.

    layer: compliance of a layer between the bodies, m/Pa.
    """
    row, column = (where.astype(np.int64) for where in np.nonzero(patch.bound > 0.0))
    (ny, nx), dx, n = patch.grid.shape, patch.grid.dx, row.size
    sectors = MirrorSectors.find(row, column)
    matrix = np.empty((2, sectors.upper.size, 2, n))
    up, along = (np.subtract.outer(where[sectors.upper], where) for where in (row, column))
    half_space = HalfSpace(patch.grid, patch.pair)
    for (i, j), pair in zip(((0, 0), (0, 1), (1, 1)), PAIRS, strict=True):
        lags = half_space.factor(*pair) * half_space.spectrum(*pair, (ny, nx + 1)).lags

        def displace(place: np.ndarray, lags: np.ndarray = lags, odd: bool = i != j) -> np.ndarray:
            values = lags[np.abs(up), np.abs(place)]
            return np.asarray(values * np.sign(place) * np.sign(up)) if odd else values

        matrix[i, :, j] = displace(along) - (displace(along + direction) if direction else 0.0)
        matrix[j, :, i] = matrix[i, :, j]
    if layer > 0.0:
        for k in (0, 1):
            matrix[k, :, k] += layer * ((up == 0) & (along == 0))
            matrix[k, :, k] -= layer * ((up == 0) & (along == -direction)) if direction else 0.0
    own = np.array([matrix[k, 0, k, sectors.upper[0]] for k in (0, 1)])
    rho, zero = 2.0 / float(own.sum()), np.zeros(sectors.elements.size)
    x, y, way = patch.grid.x[column], patch.grid.y[row], dx if direction else 1.0
    least = rho * own if direction else own * 4.0 / (own.sum() ** 2 * float(choose_step_rho(own, n)))
    return SlipMatrices(
        patch, row, column, sectors, rho,
        tau=ROLLING_STEP if direction else _choose_step(matrix, sectors, row, column, rho),
        held=rho * sectors.fold_matrix(matrix, sectors, np.arange(n)),
        by_sticking=NOTHING,
        by_gliding=NOTHING,
        rigid=sectors.fold_fields(rho * way * _turn(x + direction * SPIN_OFFSET * dx, y)),
        exits=np.full(zero.size, -1),
        own=np.zeros((4, 2, zero.size)),
        turn=zero,
        least=least,
        arms=np.array([x[sectors.elements], zero, y[sectors.elements]]),
        direction=direction,
    )  # fmt: skip


def _choose_step(
    matrix: np.ndarray, sectors: MirrorSectors, row: np.ndarray, column: np.ndarray, rho: float
) -> float:
    """1 over the root of the extreme eigenvalues of a half space, which is symmetric and positive.

    They are about those of a uniform and of an alternating traction along x and y.
    """
    waves, upper = (np.ones(row.size), (-1.0) ** (row + column)), sectors.upper
    twice = sectors.count * sectors.share[: upper.size]  # of rows that stand for their images too
    sizes = [
        rho * float((twice * wave[upper]) @ matrix[k, :, k] @ wave) / row.size
        for k in (0, 1)
        for wave in waves
    ]
    return float(1.0 / np.sqrt(min(sizes) * max(sizes)))


def fill_covered(patch: FrictionPatch, direction: int, same: float, layer: float = 0.0) -> SlipMatrices:
    """The matrices of covered elements; edges that differ by so much of a cell are mirror images.

    layer: compliance of a layer between the bodies, m/Pa.
    """
    elements, dx = CoveredElements(patch, direction), patch.grid.dx
    (low, high), leaves, n = elements.covered, elements.ends[1], elements.row.size
    sectors = MirrorSectors.find(elements.row, elements.column, low, high, same=same)
    some, one, at = sectors.take(leaves[sectors.upper]), np.ones(n), sectors.elements
    points = [SlipPoints(elements, elements.load_parts(s * one), one > 0.0) for s in (0.0, 1.0)]
    rho = 2.0 / (float(points[0].usual.sum()) + 2.0 * layer)
    every, last = np.arange(n), np.flatnonzero(leaves)
    place = np.full(n, -1)
    place[last] = np.arange(last.size)
    influences = [[at_points.weigh(g * one) for g in (0.0, 1.0)] for at_points in points]
    blocks, own_above = _fill_side_by_side(influences, sectors, some, (every, last, place), rho)
    own = np.zeros((4, 2, n))
    own[..., sectors.upper] = own_above
    if sectors.count == 2:
        own[..., sectors.lower] = own_above
    held, sheared = blocks[0], layer / ((high - low) * elements.way)
    if layer > 0.0:
        held += rho * sectors.fold_matrix(_shear_layer(elements, sectors, layer), sectors, every)
        own[::2] += sheared
    x, y = (patch.grid.x[0] + dx * elements.middle, patch.grid.y[elements.row])
    ahead = 0.5 * direction * dx * elements.way
    centres = [
        patch.grid.x[elements.column] + dx * (w[:, 2] - w[:, 0])
        for w in (p.parts.far_weights for p in points)
    ]
    exits = np.full(n, -1)
    for half in (some.upper, some.lower):
        exits[half] = np.arange(half.size)
    return SlipMatrices(
        patch, elements.row, elements.column, sectors, rho,
        tau=ROLLING_STEP,
        held=held,
        by_sticking=blocks[1],
        by_gliding=blocks[2],
        rigid=sectors.fold_fields(rho * dx * _turn(x + ahead, y)),
        exits=exits[at],
        own=rho * own[..., at],
        turn=-rho * dx * ahead[at],
        least=rho * (points[0].usual + layer),
        arms=np.array([centres[0], centres[1] - centres[0], y])[:, at],
        direction=direction,
        reach=elements.way,
    )  # fmt: skip


def _shear_layer(elements: CoveredElements, sectors: MirrorSectors, layer: float) -> np.ndarray:
    """Slip of the upper elements by the shear of a layer (m/Pa) under all, (2, h, 2, n)."""
    (low, high), n, upper = elements.covered, elements.row.size, sectors.upper
    number = elements.spread_over_window(np.arange(1, n + 1))
    before = np.pad(number, ((0, 0), (1, 1)))[elements.row, elements.column + 1 + elements.direction]
    matrix, rows = np.zeros((2, upper.size, 2, n)), np.arange(upper.size)
    behind = np.flatnonzero(before[upper] > 0)
    source = before[upper[behind]].astype(np.int64) - 1
    for k in (0, 1):
        matrix[k, rows, k, upper] = layer / ((high - low) * elements.way)[upper]
        matrix[k, behind, k, source] = -layer / ((high - low)[source] * elements.way[upper[behind]])
    return matrix


def _fill_side_by_side(
    influences: Influences, sectors: MirrorSectors, some: MirrorSectors, columns: Columns, rho: float
) -> tuple[tuple[Matrix, Matrix, Matrix], np.ndarray]:
    """Blocks of rho H, rho dH and rho (C - H, dC), and entries of own tractions, (4, 2, h); on all cores."""
    h, ns = sectors.upper.size, sectors.count
    sizes = 2 * h, 2 * some.upper.size, 2 * (h + some.upper.size)
    held, sticking, gliding = (np.empty((ns, 2, h, size)) for size in sizes)
    own = np.empty((4, 2, h))

    def fill(rows: np.ndarray) -> None:
        parts, own[:, :, rows] = _fill_rows(influences, sectors.take(rows), (sectors, some), columns)
        span = slice(rows[0], rows[-1] + 1)
        np.multiply(rho, parts[0], out=held[:, :, span])
        np.multiply(rho, parts[2], out=sticking[:, :, span])
        np.multiply(rho, parts[1], out=gliding[:, :, span, : 2 * h])
        np.multiply(rho, parts[3], out=gliding[:, :, span, 2 * h :])

    count = min(MOST_THREADS, available_cores(), h)
    with ThreadPoolExecutor(count) as threads:
        list(threads.map(fill, np.array_split(np.arange(h), count)))
    blocks = (held.reshape(ns, 2 * h, -1), sticking.reshape(ns, 2 * h, -1), gliding.reshape(ns, 2 * h, -1))
    return blocks, own


def _fill_rows(
    influences: Influences,
    here: MirrorSectors,
    sources: tuple[MirrorSectors, MirrorSectors],
    columns: Columns,
) -> tuple[list[np.ndarray], np.ndarray]:
    """Of some rows: H, C - H, dH, dC, (ns, 2, rows, columns), and entries of own tractions, (4, 2, rows)."""
    (every, last, place), (sectors, some), count = columns, sources, here.upper.size
    H, C = (whole.matrix(here.upper, every) for whole in influences[0])
    dH, dC = (
        part.matrix(here.upper, last) - m[..., last] for part, m in zip(influences[1], (H, C), strict=True)
    )
    own, number = np.zeros((4, 2, count)), np.arange(count)
    leaving = np.flatnonzero(place[here.upper] >= 0)
    at = place[here.upper[leaving]]
    for k in (0, 1):
        own[::2, k] = H[k, number, k, here.upper], C[k, number, k, here.upper]
        own[1::2, k, leaving] = dH[k, leaving, k, at], dC[k, leaving, k, at]
    blocks = [here.fold_matrix(m, sectors, every) for m in (H, C - H)]
    blocks += [here.fold_matrix(m, some, place) for m in (dH, dC)]
    return [block.reshape(len(block), 2, count, -1) for block in blocks], own


def _turn(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Fields of a unit of each creepage at places, (3, 2, n)."""
    one, zero = np.ones_like(x), np.zeros_like(x)
    return np.array([[one, zero], [zero, one], [-y, x]])
