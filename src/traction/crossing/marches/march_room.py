"""`MarchRoom`: arrays of a part of a condensed march, which kernels fill.

Contacts of wheels are `Springs` in it; pieces of tables that kernels want are solved. Where laws are
evaluated in each step, `HalfSpaceSteps` fill the arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from traction.crossing.bridge_models.modal_bridge import ModalBridge
from traction.crossing.bridge_models.residual_compliance import FeltCompliance
from traction.crossing.marches.kernels.bridge_edges import (
    AT_END,
    EDGES,
    adjust_shares,
    blend_shares,
    work_along_arcs,
)
from traction.crossing.marches.kernels.condensed_steps import MarchRows, StepWork, finish_step
from traction.crossing.marches.kernels.contact_springs import (
    APPROACH,
    WHEEL,
    Springs,
    couple_springs,
    from_others,
    pair_works,
    series_forces,
    series_mean,
    turning_work,
)
from traction.crossing.marches.kernels.elastic_march import (
    JUMP,
    ContactRows,
    enter_edge_step,
    enter_step,
    march_contacts,
    march_edges,
    prepare_edge_step,
    prepare_step,
    stored_in_contacts,
)
from traction.crossing.packed_train import PackedCars, PackedWay
from traction.crossing.wheel_contact import NEAR, WheelContact, inside, mean_response, responses_at
from traction.errors import ConvergenceError
from traction.laws.contact_law import Response
from traction.laws.kernels.law_values import COLUMNS
from traction.outputs.progress import Tell, in_parts
from traction.trains.train import Train

LINEAR = 1e-6  #: change of an approach, over the one at rest, up to which the last response is extrapolated
MOST_ITERATIONS = 40


def pack_springs(
    contacts: Sequence[WheelContact], left_out: FeltCompliance, soft: Sequence[bool] = (False, False)
) -> Springs:
    """Contacts with Hertz's law or a table, in series with what is left out of the bridge.

    `soft` are the ends of the bridge that may be above or below the ground beside them.
    """
    k = np.array([contact.hertz_coefficient or 0.0 for contact in contacts])
    static = np.array([contact.static for contact in contacts])
    rows, spans = _stack_rows(contacts)
    radii = np.array([[one.wheel.radius * end for end in soft] for one in contacts if any(soft)])
    radii = radii.reshape(-1, 2)
    own, wheels = left_out.own, len(contacts) if len(left_out.pairs) else 0
    return Springs(
        k, static, own.copy() if any(soft) else own, rows, spans, np.array([-1.0, 0.0]), radii, own,
        left_out.pairs, left_out.mutual, np.zeros((len(own), len(contacts))), np.zeros((2, wheels, wheels)),
    )  # fmt: skip


def supply_wanted(contacts: Sequence[WheelContact], springs: Springs) -> Springs | None:
    """Springs with the piece that a kernel wanted, solved; None if it wanted none."""
    if springs.wanted[WHEEL] < 0.0:
        return None
    table = contacts[int(springs.wanted[WHEEL])].table
    assert table is not None
    table.cover(float(springs.wanted[APPROACH]))
    rows, spans = _stack_rows(contacts)
    springs.wanted[:] = -1.0, 0.0
    return springs._replace(rows=rows, spans=spans)


def forces_in_series(contact: WheelContact, compliances: np.ndarray, approaches: np.ndarray) -> np.ndarray:
    """Forces (N) of a contact in series with compliances (m/N) at the approaches of both (m)."""
    springs: Springs | None = pack_springs((contact,), FeltCompliance.none(0, 1))
    forces = np.empty(approaches.size)
    while springs is not None:
        series_forces(springs, 0, compliances, approaches, forces)
        springs = supply_wanted((contact,), springs)
    return forces


def _stack_rows(contacts: Sequence[WheelContact]) -> tuple[np.ndarray, np.ndarray]:
    """Rows of all tables, each once, and those of each wheel; a wheel without a table has none."""
    stacked, spans = [np.zeros((0, COLUMNS))], np.zeros((len(contacts), 2), dtype=np.int64)
    known: dict[int, tuple[int, int]] = {}
    total = 0
    for k, contact in enumerate(contacts):
        table = contact.table
        if table is None:
            continue
        if id(table) not in known:
            rows = table.rows
            stacked.append(rows)
            known[id(table)] = total, total + len(rows)
            total += len(rows)
        spans[k] = known[id(table)]
    return np.concatenate(stacked), spans


@dataclass(frozen=True, eq=False)
class MarchRoom:
    """A part of a march, with the time before it and the one after it."""

    bridge: ModalBridge
    cars: PackedCars
    way: PackedWay
    work: StepWork
    springs: Springs
    rows: MarchRows
    contacts: ContactRows
    steps: tuple[int, int]  #: the first to be marched, and the one that follows the last

    @property
    def reached(self) -> slice:
        """The times from the first step to the end of the last."""
        return slice(self.steps[0], self.steps[1] + 1)

    @property
    def goes_on(self) -> bool:
        """Whether a step follows the last one."""
        return self.steps[1] < self.way.t.size - 1

    @property
    def compliance(self) -> np.ndarray:
        """Compliance of the neglected modes under the wheels at the times, m/N, (times, wheels)."""
        R = self.springs.compliance
        return np.concatenate([R[:, 0], R[-1:, 1]])

    @property
    def shared_energy(self) -> np.ndarray:
        """Energy of the neglected modes between wheels at the times, J: the sum of C Pk Pj over the pairs."""
        P, w = self.contacts.force, self.springs.weights
        acting = P * w[np.minimum(np.arange(len(P)), len(w) - 1)]
        total = np.zeros(len(P))
        # one pair after the other: many wheels have many
        for (k, j), C in zip(self.springs.pairs, self.springs.mutual.T, strict=True):
            total += C * acting[:, k] * acting[:, j]
        return total

    def march_compiled(self, contacts: Sequence[WheelContact], told: Tell | None = None) -> int:
        """Fill the arrays, contacts by Hertz's law or by tables; returns the number of Newton iterations."""
        springs, iterations, own = self.springs, 0, self.reached
        march = march_edges if len(springs.radii) else march_contacts
        for first, last in in_parts(*self.steps, told):
            failed, prepared = first, 0
            while failed >= 0:
                failed, taken = march(
                    self.bridge, self.cars, self.way, self.work, springs, self.rows, self.contacts,
                    (failed, last, prepared),
                )  # fmt: skip
                iterations, prepared = iterations + int(taken), 1
                if failed >= 0:
                    supplied = supply_wanted(contacts, springs)
                    if supplied is None:
                        raise self.not_solved(failed)
                    springs = supplied
        self.rows.touching[own] = self.contacts.force[own] > 0.0
        return iterations

    def require_finite(self) -> None:
        """Raise where the march is no longer finite."""
        own = self.reached
        bad = ~(
            np.isfinite(self.rows.q[own]).all(axis=1) & np.isfinite(self.contacts.approach[own]).all(axis=1)
        )
        if bad.any():
            t = float(self.way.t[own][int(np.argmax(bad))])
            raise ConvergenceError(f"the motion is not finite at t = {t:.6g} s; take a smaller dt.")

    def not_solved(self, n: int) -> ConvergenceError:
        """The error of a step whose forces were not found."""
        t = float(self.way.t[n])
        return ConvergenceError(f"the contact forces after t = {t:.6g} s were not found; take a smaller dt.")


def make_step_work(size: int, cars: PackedCars, plain: int) -> StepWork:
    """Storage for the steps of so many modes, vehicles and plain forces, not yet allocated."""
    n = cars.owner.size
    return StepWork(
        np.empty((size, 12)),
        np.zeros(cars.stiffness.shape),
        np.array([-1.0]),
        np.empty((2, size, 2)),
        np.empty((2, size)),
        np.full(plain, -1),
        np.full(n, -1),
        np.zeros((n, 4, size)),
        np.full(n, -1),
        np.empty((n, n)),
        np.empty(n),
        np.ones(n),
        np.full((n, EDGES), -1.0),
        np.empty((2, n, n)),
    )


def make_rest_rows(train: Train, cars: PackedCars, way: PackedWay, size: int) -> MarchRows:
    """Initial rows: beam at rest, vehicles in equilibrium, wheels following the track."""
    steps, wheels = way.t.size, cars.owner.size
    z, v = np.zeros((2, steps, cars.mass.size))
    height = -way.rail[0, :, 0]
    for c, (vehicle, _) in enumerate(train.vehicles):
        z[0, cars.first[c] : cars.first[c + 1]] = vehicle.at_rest_on(height[cars.owner == c])
    v[0, cars.coordinate] = -way.speed[0] * way.rail[0, :, 1]
    q, p = np.zeros((2, steps, size))
    force, touching = np.zeros((steps - 1, wheels)), np.ones((steps, wheels), dtype=np.bool_)
    return MarchRows(q, p, z, v, force, touching, np.ones(force.shape))


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
        # Guess the end as if the forces kept their stiffness: the inertia in B leaves little uncertainty, so
        # that usually a law is evaluated once a step.
        force, stiffness = np.array([(one.force, one.stiffness) for one in before]).T
        own = np.eye(start.size) + C * stiffness
        end = start + np.linalg.solve(own + 0.5 * B * stiffness, free - start - C @ force - B @ force)
        for iteration in range(MOST_ITERATIONS):
            found = responses_at(self.contacts, end, [one.memory for one in found])
            means = []
            for one, d0, now, d1, near, soft in zip(
                before, start, found, end, NEAR * static, between, strict=True
            ):
                alone, forces = mean_response(one, d0, now, d1, near), (one.force, now.force)
                means.append(series_mean.py_func(*alone, soft, d1 - d0, forces, now.stiffness))
            F, slope = np.array(means).T
            force, stiffness = np.array([(one.force, one.stiffness) for one in found]).T
            own = np.eye(end.size) + C * stiffness
            change = np.linalg.solve(own + B * slope, free - end - C @ force - B @ F)
            end = end + change
            if (np.abs(change) <= LINEAR * static).all():
                after = [_respond_beside(one, float(d)) for one, d in zip(found, change, strict=True)]
                return SolvedContacts(end, F + slope * change, after, (iteration + 1) * end.size)
        return None


def _respond_beside(known: Response, change: float) -> Response:
    """The response at a nearby approach: the force is linear while no element enters or leaves."""
    if known.force == 0.0:
        return known
    force = max(0.0, known.force + known.stiffness * change)
    energy = known.energy + (known.force + 0.5 * known.stiffness * change) * change
    return known._replace(force=force, energy=energy)
