"""What energies of a march by a method of `tr.methods()` follow from.

Between its states a method takes the cubic through coordinates q and velocities v at both ends. Along it
every work is an integral, by Gauss's rule between the states and the passages of supports. The drive works
along the slopes and, with the place of the wheel, on the modes left out, which store F^2 R(s)/2. What kinetic
and strain energy gain beyond the work of all forces is the method's own doing, `Energies.numerical`; then the
balance lacks what energy, force, slope and deflection of the contacts do not agree on.

The energy-conserving method takes the track as it is in the middle of each step, E(q1) - E(q0) there being
the work of the contact: the drive does what is left of the change of E, its coordinates held.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from traction.contact.law import PowerLaw, Response
from traction.integrators.history import History
from traction.simulation.cross_kernels import hertz_series
from traction.simulation.energies import GAUSS, Energies, accumulated, vehicle_energies
from traction.simulation.schedule import with_passages
from traction.trains.force import force_rates

if TYPE_CHECKING:
    from traction.simulation.cross_system import WheelsOnBridge

AT_ONCE = 1_000_000  #: numbers of rows of the bridge's model that are made at once


class Rows(NamedTuple):
    """A part of a march by a method, as a history has it."""

    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    method: str


class Works(NamedTuple):
    """In each step, J."""

    drive: np.ndarray
    axles: np.ndarray  #: of plain forces
    dissipated: np.ndarray
    pressed: np.ndarray  #: of the contact forces on all coordinates, its sign turned


@dataclass(frozen=True, eq=False)
class SystemLedger:
    """Counts energies and works."""

    wheels: WheelsOnBridge
    history: History | Rows
    forces: np.ndarray  #: of the wheels, N, (times, wheels)
    stiffness: np.ndarray  #: of contacts and modes left out, N/m, (times, wheels)
    approaches: np.ndarray  #: of the contacts themselves, m, (times, wheels)
    stored: np.ndarray  #: in contacts and modes left out, J, (times,)
    left_out: np.ndarray  #: in the modes left out, J, (times,)

    @classmethod
    def of(
        cls,
        wheels: WheelsOnBridge,
        history: History | Rows,
        answers: Sequence[Sequence[Response]] | None = None,
    ) -> SystemLedger:
        """Of a march; `answers` of the contacts at its times, where they are known."""
        shape = history.t.size, len(wheels.contacts)
        F, k, stored, soft, approaches = np.empty((5, *shape))
        for n, (t, q) in enumerate(zip(history.t.tolist(), history.q, strict=True)):
            found = wheels.answers(t, q) if answers is None else answers[n]
            F[n], k[n], stored[n] = np.array([(one.force, one.stiffness, one.energy) for one in found]).T
            soft[n], approaches[n] = wheels.softness(t), wheels.approaches(t, q)
        given = soft * F
        return cls(
            wheels, history, F, k, approaches - given, stored.sum(axis=1), 0.5 * (given * F).sum(axis=1)
        )

    def energies(self) -> Energies:
        """At all times of the history."""
        w, q, v = self.wheels, self.history.q, self.history.v
        n, packed = w.model.size, w.packed
        z, own, speed = q[:, n:], q[:, :n], v[:, :n]
        moving, strained = vehicle_energies(packed.mass, w.stiffness[n:, n:], z, v[:, n:])
        swinging = 0.5 * np.einsum("ti,ij,tj->t", speed, w.model.mass, speed, optimize=True)
        bent = 0.5 * np.einsum("ti,ij,tj->t", own, w.model.stiffness, own, optimize=True)
        gravity = -(q @ w.weight)
        if self.history.method == "energy-conserving":
            works = self._mean_works()
            gained = np.zeros(self.stored.size)
        else:
            works = self._path_works()
            change = np.diff(moving + strained + swinging + bent + gravity)
            gained = accumulated(change + works.pressed - works.axles + works.dissipated)
        return Energies(
            bridge_kinetic=swinging,
            bridge_elastic=bent + self.left_out,
            vehicles_kinetic=moving,
            vehicles_elastic=strained,
            contact=self.stored - self.left_out,
            gravity=gravity,
            drive=accumulated(works.drive),
            axles=accumulated(works.axles),
            dissipated=accumulated(works.dissipated),
            numerical=gained,
        )

    def _mean_works(self) -> Works:
        """Of the energy-conserving method."""
        w, t, q = self.wheels, self.history.t, self.history.q
        drive, pushed = np.empty((2, t.size - 1))
        h, change = np.diff(t), np.diff(q, axis=0)
        for k, middle in enumerate(t[:-1] + 0.5 * h):
            before, after = (sum(one.energy for one in w.answers(middle, q[k + end])) for end in (0, 1))
            drive[k] = self.stored[k + 1] - after + before - self.stored[k]
            pushed[k] = float(w.track(middle)[2] @ change[k])
        lost = np.einsum("ti,ij,tj->t", change, w.damping, change, optimize=True) / h
        return Works(drive, pushed, lost, np.diff(self.stored) - drive)

    def _path_works(self) -> Works:
        """Along the cubics of all steps."""
        w, t = self.wheels, self.history.t
        if t.size == 1:
            return Works(*np.zeros((len(Works._fields), 0)))
        passages = w.times.travel.time_at((w.times.behind[:, None] + w.model.ends).ravel())
        parts = with_passages(t, passages[passages > t[0]])
        h = np.diff(parts)
        at = (parts[:-1, None] + 0.5 * h[:, None] * (GAUSS[0] + 1.0)).ravel()
        weights = (0.5 * h[:, None] * GAUSS[1]).ravel()
        step = np.clip(np.searchsorted(t, at, side="right") - 1, 0, t.size - 2)
        found = np.zeros((t.size - 1, len(Works._fields)))
        count = max(1, AT_ONCE // (w.model.size * max(1, w.times.behind.size)))
        for first in range(0, at.size, count):
            some = slice(first, first + count)
            np.add.at(found, step[some], weights[some, None] * self._powers(at[some], step[some]))
        return Works(*found.T)

    def _powers(self, t: np.ndarray, step: np.ndarray) -> np.ndarray:
        """At times within steps, in the order of `Works`, W, (times, 4)."""
        w, n = self.wheels, self.wheels.model.size
        q, v = self._on_cubics(t, step)
        plain = len(w.cars.forces)
        places = w.times.travel.place(t)[:, None] - w.times.behind
        rows = w.model.rows(places.ravel()).reshape(*places.shape, n)
        slopes = w.model.slope_rows(places[:, plain:].ravel()).reshape(t.size, -1, n)
        sunk = (rows @ q[:, :n, None])[:, :, 0]
        rate = (rows @ v[:, :n, None])[:, :, 0]
        slope = (slopes @ q[:, :n, None])[:, :, 0]
        rail = w.rail(places[:, plain:])
        own = n + w.packed.coordinate
        soft, turn = w.model.softness(places[:, plain:])
        F = self._between(t, step)
        for k, one in enumerate(w.contacts):
            if isinstance(one.law, PowerLaw):
                approach = w.static[k] + q[:, own[k]] - sunk[:, plain + k] + rail[:, k, 0]
                F[:, k] = hertz_series(one.law.coefficient, np.ascontiguousarray(soft[:, k]), approach)
        powers = np.zeros((t.size, len(Works._fields)))
        powers[:, 0] = w.times.travel.speed(t) * (F * (rail[:, :, 1] - slope - 0.5 * F * turn)).sum(axis=1)
        for k, (load, _) in enumerate(w.cars.forces):
            powers[:, 1] += force_rates(load, t, float(w.times.t[1]))[0] * rate[:, k]
        powers[:, 2] = np.einsum("ti,ij,tj->t", v, w.damping, v, optimize=True)
        powers[:, 3] = (F * (v[:, own] - rate[:, plain:])).sum(axis=1)
        return powers

    def _on_cubics(self, t: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and velocities within steps."""
        history = self.history
        start, h = history.t[step][:, None], np.diff(history.t)[step][:, None]
        s = (t[:, None] - start) / h
        q0, moved = history.q[step], history.q[step + 1] - history.q[step]
        v0, v1 = h * history.v[step], h * history.v[step + 1]
        two, three = 3.0 * moved - 2.0 * v0 - v1, v0 + v1 - 2.0 * moved
        return q0 + s * (v0 + s * (two + s * three)), (v0 + s * (2.0 * two + 3.0 * s * three)) / h

    def _between(self, t: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Contact forces within steps, (times, wheels): cubics through forces and their rates at both ends.

        So that contacts which are solved need not be solved again.
        """
        history, rates = self.history, self._rates
        h = np.diff(history.t)[step][:, None]
        s = (t[:, None] - history.t[step][:, None]) / h
        F0, F1, d0, d1 = self.forces[step], self.forces[step + 1], h * rates[step], h * rates[step + 1]
        return np.asarray(
            F0 + s * (d0 + s * (3.0 * (F1 - F0) - 2.0 * d0 - d1 + s * (d0 + d1 - 2.0 * (F1 - F0))))
        )

    @cached_property
    def _rates(self) -> np.ndarray:
        """dF/dt at all times: stiffness times what the approach gains, less what the modes left out do."""
        w, t, q, v = self.wheels, self.history.t, self.history.q, self.history.v
        rates, n, plain = np.empty(self.forces.shape), w.model.size, len(w.cars.forces)
        own, speed = n + w.packed.coordinate, w.times.travel.speed(t)
        for k in range(t.size):
            places = w.places(float(t[k]))[plain:]
            slope = w.rail(places)[:, 1] - w.model.slope_rows(places) @ q[k, :n]
            turn = w.model.softness(places)[1] * self.forces[k]
            closing = v[k, own] - w.model.rows(places) @ v[k, :n] + speed[k] * (slope - turn)
            rates[k] = self.stiffness[k] * closing
        return rates
