"""Creepages with the tractions of each."""

from __future__ import annotations

from collections.abc import Sequence

from traction.kinds.friction.friction_fields import (
    CREEPAGE,
    FORCES,
    LOST_PER_METRE,
    STICK,
    collect_sample,
    measure_fields,
    name_values,
)
from traction.kinds.friction.friction_stepper import RollingStepper, count_step
from traction.kinds.kind import KindRun, Sample
from traction.kinds.steady.schema import SteadyCase
from traction.results.manifest import KeyFigure
from traction.results.stored_run import StoredRun
from traction.state_arrays import Arrays


class SteadyStepper(RollingStepper[SteadyCase]):
    """One creepage after the other."""

    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """Roll at the next creepage."""
        step = int(state["step"])
        t = self.roll_at(self.steps[step])
        return count_step(step + 1), {**name_values(CREEPAGE, t.creepage), **collect_sample(t)}

    def key_figures(self, run: StoredRun) -> Sequence[KeyFigure]:
        """Numbers of the last creepage."""
        shown = [*CREEPAGE, *measure_fields((*FORCES, LOST_PER_METRE, STICK), self.case)]
        return self.last_figures(run, shown)


RUN = KindRun(SteadyStepper)
