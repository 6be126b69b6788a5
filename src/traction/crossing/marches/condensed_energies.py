"""Energies of a condensed march; works are counted with the mean forces of its steps, as the march does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from traction.crossing.bridge_models.kernels.mode_shapes import modal_forces
from traction.crossing.bridge_models.modal_bridge import ModalBridge
from traction.crossing.marches.kernels.condensed_steps import MarchRows
from traction.crossing.marches.kernels.elastic_march import ContactRows
from traction.crossing.marches.kernels.march_works import drive_work
from traction.crossing.packed_train import PackedCars, PackedWay, whole_matrix
from traction.crossing.results.crossing_motion import plain_forces
from traction.crossing.results.energies import energy_rows
from traction.crossing.row_products import RowwiseMatrix, sum_rows
from traction.trains.train import Train
from traction.trains.travel import Travel

GAUSS = np.polynomial.legendre.leggauss(4)


class RigidWorks(NamedTuple):
    """Works of rigid contact in each step, J."""

    landed: np.ndarray  #: lost by wheels that land
    constrained: np.ndarray  #: added by putting the wheels on the track


@dataclass(frozen=True, eq=False)
class CondensedEnergies:
    """Data from which the energies of a part of a condensed march follow."""

    bridge: ModalBridge
    cars: PackedCars
    train: Train
    travel: Travel
    step: float  #: between the kept times, s
    way: PackedWay
    rows: MarchRows
    contacts: ContactRows
    forces: np.ndarray  #: of the contacts at the ends of steps, N, (times, wheels)
    energy: np.ndarray  #: of the contacts, J, likewise
    compliance: np.ndarray  #: of the neglected modes under the wheels, m/N, likewise
    shared: np.ndarray  #: energy of these between wheels, J, (times,)
    rigid: RigidWorks | None = None  #: of wheels in rigid contact

    def count(self, start: np.ndarray) -> np.ndarray:
        """Energies at all ends of steps, (times, ENERGIES), from those at the first one."""
        rows, bridge, cars = self.rows, self.bridge, self.cars
        h = np.diff(self.way.t)
        stiffness, damping = (
            RowwiseMatrix.of(whole_matrix(cars, one)) for one in (cars.stiffness, cars.damping)
        )
        left_out = sum_rows(0.5 * self.compliance * self.forces**2) + self.shared
        speed = 0.5 * (rows.v[1:] + rows.v[:-1])
        stored = {
            "bridge_kinetic": 0.5 * sum_rows(rows.p**2),
            "bridge_elastic": 0.5 * sum_rows((bridge.omega * rows.q) ** 2) + left_out,
            "vehicles_kinetic": 0.5 * sum_rows(rows.v**2 * cars.mass),
            "vehicles_elastic": 0.5 * stiffness.quadratic(rows.z),
            "contact": sum_rows(self.energy),
            "gravity": -sum_rows(rows.z[:, cars.coordinate] * cars.load),
        }
        works = {
            "drive": self._drive_works(),
            "axles": self._axle_works(h),
            "dissipated": _modal_losses(bridge.rate, rows.q, rows.p, h) + h * damping.quadratic(speed),
            "numerical": sum_rows(self.contacts.coupled[:-1]),
        }
        if self.rigid is not None:
            works["dissipated"] += self.rigid.landed
            works["numerical"] += self.rigid.constrained
        return energy_rows(start, stored, works)

    def _drive_works(self) -> np.ndarray:
        """Work of the drive in each step."""
        way, rows = self.way, self.rows
        work = np.empty(way.t.size - 1)
        drive_work(
            self.bridge, self.cars, way, np.asarray(self.travel.acceleration(way.t), float), rows, work
        )
        work += sum_rows(self.contacts.lifted[1:]) + sum_rows(self.contacts.turned[:-1])
        height = way.rail[:, :, 0]
        if len(height) > 1:
            work += sum_rows(rows.force * np.diff(height, axis=0))
        return work

    def _axle_works(self, h: np.ndarray) -> np.ndarray:
        """Work of plain forces in each step."""
        if not self.train.forces:
            return np.zeros(h.size)
        way, rows = self.way, self.rows
        motion = np.stack((way.speed, self.travel.acceleration(way.t)), axis=1)
        f = np.empty((3, *rows.q.shape))
        loads = plain_forces(self.train, way.t, self.step)
        modal_forces(self.bridge, way.place[:, None] - way.behind, motion, loads, f)
        return _modal_works(f[0], f[1], rows.q, rows.p, h)


def _modal_losses(rate: np.ndarray, q: np.ndarray, p: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Energy dissipated by modal damping in each step: p is the parabola through p and q at both ends."""
    middle = _middle_velocities(q, p, h)
    a, b = p[:-1], p[1:]
    square = (
        4.0 * (a * a + b * b) + 16.0 * middle * middle + 4.0 * middle * (a + b) - 2.0 * a * b
    ) / 30.0  # integral of the square of a parabola
    return np.asarray(h * sum_rows(square * rate))


def _modal_works(f: np.ndarray, df: np.ndarray, q: np.ndarray, p: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Work of modal forces in each step: Hermite cubic through f and f', times that parabola."""
    middle, step = _middle_velocities(q, p, h), h[:, None]
    total = np.zeros(h.size)
    for s, weight in zip(0.5 * (GAUSS[0] + 1.0), 0.5 * GAUSS[1], strict=True):
        force = (
            (1.0 + 2.0 * s) * (1.0 - s) ** 2 * f[:-1] + s * s * (3.0 - 2.0 * s) * f[1:]
            + step * s * (1.0 - s) * ((1.0 - s) * df[:-1] - s * df[1:])
        )  # fmt: skip
        speed = (
            (1.0 - s) * (1.0 - 2.0 * s) * p[:-1] + 4.0 * s * (1.0 - s) * middle + s * (2.0 * s - 1.0) * p[1:]
        )
        total += weight * sum_rows(force * speed)
    return np.asarray(h * total)


def _middle_velocities(q: np.ndarray, p: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Velocity at the middle of each step, of a parabola whose mean is the displacement over the step."""
    return np.asarray((6.0 * np.diff(q, axis=0) / h[:, None] - p[:-1] - p[1:]) / 4.0)
