"""The march of a case from sample to sample, and the simpler crossings that it is compared with.

Where the file has dt = "auto", the whole crossing is marched a few times before the first sample, as
`tr.cross` does. The step is part of the state and of every sample, so that a run that is resumed has the same
steps without a search.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from traction.beams.beam import Beam
from traction.crossing.bridge_models.modal_bridge import with_damped_modes
from traction.crossing.choices import AUTO, GRAVITY, SIZES
from traction.crossing.cross import cross, make_march, march_prepared
from traction.crossing.marches.condensed_march import CondensedState
from traction.crossing.marches.march_part import ElasticMarch, MarchColumns, compose_crossing
from traction.crossing.marches.method_march import MethodState
from traction.crossing.packed_train import schedule
from traction.crossing.results.crossing import Crossing
from traction.crossing.results.crossing_certificate import away_from, force_departure
from traction.crossing.results.energies import ENERGIES, Energies, energies_of
from traction.crossing.setup import CrossingSetup, prepare_crossing
from traction.crossing.time_step import checked_step
from traction.crossing.wheel_contact import WheelContact
from traction.errors import ConvergenceError, InputError, StepWarning
from traction.kinds.cross.cross_fields import CHOSEN
from traction.kinds.cross.schema import MOST_STEPS, CrossCase
from traction.kinds.moving_load.findings import require_kept, rigid_options, rigid_step
from traction.results.stored_run import StoredRun
from traction.state_arrays import Arrays, flatten_state, unflatten_state

RECENT = 6  #: forces at kept times before a sample with which the departure of those after it is judged
MARCH = "march."  #: of a state, what belongs to the march
NO_WHEELS = np.zeros((0, 0))  #: forces of steps without any
CHOSEN_STEP = "chosen_step"  #: of a state


class SimplerCrossing(NamedTuple):
    """The same crossing with a simpler contact."""

    run: Crossing
    resolved: bool  #: whether the time step is short enough for it


class SampleRow(NamedTuple):
    """A crossing at a sample, and the motion of its wheels since the one before."""

    columns: MarchColumns  #: one row
    passed: MarchColumns  #: at the kept times since the sample before, that one first
    step_forces: np.ndarray  #: under the wheels at the ends of all steps, N, (steps, wheels)
    kept_forces: np.ndarray  #: at the kept times, that of the sample before first, N, (times, wheels)
    energies: np.ndarray  #: J, (ENERGIES,)
    pressure: Callable[[int], np.ndarray | None]  #: of a wheel's patch, solved, Pa


@dataclass(frozen=True, eq=False)
class ElasticSamples:
    """A crossing in elastic contact, from sample to sample."""

    march: ElasticMarch[Any]
    every: int  #: steps between kept times from one sample to the next

    @property
    def setup(self) -> CrossingSetup:
        """The prepared crossing."""
        return self.march.setup

    @property
    def contacts(self) -> tuple[WheelContact, ...]:
        """Of the wheels."""
        return self.setup.contacts

    @property
    def times(self) -> np.ndarray:
        """Kept, s."""
        return self.setup.times.t

    @cached_property
    def begun(self) -> Arrays:
        """The state before the first sample."""
        return self._stored(self.march.begin(), np.zeros(len(ENERGIES)))

    def check_state(self, state: Arrays, number: int) -> None:
        """Refuse a stored state that is not one after the sample of that number."""
        step, expected = self._read(state).step, int(self.setup.times.kept[number * self.every])
        if step != expected:
            raise InputError(f"the march is at step {step}, expected {expected}")

    def _read(self, state: Arrays) -> Any:
        kind = CondensedState if f"{MARCH}closing" in state else MethodState
        return unflatten_state(kind, state, MARCH.rstrip("."))

    def advance(self, state: Arrays, number: int) -> tuple[Arrays, SampleRow]:
        """March to the sample of that number."""
        before = self._read(state)
        now, part = self.march.advance(before, number * self.every)
        energies, columns = part.energies.count(state["energies"])[-1], part.columns
        kept = self.setup.times.kept
        kept = kept[(kept >= part.first) & (kept < part.first + len(columns.contact_forces))] - part.first
        last, passed = columns.at(slice(-1, None)), columns.at(kept)
        row = SampleRow(
            last, passed, columns.contact_forces[1:], passed.contact_forces, energies,
            partial(self._pressure, now, last.approach[0]),
        )  # fmt: skip
        return self._stored(now, energies), row

    def judge(self, recent: np.ndarray, number: int, kept: np.ndarray) -> tuple[np.ndarray, float]:
        """The last forces up to a sample, and the departure of forces since the one before, N.

        `recent` (RECENT, wheels) are those up to the sample before, `kept` those from it on.
        """
        known = min(RECENT, (number - 1) * self.every + 1) if number else 0
        forces = np.concatenate([recent[RECENT - known : -1], kept]) if known else kept
        times, last = self.setup.times, number * self.every
        place = times.travel.place(times.t[last + 1 - len(forces) : last + 1])
        smooth = away_from(self.setup.beam.ends, place[:, None] - self.setup.packed.behind)
        return np.concatenate([recent, forces])[-RECENT:], force_departure(forces, smooth) or 0.0

    def compose(
        self, numbers: np.ndarray, columns: MarchColumns, count_energies: Callable[[], Energies]
    ) -> Crossing:
        """The crossing at the times of samples."""
        rows = numbers * self.every
        return compose_crossing(self.setup, rows, columns, count_energies, self.contacts, {})

    def compose_steps(self, number: int, row: SampleRow) -> Crossing:
        """The crossing at the kept times from the sample before to that of the number."""
        rows = np.arange(max(number - 1, 0) * self.every, number * self.every + 1)
        counted = partial(energies_of, np.tile(row.energies, (rows.size, 1)))
        return compose_crossing(self.setup, rows, row.passed, counted, self.contacts, {})

    def _pressure(
        self, state: CondensedState | MethodState, approach: np.ndarray, wheel: int
    ) -> np.ndarray | None:
        """Of a wheel's patch at its approach (m): as last solved, or solved here where the march did not."""
        table = self.contacts[wheel].table
        return state.pressure(wheel) if table is None else table.contact(float(approach[wheel])).pressure

    def _stored(self, state: object, energies: np.ndarray) -> Arrays:
        return {"energies": energies, **{MARCH + name: one for name, one in flatten_state(state).items()}}


@dataclass(frozen=True, eq=False)
class RigidSamples:
    """A crossing in rigid contact: computed as a whole, quickly and reproducibly."""

    run: Crossing
    every: int  #: steps from one sample to the next

    contacts: tuple[WheelContact, ...] = ()

    @property
    def times(self) -> np.ndarray:
        """Kept, s."""
        return self.run.t

    @property
    def begun(self) -> Arrays:
        """The state before the first sample."""
        return {}

    def check_state(self, state: Arrays, number: int) -> None:
        """Nothing to check: the state is empty."""

    def advance(self, state: Arrays, number: int) -> tuple[Arrays, SampleRow]:
        """The sample of that number."""
        run, last, first = self.run, number * self.every, max(number - 1, 0) * self.every
        bending, wheels, own = run.bending, run.vehicles, slice(first, last + 1)
        a, none = bending.nodal_accelerations, np.zeros((1, 0))
        bent = bending.coordinates[own], bending.velocities[own], None if a is None else a[own]
        if wheels is None:
            passed, forces = MarchColumns(*bent, none, none, none, none, none), NO_WHEELS
            columns = passed._replace(**_last_of(passed, ("coordinates", "velocities", "accelerations")))
        else:
            moved = (wheels.coordinates[own], wheels.velocities[own], wheels.contact_forces[own])
            passed = MarchColumns(*bent, *moved, none, wheels.in_contact[own])
            columns = passed._replace(**_last_of(passed, [*MarchColumns._fields[:6], "in_contact"]))
            forces = wheels.contact_forces[own]
        return {}, SampleRow(columns, passed, forces[1:], forces, np.zeros(len(ENERGIES)), lambda _: None)

    def compose(self, numbers: np.ndarray, *_: object) -> Crossing:
        """The crossing at the times of samples."""
        return self._at(numbers * self.every)

    def compose_steps(self, number: int, row: SampleRow) -> Crossing:
        """The crossing at the kept times from the sample before to that of the number."""
        return self._at(np.arange(max(number - 1, 0) * self.every, number * self.every + 1))

    def _at(self, rows: np.ndarray) -> Crossing:
        run = self.run
        vehicles = None if run.vehicles is None else run.vehicles.at_rows(rows)
        return replace(run, t=run.t[rows], bending=run.bending.at_rows(rows), vehicles=vehicles)


def _last_of(columns: MarchColumns, names: Sequence[str]) -> dict[str, np.ndarray]:
    """The last row of some columns."""
    found = {name: getattr(columns, name) for name in names}
    return {name: one[-1:] for name, one in found.items() if one is not None}


def make_samples(case: CrossCase, step: float | None = None) -> ElasticSamples | RigidSamples:
    """The march of a case, in steps of at most `step` (s) if it is known; refuses invalid crossings."""
    if case.contact == "rigid":
        dt = case.t_end / case.even_steps(rigid_step(case) if step is None else step)
        require_kept(case, dt)
        run = cross_rigidly(case, dt)
        return RigidSamples(run, (run.t.size - 1) // (case.time.samples - 1))
    setup = prepare_case(case, step)
    return ElasticSamples(make_march(setup), (setup.times.t.size - 1) // (case.time.samples - 1))


def cross_simply(case: CrossCase, contact: str, dt: float) -> SimplerCrossing:
    """The same with rigid or Hertz's contact at steps of dt (s), condensed on modes."""
    given: dict[str, Any] = {"wheel": case.shape} if contact != "rigid" else {}
    given |= {"t_end": case.time.t_end, "gravity": case.gravity, "irregularity": case.rough}
    if case.model.type == "modes":
        given |= {"size": case.model.number, "residual": case.model.residual}
        return _cross_quietly(case, case.built, contact, dt, **given)
    return _cross_quietly(case, with_damped_modes(case.built, SIZES["modes"]), contact, dt, **given)


def is_hertzian(case: CrossCase) -> bool:
    """Whether wheels and rail are paraboloids."""
    shapes = [case.wheel, *(axle.wheel for axle in case.axle or [] if axle.wheel is not None)]
    return case.rail.surface is None and all(shape.surface is None for shape in shapes)


def cross_rigidly(case: CrossCase, dt: float | str, **given: Any) -> Crossing:
    """The case in rigid contact, in steps of dt (s) or "auto"."""
    return _cross_quietly(case, case.built, "rigid", dt, **rigid_options(case), **given).run


def prepare_case(case: CrossCase, step: float | None = None) -> CrossingSetup:
    """With steps that fall on the samples, of at most `step` (s) if it is known."""
    given, model = case.time, case.model
    setup = prepare_crossing(
        case.bridge, case.cars, case.way, case.gravity or GRAVITY, contact=case.contact, wheel=case.shape,
        grid=None if case.grid is None else case.grid.build(), solve=case.solve, model=model.type,
        size=model.number, method=model.method, dt=step or given.fixed, end=given.t_end,
        irregularity=case.rough, residual=model.residual, options=dict(model.options),
    )  # fmt: skip
    count = case.even_steps(float(setup.times.t[1]))
    if count > MOST_STEPS:
        raise InputError(f"the crossing has {count} steps, at most {MOST_STEPS:g}; choose a longer time.dt.")
    times = schedule(setup.beam, setup.cars, setup.times.travel, case.t_end / count, given.t_end)
    return replace(setup, times=times)


def _cross_quietly(
    case: CrossCase, beam: Beam, contact: str, dt: float | str, **given: Any
) -> SimplerCrossing:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")  # of slopes and curvatures, which the notices of the run name
        warnings.simplefilter("always", StepWarning)
        run = cross(
            case.rail.bridge(beam), case.cars, case.way, contact=contact, dt=dt, on_failure="return",
            progress=False, **given,
        )  # fmt: skip
    return SimplerCrossing(run, run.ok and not caught)


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
