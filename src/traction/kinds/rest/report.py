"""What a report shows of wheels at rest: tables, deflections and patches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from traction.contact.normal.press import NormalContact
from traction.grid import Grid
from traction.kinds.kind import Drawn, KindReport
from traction.kinds.press.pressed_stepper import restore_pressure
from traction.kinds.report_tables import check_limit, check_table, input_table, result_table
from traction.kinds.rest.run import RestFindings
from traction.kinds.rest.schema import RestCase
from traction.kinds.tables.beam_tables import beam_words
from traction.kinds.tables.body_tables import material
from traction.materials import Pair
from traction.quantities import quantity, significant
from traction.resting.rest_result import STEEPEST
from traction.results.stored_run import StoredRun
from traction.state_arrays import unflatten_state
from traction.view.report import Table

EQUILIBRIUM, AGREEMENT = 1e-10, 1e-10  #: limits of the checks


def make_tables(case: RestCase, run: StoredRun) -> Sequence[Table]:
    """Every wheel, what holds, and what went in."""
    last = {name: values[-1] for name, values in run.samples.items()}
    rows = [
        (
            f"{k + 1}",
            quantity(float(last["force"][k]), "N"),
            quantity(float(last["beam_deflection"][k]), "m"),
            quantity(float(last["approach"][k]), "m"),
            quantity(float(last["peak_pressure"][k]), "Pa"),
            quantity(float(last["semi_axis_x"][k]), "m"),
            _format_change(last["semi_axis_x"][k], last["straight_semi_axis_x"][k]),
            _format_change(last["peak_pressure"][k], last["straight_peak_pressure"][k]),
        )
        for k in range(len(case.wheel))
    ]
    header = (
        "wheel", "force", "beam deflection", "approach", "peak pressure", "semi-axis",
        "by bending", "pressure by bending",
    )  # fmt: skip
    return [
        Table("Wheels", header, rows),
        check_table(*_list_checks(case, last)),
        result_table(run.key_figures),
        input_table(_list_inputs(case)),
    ]


def _format_change(bent: float, straight: float) -> str:
    return f"{100.0 * (bent / straight - 1.0):+.3f} %"


def _list_checks(case: RestCase, last: dict[str, np.ndarray]) -> list[tuple[str, str, str, str]]:
    tol = max(case.solver.tol, AGREEMENT)
    found = {
        "bending and contact disagree by": (float(last["residual"]), tol, "missed"),
        "forces of wheels and supports differ by": (float(last["equilibrium"]), EQUILIBRIUM, "missed"),
        "largest slope": (
            float(last["steepest"]), STEEPEST, "beyond small deflections: take the result as a rough one"
        ),
        "patches reach beyond the bridge by (m)": (
            float(np.max(last["beyond_end"])), 0.0, "taken as level there: take the result as a rough one"
        ),
    }  # fmt: skip
    return [check_limit(name, *values) for name, values in found.items()]


def _list_inputs(case: RestCase) -> list[tuple[str, str]]:
    rows = [*beam_words(case.beam), ("rail", case.rail.words)]
    for k, one in enumerate(case.wheel[:8]):
        given = (
            quantity(one.force, "N") if one.force is not None else f"drop {quantity(one.drop or 0.0, 'm')}"
        )
        rows.append((f"wheel {k + 1}", f"{one.words}; {given} at {quantity(one.at, 'm')}"))
    solver = case.solver
    return [*rows, ("solver", f"{solver.method}, tolerance {significant(solver.tol, 1)}")]


def tell_story(case: RestCase, run: StoredRun) -> Sequence[str]:
    """What it is about."""
    return [
        "Wheels stand on a bridge: the bridge bends (global), the contact under each wheel dents it (local), "
        "and either changes the other. The half space tells the pressure on the wheel's profile minus the "
        "bent bridge; the pressure, distributed as it is, bends the bridge.",
    ]


def draw_figures(case: RestCase, run: StoredRun) -> Sequence[Drawn]:
    """Local and global deflection, near and far; patch with and without bending."""
    from traction.view import figures as view
    from traction.view.contacts import pressure_map
    from traction.view.resting import draw_patches, rest_plot

    found = unflatten_state(RestFindings, run.findings)
    figure = view.blank_figure(11.0, 4.4)
    far, near = figure.subplots(1, 2)
    rest_plot(found.far, far)
    rest_plot(found.near, near)
    words = (
        "Deflection by bending, by the contact, and their sum: along the bridge, and under the first wheel."
    )
    drawn = [("deflection", words, figure)]
    figure = view.blank_figure(11.0, 4.4)
    left, right = figure.subplots(1, 2, width_ratios=[1.15, 1.0])
    bent = _restore_patch(case, run, run["pressure"][-1][0])
    draw_patches(
        bent, _restore_patch(case, run, found.straight_pressure), left, title="Pressure under wheel 1"
    )
    pressure_map(bent, right, title="Patch of wheel 1")
    words = "Pressure under the first wheel, with the bridge bent and straight; right, its patch from above."
    drawn.append(("patch", words, figure))
    figure = view.blank_figure(7.0)
    axes = figure.add_subplot()
    axes.semilogy(range(found.residuals.size), found.residuals, "o-", color=view.BLUE, lw=1.8)
    axes.set_xticks(range(found.residuals.size))
    view.style_axes(axes, "step", "disagreement of deflections", f"By {case.solver.method}")
    drawn.append(("steps", "How bending and contact come to agree.", figure))
    return drawn


def _restore_patch(case: RestCase, run: StoredRun, pressure: np.ndarray) -> NormalContact:
    """The patch of the first wheel, to be drawn."""
    dx, dy, middle = (float(run[name][-1][0]) for name in ("element_x", "element_y", "middle"))
    ny, nx = pressure.shape
    pair = Pair(material(case.wheel[0].material), material(case.rail.material))
    return restore_pressure(Grid(nx, ny, dx, dy, center=(middle, 0.0)), pair, pressure)


REPORT = KindReport(make_tables, draw_figures, story=tell_story)
