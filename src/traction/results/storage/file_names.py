"""Location of the files of a run: their names, creating the folder, and moving damaged files aside."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from traction.errors import InputError
from traction.outputs.atomic import storage_error, sync_folder
from traction.regular_files import open_regular
from traction.results.storage.container import DamagedError, reading_error

MANIFEST, SCENARIO, STATIC, DATA = "manifest.json", "scenario.toml", "static.bin", "data.nc"
FINDINGS = "findings.bin"
SEGMENTS, CHECKPOINTS, ASIDE = "segments", "checkpoints", "aside"
SEGMENT, CHECKPOINT = ".seg", ".state"


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
    try:
        place = Path(path)
    except TypeError as error:
        raise InputError(f"path = {path!r} must be the name of a folder.") from error
    if "\0" in str(place):
        raise InputError(f"path = {str(place)!r} must not contain a null character.")
    return place.absolute()


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
