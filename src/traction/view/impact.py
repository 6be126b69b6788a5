"""Figures of impacts: force over time, iterates, shapes of the struck beam or plate, maps, an animation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.impacts.impact_history import ImpactHistory
from traction.impacts.methods.picard_method import PicardIterates
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
    ax = new_axes(ax)
    curves = {name: _force(history, span) for name, history in named.items()}
    time = time_unit(max(float(t[-1]) for t, _ in curves.values()))
    newton = unit_for(np.concatenate([force for _, force in curves.values()]), "N")
    for k, (name, (t, force)) in enumerate(curves.items()):
        color, dashes = METHOD_LINES.get(named[name].method, (CYCLE[k % len(CYCLE)], "-"))
        if len({history.method for history in named.values()}) < len(named):
            color, dashes = CYCLE[k % len(CYCLE)], "-"
        ax.plot(time.of(t), newton.of(force), color=color, ls=dashes, lw=2.0, label=name)
    ax.set_xlim(time.of(curves[next(iter(curves))][0][[0, -1]]))
    ax.set_ylim(bottom=0.0)
    if len(named) > 1:
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
    ax = new_axes(ax)
    t = np.linspace(history.track.times[0], history.track.times[-1], POINTS)
    rows = history.motion_at(t)
    time, length = time_unit(float(t[-1])), unit_for(rows[:, 2], "m")
    for contact in history.contacts:
        end = contact.end if np.isfinite(contact.end) else float(t[-1])
        ax.axvspan(time.of(contact.start), time.of(end), color=GREY, alpha=0.25, lw=0.0)
    ax.plot(time.of(t), length.of(rows[:, 0]), color=ORANGE, lw=2.0, label="striker")
    ax.plot(time.of(t), length.of(rows[:, 2]), color=BLUE, lw=2.0, label="struck point")
    deepest = float(length.of(rows[:, 2]).max())
    highest = float(length.of(rows[:, 2]).min())
    room = 0.35 * (deepest - highest)
    ax.set_ylim(deepest + room, highest - room)  # downwards, as the striker moves
    ax.set_xlim(time.of(t[[0, -1]]))
    draw_legend(ax)
    words = "Striker and structure" if title is None else title
    return style_axes(ax, f"time ({time.name})", f"displacement ({length.name})", words)


def beam_shape_plot(
    history: ImpactHistory, times: Sequence[float], ax: Axes | None = None, *, title: str | None = None
) -> Axes:
    """Shape of the struck beam at some times (s)."""
    ax = new_axes(ax)
    x = _places(history)
    shapes = history.deflection(x, np.asarray(times, dtype=float))
    across, length = unit_for(x[-1], "m"), unit_for(shapes, "m")
    time = time_unit(max(times))
    from matplotlib import colormaps

    for k, (t, w) in enumerate(zip(times, shapes, strict=True)):
        color = colormaps["viridis"](0.92 * k / max(len(times) - 1, 1))
        ax.plot(across.of(x), length.of(w), color=color, lw=1.9, label=f"{time.of(t):.3g} {time.name}")
    ax.axvline(across.of(history.at), color=GREY, lw=0.8, ls=":")
    ax.invert_yaxis()
    ax.set_xlim(0.0, across.of(x[-1]))
    draw_legend(ax)
    words = "Shape of the beam" if title is None else title
    return style_axes(ax, f"place ({across.name})", f"deflection ({length.name})", words)


def plate_wave_plot(
    history: ImpactHistory, t: float, ax: Axes | None = None, *, title: str | None = None
) -> Axes:
    """Deflection of a struck plate at one time (s), seen from above."""
    ax = new_axes(ax)
    plate = history.structure
    a, b = plate.length, plate.width  # type: ignore[union-attr]
    step = max(a, b) / (PLACES - 1)
    x, y = np.linspace(0.0, a, round(a / step) + 1), np.linspace(0.0, b, round(b / step) + 1)
    w = history.surface(*np.meshgrid(x, y), t)
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
    ax.plot(*across.of(np.asarray(history.at)), "o", ms=4, color=DARK)
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
    stage = _Stage(history, np.linspace(*_span(history, span), count))
    shows = (partial(stage.show, k) for k in range(count))
    return write_film(target, stage.figure, shows, rate, "Impact", "A striker and the beam it meets")


class _Stage:
    """Beam and striker above, force below; `show` moves what moves."""

    def __init__(self, history: ImpactHistory, times: np.ndarray) -> None:
        self.figure = blank_figure(*FRAME_SIZE)
        from matplotlib.transforms import ScaledTranslation

        self.times, x = times, _places(history)
        self.shapes, rows = history.deflection(x, times), history.motion_at(times)
        upper, lower = self.figure.subplots(2, 1, height_ratios=[1.6, 1.0])
        across, self.length = unit_for(x[-1], "m"), unit_for(self.shapes, "m")
        self.time = time_unit(float(times[-1]))
        (self.beam,) = upper.plot(across.of(x), self.length.of(self.shapes[0]), color=BLUE, lw=3.0)
        # in contact the ball lies on the beam; the local approach is not drawn
        self.striker = self.length.of(np.minimum(rows[:, 0], rows[:, 2]))
        # the marker stands on its point, as the ball on the beam
        lifted = upper.transData + ScaledTranslation(0.0, 0.5 * BALL / 72.0, self.figure.dpi_scale_trans)
        (self.ball,) = upper.plot(
            across.of(history.at),
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
        impact_force_plot(history, lower, span=(float(times[0]), float(times[-1])), title="")
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


def _force(history: ImpactHistory, span: tuple[float, float] | None) -> tuple[np.ndarray, np.ndarray]:
    low, high = float(history.track.times[0]), float(history.track.times[-1])
    if span is None:
        return history.t, history.force
    t = np.unique(np.r_[np.linspace(span[0], min(span[1], high), POINTS), history.track.times])
    t = t[(t >= max(span[0], low)) & (t <= span[1])]
    return t, history.force_at(t)


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
