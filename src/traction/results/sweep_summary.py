"""A sweep in a few lines: what was varied, between which values its results lie and where, what failed."""

from __future__ import annotations

import numpy as np

from traction.quantities import counted, significant
from traction.results.manifest import RunStatus
from traction.results.sweep import Column, Sweep, SweepTable

MOST_RESULTS = 6  #: whose extremes are listed
MOST_CAUSES = 5  #: of failures


def summarise_sweep(sweep: Sweep) -> list[str]:
    """Lines about the whole sweep instead of a row for each variant."""
    done, total = sum(run.ok for run in sweep.runs), len(sweep.runs)
    lines = [f"Sweep of {sweep.kind}: {sweep.status}, {done} of {counted(total, 'variant')} done"]
    lines += [f"  varied: {span_of(column)}" for column in sweep.table.varied]
    lines += [f"  {_extremes(sweep.table, column)}" for column in sweep.table.headlines[:MOST_RESULTS]]
    failures = _failures(sweep)
    if failures:
        count = sum(len(names) for names in failures.values())
        lines.append(f"  failed: {counted(count, 'variant')}")
        lines += [f"    {_name_some(names)}: {why}" for why, names in [*failures.items()][:MOST_CAUSES]]
        if len(failures) > MOST_CAUSES:
            lines.append(f"    and {len(failures) - MOST_CAUSES} other causes, see the table")
    return lines


def span_of(column: Column) -> str:
    """A varied key with the range of its values."""
    distinct = list(dict.fromkeys(column.values))
    unit = f" {column.shown_in.name}".rstrip()
    if column.is_number and len(distinct) > 2:
        numbers = column.numbers
        ends = (column.text(int(np.argmin(numbers))), column.text(int(np.argmax(numbers))))
        return f"{column.name} from {ends[0]} to {ends[1]}{unit} ({len(distinct)} values)"
    texts = dict.fromkeys(column.text(row) for row in range(len(column.values)))
    return f"{column.name} = {', '.join(texts)}{unit}"


def describe_peak(table: SweepTable, column: Column) -> str:
    """Where a result is largest, as a sentence."""
    row = int(np.nanargmax(column.numbers))
    words = column.name[:1].upper() + column.name[1:]
    return f"{words} is largest, {_value(column, row)}, at {_place(table, row)}."


def _extremes(table: SweepTable, column: Column) -> str:
    """The least and the largest value of a result, and where they are."""
    rows = int(np.nanargmin(column.numbers)), int(np.nanargmax(column.numbers))
    least, most = (f"{_value(column, row)} ({_place(table, row)})" for row in rows)
    return f"{column.name}: {least} to {most}"


def _value(column: Column, row: int) -> str:
    """A result, in four digits."""
    return f"{significant(column.numbers[row] / column.shown_in.factor)} {column.shown_in.name}".rstrip()


def _place(table: SweepTable, row: int) -> str:
    varied = (one for one in table.varied if one.varies)
    return ", ".join(f"{one.name} = {one.text(row)} {one.shown_in.name}".rstrip() for one in varied)


def _failures(sweep: Sweep) -> dict[str, list[str]]:
    """Variants that failed, by their cause."""
    found: dict[str, list[str]] = {}
    for name, run in zip(sweep.table.variants, sweep.runs, strict=True):
        if run.status is RunStatus.FAILED:
            found.setdefault(run.message, []).append(name)
    return found


def _name_some(names: list[str]) -> str:
    more = len(names) - 1
    return names[0] if not more else f"{names[0]} and {counted(more, 'other')}"
