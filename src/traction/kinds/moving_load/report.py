"""The report on a crossing of a beam: tables, figures and a film, read from what is stored."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from traction.crossing.choices import CONDENSED, EXACT
from traction.kinds.kind import Extras, Figures, KindReport, Tables, Words
from traction.kinds.moving_load.findings import CUTOFF, LoadFindings
from traction.kinds.moving_load.schema import MovingLoadCase
from traction.kinds.report_tables import check_limit, check_table, input_table, result_table
from traction.kinds.tables.axle_tables import load_words
from traction.kinds.tables.beam_tables import beam_words
from traction.kinds.tables.crossing_tables import BeamModelTable
from traction.quantities import quantity, unit_for
from traction.view import figures as view
from traction.view.animations.crossing_animation import draw_film
from traction.view.bridges import CrossingMap, crossing_map, draw_crossings, envelope_plot

BALANCE, AGREEMENT = 1e-3, 1e-2  #: limits of the checks
ENERGY = "work of the axles less energy and loss, of the largest"
FROM_MODES = "largest deflection, difference from exact modes"
FRAMES_PER_SECOND = 12


def model_words(model: BeamModelTable) -> str:
    """A model of the beam in a few words."""
    with_rest = model.type == "modes" and model.residual is not False
    return f"{model.number} {model.type}" + (" with the flexibility of those left out" if with_rest else "")


def draw_deflection(
    x: float, t: np.ndarray, deflection: np.ndarray, at_rest: np.ndarray | None, words: str
) -> Figures:
    """Deflection at x over time, beside that under the same forces at rest where it is given."""
    figure, curves = view.blank_figure(8.0), {"": (t, deflection)}
    if at_rest is not None:
        curves["same forces, at rest"] = (t, at_rest)
    title = f"Deflection at x = {x:g} m"
    draw_crossings(curves, figure.add_subplot(), at_rest=at_rest is not None, title=title)
    yield "deflection", words, figure


def draw_map(map_: CrossingMap, body: str) -> Figures:
    """Deflection over place and time."""
    figure = view.blank_figure(7.0, 5.4)
    crossing_map(map_, figure.add_subplot())
    yield "map", f"Deflection of the {body} over place and time; lines are the axles.", figure


class MovingLoadReport(KindReport[MovingLoadCase, LoadFindings]):
    """A crossing of a beam."""

    kept = LoadFindings

    def tables(self) -> Tables:
        """What went in, what came out, and whether it holds."""
        words, limit, remedy = FROM_MODES, AGREEMENT, "a larger model.size, or a shorter time.dt"
        if self.case.model.type == "modes":
            words, limit, remedy = ENERGY, BALANCE, "a shorter time.dt"
        return [
            input_table(self._list_inputs()),
            result_table(self.run.key_figures),
            check_table(check_limit(words, self.found.error, limit, f"large: choose {remedy}")),
        ]

    def _list_inputs(self) -> Words:
        case, found = self.case, self.found
        method = CONDENSED if case.cars.vehicles else case.model.marches_by or EXACT
        return [
            *beam_words(case.beam),
            *load_words(case),
            ("model", f"{model_words(case.model)}, {method}"),
            ("steps", f"{found.steps} of {quantity(found.step, 's')}"),
            ("place that is looked at", quantity(case.place, "m")),
            ("time", f"{quantity(float(found.curves.t[-1]), 's')}, {case.time.samples} samples"),
        ]

    def figures(self) -> Figures:
        """Over time at the output position, in space and time, and along the beam."""
        curves, x = self.found.curves, self.case.place
        rest = "" if curves.at_rest is None else "; dashes: under the same axles at rest"
        words = f"Deflection at the place over time, drawn downwards{rest}."
        yield from draw_deflection(x, curves.t, curves.deflection, curves.at_rest, words)
        yield from draw_map(self.found.map, "beam")
        yield from self._draw_acceleration()
        figure = view.blank_figure(8.0)
        envelope_plot(self.found.moments, figure.add_subplot())
        yield "moment", "Least and largest bending moment along the beam, sagging positive.", figure
        if curves.forces is not None:
            yield from self._draw_wheel_forces(curves.forces)

    def _draw_acceleration(self) -> Figures:
        curves, figure = self.found.curves, view.blank_figure(8.0)
        axes = figure.add_subplot()
        axes.plot(curves.t, curves.acceleration, color=view.GREY, lw=0.9, label="all")
        words = "Acceleration of the beam at the place, downwards"
        if curves.slow is not None:
            axes.plot(curves.t, curves.slow, color=view.BLUE, lw=1.8, label=f"up to {CUTOFF:g} Hz")
            view.draw_legend(axes)
            words += f", with and without what is faster than {CUTOFF:g} Hz"
        axes.set_xlim(curves.t[0], curves.t[-1])
        title = f"Acceleration at x = {self.case.place:g} m"
        view.style_axes(axes, "time (s)", "acceleration (m/s²)", title)
        yield "acceleration", f"{words}.", figure

    def _draw_wheel_forces(self, forces: np.ndarray) -> Figures:
        t, figure = self.found.curves.t, view.blank_figure(8.0)
        axes, unit = figure.add_subplot(), unit_for(forces, "N")
        for k, force in enumerate(forces.T):
            color = view.CYCLE[k % len(view.CYCLE)]
            axes.plot(t, unit.of(force), color=color, lw=1.4, label=f"wheel {k + 1}")
        if forces.shape[1] > 1:
            view.draw_legend(axes, ncols=2)
        axes.set_xlim(t[0], t[-1])
        view.style_axes(axes, "time (s)", f"force ({unit.name})", "Forces under the wheels")
        yield "wheel_forces", "Forces under the wheels; zero where one has lifted.", figure

    def extras(self, folder: Path) -> Extras:
        """A film of the crossing."""
        file, film, words = folder / "crossing.gif", self.found.film, ""
        draw_film(film, self.case.built, file, fps=FRAMES_PER_SECOND, x=self.case.place)
        start, end = film.t[film.rows[0]], film.t[film.rows[-1]]
        if (start, end) != (film.t[0], film.t[-1]):
            words = f" from {start:.3g} s to {end:.3g} s, around the largest deflection"
        return [(file, f"The beam, magnified, while the axles cross{words}.")]
