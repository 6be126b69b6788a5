"""The warm-up on the command line: its progress for people, its facts for programs, and the cache."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from traction.app.warmup import WarmedUp


def describe_cache() -> dict[str, Any]:
    """The folder of compiled kernels, or None, with the number of signatures and bytes in it."""
    from traction.compiled.folder import cache_folder, measure_contents

    folder = cache_folder()
    signatures, size = (0, 0) if folder is None else measure_contents(folder)
    return {"folder": None if folder is None else str(folder), "signatures": signatures, "bytes": size}


@contextmanager
def tell_warmup(total: int, *, silent: bool) -> Iterator[Callable[[WarmedUp], None]]:
    """A bar on a terminal, a line for each call otherwise."""
    if silent:
        yield lambda outcome: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda outcome: print(_line(outcome), file=sys.stderr, flush=True)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("compiling", total=total)

        def tell(outcome: WarmedUp) -> None:
            bar.console.print(_line(outcome), markup=False, highlight=False)
            bar.advance(task)

        yield tell


def finish_warmup(outcomes: Sequence[WarmedUp]) -> tuple[dict[str, Any], str]:
    """What programs read of a warm-up, and what people do."""
    kept = describe_cache()
    failed = [outcome for outcome in outcomes if outcome.error]
    facts = {
        "calls": [{"name": outcome.name, "seconds": outcome.seconds} for outcome in outcomes],
        "failed": [{"name": outcome.name, "error": outcome.error} for outcome in failed],
        **kept,
    }
    lines = [f"not warmed up: {_line(outcome)}" for outcome in failed]
    if kept["folder"] is None:
        lines.append("nothing is kept: there is no folder that only you can write; set TRACTION_CACHE_DIR")
    else:
        lines.append(
            f"{kept['signatures']} compiled kernels, {kept['bytes'] / 1e6:.1f} MB in {kept['folder']}"
        )
    return facts, "\n".join(lines)


def _line(outcome: WarmedUp) -> str:
    return f"{outcome.name}: {outcome.error or f'{outcome.seconds:.1f} s'}"
