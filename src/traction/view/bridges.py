"""Figures of beams and of what crosses them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.beams.beam import Beam
from traction.crossing.results.crossing import QUANTITIES, Crossing, Envelope
from traction.crossing.sweeps.resonance import ResonanceCurve
from traction.errors import InputError
from traction.printable import literal
from traction.quantities import Unit
from traction.view.arguments import figure
from traction.view.chart import SECONDS, Chart, colour_bar, draw_words, family_colors, new_axes, shown_unit
from traction.view.figures import BLUE, CYCLE, DARK, GREY, MAP_INK, ORANGE, PURPLE, style_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 401  #: along a beam
ROWS, COLUMNS = 240, 201  #: of a map, times and places
METRES = Unit("m", 1.0)
#: largest acceleration of a deck, m/s2, by the track on it (EN 1990, Annex A2, A2.4.4.2.1)
DECK_LIMITS = {"ballasted track": 3.5, "direct fastening": 5.0}
OFF = "no axle on the bridge"
NEAR_PEAK = 1.6  #: of the largest acceleration, up to which a limit is drawn
UNITS = {"deflection": "m", "velocity": "m/s", "acceleration": "m/s2", "moment": "N m", "shear": "N"}


@figure
def crossing_plot(
    crossings: Crossing | Mapping[str, Crossing],
    x: float,
    ax: Axes | None = None,
    *,
    quantity: str = "deflection",
    at_rest: bool = False,
    title: str | None = None,
) -> Axes:
    """Plot a quantity at one position over time.

    Deflections are drawn downwards, other quantities upwards.

    Parameters
    ----------
    crossings
        Result of `tr.cross` or `tr.moving_load`, or a mapping from names in the legend.
    x
        Output position, m.
    quantity
        "deflection", "velocity", "acceleration", "moment" or "shear".
    at_rest
        Add the static response to the same forces.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If the quantity is unknown or the position lies off the bridge.

    Examples
    --------
    >>> beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"))
    >>> crossing = tr.moving_load(beam, [(100e3, 0.0)], speed=30.0, size=5)
    >>> ax = tr.view.crossing_plot(crossing, 10.0, at_rest=True)
    >>> ax.get_title("left")
    'Deflection at x = 10 m'
    """
    checks.choice("quantity", quantity, QUANTITIES)
    named = {"": crossings} if isinstance(crossings, Crossing) else dict(crossings)
    if not named:
        raise InputError("crossings is empty; give one, or several by name.")
    curves = {}
    for name, run in named.items():
        curves[name] = (run.t, getattr(run, quantity)(x))
        if at_rest:
            curves[f"{name} same forces, at rest".strip()] = (run.t, run.at_rest(quantity, x))
    words = f"{quantity.capitalize()} at x = {x:g} m" if title is None else title
    return draw_crossings(curves, ax, quantity=quantity, at_rest=at_rest, title=words)


def draw_crossings(
    curves: Mapping[str, tuple[np.ndarray, np.ndarray]],
    ax: Axes | None = None,
    *,
    quantity: str = "deflection",
    at_rest: bool = False,
    title: str,
) -> Axes:
    """Times and values of a quantity, by the names in the legend; `at_rest` dashes every second one."""
    values = np.concatenate([values for _, values in curves.values()])
    chart = Chart(ax, SECONDS, shown_unit(values, UNITS[quantity]))
    for n, (name, (t, values)) in enumerate(curves.items()):
        color = CYCLE[(n // 2 if at_rest else n) % len(CYCLE)]
        form, width, label = ("--", 1.2, name) if at_rest and n % 2 else ("-", 2.0, name or "crossing")
        chart.plot(t, values, form, lw=width, color=color, label=label)
    chart.ax.axhline(0.0, color=DARK, lw=0.8)
    chart.limit_x(min(t[0] for t, _ in curves.values()), max(t[-1] for t, _ in curves.values()))
    if quantity in ("deflection", "moment"):
        chart.ax.invert_yaxis()
    return chart.finish("time", quantity, title, legend=bool(chart.ax.get_legend_handles_labels()[0][1:]))


def shade_passage(ax: Axes, passage: tuple[float, float], shown: tuple[float, float]) -> None:
    """Shade the times without an axle on the bridge: those shown (s) before and after the passage (s)."""
    (on, off), (first, last) = passage, shown
    spans = [span for span in ((first, on), (off, last)) if span[1] - span[0] > 1e-3 * (last - first)]
    for number, span in enumerate(spans):
        label = "_off" if number else OFF
        ax.axvspan(*span, color=GREY, alpha=0.13, lw=0.0, label=label)


def draw_deck_limits(ax: Axes, peak: float, *, both: bool = True) -> None:
    """Dotted lines at the limits of the deck acceleration (m/s²) near the peak drawn; names the others.

    `both` draws them upwards and downwards.
    """
    above = []
    for (track, limit), color in zip(DECK_LIMITS.items(), (PURPLE, ORANGE), strict=True):
        if limit > NEAR_PEAK * peak:
            above.append(f"{limit:g}")
            continue
        for side in (1.0, -1.0) if both else (1.0,):
            label = f"EN 1990: {limit:g} m/s², {track}" if side > 0.0 else "_limit"
            ax.axhline(side * limit, color=color, lw=1.5, ls=":", label=label)
    if above:
        words = f"EN 1990: {' and '.join(above)} m/s² lie outside"
        draw_words(ax, 0.99, 0.02, words, ha="right", va="bottom")


def list_limits() -> str:
    """The limits in words."""
    return " and ".join(f"{limit:g} m/s² ({track})" for track, limit in DECK_LIMITS.items())


@dataclass(frozen=True, eq=False)
class CrossingMap:
    """A quantity of a crossing over position and time, for drawing."""

    x: np.ndarray  #: from end to end of the beam, m
    t: np.ndarray  #: s
    values: np.ndarray  #: (times, places)
    axles: np.ndarray  #: places of the axles, m, (times, axles)

    @classmethod
    def of(cls, crossing: Crossing, quantity: str = "deflection") -> CrossingMap:
        """At some of the times of a crossing."""
        x = np.linspace(0.0, crossing.beam.length, COLUMNS)
        rows = np.unique(np.linspace(0, crossing.t.size - 1, ROWS).round().astype(int))
        values = np.stack([getattr(crossing, quantity)(float(one))[rows] for one in x], axis=1)
        return cls(x, crossing.t[rows], values, crossing.places[rows])

    @property
    def passage(self) -> tuple[float, float]:
        """First and last time with an axle on the beam, s; ends of the map where there is none."""
        return min(on for on, _ in self.passages), max(off for _, off in self.passages)

    @property
    def passages(self) -> list[tuple[float, float]]:
        """Of each axle: when it comes on the beam and when it leaves it, s; the ends of the map otherwise."""
        return [
            (float(np.interp(0.0, places, self.t)), float(np.interp(self.x[-1], places, self.t)))
            for places in self.axles.T
        ]


@figure
def crossing_map(
    crossing: Crossing | CrossingMap,
    ax: Axes | None = None,
    *,
    quantity: str = "deflection",
    title: str | None = None,
) -> Axes:
    """Plot a quantity over position and time as colours.

    Lines show where the axles are.

    Parameters
    ----------
    crossing
        Result of `tr.cross` or `tr.moving_load`.
    quantity, ax, title
        As in `crossing_plot`.

    Raises
    ------
    InputError
        If the quantity is unknown, or `crossing` is not a crossing.

    Examples
    --------
    >>> beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"))
    >>> crossing = tr.moving_load(beam, [(100e3, 0.0)], speed=30.0, size=5)
    >>> ax = tr.view.crossing_map(crossing, quantity="moment")
    >>> ax.get_title("left")
    'Moment in space and time'
    """
    checks.choice("quantity", quantity, QUANTITIES)
    if not isinstance(crossing, CrossingMap):
        crossing = CrossingMap.of(crossing, quantity)
    chart, unit = Chart(ax, METRES, SECONDS), shown_unit(crossing.values, UNITS[quantity])
    size = float(unit.of(np.abs(crossing.values).max())) or 1.0
    drawn = chart.ax.pcolormesh(
        crossing.x, crossing.t, unit.of(crossing.values), cmap="RdBu_r", vmin=-size, vmax=size,
        shading="gouraud", rasterized=True,
    )  # fmt: skip
    for places in crossing.axles.T:
        chart.plot(places, crossing.t, color=MAP_INK, lw=0.9, alpha=0.7)
    chart.limit_x(0.0, crossing.x[-1])
    chart.ax.set_ylim(crossing.t[0], crossing.t[-1])
    colour_bar(chart.ax, drawn, f"{quantity} ({unit.name})")
    return chart.finish("position x", "time", title, f"{quantity.capitalize()} in space and time", grid=False)


@figure
def resonance_plot(
    curve: ResonanceCurve,
    ax: Axes | None = None,
    *,
    quantity: str = "acceleration",
    marks: int | None = 0,
    title: str | None = None,
) -> Axes:
    """Plot the largest response over speed in km/h.

    Expected resonance speeds are marked.

    Parameters
    ----------
    curve
        Result of `tr.resonance` or `tr.cross_resonance`.
    quantity
        "acceleration" or "deflection".
    marks
        Index of the train whose resonances f_1 D/k are marked; None for none.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If the quantity is unknown, or `curve` is not a resonance curve.

    Examples
    --------
    >>> bridge = tr.Beam(20.0, 2e10, 1e4, supports=("pinned", "pinned"), damping=0.01)
    >>> curve = tr.resonance(bridge, tr.Train.hslm("A1"), [60.0, 70.0, 80.0], x=10.0)
    >>> ax = tr.view.resonance_plot(curve)
    >>> ax.get_ylabel()
    'peak acceleration (m/s²)'
    """
    checks.choice("quantity", quantity, ("acceleration", "deflection"))
    values = getattr(curve, quantity)
    if values.ndim == 3:  # the largest of all places
        values = values.max(axis=2)
    where = ", ".join(f"{x:g}" for x in np.atleast_1d(curve.x))
    chart = Chart(ax, Unit("km/h", 1.0 / 3.6), shown_unit(values, UNITS[quantity]))
    several = len(curve.names)
    colors = family_colors(several) if several > len(CYCLE) else list(CYCLE)
    for name, row, color in zip(curve.names, values, colors, strict=False):
        chart.plot(curve.speeds, row, lw=1.7, color=color, label=name if several > 1 else "_train")
    top = float(chart.y.of(values.max()))
    if quantity == "acceleration":
        draw_deck_limits(chart.ax, top, both=False)
        top = max([top, *(limit for limit in DECK_LIMITS.values() if limit <= NEAR_PEAK * top)])
    last = len(curve.expected) - 1
    if marks is not None and not 0 <= marks <= last:
        raise InputError(f"marks = {marks} must be the index of a train, from 0 to {last}.")
    for one in curve.expected[marks] if marks is not None else ():
        if one.mode == 1:
            place = float(chart.x.of(one.speed))
            chart.ax.axvline(place, color=GREY, lw=1.0, ls="--", zorder=0)
            label = " f₁ D" if one.period == 1 else f" f₁ D/{one.period}"
            chart.ax.text(
                place, 1.01 * top, label, fontsize=9.0, color=DARK, ha="right", va="bottom", rotation=90
            )
    chart.limit_x(curve.speeds[0], curve.speeds[-1])
    chart.ax.set_ylim(0.0, (1.5 if several > 1 else 1.22) * top)
    if chart.ax.get_legend_handles_labels()[0]:
        chart.legend(loc="upper left", ncols=3)
    return chart.finish("speed", f"peak {quantity}", title, f"Peak {quantity} at x = {where} m")


@figure
def mode_plot(beam: Beam, n: int = 4, ax: Axes | None = None, *, title: str = "Natural modes") -> Axes:
    """Plot the lowest mode shapes of a beam with their frequencies; dots are supports.

    Parameters
    ----------
    beam
        The beam.
    n
        Number of modes.
    ax, title
        Axes to draw on, a new figure by default, and their title.

    Raises
    ------
    InputError
        If `beam` is not a beam or `n` is not a positive integer.

    Examples
    --------
    >>> beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"))
    >>> ax = tr.view.mode_plot(beam, 2)
    >>> [text.get_text() for text in ax.texts]
    ['2.015 Hz', '8.06 Hz']
    """
    x = np.linspace(0.0, beam.length, POINTS)
    modes = beam.modes(checks.count("n", n))
    return draw_modes(beam, x, modes.deflection(x), modes.frequencies, ax, title=title)


def draw_modes(
    beam: Beam,
    x: np.ndarray,
    shapes: np.ndarray,
    frequencies: np.ndarray,
    ax: Axes | None = None,
    *,
    title: str,
) -> Axes:
    """Shapes (modes, positions) at positions x (m), with the natural frequencies (rad/s)."""
    ax, n = new_axes(ax), len(shapes)
    for k, (shape, omega) in enumerate(zip(shapes, frequencies, strict=True)):
        level = float(k)
        drawn = level - 0.42 * shape / np.abs(shape).max()  # deflections are downwards
        ax.axhline(level, color=GREY, lw=0.8)
        ax.fill_between(x, level, drawn, color=BLUE, alpha=0.15, lw=0.0)
        ax.plot(x, drawn, color=BLUE, lw=2.0)
        for place, held in zip(beam.ends, beam.supports, strict=True):
            if held.deflection > 0.0:
                clamped = held.rotation > 0.0
                ax.plot(place, level, "s" if clamped else "^", color=DARK, ms=6.5, clip_on=False, zorder=5)
        label = f"{omega / (2.0 * np.pi):.4g} Hz"
        ax.text(1.035 * beam.length, level, label, va="center", fontsize=10.0, color=DARK)
    ax.set_xlim(0.0, beam.length)
    ax.set_yticks(range(n), [str(k + 1) for k in range(n)])
    ax.set_ylim(-0.6, n - 0.4)
    return style_axes(ax, "position x (m)", "mode", literal(title), grid=False)


@figure
def envelope_plot(
    crossing: Crossing | Envelope,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    quantity: str = "moment",
) -> Axes:
    """Plot the smallest and largest value over time along the beam.

    The band between them is shaded.

    Parameters
    ----------
    crossing, quantity, ax, title
        As in `crossing_map`.

    Raises
    ------
    InputError
        As `crossing_map`.

    Examples
    --------
    >>> beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"))
    >>> crossing = tr.moving_load(beam, [(100e3, 0.0)], speed=30.0, size=5)
    >>> ax = tr.view.envelope_plot(crossing)
    >>> ax.get_ylabel()
    'moment (kN m)'
    """
    found = crossing if isinstance(crossing, Envelope) else crossing.envelope(quantity)
    chart = Chart(ax, METRES, shown_unit(np.r_[found.least, found.largest], UNITS[quantity]))
    chart.fill(found.x, found.least, found.largest, color=BLUE, alpha=0.15)
    chart.plot(found.x, found.largest, color=BLUE, lw=2.0, label="largest")
    chart.plot(found.x, found.least, color=ORANGE, lw=2.0, label="smallest")
    chart.ax.axhline(0.0, color=DARK, lw=0.8)
    chart.limit_x(0.0, found.x[-1])
    return chart.finish("position x", quantity, title, f"Envelope of the {quantity}", legend=True)
