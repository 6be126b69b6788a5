"""A train on its way as arrays: times of the crossing, vehicles, forces, path and the rail under wheels.

`Schedule` has the times, with a step end wherever an axle passes an end of a segment.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from traction import checks
from traction.beams.beam import Beam
from traction.errors import InputError
from traction.quantities import indexed
from traction.trains.irregularity import Irregularity
from traction.trains.train import Train, force_rates
from traction.trains.travel import Travel

MERGED = 1e-6  #: of a step, below which a passage counts as the step's end
MOST_STEPS = 20_000_000


@dataclass(frozen=True, eq=False)
class Schedule:
    """Times at which states are stored, and positions of the axles; `fine` times include every passage."""

    t: np.ndarray  #: kept, evenly spaced, s
    fine: np.ndarray  #: all ends of steps, s
    kept: np.ndarray  #: where `t` is in `fine`
    travel: Travel
    behind: np.ndarray  #: distance of the axles behind the first, m

    @property
    def step(self) -> float:
        """Time between stored times, s."""
        return float(self.t[1] - self.t[0])

    @property
    def motion(self) -> np.ndarray:
        """Speed and acceleration of the train at the kept times, (times, 2)."""
        return np.stack((self.travel.speed(self.t), self.travel.acceleration(self.t)), axis=1)

    @property
    def places(self) -> np.ndarray:
        """Positions of all axles at the stored times, from the start of the beam, m, (times, axles)."""
        return self.travel.place(self.t)[:, None] - self.behind

    def at(self, numbers: np.ndarray) -> Schedule:
        """The same with some of the stored times only."""
        t = self.t[numbers]
        return Schedule(t, t, np.arange(t.size), self.travel, self.behind)

    @property
    def middles(self) -> np.ndarray:
        """Positions of all axles at the middle of each step, m, (steps, axles)."""
        return self.travel.place(0.5 * (self.fine[1:] + self.fine[:-1]))[:, None] - self.behind

    def within(self, ends: np.ndarray) -> np.ndarray:
        """Which axles are on a beam with these ends of segments (m) in each step, (steps, axles)."""
        return np.asarray((self.middles >= ends[0]) & (self.middles <= ends[-1]))


def schedule(beam: Beam, train: Train, travel: Travel, dt: float, t_end: float | None) -> Schedule:
    """Times of a crossing: from the first axle's entry, every `dt`, until `t_end` or the last axle's exit.

    Axles that have not reached the beam at a given end are on rigid track until then.
    """
    behind = train.places
    end = _end(beam, behind, travel, t_end)
    _require_arrivals(behind, travel.time_at(behind), end, given=t_end is not None)
    steps = max(1, math.ceil(end / dt * (1.0 - 1e-12)))
    if steps > MOST_STEPS:
        raise InputError(
            f"dt = {dt:.3g} s makes {steps} steps until t = {end:.6g} s; at most {MOST_STEPS}. Lengthen it."
        )
    t = np.linspace(0.0, end, steps + 1)
    passages = travel.time_at((behind[:, None] + beam.ends).ravel())
    fine = with_passages(t, passages)
    return Schedule(t, fine, np.searchsorted(fine, t), travel, behind)


def _require_arrivals(behind: np.ndarray, arrivals: np.ndarray, end: float, *, given: bool) -> None:
    """Refuse a run in which no axle reaches the beam, and axles that do not if its end was not given."""
    late = np.flatnonzero(arrivals >= end)
    if not late.size or (given and late.size < behind.size):
        return
    k = int(late[0])
    when = f"at t = {arrivals[k]:.6g} s" if math.isfinite(arrivals[k]) else "never"
    raise InputError(
        f"loads[{k}], {behind[k]} m behind the first axle, reaches the beam {when}, but the run ends "
        f"at t_end = {end:.6g} s; give a later t_end, or leave it out."
    )


def with_passages(t: np.ndarray, passages: np.ndarray) -> np.ndarray:
    """Even times with the passages between them, except those that coincide with one of them or another."""
    h = t[1] - t[0]
    inside = np.sort(passages[(passages > 0.0) & (passages < t[-1])])
    off = np.abs(inside / h - np.round(inside / h)) > MERGED
    inside = inside[off]
    apart = np.diff(inside, prepend=-np.inf) > MERGED * h
    return np.sort(np.concatenate([t, inside[apart]]))


def _end(beam: Beam, behind: np.ndarray, travel: Travel, t_end: float | None) -> float:
    if t_end is not None:
        end = checks.positive("t_end", t_end, "s")
        if end > travel.t_end * (1.0 + 1e-9):
            raise InputError(f"t_end = {end} s must be at most {travel.t_end:.6g} s, where the travel ends.")
        return min(end, travel.t_end)
    out = float(travel.time_at(np.array([behind.max() + beam.length]))[0])
    return out if math.isfinite(out) else travel.t_end


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
    """Path of a train at all ends of steps: its first axle, the rail under wheels, its plain forces."""

    t: np.ndarray  #: s
    place: np.ndarray  #: of the first axle, m
    speed: np.ndarray
    rail: np.ndarray  #: height (upwards) and slope under each wheel, (times or 1, wheels, 2)
    behind: np.ndarray  #: distances of plain forces behind the first axle, m
    loads: np.ndarray  #: these forces and their rates, (times or 1, forces, 2)

    def between(self, low: int, high: int) -> PackedWay:
        """The same from time index `low` to before `high`."""
        rail, loads = (
            one if len(one) == 1 else np.ascontiguousarray(one[low:high]) for one in (self.rail, self.loads)
        )
        return PackedWay(
            self.t[low:high], self.place[low:high], self.speed[low:high], rail, self.behind, loads
        )


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
    mass = np.concatenate([vehicle.mass for vehicle in vehicles])
    load = gravity * np.concatenate([vehicle.axle_masses for vehicle in vehicles])
    behind = cars.places[len(cars.forces) :]
    return PackedCars(mass, C, K, first, owner, place, first[owner] + place, behind, load)


def pack_rail(irregularity: Irregularity | None, cars: Train, times: Schedule) -> np.ndarray:
    """Height and slope of the rail under each wheel at all times, with the irregularity of its tread."""
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
            f"irregularity: height or slope at x = {x[step, wheel]:.6g} m, under {indexed('wheel', wheel)} "
            f"at t = {times.fine[step]:.6g} s, is not finite; give values for the whole path of the train."
        )
    return rail


def pack_way(irregularity: Irregularity | None, cars: Train, times: Schedule) -> PackedWay:
    """The path of a train as arrays."""
    fine, plain = times.fine, len(cars.forces)
    constant = all(isinstance(load, float) for load, _ in cars.forces)
    at = fine[:1] if constant else fine
    loads = np.zeros((at.size, plain, 2))
    for k, (load, _) in enumerate(cars.forces):
        loads[:, k] = force_rates(load, at, float(times.t[1]))[:2].T
    rail = pack_rail(irregularity, cars, times)
    place, speed = times.travel.place(fine), times.travel.speed(fine)
    return PackedWay(fine, place, speed, rail, np.ascontiguousarray(cars.places[:plain]), loads)


def whole_matrix(cars: PackedCars, blocks: np.ndarray) -> np.ndarray:
    """Damping or stiffness of all vehicles as one matrix."""
    total = np.zeros((cars.mass.size, cars.mass.size))
    for c, (start, end) in enumerate(zip(cars.first[:-1], cars.first[1:], strict=True)):
        total[start:end, start:end] = blocks[c, : end - start, : end - start]
    return total
