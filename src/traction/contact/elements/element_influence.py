"""Displacements by tractions on covered parts of cells: far away as whole cells, near by exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from traction.contact.elements.kernels import covered_shapes as shapes
from traction.contact.elements.kernels import element_products as loops
from traction.contact.elements.kernels import near_field as kernels
from traction.halfspace.half_space import HalfSpace
from traction.halfspace.tangential_influence import PAIRS, TangentialInfluence

REACH = kernels.REACH
NOTHING = np.empty((0, 0, 3))

Steps = tuple[np.ndarray, np.ndarray, np.ndarray]  # their number, places and sizes; far weights
Operator = tuple[Any, ...]  # of `element_products.slip_of`
Target = tuple[np.ndarray, np.ndarray, np.ndarray]  # rows, places along x (cells), factors


@dataclass(frozen=True, eq=False)
class LoadedParts:
    """Elements, each a covered part of a cell with the shape of its traction; places are in cells along x."""

    half_space: HalfSpace  #: of the cells
    row: np.ndarray  #: of each element
    cell: np.ndarray  #: number of its cell along x
    low: np.ndarray  #: ends of its covered part
    high: np.ndarray
    edge: np.ndarray  #: edge that its shape starts from
    shape: np.ndarray

    @property
    def middle(self) -> np.ndarray:
        """Where slip is taken."""
        return 0.5 * (self.low + self.high)

    @property
    def width(self) -> np.ndarray:
        """Covered part, in cells."""
        return self.high - self.low

    @cached_property
    def top(self) -> int:
        """First row."""
        return int(self.row.min())

    @cached_property
    def first(self) -> int:
        """First cell along x."""
        return int(self.cell.min())

    @cached_property
    def rows(self) -> int:
        """Rows that hold all elements."""
        return int(self.row.max()) - self.top + 1

    @cached_property
    def columns(self) -> int:
        """Cells along x that hold all elements."""
        return int(self.cell.max()) - self.first + 1

    @cached_property
    def place(self) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of each element in the window that holds all of them."""
        return self.row - self.top, self.cell - self.first

    @cached_property
    def far_weights(self) -> np.ndarray:
        """Weights of the three cells that act like each element far away, for its mean over a whole cell."""
        weights = np.empty((self.row.size, 3))
        shapes.all_far_weights((self.low, self.high, self.edge, self.shape), self.cell, weights)
        return weights / self.width[:, None]

    @cached_property
    def cut(self) -> np.ndarray:
        """Numbers of the elements that are no whole cells."""
        cut = np.empty(self.row.size, dtype=np.int64)
        loops.cut_numbers(self.low, self.high, self.shape, cut)
        return cut

    @cached_property
    def tables(self) -> np.ndarray:
        """A_xx, A_xy, A_yy of whole cells near by, in units of A_xx's factor; (3, rows, columns)."""
        return near_tables(self.half_space, (self.reach, 2 * REACH + shapes.NODES))

    @property
    def reach(self) -> int:
        """Rows within which the exact influence is taken, with their own."""
        return 1 if self.half_space.grid.is_line else REACH + 1

    @cached_property
    def geometry(self) -> tuple[float, bool, np.ndarray]:
        """Poisson ratio, whether it is plane strain, faces of rows (or the reference length) in cells."""
        grid, nu = self.half_space.grid, self.half_space.pair.poisson_ratio
        if grid.is_line:
            return nu, True, np.array([(grid.length or 1.0) / grid.dx])
        return nu, False, grid.dy / grid.dx * (np.arange(self.reach) + 0.5)

    @cached_property
    def cut_steps(self) -> Steps:
        """Of the tractions on cut elements, see `element_steps`."""
        cut = self.cut >= 0
        cell = self.cell[cut]
        return _steps(self.low[cut] - cell, self.high[cut] - cell, self.edge[cut] - cell, self.shape[cut])

    @cached_property
    def centre_corrections(self) -> np.ndarray:
        """Exact minus far influence of the cut elements at centres of cells near by."""
        return self._corrections(self.cut_steps, 0.0)

    @cached_property
    def halfway_corrections(self) -> np.ndarray:
        """The same halfway between centres."""
        return self._corrections(self.cut_steps, -0.5)

    @cached_property
    def whole_halfway(self) -> np.ndarray:
        """The same of a whole cell."""
        low, high, edge = np.array([[-0.5], [0.5], [0.0]])
        return self._corrections(_steps(low, high, edge, np.full(1, shapes.FLAT)), -0.5)[0]

    def _corrections(self, steps: Steps, offset: float) -> np.ndarray:
        result = np.empty((steps[0].size, 2 * REACH + 1, self.reach, 3))
        kernels.element_corrections(steps, offset, self.tables, self.geometry, result)
        return result


@lru_cache(maxsize=16)
def near_tables(half_space: HalfSpace, reach: tuple[int, int]) -> np.ndarray:
    """A_xx, A_xy, A_yy of whole cells at distances >= 0, in units of A_xx's factor."""
    own = half_space.factor("x", "x")
    lags = (half_space.factor(*pair) / own * half_space.spectrum(*pair, reach).lags for pair in PAIRS)
    return np.array(list(lags))


def _steps(low: np.ndarray, high: np.ndarray, edge: np.ndarray, shape: np.ndarray) -> Steps:
    """Steps of the tractions on elements, counted from their own cells."""
    count, steps = np.empty(low.size, dtype=np.int64), np.empty((low.size, shapes.STRIPS + 1, 2))
    weights = np.empty((low.size, 3))
    kernels.element_steps((low, high, edge, shape), count, steps, weights)
    return count, steps, weights


class ElementInfluence:
    """Displacements of elements at points: for each owner, the sum over its points of factor * u(x)."""

    def __init__(self, parts: LoadedParts, targets: Sequence[Target]) -> None:
        """`targets` are for the same owners in order; points with the factor 0 are left out."""
        self.parts, self.owners = parts, targets[0][0].size
        used = [np.flatnonzero(factor) for _, _, factor in targets]
        row, x, factor = (
            np.concatenate([part[use] for part, use in zip(group, used, strict=True)])
            for group in zip(*targets, strict=True)
        )
        self._owners = np.concatenate(used), factor
        self._top = min(parts.top, int(row.min()))
        ny = max(parts.top + parts.rows, int(row.max()) + 1) - self._top
        self.shape = (ny, parts.columns)
        x = x - parts.first
        self._place = parts.row - self._top, parts.cell - parts.first
        node, nodes = np.empty(x.size, dtype=np.int64), np.empty((x.size, shapes.NODES))
        shapes.all_interpolations(x, node, nodes)
        self.beyond = max(2, -int(node.min()), int(node.max()) + shapes.NODES - parts.columns)
        self.influence = TangentialInfluence(
            parts.half_space, (ny, parts.columns + 2), beyond=self.beyond - 1
        )
        self._points = row - self._top, node + self.beyond, nodes
        self._near, self._halfway = self._corrections(row - self._top, x)
        self._all = np.arange(parts.row.size)
        self._field = np.empty((2, ny, parts.columns + 2))

    def product(self, mean: np.ndarray) -> np.ndarray:
        """Sums for each owner, m, (2, owners), from the mean tractions of the cells, Pa, (2, n)."""
        return self.over(mean, self._all, self._owners, self.owners)

    def at_points(self, mean: np.ndarray) -> np.ndarray:
        """Displacements at all points whose factor is not 0, one target after the other; (2, points)."""
        count = self._owners[0].size
        return self.over(mean, self._all, (np.arange(count), np.ones(count)), count)

    def summed(self, points: np.ndarray) -> np.ndarray:
        """Sums for each owner, m, (2, owners), from `at_points`."""
        owner, factor = self._owners
        return np.array([np.bincount(owner, factor * u, self.owners) for u in points])

    def on_window(self, shape: tuple[int, int], place: tuple[np.ndarray, np.ndarray]) -> WindowProduct:
        """The product of fields over a window, (2, ny, nx), where the elements, the owners, have places."""
        source = place[0] * shape[1] + place[1]
        return WindowProduct(self, shape, source, (source[self._owners[0]], self._owners[1]))

    def over(
        self, traction: np.ndarray, source: np.ndarray, owners: tuple[np.ndarray, np.ndarray], size: int
    ) -> np.ndarray:
        """Sums for `size` owners from tractions, of which each element has the one in the place `source`."""
        total = np.empty((2, size))
        traction = np.ascontiguousarray(traction)
        operator = self.operator(source, owners)
        if operator is not None:
            loops.slip_of(operator, traction, total)
            return total
        elements, points = self._operands(source, owners)
        loops.spread(traction, *elements[:3], self._field)
        loops.collect(self.influence.product(self._field), elements, points, traction, total)
        return total

    def operator(self, source: np.ndarray, owners: tuple[np.ndarray, np.ndarray]) -> Operator | None:
        """Data of `element_products.slip_of`, which does the same as `over`; None where transforms do it."""
        waves = self.influence.waves
        return None if waves is None else (*self._operands(source, owners), waves)

    def _operands(
        self, source: np.ndarray, owners: tuple[np.ndarray, np.ndarray]
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Elements and points as `element_products` want them."""
        elements = source, self._place, self.parts.far_weights, self.parts.cut
        return elements, (self._points, self._near, owners, self._halfway)

    def interpolated(self, field: np.ndarray) -> np.ndarray:
        """The same sums of displacements at cells, from row 0 and `beyond` columns before the first on."""
        row, node, nodes = self._points
        total, (owner, factor) = np.zeros((2, self.owners)), self._owners
        for n in range(shapes.NODES):
            for c in range(2):
                np.add.at(total[c], owner, factor * nodes[:, n] * field[c, row + self._top, node + n])
        return total

    def own(self) -> np.ndarray:
        """Product of each element with its own unit traction, (2, n), where the owners are the elements."""
        parts, total = self.parts, np.empty((2, self.owners))
        points = self._points[1] - self.beyond, self._points[2]
        cells = self._place[1], parts.far_weights, parts.cut
        loops.diagonal(points, (self._near, self._halfway), cells, self._owners, self.influence.lags, total)
        return total

    def _corrections(self, row: np.ndarray, x: np.ndarray) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What is added to the far influence.

        A matrix: first entry of each point, elements, values; and, of whole cells at points halfway between
        them, the place of each point in `element_products.halfway` and what acts there.
        """
        parts = self.parts
        number = np.full(self.shape, -1)
        number[self._place] = np.arange(parts.row.size)
        cut = np.flatnonzero(parts.cut >= 0)
        begin = np.searchsorted(self._place[0][cut], np.arange(self.shape[0] + 1))
        cuts = begin, self._place[1][cut], cut
        kinds, first = np.empty(x.size, dtype=np.int64), np.empty(x.size + 1, dtype=np.int64)
        place = np.empty(x.size, dtype=np.int64)
        halves = kernels.kinds_of(x, kinds, parts.columns, place) > 0
        kernels.count_near(number, cuts[:2], (row, x), kinds, first, REACH)
        matrix = first, np.empty(first[-1], dtype=np.int64), np.empty((first[-1], 3))
        own = parts.half_space.factor("x", "x")
        elements = (number, parts.cut, own / parts.width, cuts, parts.cut_steps)
        centres = parts.centre_corrections
        tables = centres, parts.halfway_corrections if halves else centres[:0]
        kernels.fill_near(elements, (row, x, kinds), tables, parts.tables, parts.geometry, matrix)
        return matrix, (place, own * parts.whole_halfway if halves else NOTHING)


class WindowProduct:
    """Product of fields over a window that holds elements, which are the owners of all points."""

    def __init__(
        self,
        influence: ElementInfluence,
        shape: tuple[int, int],
        source: np.ndarray,
        owners: tuple[np.ndarray, np.ndarray],
    ) -> None:
        self._influence, self._shape, self._source, self._owners = influence, shape, source, owners

    def __call__(self, traction: np.ndarray) -> np.ndarray:
        """Sums for each element, m, (2, ny, nx), from mean tractions, Pa."""
        size = self._shape[0] * self._shape[1]
        found = self._influence.over(traction.reshape(2, size), self._source, self._owners, size)
        return found.reshape(2, *self._shape)

    @property
    def operator(self) -> Operator | None:
        """The same for compiled code, where there is such a thing."""
        return self._influence.operator(self._source, self._owners)


def whole_cells(
    bound: np.ndarray, influence: TangentialInfluence, points: Sequence[tuple[int, float]]
) -> Operator | None:
    """`ElementInfluence.operator` of cells that have a bound, which are all whole.

    Each of the points lies so many columns from every cell, and has a factor; None by transforms.
    """
    if influence.waves is None:
        return None
    row, column = np.nonzero(bound)
    count, total = row.size, row.size * len(points)
    source = row * bound.shape[1] + column
    nothing = np.zeros(total + 1, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros((0, 3))
    unit = np.broadcast_to((0.0, 1.0, 0.0), (count, 3)).copy()
    nodes = np.broadcast_to((0.0, 1.0, 0.0, 0.0), (total, shapes.NODES)).copy()
    away, factor = (np.repeat(values, count) for values in zip(*points, strict=True))
    places = np.tile(row, len(points)), np.tile(column, len(points)) + away + influence.beyond - 1, nodes
    elements = source, (row, column - 1), unit, np.full(count, kernels.WHOLE)
    owners, halfway = (np.tile(source, len(points)), factor), (np.full(total, -1), NOTHING)
    return elements, (places, nothing, owners, halfway), influence.waves
