"""What a report tells of a crossing: key figures, tables, figures and an animation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from traction.crossing.moving_load import moving_load
from traction.crossing.results.crossing import Crossing, ModalCrossing
from traction.crossing.results.vehicle_results import VehicleResults
from traction.kinds.kind import Extra, KindReport
from traction.kinds.report_tables import format_value as shown
from traction.kinds.tables.axle_tables import load_words
from traction.kinds.tables.beam_tables import beam_words
from traction.quantities import quantity, unit_for
from traction.results.manifest import KeyFigure
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from traction.kinds.moving_load.schema import MovingLoadCase

Samples = Mapping[str, Any]
CUTOFF = 30.0  #: Hz, up to which bridge codes judge accelerations (EN 1990, A2.4.4.2.1)
BALANCE, AGREEMENT = 1e-3, 1e-2  #: limits of the checks
FROM_MODES = "largest deflection, difference from exact modes"
FRAMES, FRAMES_PER_SECOND = 48, 12
PER_SWING = 8  #: frames in a period of the first mode
ANIMATION = "crossing.gif"
MOST_DRAWN = 8  #: wheels whose forces are drawn


def key_figures(case: MovingLoadCase, samples: Samples) -> Sequence[KeyFigure]:
    """Largest values at the place, of all steps and between them."""
    run, x = case.crossing, case.place
    peak = run.largest("deflection", x)
    found: list[KeyFigure] = [
        ("largest deflection at the place", peak.value, "m"),
        ("its time", peak.time, "s"),
    ]
    if case.at_rest:
        rest = float(np.abs(run.at_rest("deflection", x)).max())
        found.append(("largest deflection at rest", rest, "m"))
        if rest > 0.0:
            found.append(("amplification", run.amplification("deflection", x), "1"))
    found += [
        ("largest moment at the place", run.largest("moment", x).value, "N m"),
        ("largest acceleration at the place", abs(run.largest("acceleration", x).value), "m/s2"),
    ]
    if _filters(run):
        slow = float(np.abs(run.filtered("acceleration", x, CUTOFF)).max())
        found.append((f"of it up to {CUTOFF:g} Hz", slow, "m/s2"))
    if isinstance(run, VehicleResults):
        found += [
            ("largest force under a wheel", float(run.contact_forces.max()), "N"),
            ("least force under a wheel", float(run.contact_forces.min()), "N"),
            (
                "share of the steps in which a wheel has lifted",
                float((~run.in_contact).any(axis=1).mean()),
                "1",
            ),
        ]
    return found


def tables(case: MovingLoadCase, samples: Samples) -> Sequence[Table]:
    """What went in, what came out, and whether it holds."""
    results = [(name, _words(value, unit)) for name, value, unit in key_figures(case, samples)]
    return [
        Table("Inputs", ("quantity", "value"), _inputs(case)),
        Table("Results", ("quantity", "value"), results),
        Table("Checks", ("check", "found", "limit", "verdict"), [_check(case)]),
    ]


def _inputs(case: MovingLoadCase) -> list[tuple[str, str]]:
    run, model = case.crossing, case.model
    words = f"{model.number} {model.type}"
    if model.type == "modes" and model.residual is not False:
        words += " with the flexibility of those left out"
    return [
        *beam_words(case.beam),
        *load_words(case),
        ("model", f"{words}, {run.method}"),
        ("steps", f"{run.t.size - 1} of {quantity(run.dt, 's')}"),
        ("place that is looked at", quantity(case.place, "m")),
        ("time", f"{quantity(float(run.t[-1]), 's')}, {case.time.samples} samples"),
    ]


def _check(case: MovingLoadCase) -> tuple[str, str, str, str]:
    run = case.crossing
    if isinstance(run, ModalCrossing):
        found, limit = energy_error(run), BALANCE
        words = "work of the axles less energy and loss, of the largest"
        remedy = "large: choose a shorter time.dt"
    else:
        found, limit = _apart(case, run), AGREEMENT
        words = FROM_MODES
        remedy = "large: choose a larger model.size, or a shorter time.dt"
    return words, f"{found:.1e}", f"{limit:g}", "passed" if found <= limit else remedy


def energy_error(run: ModalCrossing) -> float:
    """Largest imbalance of the modes' energy, of the largest energy or work."""
    gained = 0.5 * (run.power - run.dissipation)
    work = np.r_[0.0, np.cumsum((gained[1:] + gained[:-1]) * np.diff(run.t))]
    size = max(float(np.abs(work).max()), float(run.energy.max()))
    return float(np.abs(work - run.energy).max()) / size if size else 0.0


def _apart(case: MovingLoadCase, run: Crossing) -> float:
    exact = moving_load(
        case.modal_beam, case.cars, case.way, t_end=case.time.t_end, gravity=case.gravity,
        irregularity=case.rough,
    )  # fmt: skip
    return deflections_apart(run, exact, case.place)


def deflections_apart(run: Crossing, exact: Crossing, x: float) -> float:
    """Difference of the largest deflections at x, of the second."""
    found, largest = (one.largest("deflection", x).value for one in (run, exact))
    return abs(found - largest) / abs(largest) if largest else abs(found)


def figures(case: MovingLoadCase, samples: Samples) -> Sequence[tuple[str, str, Figure]]:
    """Over time at the place, in space and time, and along the beam."""
    from traction.view import figures as view
    from traction.view.bridges import crossing_map, crossing_plot, envelope_plot

    run, x = case.crossing, case.place
    figure = view.blank_figure(8.0)
    crossing_plot(run, x, figure.add_subplot(), at_rest=case.at_rest)
    words = "Deflection at the place over time, drawn downwards"
    words += "; dashes: under the same axles at rest." if case.at_rest else "."
    drawn = [("deflection", words, figure)]
    figure = view.blank_figure(7.0, 5.4)
    crossing_map(run, figure.add_subplot())
    drawn.append(("map", "Deflection of the beam over place and time; lines are the axles.", figure))
    drawn.append(("acceleration", _acceleration_words(run), _acceleration(run, x)))
    figure = view.blank_figure(8.0)
    envelope_plot(run, figure.add_subplot())
    drawn.append(("moment", "Least and largest bending moment along the beam, sagging positive.", figure))
    if isinstance(run, VehicleResults):
        words = "Forces under the wheels; zero where one has lifted."
        drawn.append(("wheel_forces", words, _wheel_forces(run)))
    return drawn


def _acceleration(run: Crossing, x: float) -> Figure:
    from traction.view import figures as view

    figure = view.blank_figure(8.0)
    axes = figure.add_subplot()
    axes.plot(run.t, run.acceleration(x), color=view.GREY, lw=0.9, label="all")
    if _filters(run):
        slow = run.filtered("acceleration", x, CUTOFF)
        axes.plot(run.t, slow, color=view.BLUE, lw=1.8, label=f"up to {CUTOFF:g} Hz")
        view.draw_legend(axes)
    axes.set_xlim(run.t[0], run.t[-1])
    view.style_axes(axes, "time (s)", "acceleration (m/s²)", f"Acceleration at x = {x:g} m")
    return figure


def _acceleration_words(run: Crossing) -> str:
    words = "Acceleration of the beam at the place, downwards"
    return f"{words}, with and without what is faster than {CUTOFF:g} Hz." if _filters(run) else f"{words}."


def _wheel_forces(run: VehicleResults) -> Figure:
    from traction.view import figures as view

    figure = view.blank_figure(8.0)
    axes = figure.add_subplot()
    unit, count = unit_for(run.contact_forces, "N"), run.contact_forces.shape[1]
    for k in range(min(count, MOST_DRAWN)):
        color = view.CYCLE[k % len(view.CYCLE)]
        axes.plot(run.t, unit.of(run.contact_forces[:, k]), color=color, lw=1.4, label=f"wheel {k + 1}")
    if count > 1:
        view.draw_legend(axes, ncols=2)
    axes.set_xlim(run.t[0], run.t[-1])
    view.style_axes(axes, "time (s)", f"force ({unit.name})", "Forces under the wheels")
    return figure


def extras(case: MovingLoadCase, samples: Samples, folder: Path) -> Sequence[Extra]:
    """An animation of the crossing."""
    from traction.view.animations.crossing_animation import animate_crossing

    file, run, shown_times = folder / ANIMATION, case.crossing, filmed(case)
    options: dict[str, Any] = {"frames": FRAMES, "fps": FRAMES_PER_SECOND, "x": case.place}
    animate_crossing(run, file, during=shown_times, **options)
    whole = shown_times == (float(run.t[0]), float(run.t[-1]))
    words = (
        ""
        if whole
        else f" from {shown_times[0]:.3g} s to {shown_times[1]:.3g} s, around the largest deflection"
    )
    return [(file, f"The beam, magnified, while the axles cross{words}.")]


def filmed(case: MovingLoadCase) -> tuple[float, float]:
    """First and last time (s) of the animation: all, or so much around the peak that swings are seen."""
    run = case.crossing
    start, end = float(run.t[0]), float(run.t[-1])
    moving = [omega for omega in case.built.frequencies(3) if omega > 0.0]
    longest = FRAMES / PER_SWING * 2.0 * math.pi / moving[0] if moving else end - start
    if end - start <= longest:
        return start, end
    first = run.largest("deflection", case.place).time - 0.5 * longest
    first = min(max(first, start), end - longest)
    return first, first + longest


def _filters(run: Crossing) -> bool:
    """Whether the steps are short enough for the filter."""
    return run.t.size >= 8 and CUTOFF < 0.4 / run.dt


def _words(value: Any, unit: str) -> str:
    if unit == "N m":
        newton = unit_for(value, "N")
        return f"{value / newton.factor:.4g} {newton.name} m"
    return shown(value, unit)


REPORT = KindReport(tables, figures, extras)
