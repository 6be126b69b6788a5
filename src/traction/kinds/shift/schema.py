"""Kind "shift": pressed bodies shifted over each other without rolling, through a sequence of steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from traction.contact.friction.shift import shift
from traction.kinds.friction.report import (
    Drawn,
    Samples,
    check_table,
    input_table,
    step_table,
    traction_figures,
)
from traction.kinds.friction.report import key_figures as last_numbers
from traction.kinds.friction.run import (
    FORCES,
    LOST,
    QUALITY,
    STICK,
    FrictionStepper,
    measured,
    named,
    sample_of,
)
from traction.kinds.friction.schema import FrictionCase, MotionTable
from traction.kinds.press.schema import MOST_MARKERS
from traction.kinds.registry import KeyFigure, Kind
from traction.kinds.tables.contact_tables import State
from traction.quantities import unit_for
from traction.results.field import Field
from traction.scenario.schema import Length, one_or_many
from traction.scenario.schema import quantity as typed
from traction.view.report import Table

Angle = typed("angle", ge=-1e3, le=1e3)


class ShiftTable(MotionTable):
    """Per direction the displacement of each step, or the force after it."""

    motions: ClassVar[tuple[str, str, str]] = ("displacement_x", "displacement_y", "rotation")

    displacement_x: one_or_many(Length) = None  # type: ignore[valid-type]
    displacement_y: one_or_many(Length) = None  # type: ignore[valid-type]
    rotation: one_or_many(Angle) = None  # type: ignore[valid-type]

    def check_strip(self, line: bool, length: float | None) -> None:
        """Refuse a line contact without a length, and what it cannot do."""
        if line and length is None:
            raise ValueError(
                "has a line contact, whose shift needs grid.length, that of the strip in contact"
            )
        if line and self.rotation is not None:
            raise ValueError("has a line contact, which is shifted along x only")


class ShiftCase(FrictionCase):
    """Pressed bodies that are shifted."""

    table: ClassVar[str] = "shift"

    shift: ShiftTable

    def check_steps(self) -> None:
        """Lists go together, and a strip has a length."""
        self.shift.check_strip(self.grid.line, self.grid.length)
        super().check_steps()


MOVED = (
    Field("displacement_x", "m", "displacement along x so far"),
    Field("displacement_y", "m", "displacement along y so far"),
    Field("rotation", "rad", "rotation so far"),
)


class ShiftStepper(FrictionStepper[ShiftCase]):
    """One step after the other; what sticks keeps its place."""

    @property
    def numbers(self) -> tuple[Field, ...]:
        """The numbers of every sample."""
        return (*MOVED, *measured((*FORCES, LOST, STICK, *QUALITY), self.case))

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
        given = self.steps[step]
        contact = self.pressed(given)
        moves, force = self.case.shift.prescribed(given)
        before = self.rebuilt(contact, state["traction"].copy()) if step else None
        t = shift(
            contact, self.case.friction, displacement=moves, force=force, previous=before, tol=self.case.tol
        )
        moved = state["moved"] + np.array(t.creepage)
        state = {"step": np.array(step + 1), "moved": moved, "traction": np.array(t.traction)}
        return state, {**named(MOVED, moved), **sample_of(t)}


def key_figures(case: ShiftCase, samples: Samples) -> Sequence[KeyFigure]:
    """Numbers of the last step, and the energy lost in all."""
    lost = measured((LOST,), case)[0]
    shown = [*measured(FORCES, case), STICK, *MOVED]
    total = float(np.sum(samples[lost.name]))
    return [*last_numbers(shown, samples), ("energy lost in all steps", total, lost.unit)]


def tables(case: ShiftCase, samples: Samples) -> Sequence[Table]:
    """What went in, and what came out."""
    columns = (*MOVED[:2], *measured((*FORCES[1:3], STICK, LOST), case))
    return [
        input_table(case, [("steps", f"{len(case.steps)}")]),
        step_table("Steps", columns, samples),
        check_table(case, samples),
    ]


def figures(case: ShiftCase, samples: Samples) -> Sequence[Drawn]:
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
