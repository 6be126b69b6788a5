"""Figures of contact results: each takes a result and an optional `ax`, and returns the axes.

matplotlib is loaded where a figure is drawn, so that `import traction` does not need it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.normal.press import NormalContact
from traction.errors import InputError
from traction.quantities import Unit, unit_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours and matplotlib's viridis and cividis stay apart for colour-blind readers.
BLUE, ORANGE, GREEN, PURPLE, SKY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9"
GREY, DARK = "#8a8f98", "#23272e"
CYCLE = (BLUE, ORANGE, GREEN, PURPLE, SKY, DARK)
MARKERS = "osD^vP"
PRESSURE_MAP, STRESS_MAP = "viridis", "cividis"
FONT = {"title": 12.0, "label": 10.5, "tick": 9.5}


class Hertz(Protocol):
    """What a figure needs of a result of `tr.hertz`."""

    @property
    def semi_axes(self) -> tuple[float, float]:
        """Semi-axes along x and y, m."""

    def pressure(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Pressure at (x, y), Pa."""


def pressure_map(
    contact: NormalContact,
    ax: Axes | None = None,
    *,
    ellipse: bool = False,
    hertz: Hertz | None = None,
    hertz_center: tuple[float, float] | None = None,
    title: str = "Contact pressure",
) -> Axes:
    """Pressure seen from above, with the outline of the contact.

    `ellipse` adds the ellipse of the same second moments; `hertz` the ellipse of a `tr.hertz` result, around
    `hertz_center` (the centre of pressure unless given).
    """
    if contact.grid.is_line:
        raise InputError("a line contact has no pressure map: its pressure depends on x only. Use section.")
    ax = new_axes(ax)
    grid, touched = contact.grid, contact.contact
    length = unit_for([reach(contact, "x"), reach(contact, "y")], "m")
    stress = unit_for(contact.peak_pressure, "Pa")
    left, right, bottom, top = length.of([*edges(grid.x, grid.dx), *edges(grid.y, grid.dy)])
    shown = np.ma.masked_array(stress.of(contact.pressure), mask=~touched)
    image = ax.imshow(
        shown,
        origin="lower",
        extent=(left, right, bottom, top),
        cmap=PRESSURE_MAP,
        vmin=0.0,
        interpolation="nearest",
    )
    if touched.any() and not touched.all():
        outline = touched.astype(np.float64)
        ax.contour(length.of(grid.x), length.of(grid.y), outline, [0.5], colors=DARK, linewidths=1.0)
    if ellipse:
        a, b = contact.semi_axes
        _ellipse(ax, contact.center, (a, b), contact.orientation, length, ORANGE, "fitted ellipse")
    place = contact.center if hertz_center is None else hertz_center
    if hertz is not None:
        _hertz_outline(ax, place, hertz, length)
    if ellipse or hertz is not None:
        # above the axes, where it cannot hide a contact that fills them
        draw_legend(ax, loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2, ncols=2)
    (x0, x1), (y0, y1) = (window(contact, name, hertz=hertz, middle=place) for name in "xy")
    ax.set_xlim(*np.clip(length.of([x0, x1]), left, right))
    ax.set_ylim(*np.clip(length.of([y0, y1]), bottom, top))
    colour_bar(ax, image, f"pressure ({stress.name})")
    style_axes(ax, f"x ({length.name})", f"y ({length.name})", title, grid=False)
    ax.set_aspect("equal")
    return ax


def section(
    contact: NormalContact,
    hertz: Hertz | None = None,
    along: str = "x",
    ax: Axes | None = None,
    *,
    through: str = "center",
    hertz_center: tuple[float, float] | None = None,
    title: str | None = None,
) -> Axes:
    """Pressure along x or y through the centre of pressure or the peak, and the Hertz pressure when given.

    `through` is "center" or "peak"; `hertz_center` is where the Hertz contact lies (the centre of pressure
    unless given).
    """
    ax = new_axes(ax)
    places, row = row_through(contact, along, through)
    values = row(contact.pressure)
    length = unit_for(reach(contact, along), "m")
    stress = unit_for(contact.peak_pressure, "Pa")
    ax.fill_between(length.of(places), stress.of(values), step="mid", color=BLUE, alpha=0.15, lw=0.0)
    ax.step(length.of(places), stress.of(values), where="mid", color=BLUE, lw=1.8, label="computed")
    x0, y0 = contact.center if hertz_center is None else hertz_center
    if hertz is not None:
        fine = np.linspace(places[0], places[-1], 2001)
        # the row of elements nearest to the centre may miss it by half an element
        x, y = (fine, row.place) if along == "x" else (row.place, fine)
        ax.plot(
            length.of(fine), stress.of(hertz.pressure(x - x0, y - y0)), "--", color=ORANGE, lw=1.8,
            label="Hertz",
        )  # fmt: skip
        draw_legend(ax)
    low, high = np.clip(window(contact, along, hertz=hertz, middle=(x0, y0)), places[0], places[-1])
    ax.set_xlim(length.of(low), length.of(high))
    ax.set_ylim(bottom=0.0)
    if title is None:
        title = (
            "Pressure through the centre"
            if through == "center"
            else f"Pressure along {along} through the peak"
        )
    style_axes(ax, f"{along} ({length.name})", f"pressure ({stress.name})", title)
    return ax


def deformed_section(
    contact: NormalContact, along: str = "x", ax: Axes | None = None, *, title: str = "Deformed surfaces"
) -> Axes:
    """Surfaces of both bodies through the centre of pressure: undeformed and overlapping, and as they are.

    Body 2 is at rest far away; body 1 has come down by the approach. Heights are drawn in their own scale.
    """
    ax = new_axes(ax)
    places, row = row_through(contact, along)
    rigid = row(contact.gap) - contact.approach
    upper = rigid + row(contact.displacement(body=1))
    lower = row(contact.displacement(body=2))
    length = unit_for(reach(contact, along), "m")
    # beyond the contact the undeformed body 1 leaves the picture quickly
    low, high = np.clip(window(contact, along, room=1.6), places[0], places[-1])
    seen = (places >= low) & (places <= high)
    height = unit_for(np.concatenate([upper[seen], lower[seen]]), "m")
    x = length.of(places)
    ax.plot(x, height.of(rigid), "--", color=BLUE, lw=1.2, label="body 1, undeformed")
    ax.plot(x, np.zeros_like(x), "--", color=ORANGE, lw=1.2, label="body 2, undeformed")
    top, bottom = max(upper[seen].max(), 0.0), min(lower[seen].min(), rigid[seen].min())
    # the legend has the room above the surfaces
    limits = height.of([bottom - 0.05 * (top - bottom), top + 0.32 * (top - bottom)])
    ax.fill_between(x, height.of(upper), limits[1], color=BLUE, alpha=0.12, lw=0.0)
    ax.fill_between(x, height.of(lower), limits[0], color=ORANGE, alpha=0.12, lw=0.0)
    ax.plot(x, height.of(upper), color=BLUE, lw=2.0, label="body 1, deformed")
    ax.plot(x, height.of(lower), color=ORANGE, lw=2.0, label="body 2, deformed")
    ax.set_xlim(length.of(low), length.of(high))
    ax.set_ylim(*limits)
    draw_legend(ax, loc="upper center", ncols=2)
    style_axes(ax, f"{along} ({length.name})", f"height z ({height.name})", title)
    return ax


def convergence_plot(
    cells: ArrayLike,
    errors: ArrayLike | Mapping[str, ArrayLike],
    ax: Axes | None = None,
    *,
    order: float | None = None,
    quantity: str = "relative error",
    title: str = "Convergence",
) -> Axes:
    """Errors against cells across the contact, both logarithmic, each with its fitted order where it has one.

    `errors` is one series or several by name; `order` draws a reference line of that slope.
    """
    n = checks.finite_array("cells", cells)
    if n.ndim != 1 or not n.size or n.min() <= 0.0:
        raise InputError(f"cells = {checks.shown(cells)} must be a row of positive numbers.")
    series = errors if isinstance(errors, Mapping) else {quantity: errors}
    if not series:
        raise InputError("errors has no series; give one array, or several by name.")
    clean = {name: checks.finite_array(name, values, n.shape) for name, values in series.items()}
    for name, error in clean.items():
        if error.min() <= 0.0:
            raise InputError(f"{name}: errors must be positive to be drawn on a logarithmic axis.")
    ax = new_axes(ax)
    lowest = math.inf
    for i, (name, error) in enumerate(clean.items()):
        turn, place = divmod(i, len(CYCLE))
        # each turn through the colours pairs them with other markers
        color, marker = CYCLE[place], MARKERS[(place + turn) % len(MARKERS)]
        label = name
        if np.ptp(n) > 0.0:
            label += f": order {-np.polyfit(np.log(n), np.log(error), 1)[0]:.2f}"
        ax.loglog(n, error, marker + "-", color=color, lw=1.8, ms=6, label=label)
        lowest = min(lowest, float(np.min(error * (n / n[0]) ** (order or 0.0))))
    if order is not None:
        ax.loglog(n, 0.5 * lowest * (n / n[0]) ** -order, "--", color=GREY, lw=1.4, label=f"order {order:g}")
    ax.set_xticks(n, [f"{value:g}" for value in n])
    ax.minorticks_off()
    draw_legend(ax)
    style_axes(ax, "cells across the contact", quantity, title)
    return ax


def blank_figure(width: float = 7.0, height: float = 4.6) -> Figure:
    """An empty figure (inches) that belongs to no window and needs no closing."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise _no_matplotlib() from error
    return Figure(figsize=(width, height), layout="constrained")


def style_axes(ax: Axes, x: str, y: str, title: str, *, grid: bool = True, legend: bool = False) -> Axes:
    """The look of all figures here, for axes of your own: named axes, a short title, a light grid, no box."""
    ax.set_xlabel(x, fontsize=FONT["label"])
    ax.set_ylabel(y, fontsize=FONT["label"])
    ax.set_title(title, fontsize=FONT["title"], fontweight="bold", loc="left", color=DARK, pad=8.0)
    ax.tick_params(labelsize=FONT["tick"], color=GREY)
    for name in ("top", "right"):
        ax.spines[name].set_visible(False)
    for name in ("left", "bottom"):
        ax.spines[name].set_color(GREY)
    if grid:
        ax.grid(color=GREY, alpha=0.25, lw=0.6)
        ax.set_axisbelow(True)
    if legend:
        draw_legend(ax)
    return ax


class _Row:
    """Takes the row or column of elements nearest to the centre of pressure out of a field."""

    def __init__(self, along: str, index: int, place: float) -> None:
        self.along, self.index, self.place = along, index, place

    def __call__(self, field: np.ndarray) -> np.ndarray:
        return field[self.index] if self.along == "x" else field[:, self.index]


def require_direction(contact: NormalContact, along: str) -> None:
    """Check that there is a section `along` x or y."""
    if checks.choice("along", along, ("x", "y")) == "y" and contact.grid.is_line:
        raise InputError('along = "y": a line contact does not vary along y; use along="x".')


def row_through(contact: NormalContact, along: str, through: str = "center") -> tuple[np.ndarray, _Row]:
    """Positions along the section, and how to take it."""
    grid = contact.grid
    require_direction(contact, along)
    checks.choice("through", through, ("center", "peak"))
    x, y = contact.center
    if through == "peak":
        j, i = np.unravel_index(np.argmax(contact.pressure), grid.shape)
        x, y = float(grid.x[i]), float(grid.y[j])
    places, across, middle = (grid.x, grid.y, y) if along == "x" else (grid.y, grid.x, x)
    index = int(np.argmin(np.abs(across - middle)))
    return places, _Row(along, index, float(across[index]))


def span(contact: NormalContact, along: str) -> tuple[float, float]:
    """Ends of the contact along x or y, m; of the grid where nothing touches."""
    grid = contact.grid
    places, cell = (grid.x, grid.dx) if along == "x" else (grid.y, grid.dy)
    touched = contact.contact.any(axis=0 if along == "x" else 1)
    used = places[touched] if touched.any() else places
    return float(used[0] - 0.5 * cell), float(used[-1] + 0.5 * cell)


def reach(contact: NormalContact, along: str) -> float:
    """Half the length of the contact along x or y, m."""
    low, high = span(contact, along)
    return 0.5 * (high - low)


def window(
    contact: NormalContact,
    along: str,
    room: float = 1.25,
    *,
    hertz: Hertz | None = None,
    middle: tuple[float, float] = (0.0, 0.0),
) -> tuple[float, float]:
    """The contact, and the Hertz contact around `middle`, with some room around them, m."""
    low, high = span(contact, along)
    center, half = 0.5 * (low + high), 0.5 * room * (high - low)
    ends = [center - half, center + half]
    if hertz is not None:
        axis = 0 if along == "x" else 1
        half_axis = 1.1 * hertz.semi_axes[axis]
        if math.isfinite(half_axis):  # that of a line contact along its axis is not
            ends += [middle[axis] - half_axis, middle[axis] + half_axis]
    return min(ends), max(ends)


def edges(places: np.ndarray, cell: float) -> tuple[float, float]:
    """Ends of a row of elements, m."""
    return float(places[0] - 0.5 * cell), float(places[-1] + 0.5 * cell)


def _hertz_outline(ax: Axes, center: tuple[float, float], hertz: Hertz, length: Unit) -> None:
    """The ellipse, or the two long sides of a line contact."""
    a, b = hertz.semi_axes
    if math.isfinite(b):
        _ellipse(ax, center, (a, b), 0.0, length, ORANGE, "Hertz")
        return
    for side, label in ((-a, "Hertz"), (a, "_Hertz")):
        ax.axvline(length.of(center[0] + side), ls="--", lw=1.6, color=ORANGE, label=label)


def _ellipse(
    ax: Axes, center: tuple[float, float], axes: tuple[float, float], angle: float, length: Unit,
    color: str, label: str,
) -> None:  # fmt: skip
    turn = np.linspace(0.0, 2.0 * math.pi, 241)
    u, v = axes[0] * np.cos(turn), axes[1] * np.sin(turn)
    x = center[0] + u * math.cos(angle) - v * math.sin(angle)
    y = center[1] + u * math.sin(angle) + v * math.cos(angle)
    ax.plot(length.of(x), length.of(y), "--", lw=1.6, color=color, label=label)


def colour_bar(ax: Axes, mapped: Any, label: str, **options: Any) -> None:
    """A bar as high as the axes, also where equal scales shrink them."""
    bar = ax.figure.colorbar(mapped, cax=ax.inset_axes((1.03, 0.0, 0.04, 1.0)), **options)
    bar.set_label(label, fontsize=FONT["label"])
    bar.ax.tick_params(labelsize=FONT["tick"], color=GREY)
    bar.outline.set_visible(False)


def new_axes(ax: Axes | None) -> Axes:
    """The given axes, or those of a new figure known to pyplot."""
    if ax is not None:
        return ax
    return pyplot().subplots(figsize=(7.0, 4.6), layout="constrained")[1]


def pyplot() -> Any:
    """matplotlib.pyplot, or a sentence that says how to get it."""
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise _no_matplotlib() from error
    return plt


def _no_matplotlib() -> InputError:
    return InputError("figures need matplotlib: pip install traction[plot]")


def draw_legend(ax: Axes, **options: Any) -> None:
    """The legend of all figures here."""
    ax.legend(fontsize=FONT["tick"], frameon=True, framealpha=0.9, edgecolor="none", **options)
