"""What a client receives about a sweep: its plan, and how many of its variants have ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from traction.errors import TractionError
from traction.printable import printable
from traction.results.storage.lock import is_being_written
from traction.results.sweeps.sweep_folder import FIGURES, PLAN, TABLE, Plan, read_failures, read_plan
from traction.results.sweeps.sweep_journal import JOURNAL, read_journal
from traction.studio.workspace.run_entry import REPORT, Facts, created_at, describe_damaged
from traction.studio.workspace.workspace import Place, is_plain_file

KILLED = "the process of this sweep ended before it was complete (it was killed); resume it."
MOST_REMEMBERED = 200

Stamp = tuple[int, int]


@dataclass(frozen=True)
class StoredPlan:
    """A plan, as long as its file stays the same."""

    stamp: Stamp
    plan: Plan


@dataclass(frozen=True)
class StoredOutcomes:
    """How many variants have ended how, as long as the journal stays the same."""

    stamp: Stamp
    states: tuple[str, ...]


class SweepCatalogue:
    """Reads plans and journals once for as long as they stay as they are."""

    def __init__(self) -> None:
        self._plans: dict[Path, StoredPlan] = {}
        self._outcomes: dict[Path, StoredOutcomes] = {}

    def describe(self, place: Place, states: Iterable[str]) -> Facts:
        """A sweep by its plan and the states of the runs in it; a damaged one is described as such."""
        try:
            plan = self._plan(place.path)
            ended = Counter(self._journal(place.path, plan) if plan.keep == FIGURES else states)
            ended["failed"] += len(read_failures(place.path))  # variants without a run
        except (TractionError, OSError) as error:
            damaged = describe_damaged(place, str(error))
            return {**damaged, "variants": 0, "done": 0, "failed": 0, "keep": ""}
        done, failed, total = ended["done"], ended["failed"], len(plan.variants)
        state = _judge(place.path, plan, ended)
        return {
            "id": place.key,
            "name": printable(place.path.name),
            "title": printable(plan.title),
            "kind": plan.kind,
            "keep": plan.keep,
            "variants": total,
            "done": done,
            "failed": failed,
            "state": state,
            "progress": (done + failed) / total if total else 1.0,
            "message": KILLED if state == "interrupted" else "",
            "phase": "",
            "seconds_left": None,
            "seconds": 0.0,
            "report": "ready" if is_plain_file(place.path / REPORT) else "none",
            "can_stop": False,
            "can_resume": state in ("stopped", "interrupted", "failed"),
            "can_delete": state != "running",
            "pid": None,
            "created": created_at(place.path / PLAN),
        }

    def _plan(self, folder: Path) -> Plan:
        stamp, known = _stamp(folder / PLAN), self._plans.get(folder)
        if known is None or known.stamp != stamp:
            if len(self._plans) > MOST_REMEMBERED:
                self._plans.clear()
            known = self._plans[folder] = StoredPlan(stamp, read_plan(folder))
        return known.plan

    def _journal(self, folder: Path, plan: Plan) -> tuple[str, ...]:
        if not is_plain_file(folder / JOURNAL):
            return ()
        stamp, known = _stamp(folder / JOURNAL), self._outcomes.get(folder)
        if known is None or known.stamp != stamp:
            if len(self._outcomes) > MOST_REMEMBERED:
                self._outcomes.clear()
            found = read_journal(folder, plan.kind, plan.scenarios).values()
            known = self._outcomes[folder] = StoredOutcomes(stamp, tuple(str(one.status) for one in found))
        return known.states


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


def _stamp(path: Path) -> Stamp:
    status = path.stat()
    return status.st_mtime_ns, status.st_size
