"""Making a run folder: one that holds something else is refused, one whose start was killed is cleared.

A start makes the folders, then `static.bin`, the scenario and last the manifest. A process that is killed
before the manifest leaves a folder that is no run; the next start recognises what lies there and clears it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from traction.errors import InputError, TractionError
from traction.outputs.atomic import (
    WRITING,
    remove_unfinished,
    storage_error,
    sync_folder,
    write_atomic,
)
from traction.results.storage.file_names import CHECKPOINTS, MANIFEST, SCENARIO, SEGMENTS, STATIC
from traction.results.storage.lock import LOCK, sole_writer

FOLDERS = (SEGMENTS, CHECKPOINTS)


def is_free(place: Path) -> bool:
    """Whether a run can be started there: nothing, an empty folder, or what a killed start has left."""
    if not place.exists() and not place.is_symlink():
        return True
    return place.is_dir() and _is_left_by_start(place)


def _is_left_by_start(place: Path) -> bool:
    """Whether the folder holds only what a start makes before its manifest, in that order."""
    try:
        names = {name for name in os.listdir(place) if name != LOCK and not name.startswith(WRITING)}
        folders = names & {*FOLDERS}
        if any((place / name).is_symlink() or os.listdir(place / name) for name in folders):
            return False
    except OSError:
        return False
    files = names - folders
    if not files:
        return True
    return folders == {*FOLDERS} and (files == {STATIC} or files == {STATIC, SCENARIO})


@contextmanager
def claim_new(place: Path) -> Iterator[None]:
    """Hold the folder of a new run while it is made; a folder made in vain is removed again."""
    try:
        made = not place.is_dir()
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise storage_error(error, place) from error
    try:
        if not _is_left_by_start(place):
            raise InputError(f"{place} exists and is not empty; {_remedy(place)}")
        with sole_writer(place):
            _clear(place)
            yield
    except BaseException:
        if made:
            with suppress(OSError):
                (place / LOCK).unlink(missing_ok=True)
                place.rmdir()
        raise


def _remedy(place: Path) -> str:
    if (place / MANIFEST).exists():
        return "choose another folder, resume the run in it, or replace it by --force if it failed."
    return "choose another folder."


def _clear(place: Path) -> None:
    """Remove what a killed start has left; the scenario first, so that the order stays that of a start."""
    remove_unfinished(place)
    try:
        for name in (SCENARIO, STATIC):
            (place / name).unlink(missing_ok=True)
        for name in FOLDERS:
            if (place / name).is_dir():
                (place / name).rmdir()
    except OSError as error:
        raise storage_error(error, place) from error


def fill(place: Path, contents: Mapping[str, bytes]) -> None:
    """Make the files of a run; when that fails, take away what was made, so that one can try again."""
    made: list[Path] = []
    try:
        for name in FOLDERS:
            (place / name).mkdir()
            made.append(place / name)
        for name, data in contents.items():
            made.append(place / name)
            write_atomic(place / name, data, remedy="Free some space and start the run again.")
        sync_folder(place.parent)
    except BaseException as error:
        for path in reversed(made):
            with suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        if isinstance(error, OSError) and not isinstance(error, TractionError):
            raise storage_error(error, place) from error
        raise
