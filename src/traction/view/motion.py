"""Figures of histories: height, energy, one contact, the surfaces at one time, stability of methods.

Each takes results and optional axes, and returns the axes. matplotlib is loaded where a figure is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.bouncing.bounce import BounceHistory
from traction.bouncing.falling_body import FallingBody
from traction.errors import InputError
from traction.integrators.history import ContactInterval, History
from traction.integrators.stability import Stability
from traction.quantities import Unit, significant, unit_for
from traction.view.chart import SECONDS, Chart, draw_words, new_panels
from traction.view.figures import (
    BLUE,
    CYCLE,
    DARK,
    DASHES,
    FONT,
    GREEN,
    GREY,
    GROUND_FILL,
    ORANGE,
    SKY,
    STEEL_FILL,
    Style,
    style_axes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Histories = History | Sequence[History] | Mapping[str, History]

#: methods of one family share a hue; with the dashes they stay apart for colour-blind readers
METHOD_STYLES: dict[str, tuple[str, Style, str]] = {
    "euler-forward": ("#D55E00", DASHES[0], "v"),
    "euler-backward": ("#E69F00", DASHES[1], "^"),
    "symplectic-euler": ("#8C510A", DASHES[2], "D"),
    "rk4": ("#0072B2", DASHES[0], "o"),
    "radau-ia": ("#56B4E9", DASHES[1], "s"),
    "radau-iia": ("#1B3A6B", DASHES[3], "P"),
    "verlet": ("#009E73", DASHES[0], "o"),
    "newmark": ("#7CB342", DASHES[1], "s"),
    "hht": ("#CC79A7", DASHES[0], "v"),
    "generalized-alpha": ("#7B3294", DASHES[1], "^"),
    "energy-conserving": (DARK, DASHES[2], "*"),
}
POINTS = 400  #: drawn times of a window, besides the steps
POINTS_PER_BOUNCE = 60
ROOM = 2.4  #: half width of a picture of the contact over its largest radius
FACTORS = tuple(digit * 10.0**power for power in range(6) for digit in (1.0, 2.0, 5.0))


def method_style(name: str) -> dict[str, Style]:
    """Return colour, dashes and marker of an integration method, the same in all figures.

    Parameters
    ----------
    name
        Name of the method.

    Returns
    -------
    dict
        Options for `ax.plot`.

    Raises
    ------
    InputError
        If the method is unknown.

    Examples
    --------
    >>> tr.view.method_style("rk4")["marker"]
    'o'
    """
    if name not in METHOD_STYLES:
        raise InputError(f"method = {checks.shown(name)} is not known; known are {', '.join(METHOD_STYLES)}.")
    color, dashes, marker = METHOD_STYLES[name]
    return {"color": color, "ls": dashes, "marker": marker}


def height_plot(
    histories: Histories, ax: Axes | None = None, *, start: float | None = None, title: str | None = None
) -> Axes:
    """Plot height over time, with the initial height as a line.

    Parameters
    ----------
    histories
        Result of `tr.bounce` or `tr.integrate`, a list of them, or a mapping from names in the legend.
    ax
        Axes to draw on; a new figure by default.
    start
        Height of the line, m; the initial height by default.
    title
        Title; a default one if not given.

    Returns
    -------
    Axes
        The axes.

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
    named = _named(histories)
    curves = {name: flight(history) for name, history in named.items()}
    chart = Chart(ax, SECONDS, unit_for(np.concatenate([q for _, q in curves.values()]), "m"))
    first = next(iter(named.values()))
    level = float(first.q[0]) if start is None else checks.finite("start", start, "m")
    chart.ax.axhline(0.0, color=DARK, lw=0.8)
    chart.ax.axhline(float(chart.y.of(level)), color=GREY, lw=1.0, ls="--")
    for (name, (t, q)), style in zip(curves.items(), _styles(_methods(named)), strict=True):
        chart.plot(t, q, lw=1.8, label=name, **style)
    chart.limit_x(min(t[0] for t, _ in curves.values()), max(t[-1] for t, _ in curves.values()))
    words = f"Height, {first.method}" if len(named) == 1 else "Height"
    return chart.finish("time", "height", title, words, legend=len(named) > 1)


def energy_plot(
    history: BounceHistory, ax: Axes | None = None, *, contact: int | None = None, title: str | None = None
) -> Axes:
    """Plot gravitational, kinetic and elastic energy over time, stacked, and their total.

    Parameters
    ----------
    history
        Result of `tr.bounce`.
    ax
        Axes to draw on; a new figure by default.
    contact
        Index of one contact to draw, from 0; the whole history by default.
    title
        Title; a default one if not given.

    Returns
    -------
    Axes
        The axes.

    Raises
    ------
    InputError
        If `history` is not that of a falling body, or has no such contact.

    Examples
    --------
    >>> fall = tr.bounce(0.01, tr.Pair(tr.STEEL, tr.STEEL), height=0.1, t_end=0.2)
    >>> ax = tr.view.energy_plot(fall, contact=0)
    >>> ax.get_xlabel()
    'time since the touch (µs)'
    """
    _falling("history", history)
    if contact is None:
        (t, q), zero, time = flight(history), 0.0, SECONDS
    else:
        interval = contact_of(history, contact)
        t = _window(history, interval)
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
    label = "time" if contact is None else "time since the touch"
    return chart.finish(label, "energy", title, f"Energy, {history.method}")


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
        The axes.

    Raises
    ------
    InputError
        If a history is not that of a falling body, or has no such contact.

    Examples
    --------
    >>> fall = tr.bounce(0.01, tr.Pair(tr.STEEL, tr.STEEL), height=0.1, t_end=0.2)
    >>> force, penetration = tr.view.contact_plot(fall)
    >>> force.get_ylabel(), penetration.get_ylabel()
    ('contact force (kN)', 'penetration (µm)')
    """
    named = _named(histories)
    curves = {name: ContactCurve.of(_falling(name, history), contact) for name, history in named.items()}
    return draw_contacts(curves, _methods(named), axes)


@dataclass(frozen=True, eq=False)
class ContactCurve:
    """Data of `contact_plot` for one contact: force and penetration since the touch."""

    t: np.ndarray  #: s
    force: np.ndarray  #: N
    depth: np.ndarray  #: m

    @classmethod
    def of(cls, history: BounceHistory, contact: int) -> ContactCurve:
        """One contact of a history, counted from 0."""
        interval = contact_of(history, contact)
        t = _window(history, interval, room=0.0)
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
    for (name, one), style in zip(curves.items(), _styles(methods), strict=True):
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
    force.finish("time since the touch", "contact force", "Contact force")
    if upper.get_shared_x_axes().joined(upper, lower):
        upper.set_xlabel("")
    depth.finish("time since the touch", "penetration", "Penetration")
    return upper, lower


def surface_plot(
    history: BounceHistory,
    t: float,
    ax: Axes | None = None,
    *,
    half_width: float | None = None,
    magnification: float | None = None,
    legend: bool = True,
    title: str | None = None,
) -> Axes:
    """Plot body and deformed ground at one time, cut through the lowest point.

    Parameters
    ----------
    history
        Result of `tr.bounce`.
    t
        Time, s.
    ax
        Axes to draw on; a new figure by default.
    half_width
        Extent to either side, m; 2.4 times the largest contact radius by default.
    magnification
        Magnification of heights; by default the least of 1, 2, 5, 10, ... that shows the penetration.
    legend
        Whether to draw a legend.
    title
        Title; a default one if not given.

    Returns
    -------
    Axes
        The axes.

    Raises
    ------
    InputError
        If the body does not touch the ground, or a size is not positive.

    Examples
    --------
    >>> fall = tr.bounce(0.01, tr.Pair(tr.STEEL, tr.STEEL), height=0.1, t_end=0.2)
    >>> ax = tr.view.surface_plot(fall, fall.contacts[0].peak_time)
    >>> ax.get_title("left")
    'Surfaces at t = 142.82 ms'
    """
    _falling("history", history)
    cut = SurfaceCut.of(history, t, Scene.of(history, half_width, magnification))
    words = f"Surfaces at t = {1e3 * t:.2f} ms" if title is None else title
    return draw_surfaces(cut, ax, legend=legend, title=words)


@dataclass(frozen=True, eq=False)
class SurfaceCut:
    """Data of `surface_plot`: body and ground at one time, cut through the lowest point."""

    scene: Scene
    height: float  #: of the lowest point, m
    upper: np.ndarray  #: height of the body's surface over `scene.x`, m
    lower: np.ndarray  #: of the ground's

    @classmethod
    def of(cls, history: BounceHistory, t: float, scene: Scene) -> SurfaceCut:
        """Surfaces of a history at time t, s."""
        return cls(scene, float(history.at(t)), *history.surfaces(t, scene.x))


def draw_surfaces(cut: SurfaceCut, ax: Axes | None = None, *, legend: bool = True, title: str) -> Axes:
    """Body and deformed ground."""
    scene, x = cut.scene, cut.scene.x
    chart = Chart(ax, scene.unit, scene.unit)
    chart.plot(x, np.zeros_like(x), "--", color=ORANGE, lw=1.2, label="ground, undeformed")
    chart.ax.fill_between(chart.x.of(x), chart.y.of(cut.lower), scene.bottom, color=GROUND_FILL, lw=0.0)
    chart.ax.fill_between(chart.x.of(x), chart.y.of(cut.upper), scene.top, color=STEEL_FILL, lw=0.0)
    chart.plot(x, cut.lower, color=ORANGE, lw=2.0, label="ground")
    chart.plot(x, cut.upper, color=BLUE, lw=2.0, label="body")
    touching = cut.upper - cut.lower < 1e-3 * max(scene.depth, 1e-30)
    if touching.any() and cut.height < 0.0:
        where = np.where(touching, cut.lower, np.nan)
        chart.plot(x, where, color=DARK, lw=3.5, solid_capstyle="butt", label="contact")
    scene.frame(chart.ax)
    if legend:
        chart.legend(loc="upper center", ncols=2)
    return chart.finish("x", "height", title, grid=False)


def stability_plot(
    results: Stability | Sequence[Stability], axes: Sequence[Axes] | None = None
) -> tuple[Axes, Axes, Axes]:
    """Plot spectral radius, period error and damping ratio over omega*dt.

    Parameters
    ----------
    results
        Result of `tr.stability`, or several.
    axes
        Axes to draw on; a new figure by default.

    Returns
    -------
    tuple of Axes
        The axes.

    Raises
    ------
    InputError
        If there is no result of `tr.stability`.

    Notes
    -----
    Where the radius exceeds 1 oscillations grow: the region is shaded and each limit marked. Period and
    damping are not drawn beyond it, except for a method that is never stable.

    Examples
    --------
    >>> found = [tr.stability(name, [0.1, 1.0, 3.0]) for name in ("verlet", "newmark")]
    >>> radius, period, damping = tr.view.stability_plot(found)
    >>> radius.get_xlabel()
    'ω Δt'
    """
    several = [results] if isinstance(results, Stability) else list(results)
    if not several:
        raise InputError("results is empty: give results of tr.stability.")
    for result in several:
        checks.instance("results", result, Stability, "give results of tr.stability.")
    radius, period, damping = new_panels(axes, 3, (13.5, 4.6), columns=True)
    for result, style in zip(several, _styles([result.method for result in several]), strict=True):
        x = result.omega_dt
        radius.semilogx(x, result.spectral_radius, lw=1.9, label=result.method, **style)
        growing = (result.spectral_radius > 1.0 + 1e-9) & (result.limit > 0.0)
        for ax, values in ((period, 100.0 * result.period_error), (damping, 100.0 * result.damping_ratio)):
            ax.semilogx(x, np.where(growing, np.nan, values), lw=1.9, **style)
        if 0.0 < result.limit < x[-1]:
            radius.plot(result.limit, 1.0, "o", ms=6, mfc="white", mec=style["color"], mew=1.8, zorder=5)
    low = min(float(result.omega_dt.min()) for result in several)
    high = max(float(result.omega_dt.max()) for result in several)
    radius.axhspan(1.0, 1.6, color=ORANGE, alpha=0.10, lw=0.0)
    radius.text(low * 1.3, 1.5, "grows: unstable", color=ORANGE, fontsize=FONT["tick"], va="center")
    radius.set_ylim(0.0, 1.6)
    period.set_ylim(-20.0, 60.0)
    damping.set_ylim(-20.0, 60.0)
    for ax in (period, damping):
        ax.axhline(0.0, color=DARK, lw=0.8)
    damping.axhspan(-20.0, 0.0, color=ORANGE, alpha=0.10, lw=0.0)
    for ax in (radius, period, damping):
        ax.set_xlim(low, high)
    style_axes(radius, "ω Δt", "spectral radius", "Spectral radius")
    style_axes(period, "ω Δt", "period error (%)", "Period error")
    style_axes(damping, "ω Δt", "damping ratio (%)", "Numerical damping")
    if len(several) > 1:
        radius.figure.legend(
            *radius.get_legend_handles_labels(),
            loc="outside lower center", ncols=min(6, len(several)), fontsize=FONT["tick"], frameon=False,
        )  # fmt: skip
    return radius, period, damping


@dataclass(frozen=True, eq=False)
class Scene:
    """The frame of a picture of a body on the ground: places, limits in the unit drawn, and magnification."""

    x: np.ndarray  #: m
    depth: float  #: of the deepest penetration, m
    rise: float  #: up to which it is drawn, m
    magnification: float  #: of heights

    @property
    def unit(self) -> Unit:
        """In which it is drawn."""
        return unit_for(float(self.x[-1]), "m")

    @property
    def bottom(self) -> float:
        """Lower limit, in that unit; the legend has the room above."""
        return float(self.unit.of(-1.45 * self.depth))

    @property
    def top(self) -> float:
        """Upper limit, likewise."""
        return float(self.unit.of(self.rise))

    @classmethod
    def of(cls, history: BounceHistory, half_width: float | None, magnification: float | None) -> Scene:
        """A frame for the largest contact of a history."""
        depth = float(history.penetration.max())
        if depth <= 0.0:
            raise InputError("the body does not touch the ground: there is no deformation to show.")
        if half_width is None:
            half = _half_width(history.body, depth)
        else:
            half = checks.positive("half_width", half_width, "m")
        if magnification is None:
            magnification = next((f for f in FACTORS if f * depth >= 0.09 * half), FACTORS[-1])
        factor = checks.positive("magnification", magnification)
        rise = max(1.1 * depth, 0.62 * half / factor)
        return cls(np.linspace(-half, half, 481), depth, rise, factor)

    def frame(self, ax: Axes) -> None:
        """Limits and scales; says by how much heights are magnified."""
        ends = self.unit.of(self.x[[0, -1]])
        ax.set_xlim(*ends)
        ax.set_ylim(self.bottom, self.top)
        ax.set_aspect(self.magnification)
        true = self.magnification == 1.0
        words = "true to scale" if true else f"heights magnified {self.magnification:g} times"
        draw_words(ax, 0.99, 0.03, words, ha="right", va="bottom")


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


def _half_width(body: FallingBody, depth: float) -> float:
    """Half width (m) of a picture of the contact and its surroundings, as far as the shape is known."""
    grid, reach = body.law.grid, 1e-6
    most = math.inf if grid is None else 0.5 * grid.nx * grid.dx
    # half the depth: the ground around deforms too
    while reach < min(most, 1e3) and knows(body, reach) and rise(body, reach) < 0.5 * depth:
        reach *= 1.1
    half = ROOM * min(reach, most)
    while not knows(body, half):
        half *= 0.9
    return half


def rise(body: FallingBody, x: float) -> float:
    """Height of the body's surface at (x, 0) above its lowest point, m."""
    return float(body.surface.height(np.array([x]), np.zeros(1))[0])


def knows(body: FallingBody, half: float) -> bool:
    """Whether the shape reaches that far: a height map or an exact ball ends somewhere."""
    try:
        return bool(np.isfinite([rise(body, half), rise(body, -half)]).all())
    except InputError:
        return False


def flight(history: History) -> tuple[np.ndarray, np.ndarray]:
    """Times and heights, dense enough for the parabolas between steps."""
    many = max(POINTS, POINTS_PER_BOUNCE * (len(contact_intervals(history)) + 1))
    t = np.union1d(history.t, np.linspace(history.t[0], history.t[-1], many))
    return t, history.at(t)


def _window(history: History, interval: ContactInterval, room: float = 0.12) -> np.ndarray:
    """Times around one contact, with its steps."""
    end = interval.end if math.isfinite(interval.end) else float(history.t[-1])
    more = room * (end - interval.start)
    low, high = max(interval.start - more, history.t[0]), min(end + more, history.t[-1])
    steps = history.t[(history.t > low) & (history.t < high)]
    return np.union1d(steps, np.linspace(low, high, POINTS // 2))


def _named(histories: Histories) -> dict[str, History]:
    """Histories by name; those of a list by method, numbered where that is not enough."""
    if isinstance(histories, Mapping):
        named = dict(histories)
    else:
        several = [histories] if isinstance(histories, History) else list(histories)
        names = [_checked("histories", history).method for history in several]
        if len(set(names)) < len(names):
            names = [f"{i + 1}: {name}" for i, name in enumerate(names)]
        named = dict(zip(names, several, strict=True))
    if not named:
        raise InputError("histories is empty; give one, a list, or several by name.")
    for name, history in named.items():
        if _checked(name, history).q.ndim > 1:
            raise InputError(f"{name} has {history.q.shape[1]} coordinates; a height is one.")
    return named


def _checked(name: str, history: object) -> History:
    return checks.instance(name, history, History, "give what tr.bounce or tr.integrate returns.")


def _methods(named: Mapping[str, History]) -> list[str]:
    return [history.method for history in named.values()]


def _styles(used: Sequence[str]) -> list[dict[str, Style]]:
    """Styles of the methods if all differ, otherwise of a cycle."""
    if len(used) > 1 and len(set(used)) == len(used) and set(used) <= set(METHOD_STYLES):
        lines = [METHOD_STYLES[name][:2] for name in used]
    else:  # the second of two equal curves is dashed, so that both are seen
        lines = [(CYCLE[i % len(CYCLE)], DASHES[i % len(DASHES)]) for i in range(len(used))]
    return [{"color": color, "ls": dashes} for color, dashes in lines]


def _falling(name: str, history: History) -> BounceHistory:
    return checks.instance(name, history, BounceHistory, "give what tr.bounce returns.")


def _mark_largest(chart: Chart, x: np.ndarray, values: np.ndarray) -> None:
    """The largest value, as a dot with its number."""
    i = int(np.argmax(values))
    spot = float(chart.x.of(x[i])), float(chart.y.of(values[i]))
    chart.ax.plot(*spot, "o", color=DARK, ms=5)
    chart.ax.annotate(
        f"{significant(spot[1], 4)} {chart.y.name}", spot, xytext=(0, 6), textcoords="offset points",
        ha="center", fontsize=FONT["tick"], color=DARK,
    )  # fmt: skip
