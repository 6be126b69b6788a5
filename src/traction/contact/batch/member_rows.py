"""`MemberRows`: what was found of the members of a batch, by groups and one by one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from traction.contact.batch.friction_groups import SolvedMembers
from traction.contact.batch.friction_members import FrictionMembers
from traction.contact.batch.member_parts import is_certified
from traction.contact.batch.tangential_batch import TangentialBatch
from traction.contact.friction.friction_input import Friction
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.errors import InputError
from traction.status import Status

#: the single solver: contact, friction, creepage or displacement, force, speed
SolveSingly = Callable[
    [NormalContact, Friction, list[float | None], list[float | None], float | None],
    TangentialContact,
]


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
        for name in ("force", "moment", "creepage", "dissipation", "stick_share", "error", "iterations"):
            getattr(self, name)[rows] = getattr(solved, name)[chosen]
        if solved.fields is not None:
            for kept, found in zip((self.traction, self.slip, self.stick), solved.fields, strict=True):
                if kept is not None:
                    kept[rows] = found[chosen]
        self.status[rows] = Status.CONVERGED
        self._missing[rows] = False

    def solve_rest(self, solve: SolveSingly) -> None:
        """Solve all other members one by one."""
        members = self.members
        for k in np.flatnonzero(self._missing):
            contact, (friction, speed) = members.contacts[members.which[k]], members.between.of_single(int(k))
            try:
                single = solve(contact, friction, *members.of_single(int(k)), speed)
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
            force=self.force,
            moment=self.moment,
            creepage=self.creepage,
            dissipation=self.dissipation,
            normal_force=members.normal_force,
            friction=members.between.reference,
            stick_share=self.stick_share,
            error=self.error,
            iterations=self.iterations,
            status=self.status,
            singles=np.flatnonzero(self._missing),
            traction=self.traction,
            slip=self.slip,
            stick=self.stick,
            motion=motion,
            seconds=seconds,
        )
