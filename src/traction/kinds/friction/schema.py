"""Kinds "shift", "steady", "creep-table" and "roll": pressed bodies, moved or pulled with friction."""

from __future__ import annotations

import itertools
import math
from functools import cached_property
from itertools import product
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from traction.contact.friction.varying_friction import VaryingFriction
from traction.contact.rolling.material_march import MOST_PARTS
from traction.friction_laws.falling_law import FallingLaw
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.friction_laws.track_friction import TrackFriction
from traction.kinds.press.schema import PressedCase
from traction.kinds.tables.friction_tables import (
    AlongTrackTable,
    FrictionGiven,
    LayerTable,
    TemperatureTable,
    check_varying,
    largest_coefficient,
)
from traction.quantities import quantity
from traction.scenario import si
from traction.scenario.schema import Strict, one_or_many

MOST_STEPS = 10_000

ForcePerLength = si.quantity("force per length", ge=-1e15, le=1e15)
Rotation = si.quantity("angle", ge=-1e3, le=1e3)

Row = dict[str, float | None]  #: given values of a step, None where not given
Columns = dict[str, float | list[float] | None]  #: the same of all steps
Motion = tuple[float | None, float | None, float]
Pull = tuple[float | None, float | None]
SHORTEST = 1e-9  #: of a step, below which what is left of a distance is rounding


class MotionTable(Strict):
    """Steps: per direction the motion, or the force in its place; one number, or a list.

    Motions that are not given are zero. Lists have the same length; one number applies to all steps.
    """

    motions: ClassVar[tuple[str, str, str]]  #: keys of the motion along x, along y and about z

    force_x: one_or_many(si.Force) = None  # type: ignore[valid-type]
    force_y: one_or_many(si.Force) = None  # type: ignore[valid-type]
    force_per_length_x: one_or_many(ForcePerLength) = None  # type: ignore[valid-type]

    @model_validator(mode="after")
    def _one_of_each(self) -> Self:
        along_x, along_y, _ = self.motions
        for names in ((along_x, "force_x", "force_per_length_x"), (along_y, "force_y")):
            given = [name for name in names if getattr(self, name) is not None]
            if len(given) > 1:
                raise ValueError(f"needs one of {' and '.join(given)}, not both")
        return self

    @property
    def columns(self) -> Columns:
        """Motions and forces (N, or N/m), as they were given."""
        return {
            **{name: getattr(self, name) for name in self.motions},
            "force_x": self.force_x if self.force_x is not None else self.force_per_length_x,
            "force_y": self.force_y,
        }

    def prescribed(self, given: Row) -> tuple[Motion, Pull]:
        """Motion and force of a step, as the solvers take them."""
        along_x, along_y, turn = self.motions
        force = given["force_x"], given["force_y"]
        moves = (
            None if pull is not None else given[name] or 0.0
            for name, pull in zip((along_x, along_y), force, strict=True)
        )
        return (*moves, given[turn] or 0.0), force  # type: ignore[return-value]

    def check_fits(self, key: str, line: bool) -> None:
        """Refuse forces that a grid cannot take; `key` is the name of the table."""
        wrong, right = ("force_x", "force_per_length_x") if line else ("force_per_length_x", "force_x")
        if getattr(self, wrong) is not None:
            raise ValueError(f"takes {key}.{right} instead of {key}.{wrong} for this grid")
        if line and self.force_y is not None:
            raise ValueError("has a line contact, which carries a force along x only")


class CreepageTable(MotionTable):
    """Rolling: creepages, or forces in their place."""

    motions: ClassVar[tuple[str, str, str]] = ("longitudinal", "lateral", "spin")

    longitudinal: one_or_many(si.Number) = None  # type: ignore[valid-type]
    lateral: one_or_many(si.Number) = None  # type: ignore[valid-type]
    spin: one_or_many(si.Spin) = None  # type: ignore[valid-type]
    direction: Literal[1, -1] = 1
    discretisation: Literal["covered", "classical"] = "covered"

    @property
    def words(self) -> list[tuple[str, str]]:
        """How it rolls, for a report."""
        return [
            ("rolling", "along +x" if self.direction > 0 else "along -x"),
            ("elements", self.discretisation),
        ]


class ShiftTable(MotionTable):
    """Per direction the displacement of each step, or the force after it."""

    motions: ClassVar[tuple[str, str, str]] = ("displacement_x", "displacement_y", "rotation")

    displacement_x: one_or_many(si.Length) = None  # type: ignore[valid-type]
    displacement_y: one_or_many(si.Length) = None  # type: ignore[valid-type]
    rotation: one_or_many(Rotation) = None  # type: ignore[valid-type]

    def check_strip(self, line: bool, length: float | None) -> None:
        """Refuse a line contact without a length, and motions it does not have."""
        if line and length is None:
            raise ValueError(
                "has a line contact, whose shift needs grid.length, that of the strip in contact"
            )
        if line and self.rotation is not None:
            raise ValueError("has a line contact, which is shifted along x only")


class RollTable(CreepageTable):
    """Steps of rolling: their lengths, creepages or forces, and the scheme.

    With `at`, lists hold at these distances and are linear between them; without, they have a number for
    every step.
    """

    not_both = (("steps or distance", "steps", "distance"),)

    step: one_or_many(si.PositiveLength)  # type: ignore[valid-type]
    """distance rolled in a step, or in each of them"""
    steps: Annotated[int, Field(ge=1, le=MOST_STEPS)] | None = None
    distance: si.PositiveLength | None = None
    """rolled in all; the last step may be shorter"""
    at: Annotated[list[si.NotNegativeLength], Field(min_length=2, max_length=MOST_STEPS)] | None = None
    scheme: Literal["covered", "world-fixed", "moving", "moving-interpolated"] | None = None
    interpolation_cell: Annotated[float, Field(gt=0.0, le=1e3)] | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.step is None:
            raise ValueError("needs step, the distance rolled in a step")
        if isinstance(self.step, list) and (self.steps is not None or self.distance is not None):
            raise ValueError("has the length of every step, so that it takes neither steps nor distance")
        if self.at is not None and any(b <= a for a, b in itertools.pairwise(self.at)):
            raise ValueError("needs increasing distances in at")
        if self.scheme == "covered" and self.discretisation == "classical":
            raise ValueError('has no classical elements for the scheme "covered"; leave one of the two out')
        if self.interpolation_cell is not None and self.scheme != "moving-interpolated":
            raise ValueError('takes interpolation_cell only with scheme = "moving-interpolated"')
        return self

    @property
    def words(self) -> list[tuple[str, str]]:
        """How it rolls, for a report."""
        scheme: str = self.scheme or ("covered" if self.discretisation == "covered" else "moving")
        if scheme == "moving-interpolated":
            scheme += f", {self.interpolation_cell or 1.0:g} elements ahead"
        return [super().words[0], ("scheme", scheme), ("discretisation", self.discretisation)]


def as_list(value: float | list[float]) -> list[float]:
    """One number or many, as a list."""
    return list(value) if isinstance(value, list) else [float(value)]


def count_lists(columns: Columns) -> dict[str, int]:
    """Lengths of the columns that are lists of more than one number."""
    lengths = {name: len(value) for name, value in columns.items() if isinstance(value, list)}
    return {name: n for name, n in lengths.items() if n > 1}


def list_steps(columns: Columns, total: int | None = None) -> list[Row]:
    """Rows of columns that are one number for all, None, or lists of the same length."""
    lengths = count_lists(columns)
    if len(set(lengths.values())) > 1:
        raise ValueError(
            "has lists of different lengths: " + ", ".join(f"{name} {n}" for name, n in lengths.items())
        )
    count = next(iter(lengths.values()), 1)
    if total is not None and lengths and count != total:
        raise ValueError(f"has lists of {count} numbers ({', '.join(lengths)}) for {total} steps")
    lists = {name: [None] if value is None else as_list(value) for name, value in columns.items()}
    return [
        {name: values[k if len(values) > 1 else 0] for name, values in lists.items()}
        for k in range(count if total is None else total)
    ]


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
    def thermal_table(self) -> TemperatureTable | None:
        """Friction by temperature; None where it does not depend on it."""
        given = self.friction.base if isinstance(self.friction, AlongTrackTable) else self.friction
        return given if isinstance(given, TemperatureTable) else None

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
