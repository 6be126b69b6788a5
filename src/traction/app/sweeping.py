"""A sweep on the command line: its progress for people, and its facts for programs."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from traction.results.run import Run
from traction.results.sweep import Sweep


def facts(sweep: Sweep, files: list[str]) -> dict[str, Any]:
    """What programs read of a sweep; numbers in SI, null where there is none."""
    table = sweep.table
    variants = [
        {
            "name": name,
            "folder": None if run.folder is None else str(run.folder),
            "status": str(run.status),
            "message": run.message,
            "values": {column.name: column.values[row] for column in table.varied},
            "key_figures": [
                {"name": figure, "value": _number(value), "unit": unit}
                for figure, value, unit in run.key_figures
            ],
        }
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


@contextmanager
def telling(
    silent: bool,
) -> Iterator[tuple[Callable[[float, int], None], Callable[[str, Run], None]]]:
    """A line for each variant that ended, and on a terminal a bar below them."""
    if silent:
        yield (lambda completed, total: None), (lambda name, run: None)
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield (
            (lambda completed, total: None),
            (lambda name, run: print(_ending(name, run), file=sys.stderr, flush=True)),
        )
        return
    columns = (TextColumn("sweeping"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("sweeping", total=None)
        yield (
            lambda completed, total: bar.update(task, completed=completed, total=total),
            lambda name, run: console.print(escape(_ending(name, run)), highlight=False, soft_wrap=True),
        )


def _ending(name: str, run: Run) -> str:
    """How a variant ended, in a line."""
    return f"{name}: {run.status}" + (f" ({run.message})" if run.message else "")


def _number(value: float | int | str | bool) -> float | int | str | bool | None:
    """A value that JSON has."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
