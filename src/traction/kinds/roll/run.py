"""A sample before the first step of rolling, and one after each.

What a step needs of the one before is its tractions, on the contact's grid and, for schemes that keep their
elements in the material, those on the material's cells; and the pressure, which of unlike bodies belongs to
the tractions. All are in the state, so that stopping at any step changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction.contact.friction.shift import shift
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.rolling.transient_rolling import roll
from traction.kinds.friction.friction_fields import (
    CREEPAGE,
    FORCES,
    LOST,
    MAPS,
    QUALITY,
    STICK,
    collect_sample,
    measure_fields,
    name_values,
)
from traction.kinds.friction.friction_stepper import FrictionStepper
from traction.kinds.friction.stored_friction import Creepage, StoredMaterial, restore_friction
from traction.kinds.kind import KindRun, Sample
from traction.kinds.roll.schema import RollCase
from traction.kinds.tables.friction_tables import Row
from traction.results.field import Field, Layout
from traction.results.manifest import KeyFigure
from traction.results.stored_run import StoredRun
from traction.state_arrays import Arrays, flatten_state, unflatten_state

DISTANCE = Field("distance", "m", "distance rolled", labels_samples=True)
#: before the first step there is none
ROLLING = tuple(replace(field, may_be_nan=True) for field in CREEPAGE)
NO_CREEPAGE: Creepage = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class StoredRoll:
    """What the next step depends on."""

    step: int  #: samples so far, the start and steps of rolling
    rolled: float  #: m
    creepage: Creepage
    traction: np.ndarray
    pressure: np.ndarray
    material: StoredMaterial | None


class RollStepper(FrictionStepper[RollCase]):
    """One step after the other, from where the one before ended."""

    @property
    def numbers(self) -> tuple[Field, ...]:
        """The numbers of every sample."""
        return (DISTANCE, *ROLLING, *measure_fields((*FORCES, LOST, STICK, *QUALITY), self.case))

    @cached_property
    def layout(self) -> Layout:
        """Numbers, pressure and tractions at the start and after every step."""
        return self.lay_out((*self.numbers, *MAPS), len(self.steps) + 1)

    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """The start, or the next step."""
        if int(state["step"]) == 0:
            return self._sample(1, 0.0, self._begin())
        here = unflatten_state(StoredRoll, state)
        given = self.steps[here.step - 1]
        length = float(given["length"] or 0.0)
        t = self._roll(self._restore(here), given, length)
        return self._sample(here.step + 1, here.rolled + length, t)

    def _sample(self, step: int, rolled: float, t: TangentialContact) -> tuple[Arrays, Sample]:
        """State and sample after a step, of which the first is the start."""
        begun = step > 1
        creepage = t.creepage if begun else NO_CREEPAGE
        material = StoredMaterial.of(t.state)
        after = StoredRoll(step, rolled, creepage, t.traction, t.normal.pressure, material)
        creepages = name_values(ROLLING, t.creepage if begun else (np.nan,) * 3)
        return flatten_state(after), {DISTANCE.name: rolled, **creepages, **collect_sample(t)}

    def _begin(self) -> TangentialContact:
        """The contact that is about to roll."""
        case = self.case
        contact = self.press_bodies(case.first_load)
        nothing = np.zeros((2, *self.grid.shape))
        t = restore_friction(contact, case.friction, nothing, stick=contact.contact.copy())
        for number, given in enumerate(case.start_steps):
            assert case.start is not None
            moves, force = case.start.prescribed(given)
            previous = t if number else None
            t = shift(
                contact, case.friction, displacement=moves, force=force, previous=previous, tol=case.tol
            )
        return t

    def _restore(self, state: StoredRoll) -> TangentialContact:
        """The contact that a state holds."""
        done, mu = state.step - 1, self.case.friction  # steps of rolling
        contact = self.press_bodies(self.steps[done - 1]["load"] if done else self.case.first_load)
        if self.case.pair.mismatch != 0.0:
            contact = replace(contact, pressure=state.pressure, _displacement=None)
        material = None if state.material is None else state.material.restore(contact, mu)
        return restore_friction(contact, mu, state.traction, creepage=state.creepage, state=material)

    def _roll(self, before: TangentialContact, given: Row, length: float) -> TangentialContact:
        case = self.case
        creepage, force = case.rolling.prescribed(given)
        contact = self.press_bodies(given["load"])
        if contact.force == before.normal.force:
            contact = before.normal  # the pressure of unlike bodies hardly changes from step to step
        return roll(
            before,
            case.friction,
            distance=length,
            creepage=creepage,
            force=force,
            normal=contact,
            tol=case.tol,
            **case.rolling.options,
        )

    def key_figures(self, run: StoredRun) -> Sequence[KeyFigure]:
        """Numbers of the last step, and the energy lost since the first."""
        lost = measure_fields((LOST,), self.case)[0]
        shown = [DISTANCE, *ROLLING, *measure_fields(FORCES, self.case), STICK]
        total = float(np.sum(run[lost.name][1:]))
        return [*self.last_figures(run, shown), ("energy lost in rolling", total, lost.unit)]


RUN = KindRun(RollStepper)
