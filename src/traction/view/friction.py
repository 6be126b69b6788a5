"""Figures of friction: tractions over the contact, along a section, and forces over creepages.

Each takes results and optional axes, and returns the axes. matplotlib is loaded where a figure is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.friction.tangential_contact import TangentialContact
from traction.errors import InputError
from traction.quantities import unit_for
from traction.view.figures import (
    BLUE,
    CYCLE,
    DARK,
    FONT,
    GREEN,
    GREY,
    ORANGE,
    colour_bar,
    draw_legend,
    edges,
    new_axes,
    pyplot,
    reach,
    row_through,
    style_axes,
    window,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

ARROWS = 17  #: across the contact at most; more hide each other
#: pressures are pale, so that dark arrows stand out on all of them
PALE = ("#f4f8fb", "#d3e4f1", "#a5c9e3", "#74a9d2")
STYLES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1.2, 1.4)), (0, (5, 1.5, 1, 1.5)))


def traction_map(
    t: TangentialContact,
    ax: Axes | None = None,
    *,
    rolling: int | None = None,
    title: str = "Tractions on body 1",
) -> Axes:
    """Tractions as arrows over the pressure; where it slips is hatched, where it sticks has an outline.

    `rolling` = +1 or -1 marks the direction of rolling along x.
    """
    if t.normal.grid.is_line:
        raise InputError("a line contact has no map: its tractions depend on x only. Use traction_section.")
    if rolling is not None:
        checks.choice("rolling", rolling, (1, -1))
    ax = new_axes(ax)
    n, grid = t.normal, t.normal.grid
    length = unit_for([reach(n, "x"), reach(n, "y")], "m")
    stress = unit_for(n.peak_pressure, "Pa")
    left, right, bottom, top = length.of([*edges(grid.x, grid.dx), *edges(grid.y, grid.dy)])
    image = ax.imshow(
        np.ma.masked_array(stress.of(n.pressure), mask=~n.contact),
        origin="lower",
        extent=(left, right, bottom, top),
        cmap=pale(),
        vmin=0.0,
        interpolation="nearest",
    )
    x, y = length.of(grid.x), length.of(grid.y)
    handles = [*_areas(ax, x, y, t), *_arrows(ax, x, y, t)]
    (x0, x1), (y0, y1) = (window(n, name, 1.2) for name in "xy")
    ax.set_xlim(*np.clip(length.of([x0, x1]), left, right))
    ax.set_ylim(*np.clip(length.of([y0, y1]), bottom, top))
    if rolling is not None:
        _rolling_mark(ax, rolling)
    ax.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, -0.14),
        ncols=3,
        fontsize=FONT["tick"],
        frameon=False,
        handlelength=1.6,
        columnspacing=1.2,
    )
    colour_bar(ax, image, f"pressure ({stress.name})")
    style_axes(ax, f"x ({length.name})", f"y ({length.name})", title, grid=False)
    ax.set_aspect("equal")
    return ax


def traction_section(
    t: TangentialContact,
    along: str = "x",
    ax: Axes | None = None,
    *,
    component: str = "x",
    theory: Callable[[np.ndarray], np.ndarray] | None = None,
    title: str | None = None,
) -> Axes:
    """p_x or p_y (`component`) along x or y through the centre of pressure, between the bounds +-mu p.

    Where the row of elements sticks is shaded. `theory` gives the closed form at places along the section
    (m).
    """
    k = ("x", "y").index(checks.choice("component", component, ("x", "y")))
    ax = new_axes(ax)
    n = t.normal
    places, row = row_through(n, along)
    length, stress = unit_for(reach(n, along), "m"), unit_for(t.friction * n.peak_pressure, "Pa")
    x, bound, traction = length.of(places), stress.of(row(t.bound)), stress.of(row(t.traction[k]))
    touched = row(n.contact)
    cell = n.grid.dx if along == "x" else n.grid.dy
    for number, (low, high) in enumerate(_runs(row(t.stick & n.contact), places, cell)):
        label = "sticks" if number == 0 else "_sticks"
        ax.axvspan(*length.of([low, high]), color=GREEN, alpha=0.13, lw=0.0, label=label)
    for sign, label in ((1.0, "bound ±µp"), (-1.0, "_bound")):
        ax.plot(x, np.where(touched, sign * bound, np.nan), ls=(0, (4, 2)), color=GREY, lw=1.3, label=label)
    ax.step(x, traction, where="mid", color=BLUE, lw=1.9, label="computed")
    if theory is not None:
        fine = np.linspace(places[0], places[-1], 2001)
        ax.plot(
            length.of(fine), stress.of(theory(fine)), ls=(0, (5, 2)), color=ORANGE, lw=1.7, label="theory"
        )
    ax.axhline(0.0, color=GREY, lw=0.7)
    low, high = np.clip(window(n, along), places[0], places[-1])
    ax.set_xlim(length.of(low), length.of(high))
    draw_legend(ax)
    if title is None:
        title = f"Traction along {along} through the centre"
    style_axes(ax, f"{along} ({length.name})", f"$p_{component}$ ({stress.name})", title)
    return ax


def creep_force_plot(
    creepages: ArrayLike,
    forces: Mapping[str, ArrayLike],
    ax: Axes | None = None,
    *,
    limit: float | None = None,
    x_label: str = "creepage (%)",
    y_label: str | None = None,
    title: str = "Creep forces",
) -> Axes:
    """Forces against creepages (-), several theories by name, each of one force per creepage (N).

    They are drawn as forces against the creepage, -F, over `limit` = mu F_n (N) where it is given, which is
    then marked. A label that ends in % has the creepages in percent. Curves that leave the picture do so
    upwards.
    """
    xi = checks.finite_array("creepages", creepages)
    if xi.ndim != 1 or xi.size < 2:
        raise InputError(f"creepages has shape {xi.shape}, expected a row of at least two numbers.")
    if not forces:
        raise InputError("forces has no curve; give one array of forces, or several, by name.")
    clean = {name: checks.finite_array(name, values, xi.shape) for name, values in forces.items()}
    scale = 1.0 if limit is None else checks.positive("limit", limit, "N")
    unit = unit_for(np.concatenate(list(clean.values())), "N")
    ax = new_axes(ax)
    x = (100.0 if "%" in x_label else 1.0) * xi
    for number, (name, values) in enumerate(clean.items()):
        shown = -(unit.of(values) if limit is None else values / scale)
        style = STYLES[number % len(STYLES)]
        ax.plot(x, shown, ls=style, color=CYCLE[number % len(CYCLE)], lw=2.0, label=name)
    if limit is not None:
        for side in (1.0, -1.0) if xi.min() < 0.0 else (1.0,):
            ax.axhline(side, color=DARK, lw=0.9)
        ax.set_ylim(-1.08 if xi.min() < 0.0 else 0.0, 1.08)
    ax.set_xlim(float(x.min()), float(x.max()))
    if y_label is None:
        y_label = f"$-F$ ({unit.name})" if limit is None else "$-F / \\mu F_n$"
    style_axes(ax, x_label, y_label, title, legend=True)
    return ax


def pale() -> Any:
    """Colours on which dark arrows stand out."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("pale", PALE)


def _areas(ax: Axes, x: np.ndarray, y: np.ndarray, t: TangentialContact) -> list[Any]:
    """Outline of the contact and of what sticks, hatches over what slips."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    n = t.normal
    handles: list[Any] = []
    slips, sticks = t.sliding, t.stick & n.contact
    if slips.any():
        with pyplot().rc_context({"hatch.linewidth": 0.6}):
            shade = ax.contourf(x, y, slips.astype(float), [0.5, 1.5], colors="none", hatches=["////"])
        shade.set_edgecolor(GREY)
        shade.set_linewidth(0.0)
        handles.append(Patch(facecolor=PALE[1], edgecolor=GREY, hatch="////", lw=0.0, label="slips"))
    if n.contact.any() and not n.contact.all():
        ax.contour(x, y, n.contact.astype(float), [0.5], colors=DARK, linewidths=1.0)
    if sticks.any():
        ax.contour(x, y, sticks.astype(float), [0.5], colors=GREEN, linewidths=2.2)
        handles.append(Line2D([], [], color=GREEN, lw=2.2, label="sticks inside"))
    return handles


def _arrows(ax: Axes, x: np.ndarray, y: np.ndarray, t: TangentialContact) -> list[Any]:
    """Arrows on a thinned grid, the longest as long as their distance allows."""
    from matplotlib.lines import Line2D

    rows, columns = np.nonzero(t.normal.contact)
    largest = float(np.hypot(*t.traction).max())
    if not rows.size or largest == 0.0:
        return []
    across = max(np.ptp(x[columns]), np.ptp(y[rows])) or 1.0
    step = [max(1, round(across / ARROWS / abs(c[1] - c[0]))) if c.size > 1 else 1 for c in (x, y)]
    middle = [round(0.5 * float(where.min() + where.max())) for where in (columns, rows)]
    i, j = (np.arange(m % s, c.size, s) for m, s, c in zip(middle, step, (x, y), strict=True))
    keep = t.normal.contact[np.ix_(j, i)]
    xx, yy = np.meshgrid(x[i], y[j])
    px, py = (part[np.ix_(j, i)][keep] / largest for part in t.traction)
    ax.quiver(
        xx[keep],
        yy[keep],
        px,
        py,
        angles="xy",
        scale_units="xy",
        scale=0.62 * ARROWS / across,
        width=0.0042,
        headwidth=4.2,
        headlength=4.6,
        color=DARK,
        zorder=4,
    )
    name = f"traction, at most {_megapascal(largest)}"
    return [Line2D([], [], color=DARK, marker=r"$\rightarrow$", ls="none", ms=13, label=name)]


def _megapascal(value: float) -> str:
    unit = unit_for(value, "Pa")
    return f"{unit.of(value):.3g} {unit.name}"


def _rolling_mark(ax: Axes, rolling: int) -> None:
    """An arrow along x above the axes."""
    start, end = (0.86, 1.0) if rolling > 0 else (1.0, 0.86)
    ax.annotate(
        "",
        (end, 1.05),
        (start, 1.05),
        xycoords="axes fraction",
        arrowprops={"arrowstyle": "-|>", "color": ORANGE, "lw": 2.2, "mutation_scale": 16},
    )
    ax.text(
        0.845,
        1.05,
        "rolling",
        transform=ax.transAxes,
        color=ORANGE,
        fontsize=FONT["tick"],
        va="center",
        ha="right",
    )


def _runs(marked: np.ndarray, places: np.ndarray, cell: float) -> list[tuple[float, float]]:
    """Ends of the stretches of marked elements, m."""
    padded = np.concatenate(([False], marked, [False]))
    changes = np.flatnonzero(padded[1:] != padded[:-1])
    return [
        (float(places[a] - 0.5 * cell), float(places[b - 1] + 0.5 * cell))
        for a, b in zip(changes[::2], changes[1::2], strict=True)
    ]
