"""What a report shows of pressed bodies: tables, the pressure, and force over approach."""

from __future__ import annotations

import numpy as np

from traction.contact.normal.press import COARSE
from traction.kinds.kind import Figures, KindReport, Tables, Words
from traction.kinds.press.run import restore_contact
from traction.kinds.press.schema import PressCase, PressedCase
from traction.kinds.report_tables import (
    PASSED,
    Check,
    Checks,
    check_limit,
    curve_style,
    grid_words,
    range_words,
    result_table,
    share_words,
)
from traction.kinds.tables.body_tables import material_words, surface_words
from traction.quantities import given, quantity, unit_for
from traction.results.stored_run import StoredRun
from traction.view import figures as view
from traction.view.contacts import pressure_map, section


def body_words(case: PressedCase, *behind: tuple[str, str]) -> Words:
    """Rows of a table of inputs: grid, bodies and surfaces, with others before the surfaces."""
    return [
        ("grid", grid_words(case.grid.build())),
        ("upper body", material_words(case.pair.upper)),
        ("lower body", material_words(case.pair.lower)),
        *behind,
        *((f"surface {k + 1}", surface_words(table)) for k, table in enumerate(case.surface)),
    ]


def check_fineness(run: StoredRun, least: int) -> Check:
    """Whether the contact has so many elements across."""
    across = int(np.min(run["elements_across"]))
    verdict = PASSED if across >= least else "coarse"
    return "elements across the contact", f"{across}", f"at least {least}", verdict


class PressReport(KindReport[PressCase, None]):
    """Pressed bodies."""

    def evidence(self) -> str:
        """What the checks compare with."""
        return (
            "The conditions of contact (no penetration, no tension, no pressure across a gap) are evaluated "
            "on the solution itself."
        )

    def computed(self) -> str:
        """Bodies, load and grid."""
        case = self.case
        shape = " and ".join(surface_words(table) for table in case.surface)
        return (
            f"Two elastic bodies ({shape}) are pressed together: {self._load}. The pressure between two half "
            f"spaces is solved on a grid: {grid_words(case.grid.build())}."
        )

    @property
    def _load(self) -> str:
        load = self.case.load
        count = "" if len(load.values) == 1 else f"{len(load.values)} loads, "
        return f"{count}{load.given} {range_words(load.values[0], load.values[-1], self.case.load_unit)}"

    def outcome(self) -> str:
        """Of the last load."""
        last = {name: float(values[-1]) for name, values in self.run.items() if values.ndim == 1}
        line, many = self.case.grid.line, len(self.case.load.values) > 1
        force = quantity(last["force"], "N/m" if line else "N")
        words = f"{'At the last load the' if many else 'The'} normal force is {force}"
        if np.isfinite(last["approach"]):
            words += f" and the bodies approach each other by {quantity(last['approach'], 'm')}"
        words += f". The pressure peaks at {quantity(last['peak_pressure'], 'Pa')}"
        if line:
            return f"{words} on a strip {quantity(2.0 * last['semi_axis_x'], 'm')} wide."
        axes = " and ".join(quantity(last[f"semi_axis_{axis}"], "m") for axis in "xy")
        return f"{words} on an area of {quantity(last['contact_area'], 'm2')} (semi-axes {axes})."

    def results(self) -> Tables:
        """Of the last load."""
        title = "Results" if len(self.case.load.values) == 1 else "Results at the last load"
        return [result_table(self.run.key_figures, f"{title}, per metre" if self.case.grid.line else title)]

    def checks(self) -> Checks:
        """Whether the bodies touch where they press, and whether the grid shows it."""
        tol, worst = self.case.solver.tol, float(np.max(self.run["residual"]))
        residual = check_limit("largest gap in the contact over the approach", worst, tol, slack=0.01 * tol)
        return [residual, check_fineness(self.run, COARSE)]

    def inputs(self) -> Words:
        """Bodies, loads and solver."""
        case, solver = self.case, self.case.solver
        return [
            *body_words(case, ("effective modulus E*", given(case.pair.effective_modulus, "Pa"))),
            ("load", self._load),
            *([("periodic along", solver.periodic)] if solver.periodic else []),
            ("tolerance", share_words(solver.tol)),
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
