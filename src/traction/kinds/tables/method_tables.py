"""Schemas of integration methods in scenario files: their names, options and steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Discriminator, Field, Tag

from traction.integrators.method_table import MODULES
from traction.scenario import si

if TYPE_CHECKING:
    MethodName = str
else:
    MethodName = Literal[tuple(MODULES)]  # a new method can be asked for the day it is added
StepLength = Annotated[
    Annotated[Literal["auto"], Tag("auto")] | Annotated[si.PositiveTime, Tag("time")],
    Discriminator(lambda value: "auto" if value == "auto" else "time"),
]
MethodOption = bool | int | float | Annotated[str, Field(max_length=40)]
