"""Moving pictures: frames drawn into memory and packed as a GIF, or as one HTML page with a slider.

Pillow comes with matplotlib. The file appears complete or not at all, and equal frames give equal bytes.
"""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.outputs.atomic import write_atomic
from traction.printable import escaped
from traction.view.figures import BLUE, GREY

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".gif", ".html")
Picture = Any  #: of Pillow, or the canvas it is taken from
CONTROLS = 170  #: pixels of the page beside the picture, with room on narrow screens
MOST_FRAMES = 10_000
COLORS = 96  #: of a GIF or of the pictures in a page


def frame_count(frames: int) -> int:
    """A number of frames that can be drawn."""
    return checks.count("frames", frames, 2, MOST_FRAMES, "split longer animations")


def film_path(path: str | Path) -> Path:
    """A path with an ending that says the format."""
    target = Path(path)
    if target.suffix.lower() not in ENDINGS:
        raise InputError(
            f"path = {str(target)!r} must end in {' or '.join(ENDINGS)}: those are the formats written."
        )
    return target


class Stage(Protocol):
    """A figure to be animated; `show` moves its artists to their state in a frame."""

    figure: Figure

    def show(self, frame: int) -> None: ...  # noqa: D102


@dataclass(frozen=True, eq=False, repr=False)
class Film:
    """An animation: shown with a player in notebooks, written by `save`.

    The functions `tr.view.animate_...` return it where no path is given. Frames are drawn on first use.
    """

    stage: Stage
    frames: int  #: number of frames
    fps: float  #: frames per second
    title: str  #: of the page
    words: str  #: say what is to be seen

    def __post_init__(self) -> None:
        checks.positive("fps", self.fps, "1/s")

    @cached_property
    def _pictures(self) -> list[Picture]:
        return _draw_frames(self.stage, self.frames)

    def to_html(self) -> str:
        """Return a self-contained HTML page with all frames, a slider and a button.

        Returns
        -------
        str
            The page; it asks no host for anything.
        """
        return _page(self._pictures, self.fps, self.title, self.words).decode()

    def save(self, path: str | Path) -> Path:
        """Write the animation.

        Parameters
        ----------
        path
            Target, a .gif or a self-contained .html; complete or not there.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        InputError
            If the suffix is neither .gif nor .html.
        """
        target = film_path(path)
        is_gif = target.suffix.lower() == ".gif"
        write_atomic(target, _gif(self._pictures, self.fps) if is_gif else self.to_html().encode())
        return target

    def __repr__(self) -> str:
        return f"Film: {self.words}, {self.frames} frames at {self.fps:g} per second"

    def _repr_html_(self) -> str:
        """The player in a frame of its own, so that pages with several keep them apart."""
        width, height = self._pictures[0].size
        page = escaped(self.to_html())
        size = f"width:100%;max-width:{width + 40}px;aspect-ratio:{width + 40}/{height + CONTROLS}"
        title = escaped(self.words)
        return f'<iframe srcdoc="{page}" title="{title}" style="border:0;{size}"></iframe>'


def finish_film(film: Film, path: str | Path | None) -> Film | Path:
    """The film itself, or the file that it is written to."""
    return film if path is None else film.save(path)


class Trace:
    """A grey curve that is drawn over in colour as far as it went, with a dot at its end."""

    def __init__(self, ax: Axes, x: np.ndarray, y: np.ndarray, color: str = BLUE, **sizes: float) -> None:
        size = {"grey": 1.2, "line": 2.0, "dot": 9.0, "edge": 1.5, **sizes}
        self.x, self.y = x, y
        ax.plot(x, y, color=GREY, lw=size["grey"])
        (self.past,) = ax.plot([], [], color=color, lw=size["line"])
        (self.dot,) = ax.plot(
            [], [], "o", color=color, ms=size["dot"], mec="white", mew=size["edge"], zorder=5
        )

    def show(self, x: np.ndarray, y: np.ndarray, *, at: tuple[float, float] | None = None) -> None:
        """Draw what is past, with the dot at its end or elsewhere."""
        self.past.set_data(x, y)
        now_x, now_y = (x[-1], y[-1]) if at is None else at
        self.dot.set_data([now_x], [now_y])


def _draw_frames(stage: Stage, frames: int) -> list[Picture]:
    """The pictures of all frames, with few colours: those of the first, the middle and the last one."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    canvas: Picture = FigureCanvasAgg(stage.figure)
    stage.figure.draw_without_rendering()
    stage.figure.set_layout_engine("none")  # panels stay where they are

    def picture(frame: int) -> np.ndarray:
        stage.show(frame)
        canvas.draw()
        return np.array(canvas.buffer_rgba())[..., :3]

    some = [picture(k) for k in sorted({0, frames // 2, frames - 1})]
    palette = Image.fromarray(np.concatenate(some)).quantize(COLORS)
    pictures: list[Picture] = []
    table: list[int] = []
    for k in range(frames):
        few: Picture = Image.fromarray(picture(k)).quantize(palette=palette, dither=Image.Dither.NONE)
        if not table:
            table, background = few.getpalette(), 3 * few.getpixel((0, 0))
            table[background : background + 3] = [255, 255, 255]  # Pillow's nearest colour is a grey
        few.putpalette(table)
        pictures.append(few)
    return pictures


def _gif(pictures: list[Picture], fps: float) -> bytes:
    store = io.BytesIO()
    pictures[0].save(
        store, "GIF", save_all=True, append_images=pictures[1:], duration=round(1e3 / fps), loop=0,
    )  # fmt: skip
    return store.getvalue()


def _page(pictures: list[Picture], fps: float, title: str, words: str) -> bytes:
    """One HTML page with all pictures, a slider and a button."""
    coded = []
    for picture in pictures:
        store = io.BytesIO()
        picture.save(store, "PNG", optimize=False)
        coded.append('"' + base64.b64encode(store.getvalue()).decode("ascii") + '"')
    width, height = pictures[0].size
    page = PAGE.replace("{PICTURES}", ",\n".join(coded)).replace("{WAIT}", f"{1e3 / fps:.6g}")
    page = page.replace("{WIDTH}", str(width)).replace("{HEIGHT}", str(height))
    return page.replace("{TITLE}", escaped(title)).replace("{WORDS}", escaped(words)).encode("utf-8")


PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{TITLE}</title>
<style>
body { margin: 0; font: 16px system-ui, sans-serif; color: #23272e; background: #f5f6f8; }
main { max-width: {WIDTH}px; margin: 1.5rem auto; background: #fff; padding: 1rem; }
img { width: 100%; height: auto; display: block; }
div { display: flex; gap: 1rem; align-items: center; }
input { flex: 1; } button { font: inherit; min-width: 5rem; padding: .3rem .8rem; }
</style></head><body><main>
<img id="picture" width="{WIDTH}" height="{HEIGHT}" alt="{WORDS}; one frame">
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
