"""Steps of the condensed march with solved contacts, whose laws are evaluated in each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from traction.crossing.marches.kernels.bridge_edges import (
    AT_END,
    adjust_shares,
    blend_shares,
    work_along_arcs,
)
from traction.crossing.marches.kernels.condensed_steps import finish_step
from traction.crossing.marches.kernels.contact_springs import (
    couple_springs,
    from_others,
    pair_works,
    series_mean,
    turning_work,
)
from traction.crossing.marches.kernels.elastic_march import (
    JUMP,
    enter_edge_step,
    enter_step,
    prepare_edge_step,
    prepare_step,
    stored_in_contacts,
)
from traction.crossing.marches.march_room import MarchRoom
from traction.crossing.wheel_contact import NEAR, WheelContact, inside, mean_response, responses_at
from traction.laws.contact_law import Response
from traction.outputs.progress import Tell

LINEAR = 1e-6  #: change of an approach, over the one at rest, up to which the last response is extrapolated
MOST_ITERATIONS = 40


class SolvedContacts(NamedTuple):
    """Contacts in a step."""

    end: np.ndarray  #: approaches at its end, m
    force: np.ndarray  #: mean forces, N
    responses: list[Response]  #: at its end
    asked: int  #: how often a law was


@dataclass(frozen=True, eq=False)
class HalfSpaceSteps:
    """The steps of a part of a march."""

    room: MarchRoom
    contacts: tuple[WheelContact, ...]

    def march(self, before: Sequence[Response], told: Tell | None = None) -> tuple[list[Response], int]:
        """Fill the arrays from the responses at the first time.

        Returns the last ones and the number of evaluations.
        """
        room, known, asked = self.room, list(before), 0
        self._keep(room.steps[0], room.contacts.approach[room.steps[0]], known)
        for n in range(*room.steps):
            known, count = self._step(n, known)
            asked += count
            if told is not None:
                told(n + 1, room.steps[1])
        if room.goes_on:
            n = room.steps[1]
            closing = room.contacts.closing
            enter = enter_edge_step if len(room.springs.radii) else enter_step
            enter(room.bridge, room.cars, room.way, room.work, room.springs, n, room.rows, closing)
            known = self._step_over(n, known)
        return known, asked

    def _step(self, n: int, before: list[Response]) -> tuple[list[Response], int]:
        """Step n: the responses at its end, and the number of evaluations."""
        room, way, reached = self.room, self.room.way, self.room.contacts
        static, R = room.springs.static, room.springs.compliance[n]
        prepare = prepare_edge_step if len(room.springs.radii) else prepare_step
        prepare(room.bridge, room.cars, way, room.work, room.springs, n, room.rows, reached.closing)
        before = self._step_over(n, before)
        found = self._share(reached.approach[n], R, before)
        if found is None:
            raise room.not_solved(n)
        room.rows.force[n] = found.force
        finish_step(room.cars, room.work, way.t[n + 1] - way.t[n], n, room.rows)
        self._keep(n + 1, found.end, found.responses)
        reached.closing[n + 1] = found.end + R[1] * reached.force[n + 1]
        if len(room.springs.pairs):
            shared, works = room.springs.shared, np.empty(2)
            reached.closing[n + 1] += shared[1] @ reached.force[n + 1]
            pair_works.py_func(shared, reached.force[n], reached.force[n + 1], found.force, works)
            reached.coupled[n, 0] = works[1]
        # of a few numbers a step: interpreted, with the same bits
        reached.turned[n] = [
            turning_work.py_func(R[:, k], (before[k].force, found.responses[k].force), found.force[k])
            for k in range(static.size)
        ]
        if len(room.springs.pairs):
            reached.turned[n, 0] += works[0]
        for k in np.flatnonzero(room.work.edges[:, AT_END] >= 0.0):
            reached.turned[n, k] += work_along_arcs(room.work.edges[k], room.work.share[k], found.force[k])
        return found.responses, found.asked

    def _step_over(self, n: int, before: list[Response]) -> list[Response]:
        """Where the track has a step at time n, the contacts on it; see `elastic_march.step_over`."""
        reached, springs, found = self.room.contacts, self.room.springs, list(before)
        old, closing = np.zeros(springs.static.size), reached.closing[n]
        self._keep(n, reached.approach[n], found)
        if n:
            stored_in_contacts.py_func(springs, n - 1, 1, reached.force[n], reached.energy[n], old)
        couple_springs(springs, n)
        R, jumped = springs.compliance[n, 0], False
        for _ in range(MOST_ITERATIONS):
            settled = True
            for k, one in enumerate(self.contacts):
                others = from_others(springs.shared[0], k, reached.force[n])
                off = closing[k] - reached.approach[n, k] - R[k] * found[k].force - others
                if abs(off) <= JUMP * one.static:
                    continue
                whole = float(closing[k] - others)
                reached.approach[n, k], found[k] = inside(one, float(R[k]), whole, found[k].memory)
                self._keep(n, reached.approach[n], found)
                jumped, settled = True, False
            if settled:
                break
        else:
            raise self.room.not_solved(n)
        if jumped:
            stored = reached.lifted[n]
            stored_in_contacts.py_func(springs, n, 0, reached.force[n], reached.energy[n], stored)
            stored -= old
        return found

    def _keep(self, n: int, approach: np.ndarray, responses: list[Response]) -> None:
        room = self.room
        room.contacts.approach[n] = approach
        room.contacts.force[n] = [one.force for one in responses]
        room.contacts.energy[n] = [one.energy for one in responses]
        room.rows.touching[n] = [one.force > 0.0 for one in responses]

    def _share(self, start: np.ndarray, R: np.ndarray, before: list[Response]) -> SolvedContacts | None:
        """Solve with the shares of bridge and ground near soft ends; see `bridge_edges`."""
        work, asked = self.room.work, 0
        if not len(self.room.springs.radii):
            return self._solve(start, R, before)
        for _ in range(MOST_ITERATIONS):
            found = self._solve(start, R, before)
            if found is None:
                return None
            asked += found.asked
            if adjust_shares(work, self.room.springs.static, found.force):
                return found._replace(asked=asked)
            blend_shares(work)
        return None

    def _solve(self, start: np.ndarray, R: np.ndarray, before: list[Response]) -> SolvedContacts | None:
        """Approaches and mean forces in a step from the approaches `start`; None without convergence."""
        free, B, static = self.room.work.right, self.room.work.matrix, self.room.springs.static
        between, found = 0.5 * (R[0] + R[1]), before
        C = np.diag(R[1])
        if len(self.room.springs.pairs):
            C = C + self.room.springs.shared[1]
        end = _guess_end(start, free, B, C, before)
        for iteration in range(MOST_ITERATIONS):
            found = responses_at(self.contacts, end, [one.memory for one in found])
            F, slope = np.array(
                [
                    series_mean.py_func(
                        *mean_response(one, d0, after, d1, NEAR * rest), soft, d1 - d0,
                        (one.force, after.force), after.stiffness,
                    )
                    for one, d0, after, d1, rest, soft in zip(
                        before, start, found, end, static, between, strict=True
                    )
                ]
            ).T  # fmt: skip
            force, stiffness = np.array([(one.force, one.stiffness) for one in found]).T
            own = np.eye(end.size) + C * stiffness
            change = np.linalg.solve(own + B * slope, free - end - C @ force - B @ F)
            end = end + change
            if (np.abs(change) <= LINEAR * static).all():
                after = [_respond_beside(one, float(d)) for one, d in zip(found, change, strict=True)]
                return SolvedContacts(end, F + slope * change, after, (iteration + 1) * end.size)
        return None


def _guess_end(
    start: np.ndarray, free: np.ndarray, B: np.ndarray, C: np.ndarray, before: list[Response]
) -> np.ndarray:
    """Approaches at the end of a step if the forces kept their stiffness.

    The inertia in B leaves little uncertainty: usually a law is evaluated once a step.
    """
    F, k = np.array([(one.force, one.stiffness) for one in before]).T
    own = np.eye(F.size) + C * k
    change = np.linalg.solve(own + 0.5 * B * k, free - start - C @ F - B @ F)
    return np.asarray(start + change)


def _respond_beside(known: Response, change: float) -> Response:
    """The response at a nearby approach: the force is linear while no element enters or leaves."""
    if known.force == 0.0:
        return known
    force = max(0.0, known.force + known.stiffness * change)
    energy = known.energy + (known.force + 0.5 * known.stiffness * change) * change
    return known._replace(force=force, energy=energy)
