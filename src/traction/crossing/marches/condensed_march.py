"""`CondensedMarch`: modes, vehicles and elastic contacts, condensed to approaches under the wheels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from time import perf_counter

import numpy as np

from traction.crossing.bridge_models.modal_bridge import ModalBridge, modal_bridge
from traction.crossing.bridge_models.residual_compliance import FeltCompliance, residual_compliance
from traction.crossing.choices import REACH
from traction.crossing.marches.condensed_energies import CondensedEnergies
from traction.crossing.marches.kernels.condensed_steps import MarchRows, weigh_step
from traction.crossing.marches.kernels.elastic_march import ContactRows
from traction.crossing.marches.march_part import ElasticMarch, MarchColumns, MarchPart
from traction.crossing.marches.march_room import (
    HalfSpaceSteps,
    MarchRoom,
    make_rest_rows,
    make_step_work,
    pack_springs,
)
from traction.crossing.packed_train import PackedWay, pack_way
from traction.crossing.wheel_contact import WheelContact
from traction.laws.contact_law import Response

MOVED = ("q", "p", "z", "v", "touching")  #: of the rows of a march, that a state holds


@dataclass(frozen=True, eq=False)
class CarriedWork:
    """Work of a step carried to the next one, see `StepWork`."""

    made_for: np.ndarray
    segments: np.ndarray
    on: np.ndarray
    rows: np.ndarray
    rows_on: np.ndarray
    share: np.ndarray


@dataclass(frozen=True, eq=False)
class KnownResponse:
    """The last response of a law that is solved, with its memory."""

    force: float
    stiffness: float
    energy: float
    memory: dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class CondensedState:
    """State passed from step to step."""

    step: int  #: steps behind it
    q: np.ndarray
    p: np.ndarray
    z: np.ndarray
    v: np.ndarray
    touching: np.ndarray
    closing: np.ndarray  #: see `ContactRows`
    approach: np.ndarray  #: at the time before, from which the first guess of a step is taken, and now
    work: CarriedWork
    responses: tuple[KnownResponse, ...]  #: of contacts that are evaluated in each step

    def pressure(self, wheel: int) -> np.ndarray | None:
        """Pressure of a wheel's patch as last solved, Pa; None of laws that the march does not solve."""
        return self.responses[wheel].memory["pressure"] if self.responses else None


@dataclass(frozen=True, eq=False)
class CondensedMarch(ElasticMarch[CondensedState]):
    """A crossing whose modes respond exactly and whose forces conserve energy, some steps at a time."""

    @cached_property
    def bridge(self) -> ModalBridge:
        """The modes."""
        return modal_bridge(self.setup.beam, self.setup.size)

    @cached_property
    def way(self) -> PackedWay:
        """Path of all steps."""
        return pack_way(self.setup.irregularity, self.setup.cars, self.setup.times)

    @cached_property
    def compliance(self) -> FeltCompliance:
        """Compliance of the neglected modes under the wheels."""
        one = self.setup
        if one.felt:
            around = [REACH * contact.wheel.radius * np.array(one.soft_ends) for contact in one.contacts]
            left_out = residual_compliance(one.beam, one.size)
            return left_out.in_steps(one.times, one.packed.behind, np.array(around))
        return FeltCompliance.none(one.times.fine.size - 1, len(one.contacts))

    def begin(self) -> CondensedState:
        """State before the first step: beam and vehicles at rest, wheels at the start."""
        one = self.setup
        static = np.array([contact.static for contact in one.contacts])
        rows = make_rest_rows(one.cars, one.packed, self.way.between(0, 2), one.size)
        work = make_step_work(one.size, one.packed, len(one.cars.forces))
        carried = CarriedWork(**{part.name: getattr(work, part.name) for part in fields(CarriedWork)})
        responses = [] if self.is_compiled else [c.law.response(c.static, c.memory) for c in one.contacts]
        state = CondensedState(
            0, rows.q[0], rows.p[0], rows.z[0], rows.v[0], rows.touching[0], static,
            np.stack((static, static)), carried, _known(responses),
        )  # fmt: skip
        return self._march(state, 0)[0]

    def advance(self, state: CondensedState, until: int) -> tuple[CondensedState, MarchPart]:
        """March to the stored time number `until`; returns the state and the steps to it."""
        return self._march(state, int(self.setup.times.kept[until]))

    @property
    def is_compiled(self) -> bool:
        """Whether all contacts are Hertz's or tabulated; others are evaluated in each step."""
        return all(one.is_compiled for one in self.setup.contacts)

    def _march(self, state: CondensedState, last: int) -> tuple[CondensedState, MarchPart]:
        """March to the time `fine[last]`, where the wheels have entered the step that follows."""
        began, low = perf_counter(), max(state.step - 1, 0)  # the first guess looks at the time before
        room, contacts, responses = self._make_room(state, low, last), self.setup.contacts, state.responses
        counts: dict[str, float] = {"steps": last - state.step}
        if self.is_compiled:
            counts["iterations"] = room.march_compiled(contacts, self.told)
        else:
            known = [Response(one.force, one.stiffness, one.energy, memory=one.memory) for one in responses]
            found, counts["evaluations"] = HalfSpaceSteps(room, contacts).march(known, self.told)
            responses = _known(found)
            contacts = tuple(replace(c, memory=r.memory) for c, r in zip(contacts, found, strict=True))
        room.require_finite()
        counts["seconds"] = perf_counter() - began
        return self._state(room, last, responses), self._part(room, state.step, contacts, counts)

    def _make_room(self, state: CondensedState, low: int, last: int) -> MarchRoom:
        """Arrays for the times from `low` to the one after `last`, filled with the state."""
        one, at, way = self.setup, state.step - low, self.way.between(low, last + 2)
        times, wheels = way.t.size, len(one.contacts)
        q, p, z, v = (np.zeros((times, values.size)) for values in (state.q, state.p, state.z, state.v))
        touching = np.zeros((times, wheels), dtype=np.bool_)
        rows = MarchRows(q, p, z, v, np.zeros((times - 1, wheels)), touching, np.ones((times - 1, wheels)))
        for name in MOVED:
            getattr(rows, name)[at] = getattr(state, name)
        contacts = ContactRows(*(np.zeros((times, wheels)) for _ in ContactRows._fields))
        contacts.approach[: at + 1] = state.approach[1 - at :]
        contacts.closing[at] = state.closing
        work = make_step_work(one.size, one.packed, len(one.cars.forces))
        for part in fields(CarriedWork):
            getattr(work, part.name)[...] = getattr(state.work, part.name)
        if work.made_for[0] > 0.0:
            weigh_step(self.bridge, one.packed, float(work.made_for[0]), work)
        springs = pack_springs(one.contacts, self.compliance.between(low, low + times - 1), one.soft_ends)
        return MarchRoom(self.bridge, one.packed, way, work, springs, rows, contacts, (at, last - low))

    def _state(self, room: MarchRoom, last: int, responses: tuple[KnownResponse, ...]) -> CondensedState:
        """Of a room at its last time."""
        n, reached = room.steps[1], room.contacts
        moved = {name: getattr(room.rows, name)[n].copy() for name in MOVED}
        before = reached.approach[max(n - 1, 0)]
        return CondensedState(
            step=last,
            **moved,
            closing=reached.closing[n].copy(),
            approach=np.stack((before, reached.approach[n])),
            work=CarriedWork(**{part.name: getattr(room.work, part.name) for part in fields(CarriedWork)}),
            responses=responses,
        )

    def _part(
        self, room: MarchRoom, first: int, contacts: tuple[WheelContact, ...], counts: dict[str, float]
    ) -> MarchPart:
        """What has been marched, without the room around it."""
        one, own = self.setup, room.reached
        rows = MarchRows(*(values[own] for values in room.rows))
        steps = slice(own.start, own.stop - 1)
        rows = rows._replace(force=room.rows.force[steps], share=room.rows.share[steps])
        reached = ContactRows(*(values[own] for values in room.contacts))
        energies = CondensedEnergies(
            self.bridge, one.packed, one.cars, one.times.travel, float(one.times.t[1]),
            room.way.between(own.start, own.stop), rows, reached, reached.force, reached.energy,
            room.compliance[own], room.shared_energy[own],
        )  # fmt: skip
        columns = MarchColumns(
            rows.q, rows.p, None, rows.z, rows.v, reached.force, reached.approach, rows.touching
        )
        return MarchPart(first, columns, energies, contacts, counts)


def _known(responses: Sequence[Response]) -> tuple[KnownResponse, ...]:
    return tuple(KnownResponse(one.force, one.stiffness, one.energy, dict(one.memory)) for one in responses)
