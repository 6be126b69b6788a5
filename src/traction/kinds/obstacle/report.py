"""What a report shows of a beam on an obstacle: tables, the beam, and the contact over the loads."""

from __future__ import annotations

import numpy as np

from traction.kinds.kind import Figures, KindReport, Tables
from traction.kinds.obstacle.run import DRAWN
from traction.kinds.obstacle.schema import ObstacleCase, SteppedObstacleTable
from traction.kinds.report_tables import check_limit, check_table, curve_style, input_table, result_table
from traction.quantities import quantity, significant, unit_for
from traction.view import figures as view
from traction.view.obstacle import ObstaclePicture, draw_obstacle

PENETRATION, BALANCE = 1e-2, 1e-9  #: limits of the checks


class ObstacleReport(KindReport[ObstacleCase, ObstaclePicture]):
    """A beam on an obstacle."""

    kept = ObstaclePicture

    def tables(self) -> Tables:
        """What went in, and what came out."""
        beam, mesh, shape, loads = self.case.beam, self.case.mesh, self.case.obstacle, self.case.load.values
        theory = "Euler and Bernoulli" if beam.shear_stiffness is None else "Timoshenko"
        words = quantity(loads[0], "N/m")
        if len(loads) > 1:
            words = f"{len(loads)}, {words} to {quantity(loads[-1], 'N/m')}"
        gaps = shape.gaps if isinstance(shape, SteppedObstacleTable) else [shape.gap]
        size = "adaptive" if mesh.adaptive else f"{mesh.elements} elements"
        inputs = [
            ("beam", f"{theory}, {quantity(beam.length, 'm')} long, {' and '.join(beam.supports)}"),
            ("bending stiffness", f"{significant(beam.bending_stiffness)} N m²"),
            *([("shear stiffness", quantity(beam.shear_stiffness, "N"))] if beam.shear_stiffness else []),
            ("obstacle", f"{shape.type}, gap {', '.join(quantity(gap, 'm') for gap in gaps)}"),
            ("load per length", words),
            ("contact force", f"{mesh.multiplier}, {size}"),
        ]
        results = [figure for figure in self.run.key_figures if np.isfinite(float(figure[1]))]
        deep, off = (float(np.max(self.run[name])) for name in ("penetration", "imbalance"))
        checks = check_table(
            check_limit("largest penetration over the gap", deep, PENETRATION, "coarse"),
            check_limit("balance of forces", off, BALANCE),
        )
        return [input_table(inputs), result_table(results, "Results at the last load"), checks]

    def figures(self) -> Figures:
        """The last load along the beam, and the contact over the loads where there are several."""
        figure = view.blank_figure(11.0, 7.4)
        for number, name in enumerate(DRAWN):
            draw_obstacle(self.found, name, figure.add_subplot(2, 2, number + 1))
        yield "beam", "Deflection, moment, shear force and contact force at the last load.", figure
        loads, forces = self.run["load"], self.run["force"]
        if loads.size > 1:
            figure = view.blank_figure()
            axes, force, load = figure.add_subplot(), unit_for(forces, "N"), unit_for(loads, "N/m")
            axes.plot(load.of(loads), force.of(forces), curve_style(loads.size))
            labels = f"load ({load.name})", f"force of the obstacle ({force.name})"
            view.style_axes(axes, *labels, "What the obstacle carries")
            yield "force_over_load", "Force of the obstacle over the load.", figure
