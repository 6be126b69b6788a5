"""A report: one HTML page that holds everything it shows and opens without a network."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from traction.errors import InputError
from traction.outputs.atomic import write_atomic
from traction.view.animations.film import Film
from traction.view.arguments import check_argument, checked
from traction.view.page.colours import clear_paper
from traction.view.page.document import Page, read_part
from traction.view.page.document import Table as Table
from traction.view.page.live import live_figure, live_film
from traction.view.page.pictures import Picture, keep_small

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = {"png": 160, "svg": 110}  #: of pictures, and of maps inside drawings
LARGEST = 3_000_000  #: bytes of a page


@checked
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

    Figures are SVG in the reader's light or dark colours; where scripts run, they zoom and show values. The
    page has at most 3 MB: where figures are too many for that, the largest do not zoom, then they are smaller
    pictures, at last the file beside the page is named instead.

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

    Raises
    ------
    InputError
        If an argument is of another type, or a row of a table is longer or shorter than its header.

    Examples
    --------
    >>> figure = tr.view.blank_figure(3.0, 2.0)
    >>> _ = figure.subplots().plot([0.0, 1.0])
    >>> table = tr.view.Table("Results", ["quantity", "value"], [["force", "50 N"]])
    >>> files = tr.view.write_report(
    ...     "report.html", "A ball", summary="A ball is pressed.", tables=[table],
    ...     figures=[("line", "A line", figure)], command="python ball.py",
    ... )
    >>> [file.name for file in files]
    ['report.html', 'line.png', 'line.svg']
    """
    page = Path(path)
    if not page.name:
        raise InputError(f"path = {str(path)!r} must name a file.")
    page.parent.mkdir(parents=True, exist_ok=True)
    pictures = [Picture.of_image(caption, file.read_bytes(), file.name) for file, caption in films]
    for number, slider in enumerate(sliders):
        check_argument(f"sliders[{number}]", slider, tuple[str, str, Film])
        pictures.append(_film_picture(*slider))
    written: list[Path] = [page]
    for number, drawing in enumerate(figures):
        check_argument(f"figures[{number}]", drawing, tuple[str, str, object])
        name, caption, figure = drawing
        if not name or name != Path(name).name:
            raise InputError(f"figures[{number}] has the name {name!r}; it must be a file name.")
        clear_paper(figure)
        drawn = {ending: _rendered(figure, ending) for ending in ("png", "svg")}
        for ending, content in drawn.items():
            target = page.with_name(f"{name}.{ending}")
            write_atomic(target, content)
            written.append(target)
        picture = partial(bytes, drawn["png"])
        pictures.append(Picture.of_svg(name, caption, drawn["svg"], live_figure(figure), picture))
    told = [summary] if isinstance(summary, str) else summary
    script, listed = read_part("page.js"), versions or {}
    text = Page(title, told, (), tables, command, notes=notes, versions=listed, script=script)
    write_atomic(page, _write_page(text, pictures))
    return written


def _write_page(page: Page, pictures: Sequence[Picture]) -> bytes:
    """The page with pictures that fit into it."""
    colours = frozenset().union(*(one.colours for one in pictures))
    words = len(_encoded(replace(page, colours=colours)))
    frames = sum(one.frame for one in pictures)
    shown = keep_small(pictures, LARGEST - words - frames)
    return _encoded(replace(page, figures=[one.write() for one in shown], colours=colours))


def _encoded(page: Page) -> bytes:
    return page.write().encode("utf-8", errors="backslashreplace")


def _film_picture(name: str, caption: str, film: Film) -> Picture:
    """All frames for a slider, and the one in the middle as a static picture."""
    clear_paper(film.stage.figure)
    data = live_film(film.stage, film.frames, film.fps)
    film.stage.show(film.frames // 2)
    figure = film.stage.figure
    return Picture.of_svg(name, caption, _rendered(figure, "svg"), data, lambda: _rendered(figure, "png"))


def _rendered(figure: Figure, kind: str) -> bytes:
    from matplotlib import rc_context

    buffer = io.BytesIO()
    # without a date and random names the same run writes the same bytes
    metadata = {"Date": None} if kind == "svg" else None
    with rc_context({"svg.hashsalt": "traction"}):
        figure.savefig(buffer, format=kind, dpi=DPI[kind], metadata=metadata)
    return buffer.getvalue()
