"""Elements of the material under a rolling contact: cells that stay while the contact moves over them.

Places along x are in cells of the material grid, whose cell k has its centre at k; the contact has moved on
by `travelled` cells, so that x in contact coordinates is (place - travelled) * dx. In each row the contact
reaches between two edges that move with it; the cells whose centres lie between them are its elements, and
the last ones reach to the edges (see `covered_cells`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction.contact.elements.covered_cells import CoveredElements
from traction.contact.elements.element_influence import ElementInfluence, LoadedParts, Loads
from traction.contact.elements.kernels import covered_shapes as shapes
from traction.contact.rolling.kernels import material_rows as kernels
from traction.contact.rolling.kernels import stick_tips
from traction.contact.rolling.stick_tips import StickTips
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.halfspace.half_space import HalfSpace

ALIGNED = kernels.ALIGNED
ROUNDING = 1e-13  #: of the largest bound
LEAST = 0.1  #: covered part of a cell, in cells, below which it belongs to its neighbour
#: the same behind a tip, where all slips: by the root at the edge, it has a thousandth of the force of a cell
LEAST_SLIPPING = 0.01


@dataclass(frozen=True, eq=False)
class RowLoads:
    """Friction bound of each row of a contact as a load that grows along x, between the row's edges."""

    covered: CoveredElements  #: on the contact's own grid
    fineness: int  #: cells per element of that grid, along x
    left: np.ndarray  #: edges of the run of each row, in cells, (runs,)
    right: np.ndarray
    row: np.ndarray  #: of each run
    nodes: tuple[np.ndarray, ...]  #: of `run_nodes`, Pa times cells

    @classmethod
    def of(
        cls,
        patch: FrictionPatch,
        direction: int,
        fineness: int = 1,
        held: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> RowLoads:
        """Runs of a patch between the edges of covered elements, or those that are `held`."""
        covered = CoveredElements(patch, direction, held)
        (left, right), row, column = covered.edges, covered.row, covered.column
        starts = kernels.runs_of(row, column)
        bound = patch.bound[row, column]
        first, place, share, load, slope = kernels.run_nodes(starts, column, bound, left, right)
        begin, shift = starts[:-1], 0.5 * (fineness - 1)  # place of the old first centre
        nodes = first, fineness * place + shift, share, fineness * load, fineness * slope
        left, right = fineness * left[begin] + shift, fineness * right[begin] + shift
        return cls(covered, fineness, left, right, row[begin], nodes)

    @property
    def direction(self) -> int:
        """Of rolling."""
        return self.covered.direction

    @cached_property
    def patch(self) -> FrictionPatch:
        """The contact over these cells."""
        return self.covered.patch.divide_cells(self.fineness)

    @cached_property
    def half_space(self) -> HalfSpace:
        """Of these cells."""
        return HalfSpace(self.patch.grid, self.patch.pair)

    @cached_property
    def inside(self) -> np.ndarray:
        """Indices of the cells in contact, row by row."""
        return np.flatnonzero(self.patch.bound)

    @cached_property
    def up_to(self) -> np.ndarray:
        """Sum of the bounds up to the ends of these cells, one after the other, Pa."""
        return np.r_[0.0, np.cumsum(self.patch.bound.ravel()[self.inside])]

    @cached_property
    def arms(self) -> np.ndarray:
        """x of the centres of the contact's own cells, m."""
        x = self.covered.patch.grid.mesh()[0]
        x.flags.writeable = False  # results of several steps share it
        return x

    def hold_edges(self, bound: np.ndarray) -> RowLoads:
        """Another friction bound (Pa, over the contact's own grid) between the same edges."""
        held = self.covered.patch.hold_elements(bound)
        return RowLoads.of(held, self.direction, self.fineness, self.covered.edges)


@dataclass(frozen=True, eq=False)
class MaterialElements(LoadedParts):
    """Elements of the material grid under a contact, and their tractions' shapes."""

    point: np.ndarray  #: position at which slip is evaluated
    run: np.ndarray  #: of neighbours in a row that each element belongs to
    left: np.ndarray  #: edges of the contact in that run
    right: np.ndarray
    bound: np.ndarray  #: mean friction bound over the whole cell, Pa
    #: sum of the bounds up to both ends of each element, all rows one after the other, Pa; where it is known
    up_to: tuple[np.ndarray, ...] = ()
    #: where tractions fall from the friction bound at a tip, that bound along them, Pa, and its bend, else 0;
    #: (3, n): `shape`, `edge` and `bend` are then those of what they fall by
    ceiling: np.ndarray | None = None

    @classmethod
    def under(
        cls,
        loads: RowLoads,
        origin: float,
        *,
        whole: bool = False,
        tips: StickTips | None = None,
    ) -> MaterialElements:
        """Those under a contact whose first cell of the patch is at `origin`.

        With `whole`, the cells whose centres lie in the contact are elements, and whole. With `tips`,
        tractions bend at them, and near the edges.
        """
        ends = loads.left, loads.right, loads.row
        least = (0.5, 0.5) if whole else (LEAST, LEAST)
        if tips is not None:
            least = (LEAST_SLIPPING, LEAST) if loads.direction > 0 else (LEAST, LEAST_SLIPPING)
        # arrays are made here: those that a kernel returns take longer than it does
        cells = np.empty((2, loads.row.size), dtype=np.int64)
        total = kernels.cells_under(ends, float(origin), least, cells)
        numbers, places = np.empty((3, total), dtype=np.int64), np.empty((4, total))
        kernels.elements_under(loads.nodes, ends, float(origin), whole, cells, numbers, places)
        (run, row, cell), (low, high, *up_to) = numbers, places
        left, right = (origin + loads.left)[run], (origin + loads.right)[run]
        bound = up_to[1] - up_to[0]
        # a cell that hardly touches may have none to rounding, but tractions are shares of it
        bound = np.maximum(bound, ROUNDING * bound.max())
        flat = np.full(row.size, shapes.FLAT), np.zeros(row.size), 0.5 * (low + high)
        made = cls(loads.half_space, row, cell, low, high, low, *flat, run, left, right, bound, tuple(up_to))
        return made if whole else made.bend_at(tips, loads.direction, origin)

    def bend_at(self, tips: StickTips | None, direction: int, origin: float) -> MaterialElements:
        """Elements with roots at edges and tractions that bend at tips, seen from a contact at `origin`."""
        row, left, right = self.runs
        shape, edge, bend, point, slipping = made = tuple(np.empty(self.row.size) for _ in range(5))
        if tips is None:
            first, last = self.starts[:-1], self.starts[1:] - 1
            shape[:], edge[:], bend[:], point[:] = shapes.FLAT, self.low, 0.0, 0.5 * (self.low + self.high)
            shape[first] = shape[last] = shapes.ROOT
            edge[first], edge[last] = left, right
        else:
            parts, known = (self.low, self.high), tips.at(row, origin)
            stick_tips.bend_shapes(self.starts, parts, (left, right), known, tips.grown, direction, made)
        ceiling = None if tips is None else np.array([slipping] * 3)
        bent = replace(self, shape=shape, edge=edge, bend=bend, point=point, ceiling=ceiling)
        return bent._keep_places_of(self)

    def _keep_places_of(self, like: MaterialElements) -> MaterialElements:
        """These elements, with what cells alone determine and is known of the same ones in other shapes."""
        kept = ("starts", "runs", "corner", "window", "place", "spot")
        self.__dict__.update((name, like.__dict__[name]) for name in kept if name in like.__dict__)
        return self

    def direct_along(self, traction: np.ndarray) -> MaterialElements:
        """The same where the bound that tractions fall from at tips has the direction of these, (2, n)."""
        if self.ceiling is None:
            return self
        ceiling = np.empty_like(self.ceiling)
        stick_tips.direct_bound(self.ceiling[2], self.bound, traction, ceiling)
        return replace(self, ceiling=ceiling)._keep_places_of(self)

    @cached_property
    def falling(self) -> np.ndarray:
        """Indices of the elements whose tractions fall from the friction bound at a tip."""
        return np.flatnonzero(np.zeros(0) if self.ceiling is None else self.ceiling[:2].any(axis=0))

    @cached_property
    def slipping(self) -> LoadedParts:
        """Those elements with the shapes of that bound: uniform, except next to the trailing edge."""
        at, bend = self.falling, np.zeros(0) if self.ceiling is None else self.ceiling[2, self.falling]
        shape, place = self.shape[at], (self.row[at], self.cell[at], self.low[at], self.high[at])
        back = np.where(shape == shapes.RIGHT, self.left[at], self.right[at])
        made = LoadedParts(self.half_space, *place, back, np.where(bend, shape, shapes.FLAT), bend)
        # on the window of all elements
        made.__dict__.update(corner=self.corner, window=self.window)
        return made

    def load(self, influence: ElementInfluence, traction: np.ndarray) -> Loads:
        """Mean tractions, (2, n), as loads on an influence of these elements.

        A traction of the mean p falls from the bound g by (g - p) times the shape of its element: it is g, in
        its own shape, and p - g in that one.
        """
        if self.ceiling is None or not self.falling.size:
            return [(influence, np.ascontiguousarray(traction))]
        g = self.ceiling[:2]
        above, below = np.ascontiguousarray(traction - g), np.ascontiguousarray(g[:, self.falling])
        return [(influence, above), (influence.load(self.slipping), below)]

    def bend_inside(self, tips: StickTips | None, direction: int, origin: float) -> MaterialElements:
        """The same as `bend_at`, but with the shapes that the first and last element of each run have."""
        bent, ends = self.bend_at(tips, direction, origin), np.r_[self.starts[:-1], self.starts[1:] - 1]
        for name in ("shape", "edge", "bend", "point"):
            getattr(bent, name)[ends] = getattr(self, name)[ends]
        return bent

    @classmethod
    def left_by(cls, covered: CoveredElements, parts: LoadedParts, whole: FrictionPatch) -> MaterialElements:
        """Those that a contact leaves which was solved by these `parts`, on the whole grid."""
        top, left = covered.patch.top, covered.patch.left
        starts = kernels.runs_of(covered.row, covered.column)
        run = np.repeat(np.arange(starts.size - 1), np.diff(starts))
        return cls(
            HalfSpace(whole.grid, whole.pair),
            parts.row + top,
            parts.cell + left,
            parts.low + left,
            parts.high + left,
            parts.edge + left,
            parts.shape,
            parts.bend,
            parts.middle + left,
            run,
            covered.edges[0] + left,
            covered.edges[1] + left,
            covered.patch.bound[covered.row, covered.column],
        )

    def halve(self, half_space: HalfSpace) -> tuple[MaterialElements, np.ndarray, np.ndarray]:
        """The same on cells of half the length, with the number that each was part of and its share of it.

        Tractions that bend are not halved: steps bend them once they have their cells.
        A share is that of the force, over half a cell: tractions times it are means over the new cells.
        """
        inside = (self.low + ALIGNED < self.cell) & (self.cell < self.high - ALIGNED)
        number = np.repeat(np.arange(self.row.size), 1 + inside)
        second = np.r_[False, number[1:] == number[:-1]]
        cell = self.cell[number].astype(float)
        low = np.where(second, cell, self.low[number])
        high = np.where(inside[number] & ~second, cell, self.high[number])
        right = low + ALIGNED >= cell  # of the middle of the old cell
        edge, shape = self.edge[number], self.shape[number]
        inverse = shape - shapes.ROOT

        def force(power: float) -> np.ndarray:
            """Share of a force that grows with a power of the distance from the edge."""
            grown = [np.abs(end - edge) ** power for end in (low, high, self.low[number], self.high[number])]
            part: np.ndarray = np.abs((grown[1] - grown[0]) / (grown[3] - grown[2]))
            return part

        flat = shape == shapes.FLAT
        falling, rising = inverse * force(0.5), (1.0 - inverse) * force(1.5)
        share = 2.0 * np.where(flat, (high - low) / self.width[number], falling + rising)
        edges = ~flat
        shape[edges] = shapes.ROOT + falling[edges] / (falling + rising)[edges]
        fine = replace(
            self,
            half_space=half_space,
            row=self.row[number],
            cell=2 * self.cell[number] + right,
            low=2.0 * low + 0.5,
            high=2.0 * high + 0.5,
            edge=2.0 * edge + 0.5,
            shape=shape,
            bend=self.bend[number],
            point=low + high + 0.5,
            run=self.run[number],
            left=2.0 * self.left[number] + 0.5,
            right=2.0 * self.right[number] + 0.5,
            bound=share * self.bound[number],
            up_to=(),
            ceiling=None,
        )
        return fine, number, share

    @classmethod
    def none(cls, patch: FrictionPatch) -> MaterialElements:
        """Of bodies that do not touch, or touch without friction."""
        number, place = np.zeros(0, dtype=np.int64), np.zeros(0)
        half_space = HalfSpace(patch.grid, patch.pair)
        return cls(half_space, number, number, *(place,) * 6, number, *(place,) * 3)

    def find_whole(self, old: MaterialElements) -> np.ndarray:
        """Number of the old element on the cell of each one where both are whole cells, else -1."""
        number = np.empty(self.row.size, dtype=np.int64)
        parts = ((one.row, one.cell, one.low, one.high) for one in (old, self))
        kernels.whole_in_both(*parts, number)
        return number

    @property
    def is_whole(self) -> np.ndarray:
        """Which elements are whole cells of uniform traction."""
        return (self.shape == shapes.FLAT) & (np.abs(self.width - 1.0) < ALIGNED)

    def find_slopes(self, values: np.ndarray) -> np.ndarray:
        """Differences of values, (k, n), per cell: to the neighbour that differs less, or 0 at extremes."""
        joined = (np.diff(self.run) == 0) & self.is_whole[1:] & self.is_whole[:-1]
        steps = np.pad(np.where(joined, np.diff(values), 0.0), ((0, 0), (1, 1)))
        back, ahead = steps[:, :-1], steps[:, 1:]
        slopes: np.ndarray = np.where(
            back * ahead > 0.0, np.sign(back) * np.minimum(np.abs(back), np.abs(ahead)), 0.0
        )
        return slopes

    @property
    def middle(self) -> np.ndarray:
        """Position at which slip is evaluated."""
        return self.point

    @cached_property
    def starts(self) -> np.ndarray:
        """First element of each run, and their number."""
        run = self.run
        ends = (np.zeros(1, dtype=np.int64), np.flatnonzero(run[1:] != run[:-1]) + 1, [run.size])
        return np.concatenate(ends) if run.size else np.zeros(0, dtype=np.int64)

    @cached_property
    def runs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row, left and right edge of each run."""
        first = self.starts[:-1]
        return self.row[first], self.left[first], self.right[first]
