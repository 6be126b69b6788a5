"""What a report shows of shifted bodies: tables, tractions, and force over displacement."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from traction.kinds.friction.friction_fields import FORCES, LOST, STICK, measure_fields
from traction.kinds.friction.friction_report import (
    draw_tractions,
    tabulate_checks,
    tabulate_inputs,
    tabulate_steps,
)
from traction.kinds.kind import Drawn, KindReport
from traction.kinds.report_tables import curve_style
from traction.kinds.shift.run import MOVED
from traction.kinds.shift.schema import ShiftCase
from traction.quantities import unit_for
from traction.results.stored_run import StoredRun
from traction.view.report import Table


def make_tables(case: ShiftCase, run: StoredRun) -> Sequence[Table]:
    """What went in, and what came out."""
    columns = (*MOVED[:2], *measure_fields((*FORCES[1:3], STICK, LOST), case))
    return [
        tabulate_inputs(case, [("steps", f"{len(case.steps)}")]),
        tabulate_steps("Steps", columns, run),
        tabulate_checks(case, run),
    ]


def draw_figures(case: ShiftCase, run: StoredRun) -> Sequence[Drawn]:
    """Tractions of the last step; force over displacement where there are several steps."""
    from traction.view import figures as view

    shown = draw_tractions(case, run, None)
    if len(case.steps) > 1:
        axis = max("xy", key=lambda name: float(np.abs(run[f"force_{name}"]).max()))
        moved, force = run[f"displacement_{axis}"], run[f"force_{axis}"]
        length, newton = unit_for(moved, "m"), unit_for(force, "N")
        figure = view.blank_figure()
        axes = figure.add_subplot()
        style = curve_style(len(case.steps))
        x = np.concatenate(([0.0], length.of(moved)))
        axes.plot(x, np.concatenate(([0.0], newton.of(force))), style, color=view.BLUE, lw=1.8, ms=4)
        limit = case.friction * run["normal_force"].max()
        for side in (1.0, -1.0):
            axes.axhline(float(newton.of(side * limit)), color=view.GREY, lw=1.1, ls="--")
        unit = f"{newton.name}/m" if case.grid.line else newton.name
        labels = f"displacement along {axis} ({length.name})", f"force along {axis} ({unit})"
        view.style_axes(axes, *labels, "Force over displacement")
        shown.append(
            ("force_over_displacement", "Force over displacement, between the limits of friction.", figure)
        )
    return shown


REPORT = KindReport(make_tables, draw_figures)
