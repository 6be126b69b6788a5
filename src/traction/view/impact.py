"""Figures of impacts: force over time, iterates, shapes of the struck beam or plate, maps, an animation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.impacts.impact_history import ImpactHistory
from traction.impacts.methods.approximate_methods import PicardIterates
from traction.quantities import Unit, unit_for
from traction.view.animations.film import film_path, write_film
from traction.view.figures import (
    BLUE,
    CYCLE,
    DARK,
    GREY,
    ORANGE,
    blank_figure,
    colour_bar,
    draw_legend,
    new_axes,
    style_axes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: colour and dashes of each method, the same in all figures
METHOD_LINES: dict[str, tuple[str, Any]] = {
    "modal": (DARK, "-"),
    "small-increment": (BLUE, (0, (1, 1))),
    "energy": (ORANGE, (0, (5, 1.5))),
    "picard": ("#009E73", (0, (4, 1.2, 1, 1.2))),
}
POINTS = 1500  #: drawn times
PLACES = 161  #: along a beam or the longer side of a plate
FRAME_SIZE = (8.5, 5.6)
BALL = 16.0  #: size of the drawn striker, points


def impact_force_plot(
    histories: ImpactHistory | Mapping[str, ImpactHistory],
    ax: Axes | None = None,
    *,
    span: tuple[float, float] | None = None,
    title: str = "Contact force",
) -> Axes:
    """Force over time of one impact or several, a mapping from the names in the legend; `span` in s."""
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
    def of(cls, history: ImpactHistory, span: tuple[float, float] | None = None) -> ForceCurve:
        """Of a history, all of it or between two times (s)."""
        low, high = float(history.track.times[0]), float(history.track.times[-1])
        if span is None:
            return cls(history.t, history.force)
        t = np.unique(np.r_[np.linspace(span[0], min(span[1], high), POINTS), history.track.times])
        t = t[(t >= max(span[0], low)) & (t <= span[1])]
        return cls(t, history.force_at(t))


def draw_forces(
    curves: Mapping[str, ForceCurve],
    methods: Sequence[str],
    ax: Axes | None = None,
    *,
    title: str = "Contact force",
) -> Axes:
    """Forces over time, by the names in the legend, each in the line of its method."""
    ax = new_axes(ax)
    time = time_unit(max(float(one.t[-1]) for one in curves.values()))
    newton = unit_for(np.concatenate([one.force for one in curves.values()]), "N")
    for k, (name, one) in enumerate(curves.items()):
        color, dashes = METHOD_LINES.get(methods[k], (CYCLE[k % len(CYCLE)], "-"))
        if len(set(methods)) < len(methods):
            color, dashes = CYCLE[k % len(CYCLE)], "-"
        ax.plot(time.of(one.t), newton.of(one.force), color=color, ls=dashes, lw=2.0, label=name)
    ax.set_xlim(time.of(curves[next(iter(curves))].t[[0, -1]]))
    ax.set_ylim(bottom=0.0)
    if len(curves) > 1:
        draw_legend(ax)
    return style_axes(ax, f"time ({time.name})", f"contact force ({newton.name})", title)


def iterates_plot(
    iterates: PicardIterates, ax: Axes | None = None, *, most: int = 6, title: str | None = None
) -> Axes:
    """The first iterates of Picard's method over time, and the last one."""
    checks.instance("iterates", iterates, PicardIterates)
    ax = new_axes(ax)
    time, newton = time_unit(float(iterates.t[-1])), unit_for(iterates.forces[-1], "N")
    from matplotlib import colormaps

    shown = min(most, len(iterates.forces) - 1)
    for k in range(shown):
        color = colormaps["viridis"](0.92 * k / max(shown - 1, 1))
        label = "half sine" if k == 0 else f"iterate {k}"
        ax.plot(time.of(iterates.t), newton.of(iterates.forces[k]), color=color, lw=1.6, label=label)
    last = len(iterates.forces) - 1
    ax.plot(time.of(iterates.t), newton.of(iterates.forces[-1]), color=DARK, lw=2.4, label=f"iterate {last}")
    ax.set_xlim(0.0, time.of(iterates.t[-1]))
    ax.set_ylim(bottom=0.0)
    draw_legend(ax)
    words = "Picard's iterates" if title is None else title
    return style_axes(ax, f"time ({time.name})", f"contact force ({newton.name})", words)


def impact_motion_plot(history: ImpactHistory, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Displacement of striker and struck point over time; contacts are shaded."""
    return draw_motion(
        MotionCurves.of(history), ax, title="Striker and structure" if title is None else title
    )


@dataclass(frozen=True, eq=False)
class MotionCurves:
    """What `impact_motion_plot` draws."""

    t: np.ndarray  #: s
    striker: np.ndarray  #: displacement, m
    struck: np.ndarray  #: of the struck point, m
    contacts: np.ndarray  #: begin and end of each, s, (n, 2)

    @classmethod
    def of(cls, history: ImpactHistory) -> MotionCurves:
        """Of a history."""
        t = np.linspace(history.track.times[0], history.track.times[-1], POINTS)
        rows = history.motion_at(t)
        ends = [(one.start, one.end if np.isfinite(one.end) else float(t[-1])) for one in history.contacts]
        return cls(t, rows[:, 0], rows[:, 2], np.array(ends).reshape(-1, 2))


def draw_motion(curves: MotionCurves, ax: Axes | None = None, *, title: str) -> Axes:
    """Striker and struck point."""
    ax = new_axes(ax)
    time, length = time_unit(float(curves.t[-1])), unit_for(curves.struck, "m")
    for start, end in curves.contacts:
        ax.axvspan(time.of(start), time.of(end), color=GREY, alpha=0.25, lw=0.0)
    ax.plot(time.of(curves.t), length.of(curves.striker), color=ORANGE, lw=2.0, label="striker")
    ax.plot(time.of(curves.t), length.of(curves.struck), color=BLUE, lw=2.0, label="struck point")
    deepest = float(length.of(curves.struck).max())
    highest = float(length.of(curves.struck).min())
    room = 0.35 * (deepest - highest)
    ax.set_ylim(deepest + room, highest - room)  # downwards, as the striker moves
    ax.set_xlim(time.of(curves.t[[0, -1]]))
    draw_legend(ax)
    return style_axes(ax, f"time ({time.name})", f"displacement ({length.name})", title)


def beam_shape_plot(
    history: ImpactHistory, times: Sequence[float], ax: Axes | None = None, *, title: str | None = None
) -> Axes:
    """Shape of the struck beam at some times (s)."""
    words = "Shape of the beam" if title is None else title
    return draw_beam(BeamShapes.of(history, np.asarray(times, dtype=float)), ax, title=words)


@dataclass(frozen=True, eq=False)
class BeamShapes:
    """Shapes of a struck beam at some times."""

    x: np.ndarray  #: m
    times: np.ndarray  #: s
    shapes: np.ndarray  #: deflections, m, (times, places)
    at: float  #: struck place, m

    @classmethod
    def of(cls, history: ImpactHistory, times: np.ndarray) -> BeamShapes:
        """Of a history."""
        x = _places(history)
        return cls(x, times, history.deflection(x, times), float(np.asarray(history.at, dtype=float)))


def draw_beam(beam: BeamShapes, ax: Axes | None = None, *, title: str) -> Axes:
    """Shapes over each other, from dark to bright."""
    ax = new_axes(ax)
    x, shapes = beam.x, beam.shapes
    across, length = unit_for(x[-1], "m"), unit_for(shapes, "m")
    time = time_unit(float(beam.times.max()))
    from matplotlib import colormaps

    for k, (t, w) in enumerate(zip(beam.times, shapes, strict=True)):
        color = colormaps["viridis"](0.92 * k / max(len(shapes) - 1, 1))
        ax.plot(across.of(x), length.of(w), color=color, lw=1.9, label=f"{time.of(t):.3g} {time.name}")
    ax.axvline(across.of(beam.at), color=GREY, lw=0.8, ls=":")
    ax.invert_yaxis()
    ax.set_xlim(0.0, across.of(x[-1]))
    draw_legend(ax)
    return style_axes(ax, f"place ({across.name})", f"deflection ({length.name})", title)


def plate_wave_plot(
    history: ImpactHistory, t: float, ax: Axes | None = None, *, title: str | None = None
) -> Axes:
    """Deflection of a struck plate at one time (s), seen from above."""
    return draw_plate(PlateShape.of(history, t), ax, title=title)


@dataclass(frozen=True, eq=False)
class PlateShape:
    """A struck plate at one time."""

    t: float  #: s
    size: tuple[float, float]  #: along x and y, m
    w: np.ndarray  #: deflections, m, (y, x)
    at: tuple[float, float]  #: struck place, m

    @classmethod
    def of(cls, history: ImpactHistory, t: float) -> PlateShape:
        """Of a history."""
        plate = history.structure
        a, b = plate.length, plate.width  # type: ignore[union-attr]
        step = max(a, b) / (PLACES - 1)
        x, y = np.linspace(0.0, a, round(a / step) + 1), np.linspace(0.0, b, round(b / step) + 1)
        x0, y0 = np.asarray(history.at, dtype=float)
        return cls(t, (a, b), history.surface(*np.meshgrid(x, y), t), (float(x0), float(y0)))


def draw_plate(plate: PlateShape, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Deflection seen from above."""
    ax = new_axes(ax)
    (a, b), w, t = plate.size, plate.w, plate.t
    across, length = unit_for(max(a, b), "m"), unit_for(w, "m")
    most = float(np.abs(length.of(w)).max()) or 1.0
    extent = (0.0, float(across.of(a)), 0.0, float(across.of(b)))
    image = ax.imshow(
        length.of(w),
        origin="lower",
        extent=extent,
        cmap="RdBu_r",
        vmin=-most,
        vmax=most,
        interpolation="bilinear",
    )
    ax.plot(*across.of(np.asarray(plate.at)), "o", ms=4, color=DARK)
    colour_bar(ax, image, f"deflection ({length.name})")
    time = time_unit(t)
    words = f"Plate at {time.of(t):.3g} {time.name}" if title is None else title
    return style_axes(ax, f"x ({across.name})", f"y ({across.name})", words, grid=False)


def impact_map(
    x: np.ndarray,
    y: np.ndarray,
    values: np.ndarray,
    ax: Axes | None = None,
    *,
    words: Sequence[str],
) -> Axes:
    """Numbers (y, x) of a sweep; `words` name x, y, the number and the figure. y is drawn in powers."""
    ax = new_axes(ax)
    mapped = ax.pcolormesh(x, y, values, cmap="viridis", shading="gouraud")
    lines = ax.contour(x, y, values, colors="white", linewidths=0.8, levels=8)
    ax.clabel(lines, fontsize=8.0, fmt="%.2g")
    ax.set_yscale("log")
    colour_bar(ax, mapped, words[2])
    return style_axes(ax, words[0], words[1], words[3], grid=False)


def animate_impact(
    history: ImpactHistory,
    path: str | Path,
    *,
    frames: int = 80,
    fps: float = 20.0,
    span: tuple[float, float] | None = None,
) -> Path:
    """Draw a struck beam over time into `path`, a .gif or a self-contained .html; returns the path.

    `span` (s) is by default the time until twice the end of the last contact, or the end of the history.
    """
    target = film_path(path)
    count = checks.count("frames", frames, 2)
    rate = checks.positive("fps", fps, "1/s")
    return film_impact(ImpactFilm.of(history, count, span), target, rate, history.method)


@dataclass(frozen=True, eq=False)
class ImpactFilm:
    """What the animation draws: everything at the times of its frames."""

    beam: BeamShapes  #: a shape for each frame
    striker: np.ndarray  #: displacement, m, (frames,)
    force: ForceCurve

    @classmethod
    def of(cls, history: ImpactHistory, frames: int, span: tuple[float, float] | None = None) -> ImpactFilm:
        """Of a history, between two times (s) or around its contacts."""
        low, high = _span(history, span)
        times = np.linspace(low, high, frames)
        rows = history.motion_at(times)
        # in contact the ball lies on the beam; the local approach is not drawn
        striker = np.minimum(rows[:, 0], rows[:, 2])
        force = ForceCurve.of(history, (float(times[0]), float(times[-1])))
        return cls(BeamShapes.of(history, times), striker, force)


def film_impact(film: ImpactFilm, path: Path, fps: float, method: str) -> Path:
    """Draw the frames into a file."""
    stage = _Stage(film, method)
    shows = (partial(stage.show, k) for k in range(len(film.striker)))
    return write_film(path, stage.figure, shows, fps, "Impact", "A striker and the beam it meets")


class _Stage:
    """Beam and striker above, force below; `show` moves what moves."""

    def __init__(self, film: ImpactFilm, method: str) -> None:
        self.figure = blank_figure(*FRAME_SIZE)
        from matplotlib.transforms import ScaledTranslation

        self.times, x, self.shapes = film.beam.times, film.beam.x, film.beam.shapes
        upper, lower = self.figure.subplots(2, 1, height_ratios=[1.6, 1.0])
        across, self.length = unit_for(x[-1], "m"), unit_for(self.shapes, "m")
        self.time = time_unit(float(self.times[-1]))
        (self.beam,) = upper.plot(across.of(x), self.length.of(self.shapes[0]), color=BLUE, lw=3.0)
        self.striker = self.length.of(film.striker)
        # the marker stands on its point, as the ball on the beam
        lifted = upper.transData + ScaledTranslation(0.0, 0.5 * BALL / 72.0, self.figure.dpi_scale_trans)
        (self.ball,) = upper.plot(
            across.of(film.beam.at),
            self.striker[0],
            "o",
            ms=BALL,
            color=ORANGE,
            transform=lifted,
            clip_on=False,
        )
        low, high = float(self.length.of(self.shapes.min())), float(self.length.of(self.shapes.max()))
        room = 0.45 * (high - low)
        upper.set_ylim(high + room, low - 2.0 * room)
        upper.set_xlim(0.0, across.of(x[-1]))
        self.clock = upper.text(0.99, 0.03, "", transform=upper.transAxes, ha="right", family="monospace")
        style_axes(upper, f"place ({across.name})", f"deflection ({self.length.name})", "Impact on a beam")
        draw_forces({"": film.force}, [method], lower, title="")
        (self.now,) = lower.plot([0.0, 0.0], lower.get_ylim(), color=ORANGE, lw=1.5)

    def show(self, k: int) -> None:
        """Draw frame k."""
        self.beam.set_ydata(self.length.of(self.shapes[k]))
        self.ball.set_ydata([self.striker[k]])
        now = float(self.time.of(self.times[k]))
        self.now.set_xdata([now, now])
        self.clock.set_text(f"{now:8.2f} {self.time.name}")


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


def _span(history: ImpactHistory, span: tuple[float, float] | None) -> tuple[float, float]:
    high = float(history.track.times[-1])
    if span is not None:
        low, high = checks.point("span", span, "s")
        return low, high
    ends = [contact.end for contact in history.contacts if np.isfinite(contact.end)]
    return 0.0, min(high, 2.0 * ends[-1]) if ends else high
