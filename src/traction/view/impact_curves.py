"""Figures of impacts: force over time, iterates, shapes of the struck beam or plate, maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from traction.errors import InputError
from traction.impacts.impact_history import ImpactHistory
from traction.impacts.impact_methods import PicardIterates
from traction.impacts.structures.plate import Plate
from traction.quantities import Unit, counted, unit_for
from traction.view.arguments import checked, figure
from traction.view.chart import Chart, colour_bar, family_colors, new_axes
from traction.view.figures import BLUE, CYCLE, DARK, DASHES, FAMILY, GREEN, GREY, ORANGE, Style, style_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: colour and dashes of each method, the same in all figures
METHOD_LINES: dict[str, tuple[str, Style]] = {
    "modal": (DARK, DASHES[0]),
    "small-increment": (BLUE, DASHES[2]),
    "energy": (ORANGE, DASHES[1]),
    "picard": (GREEN, DASHES[3]),
}
POINTS = 1500  #: drawn times
PLACES = 161  #: along a beam or the longer side of a plate
Span = tuple[float, float]


@figure
def impact_force_plot(
    histories: ImpactHistory | Mapping[str, ImpactHistory],
    ax: Axes | None = None,
    *,
    span: Span | None = None,
    title: str = "Contact force",
) -> Axes:
    """Plot the contact force of impacts over time.

    Curves of different methods have the colour and dashes of their method.

    Parameters
    ----------
    histories
        Result of `tr.impact`, or a mapping from names in the legend.
    span
        First and last time, s.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If there is no history.

    Examples
    --------
    >>> beam = tr.Beam(0.5, 500.0, 1.2, supports=("pinned", "pinned"))
    >>> striker = tr.Striker.sphere(0.01, 1.0, tr.Pair(tr.STEEL, tr.STEEL))
    >>> hit = tr.impact(beam, 0.25, striker, t_end=2e-3, modes=40)
    >>> ax = tr.view.impact_force_plot(hit, span=(0.0, 100e-6))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('time (µs)', 'contact force (kN)')
    """
    named = histories if isinstance(histories, Mapping) else {"": histories}
    if not named:
        raise InputError("histories is empty: give results of tr.impact.")
    curves = {name: ForceCurve.of(history, span) for name, history in named.items()}
    return draw_forces(curves, [history.method for history in named.values()], ax, title=title)


@dataclass(frozen=True, eq=False)
class ForceCurve:
    """The contact force of an impact over time."""

    t: np.ndarray  #: s
    force: np.ndarray  #: N

    @classmethod
    def of(cls, history: ImpactHistory, span: Span | None = None) -> ForceCurve:
        """Curve of a history, all of it or between two times (s)."""
        low, high = float(history.track.times[0]), float(history.track.times[-1])
        if span is None:
            return cls(history.t, history.force)
        t = np.unique(np.r_[np.linspace(span[0], min(span[1], high), POINTS), history.track.times])
        t = t[(t >= max(span[0], low)) & (t <= span[1])]
        return cls(t, history.force_at(t))

    def until(self, end: float) -> ForceCurve:
        """The curve up to a time (s); all of it where that is NaN, as the end of an open contact."""
        shown = ~(self.t > end)
        return ForceCurve(self.t[shown], self.force[shown])


def draw_forces(
    curves: Mapping[str, ForceCurve],
    methods: Sequence[str],
    ax: Axes | None = None,
    *,
    title: str = "Contact force",
) -> Axes:
    """Forces over time, by the names in the legend, each in the line of its method."""
    time = time_unit(max(float(one.t[-1]) for one in curves.values()))
    chart = Chart(ax, time, unit_for(np.concatenate([one.force for one in curves.values()]), "N"))
    known = METHOD_LINES if len(set(methods)) == len(methods) else {}
    for k, (name, one) in enumerate(curves.items()):
        color, dashes = known.get(methods[k], (CYCLE[k % len(CYCLE)], "-"))
        chart.plot(one.t, one.force, color=color, ls=dashes, lw=2.0, label=name)
    chart.limit_x(*next(iter(curves.values())).t[[0, -1]])
    chart.ax.set_ylim(bottom=0.0)
    return chart.finish("time", "contact force", title, legend=len(curves) > 1)


@figure
def iterates_plot(
    iterates: PicardIterates, ax: Axes | None = None, *, most: int = 6, title: str | None = None
) -> Axes:
    """Plot the first iterates of the Picard method over time, and the last one.

    Parameters
    ----------
    iterates
        `stats["iterates"]` of `tr.impact(..., method="picard")`.
    most
        Number of first iterates.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If these are no iterates of Picard's method.

    Examples
    --------
    >>> beam = tr.Beam(0.5, 500.0, 1.2, supports=("pinned", "pinned"))
    >>> striker = tr.Striker.sphere(0.01, 1.0, tr.Pair(tr.STEEL, tr.STEEL))
    >>> hit = tr.impact(beam, 0.25, striker, method="picard", modes=10)
    >>> ax = tr.view.iterates_plot(hit.stats["iterates"], most=2)
    >>> ax.lines[0].get_label()
    'half sine'
    """
    last = len(iterates.forces) - 1
    chart = Chart(ax, time_unit(float(iterates.t[-1])), unit_for(iterates.forces[-1], "N"))
    for k, color in enumerate(family_colors(min(most, last), 0.92)):
        label = "half sine" if k == 0 else f"iterate {k}"
        chart.plot(iterates.t, iterates.forces[k], color=color, lw=1.6, label=label)
    chart.plot(iterates.t, iterates.forces[-1], color=DARK, lw=2.4, label=f"iterate {last}")
    chart.limit_x(0.0, iterates.t[-1])
    chart.ax.set_ylim(bottom=0.0)
    return chart.finish("time", "contact force", title, "Picard's iterates", legend=True)


@dataclass(frozen=True, eq=False)
class MotionCurves:
    """Data of `impact_motion_plot`."""

    t: np.ndarray  #: s
    striker: np.ndarray  #: displacement, m
    struck: np.ndarray  #: of the struck point, m
    contacts: np.ndarray  #: begin and end of each, s, (n, 2)

    @classmethod
    def of(cls, history: ImpactHistory) -> MotionCurves:
        """Curves of a history."""
        t = np.linspace(history.track.times[0], history.track.times[-1], POINTS)
        rows = history.motion_at(t)
        ends = [(one.start, one.end if np.isfinite(one.end) else float(t[-1])) for one in history.contacts]
        return cls(t, rows[:, 0], rows[:, 2], np.array(ends).reshape(-1, 2))


@figure
def impact_motion_plot(
    history: ImpactHistory | MotionCurves, ax: Axes | None = None, *, title: str | None = None
) -> Axes:
    """Plot the displacements of striker and struck point over time.

    Contacts are shaded.

    Parameters
    ----------
    history
        Result of `tr.impact`, or its motion over time.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If `history` is not an impact.

    Examples
    --------
    >>> beam = tr.Beam(0.5, 500.0, 1.2, supports=("pinned", "pinned"))
    >>> striker = tr.Striker.sphere(0.01, 1.0, tr.Pair(tr.STEEL, tr.STEEL))
    >>> hit = tr.impact(beam, 0.25, striker, t_end=2e-3, modes=40)
    >>> ax = tr.view.impact_motion_plot(hit)
    >>> [line.get_label() for line in ax.lines]
    ['striker', 'struck point']
    """
    curves = history if isinstance(history, MotionCurves) else MotionCurves.of(history)
    chart = Chart(ax, time_unit(float(curves.t[-1])), unit_for(curves.struck, "m"))
    chart.shade(curves.contacts, "_contact", color=GREY, alpha=0.25)
    chart.plot(curves.t, curves.striker, color=ORANGE, lw=2.0, label="striker")
    chart.plot(curves.t, curves.struck, color=BLUE, lw=2.0, label="struck point")
    struck = chart.y.of(curves.struck)
    room = 0.35 * float(np.ptp(struck))
    chart.ax.set_ylim(float(struck.max()) + room, float(struck.min()) - room)  # downwards, as the striker
    chart.limit_x(*curves.t[[0, -1]])
    return chart.finish("time", "displacement", title, "Striker and structure", legend=True)


@dataclass(frozen=True, eq=False)
class BeamShapes:
    """Shapes of a struck beam at some times."""

    x: np.ndarray  #: m
    times: np.ndarray  #: s
    shapes: np.ndarray  #: deflections, m, (times, places)
    at: float  #: struck place, m

    @classmethod
    def of(cls, history: ImpactHistory, times: np.ndarray) -> BeamShapes:
        """Shapes of a history."""
        x = _places(history)
        return cls(x, times, history.deflection(x, times), float(np.asarray(history.at, dtype=float)))


@checked
def beam_shape_plot(
    history: ImpactHistory, times: Sequence[float], ax: Axes | None = None, *, title: str | None = None
) -> Axes:
    """Plot the shape of a struck beam at some times.

    Parameters
    ----------
    times
        Times, s.
    history, ax, title
        As in `impact_motion_plot`.

    Returns
    -------
    Axes
        The axes, with a line for each time.

    Raises
    ------
    InputError
        If the struck structure is not a beam, or there is no time.

    Examples
    --------
    >>> beam = tr.Beam(0.5, 500.0, 1.2, supports=("pinned", "pinned"))
    >>> striker = tr.Striker.sphere(0.01, 1.0, tr.Pair(tr.STEEL, tr.STEEL))
    >>> hit = tr.impact(beam, 0.25, striker, t_end=2e-3, modes=40)
    >>> ax = tr.view.beam_shape_plot(hit, [50e-6, 200e-6])
    >>> [line.get_label() for line in ax.lines[:2]]
    ['50 µs', '200 µs']
    """
    if len(times) == 0:
        raise InputError("times is empty; give at least one time, s.")
    return draw_beam(BeamShapes.of(history, np.asarray(times, dtype=float)), ax, title=title)


def draw_beam(beam: BeamShapes, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Shapes over each other, from dark to bright."""
    chart, time = (
        Chart(ax, unit_for(beam.x[-1], "m"), unit_for(beam.shapes, "m")),
        time_unit(beam.times.max()),
    )
    for t, w, color in zip(beam.times, beam.shapes, family_colors(len(beam.times), 0.92), strict=True):
        chart.plot(beam.x, w, color=color, lw=1.9, label=f"{time.of(t):.3g} {time.name}")
    chart.ax.axvline(float(chart.x.of(beam.at)), color=GREY, lw=0.8, ls=":")
    chart.ax.invert_yaxis()
    chart.limit_x(0.0, beam.x[-1])
    return chart.finish("position x", "deflection", title, "Shape of the beam", legend=True)


@dataclass(frozen=True, eq=False)
class PlateShape:
    """A struck plate at one time."""

    t: float  #: s
    size: tuple[float, float]  #: along x and y, m
    w: np.ndarray  #: deflections, m, (y, x)
    at: tuple[float, float]  #: struck place, m

    @classmethod
    def of(cls, history: ImpactHistory, t: float) -> PlateShape:
        """Shape of a history."""
        plate, x, y = plate_places(history, PLACES)
        across, up = np.meshgrid(x, y)
        x0, y0 = np.asarray(history.at, dtype=float)
        size = plate.length, plate.width
        return cls(t, size, history.surface(across, up, t), (float(x0), float(y0)))


@figure
def plate_wave_plot(
    history: ImpactHistory, t: float, ax: Axes | None = None, *, title: str | None = None
) -> Axes:
    """Plot the deflection of a struck plate at one time, seen from above.

    Parameters
    ----------
    t
        Time, s.
    history, ax, title
        As in `impact_motion_plot`.

    Raises
    ------
    InputError
        If no plate was struck.

    Examples
    --------
    >>> plate = tr.Plate.of(tr.STEEL, 5e-3, length=0.3, width=0.2)
    >>> striker = tr.Striker.sphere(0.01, 1.0, tr.Pair(tr.STEEL, tr.STEEL))
    >>> hit = tr.impact(plate, (0.15, 0.1), striker, t_end=1e-4, modes=12)
    >>> ax = tr.view.plate_wave_plot(hit, 80e-6)
    >>> ax.get_title("left")
    'Plate at 80 µs'
    """
    return draw_plate(PlateShape.of(history, t), ax, title=title)


def draw_plate(plate: PlateShape, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Deflection seen from above."""
    across, length, time = unit_for(max(plate.size), "m"), unit_for(plate.w, "m"), time_unit(plate.t)
    chart, w = Chart(ax, across, across), length.of(plate.w)
    most = float(np.abs(w).max()) or 1.0
    extent = (0.0, float(across.of(plate.size[0])), 0.0, float(across.of(plate.size[1])))
    image = chart.ax.imshow(
        w, origin="lower", extent=extent, cmap="RdBu_r", vmin=-most, vmax=most, interpolation="bilinear"
    )
    chart.plot(*plate.at, "o", ms=4, color=DARK)
    colour_bar(chart.ax, image, f"deflection ({length.name})")
    return chart.finish("x", "y", title, f"Plate at {time.of(plate.t):.3g} {time.name}", grid=False)


@figure
def impact_map(
    x: np.ndarray,
    y: np.ndarray,
    values: np.ndarray,
    ax: Axes | None = None,
    *,
    words: Sequence[str],
) -> Axes:
    """Plot a result of an impact sweep over two quantities as colours; y is drawn in powers.

    Parameters
    ----------
    x
        Quantity along x.
    y
        Quantity along y.
    values
        Result, (y, x).
    ax
        Axes to draw on; a new figure by default.
    words
        Labels of x, y and the result, and the title.

    Raises
    ------
    InputError
        If `values` has not one row for each y and one column for each x, or there are not four words.

    Examples
    --------
    >>> speeds, thickness = np.array([1.0, 2.0]), np.array([2e-3, 4e-3, 8e-3])
    >>> restitution = np.array([[0.5, 0.4], [0.7, 0.6], [0.9, 0.8]])
    >>> words = ("speed (m/s)", "thickness (m)", "restitution", "Plates")
    >>> tr.view.impact_map(speeds, thickness, restitution, words=words).get_yscale()
    'log'
    """
    if len(words) != 4:
        raise InputError(
            f"words has {counted(len(words), 'text')}; give those of x, y, the result and the title."
        )
    if np.shape(values) != (np.size(y), np.size(x)):
        raise InputError(
            f"values has shape {np.shape(values)}, expected {(np.size(y), np.size(x))}: a row for each y, a "
            "column for each x."
        )
    ax = new_axes(ax)
    mapped = ax.pcolormesh(x, y, values, cmap=FAMILY, shading="gouraud")
    lines = ax.contour(x, y, values, colors="white", linewidths=0.8, levels=8)
    ax.clabel(lines, fontsize=8.0, fmt="%.2g")
    ax.set_yscale("log")
    colour_bar(ax, mapped, words[2])
    return style_axes(ax, words[0], words[1], words[3], grid=False)


def plate_places(history: ImpactHistory, most: int) -> tuple[Plate, np.ndarray, np.ndarray]:
    """The struck plate, and places along x and y (m), `most` of them along its longer side."""
    plate = history.structure
    if not isinstance(plate, Plate):
        raise InputError("the struck structure is not a plate; its shapes are drawn by beam_shape_plot.")
    step = max(plate.length, plate.width) / (most - 1)
    x, y = (np.linspace(0.0, side, round(side / step) + 1) for side in (plate.length, plate.width))
    return plate, x, y


def time_unit(seconds: float) -> Unit:
    """Microseconds, milliseconds or seconds."""
    for name, factor in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= factor:
            return Unit(name, factor)
    return Unit("µs", 1e-6)


def _places(history: ImpactHistory) -> np.ndarray:
    length = getattr(history.structure, "length", None)
    places = getattr(history.structure, "places", None)
    if length is None and places is None:
        raise InputError(f"a {type(history.structure).__name__} has no shape along x to draw.")
    return np.linspace(0.0, length, PLACES) if length is not None else np.asarray(places)
