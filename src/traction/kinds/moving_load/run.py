"""Samples of a crossing, at steps next to equal times.

A crossing is computed as a whole, in a moment, and always in the same way: what a stopped run needs to go on
is the number of its next sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from traction.crossing.results.vehicle_results import VehicleResults
from traction.kinds.kind import KindRun, KindStepper
from traction.kinds.tables.beam_tables import line_along
from traction.kinds.tables.crossing_fields import (
    LIFTED,
    LOOKED_AT,
    VEHICLE,
    along,
    at_rest,
    numbered,
    passing,
)
from traction.results.field import Coordinate, Field, Layout
from traction.results.manifest import KeyFigure
from traction.results.stored_run import StoredRun

if TYPE_CHECKING:
    from traction.kinds.moving_load.schema import MovingLoadCase

State = dict[str, np.ndarray]

BODY = "beam"
AT_PLACE = (*LOOKED_AT, Field("shear", "N", "shear force at the place"))


@dataclass(frozen=True)
class MovingLoadStepper(KindStepper["MovingLoadCase"]):
    """One sample after the other."""

    case: MovingLoadCase

    @property
    def layout(self) -> Layout:
        """What is stored."""
        return Layout(self.fields, self.total, self.coordinates)

    @property
    def fields(self) -> tuple[Field, ...]:
        """What every sample holds."""
        rest = (at_rest(BODY),) if self.case.at_rest else ()
        wheels = (LIFTED, VEHICLE) if self.case.cars.vehicles else ()
        return (*passing(BODY), *AT_PLACE, *rest, *along(BODY), *wheels)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Places along the beam, axles, and coordinates of vehicles."""
        case, cars = self.case, self.case.cars
        x = line_along(case.built, case.output.points)
        found = [
            Coordinate("x", x, "m", "distance from the start of the beam"),
            numbered("axle", len(cars), "axle: forces, then wheels"),
        ]
        if cars.vehicles:
            count = sum(len(vehicle.mass) for vehicle, _ in cars.vehicles)
            found.append(numbered("coordinate", count, "of the vehicles"))
        return tuple(found)

    @property
    def total(self) -> int:
        """Number of samples."""
        return self.case.time.samples

    def initial(self) -> State:
        """Before the first sample."""
        return {"sample": np.array(0)}

    def advance(self, state: State) -> tuple[State, dict[str, Any]]:
        """The next sample."""
        k = int(state["sample"])
        return {"sample": np.array(k + 1)}, {name: values[k] for name, values in self._found.items()}

    def key_figures(self, run: StoredRun) -> Sequence[KeyFigure]:
        """Largest values at the place, of all steps and between them."""
        from traction.kinds.moving_load.report import key_figures

        return key_figures(self.case, run)

    @cached_property
    def _found(self) -> dict[str, np.ndarray]:
        run, place = self.case.crossing, self.case.place
        rows = np.round(np.linspace(0, run.t.size - 1, self.total)).astype(int)
        x = line_along(self.case.built, self.case.output.points)
        found = {
            "time": run.t[rows],
            "first_axle": run.places[rows].max(axis=1),
            "axles_on_beam": run.on_beam[rows].sum(axis=1),
            **{item.name: getattr(run, item.name)(place)[rows] for item in AT_PLACE},
            "beam_deflection": np.stack([run.deflection(float(one))[rows] for one in x], axis=1),
            "axle_place": run.places[rows],
            "axle_force": run.forces[rows],
        }
        if self.case.at_rest:
            found[at_rest(BODY).name] = run.at_rest("deflection", place)[rows]
        if isinstance(run, VehicleResults):
            found[LIFTED.name] = (~run.in_contact[rows]).sum(axis=1)
            found[VEHICLE.name] = run.vehicle[rows]
        return found


RUN = KindRun(MovingLoadStepper)
