"""What a client receives about a run: its manifest, and its job where this studio runs it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from traction.errors import TractionError
from traction.printable import printable, printable_lines
from traction.regular_files import read_regular
from traction.results.manifest import LIMIT, SCENARIO_LIMIT, Manifest, RunStatus
from traction.results.storage.container import read_bytes
from traction.results.storage.file_names import CHECKPOINT, CHECKPOINTS, MANIFEST, SCENARIO
from traction.results.storage.lock import is_being_written
from traction.results.storage.segments import numbered, read_checkpoint
from traction.studio.workspace.workspace import Place, is_plain_file

REPORT = "report.html"
KILLED = "the process of this run ended before the run was complete (it was killed); resume it."
MOST_REMEMBERED = 5000

Facts = dict[str, object]
Stamp = tuple[int, int]  #: time of the last change (ns) and size of a file
Content = TypeVar("Content")


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
        self._facts: Remembered[StoredFacts] = Remembered(MOST_REMEMBERED)

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
