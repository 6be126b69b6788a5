"""Members of a batch of contacts with friction: checked input, one row each, and what was found of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction import checks
from traction.contact.batch.batch_results import TangentialBatch
from traction.contact.batch.feedback.member_friction import MemberFriction
from traction.contact.batch.member_parts import count_members, is_certified
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.rigid_slip import PARTS
from traction.errors import InputError
from traction.grid import Grid
from traction.materials import Pair
from traction.status import Status

Fields = tuple[np.ndarray, np.ndarray, np.ndarray]  # tractions (Pa), slips and stick over the grid
#: of members, which are found in groups and one by one
FOUND = ("force", "moment", "creepage", "dissipation", "stick_share", "error", "iterations")


@dataclass(frozen=True, eq=False)
class SolvedMembers:
    """What was found of some members, in SI."""

    members: np.ndarray  #: their numbers
    force: np.ndarray  #: (n, 2)
    moment: np.ndarray
    creepage: np.ndarray  #: (n, 3)
    dissipation: np.ndarray
    stick_share: np.ndarray
    error: np.ndarray
    iterations: np.ndarray
    fields: Fields | None


@dataclass(frozen=True, eq=False)
class FrictionMembers:
    """K members; arrays have a row for each."""

    motion: str  #: "creepage" or "displacement"
    contacts: tuple[NormalContact, ...]  #: different ones
    which: np.ndarray  #: number of the contact of each, (K,)
    friction: np.ndarray  #: largest coefficient of each, (K,)
    between: MemberFriction  #: what else friction is
    creepage: np.ndarray  #: or displacement, zero where the force is given, (K, 3)
    force: np.ndarray  #: N, NaN where it is not given, (K, 2)

    @property
    def count(self) -> int:
        """K."""
        return int(self.which.size)

    @property
    def normal_force(self) -> np.ndarray:
        """N, (K,)."""
        return np.array([n.force for n in self.contacts])[self.which]

    @cached_property
    def limits(self) -> np.ndarray:
        """Largest tangential forces that friction allows, N, (K,)."""
        return self.between.find_limits(self.contacts, self.which)

    def find_bare(self) -> np.ndarray:
        """Which members have elements in contact without friction, (K,): these end at other edges."""
        bare = np.zeros(self.count, dtype=bool)
        for k, one in enumerate(self.between.between):
            if one is not None and one.factor is not None:
                bare[k] = (one.factor[self.contacts[self.which[k]].contact] <= 0.0).any()
        return bare

    def of_single(self, k: int) -> dict[str, object]:
        """Friction, speed, motion and force of a member, as the single solvers take them."""
        friction, speed = self.between.of_single(k)
        force = [None if np.isnan(f) else float(f) for f in self.force[k]]
        given = [float(c) if f is None else None for c, f in zip(self.creepage[k], force, strict=False)]
        motion = [*given, float(self.creepage[k, 2])]
        return {"friction": friction, "speed": speed, self.motion: motion, "force": force}


def check_members(
    grid: Grid,
    pair: Pair,
    normals: object,
    friction: MemberFriction,
    what: str,
    shifts: object,
    forces: object,
) -> FrictionMembers:
    """Members from what a user gave; single values are meant for all. `what` is the name of the shifts."""
    contacts, which = _number_contacts(grid, pair, normals)
    creepage = _check_rows(what, shifts, 3, ", ".join(PARTS[what[:-1]]))
    force = np.full((1, 2), np.nan)
    if forces is not None:
        force = _check_rows("forces", forces, 2, "F_x, F_y; NaN where free")
    sizes = {"normals": which.size, "friction": friction.rows, what: len(creepage), "forces": len(force)}
    count = count_members(sizes)
    friction = friction.repeat(count)
    force = np.broadcast_to(force, (count, 2)).copy()
    creepage = np.broadcast_to(creepage, (count, 3)).copy()
    creepage[:, :2][~np.isnan(force)] = 0.0
    which = np.broadcast_to(which, count).copy()
    members = FrictionMembers(what[:-1], contacts, which, friction.largest, friction, creepage, force)
    _require_finite(members, what)
    return members


def _number_contacts(grid: Grid, pair: Pair, normals: object) -> tuple[tuple[NormalContact, ...], np.ndarray]:
    """Different contacts, and the number of each member's."""
    words = "a tr.NormalContact, or one for each member"
    one = isinstance(normals, NormalContact)
    rows: Sequence[object] = [normals] if one else checks.items("normals", normals, words)
    numbers: dict[int, int] = {}
    contacts: list[NormalContact] = []
    which = np.empty(len(rows), dtype=np.int64)
    for k, row in enumerate(rows):
        if id(row) not in numbers:
            contacts.append(_check_contact(grid, pair, f"normals[{k}]", row))
            numbers[id(row)] = len(contacts) - 1
        which[k] = numbers[id(row)]
    return tuple(contacts), which


def _check_contact(grid: Grid, pair: Pair, name: str, row: object) -> NormalContact:
    contact = checks.instance(name, row, NormalContact, "give results of tr.press.")
    if contact.grid != grid or contact.pair != pair:
        raise InputError(f"{name} has another grid or other materials than the batch; make a batch for it.")
    if not contact.ok:
        raise InputError(f"{name} did not converge ({contact.message}); friction needs a converged contact.")
    if any(contact.periodic):
        raise InputError(f"{name} is periodic; friction is for a free half space.")
    return contact


def _check_rows(name: str, values: object, columns: int, words: str) -> np.ndarray:
    rows = np.atleast_2d(checks.real_array(name, values))
    if rows.ndim != 2 or rows.shape[1] != columns:
        raise InputError(f"{name} has shape {rows.shape}, expected (K, {columns}): {words} of each member.")
    return rows


def _require_finite(members: FrictionMembers, what: str) -> None:
    """Creepages that are used must be numbers, and forces below friction."""
    for name, values in ((what, members.creepage), ("forces", members.force)):
        bad = np.isinf(values) if name == "forces" else ~np.isfinite(values)
        bad |= np.abs(values) > checks.FARTHEST
        if bad.any():
            k, j = (int(i) for i in np.argwhere(bad)[0])
            raise InputError(f"{name}[{k}, {j}] = {values[k, j]} must be a finite number.")
    given = ~np.isnan(members.force)
    size = np.hypot(*np.where(given, members.force, 0.0).T)
    if not given.any():
        return
    limit, forced = members.limits, given.any(axis=1)
    over = forced & (size >= limit)
    if what == "displacements" and (forced & members.between.is_law()).any():
        raise InputError(
            "a shift under a given force has no duration, and a friction law needs slip speeds: give "
            "displacements and their speed, or constant coefficients of friction."
        )
    if over.any():
        k = int(np.flatnonzero(over)[0])
        raise InputError(
            f"forces[{k}] is {size[k]:.6g} N in size and must be below mu Fn = {limit[k]:.6g} N, above which "
            f"the bodies slide; give the {what[:-1]} instead (NaN in forces)."
        )


class MemberRows:
    """Rows of a `TangentialBatch` that are entered as they are found."""

    def __init__(self, members: FrictionMembers, fields: bool) -> None:
        self.members, count = members, members.count
        self.force, self.creepage = np.full((count, 2), np.nan), np.full((count, 3), np.nan)
        self.moment, self.dissipation, self.stick_share, self.error = np.full((4, count), np.nan)
        self.iterations, self.status = np.zeros(count, dtype=int), np.empty(count, dtype=object)
        self.status[:] = Status.STALLED  # np.full would convert it to a string, one by one
        shape = members.contacts[0].grid.shape
        self.traction: np.ndarray | None = np.zeros((count, 2, *shape)) if fields else None
        self.slip: np.ndarray | None = np.zeros((count, 2, *shape)) if fields else None
        self.stick: np.ndarray | None = np.zeros((count, *shape), dtype=bool) if fields else None
        self._missing = np.ones(count, dtype=bool)

    def enter(self, solved: SolvedMembers, tol: float) -> None:
        """Enter those of the solved members whose error is within the tolerance."""
        good = is_certified(solved.error, tol)
        rows: np.ndarray | slice = solved.members[good]
        chosen: np.ndarray | slice = good
        if np.count_nonzero(good) == self.status.size:
            rows = chosen = slice(None)  # all members, in order
        for name in FOUND:
            getattr(self, name)[rows] = getattr(solved, name)[chosen]
        if solved.fields is not None:
            for kept, found in zip((self.traction, self.slip, self.stick), solved.fields, strict=True):
                if kept is not None:
                    kept[rows] = found[chosen]
        self.status[rows] = Status.CONVERGED
        self._missing[rows] = False

    def solve_rest(self, solve: Callable[..., TangentialContact]) -> None:
        """Solve all other members one by one."""
        members = self.members
        for k in np.flatnonzero(self._missing):
            try:
                single = solve(members.contacts[members.which[k]], **members.of_single(int(k)))
            except InputError as refusal:
                raise InputError(f"member {k}: {refusal}") from refusal
            self.force[k], self.creepage[k], self.moment[k] = single.force, single.creepage, single.moment
            self.dissipation[k], self.error[k] = single.dissipation, single.certificate.largest
            self.stick_share[k] = single.stick.sum() / max(1, int(single.normal.contact.sum()))
            self.iterations[k], self.status[k] = single.iterations, single.status
            if self.traction is not None and self.slip is not None and self.stick is not None:
                self.traction[k], self.slip[k], self.stick[k] = single.traction, single.slip, single.stick

    def finish(self, motion: str, seconds: float) -> TangentialBatch:
        """The result."""
        members = self.members
        return TangentialBatch(
            grid=members.contacts[0].grid,
            normal_force=members.normal_force,
            friction=members.between.reference,
            singles=np.flatnonzero(self._missing),
            motion=motion,
            seconds=seconds,
            **{name: getattr(self, name) for name in (*FOUND, "status", "traction", "slip", "stick")},
        )
