"""Groups of members that share matrices: each is solved together, in parts that fit into memory.

Covered elements end at the edge of their contact, so that members of different contacts have different
matrices. Whole cells of all contacts have the same.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock

import numpy as np

from traction.contact.batch.device import Processor
from traction.contact.batch.feedback.member_splitting import OwnMembers, OwnSolution, may_branch, solve_own
from traction.contact.batch.feedback.pressure_turns import Coupling, PressureTurns
from traction.contact.batch.friction_members import Fields, FrictionMembers, SolvedMembers
from traction.contact.batch.member_parts import SAFETY, is_certified, solve_parts
from traction.contact.batch.pressing import Pressing
from traction.contact.batch.slip_matrices import fill_covered, fill_whole_cells
from traction.contact.batch.splitting import SHARE_EFFECT, SplitSolution, Splitting
from traction.contact.elements.shift_way import find_extent, measure_shift
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_patch import FrictionPatch

LEAST_MEMBERS = 8  #: for which the matrices of a contact are worth their set-up
REMEMBERED = 4  #: groups whose matrices are kept for the next call
#: of a cell, within which edges are mirror images: ten times what the default tolerance of `tr.press` leaves
SAME = 1e-4
EFFECT = 1e-2  #: on forces over mu Fn of edges that are not, which no certificate of the batch can see


@dataclass(frozen=True, eq=False)
class FrictionGroup:
    """Contacts that share matrices, on a device."""

    contacts: tuple[NormalContact, ...]
    patch: FrictionPatch  #: around all of them
    splitting: Splitting
    covered: bool
    way: float  #: m rolled in a step, 1 for a shift
    coupling: list[Coupling] = field(default_factory=list)  #: of unlike bodies, where it was needed

    @classmethod
    def prepare(
        cls,
        contacts: tuple[NormalContact, ...],
        direction: int,
        same: float | None,
        layer: float,
        device: Processor,
    ) -> FrictionGroup:
        """Fill the matrices of the contacts; the direction 0 is that of a shift.

        same: of covered elements, how far edges of mirror images may differ, of a cell; None for whole cells.
        layer: compliance of a layer between the bodies, m/Pa.
        """
        patch = FrictionPatch.around_all(_spread(contacts), 1.0)
        if same is None:
            matrices = fill_whole_cells(patch, direction, layer)
        else:
            matrices = fill_covered(patch, direction, same, layer)
        bounds = np.array([n.pressure[patch.window] / n.peak_pressure for n in contacts])
        splitting = Splitting(matrices, matrices.take_places(bounds), device)
        return cls(contacts, patch, splitting, same is not None, patch.grid.dx if direction else 1.0)

    def solve(
        self, members: FrictionMembers, chosen: np.ndarray, tol: float, *, mixed: bool, fields: bool
    ) -> SolvedMembers:
        """Solve some members, whose contacts are all in this group."""
        kind, peak, scaled = self._scale(members, chosen)
        solution = self.splitting.solve(self.splitting.admit(kind, *scaled), SAFETY * tol, mixed=mixed)
        return self._measure(members, chosen, kind, peak, solution, fields)

    def solve_own(
        self, members: FrictionMembers, chosen: np.ndarray, tol: float, *, fields: bool
    ) -> SolvedMembers:
        """Solve members with bounds of their own, all of which follow their slip or none."""
        kind, peak, scaled = self._scale(members, chosen)
        own = self._describe_own(members, chosen)
        solution = solve_own(self.splitting, own, scaled, SAFETY * tol)
        return self._measure(members, chosen, kind, peak, solution.split, fields, solution)

    def solve_coupled(
        self, members: FrictionMembers, chosen: np.ndarray, pressing: Pressing, tol: float, *, fields: bool
    ) -> SolvedMembers:
        """Solve members of unlike bodies, with the pressures that their tractions bring about."""
        kind, peak, scaled = self._scale(members, chosen)
        gap, pressure = (
            np.array([getattr(n, name) for n in self.contacts])[kind] for name in ("gap", "pressure")
        )
        force = members.normal_force[chosen]
        if not self.coupling:  # filled once
            self.coupling.append(Coupling.fill(self.splitting, pressing))
        turns = PressureTurns(self.splitting, pressing, self.coupling[0], gap, force)
        solution, change = turns.solve(self._describe_own(members, chosen), pressure, scaled, tol)
        solved = self._measure(members, chosen, kind, peak, solution.split, fields, solution)
        return replace(solved, error=np.maximum(solved.error, change))

    def keep_unique(self, members: FrictionMembers, chosen: np.ndarray) -> np.ndarray:
        """Those of some members with laws that have one solution; the single solver follows branches."""
        if not chosen.size or not self.splitting.matrices.direction:
            return chosen
        own = self._describe_own(members, chosen)
        unique = ~may_branch(self.splitting.matrices, own)
        if self.patch.pair.mismatch != 0.0:
            unique &= np.isnan(members.force[chosen]).all(axis=1)
        return chosen[unique]

    def _scale(
        self, members: FrictionMembers, chosen: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray]]:
        """Numbers of the contacts of some members, units of their tractions (Pa), and creepages and forces
        in these units.
        """
        number = {id(contact): k for k, contact in enumerate(self.contacts)}
        of_contact = np.array([number.get(id(contact), -1) for contact in members.contacts])
        kind = of_contact[members.which[chosen]]
        peak = np.array([contact.peak_pressure for contact in self.contacts])[kind] * members.friction[chosen]
        unit = self.patch.grid.cell_area * peak  # N, of forces
        return kind, peak, (members.creepage[chosen] / peak[:, None], members.force[chosen] / unit[:, None])

    def _describe_own(self, members: FrictionMembers, chosen: np.ndarray) -> OwnMembers:
        """Friction and pressures of some members."""
        kind, peak, _ = self._scale(members, chosen)
        pressure = np.array([n.pressure[self.patch.window] for n in self.contacts])[kind]
        between = [members.between.interface(int(k)) for k in chosen]
        speed = np.array([1.0 if one is None else one.speed for one in between])
        way = np.full(chosen.size, self.way)
        if not self.splitting.matrices.direction:
            extents = np.array([find_extent(n) for n in self.contacts])[kind]
            way = np.array(
                [measure_shift(*row) for row in zip(members.creepage[chosen], extents, strict=True)]
            )
        return OwnMembers(members.friction[chosen], between, pressure, peak, way / speed)

    def _measure(
        self,
        members: FrictionMembers,
        chosen: np.ndarray,
        kind: np.ndarray,
        peak: np.ndarray,
        solution: SplitSolution,
        fields: bool,
        own: OwnSolution | None = None,
    ) -> SolvedMembers:
        """Forces, powers and errors of a solution."""
        found, grid, rho = solution.found, self.patch.grid, self.splitting.matrices.rho
        creepage, given = members.creepage[chosen], ~np.isnan(members.force[chosen])
        held = bool(given.any())
        if held:
            creepage[:, :2][given] = (solution.creepage[:, :2] * peak[:, None])[given]
        force = found[:, 3:5] * (grid.cell_area * peak)[:, None]
        moment = found[:, 6] * grid.cell_area * peak
        if self.covered:
            work = -(creepage * np.column_stack((force, moment))).sum(axis=1)
        else:
            work = -found[:, 5] * peak**2 * grid.cell_area / (rho * self.way)
        error = np.maximum(found[:, 0], SHARE_EFFECT * found[:, 1])
        if held:
            missed = np.where(given, np.abs(force - members.force[chosen]), 0.0).max(axis=1)
            missed /= members.limits[chosen]
            error = np.maximum(error, missed)
        touching = np.array([np.count_nonzero(contact.contact) for contact in self.contacts])[kind]
        if own is not None and own.contact is not None:
            touching = np.count_nonzero(own.contact, axis=1)
        return SolvedMembers(
            members=chosen,
            force=force,
            moment=moment,
            creepage=creepage,
            dissipation=np.maximum(0.0, work),
            stick_share=found[:, 2] / touching,
            error=np.where(solution.steps > 0, error, np.nan),
            iterations=np.abs(solution.steps),
            fields=self._place_fields(kind, peak, solution, own) if fields else None,
        )

    def _place_fields(
        self, kind: np.ndarray, peak: np.ndarray, solution: SplitSolution, own: OwnSolution | None
    ) -> Fields:
        """Tractions, slips and stick over the whole grid."""
        splitting, matrices = self.splitting, self.splitting.matrices
        traction, slip = (splitting.unfold(field) for field in (solution.traction, solution.slip))
        g = splitting.gather_places(splitting.elements.bound)[kind] if own is None else own.bound
        stick = (np.hypot(*np.moveaxis(traction - slip, 1, 0)) <= g) & (g > 0.0)
        touched = g > 0.0 if own is None or own.contact is None else own.contact
        slip = np.where(touched[:, None], slip, 0.0) * (peak / (matrices.rho * self.way))[:, None, None]
        if own is not None and own.glides is not None:
            slip *= own.glides[:, None]
        return (
            self._place(traction * peak[:, None, None]),
            self._place(slip),
            self._place(stick),
        )

    def _place(self, values: np.ndarray) -> np.ndarray:
        """Values of elements (..., n) over the whole grid."""
        matrices = self.splitting.matrices
        window = np.zeros((*values.shape[:-1], *self.patch.bound.shape), dtype=values.dtype)
        window[..., matrices.row, matrices.column] = values
        return self.patch.place_on_grid(window)


class FrictionGroups:
    """Solves members group by group, and keeps the matrices of the last groups."""

    def __init__(self, device: Processor, mixed: bool, find_pressing: Callable[[], Pressing | None]) -> None:
        self.device, self.mixed, self.find_pressing = device, mixed, find_pressing
        self._kept: OrderedDict[tuple[object, ...], FrictionGroup] = OrderedDict()
        self._lock = Lock()

    def solve(
        self, members: FrictionMembers, direction: int, covered: bool, tol: float, fields: bool
    ) -> Iterator[SolvedMembers]:
        """Solve all members that are in groups, in parts that fit into memory.

        In mixed precision shares follow once in a cycle, which can go round in circles where much of a
        contact is about to glide: members without a certificate are solved anew in double precision.
        """
        same, layer = min(SAME, tol / EFFECT) if covered else None, members.between.compliance
        for contacts, chosen in self._divide(members, covered):
            key = (direction, same, layer, *map(id, contacts))  # a group keeps its contacts and so their ids
            if chosen.size < LEAST_MEMBERS and key not in self._kept:
                continue  # not worth the set-up
            try:
                group = self._find(key, partial(FrictionGroup.prepare, contacts, direction, same, layer))
            except MemoryError:
                continue  # for want of matrices the members are solved one by one
            most = self.device.fit_members(group.splitting.bytes_per_member(self.mixed))
            follows = members.between.follows_slip()[chosen]
            plain = members.between.is_plain()[chosen]
            unique = group.keep_unique(members, chosen[follows])
            solve = partial(group.solve_own, members, tol=tol, fields=fields)
            if contacts[0].pair.mismatch != 0.0:
                pressing = self.find_pressing()
                if pressing is None:
                    continue  # pressures are solved one by one, and so are tractions
                solve = partial(group.solve_coupled, members, pressing=pressing, tol=tol, fields=fields)
                parts = chosen[~follows], unique
            else:
                yield from self._solve_plain(group, members, chosen[plain], most, tol, fields)
                parts = chosen[~plain & ~follows], unique
            for part in parts:
                yield from solve_parts(solve, part, most)

    def _solve_plain(
        self,
        group: FrictionGroup,
        members: FrictionMembers,
        chosen: np.ndarray,
        most: int,
        tol: float,
        fields: bool,
    ) -> Iterator[SolvedMembers]:
        """Solve members with one coefficient of friction each."""
        for mixed in (True, False) if self.mixed else (False,):
            solve = partial(group.solve, members, tol=tol, mixed=mixed, fields=fields)
            left = np.zeros(members.count, dtype=bool)
            left[chosen] = True
            for solved in solve_parts(solve, chosen, most):
                left[solved.members[is_certified(solved.error, tol)]] = False
                yield solved
            chosen = np.flatnonzero(left)

    def _divide(
        self, members: FrictionMembers, covered: bool
    ) -> Iterator[tuple[tuple[NormalContact, ...], np.ndarray]]:
        """Contacts that share matrices, and their members with friction, where there are any."""
        touching = np.array([bool(contact.contact.any()) for contact in members.contacts])
        rough = touching[members.which] & (members.friction > 0.0) & ~members.between.is_hot()
        if covered:
            rough &= ~members.find_bare()
        if covered and members.contacts[0].pair.mismatch != 0.0:
            return  # the edges of unlike bodies, and so all elements, depend on each member's tractions
        groups = [[k] for k in range(touching.size)] if covered else [list(range(touching.size))]
        for numbers in groups:
            chosen = np.flatnonzero(rough & np.isin(members.which, numbers))
            together = tuple(members.contacts[k] for k in numbers if touching[k])
            if not chosen.size:
                continue
            if np.count_nonzero(np.any([n.contact for n in together], axis=0)) <= self.device.most_rolled:
                yield together, chosen

    def _find(self, key: tuple[object, ...], prepare: Callable[[Processor], FrictionGroup]) -> FrictionGroup:
        """The group that was kept, or a new one."""
        with self._lock:
            group = self._kept.pop(key, None)
            while len(self._kept) >= REMEMBERED:
                self._kept.popitem(last=False)
            self._kept[key] = group or prepare(self.device)
            return self._kept[key]


def _spread(contacts: tuple[NormalContact, ...]) -> tuple[NormalContact, ...]:
    """Contacts of which the first has elements around all of them too, where tractions move their edges."""
    if contacts[0].pair.mismatch == 0.0:
        return contacts
    pressure = np.max([n.pressure for n in contacts], axis=0)
    for axis in (0, 1):
        padded = np.pad(pressure, 1)
        around = [np.roll(padded, step, axis) for step in (-1, 0, 1)]
        pressure = np.max(around, axis=0)[1:-1, 1:-1]
    return (replace(contacts[0], pressure=pressure), *contacts[1:])
