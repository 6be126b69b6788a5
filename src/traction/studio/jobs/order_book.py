"""Orders kept in the workspace from before they are acknowledged until they are done.

    .traction-studio/NAME/000001.json   an order of one studio
    .traction-studio/NAME/lock          held while that studio lives

Each studio has a folder of its own, made with its first order; the orders of studios that have ended, however
they did, are taken over by the next one.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from secrets import token_hex

from pydantic import TypeAdapter, ValidationError

from traction.errors import TractionError
from traction.outputs.atomic import storage_error, sync_folder, write_atomic
from traction.regular_files import read_regular
from traction.results.storage.lock import sole_writer
from traction.studio.jobs.run_job import RunJob

ROOM, ENDING = ".traction-studio", ".json"
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
        self._own = self._room / f"{os.getpid()}-{token_hex(4)}"
        self._lock = ExitStack()
        self._numbers = itertools.count(1)
        self._files: dict[str, Path] = {}

    def enter(self, job: RunJob) -> None:
        """Keep an order; it is on the disk when this returns."""
        order = {name: value for name, value in job.order.items() if name != "folder"}
        kept = KeptOrder(job.folder.relative_to(self._workspace).parts, order, job.words)
        file = self._next_file()
        write_atomic(file, json.dumps(asdict(kept)).encode())
        self._files[job.key] = file

    def strike(self, key: str) -> None:
        """Forget an order that is done; one whose file cannot be deleted is met again by the next studio."""
        file = self._files.pop(key, None)
        if file is not None:
            self.discard(file)

    def take_over(self) -> dict[Path, KeptOrder]:
        """Orders of studios that have ended, by their files, which are this studio's from now on."""
        found: dict[Path, KeptOrder] = {}
        with suppress(OSError):
            for folder in sorted(self._room.iterdir())[:MOST_STUDIOS]:
                if folder.is_dir() and not folder.is_symlink() and folder != self._own:
                    with suppress(TractionError, OSError):  # another studio lives there, or takes it over
                        self._empty(folder, found)
        return found

    def adopt(self, key: str, file: Path) -> None:
        """The order in a file that was taken over is that of this run."""
        self._files[key] = file

    def discard(self, file: Path) -> None:
        """Delete the file of an order, and the folder with its last one."""
        with suppress(OSError):
            file.unlink(missing_ok=True)
            if not any(one.suffix == ENDING for one in self._own.iterdir()):
                self._lock.close()
                shutil.rmtree(self._own)
                self._leave_room()

    def close(self) -> None:
        """Leave what is not done to the next studio."""
        self._lock.close()

    def _next_file(self) -> Path:
        """A new name in the folder of this studio, which is made where it is missing."""
        try:
            if not self._own.is_dir():
                self._own.mkdir(parents=True)
                self._lock.enter_context(sole_writer(self._own))
                sync_folder(self._room)
                sync_folder(self._workspace)
        except OSError as error:
            raise storage_error(error, self._own) from error
        return self._own / f"{next(self._numbers):06d}{ENDING}"

    def _empty(self, folder: Path, found: dict[Path, KeptOrder]) -> None:
        """Move the orders of a studio that has ended here, one by one: at every moment each is somewhere."""
        with sole_writer(folder):
            for old in sorted(folder.glob(f"*{ENDING}")):
                kept = _read(old)
                if kept is not None:
                    file = self._next_file()
                    old.rename(file)
                    found[file] = kept
        shutil.rmtree(folder)
        self._leave_room()

    def _leave_room(self) -> None:
        """Remove the folder of all studios where none is left."""
        with suppress(OSError):
            self._room.rmdir()


def _read(file: Path) -> KeptOrder | None:
    """The order in a file; None where it is damaged."""
    try:
        return _ORDER.validate_json(read_regular(file, LIMIT))
    except (OSError, ValidationError):
        return None
