"""`CondensedSteps`: the condensed march with its state as a value, cut wherever one likes.

The state holds everything that goes from one step to the next: modes, vehicles and approaches, what the
kernels keep of a step, the answers of the contact laws and what they remember, and sums of work. A march
that is cut and goes on from the state, in another process too, gives the same numbers to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from traction.crossing.bridge_models.flexibility import flexibility
from traction.crossing.bridge_models.modal_bridge import ModalBridge, modal_bridge
from traction.crossing.bridge_models.residual_compliance import residual_compliance
from traction.crossing.cross import Setup
from traction.crossing.marches.elastic_wheels import CondensedLedger, March, march_on, require_finite
from traction.crossing.marches.kernels.modal_propagation import step_weights
from traction.crossing.marches.kernels.rigid_steps import blunt_weights, vehicle_inverses
from traction.crossing.marches.rigid_wheels import (
    MarchState,
    PackedAxles,
    PackedWay,
    StepWork,
    at_rest,
    pack_axles,
    pack_rail,
)
from traction.crossing.results.contact_crossing import ContactCrossing, Ledger
from traction.crossing.results.energies import STORED, Energies
from traction.crossing.schedule import Schedule
from traction.crossing.wheel_contact import WheelContact
from traction.laws.response import Memory, Response
from traction.trains.force import force_rates

Arrays = dict[str, np.ndarray]
ROWS = ("q", "p", "z", "v", "touching")  #: of a march, at the present step
OF_CONTACTS = ("forces", "energy")
CARRIED = ("on", "rows_on", "rows", "made_for")  #: of the work of a step, that the next one looks at
LAW = "law."
ENERGIES = tuple(one.name for one in fields(Energies))
COUNTED = np.array([name not in STORED for name in ENERGIES])  #: from the start: work and dissipation


@dataclass(frozen=True, eq=False)
class Stored:
    """Energies that were counted on the way."""

    counted: Energies

    def energies(self) -> Energies:
        """As they are."""
        return self.counted


@dataclass(frozen=True, eq=False)
class CutSteps:
    """Steps of a crossing that can be cut: what any march says of it."""

    setup: Setup

    @property
    def times(self) -> np.ndarray:
        """Kept, s."""
        return self.setup.times.t

    @property
    def kept(self) -> np.ndarray:
        """After which of the steps these are."""
        return self.setup.times.kept

    @property
    def contacts(self) -> tuple[WheelContact, ...]:
        """Of the wheels."""
        return self.setup.contacts


@dataclass(frozen=True, eq=False)
class CondensedSteps(CutSteps):
    """A crossing of `tr.cross` by the condensed march, some steps at a time."""

    @cached_property
    def bridge(self) -> ModalBridge:
        """The modes."""
        return modal_bridge(self.setup.beam, self.setup.size)

    @cached_property
    def way(self) -> PackedWay:
        """Of all steps."""
        one, times = self.setup, self.setup.times
        rail = pack_rail(one.irregularity, one.cars, times)
        return PackedWay(times.fine, times.travel.place(times.fine), times.travel.speed(times.fine), rail)

    @cached_property
    def axles(self) -> PackedAxles:
        """Of all steps."""
        return pack_axles(self.setup.cars, self.setup.times)

    @cached_property
    def compliance(self) -> np.ndarray:
        """Of the modes left out under the wheels, in all steps."""
        one = self.setup
        if not one.felt:
            return np.zeros((one.times.fine.size - 1, 2, len(one.contacts)))
        return residual_compliance(one.beam, one.size).in_steps(one.times, one.packed.behind)

    def begin(self) -> Arrays:
        """Before the first step."""
        one = self.setup
        static = np.array([contact.static for contact in one.contacts])
        start, work = at_rest(one.cars, one.packed, _cut(self.way, 0, 2), one.size), self._new_work()
        answers = [contact.law.response(contact.static, contact.memory) for contact in one.contacts]
        state = {
            **{name: getattr(start, name)[0] for name in ROWS},
            **{f"work.{name}": getattr(work, name) for name in CARRIED},
            "step": np.array(0),
            "approach": np.stack((static, static)),
            "closing": static,
            "forces": np.array([answer.force for answer in answers]),
            "energy": np.array([answer.energy for answer in answers]),
            "answers": np.zeros((0, 3)),
            "segments": self.axles.segments.copy(),
            "energies": np.zeros(len(ENERGIES)),
            **_stored_memories(answers),
        }
        _, ahead = self.march(state, 1)  # the first wheel's step from the rigid track is no work of the drive
        return {**state, "energies": self._counted(ahead)[0]}

    def advance(self, state: Arrays, last: int) -> tuple[Arrays, np.ndarray]:
        """March on to the kept time number `last`; also the forces of the wheels after each step."""
        end, march = self.march(state, int(self.setup.times.kept[last]))
        return end, march.forces[1:]

    def columns(self, state: Arrays) -> dict[str, np.ndarray]:
        """Of a crossing, at the time of a state."""
        return {
            "modal": state["q"], "modal_velocity": state["p"], "vehicle": state["z"],
            "vehicle_velocity": state["v"], "contact_forces": state["forces"],
            "approach": state["approach"][-1], "in_contact": state["touching"],
        }  # fmt: skip

    def pressure(self, state: Arrays, wheel: int) -> np.ndarray | None:
        """Of a wheel's patch as it was last solved, Pa; None by Hertz."""
        return state.get(f"{LAW}{wheel}.pressure")

    def march(self, state: Arrays, last: int) -> tuple[Arrays, March]:
        """March on to the time `fine[last]`; the march returned holds the steps from the state to there."""
        contacts = self._recalled(state)
        at = int(state["step"])
        low = max(at - 1, 0)  # the first guess of a step looks at the one before
        march, first = self._room(state, low, last + 1), at - low
        answers = [
            Response(float(force), float(stiffness), float(energy), memory=one.memory)
            for (force, stiffness, energy), one in zip(state["answers"], contacts, strict=False)
        ]
        _, answers = march_on(march, contacts, first, answers)
        done = _without(march, first)
        require_finite(done)
        return {
            **{name: getattr(done.state, name)[-1].copy() for name in ROWS},
            **{name: getattr(done, name)[-1].copy() for name in OF_CONTACTS},
            **{f"work.{name}": getattr(march.work, name) for name in CARRIED},
            "step": np.array(last),
            "approach": march.approach[-2:].copy(),
            "closing": march.closing[-1].copy(),
            "answers": np.array([(one.force, one.stiffness, one.energy) for one in answers]).reshape(-1, 3),
            "segments": march.axles.segments,
            "energies": self._energies(state, done),
            **_stored_memories(answers),
        }, done

    def crossing(self, t: np.ndarray, columns: dict[str, Any], ledger: Ledger) -> ContactCrossing:
        """A crossing at some of the times, from its columns over these: those of `ContactCrossing`."""
        one = self.setup
        common, modal = at_times(one, t, columns["contact_forces"])
        return ContactCrossing(
            **common, **modal, method="condensed", bridge=self.bridge, cars=one.packed, ledger=ledger,
            flexibility=flexibility(one.beam, self.bridge.omega) if one.residual else None, **columns,
        )  # fmt: skip

    def _room(self, state: Arrays, low: int, high: int) -> March:
        """A march of the times `low` to `high`, with the state in its place."""
        one, at, wheels = self.setup, int(state["step"]) - low, len(self.setup.contacts)
        way, steps = _cut(self.way, low, high), high - low
        rows = {name: np.zeros((steps, state[name].size), dtype=state[name].dtype) for name in ROWS}
        loads = self.axles.loads if len(self.axles.loads) == 1 else self.axles.loads[low:high]
        march = March(
            self.bridge, one.packed, way,
            PackedAxles(self.axles.behind, state["segments"].copy(), np.ascontiguousarray(loads)),
            self._work(state), MarchState(**rows, force=np.zeros((max(steps - 1, 0), wheels))),
            self.compliance[low : high - 1], *(np.zeros((steps, wheels)) for _ in range(6)),
        )  # fmt: skip
        for name in ROWS:
            rows[name][at] = state[name]
        march.approach[: at + 1] = state["approach"][1 - at :]
        march.closing[at] = state["closing"]
        for name in OF_CONTACTS:
            getattr(march, name)[at] = state[name]
        return march

    def _new_work(self) -> StepWork:
        work = StepWork.of(self.setup.size, self.setup.packed)
        work.rows[:] = 0.0  # not yet made, as `rows_on` tells; a state holds no numbers that are none
        return work

    def _work(self, state: Arrays) -> StepWork:
        """What a step leaves to the next one, with the weights of the length that the last one had."""
        work = self._new_work()
        for name in CARRIED:
            getattr(work, name)[...] = state[f"work.{name}"]
        h = float(work.made_for[0])
        if h > 0.0:
            step_weights(self.bridge.omega, self.bridge.rate, h, work.weights)
            blunt_weights(self.bridge.omega, self.bridge.rate, h, work.weights)
            vehicle_inverses(self.setup.packed, h, work.inverses)
        return work

    def _energies(self, state: Arrays, done: March) -> np.ndarray:
        """At the last time of a part of the march, in the order of ENERGIES."""
        found = self._counted(done)[-1]
        found[COUNTED] += state["energies"][COUNTED]
        if int(state["step"]):  # a step of the track at the first of these times, which no step has counted
            found[ENERGIES.index("drive")] += float(done.lifted[0].sum())
        return found

    def _counted(self, done: March) -> np.ndarray:
        """Energies at the times of a part of the march, work from its start, (times, ENERGIES)."""
        times, fine = self.setup.times, done.way.t
        part = Schedule(times.t, fine, np.arange(fine.size), times.travel, times.behind)
        counted = CondensedLedger(done, self.setup.cars, part).energies()
        return np.stack([getattr(counted, name) for name in ENERGIES], axis=1)

    def _recalled(self, state: Arrays) -> tuple[WheelContact, ...]:
        """The contacts with the memories of a state."""
        return tuple(
            replace(contact, memory=contact.law.recall(_stored_memory(state, k)))
            for k, contact in enumerate(self.setup.contacts)
        )


def _stored_memories(responses: list[Response]) -> Arrays:
    """What the laws remember, as arrays of a state."""
    return {
        f"{LAW}{k}.{name}": np.array(value)
        for k, one in enumerate(responses)
        for name, value in one.memory.items()
    }


def _stored_memory(state: Arrays, k: int) -> Memory:
    """Of the law of one wheel."""
    start = f"{LAW}{k}."
    return {name.removeprefix(start): value for name, value in state.items() if name.startswith(start)}


def at_times(setup: Setup, t: np.ndarray, forces: np.ndarray) -> tuple[dict[str, Any], dict[str, Any]]:
    """What any crossing has at some times under these forces of its wheels, and what one of modes has."""
    times = Schedule(t, t, np.arange(t.size), setup.times.travel, setup.times.behind)
    plain = np.zeros((3, t.size, 0))
    if setup.cars.forces:
        step = float(setup.times.t[1])
        plain = np.stack([force_rates(load, t, step) for load, _ in setup.cars.forces], axis=2)
    common = {
        "t": t, "beam": setup.beam, "places": times.places, "model": setup.model, "train": setup.cars,
        "contacts": setup.contacts, "forces": np.concatenate([plain[0], forces], axis=1),
    }  # fmt: skip
    if setup.model != "modes":
        return common, {}
    rates = np.concatenate([plain[1:], np.zeros((2, *forces.shape))], axis=2)
    return common, {
        "modes": setup.beam.modes(setup.size), "force_rates": rates, "motion": times.motion
    }  # fmt: skip


def _cut(way: PackedWay, low: int, high: int) -> PackedWay:
    rail = way.rail if len(way.rail) == 1 else np.ascontiguousarray(way.rail[low:high])
    return PackedWay(way.t[low:high], way.place[low:high], way.speed[low:high], rail)


def _without(march: March, first: int) -> March:
    """The march without its first steps."""
    state = MarchState(*(values[first:] for values in march.state))
    contacts = (march.closing, march.approach, march.forces, march.energy, march.lifted, march.turned)
    loads = march.axles.loads if len(march.axles.loads) == 1 else march.axles.loads[first:]
    return March(
        march.bridge, march.cars, _cut(march.way, first, march.way.t.size),
        march.axles._replace(loads=loads), march.work, state, march.compliance[first:],
        *(one[first:] for one in contacts),
    )  # fmt: skip
