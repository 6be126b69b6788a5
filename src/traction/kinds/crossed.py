"""What all crossings share in scenario files: the beam, when the run ends, and where it is looked at."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Annotated

import numpy as np
from pydantic import Field as Limits

from traction.beams.beam import Beam
from traction.kinds.axles import LoadedCase
from traction.kinds.beams import BeamTable, held
from traction.scenario.schema import NotNegativeLength, PositiveAcceleration, PositiveTime, Strict


class StepsTable(Strict):
    """How long the steps are, when the run ends, and how often it is stored."""

    dt: PositiveTime | None = None
    t_end: PositiveTime | None = None
    """unless given, when the last axle has left"""
    samples: Annotated[int, Limits(ge=2, le=1_000_000)] = 501


class OutputTable(Strict):
    """Where the beam is looked at."""

    place: NotNegativeLength | None = None
    """at which everything is stored; midspan unless given"""
    points: Annotated[int, Limits(ge=2, le=10_001)] = 101
    """along the beam, at which the deflection is stored"""


class CrossedCase(LoadedCase):
    """A beam that something crosses."""

    beam: BeamTable
    gravity: PositiveAcceleration | None = None
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

    def check_arrival(self) -> None:
        """Refuse axles that do not reach the beam before the end, and what nothing would feel or show."""
        if self.gravity is not None and not self.cars.vehicles:
            raise ValueError("has gravity, but only forces, which do not feel it; give wheels")
        self.beam.require_place("output.place", self.output.place)
        way, cars, end = self.way, self.cars, self.t_end
        if end > way.t_end * (1.0 + 1e-9):
            raise ValueError(f"ends at t_end = {end:g} s, but its travel at {way.t_end:g} s; shorten t_end")
        late = np.flatnonzero(way.time_at(cars.places) >= end)
        if late.size:
            raise ValueError(
                f"ends at {end:.6g} s, before the axle {cars.places[late[0]]:g} m behind the first reaches "
                "the beam; choose a later time.t_end, or a longer travel"
            )
