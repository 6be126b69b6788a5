"""`Energies` of a crossing: balance of the work of gravity and of the drive.

The drive keeps the speed of the train. On a slope the forces of the wheels have a component along the
track, so that the drive does the work of F V (r' - w') per second, with the height r of the rail and the
deflection w.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from traction.outputs.result import Result
from traction.outputs.variable import Variable, counter, data, figure

STORED = (
    "bridge_kinetic", "bridge_elastic", "vehicles_kinetic", "vehicles_elastic", "contact", "gravity"
)  # fmt: skip


#: long names of all energies, in the order of rows that hold all of them
ENERGIES = {
    "bridge_kinetic": "kinetic energy of the bridge",
    "bridge_elastic": "elastic energy of the bridge",
    "vehicles_kinetic": "kinetic energy of the vehicles",
    "vehicles_elastic": "elastic energy of the vehicles",
    "contact": "elastic energy of the contacts",
    "gravity": "energy of the vehicles in gravity",
    "drive": "work of the drive",
    "axles": "work of the axles that are plain forces",
    "dissipated": "energy dissipated by damping",
    "numerical": "energy added by the method",
}


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Energies(Result):
    """Energies (J) over time of a crossing; work and dissipation are counted from its start."""

    _rows, _drawn = ("sample",), "bridge_elastic"

    bridge_kinetic: np.ndarray  #: kinetic energy of the bridge
    bridge_elastic: np.ndarray  #: elastic energy of the bridge
    vehicles_kinetic: np.ndarray  #: kinetic energy of the vehicles
    vehicles_elastic: np.ndarray  #: elastic energy of the springs, from rest on a level track
    contact: np.ndarray  #: elastic energy of all contacts
    gravity: np.ndarray  #: potential of the weight on the wheels, from rest on a level track
    drive: np.ndarray  #: work of the drive
    axles: np.ndarray  #: work of axles that are plain forces
    dissipated: np.ndarray  #: by the damping of bridge and vehicles, and where rigid wheels land
    numerical: np.ndarray  #: work of the numerical terms of the method along its path

    @property
    def total(self) -> np.ndarray:
        """Total stored energy, J."""
        return np.asarray(sum(getattr(self, name) for name in STORED))

    @property
    def residual(self) -> np.ndarray:
        """Energy balance error, J: change of the total plus dissipation minus work and numerical work."""
        change = self.total - self.total[0] - self.drive - self.axles + self.dissipated
        return np.asarray(change - self.numerical)

    @property
    def work(self) -> float:
        """Largest change of any of the energies, J: the scale of the exchange."""
        names = (*STORED, "drive", "axles")
        return max(float(np.ptp(getattr(self, name))) for name in names)

    @property
    def closure(self) -> float:
        """Energy balance error relative to the work.

        For a march by a method it shows whether contact forces, energies and slopes agree at its states;
        whether these follow the equations of motion is shown by `drift`.
        """
        return float(np.abs(self.residual).max()) / self.work

    @property
    def drift(self) -> float:
        """Largest energy that the method itself has added or removed, relative to the work.

        It is an integral of its own, not a remainder: the remainder is in `closure`. For the condensed march
        and the energy-conserving method it is zero by construction: their works follow the rules of their own
        steps, which differ from those along the path with the square of the step, and the difference is in
        `closure`.
        """
        return float(np.abs(self.numerical).max()) / self.work

    def _variables(self) -> Iterator[Variable]:
        yield figure("work", self.work, "J", "energy exchanged")
        yield figure("closure", self.closure, "1", "energy balance error, relative")
        yield figure("drift", self.drift, "1", "energy added by the method, relative")
        yield counter("sample", self.contact.size, "number of the time")
        for name, words in ENERGIES.items():
            yield data(name, getattr(self, name), "J", words, "sample")
        yield data("residual", self.residual, "J", "energy balance error", "sample")


def energies_of(rows: np.ndarray) -> Energies:
    """From rows of all energies, (times, ENERGIES)."""
    return Energies(**dict(zip(ENERGIES, np.ascontiguousarray(rows.T), strict=True)))


def energy_rows(start: np.ndarray, stored: dict[str, np.ndarray], works: dict[str, np.ndarray]) -> np.ndarray:
    """All energies at the times of a part of a march, (times, ENERGIES).

    `stored` are those at the times, `works` those done in the steps between them; these are added, one step
    after the other, to the sum so far, `start` (ENERGIES,).
    """
    rows = np.empty((next(iter(stored.values())).size, len(ENERGIES)))
    for k, name in enumerate(ENERGIES):
        rows[:, k] = stored[name] if name in stored else np.cumsum(np.r_[start[k], works[name]])
    return rows
