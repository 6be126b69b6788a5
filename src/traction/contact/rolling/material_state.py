"""`MaterialState`: tractions on the material, the start and end of a step of rolling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from traction.contact.elements.element_influence import ElementInfluence, Target
from traction.contact.friction.pressed_displacement import PressedDisplacement
from traction.contact.rolling.kernels import material_rows as kernels
from traction.contact.rolling.material_grid import MaterialElements, RowLoads
from traction.contact.rolling.stick_tips import StickTips
from traction.contact.stick_slip.friction_patch import FrictionPatch
from traction.contact.stick_slip.interface import Carried
from traction.halfspace.half_space import HalfSpace

SAME_EDGE = 0.25  #: cells, by which edges of a contact may move about the places at which friction lags


class Displaced(NamedTuple):
    """Displacements by the tractions on the material, where they are known; m."""

    elements: np.ndarray | None = None  #: at the points of the elements, (2, n)
    cells: np.ndarray | None = None  #: of cells as from far away, by which those at other points are found


class LaggingFriction(NamedTuple):
    """Coefficients of friction that lag behind their law, at places that move with the contact; (k,).

    Elements are at other places of the contact after each step of a part of one. There and back only what
    coefficients change by is interpolated: all of them would be smoothed again in every step.
    """

    row: np.ndarray
    place: np.ndarray  #: in cells
    left: np.ndarray  #: edges of the contact around it, in cells
    right: np.ndarray
    mu: np.ndarray

    @classmethod
    def on(cls, elements: MaterialElements, travelled: float, mu: np.ndarray) -> LaggingFriction:
        """Of elements under a contact that has moved by so many cells."""
        place, left, right = (one - travelled for one in (elements.middle, elements.left, elements.right))
        return cls(elements.row, place, left, right, mu)

    def see_from(self, elements: MaterialElements, travelled: float, rest: float) -> np.ndarray:
        """Coefficients at the places of elements, (n,): that at rest in rows that have none."""
        seen = self.row, self.place, self.mu - rest
        return rest + see_in_contact(seen, elements.row, elements.middle - travelled)

    def follow(self, now: LaggingFriction, seen: np.ndarray) -> LaggingFriction:
        """After a step that made coefficients `now` of those `seen` at its elements.

        Where the edges of the contact have moved, coefficients stay at the places of the elements.
        """
        if not self._has_edges_of(now):
            return now
        change = see_in_contact((now.row, now.place, now.mu - seen), self.row, self.place)
        return self._replace(mu=self.mu + change)

    def in_rows(self, first: int, end: int) -> LaggingFriction:
        """Those of some rows."""
        kept = (self.row >= first) & (self.row < end)
        return LaggingFriction(*(field[kept] for field in self))

    def move(self, rows: int, cells: int) -> LaggingFriction:
        """The same on a grid that begins so many rows and cells before this one."""
        place, left, right = (one + cells for one in (self.place, self.left, self.right))
        return LaggingFriction(self.row + rows, place, left, right, self.mu)

    @classmethod
    def join(cls, parts: Sequence[LaggingFriction]) -> LaggingFriction:
        """Of several contacts, by rows and along them."""
        fields = [np.concatenate(columns) for columns in zip(*parts, strict=True)]
        order = np.lexsort((fields[1], fields[0]))
        return cls(*(field[order] for field in fields))

    def _has_edges_of(self, other: LaggingFriction) -> bool:
        """Whether rows and edges are the same, but for small motions."""
        rows, mine = np.unique(self.row, return_index=True)
        others, its = np.unique(other.row, return_index=True)
        if not np.array_equal(rows, others):
            return False
        moved = self.left[mine] - other.left[its], self.right[mine] - other.right[its]
        return bool(np.abs(moved).max() <= SAME_EDGE)


@dataclass(frozen=True, eq=False)
class MaterialState:
    """Tractions on the material, and the distance that the contact has moved over it."""

    elements: MaterialElements
    traction: np.ndarray  #: mean over each element's cell, Pa, (2, n)
    travelled: float  #: cells, along x
    patch: FrictionPatch  #: of the contact, over these cells
    fineness: int = 1  #: cells per element of the contact's own grid, along x
    loads: RowLoads | None = None  #: of the contact, if known
    displaced: Displaced = Displaced()  # noqa: RUF009
    pressed: PressedDisplacement | None = None  #: displacement of unlike bodies by the pressure
    owed: float = 0.0  #: negative dissipation carried to the following steps, J, at most 0
    tips: StickTips | None = None  #: by which the tractions bend
    #: change of the tractions of particles in the last step, where they are now, Pa per cell rolled, (2, n)
    trend: np.ndarray | None = None
    carried: Carried | None = None  #: memory of the particles, (n,); None where friction has none
    layer: float = 0.0  #: compliance of a layer between the bodies, m/Pa
    lagging: LaggingFriction | None = None  #: of a steep law; None where it is followed at once
    #: of elements along x, where the slip speeds that they carry belong: means of a step, to half its way
    ahead: float = 0.0

    def __post_init__(self) -> None:
        """Components one after the other: what is taken from a window by its elements lies otherwise."""
        object.__setattr__(self, "traction", np.ascontiguousarray(self.traction))
        if self.trend is not None:
            object.__setattr__(self, "trend", np.ascontiguousarray(self.trend))

    @property
    def friction_in_contact(self) -> LaggingFriction | None:
        """Coefficients at the places of the contact; None where there was no law."""
        if self.lagging is not None or self.carried is None:
            return self.lagging
        return LaggingFriction.on(self.elements, self.travelled, self.carried.mu)

    @cached_property
    def energy(self) -> float:
        """Elastic energy of the tractions, J."""
        elements, u = self.elements, self.displaced.elements
        if not elements.row.size:
            return 0.0
        if u is None:
            target = (elements.row, elements.middle, np.ones(elements.row.size))
            u = self.displace(target)
        return 0.5 * self._work_on(u if self.layer == 0.0 else u + self.shear_layer())

    def shear_layer(self) -> np.ndarray:
        """Shear of the layer under the tractions, m, (2, n): these are means over cells, not elements."""
        sheared: np.ndarray = self.layer / self.elements.width * self.traction
        return sheared

    def displace(self, target: Target) -> np.ndarray:
        """Displacements by the tractions at points, m, (2, n)."""
        influence = ElementInfluence(self.elements, [target])
        loads, cells = self.elements.load(influence, self.traction), self.displaced.cells
        if cells is None or not influence.is_plain:
            cells = influence.displace_cells(loads)
        return influence.gather(loads, cells)

    def halve(self) -> MaterialState:
        """State on cells of half the length; halves of whole cells differ by the slope of their values."""
        patch = self.patch.divide_cells(2)
        elements, number, share = self.elements.halve(HalfSpace(patch.grid, patch.pair))
        halves, side = self.elements.is_whole[number], np.where(elements.cell % 2 == 0, -0.25, 0.25)
        side = np.where(halves, side, 0.0)
        traction = (
            share * self.traction[:, number] + side * self.elements.find_slopes(self.traction)[:, number]
        )
        slope = self.elements.find_slopes(self.elements.bound[None])[0, number]
        elements = replace(elements, bound=elements.bound + side * slope)
        travelled, lagging = 2.0 * self.travelled, self.lagging
        if lagging is not None:
            mu = lagging.see_from(self.elements, self.travelled, rest=0.0)[number]
            lagging = LaggingFriction.on(elements, travelled, mu)
        return MaterialState(
            elements,
            traction,
            travelled,
            patch,
            2 * self.fineness,
            pressed=None if self.pressed is None else replace(self.pressed, fineness=2 * self.fineness),
            owed=self.owed,
            carried=None if self.carried is None else self.carried.at(number),
            layer=self.layer,
            lagging=lagging,
            ahead=2.0 * self.ahead,
        )

    def bend(self, direction: int, *, at_tips: bool, steady: bool) -> MaterialState:
        """The state with tractions that bend at the tips of the stick zone, or do not, as those of a step.

        Tips of steady rolling move with the contact; others stay in the material until they are seen to move.
        """
        if not self.elements.row.size or at_tips == (self.tips is not None):
            return self
        tips = self.find_tips(direction, 0.0) if at_tips else None
        if tips is not None and steady:
            tips = replace(tips, drift=np.zeros_like(tips.drift))
        if tips is not None:
            return replace(self, tips=tips)
        elements = self.elements.bend_inside(tips, direction, self.travelled)
        return replace(self, elements=elements, tips=tips, displaced=Displaced())

    def find_tips(self, direction: int, distance: float) -> StickTips:
        """Tips of the stick zone for a step over a distance (cells)."""
        elements, (row, left, right) = self.elements, self.elements.runs
        lead = right if direction > 0 else left
        places = (place - self.travelled for place in (elements.low, elements.high))
        parts = (*places, elements.bound, np.hypot(*self.traction))
        runs = row, elements.starts, lead - self.travelled
        return StickTips.follow(self.tips, runs, parts, direction, distance)

    def guess_on(self, elements: MaterialElements, travelled: float) -> np.ndarray:
        """Tractions on the elements of a contact that moved, (2, n): the same share of the bound as here."""
        old, shares = self.elements, np.empty((2, elements.row.size))
        seen = old.row, old.middle - self.travelled, np.divide(self.traction, old.bound, order="C")
        kernels.in_contact_frame(seen, (elements.row, elements.middle - travelled), shares)
        return shares * (elements.bound / np.maximum(1.0, np.hypot(*shares)))

    def find_trend(self, before: MaterialState) -> np.ndarray:
        """Change of the tractions of particles since an earlier state, Pa per cell rolled, (2, n)."""
        elements, trend = self.elements, np.empty(self.traction.shape)
        number, way = elements.find_whole(before.elements), abs(self.travelled - before.travelled)
        old, new = (np.ascontiguousarray(state.traction) for state in (before, self))
        kernels.trend_of(number, elements.starts, old, new, way, trend)
        return trend

    def continue_on(self, elements: MaterialElements, travelled: float, guess: np.ndarray) -> np.ndarray:
        """Tractions on the elements of a contact that moved on, (2, n), if they change as in the last step.

        What sticks moves with the material, and in steady rolling tractions move with the contact: particles
        change as those changed that were at the same place of the contact. Where none stuck, the `guess`
        remains: that of `guess_on`.
        """
        if self.trend is None or not self.elements.row.size:
            return guess
        guess = guess.copy()
        old, trend = self.elements, np.empty_like(guess)
        seen = old.row, old.middle - self.travelled, self.trend
        kernels.in_contact_frame(seen, (elements.row, elements.middle - travelled), trend)
        number, way = elements.find_whole(old), abs(travelled - self.travelled)
        known = np.ascontiguousarray(self.traction)
        kernels.continue_trend(number, known, trend, way, elements.bound, guess)
        return guess

    def _work_on(self, displacement: np.ndarray) -> float:
        """Work of the tractions on displacements of their elements, J: the same for any order in memory."""
        work = np.multiply(self.traction, displacement, order="C").sum()
        return float(work) * self.patch.grid.cell_area

    def work_on_pressed(self, before: MaterialState, after: MaterialState) -> float:
        """Work of these tractions on the displacement of unlike bodies by the change of pressure, J."""
        if before.pressed is None and after.pressed is None:
            return 0.0
        elements, moved = self.elements, np.zeros_like(self.traction)
        for state, sign in ((after, 1.0), (before, -1.0)):
            if state.pressed is not None:
                moved += sign * state.pressed.at(elements.row, elements.middle - state.travelled)
        return self._work_on(moved)

    def work_on_rigid_slip(self, creepage: Sequence[float], middle: float) -> float:
        """Work of the tractions on the rigid slip of a contact that moved to `middle` (cells), J/m."""
        (xi, eta, phi), elements, grid = creepage, self.elements, self.patch.grid
        px, py = np.ascontiguousarray(self.traction)  # sums are the same for any order in memory
        work = xi * float(px.sum()) + eta * float(py.sum())
        if phi != 0.0:
            x, y = grid.x[0] + grid.dx * (elements.middle - middle), grid.y[elements.row]
            work += phi * float((x * py - y * px).sum())
        return work * grid.cell_area


def see_in_contact(
    seen: tuple[np.ndarray, np.ndarray, np.ndarray], row: np.ndarray, place: np.ndarray
) -> np.ndarray:
    """Values at rows and places of the contact, (n,), interpolated along each row; 0 in rows without.

    `seen`: rows, places and values, by rows and along them.
    """
    (old, where, values), found = seen, np.zeros((1, row.size))
    kernels.in_contact_frame((old, where, np.ascontiguousarray(values)[None]), (row, place), found)
    return found[0]
