"""Result of a sweep: its runs, a table with a row for each of them, and what failed and why."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.outputs.result import WIDTH, Result
from traction.outputs.sketch import sketch
from traction.outputs.tabular import TableColumn, csv_blocks
from traction.outputs.variable import Variable, axis, data
from traction.printable import escaped
from traction.quantities import counted
from traction.results.manifest import RunStatus
from traction.results.run import Run
from traction.results.sweeps.sweep_column import Column, SweepAxis, Value, declare_grid, identifiers

if TYPE_CHECKING:
    import xarray

T = TypeVar("T")

NAMES = ("variant", "status", "message")  #: columns beside varied values and results
HEADLINE = 1e-3  #: of the largest size: results that differ by less show the noise of solvers
LEANING = ("its ", "of it ")  #: how key figures begin that say more about the one before
MOST_SHOWN = 4  #: results that are printed
FEW_ROWS = 3  #: of a short text
MOST_ROWS = 40  #: that are printed
MOST_NAMED = 3  #: variants that failed by one cause
MOST_CAUSES = 5  #: that are listed

Failures = Mapping[str, Sequence[str]]  #: names of variants, by the cause


@dataclass(frozen=True, repr=False)
class SweepTable(Result):
    """Table of a sweep: one row for each variant with varied values, status and key figures, in SI.

    `table["speed"]` is the column of that name as an array, `table.unit("speed")` its unit.
    """

    _rows = ("variant",)

    variants: tuple[str, ...]  #: names of the variants
    varied: tuple[Column, ...]  #: varied quantities
    results: tuple[Column, ...]  #: key figures
    status: tuple[str, ...]  #: status of each variant
    message: tuple[str, ...]  #: message of each variant
    axes: tuple[SweepAxis, ...] = ()  #: over which the variants run, the last one fastest

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of all columns."""
        return tuple(self._arrange(NAMES, lambda column: column.name))

    def column(self, name: str) -> Column:
        """Return the varied quantity or the result of that `name`."""
        if not isinstance(name, str):
            raise InputError(f"name = {checks.shown(name)} must be the name of a column.")
        found = next((one for one in (*self.varied, *self.results) if one.name == name), None)
        if found is None:
            names = [one.name for one in (*self.varied, *self.results)]
            close = get_close_matches(name, names, n=1, cutoff=0.4)
            hint = f'did you mean "{close[0]}"?' if close else f"there are {', '.join(names)}."
            raise InputError(f'the sweep has no column "{name}"; {hint}')
        return found

    def __getitem__(self, name: str) -> np.ndarray:
        if isinstance(name, str) and name in NAMES:
            return np.array(self.variants if name == "variant" else getattr(self, name))
        found = self.column(name)
        return found.numbers if found.is_number else np.array([str(value) for value in found.values])

    def unit(self, name: str) -> str:
        """Return the SI unit of the column `name`; "1" for pure numbers, "" for text."""
        return "" if isinstance(name, str) and name in NAMES else self.column(name).unit

    def __len__(self) -> int:
        return len(self.variants)

    @property
    def rows(self) -> list[dict[str, Value]]:
        """The rows, as dicts by column."""
        return [dict(zip(self.columns, cells, strict=True)) for cells in self._cells()]

    def to_csv(self) -> str:
        """Return all rows as CSV, SI units in the first row, numbers in full precision."""
        return "".join(csv_blocks(self._columns("CSV", ())))

    def _columns(self, asked: str, variables: Sequence[Variable]) -> list[TableColumn]:
        words = [TableColumn(name, "", np.array(self[name], dtype=object)) for name in NAMES]
        return self._arrange(words, lambda column: TableColumn(column.name, column.unit, column.array))

    def _variables(self) -> Iterable[Variable]:
        yield axis("variant", np.array(self.variants, dtype=str), "", "variant")
        columns = (*self.varied, *self.results)
        for one, name in zip(columns, identifiers((one.name for one in columns), ("variant",)), strict=True):
            values = one.numbers if one.is_number else np.array([str(value) for value in one.values])
            unit = (one.unit or "1") if one.is_number else ""
            yield data(name, values, unit, one.name, "variant")
        yield data("run_status", np.array(self.status, dtype=str), "", "how the run ended", "variant")
        yield data("run_message", np.array(self.message, dtype=str), "", "message of the run", "variant")

    @property
    def samples(self) -> SweepAxis | None:
        """The axis of samples; None where nothing was sampled."""
        return next((one for one in self.axes if one.is_sampled), None)

    def quantiles(self, name: str, levels: Sequence[float] = (0.05, 0.5, 0.95)) -> np.ndarray:
        """Return quantiles of a result over the samples, or over all variants where nothing was sampled.

        Parameters
        ----------
        name
            Name of the column.
        levels
            Shares of the samples that lie below each quantile, from 0 to 1.

        Returns
        -------
        np.ndarray
            Levels x sizes of the other axes; NaN where all variants failed. Variants that failed are left
            out.

        Raises
        ------
        InputError
            If the column is not a number, or a level is outside 0 to 1.

        Examples
        --------
        >>> bridge = {"length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m"}
        >>> case = tr.Scenario.build("modes", modes=1, beam=bridge)
        >>> found = tr.sweep(case, {"beam.length": "uniform(10, 30 m)"}, samples=9)
        >>> found.table.quantiles("beam.length", [0.5]).round(-1)
        array([20.])
        """
        column = self.column(name)
        shares = np.atleast_1d(checks.finite_array("levels", levels))
        if not column.is_number:
            raise InputError(f'"{name}" is not a number in every variant; choose another column.')
        if shares.ndim != 1 or not np.all((shares >= 0.0) & (shares <= 1.0)):
            raise InputError(f"levels = {checks.shown(levels)} must lie between 0 and 1, in one list.")
        grid = self.samples is not None
        shape = [*(one.size for one in self.axes if not one.is_sampled), -1] if grid else [-1]
        return quantiles_of(column.numbers.reshape(shape), shares)

    @property
    def headlines(self) -> tuple[Column, ...]:
        """Results that are numbers and vary, in the order of their kind.

        Details of other results, and results that only repeat a varied value, are omitted.
        """
        found = (one for one in self.results if one.is_number and one.spread > HEADLINE and not one.detail)
        return tuple(one for one in found if not any(one.repeats(varied) for varied in self.varied))

    def text_rows(self, results: Sequence[Column]) -> tuple[list[str], list[list[str]]]:
        """Return header and rows for display: varied values, status and some of the `results`."""
        header = [*(c.label for c in self.varied), "status", *(c.label for c in results)]
        rows = [
            [*(c.text(row) for c in self.varied), self.status[row], *(c.figure(row) for c in results)]
            for row in range(len(self))
        ]
        return header, rows

    def __str__(self) -> str:
        return self._text(MOST_ROWS, MOST_SHOWN)

    def _text(self, most_rows: int, columns: int) -> str:
        shown = self.headlines[:columns] or self.results[:columns]
        header, rows = self.text_rows(shown)
        lines = [["", *header]]
        lines += [[name.partition("-")[0], *row] for name, row in zip(self.variants, rows, strict=True)]
        cut, lines = len(lines) - 1 - most_rows, lines[: most_rows + 1]
        wide = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
        texts = [
            "  ".join(
                [line[0].ljust(wide[0]), *(c.rjust(w) for c, w in zip(line[1:], wide[1:], strict=True))]
            )
            for line in lines
        ]
        return "\n".join([*texts, *([f"and {counted(cut, 'row')} more"] if cut > 0 else [])])

    def __repr__(self) -> str:
        texts = (self._text(FEW_ROWS, columns) for columns in range(MOST_SHOWN, 0, -1))
        return next((text for text in texts if len(text.partition("\n")[0]) <= WIDTH), self._headline())

    def _repr_html_(self) -> str:
        header, rows = self.text_rows(self.results)
        head = "".join(f"<th>{escaped(cell)}</th>" for cell in header)
        body = "".join(f"<tr>{''.join(f'<td>{escaped(cell)}</td>' for cell in row)}</tr>" for row in rows)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"<div style='overflow-x:auto'>{table}</div>{self._sketch()}"

    def _sketch(self) -> str:
        """The first result that varies over the first number that was varied."""
        along = next((one for one in self.varied if one.is_number and one.varies), None)
        if along is None or not self.headlines or len(set(along.values)) < len(along.values):
            return ""
        order, first = np.argsort(along.numbers), self.headlines[0]
        x = Variable("along", along.numbers[order], along.unit, along.name, ("along",))
        return sketch([x, data("first", first.numbers[order], first.unit, first.name, "along")], "first")

    def _arrange(self, words: Sequence[T], cell: Callable[[Column], T]) -> list[T]:
        """Content of each column: names, varied values, status, results."""
        variant, status, message = words
        return [variant, *map(cell, self.varied), status, *map(cell, self.results), message]

    def _headline(self) -> str:
        return f"{counted(len(self), 'variant')}, {counted(len(self.results), 'result')}"

    def _cells(self) -> list[list[Value]]:
        words: list[tuple[Value, ...]] = [self.variants, self.status, self.message]
        columns = self._arrange(words, lambda column: column.values)
        return [list(cells) for cells in zip(*columns, strict=True)]


@dataclass(frozen=True, repr=False)
class Sweep(Result):
    """Result of `tr.sweep`: runs of a scenario with different values of some keys.

    Printing it shows the table.
    """

    kind: str  #: kind of the scenario
    runs: tuple[Run, ...]  #: one for each variant, in the order of the table
    table: SweepTable  #: varied values and key figures
    folder: Path | None = None  #: its folder; None for a sweep in memory
    faults: tuple[str, ...] = ()  #: variants that failed by a fault of the program, not by their input
    go_on: str = ""  #: the command that resumes it

    @property
    def ok(self) -> bool:
        """Whether all variants are complete."""
        return self.status is RunStatus.DONE

    @property
    def status(self) -> RunStatus:
        """Done, failed if a variant failed, stopped or running if some are not complete."""
        found = {run.status for run in self.runs}
        if found <= {RunStatus.DONE}:
            return RunStatus.DONE
        if RunStatus.RUNNING in found:
            return RunStatus.RUNNING
        return RunStatus.FAILED if found <= {RunStatus.DONE, RunStatus.FAILED} else RunStatus.STOPPED

    @property
    def message(self) -> str:
        """Number of variants done, failures with causes and remedy, and how to resume."""
        done = any(run.ok for run in self.runs)
        advice = advise(self._failures, stored=self.folder is not None, some_done=done)
        return "; ".join(filter(None, (self._progress, advice)))

    @property
    def _failures(self) -> Failures:
        return find_failures(self.table.variants, self.runs)

    @property
    def _progress(self) -> str:
        """Number of variants done, failures and their causes, and how to resume."""
        total, done = len(self.runs), sum(run.ok for run in self.runs)
        failed = sum(map(len, self._failures.values()))
        parts = [f"{done} of {counted(total, 'variant')} done"]
        parts += [f"{failed} failed ({'; '.join(list_causes(self._failures))})"] if failed else []
        left = total - done - failed
        parts += [f"{left} left" + (f"; resume with: {self.go_on}" if self.go_on else "")] if left else []
        return "; ".join(parts)

    def __str__(self) -> str:
        place = "in memory only" if self.folder is None else str(self.folder)
        more = f"Sweep of {self.kind}: {self.status} ({self.message})"
        return "\n".join((more, *(f"  {line}" for line in str(self.table).splitlines()), f"  files: {place}"))

    def __repr__(self) -> str:
        return "\n".join((f"Sweep: {self._headline()}", *repr(self.table).splitlines()[:4]))

    @property
    def data(self) -> xarray.Dataset:
        """All results as a labelled dataset; the same as `to_xarray()`."""
        return self.to_xarray()

    def _variables(self) -> Iterable[Variable]:
        table = self.table
        if not table.axes:
            return table._variables()
        words = [Column("run_status", "", table.status), Column("run_message", "", table.message)]
        return declare_grid(table.axes, table.varied, table.results, words)

    def _columns(self, asked: str, variables: Sequence[Variable]) -> list[TableColumn]:
        return self.table._columns(asked, variables)

    def _headline(self) -> str:
        return f"{self.kind}, {self._progress}"

    def _repr_html_(self) -> str:
        words = f"Sweep of {self.kind}: {self.status} ({self.message})"
        return f"<div><p><strong>{escaped(words)}</strong></p>{self.table._repr_html_()}</div>"


def tabulate_runs(
    variants: Sequence[str], varied: Sequence[Column], runs: Sequence[Run], axes: Sequence[SweepAxis] = ()
) -> SweepTable:
    """The table of runs, with all key figures that any of them has."""
    named: dict[tuple[str, str, bool], list[Value]] = {}
    for row, run in enumerate(runs):
        main = ""
        for name, value, unit in run.key_figures:
            leans = name.startswith(LEANING)
            main = main if leans else name
            words = f"{main}, {name}" if leans else name
            named.setdefault((words, unit, leans), [math.nan] * len(runs))[row] = value
    results = [
        Column(name, unit, tuple(values), detail=leans) for (name, unit, leans), values in named.items()
    ]
    return SweepTable(
        tuple(variants),
        tuple(varied),
        tuple(results),
        tuple(str(run.status) for run in runs),
        tuple(run.message for run in runs),
        tuple(axes),
    )


def quantiles_of(values: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Quantiles along the last axis, levels first; values that are not numbers are left out."""
    found = np.full((shares.size, *values.shape[:-1]), np.nan)
    for place in np.ndindex(values.shape[:-1]):
        known = values[place][np.isfinite(values[place])]
        if known.size:
            found[(slice(None), *place)] = np.quantile(known, shares)
    return found


def find_failures(variants: Iterable[str], runs: Iterable[Run]) -> Failures:
    """Variants that failed, by their cause."""
    found: dict[str, list[str]] = {}
    for name, run in zip(variants, runs, strict=True):
        if run.status is RunStatus.FAILED:
            found.setdefault(run.message, []).append(name)
    return found


def list_causes(failures: Failures) -> list[str]:
    """Variants and their cause, one text for each cause."""
    causes = [f"{_name_some(names)}: {why}" for why, names in failures.items()]
    more = len(causes) - MOST_CAUSES
    return causes[:MOST_CAUSES] + ([f"and {counted(more, 'other cause')}, see the table"] if more > 0 else [])


def advise(failures: Failures, *, stored: bool, some_done: bool) -> str:
    """What to change so that the variants do not fail again; empty where none failed."""
    if not failures:
        return ""
    if not stored:
        return "change the scenario or the values of the variants that failed"
    words = "resuming repeats these errors: change the scenario or the values, and sweep "
    if some_done:
        return words + "into another folder (--out); --force starts failed variants again as they are"
    return words + "again with --force, which replaces this folder"


def _name_some(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {counted(more, 'other')}" if more > 0 else "")
