"""`VehicleMotion`: motion of wheels and vehicles while they cross a beam."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from traction.crossing.packed_train import PackedCars
from traction.trains.train import Train


class Landing(NamedTuple):
    """Impulse of the track on a wheel when it, or another one on the same bridge, lands in rigid contact."""

    t: float  #: time, s
    wheel: int  #: its number, from 0
    impulse: float  #: N s


@dataclass(frozen=True, eq=False)
class VehicleMotion:
    """Coordinates of all vehicles, downwards from rest on a level track, and the wheel forces."""

    t: np.ndarray  #: s
    train: Train
    cars: PackedCars
    coordinates: np.ndarray  #: z, (times, coordinates)
    velocities: np.ndarray
    contact_forces: np.ndarray  #: of the wheels on the track, N, (times, wheels)
    in_contact: np.ndarray  #: (times, wheels)
    landings: tuple[Landing, ...] = ()  #: of rigid wheels: what the contact forces leave out

    @cached_property
    def accelerations(self) -> np.ndarray:
        """Accelerations z'' by the equations of motion; for wheels by differences of their velocity."""
        a = np.gradient(self.velocities, self.t, axis=0, edge_order=2)
        start = 0
        for vehicle, _ in self.train.vehicles:
            own = slice(start, start + len(vehicle.mass))
            z, v = self.coordinates[:, own], self.velocities[:, own]
            pull = -z @ vehicle.stiffness - v @ vehicle.damping
            free = [i for i in range(len(vehicle.mass)) if i not in vehicle.wheels]
            a[:, own][:, free] = pull[:, free] / vehicle.mass[free]
            start = own.stop
        return a

    def at_rows(self, rows: np.ndarray) -> VehicleMotion:
        """The motion at some of its times."""
        own = ("t", "coordinates", "velocities", "contact_forces", "in_contact")
        return replace(self, **{name: getattr(self, name)[rows] for name in own})

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        several = len(self.train.vehicles) > 1
        return tuple(
            f"vehicle {k + 1} {name}" if several else name
            for k, (vehicle, _) in enumerate(self.train.vehicles)
            for name in vehicle.names
        )
