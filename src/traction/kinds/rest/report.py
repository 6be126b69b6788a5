"""What a report shows of wheels at rest: tables, deflections and patches."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from traction.contact.normal.press import NormalContact
from traction.grid import Grid
from traction.kinds.kind import Figures, KindReport, Tables, Words
from traction.kinds.press.run import restore_contact
from traction.kinds.report_tables import Checks, check_limit, result_table
from traction.kinds.rest.run import RestFindings
from traction.kinds.rest.schema import RestCase
from traction.kinds.tables.beam_tables import beam_words
from traction.kinds.tables.body_tables import material
from traction.materials import Pair
from traction.quantities import given, quantity, significant
from traction.resting.rest_result import STEEPEST
from traction.view import figures as view
from traction.view.contacts import pressure_map
from traction.view.report import Table
from traction.view.resting import draw_patches, rest_plot

EQUILIBRIUM, AGREEMENT = 1e-10, 1e-10  #: limits of the checks
UNITS = {"force": "N", "peak_pressure": "Pa"}  #: of columns that are no lengths


class RestReport(KindReport[RestCase, RestFindings]):
    """Wheels at rest."""

    kept = RestFindings

    def computed(self) -> str:
        """Bridge, wheels, and what is coupled."""
        case, count = self.case, len(self.case.wheel)
        wheels = "A wheel rests" if count == 1 else f"{count} wheels rest"
        return (
            f"{wheels} on a bridge of {given(case.beam.build().length, 'm')}. Global bending and local "
            "contact are solved together: the bent bridge changes the shape that the wheel meets, and the "
            "contact pressure, distributed as it is, bends the bridge."
        )

    def outcome(self) -> str:
        """Of the first wheel, and what bending changes."""
        last = {name: values[-1] for name, values in self.run.samples.items()}
        force, deep, approach = (
            quantity(float(last[name][0]), unit)
            for name, unit in (("force", "N"), ("beam_deflection", "m"), ("approach", "m"))
        )
        peak, axis = (
            quantity(float(last["peak_pressure"][0]), "Pa"),
            quantity(float(last["semi_axis_x"][0]), "m"),
        )
        which = "the wheel" if len(self.case.wheel) == 1 else "wheel 1"
        return (
            f"Under {force} the bridge deflects by {deep} below {which}, and wheel and bridge approach each "
            f"other by {approach}. The pressure peaks at {peak} in a patch with a semi-axis of {axis} along "
            f"the bridge; bending changes the semi-axis by {_format_change(last, 'semi_axis_x', 0)} and the "
            f"peak pressure by {_format_change(last, 'peak_pressure', 0)}."
        )

    def evidence(self) -> str:
        """What the checks compare with."""
        return "Equilibrium compares the wheel forces with the reactions of the supports."

    def results(self) -> Tables:
        """Every wheel."""
        last = {name: values[-1] for name, values in self.run.samples.items()}
        header = (
            "wheel", "force", "bridge deflection", "approach", "peak pressure", "semi-axis along x",
            "change of semi-axis by bending", "change of peak pressure by bending",
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
        return [result_table(self.run.key_figures), Table("Wheels", header, rows)]

    def checks(self) -> Checks:
        """Whether bending and contact agree, in equilibrium, with small deflections."""
        last = {name: values[-1] for name, values in self.run.samples.items()}
        beyond, tol = float(np.max(last["beyond_end"])), max(self.case.solver.tol, AGREEMENT)
        rough = "treat the result as approximate"
        return [
            check_limit("difference of bending and contact deflection", float(last["residual"]), tol),
            check_limit("equilibrium residual", float(last["equilibrium"]), EQUILIBRIUM),
            check_limit(
                "largest slope of the bridge",
                float(last["steepest"]),
                STEEPEST,
                f"beyond small deflections: {rough}",
            ),
            check_limit(
                "length of patches beyond the bridge (m)", beyond, 0.0, f"taken as level there: {rough}"
            ),
        ]

    def inputs(self) -> Words:
        """Bridge, rail and wheels."""
        rows = [*beam_words(self.case.beam), ("rail", self.case.rail.words)]
        for k, one in enumerate(self.case.wheel[:8]):
            load = f"drop {given(one.drop or 0.0, 'm')}" if one.force is None else given(one.force, "N")
            rows.append((f"wheel {k + 1}", f"{one.words}; {load} at x = {given(one.at, 'm')}"))
        solver = self.case.solver
        return [*rows, ("solver", f"{solver.method}, tolerance {significant(solver.tol, 1)}")]

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
        view.style_axes(
            axes, "iteration", "relative difference", "Difference of bending and contact deflection"
        )
        words = "Convergence of the coupled solution"
        yield "steps", f"{words}: difference of bending and contact deflection over the iterations.", figure

    def _restore_patch(self, pressure: np.ndarray) -> NormalContact:
        """The patch of the first wheel, to be drawn."""
        dx, dy, middle = (float(self.run[name][-1][0]) for name in ("element_x", "element_y", "middle"))
        ny, nx = pressure.shape
        pair = Pair(material(self.case.wheel[0].material), material(self.case.rail.material))
        return restore_contact(Grid(nx, ny, dx, dy, center=(middle, 0.0)), pair, pressure)


def _format_change(last: Mapping[str, np.ndarray], name: str, wheel: int) -> str:
    """What bending changes, of the straight bridge."""
    return f"{100.0 * (last[name][wheel] / last[f'straight_{name}'][wheel] - 1.0):+.3g} %"
