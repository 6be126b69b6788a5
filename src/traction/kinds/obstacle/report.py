"""What a report shows of a beam on an obstacle: tables, the beam, and the contact over the loads."""

from __future__ import annotations

import numpy as np

from traction.kinds.kind import Figures, KindReport, Tables, Words
from traction.kinds.obstacle.run import DRAWN
from traction.kinds.obstacle.schema import ObstacleCase, SteppedObstacleTable
from traction.kinds.report_tables import Checks, check_limit, curve_style, range_words, result_table
from traction.quantities import given, quantity, unit_for
from traction.view import figures as view
from traction.view.obstacle_curves import ObstaclePicture, draw_obstacle

PENETRATION, BALANCE = 1e-2, 1e-9  #: limits of the checks
MOST_NAMED = 4  #: point loads that are listed


class ObstacleReport(KindReport[ObstacleCase, ObstaclePicture]):
    """A beam on an obstacle."""

    kept = ObstaclePicture

    def evidence(self) -> str:
        """What the checks compare with."""
        return "Equilibrium compares the loads with the support reactions and the contact force."

    @property
    def _beam(self) -> str:
        beam = self.case.beam
        theory = "Euler-Bernoulli" if beam.shear_stiffness is None else "Timoshenko"
        return f"{theory}, {given(beam.length, 'm')} long, {' and '.join(beam.supports)}"

    @property
    def _obstacle(self) -> str:
        shape = self.case.obstacle
        gaps = shape.gaps if isinstance(shape, SteppedObstacleTable) else [shape.gap]
        return f"{shape.type}, gap {', '.join(given(gap, 'm') for gap in gaps)}"

    @property
    def _load(self) -> str:
        loads = self.case.load.values
        count = "" if len(loads) == 1 else f"{len(loads)} loads, "
        return f"{count}{range_words(loads[0], loads[-1], 'N/m')}"

    @property
    def _points(self) -> str:
        points = self.case.load.forces[:MOST_NAMED]
        more = len(self.case.load.forces) - len(points)
        words = ", ".join(f"{given(force, 'N')} at x = {given(x, 'm')}" for force, x in points)
        return f"{words} and {more} more" if more else words

    def computed(self) -> str:
        """Beam, obstacle and load."""
        points = f", and by point loads: {self._points}" if self._points else ""
        return (
            f"A beam ({self._beam}) is pressed on an obstacle ({self._obstacle}) by a distributed load: "
            f"{self._load}{points}. Deflection and contact force are solved together with finite elements."
        )

    def outcome(self) -> str:
        """Of the last load."""
        last = {
            name: float(self.run[name][-1]) for name in ("load", "force", "free_length", "contact_length")
        }
        words = f"At {quantity(last['load'], 'N/m')} the obstacle carries {quantity(last['force'], 'N')}"
        if not last["contact_length"] > 0.0:
            return f"{words}."
        words += f" over a contact length of {quantity(last['contact_length'], 'm')}"
        if np.isfinite(last["free_length"]):
            words += f", which begins at x = {quantity(last['free_length'], 'm')}"
        return f"{words}. The elastic energy of the beam is {quantity(float(self.run['energy'][-1]), 'J')}."

    def results(self) -> Tables:
        """Of the last load."""
        found = [figure for figure in self.run.key_figures if np.isfinite(float(figure[1]))]
        return [result_table(found, "Results" if self.run["load"].size == 1 else "Results at the last load")]

    def checks(self) -> Checks:
        """Whether the beam stays above the obstacle, and in equilibrium."""
        deep, off = (float(np.max(self.run[name])) for name in ("penetration", "imbalance"))
        return [
            check_limit(
                "largest penetration over the gap", deep, PENETRATION, "coarse: choose more elements"
            ),
            check_limit("equilibrium residual over the load", off, BALANCE),
        ]

    def inputs(self) -> Words:
        """Beam, obstacle, load and mesh."""
        beam, mesh = self.case.beam, self.case.mesh
        size = "adaptive" if mesh.adaptive else f"{mesh.elements} elements"
        return [
            ("beam", self._beam),
            ("bending stiffness", given(beam.bending_stiffness, "N m2")),
            *([("shear stiffness", given(beam.shear_stiffness, "N"))] if beam.shear_stiffness else []),
            ("obstacle", self._obstacle),
            ("load per length", self._load),
            *([("point loads", self._points)] if self._points else []),
            ("contact force", f"{mesh.multiplier}, {size}"),
        ]

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
