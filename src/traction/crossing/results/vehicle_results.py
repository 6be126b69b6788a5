"""Results of wheels and vehicles that cross a beam, whatever the model of the beam."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.trains.train import Train


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class VehicleResults:
    """What vehicles add to a crossing; coordinates count downwards from rest on an even track."""

    t: np.ndarray
    train: Train
    vehicle: np.ndarray  #: z, (times, coordinates)
    vehicle_velocity: np.ndarray
    contact_forces: np.ndarray  #: of the wheels on the track, N, (times, wheels)
    in_contact: np.ndarray  #: (times, wheels)

    @property
    def lost_contact(self) -> bool:
        """Whether a wheel lifted off."""
        return not bool(self.in_contact.all())

    @cached_property
    def vehicle_acceleration(self) -> np.ndarray:
        """z'': by the equations of motion, of wheels by differences of their velocity."""
        a = np.gradient(self.vehicle_velocity, self.t, axis=0, edge_order=2)
        start = 0
        for vehicle, _ in self.train.vehicles:
            own = slice(start, start + len(vehicle.mass))
            z, v = self.vehicle[:, own], self.vehicle_velocity[:, own]
            pull = -z @ vehicle.stiffness - v @ vehicle.damping
            free = [i for i in range(len(vehicle.mass)) if i not in vehicle.wheels]
            a[:, own][:, free] = pull[:, free] / vehicle.mass[free]
            start = own.stop
        return a

    @property
    def names(self) -> tuple[str, ...]:
        """Of the vehicles' coordinates."""
        several = len(self.train.vehicles) > 1
        return tuple(
            f"vehicle {k + 1} {name}" if several else name
            for k, (vehicle, _) in enumerate(self.train.vehicles)
            for name in vehicle.names
        )
