"""Kind "moving-load": forces, wheels, vehicles or a train cross a beam."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from traction.integrators.method_table import method as method_of
from traction.kinds.tables.crossing_tables import BeamModelTable, CrossedCase
from traction.kinds.tables.method_tables import MethodName
from traction.scenario.schema import require_storable

MOST_STORED = 1e8  #: numbers of all samples


class ModelTable(BeamModelTable):
    """Exact modes, finite elements or finite differences."""

    method: MethodName | None = None
    """of elements ("newmark") and differences ("verlet") under forces"""
    allow_unstable: bool | None = None
    """allow steps above the stability limit"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.marches_by is not None:
            method_of(self.marches_by, **self.options)  # refuses options that the method has not
            return self
        for name in ("method", "options", "allow_unstable"):
            if getattr(self, name):
                raise ValueError(f'takes {name} only with type = "elements" or "differences"')
        return self


class MovingLoadCase(CrossedCase):
    """Axles that cross a beam."""

    title: Annotated[str, Field(max_length=200)] = "A load crosses a beam"
    model: ModelTable = ModelTable()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self.check_rigid_wheels()
        if self.model.type == "modes":
            self.beam.require_ratios(self.model.number)
        self.check_end()
        self._check_stored()
        return self

    def _check_stored(self) -> None:
        numbers = self.output.points + self.model.number + 2 * len(self.cars) + 10
        numbers += sum(len(vehicle.mass) for vehicle, _ in self.cars.vehicles)
        remedy = "fewer time.samples or output.points"
        require_storable(self.time.samples * numbers, MOST_STORED, remedy)
        dt = self.time.fixed
        if dt is None:
            return
        words = self.too_many_kept(dt)
        if words is not None:
            raise ValueError(words)
        steps = self.t_end / dt
        if steps < 0.5 * (self.time.samples - 1):
            raise ValueError(
                f"has {self.time.samples} samples of about {steps:.0f} steps of time.dt; choose fewer "
                "time.samples, or a shorter time.dt"
            )
