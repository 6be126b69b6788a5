"""What a client receives about a run: its manifest, and its job where this studio runs it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

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


@dataclass(frozen=True)
class StoredFacts:
    """What the files of a run say, as long as its manifest stays the same."""

    stamp: tuple[int, int]
    manifest: Manifest
    title: str
    samples: int


class RunCatalogue:
    """Reads manifests once for as long as they stay as they are."""

    def __init__(self) -> None:
        self._read: dict[Path, StoredFacts] = {}

    def describe(self, place: Place) -> Facts:
        """A run as its files say; damaged ones are described as such."""
        try:
            stored = self._stored(place)
            return _describe(place, stored)
        except (TractionError, OSError) as error:
            return describe_damaged(place, str(error))

    def state_of(self, place: Place) -> str:
        """How the run in a folder stands."""
        return str(self.describe(place)["state"])

    def _stored(self, place: Place) -> StoredFacts:
        path = place.path / MANIFEST
        status = path.stat()
        stamp = status.st_mtime_ns, status.st_size
        known = self._read.get(path)
        if known is not None and known.stamp == stamp:
            return known
        manifest = Manifest.from_bytes(read_bytes(path, LIMIT), printable(path.name))
        found = StoredFacts(stamp, manifest, _read_title(place.path), _count_samples(place.path, manifest))
        if len(self._read) > MOST_REMEMBERED:
            self._read.clear()
        self._read[path] = found
        return found


def _describe(place: Place, stored: StoredFacts) -> Facts:
    manifest = stored.manifest
    state, message = str(manifest.status), manifest.message
    busy = manifest.status is RunStatus.RUNNING
    if busy and not is_being_written(place.path):
        state, message, busy = str(RunStatus.INTERRUPTED), KILLED, False
    samples = _count_samples(place.path, manifest) if state in ("running", "interrupted") else stored.samples
    share = samples / manifest.total if manifest.total else 0.0
    return {
        "id": place.key,
        "name": printable(place.path.name),
        "title": stored.title or printable(place.path.name),
        "kind": manifest.kind,
        "state": state,
        "progress": 1.0 if state == "done" else min(share, 0.99),
        "message": printable_lines(message),
        "phase": "",
        "seconds_left": None,
        "seconds": manifest.timings.get("run", 0.0),
        "samples": samples,
        "total": manifest.total,
        "report": "ready" if is_plain_file(place.path / REPORT) else "none",
        "can_stop": False,
        "can_resume": state in ("stopped", "interrupted", "failed"),
        "can_delete": place.sweep is None and not busy,
        "pid": None,
        "created": manifest.created,
        "updated": manifest.updated,
        "sweep": place.sweep,
    }


def describe_damaged(place: Place, sentence: str) -> Facts:
    """A folder whose files cannot be read."""
    return {
        "id": place.key,
        "name": printable(place.path.name),
        "title": printable(place.path.name),
        "kind": "",
        "state": "failed",
        "progress": 0.0,
        "message": printable_lines(sentence),
        "phase": "",
        "seconds_left": None,
        "seconds": 0.0,
        "samples": 0,
        "total": 0,
        "report": "none",
        "can_stop": False,
        "can_resume": False,
        "can_delete": place.sweep is None,
        "pid": None,
        "created": created_at(place.path),
        "updated": created_at(place.path),
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
