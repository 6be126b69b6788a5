"""A sweep in a few lines: what was varied, between which values its results lie and where, what failed."""

from __future__ import annotations

import numpy as np

from traction.quantities import counted, significant
from traction.results.sweeps.sweep import Sweep, SweepTable, advise, find_failures, list_causes
from traction.results.sweeps.sweep_column import Column, SweepAxis

MOST_RESULTS = 6  #: whose extremes are listed


def summarise_sweep(sweep: Sweep) -> list[str]:
    """Lines about the whole sweep instead of a row for each variant."""
    done, total = sum(run.ok for run in sweep.runs), len(sweep.runs)
    lines = [f"Sweep of {sweep.kind}: {sweep.status}, {done} of {counted(total, 'variant')} done"]
    lines += [f"  varied: {span_of(column)}" for column in sweep.table.varied]
    samples = sweep.table.samples
    lines += [f"  samples: {describe_samples(samples)}"] if samples is not None else []
    lines += [f"  {_extremes(sweep.table, column)}" for column in sweep.table.headlines[:MOST_RESULTS]]
    failures = find_failures(sweep.table.variants, sweep.runs)
    if failures:
        lines.append(f"  failed: {counted(sum(map(len, failures.values())), 'variant')}")
        lines += [f"    {cause}" for cause in list_causes(failures)]
        lines.append(f"  remedy: {advise(failures, stored=sweep.folder is not None, some_done=done > 0)}")
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


def describe_samples(samples: SweepAxis) -> str:
    """How many samples were drawn, how, and of which distributions."""
    laws = (f"{key} from {law}" for key, law in zip(samples.keys, samples.laws, strict=True))
    return f"{samples.drawn}: {', '.join(laws)}"


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
