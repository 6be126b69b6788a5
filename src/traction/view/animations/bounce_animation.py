"""`animate_bounce`: a falling body and the elastic ground, in slow motion while they touch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.bouncing.bounce import BounceHistory
from traction.errors import InputError
from traction.quantities import Unit, unit_for
from traction.surfaces import Sphere
from traction.view.animations.film import Film, Trace, film_path, finish_film, frame_count
from traction.view.arguments import checked
from traction.view.bouncing.history_curves import contact_intervals, flight
from traction.view.bouncing.surface_pictures import Scene, knows, rise
from traction.view.chart import draw_words
from traction.view.figures import BLUE, GROUND_FILL, ORANGE, STEEL_FILL, blank_figure, draw_legend, style_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CONTACT_SHARE = 0.6  #: of the frames are spent in contact
RAMP = 0.6  #: part of a contact's duration over which time slows down before it
MOST_CONTACTS = 4  #: shown unless a span is given
MOST_HALF = 1e3  #: half width of a drawn body, m


@dataclass(frozen=True, eq=False)
class Frames:
    """Time of each frame, and the time to the next."""

    t: np.ndarray  #: s
    step: np.ndarray  #: s per frame

    def __post_init__(self) -> None:
        if not ((np.diff(self.t) >= 0.0).all() and self.t[-1] > self.t[0] and (self.step > 0.0).all()):
            raise InputError(
                "the times t of the frames must increase by positive steps; those stored are damaged: run "
                "the case again."
            )


@checked
def animate_bounce(
    history: BounceHistory,
    path: str | Path | None = None,
    *,
    frames: int = 100,
    fps: float = 20.0,
    span: tuple[float, float] | None = None,
) -> Film | Path:
    """Animate a bouncing body: the flight, the surfaces around the contact, and the height over time.

    Time runs slower while the bodies touch; the clock shows it.

    Parameters
    ----------
    history
        Result of `tr.bounce`.
    path
        Target, a .gif or a self-contained .html; without it the film is returned, which notebooks show.
    frames
        Number of frames.
    fps
        Frames per second.
    span
        First and last time, s; by default the whole history up to four contacts.

    Returns
    -------
    Film or Path
        The animation, or the file.

    Raises
    ------
    InputError
        If the body does not touch the ground, the times are not within the history, or the suffix is
        neither .gif nor .html.

    Examples
    --------
    >>> fall = tr.bounce(0.01, tr.Pair(tr.STEEL, tr.STEEL), height=0.1, t_end=0.2)
    >>> tr.view.animate_bounce(fall, frames=3)
    Film: A body bounces on the ground, 3 frames at 20 per second
    """
    target = None if path is None else film_path(path)
    count = frame_count(frames)
    return finish_film(stage_bounce(BounceFilm.of(history, count, _span(history, span)), fps), target)


@dataclass(frozen=True, eq=False)
class BounceFilm:
    """Data of the frames of the animation."""

    when: Frames
    height: np.ndarray  #: of the lowest point, m, (frames,)
    scene: Scene
    upper: np.ndarray  #: the body's surface over `scene.x`, m, (frames, places)
    lower: np.ndarray  #: the ground's
    outline: np.ndarray  #: the body cut through its lowest point, around (0, 0), m, (2, places)
    flight: np.ndarray  #: times (s) and heights (m) of the whole flight, (2, times)

    def __post_init__(self) -> None:
        drawn = (self.height, self.upper, self.lower, self.outline, self.flight)
        is_real = all(one.dtype.kind == "f" for one in drawn)
        if not is_real or not (np.ptp(self.outline, axis=-1) > 0.0).all() or self.outline[1].max() <= 0.0:
            raise InputError(
                "heights and surfaces of a film must be real, and the body must have an extent; those "
                "stored are damaged: run the case again."
            )

    @classmethod
    def of(cls, history: BounceHistory, frames: int, span: tuple[float, float] | None = None) -> BounceFilm:
        """Frames of a history, between two times or all of it."""
        when = frame_times(history, frames, _span(history, None) if span is None else span)
        scene, heights = Scene.of(history, None, None), history.at(when.t)
        surfaces = [history.surfaces(t, scene.x) for t in when.t.tolist()]
        upper, lower = (np.array(rows) for rows in zip(*surfaces, strict=True))
        top = max(float(heights.max()), float(-heights.min()))
        outline = np.array(_outline(history, 0.35 * top))
        return cls(when, heights, scene, upper, lower, outline, np.array(flight(history)))


def stage_bounce(film: BounceFilm, fps: float) -> Film:
    """The film, ready to be drawn."""
    stage = BounceStage(film, checks.positive("fps", fps, "1/s"))
    return Film(stage, film.height.size, fps, "Bounce", "A body bounces on the ground")


def frame_times(history: BounceHistory, count: int, span: tuple[float, float]) -> Frames:
    """Times of the frames: even in flight and in contact, where they are denser, with ramps between."""
    low, high = span
    touches = [c for c in contact_intervals(history) if c.start < high and not c.end <= low]
    share = CONTACT_SHARE / (1.0 - CONTACT_SHARE) * (high - low) / max(len(touches), 1)
    bumps = []
    for contact in touches:
        end = contact.end if math.isfinite(contact.end) else high
        ramp = RAMP * max(end - contact.start, 1e-12)
        bumps.append(np.array([contact.start - ramp, contact.start, end, end + ramp]))
    fine = [np.linspace(low, high, 400), *(np.linspace(bump[0], bump[3], 200) for bump in bumps)]
    t = np.unique(np.clip(np.concatenate(fine), low, high))
    weight = np.ones_like(t)
    for bump in bumps:
        gain = share / (0.5 * (bump[3] - bump[0] + bump[2] - bump[1]))
        weight += gain * np.interp(t, bump, [0.0, 1.0, 1.0, 0.0])
    passed = np.concatenate([[0.0], np.cumsum(0.5 * (weight[1:] + weight[:-1]) * np.diff(t))])
    taken = np.interp(np.linspace(0.0, passed[-1], count), passed, t)
    return Frames(taken, passed[-1] / (count - 1) / np.interp(taken, t, weight))


def _span(history: BounceHistory, span: tuple[float, float] | None) -> tuple[float, float]:
    first, last = float(history.t[0]), float(history.t[-1])
    if span is None:
        contacts = contact_intervals(history)
        if len(contacts) > MOST_CONTACTS:
            last = 0.5 * (contacts[MOST_CONTACTS - 1].end + contacts[MOST_CONTACTS].start)
        return first, last
    low, high = checks.point("span", span, "s")
    if not first <= low < high <= last:
        raise InputError(f"span = {span} s must be two increasing times within {first:.6g} and {last:.6g} s.")
    return low, high


class BounceStage:
    """The three panels; `show` moves what moves."""

    def __init__(self, film: BounceFilm, fps: float) -> None:
        self.film, self.scene, self.slowness = film, film.scene, 1.0 / (fps * film.when.step)
        self.figure = blank_figure(9.0, 5.4)
        grid = self.figure.add_gridspec(2, 2, width_ratios=[1.0, 3.1], height_ratios=[1.55, 1.0])
        flight, close, over_time = (
            self.figure.add_subplot(place) for place in (grid[:, 0], grid[0, 1], grid[1, 1])
        )
        self._set_flight(flight)
        self._set_close(close)
        self._set_over_time(over_time)

    def _set_flight(self, ax: Axes) -> None:
        """The whole flight, to scale."""
        heights = self.film.height
        top = max(float(heights.max()), float(-heights.min()))
        self.outline = self.film.outline
        wide = float(np.abs(self.outline[0]).max())
        body_top = float(self.outline[1].max())
        self.far = unit_for(top + body_top, "m")
        half = max(1.25 * wide, 0.16 * (top + body_top))
        below = 0.08 * (top + body_top)
        ax.fill_between(self.far.of([-half, half]), 0.0, self.far.of(-below), color=GROUND_FILL, lw=0.0)
        ax.axhline(0.0, color=ORANGE, lw=1.6)
        (self.body,) = ax.fill([0.0], [0.0], fc=STEEL_FILL, ec=BLUE, lw=1.6)
        ax.set_xlim(*self.far.of([-half, half]))
        ax.set_ylim(*self.far.of([-below, 1.06 * (top + body_top)]))
        ax.set_aspect("equal")
        style_axes(ax, "", f"height ({self.far.name})", "Flight, to scale", grid=False)
        ax.set_xticks([])

    def _set_close(self, ax: Axes) -> None:
        """The surfaces in and around the contact."""
        scene = self.scene
        self.x = scene.unit.of(scene.x)
        ax.axhline(0.0, color=ORANGE, lw=1.0, ls="--")
        (self.ground_fill,) = ax.fill([0.0], [0.0], fc=GROUND_FILL, lw=0.0)
        (self.body_fill,) = ax.fill([0.0], [0.0], fc=STEEL_FILL, lw=0.0)
        (self.ground,) = ax.plot([], [], color=ORANGE, lw=2.0, label="ground")
        (self.near,) = ax.plot([], [], color=BLUE, lw=2.0, label="body")
        box = {"fc": "white", "ec": "none", "alpha": 0.75}
        self.words = draw_words(
            ax, 0.015, 0.95, va="top", fontsize=13.0, family="monospace", fontweight="bold", bbox=box
        )
        scene.frame(ax)
        draw_legend(ax, loc="upper right", ncols=2)
        name = scene.unit.name
        style_axes(ax, f"x ({name})", f"height ({name})", "The contact, close up", grid=False)

    def _set_over_time(self, ax: Axes) -> None:
        """Height over time."""
        when, (t, q) = self.film.when, self.film.flight
        seen = (t >= when.t[0]) & (t <= when.t[-1])
        self.height: Unit = unit_for(q[seen], "m")
        ax.axhline(0.0, color=ORANGE, lw=1.0)
        self.trace = Trace(ax, t[seen], self.height.of(q[seen]))
        ax.set_xlim(when.t[0], when.t[-1])
        style_axes(ax, "time (s)", f"height ({self.height.name})", "Height of the lowest point")

    def show(self, frame: int) -> None:
        """The state in a frame."""
        film, unit = self.film, self.scene.unit
        t, height, slowness = (float(one[frame]) for one in (film.when.t, film.height, self.slowness))
        upper, lower = unit.of(film.upper[frame]), unit.of(film.lower[frame])
        self.body.set_xy(self.far.of([self.outline[0], self.outline[1] + height]).T)
        self.ground.set_data(self.x, lower)
        self.near.set_data(self.x, upper)
        self.ground_fill.set_xy(_closed(self.x, lower, self.scene.bottom))
        self.body_fill.set_xy(_closed(self.x, np.maximum(upper, lower), max(self.scene.top, upper.max())))
        past = self.trace.x <= t
        self.trace.show(
            np.append(self.trace.x[past], t), np.append(self.trace.y[past], self.height.of(height))
        )
        slow = f"\n{slowness:.0f} times slower" if height < 0.0 and slowness > 1.5 else ""
        self.words.set_text(f"t = {1e3 * t:8.2f} ms{slow}")


def _outline(history: BounceHistory, most: float) -> tuple[np.ndarray, np.ndarray]:
    """The body cut through its lowest point, around (0, 0): a ball, or its profile up to `most` m."""
    surface = history.body.surface
    if isinstance(surface, Sphere):
        turn = np.linspace(0.0, 2.0 * math.pi, 121)
        return surface.radius * np.sin(turn), surface.radius * (1.0 - np.cos(turn))
    half, most = float(Scene.of(history, None, None).x[-1]), max(most, history.penetration.max())
    while half < MOST_HALF and knows(history.body, 1.1 * half) and rise(history.body, half) < most:
        half *= 1.1
    x = np.linspace(-half, half, 201)
    return x, surface.height(x, np.zeros_like(x))


def _closed(x: np.ndarray, z: np.ndarray, level: float) -> np.ndarray:
    """A polygon between a line and a level."""
    ends = np.array([[x[-1], level], [x[0], level]])
    return np.concatenate([np.column_stack([x, z]), ends])
