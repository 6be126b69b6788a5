"""Kind "press": two bodies pressed together, through one load or a sequence of them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field as Limits

from traction.kinds.tables.contact_tables import PressedCase
from traction.scenario.schema import Strict


class PressSolverTable(Strict):
    """How the contact is solved."""

    tol: Annotated[float, Limits(ge=1e-11, lt=1.0)] = 1e-6
    periodic: Literal["x", "y", "xy"] | None = None


class PressCase(PressedCase):
    """A body of given shape pressed on another one."""

    solver: PressSolverTable = PressSolverTable()


CASE = PressCase
