"""Kind "roll": transient rolling, step by step, from bodies at rest or shifted before."""

from __future__ import annotations

import itertools
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import Field as Limits
from pydantic import model_validator

from traction.contact.rolling.material_march import MOST_PARTS
from traction.kinds.tables.friction_tables import (
    MOST_STEPS,
    Columns,
    CreepageTable,
    FrictionCase,
    Row,
    ShiftTable,
    count_lists,
    list_steps,
)
from traction.scenario.schema import NotNegativeLength, PositiveLength, one_or_many

SCHEMES = Literal["covered", "world-fixed", "moving", "moving-interpolated"]
SHORTEST = 1e-9  #: of a step, below which what is left of a distance is rounding


class RollTable(CreepageTable):
    """Steps of rolling: their lengths, creepages or forces, and the scheme.

    With `at`, lists hold at these distances and are linear between them; without, they have a number for
    every step.
    """

    step: one_or_many(PositiveLength)  # type: ignore[valid-type]
    """distance rolled in a step, or in each of them"""
    steps: Annotated[int, Limits(ge=1, le=MOST_STEPS)] | None = None
    distance: PositiveLength | None = None
    """rolled in all; the last step may be shorter"""
    at: Annotated[list[NotNegativeLength], Limits(min_length=2, max_length=MOST_STEPS)] | None = None
    scheme: SCHEMES | None = None
    interpolation_cell: Annotated[float, Limits(gt=0.0, le=1e3)] | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.step is None:
            raise ValueError("needs step, the distance rolled in a step")
        if self.steps is not None and self.distance is not None:
            raise ValueError("takes steps or distance, not both")
        if isinstance(self.step, list) and (self.steps is not None or self.distance is not None):
            raise ValueError("has the length of every step, so that it takes neither steps nor distance")
        if self.at is not None and any(b <= a for a, b in itertools.pairwise(self.at)):
            raise ValueError("needs rising distances in at")
        if self.scheme == "covered" and self.discretisation == "classical":
            raise ValueError('has no classical elements for the scheme "covered"; leave one of the two out')
        if self.interpolation_cell is not None and self.scheme != "moving-interpolated":
            raise ValueError('takes interpolation_cell only with scheme = "moving-interpolated"')
        return self

    @property
    def options(self) -> dict[str, Any]:
        """How `tr.roll` goes on."""
        cell = {} if self.interpolation_cell is None else {"interpolation_cell": self.interpolation_cell}
        return {
            "direction": self.direction,
            "discretisation": self.discretisation,
            "scheme": self.scheme,
            **cell,
        }

    @property
    def words(self) -> list[tuple[str, str]]:
        """How it rolls, for a report."""
        scheme: str = self.scheme or ("covered" if self.discretisation == "covered" else "moving")
        if scheme == "moving-interpolated":
            scheme += f", {self.interpolation_cell or 1.0:g} elements ahead"
        return [super().words[0], ("scheme", scheme), ("discretisation", self.discretisation)]


class RollCase(FrictionCase):
    """A body that begins to roll."""

    steps_key: ClassVar[str] = "rolling"

    title: Annotated[str, Limits(max_length=200)] = "Transient rolling"
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

    @property
    def steps(self) -> list[Row]:
        """What is given in each step, with its length and normal load."""
        lengths = self.lengths
        at = self.rolling.at
        columns = self.columns if at is None else self._between(at, np.cumsum(lengths))
        rows = list_steps(columns, len(lengths))
        return [{**row, "length": length} for row, length in zip(rows, lengths, strict=True)]

    @property
    def start_steps(self) -> list[Row]:
        """What is given in each shift before it rolls."""
        return [] if self.start is None else list_steps(self.start.columns)

    @property
    def first_load(self) -> float:
        """Under which it stands before it rolls."""
        return self.load.values[0]

    def check_steps(self) -> None:
        """Refuse steps that do not go together, before long lists are made."""
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
                raise ValueError("has rolling.at, but no list of numbers that hold there")
            for name, count in lengths.items():
                if count != len(rolling.at):
                    raise ValueError(
                        f"has {count} numbers in {name} for the {len(rolling.at)} distances of rolling.at"
                    )
        super().check_steps()

    def _between(self, at: list[float], places: np.ndarray) -> Columns:
        """Columns with a number for every place, from those at some distances."""
        return {
            name: np.interp(places, at, value).tolist()
            if isinstance(value, list) and len(value) > 1
            else value
            for name, value in self.columns.items()
        }


CASE = RollCase
