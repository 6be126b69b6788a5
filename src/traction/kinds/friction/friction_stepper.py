"""What runs of friction share: the steps of a case, and the pressed contact of each."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact, press
from traction.contact.rolling.steady_rolling import roll_steady
from traction.kinds.friction.friction_fields import (
    CREEPAGE,
    FORCES,
    LOST_PER_METRE,
    MAPS,
    QUALITY,
    STICK,
    measure_fields,
)
from traction.kinds.press.pressed_stepper import PressedStepper
from traction.kinds.tables.friction_tables import CreepageTable, FrictionCase, Row
from traction.results.field import Field, Layout
from traction.results.manifest import KeyFigure
from traction.results.stored_run import StoredRun

MOST_PRESSED = 2  #: contacts kept: that of a step and that of the one before

C = TypeVar("C", bound=FrictionCase)


class FrictionStepper(PressedStepper[C]):
    """Base of the steppers with friction."""

    @property
    @abstractmethod
    def numbers(self) -> tuple[Field, ...]:
        """The numbers of every sample."""

    @cached_property
    def layout(self) -> Layout:
        """Numbers, pressure and tractions of every step."""
        return self.lay_out((*self.numbers, *MAPS), len(self.steps))

    @cached_property
    def steps(self) -> list[Row]:
        """What is given in each step."""
        return self.case.steps

    @cached_property
    def _pressed(self) -> dict[float, NormalContact]:
        """Contacts by load; a load has one answer, so that keeping it changes nothing."""
        return {}

    def press_bodies(self, load: float | None) -> NormalContact:
        """The contact under a load."""
        assert load is not None
        if load not in self._pressed:
            while len(self._pressed) >= MOST_PRESSED:
                del self._pressed[next(iter(self._pressed))]
            case, given = self.case, self.case.load.given
            self._pressed[load] = press(
                self.gap,
                self.grid,
                case.pair,
                force=load if given == "force" else None,
                approach=load if given == "approach" else None,
                tol=case.tol,
            )
        return self._pressed[load]

    def last_figures(self, run: StoredRun, fields: Sequence[Field]) -> list[KeyFigure]:
        """Numbers of the last step."""
        return [(field.long_name, float(run[field.name][-1]), field.unit) for field in fields]


class RollingStepper(FrictionStepper[C]):
    """One creepage after the other; none depends on the one before."""

    @property
    def numbers(self) -> tuple[Field, ...]:
        """The numbers of every sample."""
        return (*CREEPAGE, *measure_fields((*FORCES, LOST_PER_METRE, STICK, *QUALITY), self.case))

    def roll_at(self, given: Row) -> TangentialContact:
        """Steady rolling with what is given."""
        motion = self.case.motion
        assert isinstance(motion, CreepageTable)
        creepage, force = motion.prescribed(given)
        return roll_steady(
            self.press_bodies(given["load"]),
            self.case.friction,
            creepage=creepage,
            force=force,
            direction=motion.direction,
            discretisation=motion.discretisation,
            tol=self.case.tol,
        )


def count_step(step: int) -> dict[str, np.ndarray]:
    """The state of a run whose steps do not depend on each other."""
    return {"step": np.array(step)}
