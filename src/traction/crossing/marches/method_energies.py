"""Energies of a march by a method of `tr.methods()`.

Where the track has a step in height, at an end of the bridge on springs, the drive lifts the wheel at
equal coordinates: its work is the change of the contact's energy. All other works are those along the path
of the method, see `path_work`, so that the balance error shows inconsistencies of energies, forces,
slopes and deflections.

The energy-conserving method takes the track at the middle of each step, E(q1) - E(q0) there being
the work of the contact: the drive does the rest of the change of E, at constant coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.crossing.bridge_models.wheels_on_bridge import WheelsOnBridge
from traction.crossing.marches.path_work import (
    ContactStates,
    PathRows,
    PathWork,
    PathWorks,
    all_closed,
    stored_more,
)
from traction.crossing.packed_train import whole_matrix
from traction.crossing.results.energies import energy_rows
from traction.crossing.row_products import RowwiseMatrix, sum_rows
from traction.integrators.core.state import State


@dataclass(frozen=True, eq=False)
class MethodEnergies:
    """Data from which the energies of a part of a march by a method follow."""

    wheels: WheelsOnBridge
    method: str
    rows: PathRows
    starts: ContactStates  #: of all steps, and at the last time
    ends: ContactStates  #: of all steps: other than the next one's start where the track has a step in height

    def count(self, start: np.ndarray) -> np.ndarray:
        """Energies at all ends of steps, (times, ENERGIES), from those at the first one."""
        w, q, v, n = self.wheels, self.rows.q, self.rows.v, self.wheels.model.size
        left_out = 0.5 * sum_rows(self.starts.force * sunk_by(w, self.rows, self.starts))
        mass, stiffness = RowwiseMatrix.of(w.model.mass), RowwiseMatrix.of(w.model.stiffness)
        vehicles = RowwiseMatrix.of(whole_matrix(w.packed, w.packed.stiffness))
        stored = {
            "bridge_kinetic": 0.5 * mass.quadratic(v[:, :n]),
            "bridge_elastic": 0.5 * stiffness.quadratic(q[:, :n]) + left_out,
            "vehicles_kinetic": 0.5 * sum_rows(v[:, n:] ** 2 * w.packed.mass),
            "vehicles_elastic": 0.5 * vehicles.quadratic(q[:, n:]),
            "contact": sum_rows(self.starts.stored) - left_out,
            "gravity": -sum_rows(q * w.weight),
        }
        if self.method == "energy-conserving":
            works = self._mean_works()
        else:
            works = PathWorks(w, self.rows, self.starts, self.ends).in_steps()
        lifted = sum_rows(self.starts.stored[1:] - self.ends.stored)
        done = {
            "drive": works.drive + lifted, "axles": works.axles, "dissipated": works.dissipated,
            "numerical": works.numerical,
        }  # fmt: skip
        return energy_rows(start, stored, done)

    def _mean_works(self) -> PathWork:
        """Works of the energy-conserving method."""
        w, t, q = self.wheels, self.rows.t, self.rows.q
        drive, pushed = np.empty((2, t.size - 1))
        h, change = np.diff(t), np.diff(q, axis=0)
        for k, middle in enumerate((t[:-1] + 0.5 * h).tolist()):
            w.enter(self.rows.on[k])
            before, after = (self._stored_at(middle, q[k + end]) for end in (0, 1))
            drive[k] = self.ends.stored[k].sum() - after + before - self.starts.stored[k].sum()
            pushed[k] = float(w.track(middle)[2] @ change[k])
        lost = w.damped_power(change) / h
        return PathWork(drive, pushed, lost, stored_more(self.starts, self.ends) - drive, np.zeros(h.size))

    def _stored_at(self, t: float, q: np.ndarray) -> float:
        """Energy of all contacts from their memories at rest, independent of the order of evaluation, J."""
        w, memories = self.wheels, [one.memory for one in self.wheels.contacts]
        found, _ = w.respond(w.softness(t), w.felt_between(t), w.approaches(t, q), memories)
        return sum(one.energy for one in found)


def sunk_by(wheels: WheelsOnBridge, rows: PathRows, contacts: ContactStates) -> np.ndarray:
    """Deflection of the neglected modes under all wheels at the times of rows, m, (times, wheels)."""
    places = wheels.times.travel.place(rows.t)[:, None] - wheels.times.behind
    between = wheels.left_out_between(places, rows.on)
    own = contacts.soft * contacts.force
    return own if between is None else own + np.einsum("nkj,nj->nk", between[0], contacts.force)


def ask_contacts(wheels: WheelsOnBridge, state: State, on: np.ndarray) -> np.ndarray:
    """Responses at a state with these axles on the bridge, in the order of `ContactStates`, (5, wheels)."""
    w, t, q = wheels, state.t, state.q
    w.enter(on)
    F, stored = np.array([(one.force, one.energy) for one in w.responses(t, q)]).T
    rate = np.zeros(F.size)
    if not all_closed(w):
        k, closing = w.stiffnesses(t, q), _closing_rates(w, t, q, state.v, F)
        rate = k @ closing if k.ndim == 2 else k * closing
    return np.stack((F, rate, stored, w.softness(t), w.approaches(t, q)))


def _closing_rates(w: WheelsOnBridge, t: float, q: np.ndarray, v: np.ndarray, F: np.ndarray) -> np.ndarray:
    """Rate of the approaches, minus the part of the neglected modes due to the moving wheels, m/s."""
    places = w.places(t)[None]
    slope, sinking = w.on_path(places, w.on, q[None]).slope[0], w.left_out(places, w.on)[1][0] * F
    between = w.left_out_between(places, w.on)
    if between is not None:
        sinking = sinking + between[1][0] @ F
    speed = float(w.times.travel.speed(np.array([t]))[0])
    return np.asarray(w.acting(t, q) @ v + speed * (slope - sinking))
