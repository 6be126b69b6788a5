"""A report: one HTML page that holds everything it shows and opens without a network."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from traction.outputs.atomic import write_atomic
from traction.view.page.artists import Json
from traction.view.page.document import HINT, Page, read_part
from traction.view.page.document import Table as Table
from traction.view.page.live import colours_of, embed_data, live_figure, live_film
from traction.view.page.themed import clear_paper, inline_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from traction.view.animations.film import Film

DPI = 160


def write_report(
    path: str | Path,
    title: str,
    *,
    summary: str | Sequence[str],
    tables: Sequence[Table] = (),
    figures: Iterable[tuple[str, str, Figure]] = (),
    films: Sequence[tuple[Path, str]] = (),
    sliders: Iterable[tuple[str, str, Film]] = (),
    notes: Sequence[str] = (),
    versions: Mapping[str, str] | None = None,
    command: str,
) -> list[Path]:
    """Write a report page and, beside it, each figure as PNG and SVG.

    Parameters
    ----------
    path
        HTML file of the page.
    title
        Title of the page.
    summary
        One paragraph or several, which come first.
    tables
        Tables of results, checks and inputs.
    figures
        (file name without ending, caption, figure).
    films
        (GIF file, caption).
    sliders
        (name, caption, film), with a slider through time.
    notes
        Sentences below the tables.
    versions
        Versions of programs by their names.
    command
        Command that reproduces the page.

    Returns
    -------
    list of Path
        All files written.

    Notes
    -----
    Figures are SVG in the reader's light or dark colours; where scripts run, they zoom and show values.
    """
    page = Path(path)
    page.parent.mkdir(parents=True, exist_ok=True)
    written: list[Path] = [page]
    colours: set[str] = set()
    shown = [_embed_image(caption, file.read_bytes(), "gif") for file, caption in films]
    for name, caption, film in sliders:
        clear_paper(film.stage.figure)
        data = live_film(film.stage, film.frames, film.fps)
        film.stage.show(film.frames // 2)
        shown.append(_embed_figure(name, caption, _rendered(film.stage.figure, "svg"), data, colours))
    for name, caption, figure in figures:
        clear_paper(figure)
        drawn = {ending: _rendered(figure, ending) for ending in ("png", "svg")}
        for ending, content in drawn.items():
            target = page.with_name(f"{name}.{ending}")
            write_atomic(target, content)
            written.append(target)
        shown.append(_embed_figure(name, caption, drawn["svg"], live_figure(figure), colours))
    text = Page(
        title,
        [summary] if isinstance(summary, str) else summary,
        shown,
        tables,
        command,
        notes=notes,
        versions=versions or {},
        colours=colours,
        script=read_part("page.js"),
    ).write()
    write_atomic(page, text.encode("utf-8", errors="backslashreplace"))
    return written


def _embed_figure(name: str, caption: str, drawn: bytes, data: Json | None, colours: set[str]) -> str:
    """A static picture and the data of the live one; adds the colours of both."""
    svg, used = inline_svg(drawn, name, html.escape(caption))
    colours |= used if data is None else used | colours_of(data)
    return _embed(caption, svg, "" if data is None else embed_data(data))


def _embed(caption: str, drawn: str, data: str = "") -> str:
    words = html.escape(caption)
    box = f'<div class="scroll static" tabindex="0" role="region" aria-label="figure">{drawn}</div>{HINT}'
    return f"<figure>{box}<figcaption>{words}</figcaption>{data}</figure>"


def _embed_image(caption: str, image: bytes, kind: str) -> str:
    data = base64.b64encode(image).decode("ascii")
    return _embed(caption, f'<img alt="{html.escape(caption)}" src="data:image/{kind};base64,{data}">')


def _rendered(figure: Figure, kind: str) -> bytes:
    from matplotlib import rc_context

    buffer = io.BytesIO()
    # without a date and random names the same run writes the same bytes
    metadata = {"Date": None} if kind == "svg" else None
    with rc_context({"svg.hashsalt": "traction"}):
        figure.savefig(buffer, format=kind, dpi=DPI, metadata=metadata)
    return buffer.getvalue()
