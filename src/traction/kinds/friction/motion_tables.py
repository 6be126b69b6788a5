"""Schemas of friction in scenario files: steps in which pressed bodies are moved or pulled."""

from __future__ import annotations

import itertools
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from traction.scenario import si
from traction.scenario.schema import Strict, one_or_many

MOST_STEPS = 10_000

ForcePerLength = si.quantity("force per length", ge=-1e15, le=1e15)
Rotation = si.quantity("angle", ge=-1e3, le=1e3)

Row = dict[str, float | None]  #: given values of a step, None where not given
Columns = dict[str, float | list[float] | None]  #: the same of all steps
Motion = tuple[float | None, float | None, float]
Pull = tuple[float | None, float | None]


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
