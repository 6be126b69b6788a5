"""Samples of a crossing, at steps next to equal times; it is computed as a whole, in a moment."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from traction.crossing.results.crossing import Crossing
from traction.kinds.kind import KindRun, TableStepper
from traction.kinds.moving_load.findings import LoadFindings, march_case, sum_up
from traction.kinds.moving_load.schema import MovingLoadCase
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
from traction.state_arrays import Arrays, flatten_state

BODY = "beam"
AT_PLACE = (*LOOKED_AT, Field("shear", "N", "shear force at the place"))


class MovingLoadStepper(TableStepper[MovingLoadCase]):
    """Samples as rows of the whole crossing."""

    @cached_property
    def crossing(self) -> Crossing:
        """The whole of it."""
        return march_case(self.case)

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

    @cached_property
    def rows(self) -> dict[str, np.ndarray]:
        """All samples of each field."""
        run, place = self.crossing, self.case.place
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
        if run.vehicles is not None:
            found[LIFTED.name] = (~run.in_contact[rows]).sum(axis=1)
            found[VEHICLE.name] = run.vehicle[rows]
        return found

    def findings(self, run: StoredRun) -> Arrays:
        """What the run is compared with, and what is drawn of it."""
        return flatten_state(LoadFindings.of(self.case, self.crossing))

    def key_figures(self, run: StoredRun) -> Sequence[KeyFigure]:
        """Largest values at the output position, of all steps and between them."""
        return sum_up(self.case, self.crossing)


RUN = KindRun(MovingLoadStepper)
