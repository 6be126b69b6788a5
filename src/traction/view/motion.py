"""Figures of histories: height, energy, one contact, the surfaces at one time, stability of methods.

Each takes results and optional axes, and returns the axes. matplotlib is loaded where a figure is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from traction import checks
from traction.bouncing.bounce import BounceHistory
from traction.bouncing.falling_body import FallingBody
from traction.errors import InputError
from traction.integrators.history import ContactInterval, History
from traction.integrators.stability import Stability
from traction.quantities import Unit, significant, unit_for
from traction.view.figures import (
    BLUE,
    CYCLE,
    DARK,
    FONT,
    GREEN,
    GREY,
    ORANGE,
    SKY,
    draw_legend,
    new_axes,
    pyplot,
    style_axes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Histories = History | Sequence[History] | Mapping[str, History]

#: methods of one family share a hue; with the dashes they stay apart for colour-blind readers
METHOD_STYLES: dict[str, tuple[str, Any, str]] = {
    "euler-forward": ("#D55E00", "-", "v"),
    "euler-backward": ("#E69F00", (0, (5, 1.5)), "^"),
    "symplectic-euler": ("#8C510A", (0, (1, 1)), "D"),
    "rk4": ("#0072B2", "-", "o"),
    "radau-ia": ("#56B4E9", (0, (5, 1.5)), "s"),
    "radau-iia": ("#1B3A6B", (0, (4, 1.2, 1, 1.2)), "P"),
    "verlet": ("#009E73", "-", "o"),
    "newmark": ("#7CB342", (0, (5, 1.5)), "s"),
    "hht": ("#CC79A7", "-", "v"),
    "generalized-alpha": ("#7B3294", (0, (5, 1.5)), "^"),
    "energy-conserving": (DARK, (0, (1, 1)), "*"),
}
STEEL_FILL, GROUND_FILL = "#dbe9f4", "#f6e3d3"
POINTS = 400  #: drawn times of a window, besides the steps
POINTS_PER_BOUNCE = 60
ROOM = 2.4  #: half width of a picture of the contact over its largest radius
FACTORS = tuple(digit * 10.0**power for power in range(6) for digit in (1.0, 2.0, 5.0))


def method_style(name: str) -> dict[str, Any]:
    """Colour, dashes and marker of an integration method, the same in all figures, for `ax.plot`."""
    if name not in METHOD_STYLES:
        raise InputError(f"method = {checks.shown(name)} is not known; known are {', '.join(METHOD_STYLES)}.")
    color, dashes, marker = METHOD_STYLES[name]
    return {"color": color, "ls": dashes, "marker": marker}


def height_plot(
    histories: Histories, ax: Axes | None = None, *, start: float | None = None, title: str | None = None
) -> Axes:
    """Height over time of one history or several, with the height of the start (or `start`, m) as a line.

    Several are a list, told apart by method, or a mapping from the names in the legend.
    """
    named = _named(histories)
    ax = new_axes(ax)
    curves = {name: flight(history) for name, history in named.items()}
    length = unit_for(np.concatenate([q for _, q in curves.values()]), "m")
    first = next(iter(named.values()))
    level = float(first.q[0]) if start is None else checks.finite("start", start, "m")
    ax.axhline(0.0, color=DARK, lw=0.8)
    ax.axhline(length.of(level), color=GREY, lw=1.0, ls="--")
    for (name, (t, q)), style in zip(curves.items(), _styles(_methods(named)), strict=True):
        ax.plot(t, length.of(q), lw=1.8, label=name, **style)
    ax.set_xlim(min(t[0] for t, _ in curves.values()), max(t[-1] for t, _ in curves.values()))
    if len(named) > 1:
        draw_legend(ax)
    words = f"Height, {first.method}" if len(named) == 1 else "Height"
    return style_axes(ax, "time (s)", f"height ({length.name})", words if title is None else title)


def energy_plot(
    history: BounceHistory, ax: Axes | None = None, *, contact: int | None = None, title: str | None = None
) -> Axes:
    """Gravitational, kinetic and elastic energy over time, one on top of the other, and their total.

    `contact` draws one contact only, counted from 0, over the time since its touch.
    """
    _falling("history", history)
    ax = new_axes(ax)
    if contact is None:
        t, q = flight(history)
        zero, time = 0.0, Unit("s", 1.0)
    else:
        interval = contact_of(history, contact)
        t = _window(history, interval)
        q = history.at(t)
        zero, time = interval.start, unit_for(t[-1] - t[0], "s")
    v, body = history.velocity_at(t), history.body
    parts = [body.weight * q, 0.5 * body.mass * v**2, _elastic(body, q)]
    energy = unit_for([float(part.max()) for part in parts], "J")
    x, below = time.of(t - zero), np.minimum(parts[0], 0.0)
    lowest = float(below.min())
    parts[0] = parts[0] - below
    # an edge shows the elastic energy also where a contact is shorter than a pixel
    for name, part, color, edge in zip(
        ("gravitational", "kinetic", "elastic"), parts, (GREEN, SKY, ORANGE), (0.0, 0.0, 0.8), strict=True
    ):
        above = below + part
        shade = ax.fill_between(x, energy.of(below), energy.of(above), color=color, alpha=0.6, lw=edge)
        shade.set_label(name)
        below = above
    # between the steps an energy would be that of the interpolation
    total = np.interp(t, history.t, history.energy)
    ax.plot(x, energy.of(total), color=DARK, lw=1.8, label="total")
    ax.axhline(0.0, color=DARK, lw=0.8)
    ax.set_xlim(x[0], x[-1])
    # the legend lies above the highest energy
    top = max(float(total.max()), float(below.max()))
    ax.set_ylim(energy.of(lowest), energy.of(1.22 * top))
    draw_legend(ax, loc="upper center", ncols=4)
    words = f"Energy, {history.method}" if title is None else title
    label = f"time ({time.name})" if contact is None else f"time since the touch ({time.name})"
    return style_axes(ax, label, f"energy ({energy.name})", words)


def contact_plot(
    histories: Histories,
    axes: Sequence[Axes] | None = None,
    *,
    contact: int = 0,
) -> tuple[Axes, Axes]:
    """Contact force and penetration over one contact, counted from 0, since its touch; two axes.

    Several histories are a list, told apart by method, or a mapping from the names in the legend.
    """
    named = _named(histories)
    curves = {name: ContactCurve.of(_falling(name, history), contact) for name, history in named.items()}
    return draw_contacts(curves, _methods(named), axes)


@dataclass(frozen=True, eq=False)
class ContactCurve:
    """What `contact_plot` draws of one contact: force and penetration since the touch."""

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
    upper, lower = _panels(axes, 2)
    time = unit_for([one.t[-1] for one in curves.values()], "s")
    newton = unit_for(np.concatenate([one.force for one in curves.values()]), "N")
    length = unit_for(np.concatenate([one.depth for one in curves.values()]), "m")
    for (name, one), style in zip(curves.items(), _styles(methods), strict=True):
        t, force, depth = time.of(one.t), newton.of(one.force), length.of(one.depth)
        upper.plot(t, force, lw=2.0, label=name, **style)
        lower.plot(t, depth, lw=2.0, label=name, **style)
        if len(curves) == 1:
            upper.fill_between(t, force, color=style["color"], alpha=0.12, lw=0.0)
            _mark(lower, t, depth, length.name)
            _mark(upper, t, force, newton.name)
    for ax in (upper, lower):
        ax.set_xlim(left=0.0)
        ax.set_ylim(bottom=0.0)
        ax.margins(y=0.12)
    if len(curves) > 1:
        draw_legend(upper, loc="lower center")
    x = f"time since the touch ({time.name})"
    shared = upper.get_shared_x_axes().joined(upper, lower)
    style_axes(upper, "" if shared else x, f"contact force ({newton.name})", "Contact force")
    style_axes(lower, x, f"penetration ({length.name})", "Penetration")
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
    """Body and deformed ground at time t (s), cut through the lowest point.

    `half_width` (m) is by default 2.4 times the radius of the largest contact. Heights are magnified as the
    picture says: by the least of 1, 2, 5, 10, ... that shows the deepest penetration, or `magnification`.
    """
    _falling("history", history)
    cut = SurfaceCut.of(history, t, Scene.of(history, half_width, magnification))
    return draw_surfaces(
        cut, ax, legend=legend, title=f"Surfaces at t = {_clock(t)}" if title is None else title
    )


@dataclass(frozen=True, eq=False)
class SurfaceCut:
    """What `surface_plot` draws: body and ground at one time, cut through the lowest point."""

    scene: Scene
    height: float  #: of the lowest point, m
    upper: np.ndarray  #: height of the body's surface over `scene.x`, m
    lower: np.ndarray  #: of the ground's

    @classmethod
    def of(cls, history: BounceHistory, t: float, scene: Scene) -> SurfaceCut:
        """Of a history at time t, s."""
        return cls(scene, float(history.at(t)), *history.surfaces(t, scene.x))


def draw_surfaces(cut: SurfaceCut, ax: Axes | None = None, *, legend: bool = True, title: str) -> Axes:
    """Body and deformed ground."""
    ax = new_axes(ax)
    scene, upper, lower = cut.scene, cut.upper, cut.lower
    length, x = scene.unit, scene.unit.of(scene.x)
    ax.plot(x, np.zeros_like(x), "--", color=ORANGE, lw=1.2, label="ground, undeformed")
    ax.fill_between(x, length.of(lower), scene.bottom, color=GROUND_FILL, lw=0.0)
    ax.fill_between(x, length.of(upper), scene.top, color=STEEL_FILL, lw=0.0)
    ax.plot(x, length.of(lower), color=ORANGE, lw=2.0, label="ground")
    ax.plot(x, length.of(upper), color=BLUE, lw=2.0, label="body")
    touching = upper - lower < 1e-3 * max(scene.depth, 1e-30)
    if touching.any() and cut.height < 0.0:
        where = np.where(touching, length.of(lower), np.nan)
        ax.plot(x, where, color=DARK, lw=3.5, solid_capstyle="butt", label="contact")
    scene.frame(ax)
    if legend:
        draw_legend(ax, loc="upper center", ncols=2)
    return style_axes(ax, f"x ({length.name})", f"height ({length.name})", title, grid=False)


def stability_plot(
    results: Stability | Sequence[Stability], axes: Sequence[Axes] | None = None
) -> tuple[Axes, Axes, Axes]:
    """Spectral radius, period error and damping ratio against omega*dt; three axes.

    Where the radius is above 1 oscillations grow: that region is shaded, and each stability limit is marked.
    Period and damping are not drawn beyond it, but of a method that is never stable they are.
    """
    several = [results] if isinstance(results, Stability) else list(results)
    if not several:
        raise InputError("results is empty: give results of tr.stability.")
    for result in several:
        checks.instance("results", result, Stability, "give results of tr.stability.")
    radius, period, damping = _panels(axes, 3, width=13.5, height=4.6, columns=True)
    for result, style in zip(several, _styles([result.method for result in several]), strict=True):
        style.pop("marker", None)
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
        ax.text(
            0.99, 0.03, words, transform=ax.transAxes, ha="right", va="bottom", color=DARK,
            fontsize=FONT["tick"],
        )  # fmt: skip


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
            f"contact = {number} is not in the history, which has {len(found)} from 0; march longer (t_end)."
        )
    return found[number]


def _elastic(body: FallingBody, q: np.ndarray) -> np.ndarray:
    return body.force.energies_along(q)


def _half_width(body: FallingBody, depth: float) -> float:
    """Half width (m) of a picture of the contact and its surroundings, as far as the shape is known."""
    most = math.inf
    grid = body.law.grid
    if grid is not None:
        most = 0.5 * grid.nx * grid.dx
    reach = 1e-6
    # half the depth: the ground around gives way too
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
    if isinstance(histories, History):
        histories = [histories]
    if isinstance(histories, Mapping):
        named = dict(histories)
    else:
        several = list(histories)
        for history in several:
            checks.instance("histories", history, History, "give what tr.bounce or tr.integrate returns.")
        names = [history.method for history in several]
        if len(set(names)) < len(names):
            names = [f"{i + 1}: {name}" for i, name in enumerate(names)]
        named = dict(zip(names, several, strict=True))
    if not named:
        raise InputError("histories is empty; give one, a list, or several by name.")
    for name, history in named.items():
        checks.instance(name, history, History, "give what tr.bounce or tr.integrate returns.")
        if history.q.ndim > 1:
            raise InputError(f"{name} has {history.q.shape[1]} coordinates; a height is one.")
    return named


def _methods(named: Mapping[str, History]) -> list[str]:
    return [history.method for history in named.values()]


def _styles(used: Sequence[str]) -> list[dict[str, Any]]:
    """Styles of the methods if all differ, otherwise of a cycle."""
    if len(used) > 1 and len(set(used)) == len(used) and set(used) <= set(METHOD_STYLES):
        styles = [method_style(name) for name in used]
        for style in styles:
            style.pop("marker")
        return styles
    dashes = ("-", (0, (5, 1.5)), (0, (1, 1)), (0, (4, 1.2, 1, 1.2)))
    # the second of two equal curves is dashed, so that both are seen
    return [{"color": CYCLE[i % len(CYCLE)], "ls": dashes[i % len(dashes)]} for i in range(len(used))]


def _falling(name: str, history: History) -> BounceHistory:
    checks.instance(name, history, BounceHistory, "give what tr.bounce returns.")
    assert isinstance(history, BounceHistory)
    return history


def _panels(
    axes: Sequence[Axes] | None, count: int, width: float = 7.0, height: float = 6.0, columns: bool = False
) -> list[Axes]:
    if axes is not None:
        panels = list(np.ravel(np.asarray(axes, dtype=object)))
        if len(panels) != count:
            raise InputError(f"axes has {len(panels)} axes, expected {count}.")
        return panels
    plt = pyplot()
    rows, across = (1, count) if columns else (count, 1)
    return list(plt.subplots(rows, across, figsize=(width, height), layout="constrained", sharex=True)[1])


def _mark(ax: Axes, x: np.ndarray, y: np.ndarray, unit: str) -> None:
    """The largest value, as a dot with its number."""
    i = int(np.argmax(y))
    ax.plot(x[i], y[i], "o", color=DARK, ms=5)
    ax.annotate(
        f"{significant(float(y[i]), 4)} {unit}", (x[i], y[i]), xytext=(0, 6), textcoords="offset points",
        ha="center", fontsize=FONT["tick"], color=DARK,
    )  # fmt: skip


def _clock(t: float) -> str:
    return f"{1e3 * t:.2f} ms"
