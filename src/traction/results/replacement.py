"""Making way for a new run or sweep (`--force`): what is complete, being written or not ours is kept."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from traction.errors import InputError
from traction.outputs.atomic import WRITING, storage_error
from traction.results.folder import RunFolder, unchanged_exports
from traction.results.manifest import RunStatus
from traction.results.run import load_run
from traction.results.storage.container import DamagedError
from traction.results.storage.run_files import (
    ASIDE,
    CHECKPOINTS,
    DATA,
    FINDINGS,
    LOCK,
    MANIFEST,
    SCENARIO,
    SEGMENTS,
    STATIC,
    check_path,
    is_free,
    sole_writer,
)
from traction.results.sweeps.sweep_folder import (
    FAILURES,
    JOURNAL,
    PLAN,
    TABLE,
    Plan,
    collect_sweep,
    read_plan,
)

FOLDERS = (SEGMENTS, CHECKPOINTS, ASIDE)
#: in the order of removal: until the manifest is gone it is a run, then what a killed start leaves
FILES = (FINDINGS, DATA, MANIFEST, SCENARIO, STATIC)


def discard_run(path: str | os.PathLike[str]) -> None:
    """Remove the run in a folder that failed, was stopped or was killed.

    An `InputError` when the run is complete or being written, or when the folder holds anything else. A
    process that is killed meanwhile leaves a run that can be resumed, or a folder that a run can be started
    in.
    """
    place = check_path(path)
    if is_free(place) or not place.is_dir():
        return
    if not (place / MANIFEST).exists():
        raise InputError(f"{place} holds no run, so --force does not replace it; choose another folder.")
    with sole_writer(place):
        exports = _require_incomplete(place)
        _require_own_files(place, exports)
        _remove(place, exports)


def discard_other_sweep(folder: Path, plan: Plan) -> None:
    """Remove another sweep than the planned one, none of whose variants is complete."""
    if not (folder / PLAN).exists():
        return
    there = read_plan(folder)
    if there.same_as(plan):
        return
    complete = [run for run in collect_sweep(there, folder, {}).runs if run.ok]
    if complete:
        raise InputError(
            f"{folder} holds another sweep with {len(complete)} complete variants, which --force does not "
            "replace; choose another folder by --out, or delete it."
        )
    discard_incomplete(folder, there)
    for name in (TABLE, FAILURES, JOURNAL, PLAN, SCENARIO):
        (folder / name).unlink(missing_ok=True)


def discard_incomplete(folder: Path, plan: Plan) -> None:
    """Remove the runs of all variants that are not complete."""
    for name in plan.variants:
        if not _is_complete(folder / name):
            discard_run(folder / name)
            with suppress(OSError):  # there is none, or one in which a start was killed
                (folder / name).rmdir()


def _is_complete(place: Path) -> bool:
    return (place / MANIFEST).exists() and load_run(place).ok


def _require_incomplete(place: Path) -> tuple[str, ...]:
    """Refuse a complete run; returns the names of the files that were exported and are as they were."""
    try:
        manifest = RunFolder.open(place).manifest
    except DamagedError as error:
        raise InputError(f"{error} --force does not replace a run that it cannot read; delete it.") from error
    if manifest.status is RunStatus.DONE:
        raise InputError(
            f"{place} holds a complete run, which --force does not replace; choose another folder by --out, "
            "or delete it."
        )
    return unchanged_exports(place, manifest.exports)


def _require_own_files(place: Path, exports: Iterable[str]) -> None:
    """Refuse a folder with files that are not of the run."""
    known = {*FOLDERS, *FILES, LOCK, *exports}
    foreign = [
        name for name in sorted(os.listdir(place)) if name not in known and not name.startswith(WRITING)
    ]
    foreign += [name for name in FOLDERS if (place / name).is_symlink()]
    if foreign:
        raise InputError(
            f"{place} holds {foreign[0]}, which is not of the run, so --force does not replace it; move the "
            "file away, or choose another folder."
        )


def _remove(place: Path, exports: Iterable[str]) -> None:
    try:
        for name in exports:
            (place / name).unlink(missing_ok=True)
        for folder in (place / name for name in FOLDERS):
            for name in os.listdir(folder) if folder.is_dir() else ():
                (folder / name).unlink()
        if (place / ASIDE).is_dir():
            (place / ASIDE).rmdir()
        for name in (*(one for one in os.listdir(place) if one.startswith(WRITING)), *FILES):
            (place / name).unlink(missing_ok=True)
        for name in (SEGMENTS, CHECKPOINTS):
            (place / name).rmdir()
        (place / LOCK).unlink(missing_ok=True)
    except OSError as error:
        raise storage_error(error, place) from error
