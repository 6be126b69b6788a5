"""What a report tells of a body that rolls: key figures, tables, figures and an animation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from traction.kinds.friction.report import (
    Drawn,
    Samples,
    check_table,
    input_table,
    sides,
    step_table,
    traction_figures,
)
from traction.kinds.friction.report import key_figures as last_numbers
from traction.kinds.friction.run import FORCES, LOST, STICK, measured
from traction.kinds.registry import Extra, KeyFigure
from traction.kinds.roll.run import DISTANCE, ROLLING, RollStepper
from traction.quantities import quantity, unit_for
from traction.results.folder import RunFolder
from traction.view.report import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from traction.kinds.roll.schema import RollCase

ANIMATION = "rolling.gif"
FRAMES, FRAMES_PER_SECOND = 60, 12


def key_figures(case: RollCase, samples: Samples) -> Sequence[KeyFigure]:
    """Numbers of the last step, and the energy lost since the first."""
    lost = measured((LOST,), case)[0]
    shown = [DISTANCE, *ROLLING, *measured(FORCES, case), STICK]
    total = float(np.sum(samples[lost.name][1:]))
    return [*last_numbers(shown, samples), ("energy lost in rolling", total, lost.unit)]


def tables(case: RollCase, samples: Samples) -> Sequence[Table]:
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
    columns = (DISTANCE, *ROLLING, *measured((*FORCES[1:], STICK, LOST), case))
    return [
        input_table(case, more),
        step_table("Steps", columns, samples, first=0),
        check_table(case, samples),
    ]


def figures(case: RollCase, samples: Samples) -> Sequence[Drawn]:
    """Tractions of the last step, and everything over the distance."""
    shown = traction_figures(RollStepper(case), samples, case.rolling.direction)
    words = "Creepage of each step and forces after it, over the distance rolled; dashes: limit of friction."
    return [*shown, ("over_distance", words, _over_distance(case, samples))]


def _over_distance(case: RollCase, samples: Samples) -> Figure:
    from traction.view import figures as view

    way = unit_for(samples["distance"], "m")
    x, line = way.of(samples["distance"]), case.grid.line
    figure = view.blank_figure(8.0, 6.0)
    upper, lower = figure.subplots(2, 1, sharex=True)
    for name, label, color in (("longitudinal", "along x", view.BLUE), ("lateral", "along y", view.ORANGE)):
        if np.nanmax(np.abs(samples[name])) > 0.0 or name == "longitudinal":
            upper.plot(x, 100.0 * samples[name], color=color, lw=1.8, label=label)
    view.style_axes(upper, "", "creepage (%)", "Creepage", legend=not line)
    limit = case.friction * samples["normal_force"]
    force = unit_for(limit, "N")
    for axis, color in (("x", view.BLUE), ("y", view.ORANGE)):
        if axis == "x" or not line:
            lower.plot(x, force.of(samples[f"force_{axis}"]), color=color, lw=1.8, label=f"along {axis}")
    for side in sides(np.array([samples["force_x"], samples["force_y"]]), float(limit.max())):
        lower.plot(x, force.of(side * limit), color=view.GREY, lw=1.1, ls="--")
    unit = f"{force.name}/m" if line else force.name
    labels = f"distance rolled ({way.name})", f"force on body 1 ({unit})"
    view.style_axes(lower, *labels, "Force", legend=not line)
    return figure


def extras(case: RollCase, samples: Samples, folder: Path) -> Sequence[Extra]:
    """An animation of the tractions."""
    from traction.view.animations.rolling_animation import RollingHistory, animate_rolling

    total = len(samples["distance"])
    chosen = np.unique(np.round(np.linspace(0, total - 1, FRAMES)).astype(int))
    stepper = RollStepper(case)
    contacts = [stepper.contact_of(sample, 0) for sample in _stored(folder, chosen)]
    limit = case.friction * samples["normal_force"]
    creepage, force = (
        np.stack([samples[name] for name in names], axis=1)
        for names in (("longitudinal", "lateral"), ("force_x", "force_y"))
    )
    given = case.rolling.columns
    for k, name in enumerate(("force_x", "force_y")):
        if given[name] is None:  # the creepage is given, and the force is found
            creepage[:, k] = np.nan
    history = RollingHistory.of(
        samples["distance"], creepage, force / np.where(limit > 0.0, limit, 1.0)[:, None]
    )
    file = folder / ANIMATION
    animate_rolling(
        contacts,
        file,
        distance=samples["distance"][chosen],
        history=history,
        direction=case.rolling.direction,
        fps=FRAMES_PER_SECOND,
    )
    return [(file, "Tractions while it rolls.")]


def _stored(folder: Path, chosen: np.ndarray) -> Iterator[dict[str, Any]]:
    """Some samples of a run, one after the other."""
    for first, block in RunFolder.open(folder).blocks():
        count = len(block["distance"])
        for number in chosen[(chosen >= first) & (chosen < first + count)]:
            yield {name: values[number - first : number - first + 1].copy() for name, values in block.items()}
