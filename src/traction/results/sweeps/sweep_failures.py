"""Variants of a sweep that failed: which, why, and what to change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from traction.quantities import counted
from traction.results.manifest import RunStatus
from traction.results.run import Run

MOST_NAMED = 3  #: variants that failed by one cause
MOST_CAUSES = 5  #: that are listed

Failures = Mapping[str, Sequence[str]]  #: names of variants, by the cause


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
