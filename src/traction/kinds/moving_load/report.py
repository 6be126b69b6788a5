"""The report on a crossing of a beam: story, tables, figures and a film, read from what is stored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from traction.crossing.choices import CONDENSED, EXACT
from traction.kinds.kind import Figures, Films, KindReport, Tables, Words
from traction.kinds.moving_load.findings import CUTOFF, LoadFindings, describe_choice
from traction.kinds.moving_load.schema import MovingLoadCase
from traction.kinds.report_tables import Checks, check_limit, result_table
from traction.kinds.tables.axle_tables import load_words
from traction.kinds.tables.beam_tables import beam_words
from traction.kinds.tables.crossing_tables import BeamModelTable, CrossedCase
from traction.quantities import counted, quantity, significant
from traction.view import figures as view
from traction.view.animations.crossing_animation import stage_crossing
from traction.view.bridges import (
    OFF,
    CrossingMap,
    crossing_map,
    draw_crossings,
    draw_deck_limits,
    envelope_plot,
    list_limits,
    shade_passage,
)
from traction.view.wheel_forces import draw_wheel_forces

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BALANCE, AGREEMENT = 1e-3, 1e-2  #: limits of the checks
ENERGY = "energy balance error (relative to work done)"
FROM_MODES = "peak deflection, relative difference from exact modes"
FRAMES_PER_SECOND = 12
PALE_OFF = "pale where the wheel is not on the bridge"


def tell_train(case: CrossedCase) -> str:
    """What crosses, and its verb."""
    cars, name = case.cars, case.train
    axles = counted(len(cars), "axle")
    if name:
        return f"The train {name} ({axles}) crosses"
    if not cars.vehicles:
        return f"{counted(len(cars), 'axle load').capitalize()} {'crosses' if len(cars) == 1 else 'cross'}"
    return f"A train of {axles} crosses" if len(cars) > 1 else "A sprung wheel crosses"


def tell_speed(case: CrossedCase) -> str:
    """As in " at 108 km/h"."""
    return f" at {significant(3.6 * case.speed, 3)} km/h" if case.speed is not None else ""


def tell_peak(body: str, x: float, value: float, t: float) -> str:
    """The peak deflection of a body at x (m), without a full stop."""
    way = "deflects by up to" if value >= 0.0 else "rises by up to"
    return f"At x = {x:g} m the {body} {way} {quantity(abs(value), 'm')} at t = {quantity(t, 's', 3)}"


def tell_passage(map_: CrossingMap, body: str) -> str:
    """When axles are on the beam."""
    on, off = map_.passage
    if off >= float(map_.t[-1]):
        return f" Axles are on the {body} from t = {quantity(on, 's', 3)} until the end of the run."
    return f" Axles are on the {body} from t = {quantity(on, 's', 3)} to {quantity(off, 's', 3)}."


def name_beam(case: CrossedCase) -> str:
    """A beam, with its spans where there are several."""
    spans = len(case.beam.spans)
    return "beam" if spans == 1 else f"beam of {spans} spans with a length"


def model_words(model: BeamModelTable) -> str:
    """A model of the beam in a few words."""
    with_rest = model.type == "modes" and model.residual is not False
    return f"{model.number} {model.type}" + (" with residual compliance" if with_rest else "")


def draw_deflection(
    x: float,
    t: np.ndarray,
    deflection: np.ndarray,
    at_rest: np.ndarray | None,
    words: str,
    passage: tuple[float, float],
) -> Figures:
    """Deflection at x over time, beside the static one where it is given; `passage` is on the beam, s."""
    figure, curves = view.blank_figure(8.0), {"": (t, deflection)}
    if at_rest is not None:
        curves["static, same forces"] = (t, at_rest)
    title, axes = f"Deflection at x = {x:g} m", figure.add_subplot()
    shade_passage(axes, passage, (float(t[0]), float(t[-1])))
    draw_crossings(curves, axes, at_rest=at_rest is not None, title=title)
    yield "deflection", f"{words}{_caption_off(axes)}.", figure


def _caption_off(axes: Axes) -> str:
    """What is shaded, if something is."""
    return f"; shaded: {OFF}" if OFF in axes.get_legend_handles_labels()[1] else ""


def draw_acceleration(
    x: float, t: np.ndarray, acceleration: np.ndarray, slow: np.ndarray | None, passage: tuple[float, float]
) -> Figures:
    """Acceleration at x over time with the limits of EN 1990; `slow` is low-pass filtered, if it is known."""
    figure = view.blank_figure(8.0)
    axes = figure.add_subplot()
    shade_passage(axes, passage, (float(t[0]), float(t[-1])))
    axes.plot(t, acceleration, color=view.GREY, lw=0.9, label="unfiltered")
    words = f"Acceleration at x = {x:g} m, downwards"
    if slow is not None:
        axes.plot(t, slow, color=view.BLUE, lw=1.8, label=f"low-pass {CUTOFF:g} Hz")
        words += f", unfiltered and low-pass filtered at {CUTOFF:g} Hz"
    words += f"; dotted: limits of EN 1990 for the deck, {list_limits()}{_caption_off(axes)}"
    draw_deck_limits(axes, float(np.abs(acceleration).max()))
    view.draw_legend(axes)
    axes.set_xlim(t[0], t[-1])
    view.style_axes(axes, "time (s)", "acceleration (m/s²)", f"Acceleration at x = {x:g} m")
    yield "acceleration", f"{words}.", figure


def caption_lifted(forces: np.ndarray) -> str:
    """How wheel forces (N) off the bridge and of lifted wheels are drawn."""
    return PALE_OFF + (", zero where a wheel has lifted off" if forces.min() <= 0.0 else "")


def draw_map(map_: CrossingMap, body: str) -> Figures:
    """Deflection over place and time."""
    figure = view.blank_figure(7.0, 5.4)
    crossing_map(map_, figure.add_subplot())
    yield "map", f"Deflection of the {body} over position and time; lines are the axles.", figure


class MovingLoadReport(KindReport[MovingLoadCase, LoadFindings]):
    """A crossing of a beam."""

    kept = LoadFindings

    def computed(self) -> str:
        """What crosses what, how fast, and by which model."""
        case = self.case
        return (
            f"{tell_train(case)} a {name_beam(case)} of "
            f"{quantity(case.built.length, 'm', 3)}{tell_speed(case)}. The beam is described by "
            f"{model_words(case.model)}; its motion over {quantity(float(self.found.curves.t[-1]), 's', 3)} "
            f"is computed in {self.found.steps} time steps."
        )

    def outcome(self) -> str:
        """Peak deflection and acceleration, wheel forces, and when the train is on the beam."""
        case, curves = self.case, self.found.curves
        k = int(np.argmax(np.abs(curves.deflection)))
        words = tell_peak("beam", case.place, float(curves.deflection[k]), float(curves.t[k]))
        if curves.at_rest is not None and np.abs(curves.at_rest).max() > 0.0:
            rest = float(np.abs(curves.at_rest).max())
            factor = significant(abs(float(curves.deflection[k])) / rest, 3)
            words += f", {factor} times the static deflection of {quantity(rest, 'm', 3)}"
        shown = curves.acceleration if curves.slow is None else curves.slow
        filtered = "" if curves.slow is None else f" (low-pass filtered at {CUTOFF:g} Hz)"
        words += (
            f". The acceleration there reaches {significant(float(np.abs(shown).max()), 3)} m/s²{filtered}."
        )
        if curves.forces is not None:
            low, high = (quantity(float(one), "N", 3) for one in (curves.forces.min(), curves.forces.max()))
            words += f" Wheel forces lie between {low} and {high}."
        return words + tell_passage(self.found.map, "beam")

    def evidence(self) -> str:
        """What the checks compare with."""
        if self.case.model.type == "modes":
            return "The work of the axle forces is compared with the energy of the beam and its losses."
        return "The same crossing is computed independently with exact modes of the beam."

    def results(self) -> Tables:
        """What came out."""
        return [result_table(self.run.key_figures, f"Results at x = {self.case.place:g} m")]

    def checks(self) -> Checks:
        """Whether the energy is balanced, or exact modes agree."""
        words, limit, remedy = FROM_MODES, AGREEMENT, "a larger model.size, or a shorter time.dt"
        if self.case.model.type == "modes":
            words, limit, remedy = ENERGY, BALANCE, "a shorter time.dt"
        return [check_limit(words, self.found.error, limit, f"large: choose {remedy}")]

    def inputs(self) -> Words:
        """Beam, train, model and steps."""
        case, found = self.case, self.found
        method = CONDENSED if case.cars.vehicles else case.model.marches_by or EXACT
        return [
            *beam_words(case.beam),
            *load_words(case),
            ("model", f"{model_words(case.model)}, {method}"),
            ("steps", f"{found.steps} {self._step_words}"),
            ("output position", f"x = {case.place:g} m"),
            ("time", f"{quantity(float(found.curves.t[-1]), 's')}, {case.time.samples} samples"),
        ]

    @property
    def _step_words(self) -> str:
        found = self.found
        if found.change is None:
            return f"of {quantity(found.step, 's')}"
        return describe_choice(self.case, found.step, found.change)

    def figures(self) -> Figures:
        """Over time at the output position, in space and time, and along the beam."""
        curves, x = self.found.curves, self.case.place
        rest = "" if curves.at_rest is None else "; dashed: static deflection under the same axles"
        words = f"Deflection at x = {x:g} m over time, drawn downwards{rest}"
        passage = self.found.map.passage
        yield from draw_deflection(x, curves.t, curves.deflection, curves.at_rest, words, passage)
        yield from draw_map(self.found.map, "beam")
        yield from draw_acceleration(x, curves.t, curves.acceleration, curves.slow, passage)
        figure = view.blank_figure(8.0)
        envelope_plot(self.found.moments.envelope, figure.add_subplot())
        words = "Smallest and largest bending moment during the crossing along the beam, sagging positive."
        yield "moment", words, figure
        if curves.forces is not None:
            yield from self._draw_wheel_forces(curves.forces)

    def _draw_wheel_forces(self, forces: np.ndarray) -> Figures:
        t, figure, count = self.found.curves.t, view.blank_figure(8.0), forces.shape[1]
        passages = self.found.map.passages[-len(self.case.cars.wheels) :]
        axes = figure.add_subplot()
        draw_wheel_forces(
            {"": (t, forces)}, axes, wheels=range(count), passages=passages, title="Wheel forces"
        )
        yield "wheel_forces", f"Wheel forces, {caption_lifted(forces)}.", figure

    def films(self, folder: Path) -> Films:
        """The crossing."""
        film, words = self.found.film, ""
        start, end = film.t[film.rows[0]], film.t[film.rows[-1]]
        if (start, end) != (film.t[0], film.t[-1]):
            words = f", from {start:.3g} s to {end:.3g} s around the peak deflection"
        scene = stage_crossing(film, self.case.built, fps=FRAMES_PER_SECOND, x=self.case.place)
        yield "crossing", f"The crossing: the beam, its deflection magnified, and the axles{words}.", scene
