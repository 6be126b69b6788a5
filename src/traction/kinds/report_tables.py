"""Tables that reports of several kinds show, and how numbers are written in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from traction.grid import Grid
from traction.outputs import tabular
from traction.outputs.tabular import TableColumn
from traction.quantities import LADDERS, quantity, significant, unit_for
from traction.results.manifest import KeyFigure
from traction.view.report import Table

CHECKS, PASSED = "Checks", "passed"  #: the table that tells whether a run can be trusted, and its good news
MOST_MARKERS = 50  #: on a curve that stays readable


def input_table(rows: Sequence[tuple[str, str]]) -> Table:
    """What went in, in words."""
    return Table("Inputs", ("quantity", "value"), rows)


def result_table(figures: Iterable[KeyFigure], title: str = "Results") -> Table:
    """Key figures in words."""
    return Table(
        title, ("quantity", "value"), [(name, format_value(value, unit)) for name, value, unit in figures]
    )


def check_table(*rows: tuple[str, str, str, str]) -> Table:
    """Checks: their name, what was found, the limit, and the verdict."""
    return Table(CHECKS, ("check", "found", "limit", "verdict"), rows)


def check_limit(
    name: str, found: float, limit: float, otherwise: str = "missed", *, slack: float = 0.0
) -> tuple[str, str, str, str]:
    """The row of a check that passes up to a limit, and a slack; `otherwise` is the verdict beyond it."""
    return name, f"{found:.1e}", f"{limit:g}", PASSED if found <= limit + slack else otherwise


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
    if unit in LADDERS:
        return quantity(value, unit)
    if unit == "N m":
        newton = unit_for(value, "N")
        return f"{value / newton.factor:.4g} {newton.name} m"
    digits = 6 if unit == "1" else 4
    return significant(value, digits) + ("" if unit == "1" else f" {unit}".replace("s2", "s²"))


def range_words(low: float, high: float, unit: str) -> str:
    """As in "100 N to 2 kN"; one number where both are the same."""
    return quantity(low, unit) + ("" if low == high else f" to {quantity(high, unit)}")


def grid_words(grid: Grid) -> str:
    """A grid in a few words."""
    if grid.is_line:
        return f"line, {grid.nx} strips of {quantity(grid.dx, 'm')}"
    return f"{grid.nx} x {grid.ny} elements of {quantity(grid.dx, 'm')} x {quantity(grid.dy, 'm')}"


def curve_style(points: int) -> str:
    """Of a curve: with markers where they stay readable."""
    return "o-" if points <= MOST_MARKERS else "-"


def write_csv(file: Path, columns: Mapping[str, Sequence[object]]) -> Path:
    """A table for other programs, numbers as exact as they are; returns the file."""
    tabular.write_csv(file, [TableColumn(name, "", np.array(values)) for name, values in columns.items()])
    return file
