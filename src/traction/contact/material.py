"""Elements of the material under a rolling contact: cells that stay while the contact moves over them.

Places along x are in cells of the material grid, whose cell k has its centre at k; the contact has moved on
by `travelled` cells, so that x in contact coordinates is (place - travelled) * dx. In each row the contact
reaches between two edges that move with it; the cells whose centres lie between them are its elements, and
the last ones reach to the edges (see `covered`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction.contact import covered_kernels as kernels
from traction.contact import material_kernels as loops
from traction.contact.covered import BEYOND, REACH, CoveredElements
from traction.contact.friction_patch import FrictionPatch
from traction.halfspace.operator import HalfSpace
from traction.halfspace.tangential import PAIRS, TangentialInfluence

LEAST = 0.1  #: covered part of a cell, in cells, below which it belongs to its neighbour
ALIGNED = 1e-9  #: of a cell, by which the contact may lie off the material grid and still be on it


@dataclass(frozen=True, eq=False)
class RowLoads:
    """Friction bound of each row of a contact as a load that grows along x, between the row's edges."""

    patch: FrictionPatch
    left: np.ndarray  #: edges of the run of each row, in cells of the patch, (runs,)
    right: np.ndarray
    row: np.ndarray  #: of each run
    nodes: tuple[
        tuple[np.ndarray, np.ndarray, np.ndarray], ...
    ]  #: of each run: places, load up to them, slopes

    @classmethod
    def of(cls, patch: FrictionPatch) -> RowLoads:
        """Runs of a patch with the edges of covered elements."""
        elements = CoveredElements(patch, 1)
        left, right = elements.edges
        starts = np.flatnonzero(np.r_[True, (np.diff(elements.row) != 0) | (np.diff(elements.column) != 1)])
        ends = np.r_[starts[1:], elements.row.size]
        nodes = []
        for first, last in zip(starts, ends, strict=True):
            load = patch.bound[elements.row[first:last], elements.column[first:last]]
            # faces between two cells of the run: what the outer ones hold reaches to the edges
            faces, sums = elements.column[first : last - 1] + 0.5, np.cumsum(load)
            inside = (faces > left[first] + ALIGNED) & (faces < right[first] - ALIGNED)
            place = np.r_[left[first], faces[inside], right[first]]
            grown = np.r_[0.0, sums[:-1][inside], sums[-1]]
            nodes.append((place, grown, loops.slopes(place, grown)))
        return cls(patch, left[starts], right[starts], elements.row[starts], tuple(nodes))

    def finer(self, times: int) -> RowLoads:
        """The same loads over cells of a part of the length."""
        if times == 1:
            return self
        grid = self.patch.grid
        fine = replace(grid, nx=times * grid.nx, dx=grid.dx / times)
        patch = FrictionPatch(fine, self.patch.pair, np.repeat(self.patch.bound, times, axis=1))
        first = 0.5 * (times - 1)  # place of the old first centre
        nodes = tuple((times * place + first, times * load, slope) for place, load, slope in self.nodes)
        return RowLoads(patch, times * self.left + first, times * self.right + first, self.row, nodes)

    def between(self, run: int, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Load of a run between places of the patch, in Pa times cells."""
        load: np.ndarray = loops.loads_between(*self.nodes[run], low, high)
        return load


@dataclass(frozen=True, eq=False)
class MaterialElements:
    """Elements of the material grid under a contact, and their tractions' shapes."""

    row: np.ndarray  #: of each element
    cell: np.ndarray  #: number of its cell along x
    low: np.ndarray  #: ends of its covered part
    high: np.ndarray
    lead: np.ndarray  #: edge at which its particles enter
    edge: np.ndarray  #: edge that its shape starts from
    shape: np.ndarray
    bound: np.ndarray  #: mean friction bound over the whole cell, Pa

    @classmethod
    def under(
        cls, loads: RowLoads, origin: float, direction: int, *, whole: bool = False
    ) -> MaterialElements:
        """Those under a contact whose first cell of the patch lies at the place `origin`.

        With `whole`, the cells whose centres lie in the contact are elements, and whole.
        """
        parts = []
        least = 0.5 if whole else LEAST
        for run in range(loads.row.size):
            left, right = origin + loads.left[run], origin + loads.right[run]
            cells = np.arange(
                np.ceil(left - 0.5 + least - ALIGNED), np.floor(right + 0.5 - least + ALIGNED) + 1.0
            )
            if not cells.size:
                cells = np.round([0.5 * (left + right)])
            low, high = cells - 0.5, cells + 0.5
            shape, edge = np.full(cells.size, kernels.FLAT), np.full(cells.size, left)
            if not whole:
                low[0], high[-1] = left, right
                shape[0] = shape[-1] = kernels.ROOT
                edge[-1] = right
            load = loads.between(run, low - origin, high - origin)
            lead = np.full(cells.size, right if direction > 0 else left)
            row = np.full(cells.size, loads.row[run])
            parts.append((row, cells.astype(np.int64), low, high, lead, edge, shape, load))
        return cls(*(np.concatenate(part) for part in zip(*parts, strict=True)))

    @classmethod
    def whole_cells(cls, patch: FrictionPatch, direction: int, times: int = 1) -> MaterialElements:
        """Whole cells with uniform tractions, as a shift leaves them behind, each in as many parts."""
        elements = CoveredElements(patch, direction)
        row, column = np.repeat(elements.row, times), np.repeat(elements.column, times)
        cell = times * column + np.tile(np.arange(times), elements.row.size)
        lead = np.repeat(times * elements.lead + 0.5 * (times - 1), times)
        flat, place = np.full(row.size, kernels.FLAT), cell.astype(float)
        return cls(row, cell, place - 0.5, place + 0.5, lead, place, flat, patch.bound[row, column])

    @classmethod
    def none(cls) -> MaterialElements:
        """Of bodies that do not touch, or touch without friction."""
        number, place = np.zeros(0, dtype=np.int64), np.zeros(0)
        return cls(number, number, place, place, place, place, np.full(0, kernels.FLAT), place)

    @property
    def middle(self) -> np.ndarray:
        """Where slip is taken."""
        return 0.5 * (self.low + self.high)

    @property
    def width(self) -> np.ndarray:
        """Covered part, in cells."""
        return self.high - self.low

    @cached_property
    def first(self) -> int:
        """First cell along x."""
        return int(self.cell.min())

    @cached_property
    def columns(self) -> int:
        """Cells along x that hold all elements."""
        return int(self.cell.max()) - self.first + 1

    @property
    def place(self) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of each element in the window that holds all of them."""
        return self.row - self.top, self.cell - self.first

    @cached_property
    def top(self) -> int:
        """First row."""
        return int(self.row.min())

    @cached_property
    def rows(self) -> int:
        """Rows that hold all elements."""
        return int(self.row.max()) - self.top + 1


class MaterialInfluence:
    """Displacements of elements at points: for each owner, the sum over its targets of factor * u(x)."""

    def __init__(
        self,
        elements: MaterialElements,
        patch: FrictionPatch,
        targets: list[tuple[np.ndarray, np.ndarray, np.ndarray]],
    ) -> None:
        """`targets` are (rows, places, factors), each for the same owners in order."""
        self.elements, self.owners = elements, targets[0][0].size
        self._top = min(elements.top, *(int(rows.min()) for rows, _, _ in targets))
        ny = max(elements.top + elements.rows, *(int(rows.max()) + 1 for rows, _, _ in targets)) - self._top
        self.shape = (ny, elements.columns)
        reach = [x for _, x, factor in targets for x in x[factor != 0.0]]
        beyond = max(
            BEYOND,
            int(elements.first - min(reach)) + 4,
            int(max(reach) - elements.first - elements.columns) + 5,
        )
        self._beyond = beyond
        half_space = HalfSpace(patch.grid, patch.pair)
        self._influence = TangentialInfluence(half_space, (ny, elements.columns + 2), beyond=beyond - 1)
        weights = np.empty((elements.row.size, 3))
        kernels.all_far_weights(
            (elements.low, elements.high, elements.edge, elements.shape), elements.cell, weights
        )
        self._weights = weights / elements.width[:, None]
        self._targets = [self._target(*target) for target in targets]
        self._near = self._corrections(half_space, patch, targets)

    def _target(
        self, rows: np.ndarray, x: np.ndarray, factor: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Rows, first columns and weights of the points that count, and their owners."""
        owners = np.flatnonzero(factor)
        first, nodes = np.empty(owners.size, dtype=np.int64), np.empty((owners.size, kernels.NODES))
        kernels.all_interpolations(x[owners], first, nodes)
        column = first - self.elements.first + self._beyond
        return rows[owners] - self._top, column, nodes * factor[owners, None], owners

    def product(self, mean: np.ndarray) -> np.ndarray:
        """Sums for each owner, m, (2, owners), from the mean tractions of the cells, Pa, (2, n)."""
        elements = self.elements
        ny, nx = self.shape
        field = np.zeros((2, ny, nx + 2))
        traction = np.ascontiguousarray(mean)
        row, column = elements.row - self._top, elements.cell - elements.first
        loops.spread(traction, row, column, self._weights, field)
        u = np.ascontiguousarray(self._influence.product(field))
        total = np.zeros((2, self.owners))
        for target in self._targets:
            loops.gather(u, *target, total)
        loops.add_products(*self._near, traction, total)
        return total

    def own(self) -> np.ndarray:
        """Product of each element with its own unit traction, (2, n), where the owners are the elements."""
        elements, lags = self.elements, self._influence.lags
        entries, values = self._near
        own = entries[:, 0] == entries[:, 1]
        numbers = np.zeros((2, self.owners))
        for c, kind in ((0, 0), (1, 2)):
            np.add.at(numbers[c], entries[own, 0], values[own, kind])
            for _, first, nodes, owners in self._targets:
                cell = elements.cell[owners]
                place = first - self._beyond + elements.first
                for k in range(kernels.NODES):
                    for side in range(3):
                        distance = np.minimum(np.abs(place + k - cell - side + 1), lags[c].shape[1] - 1)
                        numbers[c, owners] += nodes[:, k] * self._weights[owners, side] * lags[c][0, distance]
        return numbers

    def _corrections(
        self,
        half_space: HalfSpace,
        patch: FrictionPatch,
        targets: list[tuple[np.ndarray, np.ndarray, np.ndarray]],
    ) -> tuple[np.ndarray, np.ndarray]:
        elements, grid = self.elements, patch.grid
        ny, nx = self.shape
        number = np.full(self.shape, -1)
        number[elements.row - self._top, elements.cell - elements.first] = np.arange(elements.row.size)
        reach = (ny, nx + 1 + self._beyond)
        own = half_space.factor("x", "x")
        tables = tuple(
            half_space.factor(*pair) / own * half_space.spectrum(*pair, reach).lags for pair in PAIRS
        )
        aspect = 1.0 if grid.is_line else grid.dy / grid.dx
        reference = (grid.length or 1.0) / grid.dx if grid.is_line else 0.0
        geometry = (aspect, half_space.pair.poisson_ratio, reference, float(REACH))
        shift = float(elements.first)
        moved = (number, elements.low - shift, elements.high - shift, elements.edge - shift, elements.shape)
        used = [factor != 0.0 for _, _, factor in targets]
        owners = np.arange(self.owners)
        places = tuple(
            np.concatenate(part)
            for part in zip(
                *(
                    (rows[use] - self._top, x[use] - shift, owners[use])
                    for (rows, x, _), use in zip(targets, used, strict=True)
                ),
                strict=True,
            )
        )
        factors = np.concatenate([factor[use] for (_, _, factor), use in zip(targets, used, strict=True)])
        room = max(1, places[0].size * (2 * REACH + 1) ** 2)
        entries, values = np.empty((room, 2), dtype=np.int64), np.empty((room, 3))
        count = loops.near_entries(moved, places, factors, tables, geometry, entries, values)
        entries, values = entries[:count].copy(), values[:count]
        return entries, values * (own / elements.width[entries[:, 1]])[:, None]
