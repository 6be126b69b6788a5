"""Kind "modes": natural frequencies and mode shapes of a beam, exact to rounding."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from traction.kinds.tables.beam_tables import MOST_MODES, BeamCase


class ModesCase(BeamCase):
    """A beam whose lowest modes are computed."""

    title: Annotated[str, Field(max_length=200)] = "Natural modes of a beam"
    modes: Annotated[int, Field(ge=1, le=MOST_MODES)] = 10
    points: Annotated[int, Field(ge=2, le=10_001)] = 201
    """along the beam, at which shapes are stored"""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self.beam.require_ratios(self.modes)
        return self
