"""The report on a crossing of a beam: tables, figures and a film, read from what is stored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from traction.crossing.choices import CONDENSED, EXACT
from traction.kinds.kind import Drawn, Extra, KindReport
from traction.kinds.moving_load.findings import CUTOFF, LoadCurves, LoadFindings
from traction.kinds.moving_load.schema import MovingLoadCase
from traction.kinds.report_tables import format_value
from traction.kinds.tables.axle_tables import load_words
from traction.kinds.tables.beam_tables import beam_words
from traction.quantities import quantity, unit_for
from traction.results.manifest import Value
from traction.results.stored_run import StoredRun
from traction.state_arrays import unflatten_state
from traction.view import figures as view
from traction.view.animations.crossing_animation import draw_film
from traction.view.bridges import crossing_map, draw_crossings, envelope_plot
from traction.view.report import Table

BALANCE, AGREEMENT = 1e-3, 1e-2  #: limits of the checks
FROM_MODES = "largest deflection, difference from exact modes"
FRAMES_PER_SECOND = 12
ANIMATION = "crossing.gif"


def tables(case: MovingLoadCase, stored: StoredRun) -> Sequence[Table]:
    """What went in, what came out, and whether it holds."""
    found = unflatten_state(LoadFindings, stored.findings)
    results = [(name, _words(value, unit)) for name, value, unit in stored.key_figures]
    return [
        Table("Inputs", ("quantity", "value"), _inputs(case, found)),
        Table("Results", ("quantity", "value"), results),
        Table("Checks", ("check", "found", "limit", "verdict"), [_check(case, found)]),
    ]


def _inputs(case: MovingLoadCase, found: LoadFindings) -> list[tuple[str, str]]:
    model, end = case.model, float(found.curves.t[-1])
    words = f"{model.number} {model.type}"
    if model.type == "modes" and model.residual is not False:
        words += " with the flexibility of those left out"
    method = CONDENSED if case.cars.vehicles else model.marches_by or EXACT
    return [
        *beam_words(case.beam),
        *load_words(case),
        ("model", f"{words}, {method}"),
        ("steps", f"{found.steps} of {quantity(found.step, 's')}"),
        ("place that is looked at", quantity(case.place, "m")),
        ("time", f"{quantity(end, 's')}, {case.time.samples} samples"),
    ]


def _check(case: MovingLoadCase, found: LoadFindings) -> tuple[str, str, str, str]:
    if case.model.type == "modes":
        words, limit = "work of the axles less energy and loss, of the largest", BALANCE
        remedy = "large: choose a shorter time.dt"
    else:
        words, limit = FROM_MODES, AGREEMENT
        remedy = "large: choose a larger model.size, or a shorter time.dt"
    return words, f"{found.error:.1e}", f"{limit:g}", "passed" if found.error <= limit else remedy


def figures(case: MovingLoadCase, stored: StoredRun) -> Sequence[Drawn]:
    """Over time at the output position, in space and time, and along the beam."""
    found, x = unflatten_state(LoadFindings, stored.findings), case.place
    curves, figure = found.curves, view.blank_figure(8.0)
    named = {"": (curves.t, curves.deflection)}
    words = "Deflection at the place over time, drawn downwards"
    if curves.at_rest is not None:
        named["same forces, at rest"] = (curves.t, curves.at_rest)
        words += "; dashes: under the same axles at rest"
    title = f"Deflection at x = {x:g} m"
    draw_crossings(named, figure.add_subplot(), at_rest=curves.at_rest is not None, title=title)
    drawn = [("deflection", f"{words}.", figure)]
    figure = view.blank_figure(7.0, 5.4)
    crossing_map(found.map, figure.add_subplot())
    drawn += [
        ("map", "Deflection of the beam over place and time; lines are the axles.", figure),
        _acceleration(curves, x),
    ]
    figure = view.blank_figure(8.0)
    envelope_plot(found.moments, figure.add_subplot())
    drawn.append(("moment", "Least and largest bending moment along the beam, sagging positive.", figure))
    return [*drawn, *_wheel_forces(curves)]


def _acceleration(curves: LoadCurves, x: float) -> Drawn:
    figure = view.blank_figure(8.0)
    axes = figure.add_subplot()
    axes.plot(curves.t, curves.acceleration, color=view.GREY, lw=0.9, label="all")
    words = "Acceleration of the beam at the place, downwards"
    if curves.slow is not None:
        axes.plot(curves.t, curves.slow, color=view.BLUE, lw=1.8, label=f"up to {CUTOFF:g} Hz")
        view.draw_legend(axes)
        words += f", with and without what is faster than {CUTOFF:g} Hz"
    axes.set_xlim(curves.t[0], curves.t[-1])
    view.style_axes(axes, "time (s)", "acceleration (m/s²)", f"Acceleration at x = {x:g} m")
    return "acceleration", f"{words}.", figure


def _wheel_forces(curves: LoadCurves) -> list[Drawn]:
    if curves.forces is None:
        return []
    figure = view.blank_figure(8.0)
    axes, unit = figure.add_subplot(), unit_for(curves.forces, "N")
    for k, forces in enumerate(curves.forces.T):
        color = view.CYCLE[k % len(view.CYCLE)]
        axes.plot(curves.t, unit.of(forces), color=color, lw=1.4, label=f"wheel {k + 1}")
    if curves.forces.shape[1] > 1:
        view.draw_legend(axes, ncols=2)
    axes.set_xlim(curves.t[0], curves.t[-1])
    view.style_axes(axes, "time (s)", f"force ({unit.name})", "Forces under the wheels")
    return [("wheel_forces", "Forces under the wheels; zero where one has lifted.", figure)]


def extras(case: MovingLoadCase, stored: StoredRun, folder: Path) -> Sequence[Extra]:
    """A film of the crossing."""
    file, film = folder / ANIMATION, unflatten_state(LoadFindings, stored.findings).film
    draw_film(film, case.built, file, fps=FRAMES_PER_SECOND, x=case.place)
    start, end = film.t[film.rows[0]], film.t[film.rows[-1]]
    words = ""
    if (start, end) != (film.t[0], film.t[-1]):
        words = f" from {start:.3g} s to {end:.3g} s, around the largest deflection"
    return [(file, f"The beam, magnified, while the axles cross{words}.")]


def _words(value: Value, unit: str) -> str:
    if unit == "N m" and isinstance(value, float):
        newton = unit_for(value, "N")
        return f"{value / newton.factor:.4g} {newton.name} m"
    return format_value(value, unit)


REPORT = KindReport(tables, figures, extras)
