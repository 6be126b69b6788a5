"""Location of the files of a run: their names, creating the folder, and moving damaged files aside."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from traction.errors import InputError, TractionError
from traction.results.storage.atomic import storage_error, sync_folder, write_atomic
from traction.results.storage.container import DamagedError

MANIFEST, SCENARIO, STATIC, DATA = "manifest.json", "scenario.toml", "static.bin", "data.nc"
FINDINGS = "findings.bin"
SEGMENTS, CHECKPOINTS, ASIDE = "segments", "checkpoints", "aside"
SEGMENT, CHECKPOINT = ".seg", ".state"


def hash_file(path: Path) -> str:
    """SHA-256 of a file of any size."""
    digest = sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
    except OSError as error:
        raise storage_error(error, path) from error
    return digest.hexdigest()


def check_path(path: str | os.PathLike[str]) -> Path:
    """The absolute name of a run folder."""
    try:
        place = Path(path)
    except TypeError as error:
        raise InputError(f"path = {path!r} must be the name of a folder.") from error
    if "\0" in str(place):
        raise InputError(f"path = {str(place)!r} must not hold a null character.")
    return place.absolute()


def refuse_used_folder(place: Path) -> None:
    """Refuse a folder that is in use; a new run needs its own."""
    try:
        used = place.is_dir() and any(place.iterdir())
    except OSError as error:
        raise storage_error(error, place) from error
    if used:
        raise InputError(
            f"{place} exists and is not empty; choose another one, or resume the run in it if it was stopped."
        )


def fill(place: Path, contents: Mapping[str, bytes]) -> None:
    """Create the folder and its files; if that fails, remove what was made, so that it can be tried again."""
    made: list[Path] = []
    try:
        for folder in (place, place / SEGMENTS, place / CHECKPOINTS):
            if folder != place or not place.is_dir():
                folder.mkdir(parents=True)
                made.append(folder)
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
