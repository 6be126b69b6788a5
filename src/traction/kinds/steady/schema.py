"""Kind "steady": steady rolling with friction at one creepage, or at several."""

from __future__ import annotations

from typing import ClassVar

from traction.kinds.tables.friction_tables import CreepageTable, FrictionCase


class SteadyCase(FrictionCase):
    """A body that rolls on."""

    steps_key: ClassVar[str] = "rolling"

    rolling: CreepageTable


CASE = SteadyCase
