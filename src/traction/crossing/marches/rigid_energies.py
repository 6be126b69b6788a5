"""Energies of wheels in rigid contact.

The force of a wheel does the work F (d(track) - d(wheel)) on beam and vehicle together, that of the drive
apart. In rigid contact both move alike, so that it is zero; but a step matches their velocities at its end
only, and then puts the wheel on the track. What is left of it, and the energy by which that changes the
springs, is `numerical`: it falls with the square of the step. In the step after a landing the impulse J
removes the velocity D of wheel and track, and J D/2 is lost: `dissipated`. Where the track turns by an angle,
as at an end of a bent beam, a wheel of mass m takes the velocity u1 of the new direction instead of u0. The
impulse m (u1 - u0) acts along the mean of both directions, so that the drive does its work m (u1^2 - u0^2)/2.
Where a wheel rolls over the edge at a soft end, the drive does the work of the force along its arc; where it
meets such a step of the track at once, that which lifts the wheel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.crossing.bridge_models.modal_bridge import ModalBridge
from traction.crossing.marches.condensed_energies import CondensedEnergies, RigidWorks
from traction.crossing.marches.kernels.condensed_steps import MarchRows
from traction.crossing.marches.kernels.elastic_march import ContactRows
from traction.crossing.marches.kernels.rigid_track import RigidContacts
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
