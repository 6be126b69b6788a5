"""Displacements by tractions on covered parts of cells: whole cells far away, exact nearby."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from traction.contact.elements.kernels import covered_shapes as shapes
from traction.contact.elements.kernels import element_products as products
from traction.contact.elements.kernels import near_field as kernels
from traction.contact.elements.kernels.element_products import PlacedCells, TargetPoints, fill_matrix
from traction.contact.elements.kernels.near_field import (
    REACH,
    CellGeometry,
    NearElements,
    NearMatrix,
    NearTables,
    PlacedPoints,
    TractionSteps,
)
from traction.contact.elements.kernels.step_newton import iterate_step
from traction.contact.stick_slip.kernels.rolling_newton import MOST_STEPS
from traction.contact.stick_slip.slip_equation import Arrays, CompiledNewton, Iterated
from traction.halfspace.half_space import HalfSpace
from traction.halfspace.tangential_influence import PAIRS, TangentialInfluence, TangentialInverse

NOTHING, NO_ELEMENTS = np.empty((0, 0, 3)), np.empty(0, dtype=np.int64)
LEAST_BEYOND = 2  #: columns beyond both ends of a window from which points at its ends are interpolated

#: elements and points, entries of each point in their matrix, and whether a point lies halfway between cells
NearPoints = tuple[NearElements, PlacedPoints, np.ndarray, bool]
Target = tuple[np.ndarray, np.ndarray, np.ndarray]  # rows, places along x (cells), factors
#: influences of elements on the same window at the same points, and the tractions of these, Pa, (2, n)
Loads = Sequence[tuple["ElementInfluence", np.ndarray]]


@dataclass(frozen=True, eq=False)
class LoadedParts:
    """Elements, each a covered part of a cell with the shape of its traction; positions in cells along x."""

    half_space: HalfSpace  #: of the cells
    row: np.ndarray  #: of each element
    cell: np.ndarray  #: number of its cell along x
    low: np.ndarray  #: ends of its covered part
    high: np.ndarray
    edge: np.ndarray  #: edge that its shape starts from
    shape: np.ndarray
    bend: np.ndarray  #: of shapes that bend at their edge; of uniform ones their slope as seen from far away

    @property
    def middle(self) -> np.ndarray:
        """Position at which slip is evaluated."""
        return 0.5 * (self.low + self.high)

    @property
    def width(self) -> np.ndarray:
        """Covered part, in cells."""
        return self.high - self.low

    @cached_property
    def corner(self) -> tuple[int, int]:
        """First row and first cell along x."""
        return int(self.row.min()), int(self.cell.min())

    @cached_property
    def window(self) -> tuple[int, int]:
        """Rows and columns that hold all elements."""
        top, first = self.corner
        return int(self.row.max()) - top + 1, int(self.cell.max()) - first + 1

    @cached_property
    def place(self) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of each element in the window that holds all of them."""
        return self.row - self.corner[0], self.cell - self.corner[1]

    @cached_property
    def spot(self) -> np.ndarray:
        """Number of the cell of each element in that window, row by row."""
        row, column = self.place
        return row * self.window[1] + column

    def pick(self, fields: np.ndarray) -> np.ndarray:
        """Values of the elements, (k, n), from fields over that window, (k, ny, nx)."""
        return fields.reshape(len(fields), -1).take(self.spot, axis=1)

    def spread(self, values: np.ndarray) -> np.ndarray:
        """Values of the elements, (..., n), over that window, zero elsewhere."""
        fields = np.zeros((*values.shape[:-1], self.window[0] * self.window[1]))
        fields[..., self.spot] = values
        return fields.reshape(*values.shape[:-1], *self.window)

    @cached_property
    def far_weights(self) -> np.ndarray:
        """Weights of the three cells equivalent to each element far away, for its mean over a whole cell."""
        weights = np.empty((self.row.size, 3))
        shapes.fill_far_weights(self.low, self.high, self.edge, self.shape, self.bend, self.cell, weights)
        return weights / self.width[:, None]

    @cached_property
    def cut(self) -> np.ndarray:
        """Indices of the elements that are not whole cells."""
        cut = np.empty(self.row.size, dtype=np.int64)
        products.number_cut(self.low, self.high, self.shape, cut)
        return cut

    @cached_property
    def tables(self) -> np.ndarray:
        """A_xx, A_xy, A_yy of whole cells near by, in units of A_xx's factor; (3, rows, columns)."""
        return fill_near_tables(self.half_space, (self.reach, 2 * REACH + shapes.NODES))

    @property
    def reach(self) -> int:
        """Rows within which the exact influence is taken, with their own."""
        return 1 if self.half_space.grid.is_line else REACH + 1

    @cached_property
    def numbers(self) -> NearElements:
        """The elements on the window that holds all of them."""
        return self.number_on(self.place, self.window)

    def number_on(self, place: tuple[np.ndarray, np.ndarray], window: tuple[int, int]) -> NearElements:
        """The elements at positions on a window."""
        count = int(self.cut.max(initial=-1)) + 1
        sizes = window, window[0] + 1, count, count, (2, window[0], window[1] + 1)
        arrays = number, *rest = tuple(np.empty(size, dtype=np.int64) for size in sizes)
        kernels.number_elements(*place, self.cut, arrays)
        scale = self.half_space.factor("x", "x") / self.width
        return NearElements(number, self.cut, scale, *rest)

    @cached_property
    def geometry(self) -> CellGeometry:
        """Geometry of the nearby cells."""
        grid, nu = self.half_space.grid, self.half_space.pair.poisson_ratio
        if grid.is_line:
            return CellGeometry(nu, True, np.array([(grid.length or 1.0) / grid.dx]))
        return CellGeometry(nu, False, grid.dy / grid.dx * (np.arange(self.reach) + 0.5))

    @cached_property
    def cut_steps(self) -> TractionSteps:
        """Steps of the tractions on cut elements."""
        cut = np.flatnonzero(self.cut >= 0)
        cell = self.cell[cut]
        places = self.low[cut] - cell, self.high[cut] - cell, self.edge[cut] - cell
        return _find_steps(*places, self.shape[cut], self.bend[cut])

    def integrate_slip(self, direction: int) -> ElementInfluence:
        """Slip by displacements over a step of one cell along x, weighted by the shape of each traction.

        Over a strip it is the difference of its ends: a sum over the steps of the traction.
        """
        shaped = _find_steps(self.low, self.high, self.edge, self.shape, self.bend)
        targets = []
        for k in range(shaped.counts.max()):
            place, size = np.where(k < shaped.counts, shaped.steps[:, k].T, 0.0)
            targets.append((self.row, place, direction * size / self.width))
        return ElementInfluence(self, targets)

    @cached_property
    def centre_corrections(self) -> np.ndarray:
        """Exact minus far influence of the cut elements at centres of nearby cells."""
        return self._corrections(self.cut_steps, 0.0, kernels.COLUMNS)

    @cached_property
    def halfway_corrections(self) -> np.ndarray:
        """The same halfway between centres."""
        return self._corrections(self.cut_steps, -0.5, kernels.HALFWAY_COLUMNS)

    @cached_property
    def whole_halfway(self) -> np.ndarray:
        """The same of a whole cell."""
        low, high, none = np.array([[-0.5], [0.5], [0.0]])
        steps = _find_steps(low, high, none, np.full(1, shapes.FLAT), none)
        return self._corrections(steps, -0.5, kernels.HALFWAY_COLUMNS)[0]

    def _corrections(self, steps: TractionSteps, offset: float, columns: int) -> np.ndarray:
        result = np.empty((steps.counts.size, columns, self.reach, 3))
        if steps.counts.size:
            kernels.element_corrections(steps, offset, self.tables, self.geometry, result)
        return result


@lru_cache(maxsize=16)
def fill_near_tables(half_space: HalfSpace, reach: tuple[int, int]) -> np.ndarray:
    """A_xx, A_xy, A_yy of whole cells at distances >= 0, in units of A_xx's factor."""
    own = half_space.factor("x", "x")
    lags = (half_space.factor(*pair) / own * half_space.spectrum(*pair, reach).lags for pair in PAIRS)
    return np.array(list(lags))


def _find_steps(
    low: np.ndarray, high: np.ndarray, edge: np.ndarray, shape: np.ndarray, bend: np.ndarray
) -> TractionSteps:
    """Steps of the tractions on elements, counted from their own cells."""
    n, most = low.size, shapes.MOST_STRIPS + 1
    steps = TractionSteps(np.empty(n, dtype=np.int64), np.empty((n, most, 2)), np.empty((n, 3)))
    kernels.fill_steps(low, high, edge, shape, bend, steps)
    return steps


@dataclass(frozen=True, eq=False)
class ElementProduct:
    """Sums over points of displacements by tractions that are found at given places of a field."""

    influence: TangentialInfluence  #: of whole cells
    cells: tuple[np.ndarray, ...]  #: places of the tractions, rows, columns and far weights of the elements
    uncut: tuple[np.ndarray, ...]  #: of `displace_halfway`
    points: TargetPoints
    field: np.ndarray  #: memory for the tractions of cells
    between: np.ndarray  #: the same for displacements halfway between cells
    shape: tuple[int, ...]  #: of the owners

    def __call__(self, traction: np.ndarray) -> np.ndarray:
        """Sums for each owner, m, (2, *shape), from tractions, Pa."""
        total = np.empty((2, math.prod(self.shape)))
        traction = np.ascontiguousarray(traction).reshape(2, -1)
        products.spread(traction, *self.cells, self.field)
        u = self.influence.product(self.field)
        if self.between.size:
            products.displace_halfway(traction, *self.uncut, self.between)
        products.collect(u, self.between, self.points, traction, total)
        return total.reshape(2, *self.shape)

    def iterate_with(self, inverse: TangentialInverse) -> CompiledNewton | None:
        """Newton's method for a step with this product, where a small window allows it in one piece."""
        waves, back, influence = self.influence.waves, inverse.waves, self.influence
        if waves is None or back is None:
            return None
        (ny, nx), wide = influence.shape, 2 * influence.beyond
        memory = self.field, np.empty((2, ny, nx + wide)), self.between
        tables = (*waves, self.cells, self.uncut, self.points, memory)

        def iterate(fields: Arrays, given: Arrays, states: Arrays, border: Arrays, tol: float) -> Iterated:
            errors = np.empty(MOST_STEPS)
            steps, count = iterate_step(fields, given, states, border, tables, back, tol, errors)
            return errors[:steps].tolist(), count

        return iterate


class ElementInfluence:
    """Displacements of elements at points: for each owner, the sum over its points of factor * u(x)."""

    def __init__(self, parts: LoadedParts, targets: Sequence[Target]) -> None:
        """`targets` are for the same owners in order; points with the factor 0 are omitted."""
        self.parts, self.owners = parts, targets[0][0].size
        used = [np.flatnonzero(factor) for _, _, factor in targets]
        row, x, factor = (
            np.concatenate([part[use] for part, use in zip(group, used, strict=True)])
            for group in zip(*targets, strict=True)
        )
        (top, first), (rows, columns) = parts.corner, parts.window
        node, kind, halfway = np.empty((3, x.size), dtype=np.int64)
        nodes, x = np.empty((x.size, shapes.NODES)), x - first
        halves, nearest, furthest, lowest, highest = kernels.place_points(
            row, x, columns, (node, nodes, kind, halfway)
        )
        self._top, self._first = min(top, lowest), first
        self.shape = ny, _ = max(top + rows, highest + 1) - self._top, columns
        row = row - self._top
        self.beyond = max(LEAST_BEYOND, -nearest, furthest + shapes.NODES - columns)
        self._place = parts.row - self._top, parts.cell - first
        self._near = self._find_near(PlacedPoints(row, x, kind), halves > 0)
        self._points = TargetPoints(
            row, node + self.beyond, nodes, *self._correct_near(), halfway, np.concatenate(used), factor
        )
        factor_xx = parts.half_space.factor("x", "x")
        self._stencil = factor_xx * parts.whole_halfway if halves else NOTHING
        self._whole = self._find_uncut()
        self._wanted = np.zeros(ny, dtype=bool)  # rows with points halfway between cells
        if halves:
            self._wanted[row[halfway >= 0]] = True
        self._field = np.empty((2, ny, columns + 2))
        places = columns + kernels.HALFWAY_COLUMNS - 1 if len(self._stencil) else 0
        self._between = np.zeros((2, ny, places))

    @cached_property
    def influence(self) -> TangentialInfluence:
        """Of whole cells, on the window."""
        rows, columns = self.shape
        return TangentialInfluence(self.parts.half_space, (rows, columns + 2), beyond=self.beyond - 1)

    @property
    def is_plain(self) -> bool:
        """Whether all points lie so near to the elements that `displace_cells` has the window of any such."""
        return self.beyond == LEAST_BEYOND and self.shape == self.parts.window

    def reweigh(self, factor: np.ndarray) -> ElementInfluence:
        """The same at the same points with other factors, in the order of the targets."""
        other = copy(self)
        other._points = self._points._replace(factor=factor)
        return other

    def reshape(self, parts: LoadedParts) -> ElementInfluence:
        """The same of the same elements with other shapes of their tractions."""
        other = copy(self)
        other.parts = parts
        _, columns, values = other._correct_near()
        other._points = self._points._replace(sources=columns, values=values)
        return other

    def load(self, parts: LoadedParts) -> ElementInfluence:
        """The same at the same points by other elements, which lie in the window of these."""
        other = copy(self)
        other.parts, other._place = parts, (parts.row - self._top, parts.cell - self._first)
        _, points, _, has_halves = self._near
        other._near = other._find_near(points, has_halves)
        first, columns, values = other._correct_near()
        other._points = self._points._replace(first=first, sources=columns, values=values)
        other._whole = other._find_uncut()
        return other

    def product(self, mean: np.ndarray) -> np.ndarray:
        """Sums for each owner, m, (2, owners), from the mean tractions of the cells, Pa, (2, n)."""
        return self._sum_up(np.arange(self.parts.row.size), self._points, (self.owners,))(mean)

    def matrix(self, owners: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Matrix of `product` for some owners and the tractions of some elements, m/Pa, (2, m, 2, n)."""
        parts, (rows, wide) = self.parts, self.shape
        reach = rows, wide + 2 * self.beyond + shapes.NODES
        lags = [parts.half_space.factor(*p) * parts.half_space.spectrum(*p, reach).lags for p in PAIRS]
        cells = PlacedCells(*self._place, parts.far_weights, parts.cut)
        matrix = np.empty((2, owners.size, 2, columns.size))
        fill_matrix(self._points, cells, owners, columns, self._stencil, self.beyond, np.array(lags), matrix)
        return matrix

    def displace_points(self) -> Callable[[np.ndarray], np.ndarray]:
        """Computes displacements at points whose factor is not 0, one target after the other; (2, points)."""
        count = self._points.row.size
        points = self._points._replace(owner=np.arange(count), factor=np.ones(count))
        return self._sum_up(np.arange(self.parts.row.size), points, (count,))

    def displace_cells(self, loads: Loads) -> np.ndarray:
        """Displacements of the cells by all loads together, as from far away; of `gather`."""
        self._field[:] = 0.0
        for one, mean in loads:
            source, (row, column) = np.arange(mean.shape[1]), one._place
            products.add_spread(mean, source, row, column, one.parts.far_weights, self._field)
        return self.influence.product(self._field)

    def gather(self, loads: Loads, cells: np.ndarray) -> np.ndarray:
        """Displacements at all points by all loads, from those of the cells; (2, points)."""
        total = np.empty((2, self._points.row.size))
        products.interpolate(cells, self._points, total)
        for one, mean in loads:
            if one._between.size:
                whole, (row, column) = one._whole, one._place
                uncut = whole, row[whole], column[whole], one._stencil, one._wanted
                products.displace_halfway(mean, *uncut, one._between)
            products.add_near(one._between, one._points, mean, total)
        return total

    def sum_points(self, displacements: np.ndarray) -> np.ndarray:
        """Sums for each owner, m, (2, owners), from `displace_points`."""
        owner, factor = self._points.owner, self._points.factor
        return np.array([np.bincount(owner, factor * u, self.owners) for u in displacements])

    def on_window(self, shape: tuple[int, int], place: tuple[np.ndarray, np.ndarray]) -> ElementProduct:
        """The product of fields over a window, (2, ny, nx), in which the elements have positions."""
        source = place[0] * shape[1] + place[1]
        points = self._points._replace(sources=source[self._points.sources], owner=source[self._points.owner])
        return self._sum_up(source, points, shape)

    def _sum_up(self, source: np.ndarray, points: TargetPoints, shape: tuple[int, ...]) -> ElementProduct:
        """Computes sums for each owner, m, (2, *shape), from tractions, Pa, likewise, found at `source`."""
        (row, column), whole = self._place, self._whole
        cells = source, row, column, self.parts.far_weights
        uncut = source[whole], row[whole], column[whole], self._stencil, self._wanted
        return ElementProduct(self.influence, cells, uncut, points, self._field, self._between, shape)

    def interpolate(self, field: np.ndarray) -> np.ndarray:
        """The same sums of displacements at cells, from row 0 and `beyond` columns before the first on."""
        total, points = np.zeros((2, self.owners)), self._points
        row = points.row + self._top
        for n in range(shapes.NODES):
            for c in range(2):
                values = points.factor * points.nodes[:, n] * field[c, row, points.node + n]
                np.add.at(total[c], points.owner, values)
        return total

    def own(self) -> np.ndarray:
        """Product of each element with its own unit traction, (2, n), where the owners are the elements."""
        parts, total = self.parts, np.empty((2, self.owners))
        cells = self._place[1], parts.far_weights, parts.cut
        lags = self.influence.lags
        products.compute_own(*cells, self._points, self._stencil, self.beyond, lags, total)
        return total

    def _find_uncut(self) -> np.ndarray:
        """Indices of the whole cells, where points lie halfway between them."""
        return np.flatnonzero(self.parts.cut == kernels.WHOLE) if len(self._stencil) else NO_ELEMENTS

    def _find_near(self, points: PlacedPoints, has_halves: bool) -> NearPoints:
        """Elements near points at which the far influence is corrected."""
        parts, first = self.parts, np.empty(points.x.size + 1, dtype=np.int64)
        here = self.shape == parts.window and (self._top, self._first) == parts.corner
        elements = parts.numbers if here else parts.number_on(self._place, self.shape)
        kernels.count_near(elements, points, first)
        return elements, points, first, has_halves

    def _correct_near(self) -> NearMatrix:
        """Corrections of the far influence: a matrix of the elements near each point."""
        parts, (elements, points, first, has_halves) = self.parts, self._near
        matrix = NearMatrix(first, np.empty(first[-1], dtype=np.int64), np.empty((first[-1], 3)))
        centres = parts.centre_corrections
        tables = NearTables(parts.tables, centres, parts.halfway_corrections if has_halves else centres[:0])
        kernels.fill_near(elements, parts.cut_steps, points, tables, parts.geometry, matrix)
        return matrix
