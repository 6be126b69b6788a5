"""Common schemas of crossings in scenario files: beam and model, end of the run, and output."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from traction.beams.beam import Beam
from traction.crossing.choices import AUTO, FORCE_METHODS, SIZES
from traction.kinds.tables.axle_tables import LoadedCase
from traction.kinds.tables.beam_tables import MOST_MODES, BeamTable, held
from traction.kinds.tables.method_tables import MethodName, MethodOption, StepLength
from traction.scenario import si
from traction.scenario.schema import Strict, named_also

MOST_ELEMENTS = 20_000
MOST_DENSE = 400  #: elements or cells of a beam that marches with wheels as one dense system
MOST_KEPT = 8e7  #: coordinates of all steps of a crossing that is computed as a whole


class BeamModelTable(Strict):
    """Exact modes, finite elements or finite differences."""

    type: Literal["modes", "elements", "differences"] = "modes"
    size: Annotated[int, Field(ge=1, le=MOST_ELEMENTS)] | None = None
    """of modes (40), elements or cells (100)"""
    residual: bool | None = None
    """of modes: include the static response of neglected modes (true)"""
    method: MethodName | None = None
    options: dict[str, MethodOption] = Field(default_factory=dict, max_length=10)
    """of that method"""

    @model_validator(mode="after")
    def _fits_type(self) -> Self:
        if self.type == "modes" and self.number > MOST_MODES:
            raise ValueError(f"has {self.size} modes, at most {MOST_MODES}")
        if self.type != "modes" and self.residual is not None:
            raise ValueError('takes residual only with type = "modes"')
        return self

    @property
    def number(self) -> int:
        """Of modes, elements or cells."""
        return self.size or SIZES[self.type]

    @property
    def coordinates(self) -> int:
        """Of the beam; nodes of elements also turn."""
        return (2 if self.type == "elements" else 1) * self.number

    @property
    def marches_by(self) -> str | None:
        """The method under plain forces; None of modes, which have none."""
        return None if self.type == "modes" else self.method or FORCE_METHODS[self.type]


class StepsTable(Strict):
    """Time step, end of the run, and number of samples."""

    dt: StepLength | None = None
    """"auto": shortened until rtol is met"""
    rtol: Annotated[float, Field(ge=1e-9, lt=1.0)] | None = None
    """of dt = "auto": largest change of forces and deflections from twice the step to dt (0.001)"""
    t_end: si.PositiveTime | None = None
    """unless given, when the last axle has left"""
    samples: Annotated[int, Field(ge=2, le=1_000_000)] = 501

    @model_validator(mode="after")
    def _asks_once(self) -> Self:
        if self.rtol is not None and not self.automatic:
            raise ValueError('takes rtol only with dt = "auto"')
        return self

    @property
    def automatic(self) -> bool:
        """Whether the time step is chosen by its effect on the result."""
        return self.dt == AUTO

    @property
    def fixed(self) -> float | None:
        """The time step that is given, s."""
        return None if isinstance(self.dt, str) else self.dt


class OutputTable(Strict):
    """Output position on the beam."""

    place: si.NotNegativeLength | None = named_also("x")
    """at which everything is stored; midspan unless given; `x` as in the functions is the same"""
    points: Annotated[int, Field(ge=2, le=10_001)] = 101
    """along the beam, at which the deflection is stored"""


class CrossedCase(LoadedCase):
    """A beam that something crosses."""

    beam: BeamTable
    model: BeamModelTable = BeamModelTable()
    gravity: si.PositiveAcceleration | None = None
    """that wheels feel; 9.81 m/s2"""
    time: StepsTable = StepsTable()
    output: OutputTable = OutputTable()

    @cached_property
    def built(self) -> Beam:
        """The beam."""
        return self.beam.build()

    @property
    def place(self) -> float:
        """At which everything is stored, m."""
        return 0.5 * self.built.length if self.output.place is None else self.output.place

    @cached_property
    def at_rest(self) -> bool:
        """Whether the beam can be at rest under the axles."""
        return held(self.built)

    @property
    def t_end(self) -> float:
        """End of the run, s."""
        way = self.way
        if self.time.t_end is not None:
            return self.time.t_end
        out = float(way.time_at(np.array([self.cars.places.max() + self.built.length]))[0])
        return out if math.isfinite(out) else way.t_end

    def check_end(self) -> None:
        """Refuse ends before any axle or after the travel, and what nothing would feel or show."""
        if self.gravity is not None and not self.cars.vehicles:
            raise ValueError("has gravity, but only forces, on which it has no effect; give wheels")
        self.beam.require_place("output.place", self.output.place)
        way, end = self.way, self.t_end
        if end > way.t_end * (1.0 + 1e-9):
            raise ValueError(f"ends at t_end = {end:g} s, but its travel at {way.t_end:g} s; shorten t_end")
        places, given = self.cars.places, self.time.t_end is not None
        late = np.flatnonzero(way.time_at(places) >= end)
        if late.size and not (given and late.size < places.size):  # others are on the way at a given end
            raise ValueError(
                f"ends at {end:.6g} s, before the axle {places[late[0]]:g} m behind the first reaches "
                "the beam; choose a later time.t_end, or a longer travel"
            )

    def check_rigid_wheels(self) -> None:
        """Refuse what wheels that follow the beam rigidly cannot have on elements or differences."""
        model = self.model
        if model.type == "modes" or not self.cars.vehicles:
            return
        given = [name for name in ("method", "options", "allow_unstable") if getattr(model, name, None)]
        if given:
            raise ValueError(
                f"has rigid wheels, which march condensed on {model.type} too; remove model.{given[0]}, or "
                'use the kind "cross" with contact = "hertz", which takes any method'
            )
        if model.number > MOST_DENSE:
            raise ValueError(
                f"has wheels on {model.number} {model.type}, at most {MOST_DENSE}; choose a smaller size"
            )

    def too_many_kept(self, step: float) -> str | None:
        """Error for steps (s) that are too many to store their states, or None."""
        cars = self.cars
        size = self.model.coordinates + len(cars) + sum(len(vehicle.mass) for vehicle, _ in cars.vehicles)
        steps = self.t_end / step
        if steps * size <= MOST_KEPT:
            return None
        return (
            f"has {steps:.3g} steps of {step:.3g} s with {size} numbers each, at most {MOST_KEPT:g} in all; "
            "choose a longer time.dt, or a smaller model.size"
        )
