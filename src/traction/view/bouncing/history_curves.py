"""Height and energy of a history over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.bouncing.bounce import BounceHistory
from traction.quantities import unit_for
from traction.view.arguments import figure
from traction.view.bouncing.chosen_histories import (
    Histories,
    contact_of,
    flight,
    methods_of,
    name_histories,
    times_around,
)
from traction.view.bouncing.method_styles import choose_styles
from traction.view.chart import SECONDS, Chart
from traction.view.figures import DARK, GREEN, GREY, ORANGE, SKY

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@figure
def height_plot(
    histories: Histories, ax: Axes | None = None, *, start: float | None = None, title: str | None = None
) -> Axes:
    """Plot height over time, with the initial height as a line.

    Parameters
    ----------
    histories
        Result of `tr.bounce` or `tr.integrate`, a list of them, or a mapping from names in the legend.
    start
        Height of the line, m; the initial height by default.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If there is no history, or one of several coordinates.

    Examples
    --------
    >>> fall = tr.bounce(0.01, tr.Pair(tr.STEEL, tr.STEEL), height=0.1, t_end=0.2)
    >>> ax = tr.view.height_plot(fall)
    >>> ax.get_ylabel()
    'height (mm)'
    """
    named = name_histories(histories)
    curves = {name: flight(history) for name, history in named.items()}
    chart = Chart(ax, SECONDS, unit_for(np.concatenate([q for _, q in curves.values()]), "m"))
    first = next(iter(named.values()))
    level = float(first.q[0]) if start is None else checks.finite("start", start, "m")
    chart.ax.axhline(0.0, color=DARK, lw=0.8)
    chart.ax.axhline(float(chart.y.of(level)), color=GREY, lw=1.0, ls="--")
    for (name, (t, q)), style in zip(curves.items(), choose_styles(methods_of(named)), strict=True):
        chart.plot(t, q, lw=1.8, label=name, **style)
    chart.limit_x(min(t[0] for t, _ in curves.values()), max(t[-1] for t, _ in curves.values()))
    words = f"Height, {first.method}" if len(named) == 1 else "Height"
    return chart.finish("time", "height", title, words, legend=len(named) > 1)


@figure
def energy_plot(
    history: BounceHistory, ax: Axes | None = None, *, contact: int | None = None, title: str | None = None
) -> Axes:
    """Plot gravitational, kinetic and elastic energy over time.

    They are stacked; the line is their total.

    Parameters
    ----------
    history
        Result of `tr.bounce`.
    contact
        Index of one contact to draw, from 0; the whole history by default.
    ax, title
        As in `height_plot`.

    Raises
    ------
    InputError
        If `history` is not that of a falling body, or has no such contact.

    Examples
    --------
    >>> fall = tr.bounce(0.01, tr.Pair(tr.STEEL, tr.STEEL), height=0.1, t_end=0.2)
    >>> ax = tr.view.energy_plot(fall, contact=0)
    >>> ax.get_xlabel()
    'time since contact began (µs)'
    """
    if contact is None:
        (t, q), zero, time = flight(history), 0.0, SECONDS
    else:
        interval = contact_of(history, contact)
        t = times_around(history, interval)
        q, zero, time = history.at(t), interval.start, unit_for(t[-1] - t[0], "s")
    v, body = history.velocity_at(t), history.body
    parts = [body.weight * q, 0.5 * body.mass * v**2, body.force.energies_along(q)]
    chart = Chart(ax, time, unit_for([float(part.max()) for part in parts], "J"))
    below = np.minimum(parts[0], 0.0)
    lowest = float(below.min())
    parts[0] = parts[0] - below
    names, colors = ("gravitational", "kinetic", "elastic"), (GREEN, SKY, ORANGE)
    # an edge shows the elastic energy also where a contact is shorter than a pixel
    for name, part, color, edge in zip(names, parts, colors, (0.0, 0.0, 0.8), strict=True):
        chart.fill(t - zero, below, below + part, color=color, alpha=0.6, lw=edge, label=name)
        below = below + part
    # between the steps an energy would be that of the interpolation
    total = np.interp(t, history.t, history.energy)
    chart.plot(t - zero, total, color=DARK, lw=1.8, label="total")
    chart.ax.axhline(0.0, color=DARK, lw=0.8)
    chart.limit_x(t[0] - zero, t[-1] - zero)
    # the legend lies above the highest energy
    top = max(float(total.max()), float(below.max()))
    chart.ax.set_ylim(*chart.y.of([lowest, 1.22 * top]))
    chart.legend(loc="upper center", ncols=4)
    label = "time" if contact is None else "time since contact began"
    return chart.finish(label, "energy", title, f"Energy, {history.method}")
