"""What a client receives about a run or a sweep: what is stored of it, and how many variants have ended."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from traction.errors import TractionError
from traction.printable import printable, printable_lines
from traction.regular_files import read_regular
from traction.results.manifest import LIMIT, SCENARIO_LIMIT, Manifest, RunStatus
from traction.results.storage.container import read_bytes
from traction.results.storage.run_files import CHECKPOINT, CHECKPOINTS, MANIFEST, SCENARIO, is_being_written
from traction.results.storage.segments import numbered, read_checkpoint
from traction.results.sweeps.sweep_folder import (
    FIGURES,
    JOURNAL,
    PLAN,
    TABLE,
    Plan,
    read_failures,
    read_journal,
    read_plan,
)
from traction.studio.workspace.workspace import Place, is_plain_file

REPORT = "report.html"
KILLED = "the process of this run ended before the run was complete (it was killed); resume it."
MOST_RUNS, MOST_SWEEPS = 5000, 200  #: that are remembered

Facts = dict[str, object]
Stamp = tuple[int, int]  #: time of the last change (ns) and size of a file
Content = TypeVar("Content")
SWEEP_KILLED = "the process of this sweep ended before it was complete (it was killed); resume it."


class Remembered(Generic[Content]):
    """What was read from files, as long as they stay the same; at most `most` of them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[Path, tuple[Stamp, Content]] = {}

    def read(self, path: Path, read: Callable[[], Content]) -> Content:
        """What was read from a file before, or what `read` returns now."""
        status = path.stat()
        stamp, known = (status.st_mtime_ns, status.st_size), self._known.get(path)
        if known is None or known[0] != stamp:
            known = (stamp, read())
            if len(self._known) > self._most:
                self._known.clear()
            self._known[path] = known
        return known[1]


@dataclass(frozen=True)
class StoredFacts:
    """What the files of a run say."""

    manifest: Manifest
    title: str
    samples: int


class RunCatalogue:
    """Reads manifests once for as long as they stay as they are."""

    def __init__(self) -> None:
        self._facts: Remembered[StoredFacts] = Remembered(MOST_RUNS)

    def describe(self, place: Place) -> Facts:
        """A run as its files say; damaged ones are described as such."""
        try:
            return _describe(place, self._facts.read(place.path / MANIFEST, lambda: _read_facts(place.path)))
        except (TractionError, OSError) as error:
            return describe_damaged(place, str(error))

    def state_of(self, place: Place) -> str:
        """How the run in a folder stands."""
        return str(self.describe(place)["state"])


def _read_facts(folder: Path) -> StoredFacts:
    path = folder / MANIFEST
    manifest = Manifest.from_bytes(read_bytes(path, LIMIT), printable(path.name))
    return StoredFacts(manifest, _read_title(folder), _count_samples(folder, manifest))


def _describe(place: Place, stored: StoredFacts) -> Facts:
    manifest = stored.manifest
    state, message = str(manifest.status), manifest.message
    busy = manifest.status is RunStatus.RUNNING
    if busy and not is_being_written(place.path):
        state, message, busy = str(RunStatus.INTERRUPTED), KILLED, False
    samples = _count_samples(place.path, manifest) if state in ("running", "interrupted") else stored.samples
    share = samples / manifest.total if manifest.total else 0.0
    return {
        **describe_place(place, state, message),
        "title": stored.title or printable(place.path.name),
        "kind": manifest.kind,
        "progress": 1.0 if state == "done" else min(share, 0.99),
        "seconds": manifest.timings.get("run", 0.0),
        "samples": samples,
        "total": manifest.total,
        "can_delete": place.sweep is None and not busy,
        "created": manifest.created,
        "updated": manifest.updated,
        "sweep": place.sweep,
    }


def describe_place(place: Place, state: str, message: str) -> Facts:
    """What there is of every run and sweep whose process is not one of this studio."""
    return {
        "id": place.key,
        "name": printable(place.path.name),
        "state": state,
        "message": printable_lines(message),
        "phase": "",
        "seconds_left": None,
        "report": "ready" if is_plain_file(place.path / REPORT) else "none",
        "can_stop": False,
        "can_resume": state in ("stopped", "interrupted", "failed"),
        "pid": None,
    }


def describe_damaged(place: Place, sentence: str) -> Facts:
    """A folder whose files cannot be read."""
    created = created_at(place.path)
    return {
        **describe_place(place, "failed", sentence),
        "title": printable(place.path.name),
        "kind": "",
        "progress": 0.0,
        "seconds": 0.0,
        "samples": 0,
        "total": 0,
        "report": "none",
        "can_resume": False,
        "can_delete": place.sweep is None,
        "created": created,
        "updated": created,
        "sweep": place.sweep,
    }


def _count_samples(folder: Path, manifest: Manifest) -> int:
    """Samples before the newest checkpoint; a complete run has all of them."""
    if manifest.status is RunStatus.DONE:
        return manifest.total
    try:
        states = numbered(folder / CHECKPOINTS, CHECKPOINT)
        return read_checkpoint(states[max(states)], manifest.run)[0] if states else 0
    except (TractionError, OSError):
        return 0


def _read_title(folder: Path) -> str:
    try:
        text = read_regular(folder / SCENARIO, SCENARIO_LIMIT).decode("utf-8")
        # the title stands above the tables, which may hold many numbers
        return printable(str(tomllib.loads(text.partition("\n[")[0]).get("title", "")))
    except (OSError, ValueError, RecursionError):
        return ""


def created_at(path: Path) -> str:
    """When a folder was last changed, where nothing else tells its age."""
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    except OSError:
        return ""


class SweepCatalogue:
    """Reads plans and journals once for as long as they stay as they are."""

    def __init__(self) -> None:
        self._plans: Remembered[Plan] = Remembered(MOST_SWEEPS)
        self._outcomes: Remembered[tuple[str, ...]] = Remembered(MOST_SWEEPS)

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
            **describe_place(place, state, SWEEP_KILLED if state == "interrupted" else ""),
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
