"""Kind "shift": pressed bodies shifted over each other without rolling, through a sequence of steps."""

from __future__ import annotations

from typing import ClassVar

from traction.kinds.tables.friction_tables import FrictionCase, ShiftTable


class ShiftCase(FrictionCase):
    """Pressed bodies that are shifted."""

    steps_key: ClassVar[str] = "shift"

    shift: ShiftTable

    def check_steps(self) -> None:
        """Lists go together, and a strip has a length."""
        self.shift.check_strip(self.grid.line, self.grid.length)
        super().check_steps()


CASE = ShiftCase
