"""What a report shows of pressed bodies: tables, the pressure, and force over approach."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from traction.kinds.kind import Drawn, KindReport
from traction.kinds.press.pressed_stepper import restore_contact
from traction.kinds.press.schema import PressCase
from traction.kinds.report_tables import (
    PASSED,
    check_table,
    curve_style,
    grid_words,
    input_table,
    result_table,
)
from traction.kinds.tables.body_tables import material_words, surface_words
from traction.kinds.tables.contact_tables import NormalLoadTable
from traction.quantities import quantity, unit_for
from traction.results.stored_run import StoredRun
from traction.view.report import Table

FEW_ELEMENTS = 8  #: across a contact; fewer say little about the pressure


def make_tables(case: PressCase, run: StoredRun) -> Sequence[Table]:
    """What went in, and what came out."""
    grid, pair = case.grid.build(), case.pair
    inputs = [
        ("grid", grid_words(grid)),
        ("upper body", material_words(pair.upper)),
        ("lower body", material_words(pair.lower)),
        ("effective modulus E*", quantity(pair.effective_modulus, "Pa")),
        *((f"surface {k + 1}", surface_words(table)) for k, table in enumerate(case.surface)),
        ("loads", _load_words(case.load, grid.is_line)),
        *([("periodic along", case.solver.periodic)] if case.solver.periodic else []),
        ("tolerance", f"{case.solver.tol:g}"),
    ]
    limit, worst = case.solver.tol, float(np.max(run["residual"]))
    return [
        input_table(inputs),
        result_table(run.key_figures, "Results at the last load"),
        check_table(
            (
                "largest distance in the contact",
                f"{worst:.1e}",
                f"{limit:g}",
                PASSED if worst <= 1.01 * limit else "missed",
            ),
            check_fineness(run, FEW_ELEMENTS),
        ),
    ]


def check_fineness(run: StoredRun, least: int) -> tuple[str, str, str, str]:
    """Whether the contact has so many elements across."""
    across = int(np.min(run["elements_across"]))
    verdict = PASSED if across >= least else "coarse"
    return "elements across the contact", f"{across}", f"at least {least}", verdict


def _load_words(load: NormalLoadTable, line: bool) -> str:
    """The loads in a few words."""
    unit = "m" if load.given == "approach" else "N/m" if line else "N"
    values = load.values
    if len(values) == 1:
        return f"{load.given} {quantity(values[0], unit)}"
    return f"{len(values)}, {load.given} {quantity(values[0], unit)} to {quantity(values[-1], unit)}"


def draw_figures(case: PressCase, run: StoredRun) -> Sequence[Drawn]:
    """Pressure at the last load, and force over approach where there are several loads."""
    from traction.view import figures as view
    from traction.view.contacts import pressure_map, section

    contact, total = restore_contact(case, run["pressure"][-1]), len(case.load.values)
    drawn = []
    if not case.grid.line:
        figure = view.blank_figure()
        pressure_map(contact, ax=figure.add_subplot())
        drawn.append(("pressure", "Contact pressure at the last load.", figure))
    directions = ("x",) if case.grid.line else ("x", "y")
    figure = view.blank_figure(5.0 * len(directions) + 1.0)
    for number, along in enumerate(directions):
        axes = figure.add_subplot(1, len(directions), number + 1)
        section(contact, along=along, ax=axes, through="peak")
    drawn.append(("section", "Pressure through its peak at the last load.", figure))
    if total > 1 and np.isfinite(run["approach"]).all():
        figure = view.blank_figure()
        axes = figure.add_subplot()
        length, force = unit_for(run["approach"], "m"), unit_for(run["force"], "N")
        axes.plot(length.of(run["approach"]), force.of(run["force"]), curve_style(total))
        view.style_axes(axes, f"approach ({length.name})", f"force ({force.name})", "Force over approach")
        drawn.append(
            ("force_over_approach", "Force over approach: the contact stiffens as it grows.", figure)
        )
    return drawn


REPORT = KindReport(make_tables, draw_figures)
