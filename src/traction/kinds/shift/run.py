"""One shift after the other; what sticks keeps its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from traction.contact.friction.shift import shift
from traction.kinds.friction.friction_fields import (
    FORCES,
    LOST,
    QUALITY,
    STICK,
    collect_sample,
    measure_fields,
    name_values,
)
from traction.kinds.friction.friction_stepper import FrictionStepper
from traction.kinds.friction.stored_friction import restore_friction
from traction.kinds.kind import KindRun, Sample
from traction.kinds.shift.schema import ShiftCase
from traction.results.field import Field
from traction.results.manifest import KeyFigure
from traction.results.stored_run import StoredRun
from traction.state_arrays import Arrays, flatten_state, unflatten_state

MOVED = (
    Field("displacement_x", "m", "displacement along x so far"),
    Field("displacement_y", "m", "displacement along y so far"),
    Field("rotation", "rad", "rotation so far"),
)


@dataclass(frozen=True)
class ShiftState:
    """What the next shift depends on."""

    step: int
    moved: np.ndarray  #: so far: along x, along y (m) and rotation (rad)
    traction: np.ndarray


class ShiftStepper(FrictionStepper[ShiftCase]):
    """One step after the other; what sticks keeps its place."""

    @property
    def numbers(self) -> tuple[Field, ...]:
        """The numbers of every sample."""
        return (*MOVED, *measure_fields((*FORCES, LOST, STICK, *QUALITY), self.case))

    def initial(self) -> Arrays:
        """Nothing has moved yet."""
        return flatten_state(ShiftState(0, np.zeros(3), np.zeros((2, *self.grid.shape))))

    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """Shift by the next step, from the tractions of the one before."""
        here, case = unflatten_state(ShiftState, state), self.case
        given = self.steps[here.step]
        contact = self.press_bodies(given["load"])
        moves, force = case.shift.prescribed(given)
        before = restore_friction(contact, case.friction, here.traction) if here.step else None
        t = shift(contact, case.friction, displacement=moves, force=force, previous=before, tol=case.tol)
        moved = here.moved + np.array(t.creepage)
        after = ShiftState(here.step + 1, moved, t.traction)
        return flatten_state(after), {**name_values(MOVED, moved), **collect_sample(t)}

    def key_figures(self, run: StoredRun) -> Sequence[KeyFigure]:
        """Numbers of the last step, and the energy lost in all."""
        lost = measure_fields((LOST,), self.case)[0]
        shown = [*measure_fields(FORCES, self.case), STICK, *MOVED]
        total = float(np.sum(run[lost.name]))
        return [*self.last_figures(run, shown), ("energy lost in all steps", total, lost.unit)]


RUN = KindRun(ShiftStepper)
