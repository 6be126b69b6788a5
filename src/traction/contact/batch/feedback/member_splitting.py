"""The splitting of members that each have bounds and slips of their own.

The matrices are those that all members of a group share (`splitting`). Bounds are rows of the tables of
elements, one for each member. A slip k that a member has whatever its tractions are, beside that of its
creepages, passes through the resolvent as they do: tau M k is taken off M z, and the slip (z - x)/tau
contains k.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.contact.batch.feedback.law_bounds import LawBounds
from traction.contact.batch.kernels.member_moves import EndedMembers
from traction.contact.batch.kernels.splitting_steps import MemberTables
from traction.contact.batch.member_parts import FEW, choose_pause
from traction.contact.batch.splitting import (
    EVERY,
    EXTRAPOLATED,
    FIRST,
    MOST_STEPS,
    SETTLED,
    SHARE_EFFECT,
    ActiveMembers,
    Room,
    SplitSolution,
    Splitting,
)

TINY = 1e-300
MILD, FOLLOWED = 0.1, 8  #: steepness up to which bounds may follow the slip after so many steps
MOST_LAW_STEPS = 400  #: of members with a law of friction, most of which take less than a hundred


@dataclass(frozen=True, eq=False)
class OwnSolution:
    """Solutions in the order of the members, and where the splitting ended."""

    split: SplitSolution
    z: np.ndarray  #: in sectors, from which a problem nearby can start
    bound: np.ndarray  #: of elements over the unit of each member, (members, n)
    glides: np.ndarray | None  #: part of their slip that is not plastic flow of a layer, (members, n)
    contact: np.ndarray | None = None  #: elements under pressure, (members, n)


class MemberSplitting(Splitting):
    """The iteration with the matrices of a group and what each member has of its own."""

    def __init__(
        self,
        shared: Splitting,
        bounds: np.ndarray,
        known: np.ndarray | None = None,
        laws: LawBounds | None = None,
    ) -> None:
        """Bounds over the largest of each member, (members, ne); known slips, scaled, in sectors."""
        _ = shared.resolved, shared.sums  # computed once for all
        self.__dict__.update(vars(shared))
        self.elements = shared.elements._replace(bound=bounds)
        self.laws = laws
        self._known = known
        self._drawn: np.ndarray | None = None
        if known is not None:
            self._drawn = self.xp.empty_like(known)
            self.device.multiply(known, self.exact.resolvent, self._drawn)
            self._drawn *= self.matrices.tau
        self._moving: np.ndarray | None = self._drawn

    def follow(self, members: MemberTables, tol: np.ndarray, start: np.ndarray | None = None) -> OwnSolution:
        """Solve all members to tolerances of their own, (members,), from z in sectors where it is known."""
        xp, count = self.xp, members.kind.size
        solved, steps = self._make_tractions(count, float), np.zeros(count, dtype=int)
        z = self._start_anew(members) if start is None else start.copy()
        last, active = xp.empty_like(z), ActiveMembers(members, np.arange(count), z)
        tables = EndedMembers(members.creepage, members.sticks, members.glides, solved)
        room, step, self._moving = self._make_room(count, False), 0, self._drawn
        pause = 1  # bounds follow the slip of the start before the first step
        if start is None:
            pause = FIRST if self.laws is None else FOLLOWED + 1
        most = MOST_STEPS if self.laws is None else MOST_LAW_STEPS
        while active.order.size:
            room.recent.trusted = step < EXTRAPOLATED
            self._approach(active, room, pause)
            step += pause
            errors, shares = self._check(active, room, follow=step > 1)
            wanted = tol[active.order]
            converged = (errors[0] <= wanted) & (SHARE_EFFECT * errors[1] <= SETTLED * wanted)
            ended = converged | (step >= most)
            if np.count_nonzero(ended) > FEW * ended.size:
                place, gone, stay = active.order[ended], *map(np.flatnonzero, (ended, ~ended))
                steps[place] = np.where(converged[ended], step, -step)
                last[:, self.device.take(place)] = active.z[:, self.device.take(gone)]
                active, room, shares = self._part(active, room, shares, ended, tables, False)
                errors = errors[:, ~ended]
                if self._moving is not None:
                    self._moving = xp.ascontiguousarray(self._moving[:, self.device.take(stay)])
            if active.order.size:
                self._leave(active, room, shares, errors[0], False)
                pause = self._choose_pause(errors[0], step, float(wanted.min()))
        split = self._certify(solved, members, steps)
        bound = self.gather_places(self.elements.bound)
        return OwnSolution(split, last, bound, None if self.laws is None else self._find_glides(split))

    def _find_glides(self, split: SplitSolution) -> np.ndarray | None:
        """Part of the slip of elements that is not plastic flow of a layer; None where nothing yields."""
        assert self.laws is not None
        plastic = self.gather_places(self.laws.members.plastic)
        if not plastic.any():
            return None
        slip = np.hypot(*np.moveaxis(self.unfold(split.slip), 1, 0))
        slip *= (self.device.bring(self.laws.members.unit) / self.matrices.rho)[:, None]
        return 1.0 - np.divide(plastic, slip, out=np.zeros_like(slip), where=slip > 0.0)

    def _find_errors(self, active: ActiveMembers, room: Room, shares: np.ndarray, errors: np.ndarray) -> None:
        """Errors and shares; bounds that depend on the slip follow it."""
        if self.laws is None:
            super()._find_errors(active, room, shares, errors)
        else:
            self.laws.follow(
                self.elements, active.members, (room.x, active.z, room.held, room.centred), shares, errors
            )

    def _choose_pause(self, errors: np.ndarray, step: int, tol: float) -> int:
        """Steps to the next check, which bounds that depend much on the slip do not put off."""
        if self.laws is None or self.exits:
            return super()._choose_pause(errors, step, tol)
        steep = float(np.median(self.device.bring(self.laws.members.steepness)))
        return EVERY if steep > MILD else choose_pause(errors, step, tol, (EVERY, FOLLOWED)) // EVERY * EVERY

    def _multiply_resolvent(self, active: ActiveMembers, room: Room) -> None:
        """M z without tau M k of the known slip of each member."""
        super()._multiply_resolvent(active, room)
        if self._moving is not None:
            x = room.x[:, :, : self.wide]
            x -= self._moving

    def _start_anew(self, members: MemberTables) -> np.ndarray:
        """z of the tractions that slide at the rigid slip."""
        z = self._start(members)
        if self._known is not None:
            z += self.matrices.tau * self._known
        return z

    def _certify(self, solved: np.ndarray, members: MemberTables, steps: np.ndarray) -> SplitSolution:
        """Certificates by separate products; bounds that depend on the slip are those of that slip."""
        self.kernels.settle(self.elements, members, solved)
        room, tractions = self._make_room(steps.size, False), solved[:, :, : self.wide]
        slip, found = self.xp.empty(tractions.shape), self.xp.zeros((steps.size, 7))
        self.device.multiply(tractions, self.held, slip)
        self._multiply_shares(solved, self.exact, room.held, room.centred)
        if self._known is not None:
            slip += self._known
        products = room.held, room.centred
        doubt = None if self.laws is None else self._follow_slip(solved, slip, members, products)
        self.kernels.certify(self.elements, members, solved, slip, *products, self.rigid, found)
        found = self.device.bring(found)
        if doubt is not None:
            found[:, 1] = doubt
        found[:, 0] /= np.maximum(self.device.bring(self.elements.bound).max(axis=1), TINY)
        return SplitSolution(tractions, slip, found, self.device.bring(members.creepage), steps)

    def _follow_slip(
        self,
        solved: np.ndarray,
        slip: np.ndarray,
        members: MemberTables,
        products: tuple[np.ndarray, np.ndarray],
    ) -> np.ndarray:
        """Set the bounds to those of a slip (without that of creepages); returns errors of the shares."""
        assert self.laws is not None
        z, whole = solved[:, :, : self.wide].copy(), solved.copy()
        self.kernels.lift(self.elements, members, slip, self.rigid, z)
        errors = self.xp.zeros((2, members.kind.size))
        shares = self.xp.zeros((2, *members.sticks.shape))
        self.laws.follow(self.elements, members, (whole, z, *products), shares, errors)
        return self.device.bring(errors)[1]
