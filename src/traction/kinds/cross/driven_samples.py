"""Friction under the driven wheels of a crossing, rolled from sample to sample as `tr.cross` rolls them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.contact.normal.press import NormalContact, recover_contact
from traction.crossing.driving.drive_checks import may_jump, may_lag, require_drivable
from traction.crossing.driving.driven_wheel import DrivenWheel, RolledPart, WheelState
from traction.crossing.driving.driven_wheels import (
    RolledStep,
    RollState,
    WheelRoll,
    largest_forces,
    make_rolls,
    with_room,
)
from traction.crossing.driving.shaft_torsion import Torsion
from traction.crossing.setup import CrossingSetup
from traction.errors import InputError
from traction.kinds.cross.case_march import ElasticSamples, RigidSamples
from traction.kinds.cross.cross_fields import DRIVEN, JUMP, LAG, SHAFT, TRACTIONS
from traction.kinds.cross.schema import CrossCase
from traction.kinds.friction.stored_friction import StoredTractions
from traction.kinds.stored_state import require_shapes
from traction.results.field import Coordinate, Field
from traction.state_arrays import Arrays, flatten_state, unflatten_state
from traction.trains.drive import Demand, Drive

DRIVE = "drive."  #: of a state, what belongs to the driven wheels


@dataclass(frozen=True)
class StoredWheel:
    """A driven wheel at a sample."""

    work: float  #: of friction from the start, J
    slides: int
    slid: bool
    turning: float
    slope: float
    pressed: dict[str, np.ndarray]  #: the last contact; nothing after a flight
    before: StoredTractions | None
    torsion: Torsion | None

    @classmethod
    def of(cls, state: RollState) -> StoredWheel:
        """As values that a file can hold."""
        wheel, before, tractions = state.wheel, state.wheel.before, None
        if before is not None:
            own = None if before.normal is wheel.pressed else before.normal.pressure
            tractions = StoredTractions.of(before, own)
        pressed = {} if wheel.pressed is None else {k: np.array(v) for k, v in wheel.pressed.state.items()}
        return cls(
            state.work, state.slides, state.slid, wheel.turning, wheel.slope, pressed, tractions,
            wheel.torsion,
        )  # fmt: skip

    def check(self, wheel: DrivenWheel) -> None:
        """Refuse what does not fit the wheel, by an `InputError`."""
        grid = wheel.grid
        if (self.torsion is None) != (wheel.drive.shaft is None):
            raise InputError("the twist of a shaft is stored for a wheel without one, or not for one with it")
        numbers = (self.work, self.turning, self.slope, *(self.torsion or ()))
        if not all(math.isfinite(one) for one in numbers):
            raise InputError("the rotation of a driven wheel, its shaft and its work are not finite numbers")
        if self.pressed and {*self.pressed} != {"pressure", "displacement"}:
            raise InputError(f"the last contact holds {', '.join(self.pressed)}")
        require_shapes({name: (one, grid.shape) for name, one in self.pressed.items()})
        if not all(one.dtype == np.float64 and np.isfinite(one).all() for one in self.pressed.values()):
            raise InputError("the last contact is not of finite numbers")
        if self.before is not None:
            self.before.check(grid)

    def restore(self, wheel: DrivenWheel) -> RollState:
        """The state that was stored."""
        pressed: NormalContact | None = None
        if self.pressed:
            pressure, moved = self.pressed["pressure"], self.pressed["displacement"]
            pressed = recover_contact(pressure, wheel.gap, wheel.grid, wheel.pair, displacement=moved)
        before = None
        if self.before is not None and pressed is not None:
            law = self.before.friction if wheel.drive.law is None else wheel.drive.law
            before = self.before.restore(pressed, law, None, wheel.drive.layer)
        known = WheelState(before, pressed, self.turning, self.slope, self.torsion)
        return RollState(known, self.work, self.slides, self.slid)


@dataclass(frozen=True, eq=False)
class DrivenSamples:
    """The driven wheels of a case; `advance` goes from one sample to the next."""

    setup: CrossingSetup | None  #: None where contact is rigid, and no wheel driven
    drives: tuple[Drive | None, ...]  #: of each wheel
    tractions: bool  #: whether those of the first driven wheel are stored

    @classmethod
    def of(cls, case: CrossCase, samples: ElasticSamples | RigidSamples) -> DrivenSamples:
        """Of a case whose march has not begun; refuses what friction cannot be solved for."""
        setup = samples.setup if isinstance(samples, ElasticSamples) else None
        made = cls(setup, case.drives, case.output.traction)
        if setup is None or not made.numbers:
            return made
        require_drivable(made.drives, setup)
        return made

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """Of the wheels that are driven, from 0."""
        return tuple(k for k, drive in enumerate(self.drives) if drive is not None)

    @cached_property
    def rolls(self) -> dict[int, WheelRoll]:
        """Of these wheels, on grids that hold their largest patches."""
        if self.setup is None or not self.numbers:
            return {}
        peaks = largest_forces(self.setup)
        return make_rolls(self.setup, self.drives, with_room(self.setup.contacts, peaks), peaks)

    @property
    def fields(self) -> tuple[Field, ...]:
        """What every sample holds of them."""
        if not self.numbers:
            return ()
        return (*self._columns, *(TRACTIONS if self.tractions else ()))

    @property
    def _columns(self) -> tuple[Field, ...]:
        """What every sample holds of each driven wheel."""
        driven = [one for one in self.drives if one is not None]
        shafts = SHAFT if any(one.shaft is not None for one in driven) else ()
        lags = (LAG,) if any(may_lag(one) for one in driven) else ()
        return (*DRIVEN, *shafts, *lags, *((JUMP,) if any(may_jump(one) for one in driven) else ()))

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Numbers of the wheels, and the grid of the first one's tractions."""
        if not self.numbers:
            return ()
        found = [Coordinate("driven", np.array(self.numbers) + 1, "1", "wheel that is driven")]
        if self.tractions:
            grid, words = self.rolls[self.numbers[0]].wheel.grid, "distance from the middle of the wheel"
            found += [
                Coordinate(name, places, "m", words)
                for name, places in zip(TRACTIONS[0].dims, (grid.y, grid.x), strict=True)
            ]
        return tuple(found)

    def check_state(self, state: Arrays) -> None:
        """Refuse a stored state that the wheels do not fit."""
        for k, roll in self.rolls.items():
            unflatten_state(StoredWheel, state, f"{DRIVE}{k}").check(roll.wheel)

    def advance(
        self, state: Arrays, t: np.ndarray, forces: np.ndarray
    ) -> tuple[Arrays, dict[str, np.ndarray]]:
        """Over the steps that end at t[1:] (s), under the contact forces (N) there, (times, wheels).

        With one time alone, the first, the wheels roll steadily before the bridge.
        """
        after: Arrays = {}
        rows: list[dict[str, float]] = []
        maps: dict[str, np.ndarray] = {}
        for k, roll in self.rolls.items():
            own = f"{DRIVE}{k}"
            if t.size == 1:
                steps = [roll.begin(float(t[0]), float(forces[0, k]))]
            else:
                known = unflatten_state(StoredWheel, state, own).restore(roll.wheel)
                rolled = roll.times(t, forces[:, k], np.zeros(0, dtype=int))
                steps = list(roll.advance(known, t[rolled], forces[rolled, k]))
            stored = flatten_state(StoredWheel.of(steps[-1].state))
            after |= {f"{own}.{name}": one for name, one in stored.items()}
            rows.append(_sum_up(steps, roll.wheel.drive))
            if k == self.numbers[0] and self.tractions:
                demand = roll.demands(t[-1:])[0]
                maps = _maps(roll.wheel, steps[-1].last, float(forces[-1, k]), demand)
        found = {
            one.name: np.array([row[one.name] for row in rows], dtype=one.dtype) for one in self._columns
        }
        return after, found | maps


def _sum_up(steps: list[RolledStep], drive: Drive) -> dict[str, float]:
    """Numbers of a sample: at its end, or mean, any and largest over the parts since the last."""
    parts, last, state = [part for step in steps for part in step.parts], steps[-1].last, steps[-1].state
    lengths = np.concatenate([step.distances for step in steps])
    weights = lengths if lengths.any() else np.ones_like(lengths)  # the train stands
    creepage = np.average([one.creepage for one in parts], axis=0, weights=weights)
    slid = any(one.sliding for one in parts)
    rolled = (*last.force, last.moment, *creepage, last.stick, slid, state.slides, state.work)
    found = dict(zip((one.name for one in DRIVEN), rolled, strict=True))
    found |= zip((one.name for one in SHAFT), state.wheel.see_shaft(drive.shaft), strict=True)
    return {**found, LAG.name: max(step.lag for step in steps), JUMP.name: max(step.jump for step in steps)}


def _maps(wheel: DrivenWheel, last: RolledPart, force: float, demand: Demand) -> dict[str, np.ndarray]:
    """Pressure and tractions at the end of a part; all zero in the air."""
    contact = wheel.roll_freely(force, demand) if last.free else last.contact
    if contact is None:
        nothing = np.zeros(wheel.grid.shape)
        values = [nothing, nothing, nothing, nothing.astype(bool)]
    else:
        values = [contact.normal.pressure, *contact.traction, contact.stick & contact.normal.contact]
    return {field.name: np.array(value) for field, value in zip(TRACTIONS, values, strict=True)}
