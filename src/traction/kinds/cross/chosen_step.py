"""The time step of a crossing whose file has dt = "auto": by which run it is found, and how it is stored.

The search marches the whole crossing a few times, as `tr.cross` does, before the first sample. The step is
part of the state and of every sample, so that a run that is resumed has the same steps without a search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from traction.crossing.choices import AUTO
from traction.crossing.cross import march_prepared
from traction.crossing.time_step import checked_step
from traction.errors import ConvergenceError, InputError
from traction.kinds.cross.case_march import cross_rigidly, prepare_case
from traction.kinds.cross.cross_fields import CHOSEN
from traction.kinds.cross.schema import CrossCase
from traction.results.stored_run import StoredRun
from traction.state_arrays import Arrays

CHOSEN_STEP = "chosen_step"  #: of a state


class ChosenStep(NamedTuple):
    """A time step, and how much the result depends on it."""

    dt: float  #: s
    change: float  #: of forces and deflections from twice this step, relative

    @classmethod
    def search(cls, case: CrossCase) -> ChosenStep:
        """Find the step by marches of the whole crossing; raises ConvergenceError if none is short enough."""
        if case.contact == "rigid":
            run = cross_rigidly(case, AUTO, rtol=case.time.rtol)
            if not run.ok:
                raise ConvergenceError(f"{run.message}.", run)
        else:
            run = march_prepared(prepare_case(case), False, checked_step(AUTO, case.time.rtol), "raise")
        assert run.change is not None  # of a search that has ended
        return cls(run.dt, run.change)

    @classmethod
    def read(cls, state: Arrays) -> ChosenStep | None:
        """The step of a stored state, if it has one."""
        return cls._checked(state[CHOSEN_STEP]) if CHOSEN_STEP in state else None

    @classmethod
    def recall(cls, run: StoredRun) -> ChosenStep | None:
        """The step of stored samples, if they have one."""
        names = [field.name for field in CHOSEN]
        return cls._checked(np.array([run[name][-1] for name in names])) if names[0] in run else None

    @classmethod
    def _checked(cls, values: np.ndarray) -> ChosenStep:
        if values.shape != (2,) or not (np.isfinite(values).all() and values[0] > 0.0):
            raise InputError(f"the time step that was chosen is {values.tolist()}, expected positive numbers")
        return cls(float(values[0]), float(values[1]))

    @property
    def state(self) -> Arrays:
        """The step as part of a state."""
        return {CHOSEN_STEP: np.array(self)}

    @property
    def sample(self) -> dict[str, float]:
        """The step as part of a sample."""
        return {field.name: value for field, value in zip(CHOSEN, self, strict=True)}
