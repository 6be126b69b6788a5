"""Elements that end where the contact does: the default discretisation.

Each element in contact is a cell of the grid; those at the ends of a row reach to the true edge, which lies
between the cells (see `contact_outline`). There the traction has the shape it has near an edge: the root of
the distance where particles enter or slip, and its inverse where they leave without slipping. A uniform
traction in the last element acts like one with the edge a fifth of a cell away, which is most of the error of
the classical elements. Slip is taken at the middle of the covered part, over the way since the particle
entered the contact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction.contact.elements.element_influence import ElementInfluence, LoadedParts
from traction.contact.elements.kernels import contact_outline as outline
from traction.contact.elements.kernels import covered_shapes as kernels
from traction.contact.elements.whole_cells import with_rigid_slip
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.rigid_slip import RigidSlip
from traction.contact.stick_slip.slip_equation import SlipEquation
from traction.halfspace.half_space import HalfSpace
from traction.halfspace.tangential_influence import TangentialInverse

HEIGHTS = np.polynomial.legendre.leggauss(4)[0] / 2.0  #: at which the outline of a row is looked at
GLIDE = 1.0  #: slip from which an element glides, times that which its bound could hold back
DEPTH = 2  #: layers of elements at the edge that the outline does not look at


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
    def number(self) -> np.ndarray:
        """Number of each element on its cell, -1 elsewhere."""
        number = np.full(self.contact.shape, -1)
        number[self.contact] = np.arange(np.count_nonzero(self.contact))
        return number

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
        """Where the slip of each element is taken."""
        low, high = self.covered
        return 0.5 * (low + high)

    @property
    def width(self) -> np.ndarray:
        """Covered part of each element, in cells."""
        low, high = self.covered
        return high - low

    @property
    def lead(self) -> np.ndarray:
        """Edge at which the particles of each element entered."""
        return self.edges[1] if self.direction > 0 else self.edges[0]

    def centres(self, sticks: np.ndarray) -> np.ndarray:
        """Where the force of each element acts, m along x."""
        weights = np.empty((self.row.size, 3))
        shape, edge = self.shapes(sticks)
        kernels.fill_far_weights(*self.covered, edge, shape, self.column, weights)
        grid = self.patch.grid
        return grid.x[self.column] + grid.dx * (weights[:, 2] - weights[:, 0]) / self.width

    def over_window(self, values: np.ndarray) -> np.ndarray:
        """Numbers of the elements on their cells, zero elsewhere."""
        field = np.zeros(self.contact.shape)
        field[self.row, self.column] = values
        return field

    @cached_property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Which elements lie at the leading edge, and which at the trailing one."""
        (left, right), (low, high) = self.edges, self.covered
        return (high == right, low == left) if self.direction > 0 else (low == left, high == right)

    def shapes(self, sticks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Shape of each element's traction and the edge it starts from; `sticks` tells which elements do."""
        enters, leaves = self.ends
        lead, trail = self.edges[::-1] if self.direction > 0 else self.edges
        shape = np.full(enters.shape, kernels.FLAT)
        shape[leaves] = np.where(sticks[leaves], kernels.INVERSE_ROOT, kernels.ROOT)
        shape[enters] = kernels.ROOT
        return shape, np.where(enters, lead, trail)


class CoveredInfluence:
    """Displacements of covered elements at points of the same rows."""

    def __init__(
        self, elements: CoveredElements, sticks: np.ndarray, targets: list[tuple[np.ndarray, np.ndarray]]
    ) -> None:
        """`targets` are points (x in each element's row, in cells) and factors: their sum is the product."""
        self.elements, patch = elements, elements.patch
        self.shape = patch.bound.shape
        shape, edge = elements.shapes(sticks)
        half_space, row, column = HalfSpace(patch.grid, patch.pair), elements.row, elements.column
        parts = LoadedParts(half_space, row, column, *elements.covered, edge, shape)
        self._influence = ElementInfluence(parts, [(row, x, factor) for x, factor in targets])
        #: sum over the targets of factor times displacement (m), on each element; (2, ny, nx), from tractions
        #: that are means over whole cells, which is what the forces are sums of
        self.product = self._influence.on_window(self.shape, (row, column))

    def of_pressure(self) -> np.ndarray:
        """The same sum for the displacements that the pressure brings about, m, (2, ny, nx)."""
        elements, total = self.elements, np.zeros((2, *self.shape))
        if elements.patch.pair.mismatch != 0.0:
            pressed = elements.patch.pressed(beyond=self._influence.beyond)
            total[:, elements.row, elements.column] = self._influence.interpolate(pressed)
        return total

    @cached_property
    def own(self) -> np.ndarray:
        """Product of each element with its own unit traction, m/Pa, (2, ny, nx)."""
        field = np.zeros((2, *self.shape))
        field[:, self.elements.row, self.elements.column] = self._influence.own()
        return field

    @property
    def whole(self) -> np.ndarray:
        """Displacement of a whole cell under its own unit traction less that of its neighbour, m/Pa, (2,)."""
        tables = self._influence.influence
        return tables.own - tables.next


def gliding(elements: CoveredElements, slip: np.ndarray, rho: np.ndarray) -> np.ndarray:
    """Elements whose slip of a step, m, is more than their bound could hold back, (n,).

    A way that lies half before and half behind leaves an element without influence on itself: its equation is
    good where the direction of the slip is what matters, and bad where it may come to rest.
    """
    fast = rho * np.hypot(*slip) > GLIDE * elements.patch.bound
    return fast[elements.row, elements.column]


@dataclass(frozen=True, eq=False)
class CoveredSteady:
    """Steady rolling by covered elements; `sticks` tells which elements are taken to stick at their edge."""

    rigid: RigidSlip
    elements: CoveredElements
    sticks: np.ndarray
    glides: np.ndarray | None = None  #: elements that slip fast enough to look around them, see `gliding`

    @cached_property
    def way(self) -> np.ndarray:
        """Distance over which the slip of each element is taken, in cells: since it entered, one at most."""
        elements = self.elements
        return np.minimum(1.0, elements.direction * (elements.lead - elements.middle))

    @cached_property
    def behind(self) -> np.ndarray:
        """How far behind the middle of its element each way begins, in cells.

        What sticks is told by the way that a particle has come. What glides is held by a traction against its
        slip here and now: its way lies half before and half behind.
        """
        return np.zeros_like(self.way) if self.glides is None else np.where(self.glides, 0.5 * self.way, 0.0)

    def like(self, other: CoveredSteady) -> bool:
        """Whether what sticks and glides makes the same equation as that of another one."""
        leaves = self.elements.ends[1]
        shaped = bool((self.sticks == other.sticks)[leaves].all())
        return shaped and np.array_equal(self.behind, other.behind)

    def equation(self, patch: FrictionPatch) -> SlipEquation:
        """s = (u(m) - u(m + d))/d + W over a step of one cell."""
        elements, d = self.elements, self.way
        start = elements.middle - elements.direction * self.behind
        ahead = start + elements.direction * d
        influence = CoveredInfluence(elements, self.sticks, [(start, 1.0 / d), (ahead, -1.0 / d)])
        own = influence.own
        inverse = TangentialInverse(HalfSpace(patch.grid, patch.pair), patch.bound.shape)
        equation = SlipEquation(
            bound=patch.bound,
            known=influence.of_pressure(),
            product=influence.product,
            inverse=inverse,
            own=np.maximum(own, self._usual(influence)),
            rho=2.0 / np.maximum(own, self._usual(influence)).sum(axis=0),
            upstream=elements.direction,
        )
        return with_rigid_slip(equation, patch, self.fields(patch), self.rigid)

    def fields(self, patch: FrictionPatch) -> np.ndarray:
        """Slip over a cell of a unit of each creepage, with the rotation in the middle of each way."""
        elements, grid = self.elements, patch.grid
        x = grid.x[0] + grid.dx * (elements.middle + elements.direction * (0.5 * self.way - self.behind))
        one = elements.over_window(np.ones(x.size))
        zero = np.zeros_like(one)
        y = np.where(elements.contact, patch.mesh[1], 0.0)
        return grid.dx * np.array([[one, zero], [zero, one], [-y, elements.over_window(x)]])

    def on(self, patch: FrictionPatch) -> CoveredSteady:
        """The same elements at the edges of another patch of the same window."""
        return replace(self, elements=CoveredElements(patch, self.elements.direction))

    def arms(self, patch: FrictionPatch) -> np.ndarray:
        """x at which the force of each element acts, m."""
        elements = self.elements
        inside = elements.over_window(elements.centres(self.sticks))
        return np.where(elements.contact, inside, patch.mesh[0])

    def _usual(self, influence: CoveredInfluence) -> np.ndarray:
        return np.broadcast_to(influence.whole[:, None, None], (2, *influence.shape)).copy()
