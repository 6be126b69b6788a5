"""Kinds "shift", "steady", "creep-table" and "roll": pressed bodies in motion, with friction."""

from __future__ import annotations

import math
from functools import cached_property
from itertools import product
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from traction.contact.friction.varying_friction import VaryingFriction
from traction.contact.rolling.material_march import MOST_PARTS
from traction.friction_laws.falling_law import FallingLaw
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.friction_laws.track_friction import TrackFriction
from traction.kinds.friction.motion_tables import (
    MOST_STEPS,
    Columns,
    CreepageTable,
    MotionTable,
    RollTable,
    Row,
    ShiftTable,
    as_list,
    count_lists,
    list_steps,
)
from traction.kinds.press.schema import PressedCase
from traction.kinds.tables.friction_tables import LayerTable
from traction.kinds.tables.varying_friction_tables import (
    AlongTrackTable,
    FrictionGiven,
    TemperatureTable,
    check_varying,
    largest_coefficient,
)
from traction.quantities import quantity
from traction.scenario import si

SHORTEST = 1e-9  #: of a step, below which what is left of a distance is rounding


class FrictionCase(PressedCase):
    """A body of given shape pressed on another one, with friction."""

    steps_key: ClassVar[str]  #: of the table of steps

    title: Annotated[str, Field(max_length=200)] = "Contact with friction"
    friction: FrictionGiven
    """coefficient, or a table of a law of the slip speed or the temperature, or along the track"""
    layer: LayerTable | None = None
    """between the bodies"""
    speed: si.PositiveSpeed | None = None
    """of rolling, or of a shift; a law of friction needs it"""
    position: si.Length = 0.0
    """of the contact along the track, at the start; for friction along it"""
    tol: Annotated[float, Field(ge=1e-11, lt=1.0)] = 1e-6

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        self.motion.check_fits(self.steps_key, self.grid.line)
        shifted = self.steps_key == "shift"
        check_varying(self.friction, self.speed, self.pair, position=self.position, shifted=shifted)
        self.check_steps()
        return self

    @property
    def coefficient(self) -> float:
        """Coefficient of friction; of a law that at rest."""
        return largest_coefficient(self.friction)

    @cached_property
    def law(self) -> float | FallingLaw | ThermalFriction | TrackFriction:
        """Friction as the solvers take it."""
        return self.friction if isinstance(self.friction, float) else self.friction.build()

    @property
    def is_warm(self) -> bool:
        """Whether friction depends on the temperature."""
        given = self.friction.base if isinstance(self.friction, AlongTrackTable) else self.friction
        return isinstance(given, TemperatureTable)

    @property
    def may_lag(self) -> bool:
        """Whether steps of rolling may lag behind the law of friction."""
        return VaryingFriction.find_law(self.law).may_lag

    @property
    def between(self) -> dict[str, Any]:
        """Speed and layer, as arguments of the solvers."""
        return {"speed": self.speed, "layer": None if self.layer is None else self.layer.build()}

    @property
    def friction_words(self) -> list[tuple[str, str]]:
        """Friction and layer, for a report."""
        words = [("coefficient of friction", f"{self.coefficient:g}")]
        if not isinstance(self.friction, float):
            words = [("friction", self.friction.words)]
        if self.position != 0.0:
            words.append(("position along the track", quantity(self.position, "m")))
        if self.speed is not None:
            words.append(("speed", quantity(self.speed, "m/s")))
        return words if self.layer is None else [*words, ("layer", self.layer.words)]

    @property
    def motion(self) -> MotionTable:
        """The table of steps."""
        table = getattr(self, self.steps_key)
        assert isinstance(table, MotionTable)
        return table

    @property
    def columns(self) -> Columns:
        """Motions, forces and loads, as given."""
        return {**self.motion.columns, "load": self.load.values}

    @cached_property
    def steps(self) -> list[Row]:
        """Given values of each step, with its normal load; lists have equal lengths."""
        return list_steps(self.columns)

    def check_steps(self) -> None:
        """Refuse steps that do not fit together; kinds add checks."""
        count = len(self.steps)
        if count > MOST_STEPS:
            raise ValueError(f"has {count} steps, at most {MOST_STEPS}; give fewer")


class ShiftCase(FrictionCase):
    """Pressed bodies that are shifted."""

    steps_key: ClassVar[str] = "shift"

    shift: ShiftTable

    def check_steps(self) -> None:
        """Check that lists have equal lengths, and a strip has a length."""
        self.shift.check_strip(self.grid.line, self.grid.length)
        super().check_steps()


class SteadyCase(FrictionCase):
    """A body that rolls steadily."""

    steps_key: ClassVar[str] = "rolling"

    rolling: CreepageTable


class CreepTableCase(SteadyCase):
    """A body that rolls steadily at every combination of the given loads, creepages and forces."""

    @property
    def choices(self) -> dict[str, list[float] | list[None]]:
        """Values of each column; loads vary most slowly."""
        columns = {"load": self.load.values, **self.rolling.columns}
        return {name: [None] if value is None else as_list(value) for name, value in columns.items()}

    @cached_property
    def steps(self) -> list[Row]:
        """Every combination."""
        choices = self.choices
        return [dict(zip(choices, row, strict=True)) for row in product(*choices.values())]

    def check_steps(self) -> None:
        """Refuse a table that is too long before it is built."""
        count = math.prod(len(values) for values in self.choices.values())
        if count > MOST_STEPS:
            raise ValueError(f"has {count} combinations, at most {MOST_STEPS}; give fewer numbers")


class RollCase(FrictionCase):
    """A body that begins to roll."""

    steps_key: ClassVar[str] = "rolling"

    title: Annotated[str, Field(max_length=200)] = "Transient rolling"
    start: ShiftTable | None = None
    """a shift, or several, before it rolls, under the first load"""
    rolling: RollTable

    @property
    def lengths(self) -> list[float]:
        """Distance of every step, m."""
        rolling = self.rolling
        if isinstance(rolling.step, list):
            return [float(step) for step in rolling.step]
        step = float(rolling.step)
        if rolling.distance is not None:
            whole = int(rolling.distance / step * (1.0 + SHORTEST))
            rest = rolling.distance - whole * step
            return [step] * whole + ([rest] if rest > SHORTEST * step else [])
        counts = {} if rolling.at is not None else count_lists(self.columns)
        count = rolling.steps or next(iter(counts.values()), None)
        if count is None:
            raise ValueError("needs rolling.steps or rolling.distance, or a list with a number for each step")
        return [step] * count

    @cached_property
    def steps(self) -> list[Row]:
        """Given values of each step, with its length and normal load."""
        lengths = self.lengths
        at = self.rolling.at
        columns = self.columns if at is None else self._between(at, np.cumsum(lengths))
        rows = list_steps(columns, len(lengths))
        return [{**row, "length": length} for row, length in zip(rows, lengths, strict=True)]

    @property
    def start_steps(self) -> list[Row]:
        """Given values of each shift before rolling."""
        return [] if self.start is None else list_steps(self.start.columns)

    @property
    def first_load(self) -> float:
        """Load before rolling."""
        return self.load.values[0]

    def check_steps(self) -> None:
        """Refuse steps that do not fit together, before long lists are built."""
        if self.start is not None:
            self.start.check_fits("start", self.grid.line)
            self.start.check_strip(self.grid.line, self.grid.length)
            _ = self.start_steps
        rolling, dx = self.rolling, self.grid.build().dx
        steps = rolling.step if isinstance(rolling.step, list) else [rolling.step]
        if rolling.distance is not None and rolling.distance > MOST_STEPS * steps[0]:
            count = rolling.distance / steps[0]
            raise ValueError(f"has {count:.3g} steps, at most {MOST_STEPS}; choose a longer rolling.step")
        if max(steps) > MOST_PARTS * dx:
            raise ValueError(
                f"has steps of {max(steps) / dx:.3g} elements, at most {MOST_PARTS}; "
                "choose a shorter rolling.step"
            )
        if rolling.at is not None:
            lengths = count_lists(self.columns)
            if not lengths:
                raise ValueError("has rolling.at, but no list of values for it")
            for name, count in lengths.items():
                if count != len(rolling.at):
                    raise ValueError(
                        f"has {count} numbers in {name} for the {len(rolling.at)} distances of rolling.at"
                    )
        super().check_steps()

    def _between(self, at: list[float], places: np.ndarray) -> Columns:
        """Columns with a value for every step, from those at some distances."""
        return {
            name: np.interp(places, at, value).tolist()
            if isinstance(value, list) and len(value) > 1
            else value
            for name, value in self.columns.items()
        }
