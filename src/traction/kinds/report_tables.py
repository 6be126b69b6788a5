"""Tables that reports of several kinds show, and how numbers are written in them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from traction.grid import Grid
from traction.outputs import tabular
from traction.outputs.tabular import TableColumn
from traction.quantities import (
    LADDERS,
    Unit,
    counted,
    given,
    quantity,
    significant,
    unit_for,
    unit_text,
)
from traction.results.manifest import KeyFigure
from traction.view.page.document import PASSED as PASSED
from traction.view.page.document import VERDICT
from traction.view.report import Table

Check = tuple[str, str, str, str]  #: a row: check, what was found, limit, verdict
Checks = Sequence[Check]
CHECKS = "Checks"  #: the table that says whether a run can be trusted
MOST_NAMED = 2  #: checks that a story names
NONE = "none"  #: what is written where there is no number
ROUND_OFF = 1e-6  #: of the largest number beside it, below which a number is not data
COLUMN_UNITS = {"%": Unit("%", 0.01), "1": Unit("", 1.0), "1/m": Unit("rad/m", 1.0)}
MOST_MARKERS = 50  #: on a curve that stays readable


def input_table(rows: Sequence[tuple[str, str]]) -> Table:
    """What went in, in words."""
    return Table("Inputs", ("quantity", "value"), rows)


def result_table(figures: Iterable[KeyFigure], title: str = "Results") -> Table:
    """Key figures in words."""
    return Table(
        title, ("quantity", "value"), [(name, format_value(value, unit)) for name, value, unit in figures]
    )


def check_table(*rows: Check) -> Table:
    """Checks: their name, what was found, the limit, and the verdict."""
    return Table(CHECKS, ("check", "found", "limit", VERDICT), rows)


def check_limit(
    name: str, found: float, limit: float, otherwise: str = "missed", *, slack: float = 0.0
) -> Check:
    """The row of a check that passes up to a limit, and a slack; `otherwise` is the verdict beyond it."""
    return name, share_words(found), share_words(limit), PASSED if found <= limit + slack else otherwise


def share_words(value: float) -> str:
    """An error or its limit: a plain number, or a power of ten where it is small."""
    text = f"{value:.2g}" if value == 0.0 or 1e-3 <= abs(value) < 100.0 else f"{value:.1e}"
    return text.replace(".0e", "e").replace("e-0", "e-").replace("e+0", "e")


def tell_checks(rows: Checks) -> str:
    """Sentences on the checks of a run: how many passed, what the first ones found, and each that did not."""
    missed = [row for row in rows if row[3] != PASSED]
    if missed:
        named = "; ".join(f"{name} is {found}, limit {limit} ({why})" for name, found, limit, why in missed)
        verb = "is" if len(missed) == 1 else "are"
        return (
            f"Treat it with care: {len(missed)} of {counted(len(rows), 'check')} {verb} not passed: {named}."
        )
    named = " and ".join(f"{name} {found} (limit {limit})" for name, found, limit, _ in rows[:MOST_NAMED])
    if len(rows) == 1:
        return f"It passes its check: {named}."
    if len(rows) == MOST_NAMED:
        return f"It passes both checks: {named}."
    return f"It passes all {len(rows)} checks, among them {named}."


def missed_checks(tables: Sequence[Table]) -> list[str]:
    """A sentence for each check that did not pass."""
    return [
        f"{check}: {found}, limit {limit}: {verdict}"
        for table in tables
        if table.title == CHECKS
        for check, found, limit, verdict in table.rows
        if verdict != PASSED
    ]


def format_value(value: float | int | str | bool, unit: str) -> str:
    """A number with its unit, for people."""
    if isinstance(value, str | bool | int):
        return str(value)
    if not math.isfinite(value):
        return NONE
    if unit in LADDERS:
        return quantity(value, unit)
    if unit == "1" and abs(value) < ROUND_OFF:
        return share_words(value)
    return significant(value) + ("" if unit == "1" else f" {unit_text(unit)}")


def format_column(values: np.ndarray, unit: str, scale: float = 0.0) -> tuple[str, list[str]]:
    """A column of a table: the unit that suits all its numbers, and their texts.

    Numbers below round-off, of the largest or of a `scale` that it is compared with, are zero.
    """
    if values.dtype.kind in "iu":
        return "", [str(value) for value in values.tolist()]
    largest = float(np.abs(values).max(initial=0.0, where=np.isfinite(values)))
    size = max(largest, scale)
    clean = np.where(np.abs(values) < ROUND_OFF * size, 0.0, values)
    chosen = COLUMN_UNITS.get(unit) or (unit_for(clean, unit) if unit in LADDERS else Unit(unit, 1.0))
    return unit_text(chosen.name), [format_number(value) for value in chosen.of(clean).tolist()]


def format_number(value: float) -> str:
    """Four digits; a word where there is no number."""
    return significant(value) if math.isfinite(value) else NONE


def range_words(low: float, high: float, unit: str) -> str:
    """As in "100 N to 2 kN"; one number where both are the same."""
    return given(low, unit) + ("" if low == high else f" to {given(high, unit)}")


def grid_words(grid: Grid) -> str:
    """A grid in a few words."""
    if grid.is_line:
        return f"line, {grid.nx} strips of {given(grid.dx, 'm')}"
    return f"{grid.nx} x {grid.ny} elements of {given(grid.dx, 'm')} x {given(grid.dy, 'm')}"


def curve_style(points: int) -> str:
    """Of a curve: with markers where they stay readable."""
    return "o-" if points <= MOST_MARKERS else "-"


def write_csv(file: Path, columns: Mapping[str, Sequence[object]]) -> Path:
    """A table for other programs, numbers as exact as they are; returns the file."""
    tabular.write_csv(file, [TableColumn(name, "", np.array(values)) for name, values in columns.items()])
    return file
