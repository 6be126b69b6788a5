"""Height, energy, and the force of one contact, of the histories that a figure is given."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.bouncing.bounce import BounceHistory
from traction.errors import InputError
from traction.integrators.history import ContactInterval, History
from traction.quantities import significant, unit_for
from traction.view.arguments import checked, figure
from traction.view.bouncing.stability_curves import choose_styles
from traction.view.chart import SECONDS, Chart, new_panels
from traction.view.figures import DARK, FONT, GREEN, GREY, ORANGE, SKY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Histories = History | Sequence[History] | Mapping[str, History]
POINTS = 400  #: drawn times of a window, besides the steps
POINTS_PER_BOUNCE = 60


def name_histories(histories: Histories) -> dict[str, History]:
    """Histories by name; those of a list by method, numbered where that is not enough."""
    if isinstance(histories, Mapping):
        named = dict(histories)
    else:
        several = [histories] if isinstance(histories, History) else list(histories)
        names = [history.method for history in several]
        if len(set(names)) < len(names):
            names = [f"{i + 1}: {name}" for i, name in enumerate(names)]
        named = dict(zip(names, several, strict=True))
    if not named:
        raise InputError("histories is empty; give one, a list, or several by name.")
    for name, history in named.items():
        if history.q.ndim > 1:
            raise InputError(f"{name} has {history.q.shape[1]} coordinates; a height is one.")
    return named


def methods_of(named: Mapping[str, History]) -> list[str]:
    """The integration methods of histories."""
    return [history.method for history in named.values()]


def falling(name: str, history: History) -> BounceHistory:
    """A history of a falling body."""
    return checks.instance(name, history, BounceHistory, "give what tr.bounce returns.")


def contact_intervals(history: History) -> tuple[ContactInterval, ...]:
    """Contacts of a history; without located events between the steps where the height turns negative."""
    if history.contacts:
        return history.contacts
    t, q = history.t.tolist(), history.q
    turns = np.diff(np.concatenate([[0], (q < 0.0).astype(np.int8), [0]]))
    found = []
    for first, after in zip(np.flatnonzero(turns == 1), np.flatnonzero(turns == -1), strict=True):
        deepest = int(first + np.argmin(q[first:after]))
        end = t[after] if after < len(t) else math.nan
        found.append(ContactInterval(t[max(first - 1, 0)], end, t[deepest], -float(q[deepest])))
    return tuple(found)


def contact_of(history: History, contact: int) -> ContactInterval:
    """One contact, counted from 0."""
    found = contact_intervals(history)
    number = checks.count("contact", contact, 0)
    if number >= len(found):
        raise InputError(
            f"contact = {number} is not in the history, which has {len(found)} from 0; increase t_end."
        )
    return found[number]


def flight(history: History) -> tuple[np.ndarray, np.ndarray]:
    """Times and heights, dense enough for the parabolas between steps."""
    many = max(POINTS, POINTS_PER_BOUNCE * (len(contact_intervals(history)) + 1))
    t = np.union1d(history.t, np.linspace(history.t[0], history.t[-1], many))
    return t, history.at(t)


def times_around(history: History, interval: ContactInterval, room: float = 0.12) -> np.ndarray:
    """Times around one contact, with its steps."""
    end = interval.end if math.isfinite(interval.end) else float(history.t[-1])
    more = room * (end - interval.start)
    low, high = max(interval.start - more, history.t[0]), min(end + more, history.t[-1])
    steps = history.t[(history.t > low) & (history.t < high)]
    return np.union1d(steps, np.linspace(low, high, POINTS // 2))


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


@checked
def contact_plot(
    histories: Histories,
    axes: Sequence[Axes] | None = None,
    *,
    contact: int = 0,
) -> tuple[Axes, Axes]:
    """Plot contact force and penetration over one contact.

    Parameters
    ----------
    histories
        Result of `tr.bounce`, a list of them, or a mapping from names in the legend.
    axes
        Axes to draw on; a new figure by default.
    contact
        Index of the contact, from 0.

    Returns
    -------
    tuple of Axes
        Those of the force and of the penetration.

    Raises
    ------
    InputError
        If a history is none of a falling body, or has fewer contacts.

    Examples
    --------
    >>> fall = tr.bounce(0.01, tr.Pair(tr.STEEL, tr.STEEL), height=0.1, t_end=0.2)
    >>> force, penetration = tr.view.contact_plot(fall)
    >>> force.get_ylabel(), penetration.get_ylabel()
    ('contact force (kN)', 'penetration (µm)')
    """
    named = name_histories(histories)
    curves = {name: ContactCurve.of(falling(name, history), contact) for name, history in named.items()}
    return draw_contacts(curves, methods_of(named), axes)


@dataclass(frozen=True, eq=False)
class ContactCurve:
    """Data of `contact_plot` for one contact: force and penetration since contact began."""

    t: np.ndarray  #: s
    force: np.ndarray  #: N
    depth: np.ndarray  #: m

    @classmethod
    def of(cls, history: BounceHistory, contact: int) -> ContactCurve:
        """One contact of a history, counted from 0."""
        interval = contact_of(history, contact)
        t = times_around(history, interval, room=0.0)
        force = history.body.mass * history.acceleration_at(t) + history.body.weight
        return cls(t - interval.start, force, np.maximum(0.0, -history.at(t)))


def draw_contacts(
    curves: Mapping[str, ContactCurve], methods: Sequence[str], axes: Sequence[Axes] | None = None
) -> tuple[Axes, Axes]:
    """Force above and penetration below, of contacts by the names in the legend, and their methods."""
    upper, lower = new_panels(axes, 2, (7.0, 6.0))
    time = unit_for([one.t[-1] for one in curves.values()], "s")
    force = Chart(upper, time, unit_for(np.concatenate([one.force for one in curves.values()]), "N"))
    depth = Chart(lower, time, unit_for(np.concatenate([one.depth for one in curves.values()]), "m"))
    for (name, one), style in zip(curves.items(), choose_styles(methods), strict=True):
        if len(curves) == 1:
            force.fill(one.t, one.force, color=style["color"], alpha=0.12)
        for chart, values in ((force, one.force), (depth, one.depth)):
            chart.plot(one.t, values, lw=2.0, label=name, **style)
            if len(curves) == 1:
                _mark_largest(chart, one.t, values)
    for ax in (upper, lower):
        ax.set_xlim(left=0.0)
        ax.set_ylim(bottom=0.0)
        ax.margins(y=0.12)
    if len(curves) > 1:
        force.legend(loc="lower center")
    force.finish("time since contact began", "contact force", "Contact force")
    if upper.get_shared_x_axes().joined(upper, lower):
        upper.set_xlabel("")
    depth.finish("time since contact began", "penetration", "Penetration")
    return upper, lower


def _mark_largest(chart: Chart, x: np.ndarray, values: np.ndarray) -> None:
    """The largest value, as a dot with its number."""
    i = int(np.argmax(values))
    spot = float(chart.x.of(x[i])), float(chart.y.of(values[i]))
    chart.ax.plot(*spot, "o", color=DARK, ms=5)
    chart.ax.annotate(
        f"{significant(spot[1], 4)} {chart.y.name}", spot, xytext=(0, 6), textcoords="offset points",
        ha="center", fontsize=FONT["tick"], color=DARK,
    )  # fmt: skip
