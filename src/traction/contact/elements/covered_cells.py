"""Elements that end where the contact does: the default discretisation.

Each element in contact is a cell of the grid; those at the ends of a row extend to the true edge, which lies
between the cells (see `contact_outline`). There the traction has the form it has near an edge: the root of
the distance where particles enter or slip, and its inverse where they leave without slipping. A uniform
traction in the last element acts like one with the edge a fifth of a cell away, which is most of the error of
the classical elements. Slip is evaluated at the centre of the covered part, over the distance since the
particle entered the contact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.contact.elements.element_influence import ElementInfluence, LoadedParts
from traction.contact.elements.kernels import contact_outline as outline
from traction.contact.elements.kernels import covered_shapes as kernels
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.halfspace.half_space import HalfSpace

HEIGHTS = np.polynomial.legendre.leggauss(4)[0] / 2.0  #: at which the outline of a row is evaluated
DEPTH = 2  #: layers of elements at the edge that the outline does not use


@dataclass(frozen=True, eq=False)
class CoveredElements:
    """The elements of a patch with their covered parts, in cells along x from the first cell's centre."""

    patch: FrictionPatch
    direction: int  #: of rolling
    held: tuple[np.ndarray, np.ndarray] | None = None  #: edges, where others than its own are meant

    @cached_property
    def contact(self) -> np.ndarray:
        """Cells that are elements, (ny, nx)."""
        return self.patch.bound > 0.0

    @cached_property
    def edges(self) -> tuple[np.ndarray, np.ndarray]:
        """Left and right edge of the contact in the row of each element, (n,)."""
        if self.held is not None:
            return self.held
        margin = outline.LAYERS
        around = ((margin if self.contact.shape[0] > 1 else 0,) * 2, (margin, margin))
        load = self.patch.bound if self.patch.factor is None else self.patch.pressure
        contact, squared = np.pad(self.contact, around), np.square(np.pad(load, around))
        layer = outline.deep_elements(contact, DEPTH)
        field = outline.continued(squared, layer)
        left, right = np.zeros(contact.shape), np.zeros(contact.shape)
        outline.run_edges(contact, field, layer, HEIGHTS, left, right)
        return left[contact] - margin, right[contact] - margin

    @cached_property
    def row(self) -> np.ndarray:
        """Row of each element, (n,)."""
        return np.nonzero(self.contact)[0].copy()  # its memory belongs to rows and columns in turn

    @cached_property
    def column(self) -> np.ndarray:
        """Column of each element, (n,)."""
        return np.nonzero(self.contact)[1].copy()

    @cached_property
    def covered(self) -> tuple[np.ndarray, np.ndarray]:
        """Ends of the covered part of each element, (n,)."""
        left, right = self.edges
        padded = np.pad(self.contact, ((0, 0), (1, 1)))
        first = ~padded[self.row, self.column]
        last = ~padded[self.row, self.column + 2]
        low = np.where(first, left, self.column - 0.5)
        high = np.where(last, right, self.column + 0.5)
        return low, high

    @cached_property
    def middle(self) -> np.ndarray:
        """Position at which the slip of each element is evaluated."""
        low, high = self.covered
        return 0.5 * (low + high)

    @cached_property
    def way(self) -> np.ndarray:
        """Distance over which the slip of each element is evaluated, in cells; at most one.

        Counted from where the particle entered.
        """
        lead = self.edges[1] if self.direction > 0 else self.edges[0]
        return np.minimum(1.0, self.direction * (lead - self.middle))

    def spread_over_window(self, values: np.ndarray) -> np.ndarray:
        """Values of the elements on their cells, zero elsewhere; (..., ny, nx)."""
        field = np.zeros((*values.shape[:-1], *self.contact.shape))
        field[..., self.row, self.column] = values
        return field

    @cached_property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Masks of the elements at the leading edge and at the trailing one."""
        (left, right), (low, high) = self.edges, self.covered
        return (high == right, low == left) if self.direction > 0 else (low == left, high == right)

    def load_parts(self, sticks: np.ndarray) -> LoadedParts:
        """The elements with the shapes of their tractions.

        `sticks` is the share of the inverse root where particles leave.
        """
        enters, leaves = self.ends
        lead, trail = self.edges[::-1] if self.direction > 0 else self.edges
        shape = np.full(enters.shape, kernels.FLAT)
        shape[leaves] = kernels.ROOT + sticks[leaves]
        shape[enters] = kernels.ROOT
        edge, half_space = np.where(enters, lead, trail), HalfSpace(self.patch.grid, self.patch.pair)
        bend = np.zeros(edge.size)
        return LoadedParts(half_space, self.row, self.column, *self.covered, edge, shape, bend)

    @cached_property
    def own_at_exit(self) -> np.ndarray:
        """Slip of elements at the trailing edge over their way by their own unit traction, m/Pa, (2, n).

        It is that of elements that slip; zero for all others.
        """
        parts, leaves = self.load_parts(np.zeros(self.row.size)), self.ends[1]
        fields = parts.row, parts.cell, parts.low, parts.high, parts.edge, parts.shape, parts.bend
        some = LoadedParts(parts.half_space, *(field[leaves] for field in fields))
        way, row, middle = self.way[leaves], some.row, some.middle
        targets = [(row, middle, 1.0 / way), (row, middle + self.direction * way, -1.0 / way)]
        own = np.zeros((2, self.row.size))
        own[:, leaves] = ElementInfluence(some, targets).own()
        return own

    def load_whole(self) -> LoadedParts:
        """Their whole cells with uniform tractions."""
        half_space, low = HalfSpace(self.patch.grid, self.patch.pair), self.column - 0.5
        shape, bend = np.full(low.shape, kernels.FLAT), np.zeros(low.size)
        return LoadedParts(half_space, self.row, self.column, low, self.column + 0.5, low, shape, bend)
