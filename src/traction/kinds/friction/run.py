"""Steps of a case with friction: pressed bodies that are shifted, roll steadily, or begin to roll.

What a shift or a step of rolling needs of the one before is its tractions, on the contact's grid and, for
schemes that keep their elements in the material, those on the material's cells; and the pressure, which of
unlike bodies belongs to the tractions. All are in the state, so that stopping at any step changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import ClassVar, TypeVar

import numpy as np

from traction.contact.friction.shift import shift
from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.creep_forces import friction_numbers
from traction.contact.rolling.steady_rolling import roll_steady
from traction.contact.rolling.transient_rolling import roll
from traction.contact.stick_slip.lagged_friction import describe_lag
from traction.kinds.friction import friction_fields as fields
from traction.kinds.friction.schema import FrictionCase, RollCase, Row, ShiftCase, SteadyCase
from traction.kinds.friction.stored_friction import StoredInterface, StoredTractions, restore_friction
from traction.kinds.kind import IndependentSamples, KeyFigures, Sample, sum_up_last
from traction.kinds.press.run import PressedStepper
from traction.kinds.stored_state import require_counter
from traction.results.field import Field, Layout
from traction.results.stored_run import StoredRun
from traction.state_arrays import Arrays, flatten_state, unflatten_state

MOST_PRESSED = 2  #: contacts kept: that of a step and that of the one before

C = TypeVar("C", bound=FrictionCase)


class FrictionStepper(PressedStepper[C]):
    """Base of the steppers with friction."""

    motion: ClassVar[tuple[Field, ...]]  #: its fields in the samples
    lost: ClassVar[Field] = fields.LOST
    summary: ClassVar[tuple[Field, ...]]  #: numbers of the last sample that are key figures
    in_all: ClassVar[str] = (
        ""  #: words for the energy lost in all steps, of which each begins where one ended
    )
    start: ClassVar[int] = 0  #: samples before the first step

    @property
    def numbers(self) -> tuple[Field, ...]:
        """The numbers of every sample."""
        table = self.case.thermal_table
        warm = () if table is None else (fields.RISE if table.is_rise else fields.WARMTH,)
        return fields.measure_fields(
            (*self.motion, *fields.FORCES, self.lost, fields.STICK, *warm, *fields.QUALITY), self.case
        )

    @cached_property
    def layout(self) -> Layout:
        """Numbers, pressure and tractions of every step."""
        return self.lay_out((*self.numbers, *fields.MAPS), self.start + len(self.case.steps))

    @cached_property
    def press_bodies(self) -> Callable[[float | None], NormalContact]:
        """The contact under a load; it is unique, so that caching it changes nothing."""
        return lru_cache(MOST_PRESSED)(lambda load: self.press_load(load, tol=self.case.tol))

    def key_figures(self, run: StoredRun) -> KeyFigures:
        """Numbers of the last step, and the energy lost in all."""
        yield from sum_up_last(fields.measure_fields(self.summary, self.case), run)
        if self.in_all:
            (lost,) = fields.measure_fields((self.lost,), self.case)
            yield self.in_all, float(np.sum(run[lost.name][self.start :])), lost.unit


class SteadyStepper(IndependentSamples, FrictionStepper[SteadyCase]):
    """One creepage after the other; none depends on the one before."""

    motion = fields.CREEPAGE
    lost = fields.LOST_PER_METRE
    summary = (*fields.CREEPAGE, *fields.FORCES, fields.LOST_PER_METRE, fields.STICK)

    def roll_at(self, step: int) -> TangentialContact:
        """Steady rolling with the given values."""
        given, rolling = self.case.steps[step], self.case.rolling
        creepage, force = rolling.prescribed(given)
        return roll_steady(
            self.press_bodies(given["load"]),
            self.case.law,
            creepage=creepage,
            force=force,
            **self.case.between,
            position=self.case.position,
            direction=rolling.direction,
            discretisation=rolling.discretisation,
            tol=self.case.tol,
        )

    def sample(self, step: int) -> Sample:
        """Roll at the creepage of that index."""
        t = self.roll_at(step)
        return {**fields.name_values(fields.CREEPAGE, t.creepage), **fields.collect_sample(t)}


class CreepTableStepper(SteadyStepper):
    """Numbers of each row of the table; tractions are not stored."""

    @cached_property
    def layout(self) -> Layout:
        """Numbers of every row; there are no fields over the grid."""
        return Layout((*self.numbers, *fields.AREAS), len(self.case.steps))

    def sample(self, step: int) -> Sample:
        """The row of that index."""
        t = self.roll_at(step)
        known = {**fields.name_values(fields.CREEPAGE, t.creepage), **fields.collect_sample(t)}
        numbers = friction_numbers(t)
        areas = {field.name: int(numbers[field.name]) for field in fields.AREAS}
        return {**{field.name: known[field.name] for field in self.numbers}, **areas}

    def key_figures(self, run: StoredRun) -> KeyFigures:
        """Number of rows, and largest forces."""
        force = fields.measure_fields(fields.FORCES, self.case)[1]
        limit = self.case.coefficient * run["normal_force"]
        share = np.hypot(run["force_x"], run["force_y"]) / np.where(limit > 0.0, limit, 1.0)
        yield "rows", len(run["force_x"]), "1"
        yield "largest force along x", float(np.abs(run["force_x"]).max()), force.unit
        yield "largest force along y", float(np.abs(run["force_y"]).max()), force.unit
        yield "largest force over the limit of friction", float(share.max()), "1"


@dataclass(frozen=True)
class ShiftState:
    """State before the next shift."""

    step: int
    moved: np.ndarray  #: so far: along x, along y (m) and rotation (rad)
    traction: np.ndarray
    between: StoredInterface | None  #: of a law or a layer


class ShiftStepper(FrictionStepper[ShiftCase]):
    """One step after the other; sticking elements keep their place."""

    motion = fields.MOVED
    summary = (*fields.FORCES, fields.STICK, *fields.MOVED)
    in_all = "energy lost in all steps"

    def initial(self) -> Arrays:
        """State before the first shift."""
        return flatten_state(ShiftState(0, np.zeros(3), np.zeros((2, *self.grid.shape)), None))

    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """Shift by the next step, from the tractions of the one before."""
        here, case = unflatten_state(ShiftState, state), self.case
        given = self.case.steps[here.step]
        contact = self.press_bodies(given["load"])
        moves, force = case.shift.prescribed(given)
        before = None
        if here.step:
            known = None if here.between is None else here.between.restore(case.law, **case.between)
            before = restore_friction(contact, case.coefficient, here.traction, interface=known)
        given_motion = {"displacement": moves, "force": force, "position": case.position, **case.between}
        t = shift(contact, case.law, previous=before, tol=case.tol, **given_motion)
        moved = here.moved + np.array(t.creepage)
        after = ShiftState(here.step + 1, moved, t.traction, StoredInterface.of(t.interface))
        return flatten_state(after), {**fields.name_values(fields.MOVED, moved), **fields.collect_sample(t)}


@dataclass(frozen=True)
class StoredRoll:
    """State before the next step."""

    step: int  #: samples so far, the start and steps of rolling
    rolled: float  #: m
    tractions: StoredTractions


class RollStepper(FrictionStepper[RollCase]):
    """One step after the other, from where the one before ended."""

    motion = (fields.DISTANCE, *fields.ROLLING)
    summary = (fields.DISTANCE, *fields.ROLLING, *fields.FORCES, fields.STICK)
    in_all = "energy lost in rolling"
    start = 1

    @property
    def numbers(self) -> tuple[Field, ...]:
        """The numbers of every sample, with the lag of a law that may have one."""
        return (*super().numbers, *((fields.LAG,) if self.case.may_lag else ()))

    def notices(self, run: StoredRun) -> Sequence[str]:
        """Whether friction lagged behind its law."""
        lag = float(np.max(run[fields.LAG.name])) if self.case.may_lag else 0.0
        return [describe_lag(lag)] if lag > 0.0 else []

    def check_state(self, samples: int, state: Arrays) -> None:
        """Refuse a stored state that is not one of this run after so many samples."""
        if samples == 0:
            super().check_state(samples, state)
            return
        require_counter(self.counter, state, samples)
        unflatten_state(StoredRoll, state).tractions.check(self.grid)

    def advance(self, state: Arrays) -> tuple[Arrays, Sample]:
        """The start, or the next step."""
        if int(state["step"]) == 0:
            return self._sample(1, 0.0, self._begin())
        here = unflatten_state(StoredRoll, state)
        given = self.case.steps[here.step - 1]
        length = float(given["length"] or 0.0)
        done = here.step - 1  # steps of rolling
        contact = self.press_bodies(self.case.steps[done - 1]["load"] if done else self.case.first_load)
        before = here.tractions.restore(contact, self.case.law, **self.case.between)
        t = self._roll(before, given, length)
        return self._sample(here.step + 1, here.rolled + length, t)

    def _sample(self, step: int, rolled: float, t: TangentialContact) -> tuple[Arrays, Sample]:
        """State and sample after a step, of which the first is the start."""
        begun, pressure = step > 1, t.normal.pressure if self.case.pair.mismatch != 0.0 else None
        kept = t if begun else replace(t, creepage=(0.0, 0.0, 0.0))
        after = StoredRoll(step, rolled, StoredTractions.of(kept, pressure))
        creepages = fields.name_values(fields.ROLLING, t.creepage if begun else (np.nan,) * 3)
        warm = {fields.WARMTH.name: np.nan} if self.case.thermal_table else {}
        lag = {fields.LAG.name: t.lag} if self.case.may_lag else {}
        found = {**warm, **lag, **fields.collect_sample(t)}
        return flatten_state(after), {fields.DISTANCE.name: rolled, **creepages, **found}

    def _begin(self) -> TangentialContact:
        """The contact that is about to roll."""
        case = self.case
        contact = self.press_bodies(case.first_load)
        nothing = np.zeros((2, *self.grid.shape))
        t = restore_friction(contact, case.coefficient, nothing, stick=contact.contact.copy())
        t = replace(t, position=case.position)
        for number, given in enumerate(case.start_steps):
            assert case.start is not None
            moves, force = case.start.prescribed(given)
            previous = t if number else None
            moved = {"displacement": moves, "force": force, "position": case.position, **case.between}
            t = shift(contact, case.law, previous=previous, tol=case.tol, **moved)
        return t

    def _roll(self, before: TangentialContact, given: Row, length: float) -> TangentialContact:
        case, rolling = self.case, self.case.rolling
        creepage, force = rolling.prescribed(given)
        contact = self.press_bodies(given["load"])
        if contact.force == before.normal.force:
            contact = before.normal  # the pressure of unlike bodies hardly changes from step to step
        return roll(
            before,
            case.law,
            distance=length,
            **case.between,
            creepage=creepage,
            force=force,
            normal=contact,
            tol=case.tol,
            direction=rolling.direction,
            discretisation=rolling.discretisation,
            scheme=rolling.scheme,
            interpolation_cell=rolling.interpolation_cell or 1.0,
        )
