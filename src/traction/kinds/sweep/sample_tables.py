"""Tables of the samples of a sweep: what was drawn, and the quantiles of its results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from traction.quantities import significant
from traction.results.sweeps.sweep import SweepTable
from traction.results.sweeps.sweep_column import Column
from traction.view.page.document import Table

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
HEADER = ("5 %", "25 %", "median", "75 %", "95 %")
MOST_ROWS = 60  #: of a table
MOST_TABLES = 3  #: of results over a list


def sample_tables(table: SweepTable) -> list[Table]:
    """What was drawn, and the quantiles of the results that vary; none where nothing was sampled."""
    samples = table.samples
    if samples is None:
        return []
    columns = [table.column(key) for key in samples.keys]
    drawn = [
        [column.name, law, column.shown_in.name, *_drawn(column)]
        for column, law in zip(columns, samples.laws, strict=True)
    ]
    header = ["key", "distribution", "unit", "least", "mean", "most"]
    return [Table(f"Samples: {samples.drawn}", header, drawn), *_quantiles(table)]


def _drawn(column: Column) -> list[str]:
    """Least, mean and largest value that were drawn; blank where they are no numbers."""
    if not column.is_number:
        return ["", "", ""]
    values = column.numbers
    return [_text(column, value) for value in (values.min(), values.mean(), values.max())]


def _quantiles(table: SweepTable) -> list[Table]:
    """One row for each result; or, with lists besides, a table for each result with a row for each value."""
    results = [one for one in table.headlines if np.isfinite(one.numbers).any()]
    sizes = [one.size for one in table.axes if not one.is_sampled]
    if not results or int(np.prod(sizes)) == 1:
        rows = [[one.name, one.shown_in.name, *_row(table, one, 0)] for one in results]
        return [Table("Quantiles of the results", ["result", "unit", *HEADER], rows)] if rows else []
    sampled = table.samples.keys if table.samples else ()
    lists = [one for one in table.varied if one.name not in sampled and one.varies]
    every = len(table) // int(np.prod(sizes))
    count = min(len(table) // every, MOST_ROWS)
    tables = []
    for one in results[:MOST_TABLES]:
        rows = [[*(column.text(k * every) for column in lists), *_row(table, one, k)] for k in range(count)]
        title = f"Quantiles: {one.label}"
        tables.append(Table(title, [*(column.label for column in lists), *HEADER], rows))
    return tables


def _row(table: SweepTable, column: Column, place: int) -> Sequence[str]:
    found = table.quantiles(column.name, LEVELS).reshape(len(LEVELS), -1)
    return [_text(column, value) for value in found[:, place]]


def _text(column: Column, value: float) -> str:
    return significant(value / column.shown_in.factor) if np.isfinite(value) else ""
