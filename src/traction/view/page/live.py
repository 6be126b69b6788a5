"""What a figure shows, as data from which the script of a page draws it again with zoom, hover and a slider.

It is read off matplotlib's artists: one figure serves the file, the static and the live picture.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from traction.view.page.artists import AxesReader, Json, NotLive, colour_stops, hex_of, plain, scale_ends
from traction.view.page.colours import LIGHT_PAPER, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from traction.view.animations.film import Stage


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
