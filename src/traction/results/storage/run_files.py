"""Location of the files of a run: their names, making the folder, its one writer, and damaged files aside.

A start makes the folders, then `static.bin`, the scenario and last the manifest. A process that is killed
before the manifest leaves a folder that is no run; the next start recognises what lies there and clears it;
a folder that holds something else is refused. The system releases the lock of the writer when its process
ends, however it ends.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from traction import checks
from traction.errors import InputError, TractionError
from traction.file_locks import open_lock, take_lock
from traction.outputs.atomic import WRITING, remove_unfinished, storage_error, sync_folder, write_atomic
from traction.regular_files import UnexpectedFileError, open_regular
from traction.results.storage.container import DamagedError, reading_error

MANIFEST, SCENARIO, STATIC, DATA = "manifest.json", "scenario.toml", "static.bin", "data.nc"
FINDINGS = "findings.bin"
SEGMENTS, CHECKPOINTS, ASIDE = "segments", "checkpoints", "aside"
SEGMENT, CHECKPOINT = ".seg", ".state"
LOCK = "lock"  #: name of the file
FOLDERS = (SEGMENTS, CHECKPOINTS)


def hash_file(path: Path, limit: int | None = None) -> str:
    """SHA-256 of a regular file of at most `limit` bytes."""
    digest = sha256()
    try:
        with open_regular(path, limit) as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
    except OSError as error:
        raise reading_error(error, path) from error
    return digest.hexdigest()


def total_size(paths: Iterable[Path]) -> int:
    """Bytes of all these files together; those that are missing have none."""
    total = 0
    for path in paths:
        try:
            total += path.stat().st_size
        except FileNotFoundError:
            continue
        except OSError as error:
            raise storage_error(error, path) from error
    return total


def check_path(path: str | os.PathLike[str]) -> Path:
    """The absolute name of a run folder."""
    return checks.path("path", path).absolute()


def set_aside(place: Path, paths: Sequence[Path], remedy: str) -> None:
    """Move files of the run at `place` to where they are never read again; `remedy` is for a full disk."""
    if not paths:
        return
    aside = place / ASIDE
    if aside.is_symlink():
        raise DamagedError(f"{aside} is a link; remove it, so that damaged files stay in the run folder.")
    try:
        aside.mkdir(exist_ok=True)
        for path in paths:
            with suppress(FileNotFoundError):
                os.replace(path, _unused(aside / path.name))
        for folder in (aside, place / SEGMENTS, place / CHECKPOINTS):
            sync_folder(folder)
    except OSError as error:
        raise storage_error(error, aside, remedy) from error


def _unused(path: Path) -> Path:
    """`path`, or the first numbered name like it that is free."""
    candidate, number = path, 1
    while candidate.exists():
        candidate, number = path.with_name(f"{path.name}.{number}"), number + 1
    return candidate


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Hold the lock of `folder`; an `InputError` when another process does."""
    path = folder / LOCK
    try:
        handle = open_lock(path, make=True)
    except UnexpectedFileError as error:
        raise InputError(f"{path}: {error.strerror}; remove it, it is made anew.") from error
    except OSError as error:
        raise storage_error(error, path) from error
    try:
        if not take_lock(handle):
            raise InputError(f"{folder} is being written by another process; wait for it, or stop it.")
        yield
    finally:
        os.close(handle)


def is_being_written(folder: Path) -> bool:
    """Whether a living process holds the lock of `folder`."""
    try:
        handle = open_lock(folder / LOCK, make=False)
    except OSError:
        return False
    try:
        return not take_lock(handle)
    finally:
        os.close(handle)


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
