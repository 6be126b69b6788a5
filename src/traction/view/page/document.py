"""The HTML of a report page: the story, the figures, results, checks, inputs, versions, in this order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from traction import checks
from traction.errors import InputError
from traction.printable import escaped
from traction.view.page.colours import declare_colours

PASSED = "passed"  #: the verdict that is good news
VERDICT = "verdict"  #: heading of the column that says whether a check passed
FEW_COLUMNS = 4  #: up to which the rows of a table become cards on a narrow screen
LONG_WORDS = 28  #: characters from which a cell wraps
EXPONENT, NO_BREAK = re.compile(r"(?<=\de)-(?=\d)"), "\u2011"  #: a minus at which no line ends
HINT = '<p class="hint">Scroll sideways to see all of it.</p>'


@dataclass(frozen=True)
class Table:
    """Rows of text under a heading; a cell "passed" is highlighted.

    Parameters
    ----------
    title
        Heading.
    header
        Names of the columns.
    rows
        Cells of each row, as many as columns.

    Raises
    ------
    InputError
        If header and rows are not lists of strings, or a row has another number of cells than the header.

    Examples
    --------
    >>> tr.view.Table("Results", ["quantity", "value"], [["force", "50 N"]]).title
    'Results'
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __post_init__(self) -> None:
        checks.instance("title", self.title, str)
        header = _texts("header", self.header)
        for row in checks.items("rows", self.rows, "rows of strings"):
            cells = _texts("a row", row)
            if len(cells) != len(header):
                raise InputError(
                    f"table {self.title!r}: the row {list(cells)} has {len(cells)} cells, the header "
                    f"{len(header)}."
                )


def _texts(name: str, values: object) -> tuple[str, ...]:
    """The cells of a row."""
    cells = checks.items(name, values, "a list of strings")
    return tuple(checks.instance(f"{name}[{k}]", one, str) for k, one in enumerate(cells))


@dataclass(frozen=True)
class Page:
    """What a page shows."""

    title: str
    story: Sequence[str]
    figures: Sequence[str]  #: in HTML
    tables: Sequence[Table]
    command: str  #: reproduces it
    notes: Sequence[str] = ()  #: sentences below the tables
    versions: Mapping[str, str] = field(default_factory=dict)
    colours: Iterable[str] = ()  #: of the figures
    script: str = ""

    def write(self) -> str:
        """The whole document."""
        name = escaped(self.title)
        head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        style = read_part("page.css") + declare_colours(self.colours)
        script = f"<script>{self.script}</script>" if self.script else ""
        body = "\n".join(
            [f"<h1>{name}</h1>", *self._tell(), *self._draw(), *map(_write_table, self.tables), *self._end()]
        )
        return (
            f'<!doctype html>\n<html lang="en">\n<head>{head}\n<title>{name}</title>\n<style>{style}</style>'
            f"</head>\n<body><main>\n{body}\n</main>{script}</body>\n</html>\n"
        )

    def _tell(self) -> Iterable[str]:
        paragraphs = "\n".join(f"<p>{EXPONENT.sub(NO_BREAK, escaped(one))}</p>" for one in self.story)
        yield f'<section class="story">\n{paragraphs}\n</section>'
        yield from map(_count_verdicts, filter(_is_judged, self.tables))

    def _draw(self) -> Iterable[str]:
        return ["<h2>Figures</h2>", *self.figures] if self.figures else []

    def _end(self) -> Iterable[str]:
        yield from (f'<p class="note">{escaped(note)}</p>' for note in self.notes)
        if self.versions:
            named = ", ".join(f"{name} {version}" for name, version in self.versions.items())
            yield f"<h2>Versions</h2>\n<p>Computed with {escaped(named)}.</p>"
        yield f"<h2>Reproduce</h2>\n<pre>{escaped(self.command)}</pre>"


@cache
def read_part(name: str) -> str:
    """A file beside this module, to be inlined."""
    return files("traction.view.page").joinpath(name).read_text(encoding="utf-8")


def _is_judged(table: Table) -> bool:
    return bool(table.rows) and table.header[-1] == VERDICT


def _count_verdicts(table: Table) -> str:
    """How many rows of a table passed, as in "2 of 2 checks passed"."""
    verdicts = [row[-1] for row in table.rows]
    good, many = sum(one == PASSED for one in verdicts), len(verdicts)
    mark = "verdict" if good == many else "verdict bad"
    words = table.title.removesuffix("s") if many == 1 else f"{good} of {many} {table.title.lower()}"
    return f'<p class="{mark}">{escaped(words)} {PASSED if good or many > 1 else "missed"}</p>'


def _write_table(table: Table) -> str:
    marks = "" if len(table.header) > FEW_COLUMNS else "pairs" if len(table.header) == 2 else "cards"
    wordy = [any(len(row[k]) > LONG_WORDS for row in table.rows) for k in range(len(table.header))]
    heads = [escaped(cell) for cell in table.header]
    header = "".join(
        f'<th{_mark("words") if words and k else ""} scope="col">{head}</th>'
        for k, (head, words) in enumerate(zip(heads, wordy, strict=True))
    )
    rows = "\n".join("<tr>" + "".join(map(_write_cell, row, heads, wordy)) + "</tr>" for row in table.rows)
    return (
        f'<h2>{escaped(table.title)}</h2>\n<div class="scroll" tabindex="0" role="region" '
        f'aria-label="{escaped(table.title)}"><table{_mark(marks)}>\n'
        f"<thead><tr>{header}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>{HINT}"
    )


def _write_cell(text: str, head: str, words: bool) -> str:
    mark = "good" if text == PASSED else "bad" if head == VERDICT else "words" if words else ""
    return f'<td{_mark(mark)} data-head="{head}">{escaped(text)}</td>'


def _mark(names: str) -> str:
    return f' class="{names}"' if names else ""
