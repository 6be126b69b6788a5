"""Steady rolling by covered elements, and the one rule for what sticks and glides in them.

The *demand* of an element is the traction, over its bound, that would hold its particle on the way here if
all others stayed as they are. Below 1 the element sticks; above, it slips by demand - 1 times what its bound
can hold. Two shares follow from it:

- `sticks`: where particles leave, the traction of a sticking element is an inverse root of the distance from
  the edge, that of a slipping one a root. The share of the first falls from 1 to 0 as the demand rises to 1.
- `glides`: where elements may stick, the slip is a difference over the way of the particle, since its past
  decides. Where they glide, it is centred, since the traction opposes the slip at its place; but then an
  element has no influence on itself. The share of the second rises from 0 to 1 as the demand rises from 1.5
  to 2.5.

The demand depends neither on the element's own traction nor on its shares, and these vary with it
continuously: one set of shares agrees with its own solution. Following them from solution to solution gains
more than a digit each time. Switches instead of shares would leave elements for which no choice agrees, and
others for which two do. All of it is evaluated element by element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction.contact.elements.covered_cells import CoveredElements
from traction.contact.elements.element_influence import ElementInfluence, LoadedParts
from traction.contact.elements.friction_step import FrictionStep, fill_rigid_fields
from traction.contact.elements.kernels.element_products import carry_downstream
from traction.contact.normal.part_interaction import Displace
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.kernels.sliding_states import SlidingRule
from traction.contact.stick_slip.sliding_step import SlidingStates
from traction.contact.stick_slip.slip_equation import SlipEquation, StickSlip
from traction.halfspace.tangential_influence import TangentialInverse

LEAST_BOUND = 1e-6  #: of that at rest, of elements whose friction has vanished
GLIDES = 1.5  #: demand from which the centred difference has a share, until it is greater by 1
SLIDING = 1.0  #: demand from which the centred difference is prepared


def shift_along(field: np.ndarray, places: int) -> np.ndarray:
    """A field at the cell so many places further along x, 1 or -1; zero beyond the window."""
    shifted = np.zeros_like(field)
    if places > 0:
        shifted[..., :-1] = field[..., 1:]
    else:
        shifted[..., 1:] = field[..., :-1]
    return shifted


@dataclass(frozen=True, eq=False)
class EdgeShares:
    """Shares of elements by their demand (see above), (n,)."""

    sticks: np.ndarray  #: of the inverse root in the traction at the trailing edge, 0 elsewhere
    glides: np.ndarray  #: of the centred difference in the slip

    @classmethod
    def by(cls, demand: np.ndarray, leaves: np.ndarray) -> EdgeShares:
        """Shares for demands; `leaves` are the elements at the trailing edge."""
        sticks = np.where(leaves, np.clip(1.0 - demand, 0.0, 1.0), 0.0)
        return cls(sticks, np.clip(demand - GLIDES, 0.0, 1.0))

    def meet(self, other: EdgeShares) -> EdgeShares:
        """The middle between these and others."""
        return EdgeShares(0.5 * (self.sticks + other.sticks), 0.5 * (self.glides + other.glides))

    def differ_from(self, other: EdgeShares) -> float:
        """Largest difference of a share."""
        pairs = (self.sticks, other.sticks), (self.glides, other.glides)
        return max(float(np.abs(one - two).max(initial=0.0)) for one, two in pairs)


@dataclass(frozen=True, eq=False)
class SlipPoints:
    """Points at which displacements of covered elements are taken for both differences of their slip."""

    elements: CoveredElements
    parts: LoadedParts  #: the elements with the shapes of their tractions
    sliding: np.ndarray  #: mask of the elements that have a centred difference
    like: SlipPoints | None = None  #: the same points, with other shapes

    @cached_property
    def _all(self) -> ElementInfluence:
        if self.like is not None:
            return self.like._all.reshape(self.parts)
        elements, row, one = self.elements, self.elements.row, np.ones(self.elements.row.size)
        middle, ahead, some = elements.middle, elements.direction * elements.way, self.sliding.astype(float)
        way = (row, middle, one), (row, middle + ahead, one)
        around = (row, middle - 0.5 * ahead, some), (row, middle + 0.5 * ahead, some)
        return ElementInfluence(self.parts, [*way, *around])

    def weigh(self, glides: np.ndarray) -> ElementInfluence:
        """Slip of the elements by their tractions over a step of one cell, for shares that glide."""
        held, centred = (1.0 - glides) / self.elements.way, (glides / self.elements.way)[self.sliding]
        return self._all.reweigh(np.concatenate((held, -held, centred, -centred)))

    def both_slips(self, traction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Slip by tractions over the way of the particles, and centred; m, (2, n)."""
        u, way, (n, some) = self._displace(traction), self.elements.way, (self.sliding.size, self.sliding)
        slip = (u[:, :n] - u[:, n : 2 * n]) / way
        centred, around = slip.copy(), u[:, 2 * n :]
        half = around.shape[1] // 2
        centred[:, some] = (around[:, :half] - around[:, half:]) / way[some]
        return slip, centred

    @cached_property
    def _displace(self) -> Displace:
        displace, parts, row = self._all.displace_points(), self.elements.patch.parts, self.elements.row
        if parts is None:
            return displace
        loaded, some = parts.part[row], parts.part[row[self.sliding]]
        displaced = np.concatenate((loaded, loaded, some, some))
        return lambda traction: parts.displace(displace, traction, loaded, displaced)

    @cached_property
    def held(self) -> ElementInfluence:
        """Slip of elements that do not glide."""
        return self.weigh(np.zeros(self.sliding.size))

    @cached_property
    def held_own(self) -> np.ndarray:
        """Of each element by its own unit traction, m/Pa, (2, n)."""
        return self.held.own()

    @cached_property
    def sliding_own(self) -> np.ndarray:
        """`held_own` of elements that slip where particles leave."""
        return np.where(self.elements.ends[1], self.elements.own_at_exit, self.held_own)

    @cached_property
    def _centred_own(self) -> np.ndarray:
        """The same of elements that glide."""
        return self.weigh(self.sliding.astype(float)).own()

    def own(self, glides: np.ndarray) -> np.ndarray:
        """The same for shares that glide."""
        return self.held_own + glides * (self._centred_own - self.held_own)

    @cached_property
    def usual(self) -> np.ndarray:
        """Slip of a whole cell by its own unit traction over a step, m/Pa, along x and y, (2,)."""
        tables = self._all.influence
        own: np.ndarray = tables.own - tables.next
        return own

    @cached_property
    def pressed(self) -> np.ndarray | None:
        """Displacements of unlike bodies by the pressure, m; None where it moves nothing sideways."""
        patch = self.elements.patch
        return None if patch.pair.mismatch == 0.0 else patch.displace_by_pressure(beyond=self._all.beyond)


@dataclass(frozen=True, eq=False)
class CoveredRolling(FrictionStep):
    """Steady rolling by covered elements with given shares."""

    elements: CoveredElements
    shares: EdgeShares
    known_points: SlipPoints | None = None  #: of the same shapes, where they are known

    @classmethod
    def begin(cls, whole: FrictionStep, direction: int, answer: StickSlip) -> CoveredRolling:
        """The step on the elements of a patch, with the shares by a solution of whole cells."""
        patch, rho = whole.patch, whole.equation.rho
        elements = CoveredElements(patch, direction)
        held = np.hypot(*(answer.traction - rho * answer.slip))[elements.row, elements.column]
        demand = held / patch.bound[elements.row, elements.column]
        step = cls(patch, whole.rigid, elements, EdgeShares.by(demand, elements.ends[1]))
        return step._prepare(demand)

    def _prepare(self, demand: np.ndarray, like: SlipPoints | None = None) -> CoveredRolling:
        """The same with points for all elements that may glide, or those that are known."""
        parts = self.elements.load_parts(self.shares.sticks)
        sliding = demand > SLIDING if like is None else like.sliding
        return replace(self, known_points=SlipPoints(self.elements, parts, sliding, like))

    @cached_property
    def points(self) -> SlipPoints:
        """Points at which displacements are taken."""
        if self.known_points is not None:
            return self.known_points
        parts = self.elements.load_parts(self.shares.sticks)
        return SlipPoints(self.elements, parts, self.shares.glides > 0.0)

    @property
    def parts(self) -> LoadedParts:
        """The elements with the shapes of their tractions."""
        return self.points.parts

    @cached_property
    def equation(self) -> SlipEquation:
        """s = (u(m) - u(m + d))/d + W over a step of one cell, where elements do not glide."""
        elements, patch, points = self.elements, self.patch, self.points
        influence, known = points.weigh(self.shares.glides), np.zeros((2, *patch.bound.shape))
        if points.pressed is not None:
            known = elements.spread_over_window(influence.interpolate(points.pressed))
        own = elements.spread_over_window(points.own(self.shares.glides))
        own = np.maximum(own, points.usual[:, None, None])  # that of a whole cell over a step at least
        place = elements.row, elements.column
        product = patch.share_influence(influence.on_window(patch.bound.shape, place))
        if self._layer > 0.0:
            own += self._layer / (self._reach * self._width)
        equation = SlipEquation(
            bound=patch.bound,
            known=known,
            product=product if self._layer == 0.0 else lambda p: product(p) + self._shear_layer(p),
            inverse=TangentialInverse(self.parts.half_space, patch.bound.shape, self._layer),
            own=own,
            rho=2.0 / own.sum(axis=0),
            upstream=elements.direction,
            rule=self._rule,
        )
        return equation.prescribe_slip(self.rigid_fields, self.rigid, patch.grid.cell_area)

    @property
    def _layer(self) -> float:
        """Compliance of a layer between the bodies, m/Pa."""
        return 0.0 if self.patch.interface is None else self.patch.interface.compliance

    @cached_property
    def _reach(self) -> np.ndarray:
        """Ways of the particles, in cells, on the window; 1 elsewhere."""
        elements = self.elements
        return np.where(elements.contact, elements.spread_over_window(elements.way), 1.0)

    @cached_property
    def _width(self) -> np.ndarray:
        """Covered parts of the cells, on the window; 1 elsewhere."""
        (low, high), elements = self.elements.covered, self.elements
        return np.where(elements.contact, elements.spread_over_window(high - low), 1.0)

    @property
    def _rule(self) -> SlidingRule | None:
        """By which the bound depends on the slip; None where it does not."""
        patch, upstream = self.patch, self.elements.direction
        if patch.interface is None:
            return None
        time = patch.grid.dx / patch.interface.speed
        return patch.interface.rule(patch.weighted_pressure, time, upstream=upstream, reach=self._reach)

    def _shear_layer(self, traction: np.ndarray) -> np.ndarray:
        """Slip by the shear of the layer, over the way since the element upstream; m.

        Tractions are means over cells, of which elements at the edges cover more or less.
        """
        sheared = self._layer / self._width * traction
        slip: np.ndarray = (sheared - shift_along(sheared, self.elements.direction)) / self._reach
        return slip

    def follow(self, answer: StickSlip) -> tuple[CoveredRolling, np.ndarray | None]:
        """The step with the shares that a solution asks for, and the slip of that solution if known, m."""
        elements, points = self.elements, self.points
        demand, slip, centred = self._find_both(answer.traction, self.rigid.complete(answer.shifts))
        shares = EdgeShares.by(demand, elements.ends[1])
        shaped = np.array_equal(shares.sticks, self.shares.sticks)
        placed = not (shares.glides > 0.0)[~points.sliding].any()
        if shaped and placed:
            slip += shares.glides * (centred - slip)
            return replace(self, shares=shares, known_points=points), elements.spread_over_window(slip)
        return replace(self, shares=shares)._prepare(demand, points if placed else None), None

    def take(self, shares: EdgeShares) -> CoveredRolling:
        """The step with other shares."""
        placed = not (shares.glides > 0.0)[~self.points.sliding].any()
        demand = np.where(shares.glides > 0.0, np.inf, 0.0)
        return replace(self, shares=shares)._prepare(demand, self.points if placed else None)

    def find_demand(self, traction: np.ndarray, creepage: Sequence[float]) -> np.ndarray:
        """Traction that would hold the particle of each element, over its bound, (n,)."""
        return self._find_both(traction, creepage)[0]

    def vary_demand(self, change: np.ndarray) -> CoveredRolling | None:
        """The step as the demand changes, (n,), with the shares that vary; None where none does."""
        sticks, glides = (
            np.where((share > 0.0) & (share < 1.0), change, 0.0)
            for share in (self.shares.sticks, self.shares.glides)
        )
        if not (sticks.any() or glides.any()):
            return None
        shares, points = EdgeShares(self.shares.sticks - sticks, self.shares.glides + glides), self.points
        if sticks.any():
            points = replace(points, parts=self.elements.load_parts(shares.sticks), like=points)
        return replace(self, shares=shares, known_points=points)

    def _find_both(
        self, traction: np.ndarray, creepage: Sequence[float]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Demand of the elements, (n,), and their slips over their way and centred, m, (2, n)."""
        elements, points = self.elements, self.points
        place = slice(None), elements.row, elements.column
        own, layer = traction[place], (self._layer / (self._reach * self._width))[place[1:]]
        slip, centred = points.both_slips(own)
        if self._layer > 0.0:
            sheared = self._shear_layer(traction)[place]
            slip, centred = slip + sheared, centred + sheared
        if points.pressed is not None:
            slip += points.held.interpolate(points.pressed)
            centred += points.weigh(points.sliding.astype(float)).interpolate(points.pressed)
        self._add_rigid(slip, creepage, 0.5 * elements.way)
        self._add_rigid(centred, creepage, np.where(points.sliding, 0.0, 0.5 * elements.way))
        hold = ((points.held_own + layer) * own - slip) / (points.sliding_own + layer)
        bound = self._find_bound(traction, slip)
        demand: np.ndarray = np.hypot(*hold) / bound[elements.row, elements.column]
        return demand, slip, centred

    def _find_bound(self, traction: np.ndarray, slip: np.ndarray) -> np.ndarray:
        """Bounds of the elements at a slip (m, (2, n)), Pa, (ny, nx)."""
        if self.equation.rule is None:
            return self.patch.bound
        states = SlidingStates(self.patch.bound.shape)
        states.classify(self.equation, traction, self.elements.spread_over_window(slip))
        return np.maximum(states.bound, LEAST_BOUND * self.patch.bound)

    def dissipate(self, answer: StickSlip, slip: np.ndarray) -> np.ndarray:
        """Work of friction over a step of one cell, J/m2, (ny, nx): the integral of traction times slip.

        The slip that decides what sticks belongs to the way of a particle, half a cell ahead of its traction.
        Here both are taken at their place, over each strip of uniform traction: then tractions do no work on
        the displacements that they cause, and the sum is the work on the rigid slip. What sticking elements
        would have near a kink belongs to the next one downstream, in which slip begins.
        """
        elements, place = self.elements, (slice(None), self.elements.row, self.elements.column)
        influence, traction = self.parts.integrate_slip(elements.direction), answer.traction[place]
        mean, parts = influence.product(traction), self.patch.parts
        if parts is not None:
            inside = parts.part[elements.row]
            mean = parts.displace(influence.product, traction, inside, inside)
        if self._layer > 0.0:
            field, ahead = answer.traction / self._width, elements.direction
            centred = 0.5 * self._layer * (shift_along(field, -ahead) - shift_along(field, ahead))
            mean += (centred / self._width)[place]
        if self.points.pressed is not None:
            mean += influence.interpolate(self.patch.displace_by_pressure(beyond=influence.beyond))
        (xi, eta, phi), dx = self.rigid.complete(answer.shifts), self.patch.grid.dx
        mean[0] += dx * (xi - phi * self.patch.grid.y[elements.row])
        mean[1] += dx * (eta + phi * self.window_arms[place[1:]])
        work = elements.spread_over_window(-(traction * mean).sum(axis=0))
        carry_downstream(work, answer.stick, elements.contact, elements.direction)
        return work

    def _add_rigid(self, slip: np.ndarray, rigid: Sequence[float], ahead: np.ndarray | float) -> None:
        """Add to a slip of the elements, m, that of creepages with the rotation at places ahead, cells."""
        (xi, eta, phi), grid = rigid, self.patch.grid
        slip[0] += grid.dx * (xi - phi * grid.y[self.elements.row])
        slip[1] += grid.dx * (eta + phi * self._place(ahead))

    @property
    def rigid_fields(self) -> np.ndarray:
        """Slip over a cell for a unit of each creepage, with the rotation at the middle of each distance."""
        elements = self.elements
        x = self._place(0.5 * (1.0 - self.shares.glides) * elements.way)
        y = np.where(elements.contact, self.patch.mesh[1], 0.0)
        one, at = elements.contact.astype(float), elements.spread_over_window(x)
        return fill_rigid_fields(self.patch.grid.dx, one, at, y)

    def _place(self, ahead: np.ndarray | float) -> np.ndarray:
        """x of places ahead (cells) of the middles of the elements, m."""
        elements, grid = self.elements, self.patch.grid
        place: np.ndarray = grid.x[0] + grid.dx * (elements.middle + elements.direction * ahead)
        return place

    def move_to(self, patch: FrictionPatch) -> CoveredRolling:
        """The same elements at the edges of another patch of the same window."""
        elements = CoveredElements(patch, self.elements.direction)
        return replace(self, patch=patch, elements=elements, known_points=None)

    def hold_edges(self, patch: FrictionPatch) -> CoveredRolling:
        """The same elements with their edges on a patch with another bound."""
        elements = replace(self.elements, patch=patch, held=self.elements.edges)
        return replace(self, patch=patch, elements=elements, known_points=None)

    @cached_property
    def window_arms(self) -> np.ndarray:
        """x at which the force of each element acts, m."""
        elements, grid, weights = self.elements, self.patch.grid, self.parts.far_weights
        centre = grid.x[elements.column] + grid.dx * (weights[:, 2] - weights[:, 0])
        return np.where(elements.contact, elements.spread_over_window(centre), self.patch.mesh[0])
