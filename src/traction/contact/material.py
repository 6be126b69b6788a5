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

from traction.contact import covered_kernels as shapes
from traction.contact import material_kernels as kernels
from traction.contact.covered import CoveredElements
from traction.contact.element_influence import LoadedParts
from traction.contact.friction_patch import FrictionPatch
from traction.halfspace.operator import HalfSpace

LEAST = 0.1  #: covered part of a cell, in cells, below which it belongs to its neighbour


@dataclass(frozen=True, eq=False)
class RowLoads:
    """Friction bound of each row of a contact as a load that grows along x, between the row's edges."""

    patch: FrictionPatch
    left: np.ndarray  #: edges of the run of each row, in cells of the patch, (runs,)
    right: np.ndarray
    row: np.ndarray  #: of each run
    nodes: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  #: of `run_nodes`, Pa times cells

    @classmethod
    def of(cls, patch: FrictionPatch) -> RowLoads:
        """Runs of a patch with the edges of covered elements."""
        elements = CoveredElements(patch, 1)
        left, right = elements.edges
        starts = kernels.runs_of(elements.row, elements.column)
        bound = patch.bound[elements.row, elements.column]
        nodes = kernels.run_nodes(starts, elements.column, bound, left, right)
        first = starts[:-1]
        return cls(patch, left[first], right[first], elements.row[first], nodes)

    def finer(self, times: int) -> RowLoads:
        """The same loads over cells of a part of the length."""
        if times == 1:
            return self
        grid = self.patch.grid
        fine = replace(grid, nx=times * grid.nx, dx=grid.dx / times)
        patch = FrictionPatch(fine, self.patch.pair, np.repeat(self.patch.bound, times, axis=1))
        shift = 0.5 * (times - 1)  # place of the old first centre
        first, place, load, slope = self.nodes
        nodes = first, times * place + shift, times * load, slope
        return RowLoads(patch, times * self.left + shift, times * self.right + shift, self.row, nodes)


@dataclass(frozen=True, eq=False)
class MaterialElements(LoadedParts):
    """Elements of the material grid under a contact, and their tractions' shapes."""

    run: np.ndarray  #: of neighbours in a row that each element belongs to
    lead: np.ndarray  #: edge at which its particles enter
    bound: np.ndarray  #: mean friction bound over the whole cell, Pa
    #: sum of the bounds up to both ends of each element, all rows one after the other, Pa; where it is known
    up_to: tuple[np.ndarray, ...] = ()

    @classmethod
    def under(
        cls, loads: RowLoads, origin: float, direction: int, *, whole: bool = False
    ) -> MaterialElements:
        """Those under a contact whose first cell of the patch lies at the place `origin`.

        With `whole`, the cells whose centres lie in the contact are elements, and whole.
        """
        ends = loads.left, loads.right, loads.row
        least = 0.5 if whole else LEAST
        numbers, places = kernels.elements_under(loads.nodes, ends, float(origin), whole, least)
        (run, row, cell, shape), (low, high, edge, *up_to) = numbers, places
        lead = (origin + (loads.right if direction > 0 else loads.left))[run]
        half_space = HalfSpace(loads.patch.grid, loads.patch.pair)
        return cls(
            half_space, row, cell, low, high, edge, shape, run, lead, up_to[1] - up_to[0], tuple(up_to)
        )

    @classmethod
    def whole_cells(cls, patch: FrictionPatch, fine: FrictionPatch, direction: int) -> MaterialElements:
        """Whole cells with uniform tractions, as a shift leaves them, each in the parts of `fine`."""
        times = fine.grid.nx // patch.grid.nx
        elements = CoveredElements(patch, direction)
        starts = kernels.runs_of(elements.row, elements.column)
        run = np.repeat(np.arange(starts.size - 1), times * np.diff(starts))
        row, column = np.repeat(elements.row, times), np.repeat(elements.column, times)
        cell = times * column + np.tile(np.arange(times), elements.row.size)
        lead = np.repeat(times * elements.lead + 0.5 * (times - 1), times)
        flat, place = np.full(row.size, shapes.FLAT), cell.astype(float)
        half_space, bound = HalfSpace(fine.grid, fine.pair), patch.bound[row, column]
        return cls(half_space, row, cell, place - 0.5, place + 0.5, place, flat, run, lead, bound)

    @classmethod
    def none(cls, patch: FrictionPatch) -> MaterialElements:
        """Of bodies that do not touch, or touch without friction."""
        number, place = np.zeros(0, dtype=np.int64), np.zeros(0)
        half_space = HalfSpace(patch.grid, patch.pair)
        return cls(half_space, number, number, place, place, place, number, number, place, place)

    @cached_property
    def runs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Row, leading edge, first and last place of each run."""
        changes = np.flatnonzero(np.diff(self.run, prepend=-1, append=-1))  # all firsts, and the end
        first, last = changes[:-1], changes[1:] - 1
        return self.row[first], self.lead[first], self.low[first], self.high[last]
