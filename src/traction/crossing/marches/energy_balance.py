"""What energies of a march by a method of `tr.methods()` follow from.

Where the track has a step in height, at an end of the bridge that springs hold, the drive lifts the wheel at
equal coordinates: its work is the change of the contact's energy. All other works are those along the path
that the method takes, see `cross_works`, so that the balance lacks what energies, forces, slopes and
deflections do not agree on.

The energy-conserving method takes the track as it is in the middle of each step, E(q1) - E(q0) there being
the work of the contact: the drive does what is left of the change of E, its coordinates held.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from traction.crossing.marches.path_work import Contacts, PathWorks, Rows, Works, all_closed, stored_more
from traction.crossing.results.energies import Energies, accumulated, vehicle_energies

if TYPE_CHECKING:
    from traction.crossing.marches.wheels_on_bridge import WheelsOnBridge


@dataclass(frozen=True, eq=False)
class SystemLedger:
    """Counts energies and works."""

    wheels: WheelsOnBridge
    rows: Rows
    kept: np.ndarray  #: times that are told of
    starts: Contacts  #: of all steps, and at the last time
    ends: Contacts  #: of all steps: other than the next one's start where the track has a step in height

    @classmethod
    def of(
        cls,
        wheels: WheelsOnBridge,
        rows: Rows,
        kept: np.ndarray,
        recall: Callable[[int], None] = lambda n: None,
    ) -> SystemLedger:
        """Of a march; `recall(n)` is called before contacts are asked at its time n."""
        starts, ends = [], []
        for n in range(rows.t.size):
            recall(n)
            if n:
                ends.append(_asked(wheels, rows, n, rows.on[n - 1]))
            same = n > 0 and np.array_equal(rows.on[n], rows.on[n - 1])
            starts.append(ends[-1] if same else _asked(wheels, rows, n, rows.on[n]))
        none = np.zeros((0, len(Contacts._fields), len(wheels.contacts)))
        at_ends = np.array(ends) if ends else none
        return cls(
            wheels, rows, kept, Contacts(*np.array(starts).swapaxes(0, 1)), Contacts(*at_ends.swapaxes(0, 1))
        )

    @property
    def forces(self) -> np.ndarray:
        """Of the wheels, N, (kept, wheels)."""
        return np.asarray(self.starts.force[self.kept])

    @property
    def approaches(self) -> np.ndarray:
        """Of the contacts themselves, m, (kept, wheels)."""
        at = self.starts
        return np.asarray((at.approach - at.soft * at.force)[self.kept])

    def energies(self) -> Energies:
        """At the times kept."""
        w, q, v, kept = self.wheels, self.rows.q[self.kept], self.rows.v[self.kept], self.kept
        n, packed = w.model.size, w.packed
        own, speed = q[:, :n], v[:, :n]
        moving, strained = vehicle_energies(packed.mass, w.stiffness[n:, n:], q[:, n:], v[:, n:])
        left_out = 0.5 * (self.starts.soft * self.starts.force**2).sum(axis=1)[kept]
        bent = 0.5 * np.einsum("ti,ij,tj->t", own, w.model.stiffness, own, optimize=True)
        if self.rows.method == "energy-conserving":
            works = self._mean_works()
        else:
            works = PathWorks(w, self.rows, self.starts, self.ends).in_steps()
        lifted = (self.starts.stored[1:] - self.ends.stored).sum(axis=1)
        return Energies(
            bridge_kinetic=0.5 * np.einsum("ti,ij,tj->t", speed, w.model.mass, speed, optimize=True),
            bridge_elastic=bent + left_out,
            vehicles_kinetic=moving,
            vehicles_elastic=strained,
            contact=self.starts.stored.sum(axis=1)[kept] - left_out,
            gravity=-(q @ w.weight),
            drive=accumulated(works.drive + lifted)[kept],
            axles=accumulated(works.axles)[kept],
            dissipated=accumulated(works.dissipated)[kept],
            numerical=accumulated(works.numerical)[kept],
        )

    def _mean_works(self) -> Works:
        """Of the energy-conserving method."""
        w, t, q = self.wheels, self.rows.t, self.rows.q
        drive, pushed = np.empty((2, t.size - 1))
        h, change = np.diff(t), np.diff(q, axis=0)
        for k, middle in enumerate(t[:-1] + 0.5 * h):
            w.enter(self.rows.on[k])
            before, after = (sum(one.energy for one in w.answers(middle, q[k + end])) for end in (0, 1))
            drive[k] = self.ends.stored[k].sum() - after + before - self.starts.stored[k].sum()
            pushed[k] = float(w.track(middle)[2] @ change[k])
        lost = np.einsum("ti,ij,tj->t", change, w.damping, change, optimize=True) / h
        return Works(drive, pushed, lost, stored_more(self.starts, self.ends) - drive, np.zeros(h.size))


def _asked(wheels: WheelsOnBridge, rows: Rows, n: int, on: np.ndarray) -> np.ndarray:
    """Answers at one time of a march with these axles on the bridge, in the order of `Contacts`."""
    w, t, q = wheels, float(rows.t[n]), rows.q[n]
    w.enter(on)
    F, k, stored = np.array([(one.force, one.stiffness, one.energy) for one in w.answers(t, q)]).T
    rate = np.zeros(F.size) if all_closed(w) else k * _closing(w, t, q, rows.v[n], F)
    return np.stack((F, rate, stored, w.softness(t), w.approaches(t, q)))


def _closing(w: WheelsOnBridge, t: float, q: np.ndarray, v: np.ndarray, F: np.ndarray) -> np.ndarray:
    """Rate of the approaches, less what the modes left out turn with the place of the wheels, m/s."""
    plain, places = len(w.cars.forces), w.places(t)
    under = w.under(places, w.on)[plain:]
    slope = w.rail(places[plain:])[:, 1] - w.model.slope_rows(under) @ q[: w.model.size]
    speed = float(w.times.travel.speed(np.array([t]))[0])
    return np.asarray(w.track(t)[0] @ v + speed * (slope - w.model.softness(under)[1] * F))
