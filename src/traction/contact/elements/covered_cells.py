"""Elements that end where the contact does: the default discretisation.

Each element in contact is a cell of the grid; those at the ends of a row extend to the true edge, which lies
between the cells (see `contact_outline`). There the traction has the form it has near an edge: the root of
the distance where particles enter or slip, and its inverse where they leave without slipping. A uniform
traction in the last element acts like one with the edge a fifth of a cell away, which is most of the error of
the classical elements. Slip is evaluated at the centre of the covered part, over the distance since the
particle entered the contact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction.contact.elements.element_influence import ElementInfluence, LoadedParts, spread_over
from traction.contact.elements.friction_step import FrictionStep, fill_rigid_fields
from traction.contact.elements.kernels import contact_outline as outline
from traction.contact.elements.kernels import covered_shapes as kernels
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.slip_equation import SlipEquation
from traction.halfspace.half_space import HalfSpace
from traction.halfspace.tangential_influence import TangentialInverse

HEIGHTS = np.polynomial.legendre.leggauss(4)[0] / 2.0  #: at which the outline of a row is evaluated
GLIDE = 1.0  #: slip from which an element glides, relative to the slip that its bound can hold
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
        contact, squared = np.pad(self.contact, around), np.square(np.pad(self.patch.bound, around))
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

    @property
    def lead(self) -> np.ndarray:
        """Edge at which the particles of each element entered."""
        return self.edges[1] if self.direction > 0 else self.edges[0]

    def spread_over_window(self, values: np.ndarray) -> np.ndarray:
        """Values of the elements on their cells, zero elsewhere; (..., ny, nx)."""
        return spread_over(self.contact.shape, (self.row, self.column), values)

    @cached_property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Masks of the elements at the leading edge and at the trailing one."""
        (left, right), (low, high) = self.edges, self.covered
        return (high == right, low == left) if self.direction > 0 else (low == left, high == right)

    def load_parts(self, sticks: np.ndarray) -> LoadedParts:
        """The elements with the shapes of their tractions; `sticks` are those that stick at their edge."""
        enters, leaves = self.ends
        lead, trail = self.edges[::-1] if self.direction > 0 else self.edges
        shape = np.full(enters.shape, kernels.FLAT)
        shape[leaves] = np.where(sticks[leaves], kernels.INVERSE_ROOT, kernels.ROOT)
        shape[enters] = kernels.ROOT
        edge, half_space = np.where(enters, lead, trail), HalfSpace(self.patch.grid, self.patch.pair)
        bend = np.zeros(edge.size)
        return LoadedParts(half_space, self.row, self.column, *self.covered, edge, shape, bend)

    def load_whole(self) -> LoadedParts:
        """Their whole cells with uniform tractions."""
        half_space, low, high = (
            HalfSpace(self.patch.grid, self.patch.pair),
            self.column - 0.5,
            self.column + 0.5,
        )
        return LoadedParts(
            half_space,
            self.row,
            self.column,
            low,
            high,
            low,
            np.full(low.shape, kernels.FLAT),
            np.zeros(low.size),
        )


def find_gliding(elements: CoveredElements, slip: np.ndarray, rho: np.ndarray) -> np.ndarray:
    """Elements whose slip in a step, m, exceeds what their bound can hold, (n,).

    A distance that lies half before and half behind leaves an element without influence on itself: its
    equation is good where the direction of the slip matters, and bad where the element may stick.
    """
    fast = rho * np.hypot(*slip) > GLIDE * elements.patch.bound
    return fast[elements.row, elements.column]


@dataclass(frozen=True, eq=False)
class CoveredRolling(FrictionStep):
    """Steady rolling by covered elements; `sticks` are those assumed to stick at their edge."""

    elements: CoveredElements
    sticks: np.ndarray
    glides: np.ndarray  #: elements that slip fast enough for a centred difference

    @cached_property
    def way(self) -> np.ndarray:
        """Distance over which the slip of each element is evaluated, in cells; at most one.

        Counted from where the particle entered.
        """
        elements = self.elements
        return np.minimum(1.0, elements.direction * (elements.lead - elements.middle))

    @cached_property
    def behind(self) -> np.ndarray:
        """Distance from the centre of each element back to the start of its slip distance, in cells.

        Whether an element sticks follows from the path of the particle. A gliding element is held by a
        traction against its current slip: its distance lies half before and half behind.
        """
        return np.where(self.glides, 0.5 * self.way, 0.0)

    def is_like(self, other: CoveredRolling) -> bool:
        """Whether the same elements stick and glide as in another one, so that the equations are equal."""
        leaves = self.elements.ends[1]
        shaped = bool((self.sticks == other.sticks)[leaves].all())
        return shaped and np.array_equal(self.behind, other.behind)

    @cached_property
    def parts(self) -> LoadedParts:
        """The elements with the shapes of their tractions."""
        return self.elements.load_parts(self.sticks)

    @cached_property
    def equation(self) -> SlipEquation:
        """s = (u(m) - u(m + d))/d + W over a step of one cell."""
        elements, patch, d = self.elements, self.patch, self.way
        start, row = elements.middle - elements.direction * self.behind, elements.row
        ahead = start + elements.direction * d
        influence = ElementInfluence(self.parts, [(row, start, 1.0 / d), (row, ahead, -1.0 / d)])
        known = np.zeros((2, *patch.bound.shape))
        if patch.pair.mismatch != 0.0:
            pressed = patch.displace_by_pressure(beyond=influence.beyond)
            known = elements.spread_over_window(influence.interpolate(pressed))
        # at least as much as a whole cell displaces itself over a step
        tables = influence.influence
        usual = (tables.own - tables.next)[:, None, None]
        own = np.maximum(elements.spread_over_window(influence.own()), usual)
        equation = SlipEquation(
            bound=patch.bound,
            known=known,
            product=influence.on_window(patch.bound.shape, (row, elements.column)),
            inverse=TangentialInverse(self.parts.half_space, patch.bound.shape),
            own=own,
            rho=2.0 / own.sum(axis=0),
            upstream=elements.direction,
        )
        return equation.prescribe_slip(self.rigid_fields, self.rigid, patch.grid.cell_area)

    @property
    def rigid_fields(self) -> np.ndarray:
        """Slip over a cell for a unit of each creepage, with the rotation at the middle of each distance."""
        elements, grid = self.elements, self.patch.grid
        x = grid.x[0] + grid.dx * (elements.middle + elements.direction * (0.5 * self.way - self.behind))
        y = np.where(elements.contact, self.patch.mesh[1], 0.0)
        one, at = elements.contact.astype(float), elements.spread_over_window(x)
        return fill_rigid_fields(grid.dx, one, at, y)

    def move_to(self, patch: FrictionPatch) -> CoveredRolling:
        """The same elements at the edges of another patch of the same window."""
        return replace(self, patch=patch, elements=CoveredElements(patch, self.elements.direction))

    def hold_edges(self, patch: FrictionPatch) -> CoveredRolling:
        """The same elements with their edges on a patch with another bound."""
        elements = replace(self.elements, patch=patch, held=self.elements.edges)
        return replace(self, patch=patch, elements=elements)

    @cached_property
    def window_arms(self) -> np.ndarray:
        """x at which the force of each element acts, m."""
        elements, grid, weights = self.elements, self.patch.grid, self.parts.far_weights
        centre = grid.x[elements.column] + grid.dx * (weights[:, 2] - weights[:, 0])
        return np.where(elements.contact, elements.spread_over_window(centre), self.patch.mesh[0])
