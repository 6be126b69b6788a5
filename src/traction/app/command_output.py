"""What commands show: progress and tables for people, facts for programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

if TYPE_CHECKING:
    from traction.app.check import Verdict
    from traction.app.warmup import WarmedUp
    from traction.results.run import Run
    from traction.results.sweep import Sweep

WIDE = 170  #: columns that hold the whole table of verification
UNBOUNDED = 1000  #: columns of a file

Facts = dict[str, object]  #: what programs read, as JSON
Show = Callable[[float, int], None]  #: takes what is completed, and the total
Tell = Callable[[str], None]


@contextmanager
def show_progress(words: str, *, silent: bool, counting: bool = False) -> Iterator[tuple[Show, Tell]]:
    """How far work is, and lines about it: a bar below the lines on a terminal, otherwise the lines.

    Where there is no terminal, `counting` adds a line for each tenth that is completed.
    """
    console = Console(stderr=True, quiet=silent)

    def tell(line: str) -> None:
        console.print(line, markup=False, highlight=False, soft_wrap=True)

    if silent or not console.is_terminal:
        yield _count_tenths(tell) if counting else (lambda completed, total: None), tell
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(words, total=None)
        yield lambda completed, total: bar.update(task, completed=completed, total=total), tell


def _count_tenths(tell: Tell) -> Show:
    shown = -1

    def show(completed: float, total: int) -> None:
        nonlocal shown
        tenth = int(10 * completed // max(total, 1))
        if tenth > shown:
            shown = tenth
            tell(f"{completed} of {total}")

    return show


def describe_run(run: Run) -> Facts:
    """What programs read of a run; numbers in SI, null where there is none."""
    return {
        "status": str(run.status),
        "message": run.message,
        "folder": None if run.folder is None else str(run.folder),
        "key_figures": [
            {"name": name, "value": _plain(value), "unit": unit} for name, value, unit in run.key_figures
        ],
    }


def describe_sweep(sweep: Sweep, files: list[str]) -> Facts:
    """What programs read of a sweep."""
    table = sweep.table
    variants = [
        {"name": name, **describe_run(run), "values": {one.name: one.values[row] for one in table.varied}}
        for row, (name, run) in enumerate(zip(table.variants, sweep.runs, strict=True))
    ]
    return {
        "status": str(sweep.status),
        "ok": sweep.ok,
        "message": sweep.message,
        "folder": str(sweep.folder),
        "kind": sweep.kind,
        "varied": [{"key": column.name, "unit": column.unit} for column in table.varied],
        "variants": variants,
        "files": files,
    }


def tell_ending(name: str, run: Run) -> str:
    """How a variant ended, in a line."""
    return f"{name}: {run.status}" + (f" ({run.message})" if run.message else "")


def describe_cache() -> tuple[Facts, str]:
    """The folder of compiled kernels, or none, how many it holds and how large they are; and in words."""
    from traction.compiled.folder import cache_folder, measure_contents

    folder = cache_folder()
    if folder is None:
        words = "not kept, as there is no folder that only you can write; set TRACTION_CACHE_DIR"
        return {"folder": None, "signatures": 0, "bytes": 0}, words
    signatures, size = measure_contents(folder)
    facts = {"folder": str(folder), "signatures": signatures, "bytes": size}
    return facts, f"{signatures}, {size / 1e6:.1f} MB in {folder}"


def tell_call(outcome: WarmedUp) -> str:
    """How a first call went, in a line."""
    return f"{outcome.name}: {outcome.error or f'{outcome.seconds:.1f} s'}"


def describe_warmup(outcomes: Sequence[WarmedUp]) -> tuple[Facts, str]:
    """What programs read of a warm-up, and what people do."""
    kept, words = describe_cache()
    failed = [outcome for outcome in outcomes if outcome.error]
    facts = {
        "calls": [{"name": outcome.name, "seconds": outcome.seconds} for outcome in outcomes],
        "failed": [{"name": outcome.name, "error": outcome.error} for outcome in failed],
        **kept,
    }
    lines = [f"not warmed up: {tell_call(outcome)}" for outcome in failed]
    return facts, "\n".join([*lines, f"compiled kernels: {words}"])


def describe_verdict(verdict: Verdict) -> Facts:
    """A row of `traction verify`."""
    check = verdict.check
    return {
        "case": check.name,
        "quantity": check.quantity,
        "source": check.source,
        "expected": check.expected,
        "computed": _plain(verdict.computed),
        "error": _plain(verdict.error),
        "tolerance": check.tolerance,
        "passed": bool(verdict.passed),
    }


def print_verdicts(verdicts: Sequence[Verdict]) -> None:
    """A table as wide as the terminal; a narrow one leaves out what can be done without."""
    console = Console()
    console = console if console.is_terminal else Console(width=UNBOUNDED)
    names = ["case", "quantity", "error", "tolerance", "verdict"]
    if console.width >= WIDE:
        names[2:2] = ["source", "expected", "computed"]
    table = Table()
    for name in names:
        table.add_column(name, no_wrap=True)
    for verdict in verdicts:
        check, known = verdict.check, math.isfinite(verdict.computed)
        shown = {
            "case": check.name,
            "quantity": check.quantity,
            "source": check.source,
            "expected": f"{check.expected:.9g}",
            "computed": f"{verdict.computed:.9g}" if known else "none",
            "error": f"{verdict.error:.1e}" if known else "none",
            "tolerance": f"{check.tolerance:g}",
            "verdict": "[green]passed[/]" if verdict.passed else "[red]MISSED[/]",
        }
        table.add_row(*(shown[name] for name in names))
    console.print(table)


def _plain(value: float | int | str | bool) -> float | int | str | bool | None:
    """A value that JSON has."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
