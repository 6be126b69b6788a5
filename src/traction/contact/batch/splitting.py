"""Steady rolling of many members at once, by splitting: one matrix product or two for all of them in a step.

Find tractions p in the discs |p| <= g with -(B p + W) in their normal cone. B = H + D, where H is shared and
D belongs to the shares of each member. A step of length tau (Davis and Yin 2017; without D it is that of
Douglas and Rachford) is

    x = (1 + tau H)^-1 (z - tau W);   y = P(2 x - z - tau D x);   z += step (y - x).

H is an operator of order zero, so the number of steps hardly depends on the mesh, and the resolvent is one
matrix, computed once. The slip H x + W is (z - x)/tau: errors and shares cost no product. A given force is
met in the resolvent, by the creepage that causes it. After every `KEPT` steps z is extrapolated from its
changes in them (see `member_moves`), which saves a quarter of the steps.

Mixed precision: of `CYCLE` steps the first is exact; the others compute changes from it in low precision,
scaled for each member by its last error, while tractions, projections and errors stay in double precision.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from traction.contact.batch.device import Processor
from traction.contact.batch.kernels.member_moves import EndedMembers, MemberFields
from traction.contact.batch.kernels.splitting_steps import ElementTables, MemberTables
from traction.contact.batch.member_parts import FEW, choose_pause
from traction.contact.batch.slip_matrices import SlipMatrices

KEPT = 4  #: steps from whose changes z is extrapolated; pauses and cycles are multiples of it
FIRST = 17  #: steps before the first check
EVERY, LONGEST = KEPT, 4 * KEPT  #: least steps between checks, and most
CYCLE = 3 * KEPT  #: steps of mixed precision of which the first is exact
MOST_STEPS = 1000
EXTRAPOLATED = 300  #: steps, some five times the usual number, after which the steps alone are trusted
SHARE_EFFECT = 2e-4  #: see `steady_rolling`
SETTLED = 0.2  #: effect of what is open of the shares, over the tolerance; they follow every check
LEAST_SCALE = 1e-30  #: of increments


class SplitMatrices(NamedTuple):
    """Matrices of one precision, transposed; those of shares are empty for whole cells."""

    resolvent: np.ndarray  #: (1 + tau H)^-1
    by_sticking: np.ndarray  #: dH
    by_gliding: np.ndarray  #: C - H, and below it dC


class ActiveMembers(NamedTuple):
    """Members that have not converged."""

    members: MemberTables
    order: np.ndarray  #: their numbers, an array of numpy
    z: np.ndarray


class RecentChanges:
    """Changes of z in the last steps, (`KEPT`, ns, members, 2 h); they do not outlast a change of members."""

    def __init__(self, fields: np.ndarray) -> None:
        self.fields, self.known, self.trusted = fields, 0, True

    def take_next(self) -> np.ndarray:
        """Memory for the change of the next step."""
        self.known = self.known % KEPT + 1
        change: np.ndarray = self.fields[self.known - 1]
        return change

    @property
    def suffice(self) -> bool:
        """Whether z can be extrapolated from them now."""
        return self.trusted and self.known == KEPT


class Room(NamedTuple):
    """Memory for the fields of a step, in sectors; what is not needed is empty."""

    x: np.ndarray  #: tractions, and those of sticking elements at the exit behind them
    held: np.ndarray  #: products of x with the change of slip by sticking at the exit
    centred: np.ndarray  #: and by gliding
    base: np.ndarray  #: what is projected in the first step of a cycle
    dz: np.ndarray  #: increments of z, of x and of its products
    dx: np.ndarray
    dheld: np.ndarray
    dcentred: np.ndarray
    recent: RecentChanges


@dataclass(frozen=True, eq=False)
class SplitSolution:
    """Solutions in the order of the members; fields are in sectors."""

    traction: np.ndarray
    slip: np.ndarray
    found: np.ndarray  #: errors and sums (see `splitting_steps.certify`), (members, 7)
    creepage: np.ndarray
    steps: np.ndarray  #: (members,), negative where the member did not converge


class Splitting:
    """Matrices of one contact on a device, and the iteration with them."""

    def __init__(self, matrices: SlipMatrices, bounds: np.ndarray, device: Processor) -> None:
        self.matrices, self.device, self.xp = matrices, device, device.arrays
        self.kernels = device.find_kernels("splitting_steps", matrices.sectors.count)
        self.moves = device.find_kernels("member_moves", matrices.sectors.count)
        self.pairs, self.wide = matrices.sectors.upper.size, 2 * self._round_up(matrices.sectors.upper.size)
        self.exits = 2 * self._round_up(matrices.by_sticking.shape[2] // 2)
        pad, sectors = self.pad_places, matrices.sectors
        self.elements = ElementTables(
            pad(sectors.weight, 1.0), pad(sectors.share, 0.0), pad(bounds, 0.0), pad(matrices.exits, -1),
            pad(matrices.own, 1.0), pad(matrices.turn, 0.0), device.take(matrices.least),
            pad(matrices.arms, 0.0), matrices.tau, self.exits // 2,
        )  # fmt: skip
        self.rigid, self.held = self._pad_last(matrices.rigid, self.wide), self._transpose(matrices.held)
        shifted = self.xp.eye(self.wide) + matrices.tau * self.held
        # one by one: stacks of large matrices are slow on a GPU
        inverse = self.xp.stack([self.xp.linalg.inv(one) for one in shifted])
        shares = map(self._transpose, (matrices.by_sticking, matrices.by_gliding))
        self.exact = SplitMatrices(inverse, *shares)

    def _round_up(self, pairs: int) -> int:
        """Pairs with those of no bound that fill the last block of a product."""
        return -(-pairs // self.device.block) * self.device.block

    def pad_places(self, values: np.ndarray, fill: float) -> np.ndarray:
        """Values at the places of elements, on the device, with those that fill the last block."""
        parts, more = values.reshape(*values.shape[:-1], -1, self.pairs), self.wide // 2 - self.pairs
        wide = np.pad(parts, [(0, 0)] * (parts.ndim - 1) + [(0, more)], constant_values=fill)
        return self.device.take(wide.reshape(*values.shape[:-1], -1))

    def gather_places(self, values: np.ndarray) -> np.ndarray:
        """Values of elements (..., n) from those at their places on the device, as an array of numpy."""
        parts = self.device.bring(values).reshape(*values.shape[:-1], -1, self.wide // 2)
        found = np.zeros((*values.shape[:-1], self.matrices.row.size))
        found[..., self.matrices.sectors.elements] = parts[..., : self.pairs].reshape(*values.shape[:-1], -1)
        return found

    def fold(self, fields: np.ndarray) -> np.ndarray:
        """Sectors (ns, members, 2 h) on the device of fields of elements, (members, 2, n)."""
        return self._pad_last(np.moveaxis(self.matrices.sectors.fold_fields(fields), 1, 0), self.wide)

    def _pad_last(self, array: np.ndarray, wide: int) -> np.ndarray:
        """The same on the device, with x and y of the last axis filled up to so many together."""
        parts = self.device.take(array).reshape(*array.shape[:-1], 2, -1)
        padded = self.xp.zeros((*parts.shape[:-1], wide // 2))
        padded[..., : parts.shape[-1]] = parts
        return padded.reshape(*array.shape[:-1], wide)

    def _transpose(self, matrix: np.ndarray) -> np.ndarray:
        """A matrix as products take it."""
        across = 2 * self.pairs
        cut = across if matrix.shape[2] >= across else 0
        parts = (matrix[:, :, :cut], self.wide if cut else 0), (matrix[:, :, cut:], self.exits)
        padded = [self._pad_last(part, wide) for part, wide in parts if part.size]
        if not padded:
            return self.xp.empty((len(matrix), 0, self.wide))
        return self._pad_last(self.xp.concatenate(padded, axis=2).transpose(0, 2, 1), self.wide)

    @cached_property
    def low(self) -> SplitMatrices:
        """The matrices in low precision."""
        return SplitMatrices(*(m.astype(self.device.low) for m in self.exact))

    @cached_property
    def resolved(self) -> np.ndarray:
        """tau M R of the rigid fields, (3, ns, 2 h)."""
        product = self.xp.matmul(self.rigid.transpose(1, 0, 2), self.exact.resolvent)
        return self.xp.ascontiguousarray(self.matrices.tau * product.transpose(1, 0, 2))

    @cached_property
    def sums(self) -> np.ndarray:
        """Forces of `resolved`, (3, 2)."""
        h, weight, r = self.elements.weight.size, self.elements.weight, self.resolved
        return self.xp.stack(
            ((r[:, 0, :h] / weight).sum(axis=1), (r[:, -1, h:] / weight).sum(axis=1)), axis=1
        )

    def admit(self, kind: np.ndarray, creepage: np.ndarray, force: np.ndarray) -> MemberTables:
        """Members on the device; creepages and forces are scaled."""
        shares, take = (kind.size, self.elements.share.size if self.exits else 0), self.device.take
        given = take(kind), take(creepage).copy(), take(force)
        return MemberTables(*given, self.xp.zeros(shares), self.xp.zeros(shares))

    def solve(self, members: MemberTables, tol: float, *, mixed: bool = False) -> SplitSolution:
        """Solve all members; those that do not converge keep their last iterate."""
        wanted, first = np.full(members.kind.size, tol), 1 if mixed else FIRST
        return self._iterate(members, self._start(members), wanted, (first, MOST_STEPS), mixed)

    def _iterate(
        self, members: MemberTables, z: np.ndarray, tol: np.ndarray, limits: tuple[int, int], mixed: bool
    ) -> SplitSolution:
        """Solve members to tolerances of their own, (members,), from z.

        limits: steps before the first check, and most of them.
        """
        count, step, (pause, most) = members.kind.size, 0, limits
        solved, steps = self._make_tractions(count, float), np.zeros(count, dtype=int)
        active, room = ActiveMembers(members, np.arange(count), z), self._make_room(count, mixed)
        last = EndedMembers(members.creepage, members.sticks, members.glides, solved)
        while active.order.size:
            room.recent.trusted = step < EXTRAPOLATED
            self._approach(active, room, 1 if mixed else pause)
            step += pause
            errors, shares = self._check(active, room, follow=step > 1)
            wanted = tol[active.order]
            converged = (errors[0] <= wanted) & (SHARE_EFFECT * errors[1] <= SETTLED * wanted)
            ended = converged | (step >= most)
            if np.count_nonzero(ended) > FEW * ended.size:
                steps[active.order[ended]] = np.where(converged[ended], step, -step)
                self._dismiss(active, ended)
                active, room, shares = self._part(active, room, shares, ended, last, mixed)
                errors = errors[:, ~ended]
            if active.order.size:
                self._leave(active, room, shares, errors[0], mixed)
                pause = CYCLE if mixed else self._choose_pause(errors[0], step, float(wanted.min()))
        return self._finish(solved, members, steps)

    def _dismiss(self, active: ActiveMembers, ended: np.ndarray) -> None:
        """Keep what else there is of members that have ended, before they part from the others."""

    def _part(
        self,
        active: ActiveMembers,
        room: Room,
        shares: np.ndarray,
        ended: np.ndarray,
        last: EndedMembers,
        mixed: bool,
    ) -> tuple[ActiveMembers, Room, np.ndarray]:
        """Put what has ended where it stays, and the others together, with the fields of their last check."""
        xp, count = self.xp, int(np.count_nonzero(~ended))
        place = np.where(ended, -1 - active.order, np.cumsum(~ended) - 1)
        tables = MemberTables(*(xp.empty((count, *t.shape[1:]), dtype=t.dtype) for t in active.members))
        kept = ActiveMembers(tables, active.order[~ended], xp.empty((len(active.z), count, self.wide)))
        smaller = self._make_room(count, mixed, xp.empty((len(active.z), count, self.wide + self.exits)))
        kept_shares = xp.empty((2, *tables.sticks.shape))
        fields = MemberFields(active.z, room.x, room.held, room.centred, shares)
        kept_fields = MemberFields(kept.z, smaller.x, smaller.held, smaller.centred, kept_shares)
        sizes, to = (count, last.creepage.shape[0]), self.device.take(place)
        self.moves.part(self.elements, active.members, fields, to, sizes, tables, kept_fields, last)
        return kept, smaller, kept_shares

    def _approach(self, active: ActiveMembers, room: Room, count: int) -> None:
        """So many steps, of the last of which only x is found."""
        for _ in range(count - 1):
            self._step(active, room)
        self._resolve(active, room)

    def _choose_pause(self, errors: np.ndarray, step: int, tol: float) -> int:
        """Steps to the next check; shares of covered elements follow every check, which is not put off."""
        if self.exits:
            return EVERY
        return choose_pause(errors, step, tol, (EVERY, LONGEST)) // KEPT * KEPT

    def _check(self, active: ActiveMembers, room: Room, *, follow: bool) -> tuple[np.ndarray, np.ndarray]:
        """Errors of x and its shares, (2, members), and the shares that it asks for; products follow them.

        Before the first step nothing follows: an element that glides at the exit because its neighbours are
        far off can go on to do so, with a traction of the wrong sign. Errors are brought from the device,
        where many small operations would take longer.
        """
        errors = self.xp.empty((2, active.order.size))
        shares = self.xp.zeros((2, *active.members.sticks.shape))
        self._find_errors(active, room, shares, errors)
        if not follow:
            shares[:] = self.xp.stack((active.members.sticks, active.members.glides))
        elif self.exits:
            change = room.x[:, :, self.wide :]
            self.device.multiply(change, self.exact.by_sticking, room.held, add=True)
            self.device.multiply(change, self.exact.by_gliding[:, self.wide :], room.centred, add=True)
        return self.device.bring(errors), shares

    def _find_errors(self, active: ActiveMembers, room: Room, shares: np.ndarray, errors: np.ndarray) -> None:
        products = room.held, room.centred
        self.kernels.check(self.elements, active.members, room.x, active.z, *products, shares, errors)

    def _leave(
        self, active: ActiveMembers, room: Room, shares: np.ndarray, errors: np.ndarray, mixed: bool
    ) -> None:
        """The step from a checked x with its shares, or all steps of a cycle."""
        tables, exact = (self.elements, active.members), (room.x, room.held, room.centred)
        if self.exits:
            active.members.sticks[:], active.members.glides[:] = shares
        if not mixed:
            self.kernels.advance(*tables, *exact, room.recent.take_next(), active.z)
            self._extrapolate(active, room)
            return
        scales = self.device.take(np.maximum(errors, LEAST_SCALE))
        changes = room.dx, room.dheld, room.dcentred
        change = room.recent.take_next()
        self.kernels.begin_cycle(*tables, *exact, active.z, scales, room.base, change, room.dz)
        for _ in range(1, CYCLE):
            self.device.multiply(room.dz, self.low.resolvent, room.dx[:, :, : self.wide])
            self.kernels.resolve_increments(*tables, self.resolved, self.sums, room.dx)
            self._multiply_shares(room.dx, self.low, room.dheld, room.dcentred)
            change = room.recent.take_next()
            self.kernels.advance_increments(*tables, room.x, room.base, changes, scales, change, room.dz)
            if room.recent.suffice:
                self.moves.extrapolate_increments(*tables, room.recent.fields, room.dz)
        self.kernels.end_cycle(*tables, scales, room.dz, active.z)

    def _step(self, active: ActiveMembers, room: Room) -> None:
        """One step; of whole cells x is not needed beyond it."""
        tables, change = (self.elements, active.members), room.recent.take_next()
        if self.exits:
            self._resolve(active, room)
            self.kernels.advance(*tables, room.x, room.held, room.centred, change, active.z)
        else:
            self._multiply_resolvent(active, room)
            self.kernels.advance_whole(*tables, self.resolved, self.sums, room.x, change, active.z)
        self._extrapolate(active, room)

    def _extrapolate(self, active: ActiveMembers, room: Room) -> None:
        """Extrapolate z from its changes, where enough are known."""
        if room.recent.suffice:
            self.moves.extrapolate(self.elements, active.members, room.recent.fields, active.z)

    def _resolve(self, active: ActiveMembers, room: Room) -> None:
        """x of z, and its products."""
        self._multiply_resolvent(active, room)
        self.kernels.resolve(self.elements, active.members, self.resolved, self.sums, room.x)
        self._multiply_shares(room.x, self.exact, room.held, room.centred)

    def _multiply_resolvent(self, active: ActiveMembers, room: Room) -> None:
        self.device.multiply(active.z, self.exact.resolvent, room.x[:, :, : self.wide])

    def unfold(self, field: np.ndarray) -> np.ndarray:
        """Fields of elements (members, 2, n) from sectors (ns, members, 2 h), as arrays of numpy."""
        parts = self.device.bring(field).reshape(*field.shape[:2], 2, -1)[..., : self.pairs]
        sectors = parts.reshape(*field.shape[:2], 2 * self.pairs)
        return self.matrices.sectors.unfold_fields(np.moveaxis(sectors, 0, 1))

    def bytes_per_member(self, mixed: bool) -> int:
        """Memory that a member takes."""
        fields = 8 * (7 if mixed else 6) * (self.wide + self.exits) + (8 * 4 * self.wide if mixed else 0)
        return int(self.held.shape[0] * (fields + (8 * 6 + 4 * KEPT) * self.wide))

    def _start(self, members: MemberTables) -> np.ndarray:
        """z of the tractions that slide at the rigid slip."""
        z = self.xp.empty((self.held.shape[0], members.kind.size, self.wide))
        slip = self.xp.empty_like(z)
        self.kernels.start(self.elements, members, self.rigid, z)
        self.device.multiply(z, self.held, slip)
        self.kernels.lift(self.elements, members, slip, self.rigid, z)
        return z

    def _multiply_shares(
        self, x: np.ndarray, matrices: SplitMatrices, held: np.ndarray, centred: np.ndarray
    ) -> None:
        if self.exits:
            self.device.multiply(x[:, :, self.wide :], matrices.by_sticking, held)
            self.device.multiply(x, matrices.by_gliding, centred)

    def _make_tractions(self, count: int, kind: type) -> np.ndarray:
        return self.xp.zeros((self.held.shape[0], count, self.wide + self.exits), dtype=kind)

    def _make_room(self, count: int, mixed: bool, x: np.ndarray | None = None) -> Room:
        """Room for so many members, with x where it is known."""
        xp, low, ns = self.xp, self.device.low, self.held.shape[0]
        whole, none = (ns, count, self.wide), (ns, 0, 0)
        product, change = (whole if self.exits else none), (whole if mixed else none)
        both = product if mixed else none
        return Room(
            self._make_tractions(count, float) if x is None else x,
            xp.empty(product),
            xp.empty(product),
            xp.empty(change),
            xp.empty(change, dtype=low),
            self._make_tractions(count if mixed else 0, low),
            xp.empty(both, dtype=low),
            xp.empty(both, dtype=low),
            RecentChanges(xp.empty((KEPT, *whole), dtype=low if mixed else np.float32)),
        )

    def _finish(self, solved: np.ndarray, members: MemberTables, steps: np.ndarray) -> SplitSolution:
        """The solution, with certificates by separate products."""
        self.kernels.settle(self.elements, members, solved)
        room, tractions = self._make_room(steps.size, False), solved[:, :, : self.wide]
        slip = self.xp.empty(tractions.shape)
        self.device.multiply(tractions, self.held, slip)
        self._multiply_shares(solved, self.exact, room.held, room.centred)
        found = self._certify(members, solved, slip, room)
        return SplitSolution(tractions, slip, found, self.device.bring(members.creepage), steps)

    def _certify(self, members: MemberTables, solved: np.ndarray, slip: np.ndarray, room: Room) -> np.ndarray:
        """Errors and sums of members; the slip receives that of the creepages."""
        found = self.xp.zeros((members.kind.size, 7))
        self.kernels.certify(self.elements, members, solved, slip, room.held, room.centred, self.rigid, found)
        return self.device.bring(found)
