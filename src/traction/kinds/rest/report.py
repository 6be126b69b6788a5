"""What a report shows of wheels at rest: tables, deflections and patches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from traction.contact.normal.press import NormalContact
from traction.grid import Grid
from traction.kinds.kind import Figures, KindReport, Tables, Words
from traction.kinds.press.run import restore_contact
from traction.kinds.report_tables import check_limit, check_table, input_table, result_table
from traction.kinds.rest.run import RestFindings
from traction.kinds.rest.schema import RestCase
from traction.kinds.tables.beam_tables import beam_words
from traction.kinds.tables.body_tables import material
from traction.materials import Pair
from traction.quantities import quantity, significant
from traction.resting.rest_result import STEEPEST
from traction.view import figures as view
from traction.view.contacts import pressure_map
from traction.view.report import Table
from traction.view.resting import draw_patches, rest_plot

EQUILIBRIUM, AGREEMENT = 1e-10, 1e-10  #: limits of the checks
UNITS = {"force": "N", "peak_pressure": "Pa"}  #: of columns that are no lengths
STORY = (
    "Wheels stand on a bridge: the bridge bends (global), the contact under each wheel dents it (local), "
    "and either changes the other. The half space tells the pressure on the wheel's profile minus the "
    "bent bridge; the pressure, distributed as it is, bends the bridge."
)


class RestReport(KindReport[RestCase, RestFindings]):
    """Wheels at rest."""

    kept = RestFindings

    def tables(self) -> Tables:
        """Every wheel, what holds, and what went in."""
        last = {name: values[-1] for name, values in self.run.samples.items()}
        header = (
            "wheel", "force", "beam deflection", "approach", "peak pressure", "semi-axis",
            "by bending", "pressure by bending",
        )  # fmt: skip
        names = ("force", "beam_deflection", "approach", "peak_pressure", "semi_axis_x")
        rows = [
            (
                f"{k + 1}",
                *(quantity(float(last[name][k]), UNITS.get(name, "m")) for name in names),
                *(_format_change(last, name, k) for name in ("semi_axis_x", "peak_pressure")),
            )
            for k in range(len(self.case.wheel))
        ]
        return [
            Table("Wheels", header, rows),
            check_table(*self._list_checks(last)),
            result_table(self.run.key_figures),
            input_table(self._list_inputs()),
        ]

    def _list_checks(self, last: Mapping[str, np.ndarray]) -> list[tuple[str, str, str, str]]:
        beyond, tol = float(np.max(last["beyond_end"])), max(self.case.solver.tol, AGREEMENT)
        rough = "take the result as a rough one"
        return [
            check_limit("bending and contact disagree by", float(last["residual"]), tol),
            check_limit("forces of wheels and supports differ by", float(last["equilibrium"]), EQUILIBRIUM),
            check_limit(
                "largest slope", float(last["steepest"]), STEEPEST, f"beyond small deflections: {rough}"
            ),
            check_limit(
                "patches reach beyond the bridge by (m)", beyond, 0.0, f"taken as level there: {rough}"
            ),
        ]

    def _list_inputs(self) -> Words:
        rows = [*beam_words(self.case.beam), ("rail", self.case.rail.words)]
        for k, one in enumerate(self.case.wheel[:8]):
            given = (
                f"drop {quantity(one.drop or 0.0, 'm')}" if one.force is None else quantity(one.force, "N")
            )
            rows.append((f"wheel {k + 1}", f"{one.words}; {given} at {quantity(one.at, 'm')}"))
        solver = self.case.solver
        return [*rows, ("solver", f"{solver.method}, tolerance {significant(solver.tol, 1)}")]

    def story(self) -> Sequence[str]:
        """What it is about."""
        return [STORY]

    def figures(self) -> Figures:
        """Local and global deflection, near and far; patch with and without bending."""
        found, residuals = self.found, self.found.residuals
        figure = view.blank_figure(11.0, 4.4)
        far, near = figure.subplots(1, 2)
        rest_plot(found.far, far)
        rest_plot(found.near, near)
        words = "Deflection by bending, by the contact, and their sum"
        yield "deflection", f"{words}: along the bridge, and under the first wheel.", figure
        figure = view.blank_figure(11.0, 4.4)
        left, right = figure.subplots(1, 2, width_ratios=[1.15, 1.0])
        bent, straight = map(self._restore_patch, (self.run["pressure"][-1][0], found.straight_pressure))
        draw_patches(bent, straight, left, title="Pressure under wheel 1")
        pressure_map(bent, right, title="Patch of wheel 1")
        words = "Pressure under the first wheel, with the bridge bent and straight"
        yield "patch", f"{words}; right, its patch from above.", figure
        figure = view.blank_figure(7.0)
        axes = figure.add_subplot()
        axes.semilogy(range(residuals.size), residuals, "o-", color=view.BLUE, lw=1.8)
        axes.set_xticks(range(residuals.size))
        view.style_axes(axes, "step", "disagreement of deflections", f"By {self.case.solver.method}")
        yield "steps", "How bending and contact come to agree.", figure

    def _restore_patch(self, pressure: np.ndarray) -> NormalContact:
        """The patch of the first wheel, to be drawn."""
        dx, dy, middle = (float(self.run[name][-1][0]) for name in ("element_x", "element_y", "middle"))
        ny, nx = pressure.shape
        pair = Pair(material(self.case.wheel[0].material), material(self.case.rail.material))
        return restore_contact(Grid(nx, ny, dx, dy, center=(middle, 0.0)), pair, pressure)


def _format_change(last: Mapping[str, np.ndarray], name: str, wheel: int) -> str:
    """What bending changes, of the straight bridge."""
    return f"{100.0 * (last[name][wheel] / last[f'straight_{name}'][wheel] - 1.0):+.3f} %"
