"""Samples of a crossing, at steps next to equal times.

A crossing is computed as a whole, in a moment, and always in the same way: what a stopped run needs to go on
is the number of its next sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from traction.kinds.beams import line_along
from traction.results.field import Coordinate, Field
from traction.simulation.coupled import VehicleCrossing

if TYPE_CHECKING:
    from traction.kinds.moving_load import MovingLoadCase

State = dict[str, np.ndarray]

SCALARS = (
    Field("time", "s", "time", labels_samples=True),
    Field("first_axle", "m", "place of the first axle"),
    Field("axles_on_beam", "1", "axles on the beam", dtype="int64"),
    Field("deflection", "m", "deflection at the place, downwards"),
    Field("velocity", "m/s", "velocity at the place, downwards"),
    Field("acceleration", "m/s2", "acceleration at the place, downwards"),
    Field("moment", "N m", "bending moment at the place, sagging positive"),
    Field("shear", "N", "shear force at the place"),
)
AT_REST = Field("deflection_at_rest", "m", "deflection at the place if the beam were at rest")
ALONG = (
    Field("beam_deflection", "m", "deflection along the beam, downwards", ("x",)),
    Field("axle_place", "m", "place of each axle", ("axle",)),
    Field("axle_force", "N", "force of each axle on the track", ("axle",)),
)
WHEELS = (
    Field("wheels_lifted", "1", "wheels that have lifted off", dtype="int64"),
    Field("vehicle", "m or rad", "coordinates of the vehicles, downwards", ("coordinate",)),
)


@dataclass(frozen=True)
class MovingLoadStepper:
    """One sample after the other."""

    case: MovingLoadCase

    @property
    def fields(self) -> tuple[Field, ...]:
        """What every sample holds."""
        rest = (AT_REST,) if self.case.at_rest else ()
        return (*SCALARS, *rest, *ALONG, *(WHEELS if self.case.cars.vehicles else ()))

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Places along the beam, axles, and coordinates of vehicles."""
        case, cars = self.case, self.case.cars
        x = line_along(case.built, case.output.points)
        found = [
            Coordinate("x", x, "m", "distance from the start of the beam"),
            Coordinate("axle", np.arange(1, len(cars) + 1), "1", "axle: forces, then wheels"),
        ]
        if cars.vehicles:
            count = sum(len(vehicle.mass) for vehicle, _ in cars.vehicles)
            found.append(Coordinate("coordinate", np.arange(1, count + 1), "1", "of the vehicles"))
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

    @cached_property
    def _found(self) -> dict[str, np.ndarray]:
        run, place = self.case.crossing, self.case.place
        rows = np.round(np.linspace(0, run.t.size - 1, self.total)).astype(int)
        x = line_along(self.case.built, self.case.output.points)
        found = {
            "time": run.t[rows],
            "first_axle": run.places[rows].max(axis=1),
            "axles_on_beam": run.on_beam[rows].sum(axis=1),
            **{item.name: getattr(run, item.name)(place)[rows] for item in SCALARS[3:]},
            "beam_deflection": np.stack([run.deflection(float(one))[rows] for one in x], axis=1),
            "axle_place": run.places[rows],
            "axle_force": run.forces[rows],
        }
        if self.case.at_rest:
            found[AT_REST.name] = run.at_rest("deflection", place)[rows]
        if isinstance(run, VehicleCrossing):
            found["wheels_lifted"] = (~run.in_contact[rows]).sum(axis=1)
            found["vehicle"] = run.vehicle[rows]
        return found
