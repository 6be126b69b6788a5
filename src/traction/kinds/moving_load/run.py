"""Samples of a crossing, at steps next to equal times; it is computed as a whole, in a moment."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from traction.crossing.results.crossing import Crossing
from traction.crossing.small_deflections import landing_notices
from traction.kinds.kind import KeyFigures, TableStepper
from traction.kinds.moving_load.findings import LoadFindings, advise_step, find_cap, march_case, sum_up
from traction.kinds.moving_load.schema import MovingLoadCase
from traction.kinds.tables.beam_tables import line_along
from traction.kinds.tables.crossing_fields import AT_REST, LIFTED, VEHICLE, list_fields, look_at, numbered
from traction.results.field import Coordinate, Field, Layout
from traction.results.stored_run import StoredRun

SHEAR = Field("shear", "N", "shear force at the output position")


class MovingLoadStepper(TableStepper[MovingLoadCase]):
    """Samples as rows of the whole crossing."""

    @cached_property
    def crossing(self) -> Crossing:
        """The complete crossing."""
        return march_case(self.case)

    @property
    def layout(self) -> Layout:
        """Samples at the output position, along the beam, of the axles, and of the vehicles."""
        case, cars = self.case, self.case.cars
        stored = list_fields("beam", case.at_rest, SHEAR)
        x = line_along(case.built, case.output.points)
        coordinates = [
            Coordinate("x", x, "m", "distance from the start of the beam"),
            numbered("axle", len(cars), "axle: forces, then wheels"),
        ]
        if cars.vehicles:
            count = sum(len(vehicle.mass) for vehicle, _ in cars.vehicles)
            coordinates.append(numbered("coordinate", count, "of the vehicles"))
            stored += (LIFTED, VEHICLE)
        return Layout(stored, case.time.samples, tuple(coordinates))

    @cached_property
    def rows(self) -> dict[str, np.ndarray]:
        """All samples of each field."""
        run, place = self.crossing, self.case.place
        rows = np.round(np.linspace(0, run.t.size - 1, self.case.time.samples)).astype(int)
        x = line_along(self.case.built, self.case.output.points)
        found = {
            **look_at(run, "beam", place, rows),
            SHEAR.name: run.shear(place)[rows],
            "beam_deflection": np.stack([run.deflection(float(one))[rows] for one in x], axis=1),
        }
        if self.case.at_rest:
            found[AT_REST] = run.at_rest("deflection", place)[rows]
        if run.vehicles is not None:
            found[LIFTED.name] = (~run.in_contact[rows]).sum(axis=1)
            found[VEHICLE.name] = run.vehicle[rows]
        return found

    def findings(self, run: StoredRun) -> LoadFindings:
        """Comparisons of the run, and data of its figures."""
        return LoadFindings.of(self.case, self.crossing)

    def notices(self, run: StoredRun) -> Sequence[str]:
        """Whether the time step is too long, and wheels that land again."""
        found = self.crossing.certificate
        cap = find_cap(self.case, self.crossing.dt)
        return [*landing_notices(self.crossing), *cap, *([] if found.holds else [advise_step(found)])]

    def failure(self, run: StoredRun) -> str | None:
        """Why the time step makes the result worthless."""
        found = self.crossing.certificate
        if self.case.time.automatic and not self.crossing.ok:
            return f"{self.crossing.message}."
        return None if found.usable else advise_step(found)

    def key_figures(self, run: StoredRun) -> KeyFigures:
        """Largest values at the output position, of all steps and between them."""
        return sum_up(self.case, self.crossing)
