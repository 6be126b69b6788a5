"""Orders kept in the workspace from before they are acknowledged until they are done.

    .traction-studio/NAME/000001.json   an order of one studio
    .traction-studio/NAME.lock          held while that studio lives

Each studio has a folder of its own, made with its first order; the orders of studios that have ended, however
they did, are taken over by the next one. The lock is held before the folder is made and until it is removed,
so whoever gets the lock of a folder knows that its studio has ended.
"""

from __future__ import annotations

import itertools
import json
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from secrets import token_hex

from pydantic import TypeAdapter, ValidationError

from traction.errors import StorageError
from traction.file_locks import open_lock, take_lock
from traction.outputs.atomic import remove_unfinished, storage_error, sync_folder, write_atomic
from traction.regular_files import read_regular
from traction.studio.jobs.run_job import RunJob

ROOM, ENDING, LOCK = ".traction-studio", ".json", ".lock"
FOLDER = re.compile(r"[0-9]+-[0-9a-f]{8}")  #: name of the folder of a studio
LIMIT = 1 << 26  #: bytes of a file
MOST_STUDIOS = 100  #: that have ended and whose orders are taken over


@dataclass(frozen=True)
class KeptOrder:
    """What a process is to do, and where."""

    place: tuple[str, ...]  #: names of the folder below the workspace
    order: dict[str, object]  #: without the folder
    words: dict[str, str]


_ORDER = TypeAdapter(KeptOrder)


class OrderBook:
    """The orders of this studio that are not done."""

    def __init__(self, workspace: Path) -> None:
        self._workspace, self._room = workspace, workspace / ROOM
        self._own: Path | None = None  # a folder whose lock is held
        self._lock = ExitStack()
        self._numbers = itertools.count(1)
        self._files: dict[str, Path] = {}

    def enter(self, job: RunJob) -> None:
        """Keep an order; it is on the disk when this returns."""
        order = {name: value for name, value in job.order.items() if name != "folder"}
        kept = KeptOrder(self._place_of(job.folder), order, job.words)
        file = self._next_file()
        write_atomic(file, json.dumps(asdict(kept)).encode())
        self._files[job.key] = file

    def strike(self, key: str) -> None:
        """Forget an order that is done; one whose file cannot be deleted is met again by the next studio."""
        file = self._files.pop(key, None)
        if file is not None:
            self.discard(file)

    def withdraw(self, folder: Path) -> None:
        """Delete what studios that have ended left to do in a folder: its user has decided otherwise."""
        place = self._place_of(folder)
        for left in self._left_folders():
            for file, kept in _orders(left):
                if kept.place == place:
                    with suppress(OSError):
                        file.unlink()

    def take_over(self) -> dict[Path, KeptOrder]:
        """Orders of studios that have ended, oldest first, by their files, which are now this studio's."""
        found: list[tuple[int, Path, KeptOrder]] = []
        for left in self._left_folders():
            for old, kept in _orders(left):
                with suppress(StorageError, OSError):  # it stays where it is
                    entered = old.stat().st_mtime_ns
                    file = self._next_file()
                    old.rename(file)  # at every moment it is somewhere
                    found.append((entered, file, kept))
        self._leave_if_empty()
        return {file: kept for _, file, kept in sorted(found, key=lambda one: one[0])}

    def adopt(self, key: str, file: Path) -> None:
        """The order in a file that was taken over is that of this run."""
        self._files[key] = file

    def discard(self, file: Path) -> None:
        """Delete the file of an order, and the folder with its last one."""
        with suppress(OSError):
            file.unlink(missing_ok=True)
            self._leave_if_empty()

    def close(self) -> None:
        """Leave what is not done to the next studio."""
        self._lock.close()
        self._own = None

    def _place_of(self, folder: Path) -> tuple[str, ...]:
        return folder.relative_to(self._workspace).parts

    def _next_file(self) -> Path:
        """A new name in the folder of this studio, which is made where there is none."""
        if self._own is None:
            self._own = self._move_in()
        return self._own / f"{next(self._numbers):06d}{ENDING}"

    def _move_in(self) -> Path:
        """Make a folder of this studio."""
        own = self._room / f"{os.getpid()}-{token_hex(4)}"
        try:
            try:
                self._lock = self._make(own)
            except FileNotFoundError:  # another studio, the last one, has just removed the room
                self._lock = self._make(own)
        except OSError as error:
            raise storage_error(error, own) from error
        return own

    def _make(self, own: Path) -> ExitStack:
        """Make a folder under its lock, which is returned; where that fails, nothing of it stays."""
        with ExitStack() as undo:
            self._room.mkdir(exist_ok=True)
            if self._room.is_symlink():
                raise StorageError(f"{self._room} is a link, not a folder. Remove it, it is made anew.")
            undo.callback(self._leave_room)
            undo.callback(_lock_of(own).unlink, missing_ok=True)
            lock = undo.enter_context(ExitStack())
            if not lock.enter_context(_locked(own)):
                raise StorageError(f"{_lock_of(own)} is held by another process. Try again.")
            own.mkdir()
            undo.callback(own.rmdir)
            sync_folder(self._room)
            sync_folder(self._workspace)
            undo.pop_all()
        return lock

    def _leave_if_empty(self) -> None:
        """Remove the folder of this studio without orders; its lock is held as long as it is there."""
        if self._own is not None:
            with suppress(OSError):
                self._own.rmdir()
                lock, self._own = _lock_of(self._own), None
                self._lock.close()
                lock.unlink()
                self._leave_room()

    def _left_folders(self) -> Iterator[Path]:
        """Folders of studios that have ended, each locked in its turn, and removed where no order is left."""
        for folder in self._list_folders():
            with suppress(OSError):
                with _locked(folder) as held:
                    if not held:  # its studio lives, or another one takes it over
                        continue
                    yield folder
                    remove_unfinished(folder)
                    with suppress(FileNotFoundError):  # another studio was quicker
                        folder.rmdir()
                _lock_of(folder).unlink()
        self._leave_room()

    def _list_folders(self) -> list[Path]:
        """Folders that studios have made; links are not followed, and what is not theirs is not touched."""
        if not _is_plain_folder(self._room):
            return []
        with suppress(OSError):
            found = [one for one in self._room.iterdir() if FOLDER.fullmatch(one.name) and one != self._own]
            return sorted(filter(_is_plain_folder, found))[:MOST_STUDIOS]
        return []

    def _leave_room(self) -> None:
        """Remove the folder of all studios where none is left."""
        with suppress(OSError):
            self._room.rmdir()


def _orders(folder: Path) -> list[tuple[Path, KeptOrder]]:
    """Orders in a folder by their files. Damaged ones are deleted, those that cannot be read now are left."""
    found: list[tuple[Path, KeptOrder]] = []
    try:
        files = sorted(one for one in folder.iterdir() if one.suffix == ENDING and not one.is_symlink())
    except OSError:
        return found
    for file in files:
        with suppress(OSError):
            try:
                found.append((file, _ORDER.validate_json(read_regular(file, LIMIT))))
            except ValidationError:
                file.unlink()
    return found


def _is_plain_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _lock_of(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}{LOCK}")


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Hold the lock of a folder; whether no other process does."""
    handle = open_lock(_lock_of(folder), make=True)
    try:
        yield take_lock(handle)
    finally:
        os.close(handle)
