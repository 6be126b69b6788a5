"""Common parts of marches of crossings in elastic contact.

A march has `begin() -> state`, `advance(state, until) -> (state, part)` and `result(part)`, a crossing.
A state is complete: a march that is divided, and resumed from a state in another process, returns the same
numbers to the last bit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from traction.crossing.marches.condensed_energies import CondensedEnergies
from traction.crossing.marches.method_energies import MethodEnergies
from traction.crossing.results.contact_crossing import ContactCrossing
from traction.crossing.results.crossing_motion import AxleLoads, BeamMotion, VehicleMotion
from traction.crossing.results.energies import ENERGIES, Energies, energies_of
from traction.crossing.setup import CrossingSetup
from traction.crossing.wheel_contact import WheelContact
from traction.outputs.progress import Tell

MarchState = TypeVar("MarchState")


class MarchColumns(NamedTuple):
    """Bridge, vehicles and contacts at some times, (times, ...)."""

    coordinates: np.ndarray  #: of the bridge, modal or nodal
    velocities: np.ndarray
    accelerations: np.ndarray | None  #: of nodes; None of modes
    vehicle: np.ndarray
    vehicle_velocity: np.ndarray
    contact_forces: np.ndarray
    approach: np.ndarray
    in_contact: np.ndarray

    def at(self, rows: slice | np.ndarray) -> MarchColumns:
        """The columns at some of the times."""
        return self._replace(**{k: one[rows] for k, one in self._asdict().items() if one is not None})


@dataclass(frozen=True, eq=False)
class MarchPart:
    """A part of a march at all ends of its steps, the time of its state first."""

    first: int  #: number of its first time among all
    columns: MarchColumns
    energies: CondensedEnergies | MethodEnergies  #: data from which they follow
    contacts: tuple[WheelContact, ...]  #: with what their laws remember at its end
    stats: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ElasticMarch(ABC, Generic[MarchState]):
    """A crossing in elastic contact, some steps at a time."""

    setup: CrossingSetup
    told: Tell | None = None  #: called with the number of the step reached and that of the last

    @abstractmethod
    def begin(self) -> MarchState:
        """State before the first step."""

    @abstractmethod
    def advance(self, state: MarchState, until: int) -> tuple[MarchState, MarchPart]:
        """March to the stored time number `until`; returns the state and the steps to it."""

    def result(self, part: MarchPart) -> ContactCrossing:
        """The crossing of a part that is the whole march; energies are computed on first use."""
        times = self.setup.times
        columns, numbers = part.columns.at(times.kept), np.arange(times.t.size)
        ledger = partial(_count_energies, part, times.kept)
        return compose_crossing(self.setup, numbers, columns, ledger, part.contacts, dict(part.stats))


def _count_energies(part: MarchPart, kept: np.ndarray) -> Energies:
    """Of a whole march, at the kept times."""
    return energies_of(part.energies.count(np.zeros(len(ENERGIES)))[kept])


def compose_crossing(
    setup: CrossingSetup,
    numbers: np.ndarray,
    columns: MarchColumns,
    ledger: Callable[[], Energies],
    contacts: tuple[WheelContact, ...],
    stats: dict[str, float],
) -> ContactCrossing:
    """The crossing at the stored times, from its columns there."""
    times = setup.times.at(numbers)
    step = float(setup.times.t[1])
    axles = AxleLoads.of(setup.beam.length, setup.cars, times, columns.contact_forces, step)
    bending = BeamMotion(
        setup.basis, axles, columns.coordinates, columns.velocities, columns.accelerations, setup.flexibility
    )
    vehicles = VehicleMotion(
        times.t, setup.cars, setup.packed, columns.vehicle, columns.vehicle_velocity, columns.contact_forces,
        columns.in_contact,
    )  # fmt: skip
    return ContactCrossing(
        t=times.t, beam=setup.beam, model=setup.model, method=setup.method, bending=bending,
        vehicles=vehicles, stats=stats, approach=columns.approach, contacts=contacts, ledger=ledger,
    )  # fmt: skip
