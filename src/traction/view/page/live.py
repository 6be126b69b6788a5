"""What a figure shows, as data from which the script of a page draws it again with zoom, hover and a slider.

It is read off matplotlib's artists: one figure serves the file, the static and the live picture. Lines,
areas, words, images and arrows become items; curves are thinned to what a screen shows, with the peaks of
every stretch kept, and images are small pictures.
"""

from __future__ import annotations

import base64
import io
import json
import math
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from traction.view.page.colours import LIGHT_PAPER, PAPER

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle
    from matplotlib.typing import ColorType

    from traction.view.animations.film import Stage

STOPS = 9  #: colours of a colour bar
FEW_COLOURS = 64  #: of a picture that is to be small
Json = dict[str, Any]  #: as it is written into the page
Readers = dict[type, Callable[[Any], Json]]  #: by the kind of artist that each takes
SYMBOLS = {r"\mu": "µ", r"\xi": "ξ", "_0": "₀", "_x": "ₓ", "$": "", "{": "", "}": ""}
DOLLAR = "\ue000"  #: stands for a dollar that is no mark
PIXELS = 96.0 / 72.0  #: in a point
#: stretches of a curve that are kept, and digits, of figures and of frames
FIGURE, FILM = (1200, 5), (250, 3)


def crop(x: np.ndarray, y: np.ndarray, limits: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """The part of a curve of rising x that is seen between limits, with a point beyond either."""
    if x.size < 3 or not (np.diff(x) >= 0.0).all():
        return x, y
    low, high = sorted(limits)
    first = max(int(np.searchsorted(x, low)) - 1, 0)
    last = min(int(np.searchsorted(x, high, "right")) + 1, x.size)
    return x[first:last], y[first:last]


def thin(x: np.ndarray, y: np.ndarray, bins: int) -> tuple[np.ndarray, np.ndarray]:
    """A curve with at most two points for each of `bins` stretches, besides its ends and gaps."""
    if y.size <= 2 * bins:
        return x, y
    edges = np.linspace(0, y.size, bins + 1).round().astype(int)
    kept = {0, y.size - 1}
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        known = np.flatnonzero(np.isfinite(y[first:last])) + first
        if known.size < last - first:
            kept.add(first + int(np.argmin(np.isfinite(y[first:last]))))
        if known.size:
            kept.update((int(known[np.argmin(y[known])]), int(known[np.argmax(y[known])])))
    rows = np.array(sorted(kept))
    return x[rows], y[rows]


def shorten(values: np.ndarray, span: float, digits: int) -> list[float | None]:
    """Numbers rounded to so many digits of a span; None where there is no number."""
    places = digits - math.floor(math.log10(span)) if span > 0.0 else digits
    rounded = np.round(np.asarray(values, dtype=float), max(places, 0)).tolist()
    return [
        None if not math.isfinite(value) else int(value) if value == int(value) else value
        for value in rounded
    ]


def picture_of(image: Any) -> str:
    """The cells of an image of matplotlib, top row first, as the address of a PNG picture."""
    from PIL import Image

    cells = image.to_rgba(image.get_array(), bytes=True)
    if image.origin == "lower":
        cells = cells[::-1]
    store = io.BytesIO()
    # the octree keeps what is transparent, the median cut has finer shades
    clear = bool((cells[..., 3] < 255).any())
    kept, method = (cells, Image.Quantize.FASTOCTREE) if clear else (cells[..., :3], Image.Quantize.MEDIANCUT)
    few = Image.fromarray(np.ascontiguousarray(kept)).quantize(255, method=method)
    few.save(store, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(store.getvalue()).decode("ascii")


def shrink_png(picture: bytes) -> bytes:
    """A PNG picture of half the size and few colours."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as whole:
        half = whole.convert("RGB").resize((max(whole.width // 2, 1), max(whole.height // 2, 1)))
    store = io.BytesIO()
    half.quantize(FEW_COLOURS).save(store, "PNG", optimize=True)
    return store.getvalue()


def colour_stops(image: AxesImage) -> list[str]:
    """Colours of its scale, from the least to the largest value."""
    from matplotlib.colors import to_hex

    return [to_hex(image.cmap(share)) for share in np.linspace(0.0, 1.0, STOPS)]


def scale_ends(image: AxesImage) -> tuple[float, float]:
    """Least and largest value of its scale."""
    low, high = image.get_clim()
    return float(low), float(high)


class NotLive(Exception):  # noqa: N818
    """The figure has something that the script does not draw; it stays as it is."""


class AxesReader:
    """Reads what is drawn on axes, for a figure or for the frames of a film."""

    def __init__(self, ax: Axes, film: bool = False) -> None:
        self.ax, self.film = ax, film
        self.bins, self.digits = FILM if film else FIGURE
        self.span = [abs(high - low) for low, high in (ax.get_xlim(), ax.get_ylim())]

    @property
    def readers(self) -> Readers:
        """By the kind of artist; images and what lies on them are read of films only."""
        from matplotlib.collections import LineCollection, PolyCollection
        from matplotlib.image import AxesImage
        from matplotlib.lines import Line2D
        from matplotlib.patches import Polygon, Rectangle
        from matplotlib.quiver import Quiver
        from matplotlib.text import Text

        lines: Readers = {
            Line2D: self._read_line,
            Rectangle: self._read_band,
            Polygon: self._read_area,
            Text: self._read_text,
            PolyCollection: self._read_fill,
        }
        areas: Readers = {
            AxesImage: self._read_image,
            LineCollection: self._read_segments,
            Quiver: self._read_arrows,
        }
        return lines | areas if self.film else lines

    def items(self) -> Iterator[Json]:
        """What is drawn, from back to front."""
        ax, readers = self.ax, self.readers
        drawn = [*ax.images, *ax.collections, *ax.patches, *ax.lines, *ax.texts]
        for artist in sorted(drawn, key=lambda one: one.get_zorder()):
            known = [kind for kind in type(artist).__mro__ if kind in readers]
            if not known:
                raise NotLive
            yield readers[known[0]](artist)

    def _read_line(self, line: Line2D) -> Json:
        x, y = (np.asarray(values, dtype=float) for values in line.get_data(orig=False))
        style: Json = {
            "c": hex_of(line.get_color()),
            "w": float(line.get_linewidth()),
            "d": line.get_linestyle(),
        }
        style |= _named(line)
        alpha = line.get_alpha()
        if alpha is not None:
            style["o"] = float(alpha)
        in_x, in_y = line.get_transform().contains_branch_seperately(self.ax.transData)
        if in_x != in_y:  # across all of the axes, as of axhline
            kind, values = ("v", x) if in_x else ("h", y)
            return {"k": kind, "at": float(values[0]), **style}
        if line.get_drawstyle() == "steps-mid" and x.size > 1:
            x, y = np.r_[x[0], np.repeat(0.5 * (x[1:] + x[:-1]), 2), x[-1]], np.repeat(y, 2)
        x, y = crop(x, y, self.ax.get_xlim())
        return {"k": "l", **self._points(*thin(x, y, self.bins)), **style, **self._mark(line)}

    def _mark(self, line: Line2D) -> Json:
        """Markers of a line, and by how many pixels it is shifted."""
        found: Json = {}
        marker = str(line.get_marker())
        if marker not in ("None", "", " "):
            radius, edge = 0.5 * PIXELS * float(line.get_markersize()), hex_of(line.get_markeredgecolor())
            found = {"m": marker, "r": round(radius, 1), "e": edge}
        shift = line.get_transform().transform((0.0, 0.0)) - self.ax.transData.transform((0.0, 0.0))
        if np.abs(shift).max() > 1e-6:
            found["shift"] = [round(96.0 * float(one) / self.ax.figure.dpi, 1) for one in shift]
        return found

    def _read_band(self, patch: Rectangle) -> Json:
        """A stretch along x or y, as of axvspan."""
        in_x, in_y = patch.get_transform().contains_branch_seperately(self.ax.transData)
        if in_x == in_y:
            raise NotLive
        low, wide = (patch.get_x(), patch.get_width()) if in_x else (patch.get_y(), patch.get_height())
        ends = [float(low), float(low + wide)]
        return {
            "k": "b",
            "axis": "x" if in_x else "y",
            "at": ends,
            **_filled(patch.get_facecolor()),
            **_named(patch),
        }

    def _read_area(self, patch: Any) -> Json:
        """A polygon, with its edge."""
        edge, wide = patch.get_edgecolor(), float(patch.get_linewidth())
        line = {"e": hex_of(edge), "w": wide} if wide and edge[3] else {}
        low, high = sorted(self.ax.get_xlim())
        points = patch.get_xy()
        if points[:, 0].max() < low or points[:, 0].min() > high:
            points = points[:0]  # beside what is shown, as wheels before they arrive
        return {"k": "a", **self._points(*points.T), **_filled(patch.get_facecolor()), **line}

    def _read_fill(self, filled: Any) -> Json:
        """Areas between lines."""
        points = _joined([path.vertices for path in filled.get_paths()])
        return {"k": "a", **self._points(*points.T), **_filled(filled.get_facecolor()[0]), **_named(filled)}

    def _read_text(self, text: Any) -> Json:
        """Words at a place of the data or of the axes."""
        if getattr(text, "arrow_patch", None) is not None:
            raise NotLive
        noted = hasattr(text, "xyann")
        x, y = text.xy if noted else text.get_position()
        shift = [PIXELS * float(one) for one in text.xyann] if noted else [0.0, 0.0]
        in_data = noted or text.get_transform().contains_branch(self.ax.transData)
        if in_data and not min(self.ax.get_xlim()) <= x <= max(self.ax.get_xlim()):
            raise NotLive  # beside the axes
        return {
            "k": "t", "at": [float(x), float(y)], "shift": shift, "data": in_data,
            "t": plain(text.get_text()), "c": hex_of(text.get_color()),
            "ha": text.get_ha(), "va": text.get_va(), "turn": float(text.get_rotation()),
        }  # fmt: skip

    def _read_image(self, image: AxesImage) -> Json:
        smooth = image.get_interpolation() == "bilinear"
        ends = [round(float(end), 6) for end in image.get_extent()]
        return {"k": "i", "e": ends, "src": picture_of(image), "smooth": smooth}

    def _read_segments(self, lines: Any) -> Json:
        points, wide = _joined(lines.get_segments()), float(lines.get_linewidth()[0])
        return {"k": "l", **self._points(*points.T), "c": hex_of(lines.get_color()[0]), "w": wide, "d": "-"}

    def _read_arrows(self, arrows: Any) -> Json:
        """From tail to tip of each arrow."""
        if arrows.scale_units != "xy" or arrows.scale is None:
            raise NotLive
        way = np.stack([arrows.U, arrows.V], axis=1) / arrows.scale
        known = ~np.broadcast_to(np.ma.getmaskarray(np.ma.array(arrows.U, mask=arrows.Umask)), arrows.U.shape)
        tail, way = np.stack([arrows.X, arrows.Y], axis=1)[known], way[known]
        points = np.stack([tail, tail + way], axis=1).reshape(-1, 2)
        return {"k": "q", **self._points(*points.T), "c": hex_of(arrows.get_facecolor()[0])}

    def _points(self, x: np.ndarray, y: np.ndarray) -> Json:
        return {
            name: shorten(values, span, self.digits)
            for name, values, span in zip("xy", (x, y), self.span, strict=True)
        }


def _joined(outlines: list[np.ndarray]) -> np.ndarray:
    """Points of several outlines with gaps between them."""
    gap = np.full((1, 2), np.nan)
    parts = [part for outline in outlines for part in (outline, gap)]
    return np.concatenate(parts) if parts else np.zeros((0, 2))


def _filled(face: Any) -> Json:
    return {"c": hex_of(face), "o": round(float(face[3]), 3)}


def _named(artist: Artist) -> Json:
    """Its name in a legend, if it has one."""
    label = str(artist.get_label())
    return {} if label.startswith("_") else {"s": plain(label)}


def hex_of(colour: ColorType) -> str:
    """A colour of matplotlib as "#rrggbb"."""
    from matplotlib.colors import to_hex

    return to_hex(colour)


def plain(words: str) -> str:
    """Words of a figure without mathematical markup."""
    bare = words.replace(r"\$", DOLLAR)
    if "$" in bare:
        for mark, symbol in SYMBOLS.items():
            bare = bare.replace(mark, symbol)
        bare = re.sub(r"\s+", " ", bare)
    return bare.replace(DOLLAR, "$")


def live_figure(figure: Figure) -> Json | None:
    """Panels of a figure; None for one that stays static, with log scales, images or arrows."""
    figure.draw_without_rendering()
    try:
        return {"columns": _columns(figure), "panels": [read_panel(ax) for ax in figure.axes]}
    except NotLive:
        return None


def live_film(stage: Stage, frames: int, fps: float) -> Json:
    """Panels of all frames; what does not change is written once, the rest for every frame."""
    stage.show(0)
    stage.figure.draw_without_rendering()
    stage.figure.set_layout_engine("none")  # panels stay where they are
    taken = []
    for frame in range(frames):
        stage.show(frame)
        taken.append([read_panel(ax, film=True) for ax in stage.figure.axes])
    for number, panel in enumerate(taken[0]):
        every = [frame[number]["items"] for frame in taken]
        panel["items"] = [_merge(list(items)) for items in zip(*every, strict=True)]
    return {"columns": _columns(stage.figure), "panels": taken[0], "frames": frames, "fps": fps}


def _merge(frames: list[Json]) -> Json:
    """An item of all frames: fields that stay, and lists of those that change."""
    first = frames[0]
    changing = {name for frame in frames for name in frame if frame[name] != first.get(name)}
    kept = {name: value for name, value in first.items() if name not in changing}
    return kept | (
        {"f": {name: [frame[name] for frame in frames] for name in sorted(changing)}} if changing else {}
    )


def read_panel(ax: Axes, film: bool = False) -> Json:
    """One pair of axes and all that is drawn on it."""
    spec, aspect = ax.get_subplotspec(), ax.get_aspect()
    if spec is None or ax.get_xscale() != "linear" or ax.get_yscale() != "linear":
        raise NotLive
    panel: Json = {
        "rows": [spec.rowspan.start, spec.rowspan.stop],
        "cols": [spec.colspan.start, spec.colspan.stop],
        "x": [float(end) for end in ax.get_xlim()],
        "y": [float(end) for end in ax.get_ylim()],
        "xLabel": plain(ax.get_xlabel()),
        "yLabel": plain(ax.get_ylabel()),
        "title": plain(ax.get_title(loc="left")),
        "high": round(96.0 * ax.get_window_extent().height / ax.figure.dpi),
        "ticks": [len(ax.get_xticks()) > 0, len(ax.get_yticks()) > 0],
        "legend": ax.get_legend() is not None,
        "items": [*AxesReader(ax, film).items()],
    }
    if not isinstance(aspect, str):
        panel["aspect"] = float(aspect)
    if hex_of(ax.get_facecolor()) not in (LIGHT_PAPER, PAPER):
        panel["back"] = hex_of(ax.get_facecolor())
    for image in ax.images:
        if image.colorbar is not None:
            label, (low, high) = plain(image.colorbar.ax.get_ylabel()), scale_ends(image)
            panel["bar"] = {"label": label, "y": [low, high], "stops": colour_stops(image)}
    return panel


def _columns(figure: Figure) -> list[float]:
    """Widths of the columns of panels, relative."""
    for ax in figure.axes:
        spec = ax.get_subplotspec()
        if spec is not None:
            grid = spec.get_gridspec()
            ratios = np.asarray(grid.get_width_ratios() or np.ones(grid.ncols), dtype=float)
            return [float(one) for one in np.ravel(ratios)]
    return [1.0]


def colours_of(spec: Json) -> set[str]:
    """All colours that the script asks for."""
    items = [item for panel in spec["panels"] for item in panel["items"]]
    found = {item[key] for item in items for key in "ce" if isinstance(item.get(key), str)}
    return found | {panel["back"] for panel in spec["panels"] if "back" in panel}


def embed_data(spec: Json) -> str:
    """The element of a page that holds the data."""
    text = json.dumps(spec, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return f'<script type="application/json">{text.replace("<", chr(92) + "u003c")}</script>'
