"""Wheels and vehicles that cross a beam in rigid contact, with loss and return of contact."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from traction.beams.beam import Beam
from traction.crossing.bridge_models.flexibility import flexibility
from traction.crossing.bridge_models.modal_bridge import ModalBridge, frequencies_of, modal_bridge
from traction.crossing.default_step import default_step, fastest
from traction.crossing.marches.kernels import rigid_steps as kernels
from traction.crossing.results.crossing import ModalCrossing
from traction.crossing.results.vehicle_results import VehicleResults
from traction.crossing.schedule import Schedule, schedule
from traction.errors import InputError
from traction.trains.force import force_rates
from traction.trains.irregularity import Irregularity, irregularity_of
from traction.trains.train import Train
from traction.trains.travel import Travel

RESOLVED = 1.0  #: rad that the highest mode turns in a default step
MOST_PER_CROSSING = 20_000  #: default steps while one axle crosses


class PackedCars(NamedTuple):
    """Vehicles for kernels, one after the other."""

    mass: np.ndarray  #: of all coordinates
    damping: np.ndarray  #: (vehicles, n, n), filled up with zeros
    stiffness: np.ndarray
    first: np.ndarray  #: coordinate of each vehicle, and the number of all
    owner: np.ndarray  #: vehicle of each wheel
    place: np.ndarray  #: coordinate of each wheel within its vehicle
    coordinate: np.ndarray  #: and among all
    behind: np.ndarray  #: m
    load: np.ndarray  #: P, force of each wheel at rest, N


class PackedWay(NamedTuple):
    """Times, and the first axle's place and speed; height and slope of the rail under each wheel."""

    t: np.ndarray
    place: np.ndarray
    speed: np.ndarray
    rail: np.ndarray  #: (times or 1, wheels, 2), heights upwards


class PackedAxles(NamedTuple):
    """Axles that are plain forces."""

    behind: np.ndarray
    segments: np.ndarray  #: where each is, as the march goes on
    loads: np.ndarray  #: (times or 1, axles, 2)


class StepWork(NamedTuple):
    """What `rigid_steps.condense_step` leaves of a step."""

    weights: np.ndarray  #: (modes, 12), see `modal_propagation.step_weights`
    inverses: np.ndarray  #: S^-1 of each vehicle
    made_for: np.ndarray  #: step for which these were made, s, (1,)
    given: np.ndarray  #: modal forces of plain axles at both ends, (2, modes, 2)
    ends: np.ndarray  #: q and q' under these alone, (2, modes)
    on: np.ndarray  #: segment of each wheel, -1 off the beam
    rows: np.ndarray  #: (wheels, 4, modes), see `rigid_steps.wheel_answers`
    rows_on: np.ndarray  #: segment of each wheel for which its rows were made, -1 for none
    velocities: np.ndarray  #: of wheels and track without forces under the wheels, (wheels, 2)
    A: np.ndarray  #: of rigid contact, A F = right
    right: np.ndarray

    @classmethod
    def of(cls, modes: int, cars: PackedCars) -> StepWork:
        """Room for the steps of a march."""
        n = cars.owner.size
        return cls(
            np.empty((modes, 12)),
            np.zeros(cars.stiffness.shape),
            np.array([-1.0]),
            np.empty((2, modes, 2)),
            np.empty((2, modes)),
            np.full(n, -1),
            np.empty((n, 4, modes)),
            np.full(n, -1),
            np.empty((n, 2)),
            np.empty((n, n)),
            np.empty(n),
        )


class MarchState(NamedTuple):
    """See `rigid_steps.march_vehicles`."""

    q: np.ndarray
    p: np.ndarray
    z: np.ndarray
    v: np.ndarray
    force: np.ndarray
    touching: np.ndarray


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class VehicleCrossing(VehicleResults, ModalCrossing):
    """A crossing of wheels and vehicles; their coordinates count downwards from rest on an even track.

    The modes left out take part in deflections, moments and shear forces; in velocities and accelerations
    they follow the wheels along the beam under forces taken as constant. Rigid wheels do not feel them.
    """

    cars: PackedCars


def cross_coupled(
    beam: Beam,
    cars: Train,
    way: Travel,
    *,
    size: int,
    dt: float | None,
    t_end: float | None,
    irregularity: Any,
    gravity: float,
    residual: bool,
) -> VehicleCrossing:
    """See `moving_load`: unless `dt` is given, the highest mode turns by 1 rad in a step, but an axle crosses
    in at most 20,000 of them.
    """
    began = time.perf_counter()
    bridge = modal_bridge(beam, size)
    h = coupled_step(beam, cars, size, way, t_end) if dt is None else dt
    times = schedule(beam, cars, way, h, t_end)
    found = march_rigid(bridge, cars, times, irregularity, gravity)
    state, kept = found.state, times.kept
    return VehicleCrossing(
        t=times.t, beam=beam, places=times.places, forces=found.forces, model="modes", method="condensed",
        stats={"steps": times.fine.size - 1, "seconds": time.perf_counter() - began},
        modes=beam.modes(size), modal=state.q[kept], modal_velocity=state.p[kept],
        force_rates=found.rates, motion=times.motion, bridge=bridge,
        flexibility=flexibility(beam, bridge.omega) if residual else None,
        train=cars, vehicle=state.z[kept], vehicle_velocity=state.v[kept],
        contact_forces=found.contact_forces, in_contact=state.touching[kept], cars=found.cars,
    )  # fmt: skip


class RigidMarch(NamedTuple):
    """Wheels that followed the track."""

    cars: PackedCars
    state: MarchState  #: at all times of the march
    contact_forces: np.ndarray  #: at the times kept, N, (times, wheels)
    forces: np.ndarray  #: of plain axles and wheels, likewise
    rates: np.ndarray  #: F' and F'' of these, (2, times, axles)


def march_rigid(
    bridge: ModalBridge, cars: Train, times: Schedule, irregularity: Any, gravity: float
) -> RigidMarch:
    """March modes and vehicles together, wheels on the track until they lift off."""
    packed, axles = pack_cars(cars, gravity), pack_axles(cars, times)
    rail = pack_rail(irregularity_of(irregularity), cars, times)
    fine, size = times.fine, bridge.omega.size
    route = PackedWay(fine, times.travel.place(fine), times.travel.speed(fine), rail)
    state = at_rest(cars, packed, route, size)
    kernels.march_vehicles(bridge, packed, route, axles, StepWork.of(size, packed), state)
    _check(state, packed, fine)
    contact = at_kept_times(fine, state.force, times.kept)
    plain = plain_forces(cars, times)
    forces = np.concatenate([plain[0], contact], axis=1)
    rates = np.concatenate([plain[1:], np.zeros((2, *contact.shape))], axis=2)
    return RigidMarch(packed, state, contact, forces, rates)


def coupled_step(beam: Beam, cars: Train, size: int, way: Travel, t_end: float | None) -> float:
    """Unless given, s; see `cross_coupled`."""
    crossing = beam.length / fastest(way, t_end)
    omega = float(frequencies_of(beam, size)[-1])
    resolved = max(RESOLVED / omega if omega else 0.0, crossing / MOST_PER_CROSSING)
    return min(resolved, default_step(beam, cars, size, way, t_end))


def pack_cars(cars: Train, gravity: float) -> PackedCars:
    """Vehicles as arrays."""
    vehicles = [vehicle for vehicle, _ in cars.vehicles]
    sizes = [len(vehicle.mass) for vehicle in vehicles]
    first = np.r_[0, np.cumsum(sizes)]
    C, K = np.zeros((2, len(vehicles), max(sizes), max(sizes)))
    for k, (vehicle, n) in enumerate(zip(vehicles, sizes, strict=True)):
        C[k, :n, :n], K[k, :n, :n] = vehicle.damping, vehicle.stiffness
    owner = np.repeat(np.arange(len(vehicles)), [len(vehicle.wheels) for vehicle in vehicles])
    place = np.concatenate([np.array(vehicle.wheels) for vehicle in vehicles])
    return PackedCars(
        np.concatenate([vehicle.mass for vehicle in vehicles]),
        C,
        K,
        first,
        owner,
        place,
        first[owner] + place,
        cars.places[len(cars.forces) :],
        gravity * np.concatenate([vehicle.axle_masses for vehicle in vehicles]),
    )


def pack_axles(cars: Train, times: Schedule) -> PackedAxles:
    """Plain forces of a train as arrays."""
    n = len(cars.forces)
    if n == 0:
        return PackedAxles(np.zeros(0), np.zeros(0, dtype=np.int64), np.zeros((1, 0, 2)))
    loads = [force_rates(load, times.fine, float(times.t[1]))[:2] for load, _ in cars.forces]
    return PackedAxles(cars.places[:n], np.full(n, -1), np.ascontiguousarray(np.stack(loads, axis=1).T))


def pack_rail(irregularity: Irregularity | None, cars: Train, times: Schedule) -> np.ndarray:
    """Height and slope of the rail under each wheel at all times, with what its tread has more."""
    behind = cars.places[len(cars.forces) :]
    own = [None if wheel is None else wheel.irregularity for wheel in cars.wheels]
    if irregularity is None and not any(own):
        return np.zeros((1, behind.size, 2))
    x = times.travel.place(times.fine)[:, None] - behind
    rail = np.zeros((*x.shape, 2))
    if irregularity is not None:
        rail += np.stack((irregularity.height(x), irregularity.slope(x)), axis=2)
    for k, one in enumerate(own):
        if one is not None:
            rail[:, k] += np.stack((one.height(x[:, k]), one.slope(x[:, k])), axis=1)
    if not np.isfinite(rail).all():
        step, wheel, _ = (int(index) for index in np.argwhere(~np.isfinite(rail))[0])
        raise InputError(
            f"irregularity: height or slope at x = {x[step, wheel]:.6g} m, under wheel {wheel} at t = "
            f"{times.fine[step]:.6g} s, is not finite; give values for the whole way of the train."
        )
    return rail


def at_rest(cars: Train, packed: PackedCars, way: PackedWay, size: int) -> MarchState:
    """Beam at rest, vehicles in equilibrium on the track where they stand, wheels following it."""
    steps, wheels = way.t.size, packed.owner.size
    z, v = np.zeros((2, steps, packed.mass.size))
    height = -way.rail[0, :, 0]
    for c, (vehicle, _) in enumerate(cars.vehicles):
        z[0, packed.first[c] : packed.first[c + 1]] = vehicle.at_rest_on(height[packed.owner == c])
    v[0, packed.coordinate] = -way.speed[0] * way.rail[0, :, 1]
    q, p = np.zeros((2, steps, size))
    return MarchState(q, p, z, v, np.zeros((steps - 1, wheels)), np.ones((steps, wheels), dtype=np.bool_))


def at_kept_times(fine: np.ndarray, mean: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """Forces at the kept times from the means over all steps: first over the intervals between them."""
    impulse = np.concatenate([np.zeros((1, mean.shape[1])), np.cumsum(mean * np.diff(fine)[:, None], axis=0)])
    between = np.diff(impulse[kept], axis=0) / np.diff(fine[kept])[:, None]
    if len(between) == 1:
        return np.repeat(between, 2, axis=0)
    inner = 0.5 * (between[1:] + between[:-1])
    return np.concatenate([2.0 * between[:1] - inner[:1], inner, 2.0 * between[-1:] - inner[-1:]])


def plain_forces(cars: Train, times: Schedule) -> np.ndarray:
    """F, F' and F'' of the plain forces at the kept times, (3, times, axles)."""
    found = [force_rates(load, times.t, float(times.t[1])) for load, _ in cars.forces]
    return np.stack(found, axis=2) if found else np.zeros((3, times.t.size, 0))


def _check(state: MarchState, cars: PackedCars, t: np.ndarray) -> None:
    lifted = ~state.touching & (cars.mass[cars.coordinate] == 0.0)
    if lifted.any():
        n, k = (int(i) for i in np.argwhere(lifted)[0])
        raise InputError(
            f"wheel {k + 1} has no mass and lifts off at t = {t[n]:.6g} s: its flight is not determined. "
            "Give it a mass."
        )
    if not np.isfinite(state.q[-1]).all():
        n = int(np.argmax(~np.isfinite(state.q).all(axis=1)))
        raise InputError(f"the motion is not finite from t = {t[n]:.6g} s on; check masses and stiffnesses.")
