"""Wheels and vehicles that cross a beam of any model in rigid contact, with loss and return of contact.

Energies: the force of a wheel does the work F (d(track) - d(wheel)) on beam and vehicle together, that of the
drive apart. In rigid contact both move alike, so that it is zero; but a step matches their velocities at its
end only, and then puts the wheel on the track. What is left of it, and the energy by which that changes the
springs, is `numerical`: it falls with the square of the step. In the step after a landing the impulse J
removes the velocity D of wheel and track, and J D/2 is lost: `dissipated`. Where the track turns by an angle,
as at an end of a bent beam, a wheel of mass m takes the velocity u1 of the new direction instead of u0. The
impulse m (u1 - u0) acts along the mean of both directions, so that the drive does its work m (u1^2 - u0^2)/2.
Where a wheel rolls over the edge at a soft end, the drive does the work of the force along its arc; where it
meets such a step of the track at once, that which lifts the wheel.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from traction.beams.beam import Beam
from traction.beams.exact.residual_flexibility import ResidualFlexibility
from traction.crossing.bridge_models.bridge_model import discrete_modes
from traction.crossing.bridge_models.modal_bridge import ModalBridge
from traction.crossing.marches.condensed_energies import CondensedEnergies, RigidWorks
from traction.crossing.marches.kernels.condensed_steps import WIDE, MarchRows
from traction.crossing.marches.kernels.elastic_march import ContactRows
from traction.crossing.marches.kernels.march_works import StepWorks, find_works
from traction.crossing.marches.kernels.rigid_march import make_changes, march_rigid
from traction.crossing.marches.kernels.rigid_track import STATES, RigidContacts, make_contacts
from traction.crossing.marches.march_room import make_rest_rows, make_step_work
from traction.crossing.packed_train import PackedCars, PackedWay, Schedule, pack_cars, pack_way, whole_matrix
from traction.crossing.results.crossing import Crossing
from traction.crossing.results.crossing_motion import (
    AxleLoads,
    BeamMotion,
    ModalBasis,
    NodalBasis,
    RigidLanding,
    VehicleMotion,
)
from traction.crossing.results.energies import ENERGIES, Energies, energies_of
from traction.crossing.row_products import RowwiseMatrix, sum_rows
from traction.errors import InputError
from traction.outputs.progress import Tell, in_parts
from traction.quantities import indexed
from traction.trains.irregularity import Irregularity
from traction.trains.train import Train

LATE = 1e-4  #: of the time between stored times, that a landing may be late
STRIKE = 2e-3  #: of that time, in which the impulse of a landing acts
EARLY = 1 / 32  #: of that time, that a wheel may lift off too early
SOFTEST = 1e-6  #: of the load at rest, below which the force of a landing counts as none
ROOM = 256  #: steps


@dataclass(frozen=True, eq=False)
class RigidEnergies:
    """Data from which the energies of a march in rigid contact follow."""

    bridge: ModalBridge
    cars: PackedCars
    train: Train
    times: Schedule
    way: PackedWay
    rows: MarchRows
    contacts: RigidContacts

    def at_kept(self) -> Energies:
        """Energies at the kept times."""
        times, rows = self.times, self.rows
        nothing = np.zeros(rows.touching.shape)
        rigid, driven = self._works()
        contacts = ContactRows(*(nothing for _ in ContactRows._fields))._replace(lifted=driven[:, None])
        counter = CondensedEnergies(
            self.bridge, self.cars, self.train, times.travel, float(times.t[1]), self.way, rows, contacts,
            nothing, nothing, nothing, nothing[:, 0], rigid,
        )  # fmt: skip
        return energies_of(counter.count(np.zeros(len(ENERGIES)))[times.kept])

    def _works(self) -> tuple[RigidWorks, np.ndarray]:
        """What landings lose and what the constraint adds in each step, and the work of the drive, J.

        The latter, (times,), is that on wheels where the track turns or has a step, and along their arcs.
        """
        rows, cars, own, found = self.rows, self.cars, self.cars.coordinate, self.contacts
        h = np.diff(self.way.t)[:, None]
        speeds, ends = rows.v.copy(), rows.z.copy()  # before wheels take the track that they come onto
        speeds[:, own] -= found.turned
        ends[:, own] -= found.sunk
        free = rows.z[:-1] + 0.5 * h * (rows.v[:-1] + speeds[1:])  # before they are put on the track
        works = StepWorks(np.empty(found.push.shape), np.empty(h.size), np.empty(h.size))
        find_works(self.bridge, cars, self.way, rows, found, works)
        off = np.repeat((free - rows.z[:-1])[:, own], 2, axis=1) - works.moves
        landed = sum_rows(found.struck * off)
        put = self._held_energy(ends[1:]) - self._held_energy(free)
        rigid = RigidWorks(landed, put + landed - sum_rows(found.push * off) + works.displaced)
        turned = 0.5 * sum_rows((rows.v**2 - speeds**2) * cars.mass)
        stepped = self._held_energy(rows.z) - self._held_energy(ends)
        return rigid, turned + stepped + np.r_[0.0, works.rolled]

    def _held_energy(self, z: np.ndarray) -> np.ndarray:
        """Energy of springs and weight of the vehicles at coordinates z, (times,)."""
        stiffness = RowwiseMatrix.of(whole_matrix(self.cars, self.cars.stiffness))
        return 0.5 * stiffness.quadratic(z) - sum_rows(z[:, self.cars.coordinate] * self.cars.load)


class RigidMotion(NamedTuple):
    """Beam and vehicles at all times, wheels and axles at the kept ones, and what computes their energies."""

    times: Schedule  #: with a step end where a wheel lands
    rows: MarchRows
    vehicles: VehicleMotion
    axles: AxleLoads
    ledger: Callable[[], Energies]


@dataclass(frozen=True, eq=False)
class RigidWheels:
    """Wheels on the track of a beam, marched as a whole.

    Steps are divided where a wheel lands or suddenly lifts off, if they resolve the highest mode.

    The force of a wheel at a kept time is taken from the means of the steps on both sides of it, without the
    impulses of wheels that land.
    """

    beam: Beam
    train: Train
    times: Schedule
    irregularity: Irregularity | None
    gravity: float
    told: Tell | None = None

    def cross(self, model: str, size: int, residual: bool) -> Crossing:
        """By the lowest modes of the beam, or by all modes of one of elements or differences.

        Accelerations of nodes are differences of their velocities.
        """
        began, modal = time.perf_counter(), model == "modes"
        own = ModalBasis.of(self.beam, size) if modal else discrete_modes(self.beam, model, size)
        moved = self._march(own.bridge)
        kept = moved.times.kept
        q, v = moved.rows.q[kept], moved.rows.p[kept]
        if isinstance(own, ModalBasis):
            flexibility = ResidualFlexibility.of(self.beam, size) if residual else None
            bending = BeamMotion(own, moved.axles, q, v, flexibility=flexibility)
        else:
            q, v = q @ own.shapes.T, v @ own.shapes.T
            a = np.gradient(v, self.times.t, axis=0, edge_order=2)
            bending = BeamMotion(NodalBasis(own.discrete), moved.axles, q, v, a)
        stats = {"steps": moved.times.fine.size - 1, "seconds": time.perf_counter() - began}
        return Crossing(
            t=self.times.t, beam=self.beam, model=model, method="condensed", bending=bending,
            vehicles=moved.vehicles, stats=stats, ledger=moved.ledger,
        )  # fmt: skip

    def _march(self, bridge: ModalBridge) -> RigidMotion:
        """Modes and vehicles together, wheels on the track until they lift off."""
        cars, size = pack_cars(self.train, self.gravity), bridge.omega.size
        way = pack_way(self.irregularity, self.train, self.times)
        rows = make_rest_rows(self.train, cars, way, size)
        work = make_step_work(size, cars, len(self.train.forces))
        contacts = make_contacts(self._radii(cars), way.t.size)
        changes = make_changes(len(work.on), size)
        # an impulse in a short step would shake modes that the others do not resolve
        divided = 1.0 if bridge.omega[-1] * self.times.step <= WIDE else np.inf
        brief = LATE * self.times.step * divided, EARLY * self.times.step * divided
        added = 0
        for first, last in in_parts(0, way.t.size - 1, self.told):
            n, late = march_rigid(
                bridge, cars, way, work, rows, contacts, changes, (first + added, last + added, *brief)
            )
            while n >= 0:
                before = way.t.size
                way = self._divided(way, int(n), float(late))
                added += way.t.size - before
                if way.t.size > len(rows.q):
                    rows, contacts = _with_room(rows, contacts)
                n, late = march_rigid(
                    bridge, cars, way, work, rows, contacts, changes, (n, last + added, *brief)
                )
        count = way.t.size
        steps = {"force": rows.force[: count - 1], "share": rows.share[: count - 1]}
        rows = MarchRows(*(one[:count] for one in rows))._replace(**steps)
        contacts = contacts._replace(**{name: getattr(contacts, name)[:count] for name in STATES})
        steps = {name: getattr(contacts, name)[: count - 1] for name in ("push", "struck", "followed")}
        contacts = contacts._replace(**steps)
        struck = contacts.struck[:, ::2] + contacts.struck[:, 1::2]
        times = replace(self.times, fine=way.t, kept=np.searchsorted(way.t, self.times.t))
        _require_determined(rows, cars, times.fine)
        kept = times.kept
        forces = _forces_at(times.fine, rows.force - struck, kept)
        vehicles = VehicleMotion(
            times.t, self.train, cars, rows.z[kept], rows.v[kept], forces, rows.touching[kept],
            _find_landings(times.fine, struck * _have_landed(contacts.held), cars.load),
        )  # fmt: skip
        axles = AxleLoads.of(self.beam.length, self.train, times, forces)
        energies = RigidEnergies(bridge, cars, self.train, times, way, rows, contacts)
        return RigidMotion(times, rows, vehicles, axles, energies.at_kept)

    def _radii(self, cars: PackedCars) -> np.ndarray:
        """Radii of the wheels at both ends, m, 0 where they meet the step there at once, (wheels, 2)."""
        rolls = cars.mass[cars.coordinate] > 0.0  # one without a mass cannot leave an edge
        radii = [0.0 if wheel is None else wheel.radius for wheel in self.train.wheels]
        soft = [self.beam.supports[end].deflection < np.inf for end in (0, -1)]
        return np.asarray((rolls * radii)[:, None] * soft)

    def _divided(self, way: PackedWay, n: int, late: float) -> PackedWay:
        """The way with the end of a step `late` (s) before that of step n, just after a landing.

        The impulse acts in a short step that follows. Where a wheel lifts off, `late` is negative: the step
        is divided so long before its end.
        """
        (t0, t1), least = way.t[n : n + 2], 0.5 * LATE * self.times.step
        at = np.array([t1 + late])
        if late > 0.0:
            landed = max(t1 - late + least, t0 + 0.1 * (t1 - t0))
            struck = landed + STRIKE * self.times.step
            at = np.array([landed, struck] if struck < t1 - least else [landed])
        more = pack_way(self.irregularity, self.train, replace(self.times, fine=at))

        def insert(whole: np.ndarray, rows: np.ndarray) -> np.ndarray:
            if len(whole) < way.t.size:  # the same at all times
                return whole
            return np.concatenate([whole[: n + 1], rows, whole[n + 1 :]])

        return PackedWay(
            insert(way.t, more.t), insert(way.place, more.place), insert(way.speed, more.speed),
            insert(way.rail, more.rail), way.behind, insert(way.loads, more.loads),
        )  # fmt: skip


def _with_room(rows: MarchRows, contacts: RigidContacts) -> tuple[MarchRows, RigidContacts]:
    """The same arrays with room for more steps."""

    def longer(values: np.ndarray) -> np.ndarray:
        return np.concatenate([values, np.zeros((ROOM, *values.shape[1:]), dtype=values.dtype)])

    states = {name: longer(getattr(contacts, name)) for name in STATES}
    return MarchRows(*(longer(one) for one in rows)), contacts._replace(**states)


def _have_landed(held: np.ndarray) -> np.ndarray:
    """Whether wheels have landed at the start of each step, (steps, wheels), from `held` (times, contacts).

    The impulse of a landing also presses wheels that stand on the bridge.
    """
    landed = np.zeros((len(held) - 1, held.shape[1]), dtype=np.bool_)
    landed[1:] = held[1:-1] & held[2:] & ~held[:-2]
    return landed[:, ::2] | landed[:, 1::2]


def _find_landings(t: np.ndarray, struck: np.ndarray, load: np.ndarray) -> tuple[RigidLanding, ...]:
    """Impulses at the times t (s) from their parts of the mean forces in the steps that follow, N."""
    steps, wheels = np.nonzero(np.abs(struck) > SOFTEST * load)
    impulses = struck[steps, wheels] * np.diff(t)[steps]
    found = zip(t[steps].tolist(), wheels.tolist(), impulses.tolist(), strict=True)
    return tuple(RigidLanding(*one) for one in found)


def _forces_at(fine: np.ndarray, mean: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Forces at the kept times from the means over all steps: first over the intervals between them."""
    impulse = np.concatenate([np.zeros((1, mean.shape[1])), np.cumsum(mean * np.diff(fine)[:, None], axis=0)])
    between = np.diff(impulse[kept], axis=0) / np.diff(fine[kept])[:, None]
    if len(between) == 1:
        return np.repeat(between, 2, axis=0)
    inner = 0.5 * (between[1:] + between[:-1])
    return np.concatenate([2.0 * between[:1] - inner[:1], inner, 2.0 * between[-1:] - inner[-1:]])


def _require_determined(rows: MarchRows, cars: PackedCars, t: np.ndarray) -> None:
    """Refuse wheels that fly without a mass, and results that are not finite."""
    lifted = ~rows.touching & (cars.mass[cars.coordinate] == 0.0)
    if lifted.any():
        n, k = (int(i) for i in np.argwhere(lifted)[0])
        raise InputError(
            f"{indexed('wheel', k)} has no mass and lifts off at t = {t[n]:.6g} s: its flight is not "
            "determined. Give it a mass."
        )
    if not np.isfinite(rows.q[-1]).all():
        n = int(np.argmax(~np.isfinite(rows.q).all(axis=1)))
        raise InputError(f"the motion is not finite from t = {t[n]:.6g} s on; check masses and stiffnesses.")
