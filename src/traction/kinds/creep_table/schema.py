"""Kind "creep-table": forces of steady rolling at every combination of creepages and spins."""

from __future__ import annotations

import math
from itertools import product
from typing import ClassVar

from traction.kinds.tables.friction_tables import MOST_STEPS as MOST_ROWS
from traction.kinds.tables.friction_tables import CreepageTable, FrictionCase, Row, as_list


class CreepTableCase(FrictionCase):
    """A body that rolls on at every combination of the loads, creepages and forces that are given."""

    steps_key: ClassVar[str] = "rolling"

    rolling: CreepageTable

    @property
    def choices(self) -> dict[str, list[float] | list[None]]:
        """Of each column; loads vary most slowly."""
        columns = {"load": self.load.values, **self.rolling.columns}
        return {name: [None] if value is None else as_list(value) for name, value in columns.items()}

    @property
    def steps(self) -> list[Row]:
        """Every combination."""
        choices = self.choices
        return [dict(zip(choices, row, strict=True)) for row in product(*choices.values())]

    def check_steps(self) -> None:
        """Refuse a table that is too long before it is made."""
        count = math.prod(len(values) for values in self.choices.values())
        if count > MOST_ROWS:
            raise ValueError(f"has {count} combinations, at most {MOST_ROWS}; give fewer numbers")


CASE = CreepTableCase
