"""Runs that wait, kept in the workspace: the next studio there finds them, however this one ends.

    .traction-studio/NAME/queue.json    orders of one studio that wait
    .traction-studio/NAME/lock          held while that studio lives

Each studio has a folder of its own, made when something waits; those of studios that have ended are taken
over.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from secrets import token_hex

from pydantic import TypeAdapter, ValidationError

from traction.errors import TractionError
from traction.outputs.atomic import write_atomic
from traction.regular_files import read_regular
from traction.results.storage.lock import sole_writer

ROOM, FILE = ".traction-studio", "queue.json"
LIMIT = 1 << 28  #: bytes of a file
MOST_STUDIOS = 100  #: that have ended and whose orders are taken over


@dataclass(frozen=True)
class WaitingOrder:
    """What a process is to do, and where."""

    place: tuple[str, ...]  #: names of the folder below the workspace
    order: dict[str, object]  #: without the folder
    words: dict[str, str]


_ORDERS = TypeAdapter(list[WaitingOrder])


class QueueFile:
    """The orders of this studio that wait."""

    def __init__(self, workspace: Path) -> None:
        self._room = workspace / ROOM
        self._own = self._room / f"{os.getpid()}-{token_hex(4)}"
        self._lock = ExitStack()

    def take_over(self) -> list[WaitingOrder]:
        """Orders that waited when other studios ended; from now on they are this one's."""
        found: list[WaitingOrder] = []
        with suppress(OSError):
            for folder in sorted(self._room.iterdir())[:MOST_STUDIOS]:
                if folder.is_dir() and not folder.is_symlink():
                    found += _empty(folder)
        return found

    def keep(self, waiting: Sequence[WaitingOrder]) -> None:
        """Keep these orders; a disk that cannot be written only loses them with the studio."""
        with suppress(TractionError, OSError):
            if not waiting:
                self._remove()
                return
            if not self._own.is_dir():
                self._own.mkdir(parents=True)
                self._lock.enter_context(sole_writer(self._own))
            data = json.dumps([asdict(one) for one in waiting]).encode()
            write_atomic(self._own / FILE, data)

    def close(self) -> None:
        """Leave what waits to the next studio."""
        self._lock.close()

    def _remove(self) -> None:
        self._lock.close()
        if self._own.is_dir():
            shutil.rmtree(self._own)
            _leave_room(self._room)


def _empty(folder: Path) -> list[WaitingOrder]:
    """Orders in the folder of a studio that has ended; none of one that lives, or where they are damaged."""
    found: list[WaitingOrder] = []
    with suppress(TractionError, OSError):
        with sole_writer(folder):
            with suppress(OSError, ValidationError):
                found = _ORDERS.validate_json(read_regular(folder / FILE, LIMIT))
            (folder / FILE).unlink(missing_ok=True)
        shutil.rmtree(folder)
        _leave_room(folder.parent)
    return found


def _leave_room(room: Path) -> None:
    """Remove the folder of all studios where none is left."""
    with suppress(OSError):
        room.rmdir()
