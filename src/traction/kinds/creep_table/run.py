"""Numbers of each row of the table; tractions are not kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from traction.kinds.creep_table.schema import CreepTableCase
from traction.kinds.friction.friction_fields import (
    CREEPAGE,
    FORCES,
    collect_sample,
    measure_fields,
    name_values,
)
from traction.kinds.friction.friction_stepper import RollingStepper, count_step
from traction.kinds.kind import KindRun, Sample
from traction.results.field import Field, Layout
from traction.results.manifest import KeyFigure
from traction.results.stored_run import StoredRun
from traction.state_arrays import Arrays

AREAS = (
    Field("contact_elements", "1", "elements in contact", dtype="int64"),
    Field("stick_elements", "1", "elements that stick", dtype="int64"),
    Field("slip_elements", "1", "elements that slip", dtype="int64"),
)


class CreepTableStepper(RollingStepper[CreepTableCase]):
    """Numbers of each row of the table; tractions are not kept."""

    @cached_property
    def layout(self) -> Layout:
        """Numbers of every row; there are no fields over the grid."""
        return Layout((*self.numbers, *AREAS), len(self.steps))

    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """The next row."""
        step = int(state["step"])
        t = self.roll_at(self.steps[step])
        known = collect_sample(t)
        counts = (t.normal.contact, t.stick & t.normal.contact, t.sliding)
        row = {
            **name_values(CREEPAGE, t.creepage),
            **{field.name: known[field.name] for field in self.numbers if field.name in known},
            **{field.name: int(where.sum()) for field, where in zip(AREAS, counts, strict=True)},
        }
        return count_step(step + 1), row

    def key_figures(self, run: StoredRun) -> Sequence[KeyFigure]:
        """How long the table is, and how far the forces reach."""
        force = measure_fields(FORCES, self.case)[1]
        limit = self.case.friction * run["normal_force"]
        share = np.hypot(run["force_x"], run["force_y"]) / np.where(limit > 0.0, limit, 1.0)
        return [
            ("rows", float(len(run["force_x"])), "1"),
            ("largest force along x", float(np.abs(run["force_x"]).max()), force.unit),
            ("largest force along y", float(np.abs(run["force_y"]).max()), force.unit),
            ("largest force over the limit of friction", float(share.max()), "1"),
        ]


RUN = KindRun(CreepTableStepper)
