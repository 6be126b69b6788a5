"""One step of transient rolling on the grid of the material."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction.contact.elements.element_influence import ElementInfluence
from traction.contact.elements.whole_cells import step_rho
from traction.contact.friction.pressure_coupling import Sideways
from traction.contact.rolling.kernels import material_rows as kernels
from traction.contact.rolling.material_grid import MaterialElements, RowLoads
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.rigid_slip import RigidSlip
from traction.contact.stick_slip.slip_equation import SlipEquation
from traction.halfspace.half_space import HalfSpace
from traction.halfspace.tangential_influence import TangentialInverse

NEAR = 3.0  #: cells within which an edge of the old contact is the same one as that of the new


@dataclass(frozen=True, eq=False)
class MaterialState:
    """Tractions on the material, and how far the contact has moved over it."""

    elements: MaterialElements
    traction: np.ndarray  #: mean over each element's cell, Pa, (2, n)
    travelled: float  #: cells, along x
    patch: FrictionPatch  #: of the contact, over these cells
    fineness: int = 1  #: cells per element of the contact's own grid, along x
    loads: RowLoads | None = None  #: of the contact, where they are known
    displacement: np.ndarray | None = None  #: at the middles of the elements, m, (2, n), where it is known
    sideways: Sideways | None = None  #: what the pressure displaces unlike bodies by
    owed: float = 0.0  #: what friction seems to have given back and has to take again, J, at most 0

    @cached_property
    def energy(self) -> float:
        """Elastic energy of the tractions, J."""
        elements, u = self.elements, self.displacement
        if not elements.row.size:
            return 0.0
        if u is None:
            target = (elements.row, elements.middle, np.ones(elements.row.size))
            u = ElementInfluence(elements, [target]).product(self.traction)
        return 0.5 * float((self.traction * u).sum()) * self.patch.grid.cell_area

    def halved(self) -> MaterialState:
        """The same on cells of half the length."""
        grid = self.patch.grid
        fine = replace(grid, nx=2 * grid.nx, dx=0.5 * grid.dx)
        elements, number, share = self.elements.halved(HalfSpace(fine, self.patch.pair))
        bound = np.repeat(self.patch.bound, 2, axis=1)
        return MaterialState(
            elements,
            share * self.traction[:, number],
            2.0 * self.travelled,
            replace(self.patch, grid=fine, bound=bound),
            2 * self.fineness,
            sideways=None if self.sideways is None else replace(self.sideways, fineness=2 * self.fineness),
            owed=self.owed,
        )

    def drawn_apart(self, before: MaterialState, after: MaterialState) -> float:
        """Work of these tractions on what the pressures before and after a step draw unlike bodies by, J."""
        elements, moved = self.elements, np.zeros_like(self.traction)
        for state, sign in ((after, 1.0), (before, -1.0)):
            if state.sideways is not None:
                moved += sign * state.sideways.at(elements.row, elements.middle - state.travelled)
        return float((self.traction * moved).sum()) * self.patch.grid.cell_area

    def work(self, creepage: Sequence[float], middle: float) -> float:
        """Work of the tractions on the rigid slip of a contact that travelled to `middle` (cells), J/m."""
        (xi, eta, phi), elements, grid = creepage, self.elements, self.patch.grid
        x, y = grid.x[0] + grid.dx * (elements.middle - middle), grid.y[elements.row]
        power = (xi - phi * y) * self.traction[0] + (eta + phi * x) * self.traction[1]
        return float(power.sum()) * grid.cell_area


@dataclass(frozen=True, eq=False)
class MaterialStep:
    """The equation of a step from an earlier state."""

    before: MaterialState
    elements: MaterialElements
    loads: RowLoads  #: of the contact at the end of the step
    travelled: float  #: at the end of the step, cells
    direction: int
    whole: bool = False  #: whether elements are whole cells, and particles enter them at the end of a step
    sideways: Sideways | None = None  #: what the pressure at the end displaces unlike bodies by

    @property
    def patch(self) -> FrictionPatch:
        """The contact at the end of the step."""
        return self.loads.patch

    @property
    def distance(self) -> float:
        """Rolled in the step, cells."""
        return abs(self.travelled - self.before.travelled)

    @cached_property
    def entered(self) -> tuple[np.ndarray, np.ndarray]:
        """Which elements entered during the step, and the part of it that they have been inside."""
        elements, old = self.elements, self.before.elements
        if self.whole:
            return np.zeros(elements.row.size, dtype=bool), np.ones(elements.row.size)
        inside = self.direction * (elements.lead - elements.middle)
        entered = self.direction * (elements.middle - self._old_lead) > 0.0
        part = np.where(entered, np.clip(inside / self.distance, 1e-6, 1.0), 1.0)
        held = np.zeros(max(elements.top + elements.rows, int(old.row.max(initial=-1)) + 1), dtype=bool)
        held[old.row] = True  # rows that were in contact
        return entered & ((part < 1.0) | ~held[elements.row]), part

    @cached_property
    def _old_lead(self) -> np.ndarray:
        """Leading edge of the old contact in the row of each element; where it had none, the new one's."""
        elements = self.elements
        row, lead, _, _ = elements.runs
        moved = lead - (self.travelled - self.before.travelled)
        old: np.ndarray = kernels.old_leads(row, moved, self.before.elements.runs, self.direction, NEAR)
        return old[elements.run]

    @cached_property
    def influence(self) -> ElementInfluence:
        """s = [u(m) - u(entry)]/part + W: over the step, or over the part since a particle entered.

        What a particle was displaced by when it entered lies between the displacements at the leading edge
        before and after the step.
        """
        elements = self.elements
        entered, part = self.entered
        away = np.where(entered, -(1.0 - part) / part, 0.0)
        middle, lead = (elements.row, elements.middle, 1.0 / part), (elements.row, elements.lead, away)
        return ElementInfluence(elements, [middle, lead])

    def displaced(self, traction: np.ndarray) -> np.ndarray:
        """What tractions before the step displaced the particles by, m, over the window."""
        if self._old is None:
            return self.field(np.zeros((2, self.elements.row.size)))
        return self.field(self._old.product(traction))

    @cached_property
    def _old(self) -> ElementInfluence | None:
        if not self.before.elements.row.size:
            return None
        ones = np.ones(self.elements.row.size)
        return ElementInfluence(self.before.elements, [(self.elements.row, self._then, ones)])

    @cached_property
    def _then(self) -> np.ndarray:
        """Where the particles of the elements were before the step, or entered since, in cells."""
        return np.where(self.entered[0], self._old_lead, self.elements.middle)

    def _displaced_before(self) -> np.ndarray:
        """`displaced` by the tractions of the state before: known at the middles of elements that stayed."""
        before, elements, old = self.before, self.elements, self.before.elements
        if before.displacement is None or not old.row.size:
            return self.displaced(before.traction)
        u = np.empty((2, elements.row.size))
        seen, known = (old.row, old.cell, old.middle), np.ascontiguousarray(before.displacement)
        new = kernels.known_before(seen, known, (elements.row, elements.cell, self._then), u)
        rest = np.flatnonzero(new)
        if rest.size:
            influence = ElementInfluence(old, [(elements.row[rest], self._then[rest], np.ones(rest.size))])
            u[:, rest] = influence.product(before.traction)
        return self.field(u)

    def drawn(self) -> np.ndarray:
        """Slip by the pressures before and after the step, which draw unlike bodies sideways; window, m.

        Like that by tractions, over the step or over the part since a particle entered.
        """
        elements, total = self.elements, np.zeros((2, self.elements.row.size))
        entered, part = self.entered
        if self.sideways is not None:
            total += self.sideways.at(elements.row, elements.middle - self.travelled) / part
            fresh = np.flatnonzero(entered)
            lead = self.sideways.at(elements.row[fresh], elements.lead[fresh] - self.travelled)
            total[:, fresh] -= (1.0 / part[fresh] - 1.0) * lead
        if self.before.sideways is not None:
            total -= self.before.sideways.at(elements.row, self._then - self.before.travelled)
        return self.field(total)

    def equation(self, rigid: RigidSlip) -> SlipEquation:
        """The equation for tractions on the elements of the window."""
        elements = self.elements
        shape, (row, column) = (elements.rows, elements.columns), elements.place
        own = self.influence.own()
        own = np.maximum(own, 1e-3 * own.max())
        rho = np.ones(shape)
        rho[row, column] = step_rho(own, elements.row.size)
        fields = self.rigid_fields()
        given = np.tensordot([0.0 if part is None else part for part in rigid.shift], fields, axes=1)
        resultants = np.zeros((2, 2, *shape))
        resultants[0, 0] = resultants[1, 1] = self.patch.grid.cell_area
        unknown = list(rigid.unknown)
        product = self.influence.on_window(shape, elements.place)
        inverse = TangentialInverse(elements.half_space, shape)
        return SlipEquation(
            bound=self.field(elements.bound),
            known=given - self._displaced_before() + self.drawn(),
            product=product,
            inverse=inverse,
            own=self.field(own),
            rho=rho,
            rigid=fields[unknown],
            resultants=resultants[unknown],
            given=np.array([rigid.force[k] for k in unknown], dtype=float),
        )

    def start(self, like: MaterialState | None = None) -> np.ndarray:
        """Tractions to start from: the same share of the bound as before, seen from the contact; (2, n).

        Or as in another state, of a turn before at the end of the same step.
        """
        before, elements = self.before if like is None else like, self.elements
        old = before.elements
        shares = np.empty((2, elements.row.size))
        seen = old.row, old.middle - before.travelled, before.traction / old.bound
        kernels.in_contact_frame(seen, (elements.row, elements.middle - self.travelled), shares)
        return shares * (elements.bound / np.maximum(1.0, np.hypot(*shares)))

    def reached(self, traction: np.ndarray, displacement: np.ndarray) -> MaterialState:
        """The state that these tractions are, with the displacements at the middles of the elements."""
        fineness = self.before.fineness
        known = fineness, self.loads, displacement, self.sideways
        return MaterialState(self.elements, traction, self.travelled, self.patch, *known)

    def over_contact(self, values: np.ndarray) -> np.ndarray:
        """Numbers of the elements, (k, n), times their bounds on the cells of the contact's own grid.

        Along each row places are counted by the friction bound up to them, from edge to edge, and numbers
        shared out by overlap. Parts of the bound that elements carry thus become tractions with the same
        force, of which no cell gets more than its own bound, or any outside the contact.
        """
        patch, (low, high) = self.patch, self.elements.up_to
        inside = patch.bound > 0.0
        up_to = np.r_[0.0, np.cumsum(patch.bound[inside])]
        shares = np.empty((len(values), up_to.size - 1))
        kernels.shared_out(up_to, low, high, np.ascontiguousarray(values), shares)
        fields = np.zeros((len(values), *patch.grid.shape))
        fields[:, inside] = shares
        ny, nx = patch.grid.shape
        parts = self.before.fineness
        coarse: np.ndarray = fields.reshape(len(values), ny, nx // parts, parts).mean(axis=3)
        return coarse

    def field(self, values: np.ndarray) -> np.ndarray:
        """Numbers of the elements over their window, zero elsewhere."""
        elements = self.elements
        row, column = elements.place
        field = np.zeros((*values.shape[:-1], elements.rows, elements.columns))
        field[..., row, column] = values
        return field

    def rigid_fields(self) -> np.ndarray:
        """Slip of the step by a unit of each creepage, with the rotation in the middle of the step, m."""
        elements, grid = self.elements, self.patch.grid
        row, column = elements.place
        scale, fields = grid.dx * self.distance, np.zeros((3, 2, elements.rows, elements.columns))
        x = grid.x[0] + grid.dx * (elements.middle - self.travelled + 0.5 * self.direction * self.distance)
        fields[0, 0, row, column] = fields[1, 1, row, column] = scale
        fields[2, 0, row, column], fields[2, 1, row, column] = -scale * grid.y[elements.row], scale * x
        return fields


def advanced(
    before: MaterialState,
    loads: RowLoads,
    distance: float,
    direction: int,
    *,
    whole: bool = False,
    sideways: Sideways | None = None,
) -> MaterialStep:
    """The step over a distance (cells) to a contact with these loads."""
    travelled = before.travelled + direction * distance
    place = float(round(travelled)) if abs(travelled - round(travelled)) < 1e-9 else travelled
    elements = MaterialElements.under(loads, place, direction, whole=whole)
    return MaterialStep(before, elements, loads, place, direction, whole, sideways)
