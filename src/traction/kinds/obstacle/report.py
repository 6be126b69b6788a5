"""What a report shows of a beam on an obstacle: tables, the beam, and the contact over the loads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from traction.kinds.kind import Drawn, KindReport
from traction.kinds.obstacle.run import DRAWN
from traction.kinds.obstacle.schema import ObstacleCase, SteppedObstacleTable
from traction.kinds.report_tables import check_limit, check_table, curve_style, input_table, result_table
from traction.quantities import quantity, significant, unit_for
from traction.results.stored_run import StoredRun
from traction.state_arrays import unflatten_state
from traction.view.report import Table

PENETRATION, BALANCE = 1e-2, 1e-9  #: limits of the checks


def make_tables(case: ObstacleCase, run: StoredRun) -> Sequence[Table]:
    """What went in, and what came out."""
    beam, mesh = case.beam, case.mesh
    theory = "Euler and Bernoulli" if beam.shear_stiffness is None else "Timoshenko"
    loads = case.load.values
    words = quantity(loads[0], "N/m")
    if len(loads) > 1:
        words = f"{len(loads)}, {words} to {quantity(loads[-1], 'N/m')}"
    shape = case.obstacle
    gap = ", ".join(
        quantity(g, "m") for g in (shape.gaps if isinstance(shape, SteppedObstacleTable) else [shape.gap])
    )
    inputs = [
        ("beam", f"{theory}, {quantity(beam.length, 'm')} long, {' and '.join(beam.supports)}"),
        ("bending stiffness", f"{significant(beam.bending_stiffness)} N m²"),
        *([("shear stiffness", quantity(beam.shear_stiffness, "N"))] if beam.shear_stiffness else []),
        ("obstacle", f"{shape.type}, gap {gap}"),
        ("load per length", words),
        (
            "contact force",
            f"{mesh.multiplier}, {'adaptive' if mesh.adaptive else f'{mesh.elements} elements'}",
        ),
    ]
    results = [figure for figure in run.key_figures if np.isfinite(float(figure[1]))]
    deep, off = float(np.max(run["penetration"])), float(np.max(run["imbalance"]))
    return [
        input_table(inputs),
        result_table(results, "Results at the last load"),
        check_table(
            check_limit("largest penetration over the gap", deep, PENETRATION, "coarse"),
            check_limit("balance of forces", off, BALANCE),
        ),
    ]


def draw_figures(case: ObstacleCase, run: StoredRun) -> Sequence[Drawn]:
    """The last load along the beam, and the contact over the loads where there are several."""
    from traction.view import figures as view
    from traction.view.obstacle import ObstaclePicture, draw_obstacle

    picture = unflatten_state(ObstaclePicture, run.findings)
    figure = view.blank_figure(11.0, 7.4)
    for number, name in enumerate(DRAWN):
        draw_obstacle(picture, name, figure.add_subplot(2, 2, number + 1))
    shown = [("beam", "Deflection, moment, shear force and contact force at the last load.", figure)]
    if len(case.load.values) > 1:
        figure = view.blank_figure()
        axes = figure.add_subplot()
        force, load = unit_for(run["force"], "N"), unit_for(run["load"], "N/m")
        style = curve_style(len(case.load.values))
        axes.plot(load.of(run["load"]), force.of(run["force"]), style)
        view.style_axes(
            axes, f"load ({load.name})", f"force of the obstacle ({force.name})", "What the obstacle carries"
        )
        shown.append(("force_over_load", "Force of the obstacle over the load.", figure))
    return shown


REPORT = KindReport(make_tables, draw_figures)
