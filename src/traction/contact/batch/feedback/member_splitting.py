"""Members that each have bounds and slips of their own: fields of coefficients, laws, layers that yield.

The matrices are those that all members of a group share (`splitting`). Bounds are rows of the tables of
elements, one for each member; those of laws of friction with memory and of layers that yield follow the slip.
A slip k that a member has whatever its tractions are, beside that of its creepages, passes through the
resolvent as they do: tau M k is taken off M z, and the slip (z - x)/tau contains k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from traction.contact.batch.kernels.law_steps import LawMembers, LawNumbers, ParticleWays
from traction.contact.batch.kernels.splitting_steps import ElementTables, MemberTables
from traction.contact.batch.member_parts import choose_pause
from traction.contact.batch.slip_matrices import SlipMatrices
from traction.contact.batch.splitting import (
    EVERY,
    FIRST,
    MOST_STEPS,
    ActiveMembers,
    Room,
    SplitSolution,
    Splitting,
)
from traction.contact.friction.solved_friction import STEEP
from traction.contact.friction.varying_friction import make_constant
from traction.contact.stick_slip.interface import Interface
from traction.contact.stick_slip.lagged_friction import SPEEDS
from traction.friction_laws.friction_law import FrictionLaw

TINY = 1e-300
MILD, FOLLOWED = 0.1, 8  #: steepness up to which bounds may follow the slip after so many steps
MOST_LAW_STEPS = 400  #: of members with a law of friction, most of which take less than a hundred
REMEMBERED = 0.5  #: tolerance where bounds follow the slip, relative to that of other members
CREEP_STEP = 1e-3  #: change of creepage, as a slip over that of an element by its own traction
LEAST_RISE = 1e-2  #: of forces over mu Fn with such slips; nearer to the maximum the single solver decides


@dataclass(frozen=True, eq=False)
class OwnMembers:
    """Members of a group; arrays have a row for each, fields over the window of its matrices."""

    friction: np.ndarray  #: largest coefficient
    between: Sequence[Interface | None]
    pressure: np.ndarray  #: Pa, (members, ny, nx)
    unit: np.ndarray  #: of tractions, Pa
    time: np.ndarray  #: of a step, s

    def take(self, rows: np.ndarray) -> OwnMembers:
        """Some of the members."""
        return OwnMembers(
            self.friction[rows], [self.between[k] for k in rows], self.pressure[rows], self.unit[rows],
            self.time[rows],
        )  # fmt: skip

    @property
    def follow_slip(self) -> np.ndarray:
        """Which of them have bounds that depend on their slip."""
        return np.array([one is not None and not one.is_constant for one in self.between], dtype=bool)

    def bound(self, window: tuple[slice, slice]) -> np.ndarray:
        """Largest bounds over their units, (members, ny, nx)."""
        return self.load(window) * (self.friction / self.unit)[:, None, None]

    def load(self, window: tuple[slice, slice]) -> np.ndarray:
        """Pressures times factors of the place, Pa, (members, ny, nx)."""
        load = self.pressure.copy()
        for k, one in enumerate(self.between):
            if one is not None and one.factor is not None:
                load[k] *= one.factor[window]
        return load


class LawBounds:
    """Laws and layers of members, on a device, and where their particles come from."""

    def __init__(self, splitting: Splitting, own: OwnMembers) -> None:
        matrices, device = splitting.matrices, splitting.device
        between = [one for one in own.between if one is not None]
        self.kernels = device.find_kernels("law_steps", matrices.sectors.count)
        self.ways = find_ways(splitting)
        laws, which = _number_laws(between)
        constant = np.array([one.law.static if one.law.is_constant else 1.0 for one in between])
        load = constant[:, None, None] * own.load(matrices.patch.window)  # one law for all constants
        loaded = splitting.pad_places(matrices.take_places(load), 0.0)
        self.members = LawMembers(
            which=device.take(which),
            pressure=loaded,
            unit=device.take(own.unit),
            time=device.take(own.time),
            steepness=splitting.xp.zeros(which.size),
            plastic=splitting.xp.zeros(loaded.shape),
        )
        self.laws = [_describe_law(number, one, splitting) for number, one in enumerate(laws)]

    def follow(self, elements: ElementTables, members: MemberTables, *found: object) -> None:
        """Set bounds to those of the slip of x and z, and find the shares and errors at them.

        found: x, z and the products held and centred; shares; errors, as `law_steps.follow_laws` takes them.
        """
        for one in self.laws:
            self.kernels.follow_laws(elements, members, self.ways, self.members, one, *found)


def _number_laws(between: Sequence[Interface]) -> tuple[list[Interface], np.ndarray]:
    """Interfaces of different laws, and the number of each member's; constants are one."""
    numbers: dict[FrictionLaw | None, int] = {}
    laws, which = list[Interface](), np.empty(len(between), dtype=np.int64)
    for k, one in enumerate(between):
        key = None if one.law.is_constant else one.law
        if key not in numbers:
            numbers[key] = len(laws)
            laws.append(one)
        which[k] = numbers[key]
    return laws, which


def _describe_law(number: int, between: Interface, splitting: Splitting) -> LawNumbers:
    """A law and the layer as kernels take them."""
    law, memory, matrices = between.law, between.law.memory, splitting.matrices
    if law.is_constant:
        law = make_constant(1.0)
    compiled = law.compiled()
    return LawNumbers(
        number=number,
        law=compiled._replace(table=splitting.device.take(compiled.table)),
        knots=len(compiled.table),
        rest=law.static,
        largest=law.largest,
        distance=0.0 if memory is None else memory.distance,
        background=0.0 if memory is None else memory.speed,
        yield_stress=between.yield_stress,
        hardening=between.hardening,
        tie=between.tie,
        exact=int(matrices.reach is not None),
        steady=int(matrices.direction != 0),
        rho=matrices.rho,
    )


def find_ways(splitting: Splitting) -> ParticleWays:
    """Rows of places in the order in which particles pass them."""
    matrices, half = splitting.matrices, splitting.wide // 2
    sectors, direction = matrices.sectors, matrices.direction or 1
    parts = (sectors.upper, sectors.lower) if sectors.count == 2 else (sectors.upper,)
    order, skipped, begins = list[np.ndarray](), list[np.ndarray](), [0]
    for number, chosen in enumerate(parts):
        row, column = matrices.row[chosen], matrices.column[chosen]
        sequence = np.lexsort((-direction * column, row))
        row, column = row[sequence], column[sequence]
        empty = np.full(sequence.size, -1)
        empty[1:] = np.where(row[1:] == row[:-1], np.abs(np.diff(column)) - 1, -1)
        first = begins[-1]
        begins += [first + int(k) for k in np.flatnonzero(empty < 0)[1:]] + [first + sequence.size]
        order.append(sequence + number * half)
        skipped.append(empty)
    reach = np.ones(matrices.row.size) if matrices.reach is None else matrices.reach
    take, places = splitting.device.take, reach[sectors.elements]
    return ParticleWays(
        order=take(np.concatenate(order).astype(np.int64)),
        skipped=take(np.concatenate(skipped).astype(np.int64)),
        begins=take(np.array(begins, dtype=np.int64)),
        rows=len(begins) - 1,
        reach=splitting.pad_places(places, 1.0),
    )


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
        self._ended = self.xp.empty(0)  # z of the members that have ended

    def follow(self, members: MemberTables, tol: np.ndarray, start: np.ndarray | None = None) -> OwnSolution:
        """Solve all members to tolerances of their own, (members,), from z in sectors where it is known."""
        z = self._start(members) if start is None else start.copy()
        if start is None and self._known is not None:
            z += self.matrices.tau * self._known
        self._moving, self._ended = self._drawn, self.xp.empty_like(z)
        first = 1  # bounds follow the slip of the start before the first step
        if start is None:
            first = FIRST if self.laws is None else FOLLOWED + 1
        most = MOST_STEPS if self.laws is None else MOST_LAW_STEPS
        split = self._iterate(members, z, tol, (first, most), False)
        bound = self.gather_places(self.elements.bound)
        glides = None if self.laws is None else self._find_glides(split)
        return OwnSolution(split, self._ended, bound, glides)

    def _dismiss(self, active: ActiveMembers, ended: np.ndarray) -> None:
        """Keep z of members that have ended, and the known slips of the others."""
        take, (gone, stay) = self.device.take, map(np.flatnonzero, (ended, ~ended))
        self._ended[:, take(active.order[ended])] = active.z[:, take(gone)]
        if self._moving is not None:
            self._moving = self.xp.ascontiguousarray(self._moving[:, take(stay)])

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
            fields = room.x, active.z, room.held, room.centred
            self.laws.follow(self.elements, active.members, fields, shares, errors)

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

    def _certify(self, members: MemberTables, solved: np.ndarray, slip: np.ndarray, room: Room) -> np.ndarray:
        """Errors and sums of members; bounds that depend on the slip are those of that slip."""
        if self._known is not None:
            slip += self._known
        errors = self.xp.zeros((2, members.kind.size))
        if self.laws is not None:  # bounds are those of the slip, without that of creepages
            z, shares = solved[:, :, : self.wide].copy(), self.xp.zeros((2, *members.sticks.shape))
            self.kernels.lift(self.elements, members, slip, self.rigid, z)
            fields = solved.copy(), z, room.held, room.centred
            self.laws.follow(self.elements, members, fields, shares, errors)
        found = super()._certify(members, solved, slip, room)
        if self.laws is not None:
            found[:, 1] = self.device.bring(errors)[1]
        found[:, 0] /= np.maximum(self.device.bring(self.elements.bound).max(axis=1), TINY)
        return found


def prepare_splitting(
    shared: Splitting, members: OwnMembers, known: np.ndarray | None = None
) -> MemberSplitting:
    """The splitting of members that all have bounds which follow their slip, or none.

    known: slips whatever the tractions are, m, (members, 2, n).
    """
    matrices, laws = shared.matrices, None
    places = matrices.take_places(members.bound(matrices.patch.window))
    if members.follow_slip.any():
        laws = LawBounds(shared, members)
    scaled = None
    if known is not None:
        scaled = shared.fold(known * (matrices.rho / members.unit)[:, None, None])
    return MemberSplitting(shared, shared.pad_places(places, 0.0), scaled, laws)


def solve_own(
    shared: Splitting, members: OwnMembers, scaled: tuple[np.ndarray, np.ndarray], tol: float
) -> OwnSolution:
    """Solve members; where other solutions may exist, the number of steps is negative.

    scaled: creepages and forces over the units of the members.
    """
    splitting, numbers = prepare_splitting(shared, members), np.arange(members.unit.size)
    follows = splitting.laws is not None
    wanted = np.full(numbers.size, (REMEMBERED if follows else 1.0) * tol)
    solution = splitting.follow(shared.admit(numbers, *scaled), wanted)
    if splitting.laws is not None and shared.matrices.direction:
        steps = solution.split.steps
        steep = shared.device.bring(splitting.laws.members.steepness)
        good = (steps > 0) & (steep < STEEP)
        forced = np.flatnonzero(good & ~np.isnan(scaled[1]).all(axis=1))
        if forced.size:
            good[forced] = carry_more(shared, members.take(forced), scaled[1][forced], solution, forced, tol)
        steps[:] = np.where(good, np.abs(steps), -np.abs(steps))
    touched = members.pressure[:, shared.matrices.row, shared.matrices.column] > 0.0
    return replace(solution, contact=touched)


def carry_more(
    shared: Splitting,
    members: OwnMembers,
    force: np.ndarray,
    solution: OwnSolution,
    rows: np.ndarray,
    tol: float,
) -> np.ndarray:
    """Whether more creepage in the directions of given forces brings more force, by differences.

    The solution is that on the way to the maximum of the creep curve (see `friction_branches`). The members
    are the rows of the solution.
    """
    matrices, split, count = shared.matrices, solution.split, rows.size
    step = CREEP_STEP / (matrices.rho * matrices.patch.grid.dx)
    start = shared.xp.ascontiguousarray(solution.z[:, shared.device.take(rows)])
    free, wanted = np.full((count, 2), np.nan), np.full(count, REMEMBERED * tol)
    most = members.bound(matrices.patch.window).sum(axis=(1, 2))
    tangent, given = np.zeros((count, 2, 2)), ~np.isnan(force)
    for j in (0, 1):
        creepage = split.creepage[rows].copy()
        creepage[:, j] += step
        moved = prepare_splitting(shared, members).follow(
            shared.admit(np.arange(count), creepage, free), wanted, start
        )
        tangent[:, :, j] = (moved.split.found[:, 3:5] - split.found[rows, 3:5]) / most[:, None] / CREEP_STEP
        tangent[moved.split.steps < 0] = np.nan
    for j in (0, 1):  # a direction whose creepage is given does not count
        tangent[~given[:, j], j] = tangent[~given[:, j], :, j] = 0.0
        tangent[~given[:, j], j, j] = -1.0
    sound = np.isfinite(tangent).all(axis=(1, 2))
    tangent[~sound] = 0.0
    return sound & (np.linalg.eigvals(tangent).real.max(axis=1) < -LEAST_RISE)


def may_branch(matrices: SlipMatrices, members: OwnMembers) -> np.ndarray:
    """Which members have friction that falls too steeply at some slip speed for one solution (see
    `friction_branches`), by the largest resistance of their elements.
    """
    own = np.maximum(matrices.own[0] + np.maximum(matrices.own[1], 0.0), matrices.own[2])
    resistance = np.maximum(own, matrices.least[:, None]).mean(axis=0) / matrices.rho
    falls = {one.law: 0.0 for one in members.between if one is not None}
    for law in falls:
        falls[law] = 0.0 if law.is_constant else max(0.0, -float(law.evaluate(SPEEDS)[1].min()))
    fall = np.array([0.0 if one is None else falls[one.law] for one in members.between])
    held = (matrices.take_places(members.load(matrices.patch.window)) * resistance).max(axis=1)
    return np.asarray(fall / members.time * held >= 1.0)
