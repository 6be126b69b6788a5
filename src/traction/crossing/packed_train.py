"""A train as arrays for kernels: its vehicles, its plain forces, its path, and the rail under its wheels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from traction.crossing.schedule import Schedule
from traction.errors import InputError
from traction.quantities import indexed
from traction.trains.irregularity import Irregularity
from traction.trains.train import Train, force_rates


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
