"""What a client receives about a sweep: its plan, and how many of its variants have ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from traction.errors import TractionError
from traction.printable import printable
from traction.results.storage.lock import is_being_written
from traction.results.sweeps.sweep_folder import FIGURES, PLAN, TABLE, Plan, read_failures, read_plan
from traction.results.sweeps.sweep_journal import JOURNAL, read_journal
from traction.studio.workspace.run_entry import (
    Facts,
    Remembered,
    created_at,
    describe_damaged,
    describe_place,
)
from traction.studio.workspace.workspace import Place, is_plain_file

KILLED = "the process of this sweep ended before it was complete (it was killed); resume it."
MOST_REMEMBERED = 200


class SweepCatalogue:
    """Reads plans and journals once for as long as they stay as they are."""

    def __init__(self) -> None:
        self._plans: Remembered[Plan] = Remembered(MOST_REMEMBERED)
        self._outcomes: Remembered[tuple[str, ...]] = Remembered(MOST_REMEMBERED)

    def describe(self, place: Place, states: Iterable[str]) -> Facts:
        """A sweep by its plan and the states of the runs in it; a damaged one is described as such."""
        try:
            plan = self._plans.read(place.path / PLAN, lambda: read_plan(place.path))
            ended = Counter(self._journal(place.path, plan) if plan.keep == FIGURES else states)
            ended["failed"] += len(read_failures(place.path))  # variants without a run
        except (TractionError, OSError) as error:
            damaged = describe_damaged(place, str(error))
            return {**damaged, "variants": 0, "done": 0, "failed": 0, "keep": ""}
        done, failed, total = ended["done"], ended["failed"], len(plan.variants)
        state = _judge(place.path, plan, ended)
        return {
            **describe_place(place, state, KILLED if state == "interrupted" else ""),
            "title": printable(plan.title),
            "kind": plan.kind,
            "keep": plan.keep,
            "variants": total,
            "done": done,
            "failed": failed,
            "progress": (done + failed) / total if total else 1.0,
            "seconds": 0.0,
            "can_delete": state != "running",
            "created": created_at(place.path / PLAN),
        }

    def _journal(self, folder: Path, plan: Plan) -> tuple[str, ...]:
        """How the variants ended."""
        if not is_plain_file(folder / JOURNAL):
            return ()

        def read() -> tuple[str, ...]:
            found = read_journal(folder, plan.kind, plan.scenarios).values()
            return tuple(str(one.status) for one in found)

        return self._outcomes.read(folder / JOURNAL, read)


def _judge(folder: Path, plan: Plan, ended: Counter[str]) -> str:
    """How the sweep stands. One that stops or ends writes its table; one that is killed does not."""
    if is_being_written(folder):
        return "running"
    if ended["done"] + ended["failed"] >= len(plan.variants):
        return "failed" if ended["failed"] else "done"
    if ended["interrupted"] or _is_older(folder / TABLE, folder / JOURNAL):
        return "interrupted"
    return "stopped"


def _is_older(table: Path, journal: Path) -> bool:
    """Whether the table was written before the last outcome, or never."""
    if not is_plain_file(table):
        return True
    return is_plain_file(journal) and journal.stat().st_mtime_ns > table.stat().st_mtime_ns
