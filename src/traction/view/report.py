"""A report: one HTML page that holds everything it shows and opens without a network."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from traction.errors import InputError
from traction.outputs.atomic import write_atomic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 160

STYLE = """
:root { --ink: #23272e; --soft: #5c6470; --line: #dfe3e8; --accent: #0072b2; --good: #00705a; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: #f5f6f8;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 2.5rem 2rem 4rem; background: #fff; min-height: 100vh; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; border-bottom: 3px solid var(--accent);
  padding-bottom: .6rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
p { max-width: 46rem; margin: .5rem 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .95rem; }
th, td { text-align: left; padding: .38rem 1.4rem .38rem 0; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
th { color: var(--soft); font-weight: 600; }
td:not(:first-child), th:not(:first-child) { text-align: right; }
td.good { color: var(--good); font-weight: 600; }
figure { margin: 1.6rem 0; }
figure img { max-width: 100%; height: auto; display: block; }
figcaption { color: var(--soft); font-size: .92rem; margin-top: .3rem; max-width: 46rem; }
pre { background: #f0f2f5; padding: .8rem 1rem; border-radius: 6px; overflow-x: auto; font-size: .9rem; }
@media print { body { background: #fff; } main { padding: 0; } figure, table { break-inside: avoid; } }
"""


@dataclass(frozen=True)
class Table:
    """Rows of text under a heading; a cell that reads "passed" is shown as good news."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.header):
                raise InputError(
                    f"table {self.title!r}: the row {list(row)} has {len(row)} cells, the header "
                    f"{len(self.header)}."
                )


def write_report(
    path: str | Path,
    title: str,
    *,
    summary: str | Sequence[str],
    tables: Sequence[Table] = (),
    figures: Iterable[tuple[str, str, Figure]] = (),
    films: Sequence[tuple[Path, str]] = (),
    command: str,
) -> list[Path]:
    """Write the page `path` and, beside it, each figure as PNG and SVG; returns all files written.

    `summary` is a paragraph or several; `figures` are (file name without ending, caption, figure); `films`
    are (GIF file, caption), which the page shows first; `command` is what reproduces the page.
    """
    page = Path(path)
    page.parent.mkdir(parents=True, exist_ok=True)
    written, shown = [page], []
    for name, caption, figure in figures:
        image = _rendered(figure, "png")
        for ending, content in (("png", image), ("svg", _rendered(figure, "svg"))):
            target = page.with_name(f"{name}.{ending}")
            write_atomic(target, content)
            written.append(target)
        shown.append(_figure(caption, image))
    paragraphs = [summary] if isinstance(summary, str) else summary
    moving = [_figure(caption, file.read_bytes(), "gif") for file, caption in films]
    text = _page(title, paragraphs, [*moving, *(_table(table) for table in tables)], shown, command)
    write_atomic(page, text.encode("utf-8", errors="backslashreplace"))
    return written


def _page(
    title: str, summary: Iterable[str], tables: Iterable[str], figures: Iterable[str], command: str
) -> str:
    name = html.escape(title)
    blocks = [
        f"<h1>{name}</h1>",
        *(f"<p>{html.escape(paragraph)}</p>" for paragraph in summary),
        *tables,
        *figures,
        "<h2>Reproduce</h2>",
        f"<pre>{html.escape(command)}</pre>",
    ]
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    body = "\n".join(blocks)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>{head}\n<title>{name}</title>\n<style>{STYLE}</style>'
        f"</head>\n<body><main>\n{body}\n</main></body>\n</html>\n"
    )


def _table(table: Table) -> str:
    header = "".join(f"<th>{html.escape(cell)}</th>" for cell in table.header)
    rows = "\n".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in table.rows)
    return (
        f'<h2>{html.escape(table.title)}</h2>\n<div class="scroll"><table>\n'
        f"<thead><tr>{header}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def _cell(text: str) -> str:
    mark = ' class="good"' if text == "passed" else ""
    return f"<td{mark}>{html.escape(text)}</td>"


def _figure(caption: str, image: bytes, kind: str = "png") -> str:
    data = base64.b64encode(image).decode("ascii")
    words = html.escape(caption)
    return (
        f'<figure><img alt="{words}" src="data:image/{kind};base64,{data}"><figcaption>{words}</figcaption>'
        "</figure>"
    )


def _rendered(figure: Figure, kind: str) -> bytes:
    from matplotlib import rc_context

    buffer = io.BytesIO()
    # without a date and random names the same run writes the same bytes
    metadata = {"Date": None} if kind == "svg" else None
    with rc_context({"svg.hashsalt": "traction"}):
        figure.savefig(buffer, format=kind, dpi=DPI, metadata=metadata)
    return buffer.getvalue()
