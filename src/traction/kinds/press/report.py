"""What a report shows of pressed bodies: tables, the pressure, and force over approach."""

from __future__ import annotations

import numpy as np

from traction.kinds.kind import Figures, KindReport, Tables, Words
from traction.kinds.press.run import restore_contact
from traction.kinds.press.schema import PressCase, PressedCase
from traction.kinds.report_tables import (
    PASSED,
    check_limit,
    check_table,
    curve_style,
    grid_words,
    input_table,
    range_words,
    result_table,
)
from traction.kinds.tables.body_tables import material_words, surface_words
from traction.quantities import quantity, unit_for
from traction.results.stored_run import StoredRun
from traction.view import figures as view
from traction.view.contacts import pressure_map, section

FEW_ELEMENTS = 8  #: across a contact; fewer say little about the pressure


def body_words(case: PressedCase, *behind: tuple[str, str]) -> Words:
    """Rows of a table of inputs: grid, bodies and surfaces, with others before the surfaces."""
    return [
        ("grid", grid_words(case.grid.build())),
        ("upper body", material_words(case.pair.upper)),
        ("lower body", material_words(case.pair.lower)),
        *behind,
        *((f"surface {k + 1}", surface_words(table)) for k, table in enumerate(case.surface)),
    ]


def check_fineness(run: StoredRun, least: int) -> tuple[str, str, str, str]:
    """Whether the contact has so many elements across."""
    across = int(np.min(run["elements_across"]))
    verdict = PASSED if across >= least else "coarse"
    return "elements across the contact", f"{across}", f"at least {least}", verdict


class PressReport(KindReport[PressCase, None]):
    """Pressed bodies."""

    def tables(self) -> Tables:
        """What went in, and what came out."""
        case, load, solver = self.case, self.case.load, self.case.solver
        count = "" if len(load.values) == 1 else f"{len(load.values)}, "
        inputs = [
            *body_words(case, ("effective modulus E*", quantity(case.pair.effective_modulus, "Pa"))),
            ("loads", f"{count}{load.given} {range_words(load.values[0], load.values[-1], case.load_unit)}"),
            *([("periodic along", solver.periodic)] if solver.periodic else []),
            ("tolerance", f"{solver.tol:g}"),
        ]
        worst = float(np.max(self.run["residual"]))
        residual = check_limit("largest distance in the contact", worst, solver.tol, slack=0.01 * solver.tol)
        return [
            input_table(inputs),
            result_table(self.run.key_figures, "Results at the last load"),
            check_table(residual, check_fineness(self.run, FEW_ELEMENTS)),
        ]

    def figures(self) -> Figures:
        """Pressure at the last load, and force over approach where there are several loads."""
        case, run = self.case, self.run
        contact = restore_contact(case.grid.build(), case.pair, run["pressure"][-1])
        if not case.grid.line:
            figure = view.blank_figure()
            pressure_map(contact, ax=figure.add_subplot())
            yield "pressure", "Contact pressure at the last load.", figure
        directions = ("x",) if case.grid.line else ("x", "y")
        figure = view.blank_figure(5.0 * len(directions) + 1.0)
        for number, along in enumerate(directions):
            axes = figure.add_subplot(1, len(directions), number + 1)
            section(contact, along=along, ax=axes, through="peak")
        yield "section", "Pressure through its peak at the last load.", figure
        if len(case.load.values) > 1 and np.isfinite(run["approach"]).all():
            figure = view.blank_figure()
            axes = figure.add_subplot()
            length, force = unit_for(run["approach"], "m"), unit_for(run["force"], "N")
            style = curve_style(len(case.load.values))
            axes.plot(length.of(run["approach"]), force.of(run["force"]), style)
            view.style_axes(axes, f"approach ({length.name})", f"force ({force.name})", "Force over approach")
            words = "Force over approach: the contact stiffens as it grows."
            yield "force_over_approach", words, figure
