"""Figures of normal contacts: pressure from above and along a section, deformed surfaces, convergence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.contact.normal.press import NormalContact
from traction.errors import InputError
from traction.printable import literal
from traction.quantities import Unit, unit_for
from traction.view.arguments import figure
from traction.view.chart import Chart, colour_bar, new_axes
from traction.view.figures import BLUE, CYCLE, DARK, FAMILY, GREY, MARKERS, ORANGE, Style, style_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Point = tuple[float, float]
HIGHEST_ORDER = 20.0  #: of convergence


@runtime_checkable
class Hertz(Protocol):
    """Interface of a result of `tr.hertz` that figures use."""

    @property
    def semi_axes(self) -> Point:
        """Semi-axes along x and y, m."""

    def pressure(self, x: ArrayLike, y: ArrayLike = 0.0) -> np.ndarray:
        """Pressure at (x, y), Pa."""


@figure
def pressure_map(
    contact: NormalContact,
    ax: Axes | None = None,
    *,
    ellipse: bool = False,
    hertz: Hertz | None = None,
    hertz_center: Point | None = None,
    title: str = "Contact pressure",
) -> Axes:
    """Plot the contact pressure seen from above, with the outline of the contact.

    Elements without pressure stay blank.

    Parameters
    ----------
    contact
        Result of `tr.press`.
    ellipse
        Add the ellipse with the same second moments.
    hertz
        Result of `tr.hertz` to draw for comparison.
    hertz_center
        Centre (x, y) of the Hertz contact, m; the centre of pressure by default.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If the contact is a line contact, whose pressure depends on x only.

    Examples
    --------
    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> contact = tr.press(tr.Sphere(0.02), tr.Grid(24, 24, 20e-6, 20e-6), pair, force=50.0)
    >>> exact = tr.hertz.sphere(0.02, pair, force=50.0)
    >>> ax = tr.view.pressure_map(contact, hertz=exact)
    >>> ax.get_title("left")
    'Contact pressure'
    """
    if contact.grid.is_line:
        raise InputError("a line contact has no pressure map: its pressure depends on x only. Use section.")
    view = ContactMap(ax, contact)
    image, stress = view.draw_pressure(FAMILY)
    view.outline(contact.contact, DARK, 1.0)
    if ellipse:
        _draw_ellipse(view, contact.center, contact.semi_axes, contact.orientation, "fitted ellipse")
    place = contact.center if hertz_center is None else hertz_center
    if hertz is not None:
        _draw_hertz(view, place, hertz)
    if ellipse or hertz is not None:
        # above the axes, where it cannot hide a contact that fills them
        view.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2, ncols=2)
    view.limit(*(window(contact, name, hertz=hertz, middle=place) for name in "xy"))
    colour_bar(view.ax, image, f"pressure ({stress.name})")
    return view.finish_map(title)


class ContactMap(Chart):
    """A contact seen from above, x and y in one unit."""

    def __init__(self, ax: Axes | None, contact: NormalContact) -> None:
        length = unit_for([reach(contact, "x"), reach(contact, "y")], "m")
        super().__init__(ax, length, length)
        self.contact, grid = contact, contact.grid
        self.extent = tuple(length.of([*edges(grid.x, grid.dx), *edges(grid.y, grid.dy)]))

    def draw(self, values: np.ndarray, cmap: Style, **options: Style) -> Style:
        """A number of each element as a colour; returns the image."""
        options |= {"cmap": cmap, "vmin": 0.0, "interpolation": "nearest"}
        return self.ax.imshow(values, origin="lower", extent=self.extent, **options)

    def draw_pressure(self, cmap: Style) -> tuple[Style, Unit]:
        """The image of the pressure, and its unit."""
        stress = unit_for(self.contact.peak_pressure, "Pa")
        shown = np.ma.masked_array(stress.of(self.contact.pressure), mask=~self.contact.contact)
        return self.draw(shown, cmap), stress

    def outline(self, marked: np.ndarray, color: str, width: float) -> None:
        """A line around the elements that are marked, unless these are none or all."""
        if marked.any() and not marked.all():
            x, y = self.x.of(self.contact.grid.x), self.y.of(self.contact.grid.y)
            self.ax.contour(x, y, marked.astype(float), [0.5], colors=color, linewidths=width)

    def limit(self, across: Point, up: Point) -> None:
        """Limit the axes to these positions (m) on the grid."""
        left, right, bottom, top = self.extent
        self.ax.set_xlim(*np.clip(self.x.of(across), left, right))
        self.ax.set_ylim(*np.clip(self.y.of(up), bottom, top))

    def finish_map(self, title: str) -> Axes:
        """Label both axes, in equal scales."""
        self.finish("x", "y", title, grid=False)
        self.ax.set_aspect("equal")
        return self.ax


@figure
def section(
    contact: NormalContact,
    hertz: Hertz | None = None,
    along: str = "x",
    ax: Axes | None = None,
    *,
    through: str = "center",
    hertz_center: Point | None = None,
    title: str | None = None,
) -> Axes:
    """Plot the pressure along a section, with the Hertz pressure if given.

    The pressure of each element is a step.

    Parameters
    ----------
    contact
        Result of `tr.press`.
    along
        Direction of the section, "x" or "y".
    through
        "center" of pressure or "peak".
    hertz, hertz_center, ax, title
        As in `pressure_map`.

    Raises
    ------
    InputError
        If `along` or `through` is unknown, or a line contact is cut along y.

    Examples
    --------
    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> contact = tr.press(tr.Sphere(0.02), tr.Grid(24, 24, 20e-6, 20e-6), pair, force=50.0)
    >>> ax = tr.view.section(contact, tr.hertz.sphere(0.02, pair, force=50.0))
    >>> ax.get_ylabel()
    'pressure (MPa)'
    """
    ax, cut = new_axes(ax), Cut.through(contact, along, through)
    chart = Chart(ax, unit_for(reach(contact, along), "m"), unit_for(contact.peak_pressure, "Pa"))
    draw_pressure(chart, cut, contact, "computed", lw=1.8)
    center = contact.center if hertz_center is None else hertz_center
    if hertz is not None:
        # the row of elements nearest to the centre may miss it by half an element
        x, y = (cut.fine, cut.beside) if along == "x" else (cut.beside, cut.fine)
        exact = hertz.pressure(x - center[0], y - center[1])
        chart.plot(cut.fine, exact, "--", color=ORANGE, lw=1.8, label="Hertz")
        chart.legend()
    chart.limit_x(*cut.clip(window(contact, along, hertz=hertz, middle=center)))
    ax.set_ylim(bottom=0.0)
    default = f"Pressure along {along} through the peak"
    return chart.finish(
        along, "pressure", title, "Pressure through the centre" if through == "center" else default
    )


def draw_pressure(chart: Chart, cut: Cut, contact: NormalContact, label: str, *, lw: float) -> None:
    """The pressure along a section, filled."""
    chart.fill(cut.places, cut.of(contact.pressure), step="mid", color=BLUE, alpha=0.15)
    chart.step(cut.places, cut.of(contact.pressure), color=BLUE, lw=lw, label=label)


@figure
def deformed_section(
    contact: NormalContact, along: str = "x", ax: Axes | None = None, *, title: str = "Deformed surfaces"
) -> Axes:
    """Plot the surfaces of both bodies through the centre of pressure, undeformed and deformed.

    Body 2 is at rest far away; body 1 has moved down by the approach. Heights have their own scale.

    Parameters
    ----------
    contact, along, ax, title
        As in `section`.

    Raises
    ------
    InputError
        As `section`.

    Examples
    --------
    >>> pair = tr.Pair(tr.STEEL, tr.STEEL)
    >>> contact = tr.press(tr.Sphere(0.02), tr.Grid(24, 24, 20e-6, 20e-6), pair, force=50.0)
    >>> ax = tr.view.deformed_section(contact)
    >>> ax.get_ylabel()
    'height z (µm)'
    """
    ax, cut = new_axes(ax), Cut.through(contact, along)
    rigid, x = cut.of(contact.gap) - contact.approach, cut.places
    upper, lower = rigid + cut.of(contact.displacement(body=1)), cut.of(contact.displacement(body=2))
    # beyond the contact the undeformed body 1 leaves the picture quickly
    low, high = cut.clip(window(contact, along, room=1.6))
    seen = (x >= low) & (x <= high)
    height = unit_for(np.concatenate([upper[seen], lower[seen]]), "m")
    chart = Chart(ax, unit_for(reach(contact, along), "m"), height)
    chart.plot(x, rigid, "--", color=BLUE, lw=1.2, label="body 1, undeformed")
    chart.plot(x, np.zeros_like(x), "--", color=ORANGE, lw=1.2, label="body 2, undeformed")
    top, bottom = max(upper[seen].max(), 0.0), min(lower[seen].min(), rigid[seen].min())
    # the legend has the room above the surfaces
    limits = bottom - 0.05 * (top - bottom), top + 0.32 * (top - bottom)
    chart.fill(x, upper, limits[1], color=BLUE, alpha=0.12)
    chart.fill(x, lower, limits[0], color=ORANGE, alpha=0.12)
    chart.plot(x, upper, color=BLUE, lw=2.0, label="body 1, deformed")
    chart.plot(x, lower, color=ORANGE, lw=2.0, label="body 2, deformed")
    chart.limit_x(low, high)
    ax.set_ylim(*height.of(limits))
    chart.legend(loc="upper center", ncols=2)
    return chart.finish(along, "height z", title)


@figure
def convergence_plot(
    cells: ArrayLike,
    errors: ArrayLike | Mapping[str, ArrayLike],
    ax: Axes | None = None,
    *,
    order: float | None = None,
    quantity: str = "relative error",
    title: str = "Convergence",
) -> Axes:
    """Plot errors over the number of cells across the contact, logarithmic, with fitted orders.

    Parameters
    ----------
    cells
        Cells across the contact.
    errors
        Errors, one series or several by name.
    order
        Slope of a reference line.
    quantity
        Label of the errors.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If cells or errors are not positive, their numbers differ, or the order is beyond 20.

    Examples
    --------
    >>> cells = [10, 20, 40]
    >>> ax = tr.view.convergence_plot(cells, [4e-2, 1e-2, 2.5e-3], order=2.0)
    >>> [line.get_label() for line in ax.lines]
    ['relative error: order 2.00', 'order 2']
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
    if order is not None and abs(order) > HIGHEST_ORDER:
        raise InputError(f"order = {order} must lie between -{HIGHEST_ORDER} and {HIGHEST_ORDER}.")
    ax = new_axes(ax)
    lowest = math.inf
    for i, (name, error) in enumerate(clean.items()):
        turn, place = divmod(i, len(CYCLE))
        # each turn through the colours pairs them with other markers
        color, marker = CYCLE[place], MARKERS[(place + turn) % len(MARKERS)]
        label = literal(name)
        if np.ptp(n) > 0.0:
            label += f": order {-np.polyfit(np.log(n), np.log(error), 1)[0]:.2f}"
        ax.loglog(n, error, marker + "-", color=color, lw=1.8, ms=6, label=label)
        lowest = min(lowest, float(np.min(error * (n / n[0]) ** (order or 0.0))))
    if order is not None:
        ax.loglog(n, 0.5 * lowest * (n / n[0]) ** -order, "--", color=GREY, lw=1.4, label=f"order {order:g}")
    ax.set_xticks(n, [f"{value:g}" for value in n])
    ax.minorticks_off()
    return style_axes(ax, "cells across the contact", literal(quantity), literal(title), legend=True)


@dataclass(frozen=True, eq=False)
class Cut:
    """The row or column of elements along x or y through a contact."""

    along: str
    index: int
    places: np.ndarray  #: of the elements, m
    cell: float  #: length of an element, m
    beside: float  #: place of the row along the other axis, m

    @classmethod
    def through(cls, contact: NormalContact, along: str, through: str = "center") -> Cut:
        """The row nearest to the centre of pressure, or to the peak."""
        grid = contact.grid
        require_direction(contact, along)
        checks.choice("through", through, ("center", "peak"))
        x, y = contact.center
        if through == "peak":
            j, i = np.unravel_index(np.argmax(contact.pressure), grid.shape)
            x, y = float(grid.x[i]), float(grid.y[j])
        places, across, middle = (grid.x, grid.y, y) if along == "x" else (grid.y, grid.x, x)
        index = int(np.argmin(np.abs(across - middle)))
        return cls(along, index, places, grid.dx if along == "x" else grid.dy, float(across[index]))

    def of(self, field: np.ndarray) -> np.ndarray:
        """Values of a field along it."""
        return field[self.index] if self.along == "x" else field[:, self.index]

    @property
    def fine(self) -> np.ndarray:
        """Places for a smooth curve, m."""
        return np.linspace(self.places[0], self.places[-1], 2001)

    def clip(self, ends: Point) -> np.ndarray:
        """The part of an interval (m) that lies on the section."""
        return np.clip(ends, self.places[0], self.places[-1])


def require_direction(contact: NormalContact, along: str) -> None:
    """Check that there is a section `along` x or y."""
    if checks.choice("along", along, ("x", "y")) == "y" and contact.grid.is_line:
        raise InputError('along = "y": a line contact does not vary along y; use along="x".')


def span(contact: NormalContact, along: str) -> Point:
    """Ends of the contact along x or y, m; of the grid where nothing touches."""
    grid = contact.grid
    places, cell = (grid.x, grid.dx) if along == "x" else (grid.y, grid.dy)
    touched = contact.contact.any(axis=0 if along == "x" else 1)
    return edges(places[touched] if touched.any() else places, cell)


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
    middle: Point = (0.0, 0.0),
) -> Point:
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


def edges(places: np.ndarray, cell: float) -> Point:
    """Ends of a row of elements, m."""
    return float(places[0] - 0.5 * cell), float(places[-1] + 0.5 * cell)


def _draw_hertz(view: ContactMap, center: Point, hertz: Hertz) -> None:
    """The ellipse, or the two long sides of a line contact."""
    a, b = hertz.semi_axes
    if math.isfinite(b):
        _draw_ellipse(view, center, (a, b), 0.0, "Hertz")
        return
    for side, label in ((-a, "Hertz"), (a, "_Hertz")):
        view.ax.axvline(float(view.x.of(center[0] + side)), ls="--", lw=1.6, color=ORANGE, label=label)


def _draw_ellipse(view: ContactMap, center: Point, axes: Point, angle: float, label: str) -> None:
    turn = np.linspace(0.0, 2.0 * math.pi, 241)
    u, v = axes[0] * np.cos(turn), axes[1] * np.sin(turn)
    x = center[0] + u * math.cos(angle) - v * math.sin(angle)
    y = center[1] + u * math.sin(angle) + v * math.cos(angle)
    view.plot(x, y, "--", lw=1.6, color=ORANGE, label=label)
