"""`MaterialState`: tractions on the material, the start and end of a step of rolling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction.contact.elements.element_influence import ElementInfluence
from traction.contact.friction.pressed_displacement import PressedDisplacement
from traction.contact.rolling.material_grid import MaterialElements, RowLoads
from traction.contact.rolling.stick_tips import StickTips
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.halfspace.half_space import HalfSpace


@dataclass(frozen=True, eq=False)
class MaterialState:
    """Tractions on the material, and the distance that the contact has moved over it."""

    elements: MaterialElements
    traction: np.ndarray  #: mean over each element's cell, Pa, (2, n)
    travelled: float  #: cells, along x
    patch: FrictionPatch  #: of the contact, over these cells
    fineness: int = 1  #: cells per element of the contact's own grid, along x
    loads: RowLoads | None = None  #: of the contact, if known
    displacement: np.ndarray | None = None  #: at the centres of the elements, m, (2, n), if known
    pressed: PressedDisplacement | None = None  #: displacement of unlike bodies by the pressure
    owed: float = 0.0  #: negative dissipation carried to the following steps, J, at most 0
    tips: StickTips | None = None  #: by which the tractions bend

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

    def halve(self) -> MaterialState:
        """The same on cells of half the length."""
        patch = self.patch.divide_cells(2)
        elements, number, share = self.elements.halve(HalfSpace(patch.grid, patch.pair))
        return MaterialState(
            elements,
            share * self.traction[:, number],
            2.0 * self.travelled,
            patch,
            2 * self.fineness,
            pressed=None if self.pressed is None else replace(self.pressed, fineness=2 * self.fineness),
            owed=self.owed,
        )

    def bend(self, direction: int) -> MaterialState:
        """The same with tractions that bend at the tips of the stick zone, as those of a step do."""
        if not self.elements.row.size:
            return self
        tips = self.find_tips(direction, 0.0)
        elements = self.elements.bend_inside(tips, direction, self.travelled)
        return replace(self, elements=elements, tips=tips, displacement=None)

    def find_tips(self, direction: int, distance: float) -> StickTips:
        """Tips of the stick zone for a step over a distance (cells)."""
        elements, (row, left, right) = self.elements, self.elements.runs
        lead = right if direction > 0 else left
        places = (place - self.travelled for place in (elements.low, elements.high, elements.middle))
        parts = (*places, elements.bound, np.hypot(*self.traction))
        runs = row, elements.starts, lead - self.travelled
        return StickTips.follow(self.tips, runs, parts, direction, distance)

    def work_on_pressed(self, before: MaterialState, after: MaterialState) -> float:
        """Work of these tractions on the displacement of unlike bodies by the change of pressure, J."""
        elements, moved = self.elements, np.zeros_like(self.traction)
        for state, sign in ((after, 1.0), (before, -1.0)):
            if state.pressed is not None:
                moved += sign * state.pressed.at(elements.row, elements.middle - state.travelled)
        return float((self.traction * moved).sum()) * self.patch.grid.cell_area

    def work_on_rigid_slip(self, creepage: Sequence[float], middle: float) -> float:
        """Work of the tractions on the rigid slip of a contact that moved to `middle` (cells), J/m."""
        (xi, eta, phi), elements, grid = creepage, self.elements, self.patch.grid
        x, y = grid.x[0] + grid.dx * (elements.middle - middle), grid.y[elements.row]
        power = (xi - phi * y) * self.traction[0] + (eta + phi * x) * self.traction[1]
        return float(power.sum()) * grid.cell_area
