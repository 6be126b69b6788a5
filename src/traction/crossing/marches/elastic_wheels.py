"""The condensed march with a contact that gives way: Hertz's compiled, the half space's step by step."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from traction.beams.beam import Beam
from traction.crossing.bridge_models.flexibility import flexibility
from traction.crossing.bridge_models.modal_bridge import ModalBridge, modal_bridge
from traction.crossing.bridge_models.residual_compliance import residual_compliance
from traction.crossing.marches.kernels import elastic_steps as kernels
from traction.crossing.marches.kernels.modal_propagation import modal_forces
from traction.crossing.marches.kernels.rigid_steps import finish_step
from traction.crossing.marches.rigid_wheels import (
    MarchState,
    PackedAxles,
    PackedCars,
    PackedWay,
    StepWork,
    at_rest,
    pack_axles,
    pack_rail,
    plain_forces,
)
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.results.energies import Energies, accumulated, modal_loss, modal_work, vehicle_energies
from traction.crossing.schedule import Schedule
from traction.crossing.wheel_contact import WheelContact, inside, responses_at
from traction.errors import ConvergenceError
from traction.laws.kernels.power_values import power_table
from traction.laws.response import Response
from traction.trains.force import force_rates
from traction.trains.irregularity import Irregularity
from traction.trains.train import Train

LINEAR = 1e-6  #: change of an approach, over the one at rest, up to which the last answer is extrapolated
NEAR = 1e-3  #: change in a step, likewise, below which differences of energies have too few digits
MOST_ITERATIONS = 40


class DrivenWay(NamedTuple):
    """A `PackedWay` with accelerations."""

    t: np.ndarray
    place: np.ndarray
    speed: np.ndarray
    rail: np.ndarray
    acceleration: np.ndarray


@dataclass(frozen=True, eq=False)
class March:
    """A march at all ends of steps."""

    bridge: ModalBridge
    cars: PackedCars
    way: PackedWay
    axles: PackedAxles
    work: StepWork
    state: MarchState
    compliance: np.ndarray  #: of the modes left out under the wheels, see `ResidualCompliance.in_steps`
    closing: np.ndarray  #: of wheels and the track of the modes, (times, wheels)
    approach: np.ndarray  #: of the contacts: less what the modes left out give way, (times, wheels)
    forces: np.ndarray  #: of the law at these approaches, (times, wheels)
    energy: np.ndarray  #: of the contacts, (times, wheels)
    lifted: np.ndarray  #: what steps of the track add to the energy under the wheels, (times, wheels)
    turned: np.ndarray  #: work of the drive on the compliance in each step, last row zero, (times, wheels)

    @property
    def left_out(self) -> np.ndarray:
        """Energy of the modes left out, (times, wheels)."""
        if len(self.compliance) == 0:  # before the first step
            return np.zeros(self.forces.shape)
        R = np.concatenate([self.compliance[:, 0], self.compliance[-1:, 1]])
        return np.asarray(0.5 * R * self.forces**2)


@dataclass(frozen=True, eq=False)
class CondensedLedger:
    """What energies of a condensed march follow from."""

    march: March
    train: Train
    times: Schedule

    def energies(self) -> Energies:
        """Work is counted with the mean force of each step, as the march does."""
        march, times = self.march, self.times
        state, cars, bridge, kept = march.state, march.cars, march.bridge, times.kept
        h = np.diff(times.fine)
        speed = 0.5 * (state.v[1:] + state.v[:-1])
        lost = modal_loss(bridge.rate, state.q, state.p, h)
        lost += h * np.einsum("ti,ij,tj->t", speed, whole(cars, cars.damping), speed)
        bent = 0.5 * ((bridge.omega * state.q) ** 2).sum(axis=1) + march.left_out.sum(axis=1)
        moving, strained = vehicle_energies(cars.mass, whole(cars, cars.stiffness), state.z, state.v)
        return Energies(
            bridge_kinetic=0.5 * (state.p**2).sum(axis=1)[kept],
            bridge_elastic=bent[kept],
            vehicles_kinetic=moving[kept],
            vehicles_elastic=strained[kept],
            contact=march.energy.sum(axis=1)[kept],
            gravity=-(state.z[:, cars.coordinate] @ cars.load)[kept],
            drive=accumulated(self._driven())[kept],
            axles=accumulated(self._pushed(h))[kept],
            dissipated=accumulated(lost)[kept],
            numerical=np.zeros(kept.size),
        )

    def _driven(self) -> np.ndarray:
        """Work of the drive in each step."""
        march, times = self.march, self.times
        work = np.empty(times.fine.size - 1)
        way = DrivenWay(*march.way, np.asarray(times.travel.acceleration(times.fine), dtype=float))
        kernels.drive_work(march.bridge, march.cars, way, march.state, work)
        work += march.lifted[1:].sum(axis=1) + march.turned[:-1].sum(axis=1)
        height = march.way.rail[:, :, 0]
        if len(height) > 1:
            work += (march.state.force * np.diff(height, axis=0)).sum(axis=1)
        return work

    def _pushed(self, h: np.ndarray) -> np.ndarray:
        """Work of plain forces in each step."""
        axles, fine = self.train.forces, self.times.fine
        if not axles:
            return np.zeros(h.size)
        loads = np.stack([force_rates(load, fine, float(self.times.t[1])) for load, _ in axles], axis=2)
        places = self.march.way.place[:, None] - self.march.axles.behind
        motion = np.stack((self.march.way.speed, self.times.travel.acceleration(fine)), axis=1)
        f = np.empty((3, *self.march.state.q.shape))
        modal_forces(self.march.bridge, places, motion, loads, f)
        return modal_work(f[0], f[1], self.march.state.q, self.march.state.p, h)


def cross_condensed(
    beam: Beam,
    cars: Train,
    packed: PackedCars,
    contacts: tuple[WheelContact, ...],
    times: Schedule,
    *,
    size: int,
    irregularity: Irregularity | None,
    residual: bool,
    felt: bool,
) -> ContactCrossing:
    """March modes, vehicles and contacts together; see `tr.cross`."""
    began = time.perf_counter()
    soft = residual_compliance(beam, size).in_steps(times, packed.behind) if felt else None
    march, stats, last = _marched(beam, cars, packed, contacts, times, size, irregularity, soft)
    require_finite(march)
    stats["seconds"] = time.perf_counter() - began
    state, kept = march.state, times.kept
    plain = plain_forces(cars, times)
    forces = march.forces[kept]
    return ContactCrossing(
        t=times.t, beam=beam, places=times.places, forces=np.concatenate([plain[0], forces], axis=1),
        model="modes", method="condensed", stats=stats, modes=beam.modes(size), modal=state.q[kept],
        modal_velocity=state.p[kept],
        force_rates=np.concatenate([plain[1:], np.zeros((2, *forces.shape))], axis=2),
        motion=times.motion, bridge=march.bridge,
        flexibility=flexibility(beam, march.bridge.omega) if residual else None,
        train=cars, vehicle=state.z[kept], vehicle_velocity=state.v[kept], contact_forces=forces,
        in_contact=state.touching[kept], cars=packed, approach=march.approach[kept],
        contacts=with_memories(contacts, last),
        ledger=CondensedLedger(march, cars, times),
    )  # fmt: skip


def require_finite(march: March) -> None:
    """Raise where a march has left the numbers."""
    bad = ~(np.isfinite(march.state.q).all(axis=1) & np.isfinite(march.approach).all(axis=1))
    if bad.any():
        t = float(march.way.t[int(np.argmax(bad))])
        raise ConvergenceError(f"the motion is not finite at t = {t:.6g} s; take a smaller dt.")


def _marched(
    beam: Beam,
    cars: Train,
    packed: PackedCars,
    contacts: tuple[WheelContact, ...],
    times: Schedule,
    size: int,
    irregularity: Irregularity | None,
    compliance: np.ndarray | None,
) -> tuple[March, dict[str, float], list[Response]]:
    fine, wheels = times.fine, len(contacts)
    rail = pack_rail(irregularity, cars, times)
    way = PackedWay(fine, times.travel.place(fine), times.travel.speed(fine), rail)
    bridge = modal_bridge(beam, size)
    felt = np.zeros((fine.size - 1, 2, wheels)) if compliance is None else compliance
    march = March(
        bridge, packed, way, pack_axles(cars, times), StepWork.of(size, packed),
        at_rest(cars, packed, way, size), felt, *(np.zeros((fine.size, wheels)) for _ in range(6)),
    )  # fmt: skip
    march.approach[0] = march.closing[0] = [one.static for one in contacts]
    counted, last = march_on(march, contacts)
    return march, {"steps": fine.size - 1, **counted}, last


def march_on(
    march: March, contacts: tuple[WheelContact, ...], first: int = 0, answers: Sequence[Response] = ()
) -> tuple[dict[str, float], list[Response]]:
    """Fill a march from step `first` on, up to which it is known; `answers` are those of the laws there.

    Returns what it took, and the last answers. What goes from one step to the next is in the march (its
    `work` and the segments of its axles too) and in the answers, which hold the memories of the laws: a march
    that is cut goes on with these as if it had not been.
    """
    if all(one.hertz_coefficient is not None for one in contacts):
        return {"iterations": _by_hertz(march, contacts, first)}, []
    evaluations, last = _by_half_space(march, contacts, first, list(answers))
    return {"evaluations": evaluations}, last


def _by_hertz(march: March, contacts: tuple[WheelContact, ...], first: int) -> int:
    """Compiled; fills the march and returns the number of Newton's iterations."""
    k = np.array([one.hertz_coefficient for one in contacts], dtype=float)
    static = np.array([one.static for one in contacts])
    way, state = march.way, march.state
    springs = k, static, march.compliance
    found = march.closing, march.approach, march.lifted, march.turned, first
    failed, iterations = kernels.march_hertz(
        march.bridge, march.cars, way, march.axles, march.work, springs, state, found
    )
    if failed >= 0:
        raise _not_solved(float(way.t[failed]))
    power_table(k, kernels.HERTZ, march.approach, march.forces, march.energy)
    return int(iterations)


def _by_half_space(
    march: March, contacts: tuple[WheelContact, ...], first: int, before: list[Response]
) -> tuple[int, list[Response]]:
    """The laws are asked at every step; returns how often a law was, and the last answers."""
    static = np.array([one.static for one in contacts])
    way, state = march.way, march.state
    parts = march.bridge, march.cars, way, march.axles, march.work
    if not before:
        before = responses_at(contacts, march.approach[first], [one.memory for one in contacts])
        _keep(march, first, march.approach[first], before)
    asked = 0
    for n in range(first, way.t.size - 1):
        free, B = kernels.prepare_step(*parts, (static, march.closing), n, state)
        before = _stepped_over(march, contacts, n, before)
        start, R = march.approach[n], march.compliance[n]
        guess = _guess(start, free, B, R, before)
        solved = _step(contacts, static, start, free, B, R, before, guess)
        if solved is None:
            raise _not_solved(float(way.t[n]))
        end, state.force[n], after, count = solved
        asked += count
        finish_step(march.cars, march.work, way.t[n + 1] - way.t[n], n, state)
        _keep(march, n + 1, end, after)
        march.closing[n + 1] = end + R[1] * march.forces[n + 1]
        march.turned[n] = [
            kernels.turning_work(R[:, k], (before[k].force, after[k].force), state.force[n, k])
            for k in range(static.size)
        ]
        before = after
    return asked, before


def _stepped_over(
    march: March, contacts: tuple[WheelContact, ...], n: int, before: list[Response]
) -> list[Response]:
    """Where the track has a step at time n, the contacts on it; see `elastic_steps.step_over`."""
    R, found = march.compliance[n, 0], list(before)
    last = march.compliance[n - 1, 1] if n else np.zeros(R.size)
    for k, (one, answer) in enumerate(zip(contacts, before, strict=True)):
        if abs(march.closing[n, k] - march.approach[n, k] - R[k] * answer.force) <= kernels.JUMP * one.static:
            continue
        old = answer.energy + 0.5 * last[k] * answer.force**2
        march.approach[n, k], found[k] = inside(one, float(R[k]), float(march.closing[n, k]), answer.memory)
        march.lifted[n, k] = found[k].energy + 0.5 * R[k] * found[k].force ** 2 - old
    _keep(march, n, march.approach[n], found)
    return found


def _guess(
    start: np.ndarray, free: np.ndarray, B: np.ndarray, R: np.ndarray, before: list[Response]
) -> np.ndarray:
    """Approaches at the end of a step if the forces kept their stiffness.

    The inertia that B stands for leaves little of what they do not know: mostly the law is asked once a step.
    """
    F, k = np.array([(one.force, one.stiffness) for one in before]).T
    own = np.diag(1.0 + R[1] * k)
    change = np.linalg.solve(own + 0.5 * B * k, free - start - R[1] * F - B @ F)
    return np.asarray(start + change)


def _keep(march: March, n: int, approach: np.ndarray, answers: list[Response]) -> None:
    march.approach[n] = approach
    march.forces[n] = [one.force for one in answers]
    march.energy[n] = [one.energy for one in answers]
    march.state.touching[n] = [one.force > 0.0 for one in answers]


def _step(
    contacts: tuple[WheelContact, ...],
    static: np.ndarray,
    start: np.ndarray,
    free: np.ndarray,
    B: np.ndarray,
    R: np.ndarray,
    before: list[Response],
    end: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, list[Response], int] | None:
    """Approaches at the end of a step, mean forces, the answers there, and how often a law was asked."""
    between = 0.5 * (R[0] + R[1])
    answers = before
    for iteration in range(MOST_ITERATIONS):
        answers = responses_at(contacts, end, [one.memory for one in answers])
        F, slope = np.array(
            [
                kernels.series_mean(
                    *mean_response(one, d0, after, d1, NEAR * rest), soft, d1 - d0,
                    (one.force, after.force), after.stiffness,
                )
                for one, d0, after, d1, rest, soft in zip(
                    before, start, answers, end, static, between, strict=True
                )
            ]
        ).T  # fmt: skip
        force, stiffness = np.array([(one.force, one.stiffness) for one in answers]).T
        own = np.diag(1.0 + R[1] * stiffness)
        change = np.linalg.solve(own + B * slope, free - end - R[1] * force - B @ F)
        end = end + change
        if (np.abs(change) <= LINEAR * static).all():
            after = [_beside(one, float(d)) for one, d in zip(answers, change, strict=True)]
            return end, F + slope * change, after, (iteration + 1) * end.size
    return None


def mean_response(
    before: Response, start: float, after: Response, end: float, near: float
) -> tuple[float, float]:
    """Mean force between two approaches, and its derivative by the second.

    The difference of the energies over that of the approaches; when these are `near` (m), where it has too
    few digits, the trapezoidal rule with the stiffnesses as its correction.
    """
    change = end - start
    if abs(change) > near:
        mean = (after.energy - before.energy) / change
        return mean, (after.force - mean) / change
    mean = 0.5 * (before.force + after.force) + change * (before.stiffness - after.stiffness) / 12.0
    return mean, 0.5 * after.stiffness + (before.stiffness - after.stiffness) / 12.0


def _beside(answer: Response, change: float) -> Response:
    """The answer a little further: the force is linear while no element enters or leaves."""
    if answer.force == 0.0:
        return answer
    force = max(0.0, answer.force + answer.stiffness * change)
    energy = answer.energy + (answer.force + 0.5 * answer.stiffness * change) * change
    return replace(answer, force=force, energy=energy)


def with_memories(contacts: tuple[WheelContact, ...], last: Sequence[Response]) -> tuple[WheelContact, ...]:
    """The contacts where a march has left them; of closed forms, which leave no responses, as they are."""
    if not last:
        return contacts
    return tuple(replace(one, memory=found.memory) for one, found in zip(contacts, last, strict=True))


def whole(cars: PackedCars, blocks: np.ndarray) -> np.ndarray:
    """Damping or stiffness of all vehicles as one matrix."""
    total = np.zeros((cars.mass.size, cars.mass.size))
    for c, (start, end) in enumerate(zip(cars.first[:-1], cars.first[1:], strict=True)):
        total[start:end, start:end] = blocks[c, : end - start, : end - start]
    return total


def _not_solved(t: float) -> ConvergenceError:
    return ConvergenceError(f"the contact forces after t = {t:.6g} s were not found; take a smaller dt.")
