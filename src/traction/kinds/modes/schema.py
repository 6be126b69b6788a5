"""Kind "modes": natural frequencies and mode shapes of a beam, exact to rounding."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Self

from pydantic import Field as Limits
from pydantic import model_validator

from traction.beams.beam import Beam
from traction.kinds.tables.beam_tables import MOST_MODES, BeamTable
from traction.scenario.schema import Strict


class ModesCase(Strict):
    """A beam whose lowest modes are asked for."""

    title: Annotated[str, Limits(max_length=200)] = "Natural modes of a beam"
    beam: BeamTable
    modes: Annotated[int, Limits(ge=1, le=MOST_MODES)] = 10
    points: Annotated[int, Limits(ge=2, le=10_001)] = 201
    """along the beam, at which shapes are stored"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self.beam.require_ratios(self.modes)
        return self

    @cached_property
    def built(self) -> Beam:
        """The beam."""
        return self.beam.build()


CASE = ModesCase
