"""What a report shows of a body that rolls: tables, figures and an animation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from traction.kinds.friction.friction_fields import FORCES, LOST, STICK, measure_fields
from traction.kinds.friction.friction_report import (
    draw_tractions,
    restore_step,
    signs_of,
    tabulate_checks,
    tabulate_inputs,
    tabulate_steps,
)
from traction.kinds.kind import Drawn, Extra, KindReport
from traction.kinds.roll.run import DISTANCE, ROLLING
from traction.kinds.roll.schema import RollCase
from traction.quantities import quantity, unit_for
from traction.results.folder import RunFolder
from traction.results.stored_run import StoredRun
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ANIMATION = "rolling.gif"
FRAMES, FRAMES_PER_SECOND = 60, 12


def make_tables(case: RollCase, run: StoredRun) -> Sequence[Table]:
    """What went in, and what came out."""
    lengths = case.lengths
    low, high = min(lengths), max(lengths)
    step = (
        quantity(high, "m") if high - low <= 1e-9 * high else f"{quantity(low, 'm')} to {quantity(high, 'm')}"
    )
    shifts = len(case.start_steps)
    more = [
        *case.rolling.words,
        ("steps", f"{len(lengths)} of {step}"),
        ("shifts before", f"{shifts}" if shifts else "none: it starts without tractions"),
    ]
    columns = (DISTANCE, *ROLLING, *measure_fields((*FORCES[1:], STICK, LOST), case))
    return [
        tabulate_inputs(case, more),
        tabulate_steps("Steps", columns, run, first=0),
        tabulate_checks(case, run),
    ]


def draw_figures(case: RollCase, run: StoredRun) -> Sequence[Drawn]:
    """Tractions of the last step, and everything over the distance."""
    shown = draw_tractions(case, run, case.rolling.direction)
    words = "Creepage of each step and forces after it, over the distance rolled; dashes: limit of friction."
    return [*shown, ("over_distance", words, _draw_over_distance(case, run))]


def _draw_over_distance(case: RollCase, run: StoredRun) -> Figure:
    from traction.view import figures as view

    way = unit_for(run["distance"], "m")
    x, line = way.of(run["distance"]), case.grid.line
    figure = view.blank_figure(8.0, 6.0)
    upper, lower = figure.subplots(2, 1, sharex=True)
    for name, label, color in (("longitudinal", "along x", view.BLUE), ("lateral", "along y", view.ORANGE)):
        if np.nanmax(np.abs(run[name])) > 0.0 or name == "longitudinal":
            upper.plot(x, 100.0 * run[name], color=color, lw=1.8, label=label)
    view.style_axes(upper, "", "creepage (%)", "Creepage", legend=not line)
    limit = case.friction * run["normal_force"]
    force = unit_for(limit, "N")
    for axis, color in (("x", view.BLUE), ("y", view.ORANGE)):
        if axis == "x" or not line:
            lower.plot(x, force.of(run[f"force_{axis}"]), color=color, lw=1.8, label=f"along {axis}")
    for side in signs_of(np.array([run["force_x"], run["force_y"]]), float(limit.max())):
        lower.plot(x, force.of(side * limit), color=view.GREY, lw=1.1, ls="--")
    unit = f"{force.name}/m" if line else force.name
    labels = f"distance rolled ({way.name})", f"force on body 1 ({unit})"
    view.style_axes(lower, *labels, "Force", legend=not line)
    return figure


def write_extras(case: RollCase, run: StoredRun, folder: Path) -> Sequence[Extra]:
    """An animation of the tractions."""
    from traction.view.animations.rolling_animation import RollingHistory, animate_rolling

    total = len(run["distance"])
    chosen = np.unique(np.round(np.linspace(0, total - 1, FRAMES)).astype(int))
    contacts = [restore_step(case, sample, 0) for sample in _read_samples(folder, chosen)]
    limit = case.friction * run["normal_force"]
    creepage, force = (
        np.stack([run[name] for name in names], axis=1)
        for names in (("longitudinal", "lateral"), ("force_x", "force_y"))
    )
    given = case.rolling.columns
    for k, name in enumerate(("force_x", "force_y")):
        if given[name] is None:  # the creepage is given, and the force is found
            creepage[:, k] = np.nan
    history = RollingHistory.of(run["distance"], creepage, force / np.where(limit > 0.0, limit, 1.0)[:, None])
    file = folder / ANIMATION
    animate_rolling(
        contacts,
        file,
        distance=run["distance"][chosen],
        history=history,
        direction=case.rolling.direction,
        fps=FRAMES_PER_SECOND,
    )
    return [(file, "Tractions while it rolls.")]


def _read_samples(folder: Path, chosen: np.ndarray) -> Iterator[Mapping[str, np.ndarray]]:
    """Some samples of a run, one after the other."""
    for first, block in RunFolder.open(folder).blocks():
        count = len(block["distance"])
        for number in chosen[(chosen >= first) & (chosen < first + count)]:
            yield {name: values[number - first : number - first + 1].copy() for name, values in block.items()}


REPORT = KindReport(make_tables, draw_figures, write_extras)
