"""Kind "shift": pressed bodies shifted over each other without rolling, through a sequence of steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from pydantic import model_validator

from traction.contact.shift import shift
from traction.kinds.friction import (
    MAPS,
    SCALARS,
    Angle,
    Force,
    ForcePerLength,
    FrictionCase,
    FrictionStepper,
    State,
    check_table,
    in_step,
    input_rows,
    sample_of,
    step_table,
    traction_figures,
)
from traction.kinds.friction import key_figures as last_numbers
from traction.kinds.press import MOST_MARKERS, one_or_many
from traction.kinds.registry import KeyFigure, Kind
from traction.quantities import quantity, unit_for
from traction.results.field import Field
from traction.scenario.schema import Length, Strict
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class ShiftTable(Strict):
    """Steps: per direction the displacement of each step or the force after it; one number, or a list.

    What is not given is a displacement of zero. Lists have the same length; one number holds for all steps.
    """

    displacement_x: one_or_many(Length) = None  # type: ignore[valid-type]
    displacement_y: one_or_many(Length) = None  # type: ignore[valid-type]
    rotation: one_or_many(Angle) = None  # type: ignore[valid-type]
    force_x: one_or_many(Force) = None  # type: ignore[valid-type]
    force_y: one_or_many(Force) = None  # type: ignore[valid-type]
    force_per_length_x: one_or_many(ForcePerLength) = None  # type: ignore[valid-type]
    force_per_length_y: one_or_many(ForcePerLength) = None  # type: ignore[valid-type]

    @model_validator(mode="after")
    def _one_of_each(self) -> Self:
        for axis in "xy":
            names = (f"displacement_{axis}", f"force_{axis}", f"force_per_length_{axis}")
            given = [name for name in names if getattr(self, name) is not None]
            if len(given) > 1:
                raise ValueError(f"needs one of {' and '.join(given)}, not both")
        return self

    @property
    def columns(self) -> dict[str, Any]:
        """Displacements, rotation and forces (N, or N/m), as they were given."""
        return {
            "displacement_x": self.displacement_x,
            "displacement_y": self.displacement_y,
            "rotation": self.rotation,
            "force_x": self.force_x if self.force_x is not None else self.force_per_length_x,
            "force_y": self.force_y if self.force_y is not None else self.force_per_length_y,
        }


class ShiftCase(FrictionCase):
    """Pressed bodies that are shifted."""

    shift: ShiftTable

    @model_validator(mode="after")
    def _steps_fit(self) -> Self:
        for axis in "xy":
            wrong = f"force_{axis}" if self.grid.line else f"force_per_length_{axis}"
            right = f"force_per_length_{axis}" if self.grid.line else f"force_{axis}"
            if getattr(self.shift, wrong) is not None:
                raise ValueError(f"takes shift.{right} instead of shift.{wrong} for this grid")
        if self.grid.line and self.grid.length is None:
            raise ValueError(
                "has a line contact, whose shift needs grid.length, that of the strip in contact"
            )
        if self.grid.line and any(self.shift.columns[name] is not None for name in ("force_y", "rotation")):
            raise ValueError("has a line contact, which is shifted along x only")
        _ = self.steps
        return self

    @property
    def steps(self) -> list[dict[str, float | None]]:
        """What is given in each step, with its normal load."""
        return in_step({**self.shift.columns, "load": self.load.values})


MOVED = (
    Field("displacement_x", "m", "displacement along x so far"),
    Field("displacement_y", "m", "displacement along y so far"),
    Field("rotation", "rad", "rotation so far"),
)


class ShiftStepper(FrictionStepper[ShiftCase]):
    """One step after the other; what sticks keeps its place."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """What every sample holds."""
        return (*MOVED, *SCALARS, *MAPS)

    @property
    def total(self) -> int:
        """Number of steps."""
        return len(self.case.steps)

    def initial(self) -> State:
        """Nothing has moved yet."""
        return {
            "step": np.array(0),
            "moved": np.zeros(3),
            "traction": np.zeros((2, *self.grid.shape)),
        }

    def advance(self, state: State) -> tuple[State, dict[str, Any]]:
        """Shift by the next step, from the tractions of the one before."""
        step = int(state["step"])
        given = self.case.steps[step]
        contact = self.pressed(float(given["load"]))  # type: ignore[arg-type]
        force = given["force_x"], given["force_y"]
        moves = tuple(
            None if f is not None else given[name] or 0.0
            for name, f in zip(("displacement_x", "displacement_y"), force, strict=True)
        )
        before = None
        if step:
            before = self.rebuilt(contact, state["traction"].copy(), np.zeros(self.grid.shape, dtype=bool))
        t = shift(
            contact,
            self.case.friction,
            displacement=(*moves, given["rotation"] or 0.0),
            force=force,
            previous=before,
            tol=self.case.tol,
        )
        moved = state["moved"] + np.array(t.creepage)
        sample = {**dict(zip((field.name for field in MOVED), moved, strict=True)), **sample_of(t)}
        return {"step": np.array(step + 1), "moved": moved, "traction": np.array(t.traction)}, sample


def key_figures(case: ShiftCase, samples: dict[str, Any]) -> Sequence[KeyFigure]:
    """Numbers of the last step, and the energy lost in all."""
    shown = [*SCALARS[:4], SCALARS[5], *MOVED]
    lost = float(np.sum(samples["dissipation"]))
    return [*last_numbers(shown, samples), ("energy lost in all steps", lost, "J")]


def tables(case: ShiftCase, samples: dict[str, Any]) -> Sequence[Table]:
    """What went in, and what came out."""
    total = len(case.steps)
    inputs = [*input_rows(case), ("steps", f"{total}"), ("normal loads", _loads(case))]
    columns = {
        "displacement_x": "x (m)",
        "displacement_y": "y (m)",
        "force_x": "force along x (N)",
        "force_y": "force along y (N)",
        "stick_share": "share that sticks",
        "dissipation": "energy lost (J)",
    }
    return [
        Table("Inputs", ("quantity", "value"), inputs),
        step_table("Steps", columns, samples),
        check_table(case, samples),
    ]


def _loads(case: ShiftCase) -> str:
    unit = "m" if case.load.given == "approach" else "N/m" if case.grid.line else "N"
    low, high = min(case.load.values), max(case.load.values)
    return f"{case.load.given} {quantity(low, unit)}" + ("" if low == high else f" to {quantity(high, unit)}")


def figures(case: ShiftCase, samples: dict[str, Any]) -> Sequence[tuple[str, str, Figure]]:
    """Tractions of the last step; force over displacement where there are several steps."""
    from traction.view import figures as view

    shown = traction_figures(ShiftStepper(case), samples, None)
    if len(case.steps) > 1:
        axis = max("xy", key=lambda name: float(np.abs(samples[f"force_{name}"]).max()))
        moved, force = samples[f"displacement_{axis}"], samples[f"force_{axis}"]
        length, newton = unit_for(moved, "m"), unit_for(force, "N")
        figure = view.blank_figure()
        axes = figure.add_subplot()
        style = "o-" if len(case.steps) <= MOST_MARKERS else "-"
        x = np.concatenate(([0.0], length.of(moved)))
        axes.plot(x, np.concatenate(([0.0], newton.of(force))), style, color=view.BLUE, lw=1.8, ms=4)
        limit = case.friction * samples["normal_force"].max()
        for side in (1.0, -1.0):
            axes.axhline(newton.of(side * limit), color=view.GREY, lw=1.1, ls="--")
        unit = f"{newton.name}/m" if case.grid.line else newton.name
        labels = f"displacement along {axis} ({length.name})", f"force along {axis} ({unit})"
        view.style_axes(axes, *labels, "Force over displacement")
        shown.append(
            ("force_over_displacement", "Force over displacement, between the limits of friction.", figure)
        )
    return shown


KIND = Kind(
    name="shift",
    summary="pressed bodies shifted over each other with friction, through one step or many",
    schema=ShiftCase,
    stepper=ShiftStepper,
    key_figures=key_figures,
    tables=tables,
    figures=figures,
)
