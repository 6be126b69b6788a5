"""Figures of friction: tractions over the contact, along a section, and forces over creepages.

Each takes results and optional axes, and returns the axes. matplotlib is loaded where a figure is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.friction.tangential_contact import TangentialContact
from traction.errors import InputError
from traction.printable import literal
from traction.quantities import quantity, unit_for
from traction.view.arguments import figure
from traction.view.chart import Chart, colour_bar, draw_words, new_axes
from traction.view.contacts import ContactMap, Cut, reach, window
from traction.view.figures import (
    BLUE,
    CYCLE,
    DARK,
    FONT,
    GREEN,
    GREY,
    MAP_INK,
    ORANGE,
    Style,
    pyplot,
    style_axes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

ARROWS = 17  #: across the contact at most; more hide each other
#: pressures are pale, so that dark arrows stand out on all of them
PALE = ("#f4f8fb", "#d3e4f1", "#a5c9e3", "#74a9d2")
STYLES: tuple[Style, ...] = ("-", (0, (5, 2)), (0, (1.2, 1.4)), (0, (5, 1.5, 1, 1.5)))


@figure
def traction_map(
    t: TangentialContact,
    ax: Axes | None = None,
    *,
    rolling: int | None = None,
    over: str = "pressure",
    title: str = "Tractions on body 1",
) -> Axes:
    """Plot tractions as arrows over the pressure.

    Slip is hatched, the stick area outlined.

    Parameters
    ----------
    t
        Result of `tr.shift`, `tr.roll_steady` or `tr.roll`.
    rolling
        +1 or -1 marks the rolling direction along x.
    over
        What the arrows are drawn over: "pressure", or "power" for the frictional work per area, which wear
        and heat follow.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If the contact is a line contact, `over` is unknown, or `rolling` is neither +1, -1 nor None.

    Examples
    --------
    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> pressed = tr.press(tr.Sphere(0.02), tr.Grid(24, 24, 20e-6, 20e-6), pair, force=50.0)
    >>> rolled = tr.roll_steady(pressed, 0.3, creepage=(1e-3, 0.0, 0.0))
    >>> ax = tr.view.traction_map(rolled, rolling=1)
    >>> ax.get_title("left")
    'Tractions on body 1'
    """
    if t.normal.grid.is_line:
        raise InputError("a line contact has no map: its tractions depend on x only. Use traction_section.")
    if rolling is not None:
        checks.choice("rolling", rolling, (1, -1))
    view, n = ContactMap(ax, t.normal), t.normal
    if checks.choice("over", over, ("pressure", "power")) == "power":
        image, bar = _draw_power(view, t)
    else:
        image, stress = view.draw_pressure(pale())
        bar = f"pressure ({stress.name})"
    handles = [*_draw_areas(view, t), *_draw_arrows(view, t)]
    view.limit(window(n, "x", 1.2), window(n, "y", 1.2))
    if rolling is not None:
        _mark_rolling(view.ax, rolling)
    view.ax.legend(
        handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, fontsize=FONT["tick"],
        frameon=False, handlelength=1.6, columnspacing=1.2,
    )  # fmt: skip
    colour_bar(view.ax, image, bar)
    return view.finish_map(title)


def _draw_power(view: ContactMap, t: TangentialContact) -> tuple[Style, str]:
    """Draw the frictional work per area; its image and label."""
    steady = t.motion == "steady rolling"
    work = unit_for(t.power_density, "J")
    image = view.draw(np.where(t.normal.contact, work.of(t.power_density), np.nan), pale(), vmin=0.0)
    return image, f"frictional work ({work.name}/m²{' per m rolled' if steady else ' in the step'})"


@figure
def traction_section(
    t: TangentialContact,
    along: str = "x",
    ax: Axes | None = None,
    *,
    component: str = "x",
    theory: Callable[[np.ndarray], np.ndarray] | None = None,
    title: str | None = None,
) -> Axes:
    """Plot tractions along a section through the centre of pressure, between the bounds +-mu p.

    Where the elements stick is shaded.

    Parameters
    ----------
    t
        Result of `tr.shift`, `tr.roll_steady` or `tr.roll`.
    along
        Direction of the section, "x" or "y".
    component
        "x" or "y" component of the traction.
    theory
        Function of the position (m) with a closed solution, Pa.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        As `section`, or if `component` is unknown.

    Examples
    --------
    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> pressed = tr.press(tr.Sphere(0.02), tr.Grid(24, 24, 20e-6, 20e-6), pair, force=50.0)
    >>> rolled = tr.roll_steady(pressed, 0.3, creepage=(1e-3, 0.0, 0.0))
    >>> ax = tr.view.traction_section(rolled)
    >>> ax.get_title("left")
    'Traction along x through the centre'
    """
    k = ("x", "y").index(checks.choice("component", component, ("x", "y")))
    ax, n = new_axes(ax), t.normal
    cut = Cut.through(n, along)
    chart = Chart(ax, unit_for(reach(n, along), "m"), unit_for(t.friction * n.peak_pressure, "Pa"))
    stuck = _find_runs(cut.of(t.stick & n.contact), cut.places, cut.cell)
    chart.shade(stuck, "sticks", color=GREEN, alpha=0.13)
    bound = np.where(cut.of(n.contact), cut.of(t.bound), np.nan)
    for sign, label in ((1.0, "bound ±µp"), (-1.0, "_bound")):
        chart.plot(cut.places, sign * bound, ls=(0, (4, 2)), color=GREY, lw=1.3, label=label)
    chart.step(cut.places, cut.of(t.traction[k]), color=BLUE, lw=1.9, label="computed")
    if theory is not None:
        expected = checks.real_array("theory(x)", theory(cut.fine))
        if expected.shape != cut.fine.shape:
            raise InputError(f"theory(x) has shape {expected.shape}, expected that of x, {cut.fine.shape}.")
        chart.plot(cut.fine, expected, ls=(0, (5, 2)), color=ORANGE, lw=1.7, label="theory")
    ax.axhline(0.0, color=GREY, lw=0.7)
    chart.limit_x(*cut.clip(window(n, along)))
    default = f"Traction along {along} through the centre"
    return chart.finish(along, f"$p_{component}$", title, default, legend=True)


@figure
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
    """Plot creep forces over creepage for several theories.

    Forces are drawn as -F, against the creepage.

    Parameters
    ----------
    creepages
        Creepages (-).
    forces
        Force on body 1 for each creepage, N, by name.
    limit
        mu F_n, N; forces are then drawn relative to it.
    x_label
        Label of the creepages; with "%" they are drawn in percent.
    y_label
        Label of the forces.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If there are fewer than two creepages, no curve, or a curve of another length.

    Examples
    --------
    >>> creepages = np.linspace(0.0, 0.01, 5)
    >>> forces = {"Carter": -1e3 * np.tanh(300.0 * creepages)}
    >>> ax = tr.view.creep_force_plot(creepages, forces, limit=1e3)
    >>> ax.get_xlabel()
    'creepage (%)'
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
        ax.plot(x, shown, ls=style, color=CYCLE[number % len(CYCLE)], lw=2.0, label=literal(name))
    if limit is not None:
        for side in (1.0, -1.0) if xi.min() < 0.0 else (1.0,):
            ax.axhline(side, color=DARK, lw=0.9)
        ax.set_ylim(-1.08 if xi.min() < 0.0 else 0.0, 1.08)
    ax.set_xlim(float(x.min()), float(x.max()))
    if y_label is None:
        y_label = f"$-F$ ({unit.name})" if limit is None else "$-F / \\mu F_n$"
    return style_axes(ax, x_label, y_label, literal(title), legend=True)


def pale() -> Colormap:
    """Colours on which dark arrows stand out."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("pale", PALE)


def _draw_areas(view: ContactMap, t: TangentialContact) -> list[Style]:
    """Outline of the contact and of what sticks, hatches over what slips; returns entries of the legend."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    n = t.normal
    handles: list[Style] = []
    x, y = view.x.of(n.grid.x), view.y.of(n.grid.y)
    slips, sticks = t.sliding, t.stick & n.contact
    if slips.any():
        with pyplot().rc_context({"hatch.linewidth": 0.6}):
            shade = view.ax.contourf(x, y, slips.astype(float), [0.5, 1.5], colors="none", hatches=["////"])
        shade.set_edgecolor(GREY)
        shade.set_linewidth(0.0)
        handles.append(Patch(facecolor=PALE[1], edgecolor=GREY, hatch="////", lw=0.0, label="slips"))
    view.outline(n.contact, DARK, 1.0)
    if sticks.any():
        view.ax.contour(x, y, sticks.astype(float), [0.5], colors=GREEN, linewidths=2.2)
        handles.append(Line2D([], [], color=GREEN, lw=2.2, label="sticks inside"))
    return handles


def _draw_arrows(view: ContactMap, t: TangentialContact) -> list[Style]:
    """Arrows on a thinned grid, the longest as long as their distance allows."""
    from matplotlib.lines import Line2D

    x, y = view.x.of(t.normal.grid.x), view.y.of(t.normal.grid.y)
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
    view.ax.quiver(
        xx[keep], yy[keep], px, py, angles="xy", scale_units="xy", scale=0.62 * ARROWS / across, width=0.0042,
        headwidth=4.2, headlength=4.6, color=MAP_INK, zorder=4,
    )  # fmt: skip
    name = f"traction, at most {quantity(largest, 'Pa', 3)}"
    return [Line2D([], [], color=DARK, marker=r"$\rightarrow$", ls="none", ms=13, label=name)]


def _mark_rolling(ax: Axes, rolling: int) -> None:
    """An arrow along x above the axes."""
    start, end = (0.86, 1.0) if rolling > 0 else (1.0, 0.86)
    arrow = {"arrowstyle": "-|>", "color": ORANGE, "lw": 2.2, "mutation_scale": 16}
    ax.annotate("", (end, 1.05), (start, 1.05), xycoords="axes fraction", arrowprops=arrow)
    draw_words(ax, 0.845, 1.05, "rolling", va="center", ha="right")


def _find_runs(marked: np.ndarray, places: np.ndarray, cell: float) -> list[tuple[float, float]]:
    """Ends of the stretches of marked elements, m."""
    padded = np.concatenate(([False], marked, [False]))
    changes = np.flatnonzero(padded[1:] != padded[:-1])
    return [
        (float(places[a] - 0.5 * cell), float(places[b - 1] + 0.5 * cell))
        for a, b in zip(changes[::2], changes[1::2], strict=True)
    ]
