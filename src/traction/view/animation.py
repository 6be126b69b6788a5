"""`animate_bounce`: a falling body and the ground that gives way, in slow motion while they touch.

Frames are drawn into memory and packed as a GIF (Pillow comes with matplotlib) or as one HTML page with a
slider. The file appears complete or not at all, and equal histories give equal bytes.
"""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.quantities import Unit, unit_for
from traction.results.atomic import write_atomic
from traction.simulation.bounce import BounceHistory
from traction.surfaces import Sphere
from traction.view.figures import BLUE, DARK, GREY, ORANGE, blank_figure, draw_legend, style_axes
from traction.view.motion import GROUND_FILL, STEEL_FILL, Scene, contact_intervals, flight, knows, rise

ENDINGS = (".gif", ".html")
DPI = 100
COLORS = 96  #: of a GIF or of the pictures in a page
CONTACT_SHARE = 0.6  #: of the frames are spent in contact
RAMP = 0.6  #: part of a contact's duration over which time slows down before it
MOST_CONTACTS = 4  #: shown unless a span is given
LEAST_FRAMES = 2
MOST_HALF = 1e3  #: half width of a drawn body, m


@dataclass(frozen=True, eq=False)
class Frames:
    """When each frame is taken, and how far time goes on to the next."""

    t: np.ndarray  #: s
    step: np.ndarray  #: s per frame


def animate_bounce(
    history: BounceHistory,
    path: str | Path,
    *,
    frames: int = 100,
    fps: float = 20.0,
    span: tuple[float, float] | None = None,
) -> Path:
    """Draw a falling body over time into `path`, a .gif or a self-contained .html; returns the path.

    One panel shows the whole flight to scale, one the surfaces in and around the contact, one the height
    over time. Time runs slower while the bodies touch; the clock shows it.
    `span` (s) is the part of the history shown: by default all of it, but not more than four contacts.
    """
    checks.instance("history", history, BounceHistory, "give what tr.bounce returns.")
    target = Path(path)
    if target.suffix.lower() not in ENDINGS:
        raise InputError(
            f"path = {str(target)!r} must end in {' or '.join(ENDINGS)}: those are the formats written."
        )
    count = checks.count("frames", frames, LEAST_FRAMES)
    rate = checks.positive("fps", fps, "1/s")
    when = frame_times(history, count, _span(history, span))
    pictures = _draw(history, when, rate)
    write_atomic(target, packed(pictures, rate, target.suffix.lower()))
    return target


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
        raise InputError(f"span = {span} s must be two rising times within {first:.6g} and {last:.6g} s.")
    return low, high


def _draw(history: BounceHistory, when: Frames, fps: float) -> list[Any]:
    """The pictures of all frames, with few colours."""
    stage = _Stage(history, when)  # says so when matplotlib, with which Pillow comes, is not there
    times, steps = when.t.tolist(), when.step.tolist()
    return quantized(stage.figure, lambda k: stage.show(times[k], 1.0 / (fps * steps[k])), len(times))


def quantized(figure: Any, show: Callable[[int], None], count: int) -> list[Any]:
    """Pictures of a figure that `show` changes for each frame, with few colours."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    canvas: Any = FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # panels stay where they are
    pictures: list[Any] = []
    palette: Any = None
    table: list[int] = []
    for k in range(count):
        show(k)
        canvas.draw()
        picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
        palette = picture.quantize(COLORS) if palette is None else palette
        few: Any = picture.quantize(palette=palette, dither=Image.Dither.NONE)
        if not table:
            table, background = few.getpalette(), 3 * few.getpixel((0, 0))
            table[background : background + 3] = [255, 255, 255]  # Pillow's nearest colour is a grey
        few.putpalette(table)
        pictures.append(few)
    return pictures


def packed(pictures: list[Any], fps: float, ending: str) -> bytes:
    """The bytes of a .gif or an .html page."""
    return _gif(pictures, fps) if ending == ".gif" else _page(pictures, fps)


class _Stage:
    """The three panels; `show` moves what moves."""

    def __init__(self, history: BounceHistory, when: Frames) -> None:
        self.history = history
        self.scene = Scene.of(history, None, None)
        self.figure = blank_figure(9.0, 5.4)
        grid = self.figure.add_gridspec(2, 2, width_ratios=[1.0, 3.1], height_ratios=[1.55, 1.0])
        self.flight = self.figure.add_subplot(grid[:, 0])
        self.close = self.figure.add_subplot(grid[0, 1])
        self.over_time = self.figure.add_subplot(grid[1, 1])
        self._set_flight(when)
        self._set_close()
        self._set_over_time(when)

    def _set_flight(self, when: Frames) -> None:
        """The whole flight, to scale."""
        ax, heights = self.flight, self.history.at(when.t)
        top = max(float(heights.max()), float(-heights.min()))
        self.outline = _outline(self.history, 0.35 * top)
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

    def _set_close(self) -> None:
        """The surfaces in and around the contact."""
        ax, scene = self.close, self.scene
        self.x = scene.unit.of(scene.x)
        ax.axhline(0.0, color=ORANGE, lw=1.0, ls="--")
        (self.ground_fill,) = ax.fill([0.0], [0.0], fc=GROUND_FILL, lw=0.0)
        (self.body_fill,) = ax.fill([0.0], [0.0], fc=STEEL_FILL, lw=0.0)
        (self.ground,) = ax.plot([], [], color=ORANGE, lw=2.0, label="ground")
        (self.near,) = ax.plot([], [], color=BLUE, lw=2.0, label="body")
        self.words = ax.text(
            0.015, 0.95, "", transform=ax.transAxes, ha="left", va="top", fontsize=13.0, color=DARK,
            family="monospace", fontweight="bold", bbox={"fc": "white", "ec": "none", "alpha": 0.75},
        )  # fmt: skip
        scene.frame(ax)
        draw_legend(ax, loc="upper right", ncols=2)
        name = scene.unit.name
        style_axes(ax, f"x ({name})", f"height ({name})", "The contact, close up", grid=False)

    def _set_over_time(self, when: Frames) -> None:
        """Height over time."""
        ax = self.over_time
        t, q = flight(self.history)
        seen = (t >= when.t[0]) & (t <= when.t[-1])
        self.height: Unit = unit_for(q[seen], "m")
        ax.axhline(0.0, color=ORANGE, lw=1.0)
        ax.plot(t[seen], self.height.of(q[seen]), color=GREY, lw=1.2)
        (self.past,) = ax.plot([], [], color=BLUE, lw=2.0)
        (self.dot,) = ax.plot([], [], "o", color=BLUE, ms=9, mec="white", mew=1.5, zorder=5)
        ax.set_xlim(when.t[0], when.t[-1])
        style_axes(ax, "time (s)", f"height ({self.height.name})", "Height of the lowest point")
        self.known = t[seen], self.height.of(q[seen])

    def show(self, t: float, slowness: float) -> None:
        """The state at time t (s), played `slowness` times slower than it happens."""
        height = float(self.history.at(t))
        upper, lower = (self.scene.unit.of(z) for z in self.history.surfaces(t, self.scene.x))
        self.body.set_xy(np.column_stack(self.far.of([self.outline[0], self.outline[1] + height])))
        self.ground.set_data(self.x, lower)
        self.near.set_data(self.x, upper)
        self.ground_fill.set_xy(_closed(self.x, lower, self.scene.bottom))
        self.body_fill.set_xy(_closed(self.x, np.maximum(upper, lower), max(self.scene.top, upper.max())))
        known_t, known_q = self.known
        past = known_t <= t
        self.past.set_data(np.append(known_t[past], t), np.append(known_q[past], self.height.of(height)))
        self.dot.set_data([t], [self.height.of(height)])
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


def _gif(pictures: list[Any], fps: float) -> bytes:
    store = io.BytesIO()
    pictures[0].save(
        store, "GIF", save_all=True, append_images=pictures[1:], duration=round(1e3 / fps), loop=0,
    )  # fmt: skip
    return store.getvalue()


def _page(pictures: list[Any], fps: float) -> bytes:
    """One HTML page with all pictures, a slider and a button."""
    coded = []
    for picture in pictures:
        store = io.BytesIO()
        picture.save(store, "PNG", optimize=False)
        coded.append('"' + base64.b64encode(store.getvalue()).decode("ascii") + '"')
    width, height = pictures[0].size
    page = PAGE.replace("{PICTURES}", ",\n".join(coded)).replace("{WAIT}", f"{1e3 / fps:.6g}")
    return page.replace("{WIDTH}", str(width)).replace("{HEIGHT}", str(height)).encode("utf-8")


PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Animation</title>
<style>
body { margin: 0; font: 16px system-ui, sans-serif; color: #23272e; background: #f5f6f8; }
main { max-width: {WIDTH}px; margin: 1.5rem auto; background: #fff; padding: 1rem; }
img { width: 100%; height: auto; display: block; }
div { display: flex; gap: 1rem; align-items: center; }
input { flex: 1; } button { font: inherit; min-width: 5rem; padding: .3rem .8rem; }
</style></head><body><main>
<img id="picture" width="{WIDTH}" height="{HEIGHT}" alt="One frame">
<div><button id="play">Pause</button>
<input id="frame" type="range" min="0" value="0" aria-label="frame"></div>
</main><script>
const pictures = [
{PICTURES}
];
const picture = document.getElementById("picture"), play = document.getElementById("play");
const frame = document.getElementById("frame");
let running = true;
frame.max = pictures.length - 1;
function show() { picture.src = "data:image/png;base64," + pictures[frame.value]; }
function set(on) { running = on; play.textContent = on ? "Pause" : "Play"; }
play.onclick = () => set(!running);
frame.oninput = () => { set(false); show(); };
setInterval(() => {
  if (running) { frame.value = (Number(frame.value) + 1) % pictures.length; show(); }
}, {WAIT});
show();
</script></body></html>
"""
