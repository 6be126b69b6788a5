"""`AxleLoads`: positions and forces of the axles of a train over time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.beams.exact.statics import InfluenceLine
from traction.crossing.schedule import Schedule
from traction.trains.train import Train, force_rates


@dataclass(frozen=True, eq=False)
class AxleLoads:
    """Forces first, then wheels, at the times of a crossing."""

    length: float  #: of the beam, m
    places: np.ndarray  #: from the start of the beam, m, (times, axles)
    forces: np.ndarray  #: on the beam or the track, N, (times, axles)
    rates: np.ndarray  #: F' and F'', (2, times, axles); those of wheels count as zero
    motion: np.ndarray  #: speed and acceleration of the train, (times, 2)

    @classmethod
    def of(
        cls, length: float, train: Train, times: Schedule, contact_forces: np.ndarray, step: float
    ) -> AxleLoads:
        """Loads of a train at the stored times, under the forces of its wheels (N), (times, wheels).

        Rates of forces are differences over a quarter of the `step` (s).
        """
        plain = plain_forces(train, times.t, step)
        forces = np.concatenate([plain[0], contact_forces], axis=1)
        rates = np.concatenate([plain[1:], np.zeros((2, *contact_forces.shape))], axis=2)
        return cls(length, times.places, forces, rates, times.motion)

    @cached_property
    def on_beam(self) -> np.ndarray:
        """Mask of the axles on the beam, (times, axles)."""
        return (self.places >= 0.0) & (self.places <= self.length)

    def at_rows(self, rows: np.ndarray | slice) -> AxleLoads:
        """The same at some of the times."""
        return AxleLoads(
            self.length, self.places[rows], self.forces[rows], self.rates[:, rows], self.motion[rows]
        )

    def act_at_rest(self, line: InfluenceLine, order: int = 0) -> np.ndarray:
        """Static response to the axles at their positions, or its first or second rate, (times,)."""
        on = self.on_beam
        s, F = self.places[on], self.forces[on]
        values = np.zeros(on.shape)
        if order == 0:
            values[on] = F * line.at(s)
            return values.sum(axis=1)
        v, a = (np.broadcast_to(column[:, None], on.shape)[on] for column in self.motion.T)
        if order == 1:
            values[on] = self.rates[0][on] * line.at(s) + F * v * line.slope(s)
        else:
            dF, ddF = self.rates[0][on], self.rates[1][on]
            turned = F * (v * v * line.curvature(s) + a * line.slope(s))
            values[on] = ddF * line.at(s) + 2.0 * dF * v * line.slope(s) + turned
        return values.sum(axis=1)


def plain_forces(train: Train, t: np.ndarray, step: float) -> np.ndarray:
    """F, F' and F'' of the axles that are plain forces at times t (s), (3, times, axles)."""
    found = [force_rates(load, t, step) for load, _ in train.forces]
    return np.stack(found, axis=2) if found else np.zeros((3, t.size, 0))
