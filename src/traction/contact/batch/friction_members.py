"""Checked input of a batch of contacts with friction: one row a member."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction import checks
from traction.contact.batch.feedback.member_friction import MemberFriction
from traction.contact.batch.member_parts import count_members
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.rigid_slip import PARTS
from traction.errors import InputError
from traction.grid import Grid
from traction.materials import Pair


@dataclass(frozen=True, eq=False)
class FrictionMembers:
    """K members; arrays have a row for each."""

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

    def of_single(self, k: int) -> tuple[list[float | None], list[float | None]]:
        """Creepage and force of a member, as the single solvers take them."""
        force = [None if np.isnan(f) else float(f) for f in self.force[k]]
        given = [float(c) if f is None else None for c, f in zip(self.creepage[k], force, strict=False)]
        return [*given, float(self.creepage[k, 2])], force


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
    members = FrictionMembers(contacts, which, friction.largest, friction, creepage, force)
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
            f"forces[{k}] is {size[k]:.6g} N and must be below mu Fn = {limit[k]:.6g} N, above which the "
            f"bodies slide; give the {what[:-1]} instead (NaN in forces)."
        )
