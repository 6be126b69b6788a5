"""One writer per run folder; the system releases the lock when the process ends, however it ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from traction.errors import InputError
from traction.file_locks import open_lock, take_lock
from traction.outputs.atomic import storage_error
from traction.regular_files import UnexpectedFileError

LOCK = "lock"  #: name of the file


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
