"""Energies of wheels in rigid contact.

The force of a wheel does the work F (d(track) - d(wheel)) on beam and vehicle together, that of the drive
apart. In rigid contact both move alike, so that it is zero; but a step matches their velocities at its end
only, and then puts the wheel on the track. What is left of it, and the energy by which that changes the
springs, is `numerical`: it falls with the square of the step. In the step after a landing the impulse J
removes the velocity D of wheel and track, and J D/2 is lost: `dissipated`. Where the track turns by an angle,
as at an end of a bent beam, a wheel of mass m takes the velocity u1 of the new direction instead of u0. The
impulse m (u1 - u0) acts along the mean of both directions, so that the drive does its work m (u1^2 - u0^2)/2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.crossing.bridge_models.modal_bridge import ModalBridge
from traction.crossing.marches.condensed_energies import CondensedEnergies, RigidWorks
from traction.crossing.marches.kernels.condensed_steps import MarchRows
from traction.crossing.marches.kernels.elastic_march import ContactRows
from traction.crossing.marches.kernels.rigid_march import RigidEvents
from traction.crossing.marches.kernels.rigid_works import StepWorks, find_works
from traction.crossing.packed_train import PackedCars, PackedWay, whole_matrix
from traction.crossing.results.energies import ENERGIES, Energies, energies_of
from traction.crossing.row_products import RowwiseMatrix, sum_rows
from traction.crossing.schedule import Schedule
from traction.trains.train import Train


@dataclass(frozen=True, eq=False)
class RigidEnergies:
    """Data from which the energies of a march in rigid contact follow."""

    bridge: ModalBridge
    cars: PackedCars
    train: Train
    times: Schedule
    way: PackedWay
    rows: MarchRows
    events: RigidEvents

    def at_kept(self) -> Energies:
        """Energies at the kept times."""
        times, rows = self.times, self.rows
        nothing = np.zeros(rows.touching.shape)
        contacts = ContactRows(*(nothing for _ in ContactRows._fields))._replace(lifted=self._turning())
        counter = CondensedEnergies(
            self.bridge, self.cars, self.train, times.travel, float(times.t[1]), self.way, rows, contacts,
            nothing, nothing, nothing, nothing[:, 0], self._works(),
        )  # fmt: skip
        return energies_of(counter.count(np.zeros(len(ENERGIES)))[times.kept])

    def _works(self) -> RigidWorks:
        """What landings lose, and what the constraint adds, in each step."""
        rows, cars, own = self.rows, self.cars, self.cars.coordinate
        h = np.diff(self.way.t)[:, None]
        ends = rows.v[1:].copy()
        ends[:, own] -= self.events.turned[1:]
        free = rows.z[:-1] + 0.5 * h * (rows.v[:-1] + ends)  # before the wheels are put on the track
        works = StepWorks(np.empty(rows.force.shape), np.empty(len(rows.force)))
        find_works(self.bridge, cars, self.way, rows, self.events.struck, works)
        off = (free - rows.z[:-1])[:, own] - works.moves
        stiffness = RowwiseMatrix.of(whole_matrix(cars, cars.stiffness))
        put = 0.5 * (stiffness.quadratic(rows.z[1:]) - stiffness.quadratic(free))
        put -= sum_rows((rows.z[1:] - free)[:, own] * cars.load)
        landed = sum_rows(self.events.struck * off)
        return RigidWorks(landed, put + landed - sum_rows(rows.force * off) + works.displaced)

    def _turning(self) -> np.ndarray:
        """Work of the drive on wheels where the track turns, J, (times, wheels)."""
        own = self.cars.coordinate
        after = self.rows.v[:, own]
        return np.asarray(0.5 * self.cars.mass[own] * (after**2 - (after - self.events.turned) ** 2))
