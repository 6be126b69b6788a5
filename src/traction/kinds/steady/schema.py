"""Kind "steady": steady rolling with friction at one creepage, or at several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.rolling.steady_rolling import roll_steady
from traction.kinds.friction.report import (
    Drawn,
    Samples,
    check_table,
    creep_force_figures,
    input_table,
    step_table,
    traction_figures,
)
from traction.kinds.friction.report import key_figures as last_numbers
from traction.kinds.friction.run import (
    CREEPAGE,
    FORCES,
    LOST_PER_METRE,
    QUALITY,
    STICK,
    FrictionStepper,
    measured,
    named,
    sample_of,
)
from traction.kinds.friction.schema import CreepageTable, FrictionCase, Row
from traction.kinds.registry import KeyFigure, Kind
from traction.kinds.tables.contact_tables import State
from traction.results.field import Field
from traction.view.report import Table


class SteadyCase(FrictionCase):
    """A body that rolls on."""

    table: ClassVar[str] = "rolling"

    rolling: CreepageTable


C = TypeVar("C", bound=FrictionCase)


class RollingStepper(FrictionStepper[C]):
    """One creepage after the other; none depends on the one before."""

    @property
    def numbers(self) -> tuple[Field, ...]:
        """The numbers of every sample."""
        return (*CREEPAGE, *measured((*FORCES, LOST_PER_METRE, STICK, *QUALITY), self.case))

    def rolled(self, given: Row) -> TangentialContact:
        """Steady rolling with what is given."""
        motion = self.case.motion
        creepage, force = motion.prescribed(given)
        return roll_steady(
            self.pressed(given),
            self.case.friction,
            creepage=creepage,
            force=force,
            direction=motion.direction,
            discretisation=motion.discretisation,
            tol=self.case.tol,
        )


class SteadyStepper(RollingStepper[SteadyCase]):
    """Creepages with the tractions of each."""

    def advance(self, state: State) -> tuple[State, dict[str, Any]]:
        """Roll at the next creepage."""
        step = int(state["step"])
        t = self.rolled(self.steps[step])
        return {"step": np.array(step + 1)}, {**named(CREEPAGE, t.creepage), **sample_of(t)}


def key_figures(case: SteadyCase, samples: Samples) -> Sequence[KeyFigure]:
    """Numbers of the last creepage."""
    return last_numbers([*CREEPAGE, *measured((*FORCES, LOST_PER_METRE, STICK), case)], samples)


def tables(case: SteadyCase, samples: Samples) -> Sequence[Table]:
    """What went in, and what came out."""
    columns = (*CREEPAGE, *measured((*FORCES[1:], STICK), case))
    return [
        input_table(case, [*case.rolling.words, ("cases", f"{len(case.steps)}")]),
        step_table("Forces", columns, samples),
        check_table(case, samples),
    ]


def figures(case: SteadyCase, samples: Samples) -> Sequence[Drawn]:
    """Tractions of the last creepage, and forces over what varies most."""
    shown = traction_figures(SteadyStepper(case), samples, case.rolling.direction)
    return [*shown, *creep_force_figures(case, samples)]


KIND = Kind(
    name="steady",
    summary="steady rolling with friction, at one creepage or at several",
    schema=SteadyCase,
    stepper=SteadyStepper,
    key_figures=key_figures,
    tables=tables,
    figures=figures,
)
