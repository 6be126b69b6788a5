"""The report page of a sweep: what was varied, tables of all and of samples, and headline figures."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from traction import checks
from traction.kinds.report_run import REPORT
from traction.kinds.sweep.checked_variants import CheckedVariants
from traction.quantities import counted, significant
from traction.results.manifest import RunStatus
from traction.results.storage.run_files import SCENARIO
from traction.results.sweeps.sweep import Sweep, SweepTable
from traction.results.sweeps.sweep_column import Column
from traction.results.sweeps.sweep_folder import FIGURES, JOURNAL, PLAN, TABLE, Plan, collect_sweep, read_plan
from traction.results.sweeps.sweep_summary import describe_peak, describe_samples, span_of
from traction.view.bridges import draw_deck_limits, list_limits
from traction.view.report import Table, write_report

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
HEADER = ("5 %", "25 %", "median", "75 %", "95 %")
MOST_PLACES = 60  #: rows of a table of quantiles over a list
MOST_TABLES = 3  #: of results over a list
MOST_PANELS = 6  #: of headline figures that are drawn
MOST_COLUMNS = 8  #: of results in the table of the page
MOST_ROWS = 200  #: of that table
FILE = "headlines"
DECK = "peak acceleration"  #: of a bridge, which EN 1990 limits


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
    count = min(len(table) // every, MOST_PLACES)
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


def report_sweep(path: str | os.PathLike[str]) -> list[Path]:
    """Write the report page and the figure of a sweep, as far as it is; returns the files written."""
    folder = checks.path("path", path).absolute()
    plan = read_plan(folder)
    sweep = collect_sweep(plan, folder, {})
    drawn, checked = headline_figure(sweep.table), CheckedVariants.of(sweep, plan)
    return write_report(
        folder / REPORT,
        f"Sweep: {plan.title}",
        summary=_story(plan, sweep, checked),
        tables=[*_tables(sweep), *checked.tables(plan)],
        figures=[] if drawn is None else [(FILE, _caption(sweep.table), drawn)],
        notes=[
            f"Beside this page: {TABLE}, the whole table in SI, {PLAN}, all scenarios, and {_kept(plan)}."
        ],
        versions=checked.versions,
        command=_command(plan, folder),
    )


def headline_figure(table: SweepTable) -> Figure | None:
    """Results that vary over what was varied, a panel each; None when nothing varies."""
    from traction.view.figures import blank_figure, draw_legend
    from traction.view.sweep_curves import sweep_bands, sweep_plot

    shown = table.headlines[:MOST_PANELS]
    if not shown or not any(column.varies for column in table.varied):
        return None
    columns = 1 if len(shown) == 1 else 2
    rows = -(-len(shown) // columns)
    figure = blank_figure(6.2 * columns, 3.6 * rows)
    for number, column in enumerate(shown):
        ax = figure.add_subplot(rows, columns, number + 1)
        if _banded(table):
            sweep_bands(table, column.name, ax, legend=number == 0)
        else:
            sweep_plot(table, column.name, ax, legend=number == 0)
        if column.name.startswith(DECK):
            draw_deck_limits(ax, float(np.nanmax(column.numbers)), both=False)
            if ax.get_legend_handles_labels()[0]:
                draw_legend(ax)
    return figure


def _banded(table: SweepTable) -> bool:
    """Whether results are drawn as bands: sampled, over one list at most besides, of numbers."""
    if table.samples is None:
        return False
    lists = [one for one in table.axes if not one.is_sampled and one.size > 1]
    keys = lists[0].keys if lists else table.samples.keys
    return len(lists) < 2 and table.column(keys[0]).is_number


def _command(plan: Plan, folder: Path) -> str:
    """What does the sweep once more, from the scenario of a variant that was begun: all give the same."""
    places = (folder, *(folder / name for name in plan.variants))
    begun = (path for place in places if (path := place / SCENARIO).is_file())
    words = [str(next(begun, "SCENARIO.toml")), *plan.command]
    words += ["--keep", FIGURES] if plan.keep == FIGURES else []
    return f"traction sweep {shlex.join(words)} --out NEW_FOLDER"


def _kept(plan: Plan) -> str:
    if plan.keep == FIGURES:
        return f"{JOURNAL}, how each variant ended, with its key figures"
    return "the run folder of each variant, whose report is written by traction report FOLDER"


def _story(plan: Plan, sweep: Sweep, checked: CheckedVariants) -> list[str]:
    """What was varied, where the first results are largest, and whether it can be trusted."""
    spans = ", ".join(span_of(column) for column in plan.varied)
    samples = sweep.table.samples
    drawn = f" Values were sampled, {describe_samples(samples)}." if samples is not None else ""
    told = [column for column in sweep.table.headlines if not column.name.startswith("time of ")][:2]
    peaks = [describe_peak(sweep.table, column) for column in told]
    return [
        f"{counted(len(plan.variants), 'variant')} of a scenario of the kind {plan.kind} were computed, with "
        f"{spans}.{drawn}",
        " ".join(peaks) or "No result varies with what was varied.",
        f"{sweep.message.rstrip('.')}. {checked.tell()}".strip(),
    ]


def _tables(sweep: Sweep) -> Sequence[Table]:
    table = sweep.table
    header, rows = table.text_rows(table.results[:MOST_COLUMNS])
    names = [[name.partition("-")[0], *row] for name, row in zip(table.variants, rows, strict=True)]
    title = "Variants"
    if len(names) > MOST_ROWS:
        title += f" (the first {MOST_ROWS} of {len(names)})"
    tables = [*sample_tables(table), Table(title, ["", *header], names[:MOST_ROWS])]
    failed = [
        (name, run.message)
        for name, run in zip(table.variants, sweep.runs, strict=True)
        if run.status is RunStatus.FAILED
    ]
    if failed:
        tables.append(Table("Variants that failed", ("variant", "why"), failed[:MOST_ROWS]))
    return tables


def _caption(table: SweepTable) -> str:
    words = "Results over what was varied; each marker is a variant."
    if _banded(table):
        words = "Quantiles over the samples: the median as a line, 25 to 75 % and 5 to 95 % as bands."
        lists = any(one.size > 1 and not one.is_sampled for one in table.axes)
        words += "" if lists else " Each point is a sample."
    if RunStatus.FAILED in table.status:
        words += " Crosses at the bottom: variants that failed."
    if any(column.name.startswith(DECK) for column in table.headlines[:MOST_PANELS]):
        words += f" Limits of EN 1990 for the deck, dotted where near: {list_limits()}."
    return words
