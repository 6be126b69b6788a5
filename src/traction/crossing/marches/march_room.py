"""`MarchRoom`: arrays of a part of a condensed march, which kernels fill.

Contacts of wheels are `Springs` in it; pieces of tables that kernels want are solved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from traction.crossing.bridge_models.modal_bridge import ModalBridge
from traction.crossing.bridge_models.residual_compliance import FeltCompliance
from traction.crossing.marches.kernels.bridge_edges import EDGES
from traction.crossing.marches.kernels.condensed_steps import MarchRows, StepWork
from traction.crossing.marches.kernels.contact_springs import APPROACH, WHEEL, Springs, series_forces
from traction.crossing.marches.kernels.elastic_march import ContactRows, march_contacts, march_edges
from traction.crossing.packed_train import PackedCars, PackedWay
from traction.crossing.wheel_contact import WheelContact
from traction.errors import ConvergenceError
from traction.laws.kernels.force_pieces import COLUMNS
from traction.outputs.progress import Tell, in_parts
from traction.trains.train import Train


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
