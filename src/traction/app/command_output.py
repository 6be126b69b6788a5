"""What commands show: progress and tables for people, facts for programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from traction.app.progress_bar import Show, show_work
from traction.results.manifest import RunStatus

if TYPE_CHECKING:
    from traction.app.verification import Verdict
    from traction.app.warmup import WarmedUp
    from traction.results.run import Run
    from traction.results.sweeps.sweep import Sweep

Facts = dict[str, object]  #: what programs read, as JSON
Tell = Callable[[str], None]


@contextmanager
def show_progress(words: str, *, silent: bool, counting: bool = False) -> Iterator[tuple[Show, Tell]]:
    """How far work of a single phase is, and lines about it: a bar on a terminal, otherwise the lines."""
    with show_work(silent=silent, phases={words: 0.0}, unit="", counting=counting) as work:
        yield work.show, work.tell


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


def tell_failure(tell: Tell, name: str, run: Run) -> None:
    """Tell of a variant that failed, and why; the others are only counted."""
    if run.status is RunStatus.FAILED:
        tell(f"{name}: failed ({run.message})")


def describe_cache() -> tuple[Facts, str]:
    """The folder of compiled kernels, or none, how many it holds and how large they are; and in words."""
    from traction.compiled.kernel_folder import cache_folder, measure_contents

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


def _plain(value: float | int | str | bool) -> float | int | str | bool | None:
    """A value that JSON has."""
    return None if isinstance(value, float) and not math.isfinite(value) else value
