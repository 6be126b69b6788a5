"""Outcomes of the variants of a sweep that have no run folders: one file, one line for each variant.

A line is written when its variant has ended: a killed sweep loses none that was written, and a line that is
damaged or incomplete costs its variant only. Lines name their variant by the digest of its scenario. A line
with the versions of the program that ran the sweep stands before its lines: a sweep that is resumed has
several. A damaged line may have been one of these: versions of the lines after it are not known.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from traction.outputs.atomic import storage_error
from traction.printable import printable, printable_lines
from traction.results.manifest import KeyFigure, RunStatus, current_versions
from traction.results.run import Run
from traction.results.storage.container import read_bytes

JOURNAL = "outcomes.jsonl"
LIMIT = 1 << 30  #: bytes
SYNC_SECONDS = 1.0  #: between writes to the disk itself; a kill loses nothing that was written before
DIGEST = 16  #: characters
KNOWN = (RunStatus.DONE, RunStatus.FAILED)

Checks = tuple[tuple[str, bool], ...]  #: names of checks, and whether they are passed

Versions = dict[str, str]  #: of programs, by their names

_LINE = TypeAdapter(tuple[str, str, str, tuple[KeyFigure, ...], Checks])
_VERSIONS = TypeAdapter(Versions)


class Journal:
    """The file of outcomes, open for more of them."""

    def __init__(self, handle: int, path: Path) -> None:
        self._handle, self._path = handle, path
        self._synced = time.monotonic()
        self._versions_written = False

    def add(self, scenario: str, run: Run, checks: Checks = ()) -> None:
        """Write how the variant with this scenario ended; one that was stopped has not ended."""
        if run.status not in KNOWN:
            return
        if not self._versions_written:
            self._write_sealed(dict(current_versions()))
            self._versions_written = True
        self._write_sealed([_digest(scenario), str(run.status), run.message, run.key_figures, checks])
        if time.monotonic() > self._synced + SYNC_SECONDS:
            self.sync()

    def sync(self) -> None:
        """Wait until all lines are on the disk."""
        try:
            os.fsync(self._handle)
        except OSError as error:
            raise storage_error(error, self._path) from error
        self._synced = time.monotonic()

    def _write_sealed(self, content: list[object] | Versions) -> None:
        text = json.dumps(content)
        self._write(f"{_digest(text)} {text}\n".encode())

    def _write(self, line: bytes) -> None:
        try:
            while line:
                line = line[os.write(self._handle, line) :]
        except OSError as error:
            raise storage_error(error, self._path) from error


@contextmanager
def open_journal(folder: Path) -> Iterator[Journal]:
    """The journal in a folder; what a kill left of a last line is closed, so that it spoils no other."""
    path = folder / JOURNAL
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags, 0o666)
    except OSError as error:
        raise storage_error(error, path) from error
    try:
        journal = Journal(handle, path)
        if os.fstat(handle).st_size:
            os.lseek(handle, -1, os.SEEK_END)
            if os.read(handle, 1) != b"\n":
                journal._write(b"\n")
        yield journal
        journal.sync()
    finally:
        os.close(handle)


@dataclass(frozen=True)
class JournalOutcome:
    """How a variant ended, and the versions of the program that ran the sweep."""

    run: Run
    checks: Checks
    versions: Versions  #: empty where they are not known


def read_journal(folder: Path, kind: str, scenarios: Sequence[str]) -> dict[int, Run]:
    """Outcomes of the variants with these scenarios, by index; the last one where there are several."""
    return {number: outcome.run for number, outcome in read_outcomes(folder, kind, scenarios).items()}


def read_outcomes(folder: Path, kind: str, scenarios: Sequence[str]) -> dict[int, JournalOutcome]:
    """Outcomes with their checks and versions, likewise."""
    path = folder / JOURNAL
    if not path.is_file():
        return {}
    found: dict[str, JournalOutcome] = {}
    versions: Versions = {}
    for line in read_bytes(path, LIMIT).decode(errors="replace").splitlines():
        seal, _, text = line.partition(" ")
        if not text or seal != _digest(text):
            versions = {}
            continue
        versions = _read_versions(text) or versions
        outcome = _read_outcome(text, kind)
        if outcome is not None:
            found[outcome[0]] = JournalOutcome(*outcome[1:], versions)
    numbered = ((number, found.get(_digest(text))) for number, text in enumerate(scenarios))
    return {number: outcome for number, outcome in numbered if outcome is not None}


def _read_versions(text: str) -> Versions | None:
    """The versions of a line that has them."""
    try:
        found = _VERSIONS.validate_python(json.loads(text))
    except (ValueError, ValidationError):
        return None
    words = [*found, *found.values()]
    return found if all(word == printable(word) for word in words) else None


def _read_outcome(text: str, kind: str) -> tuple[str, Run, Checks] | None:
    """Digest of a scenario and its outcome; None where the line has none."""
    try:
        scenario, status, message, figures, checks = _LINE.validate_python(json.loads(text))
        ended = RunStatus(status)
    except (ValueError, ValidationError):
        return None
    words = [*(f"{name}{unit}" for name, _, unit in figures), *(name for name, _ in checks)]
    if ended not in KNOWN or any(text != printable(text) for text in words):
        return None
    return scenario, Run(ended, printable_lines(message), key_figures=figures, kind=kind), checks


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST]
