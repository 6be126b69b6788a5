"""One writer per run folder; the system releases the lock when the process ends, however it ends."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from traction.errors import InputError
from traction.outputs.atomic import storage_error
from traction.regular_files import UnexpectedFileError

LOCK = "lock"  #: name of the file
_SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_UNSUPPORTED = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Hold the lock of `folder`; an `InputError` when another process does."""
    path = folder / LOCK
    try:
        handle = _open(path, os.O_CREAT)
    except UnexpectedFileError as error:
        raise InputError(f"{path}: {error.strerror}; remove it, it is made anew.") from error
    except OSError as error:
        raise storage_error(error, path) from error
    try:
        if not _take(handle):
            raise InputError(f"{folder} is being written by another process; wait for it, or stop it.")
        yield
    finally:
        os.close(handle)


def is_being_written(folder: Path) -> bool:
    """Whether a living process holds the lock of `folder`."""
    try:
        handle = _open(folder / LOCK, 0)
    except OSError:
        return False
    try:
        return not _take(handle)
    finally:
        os.close(handle)


def _open(path: Path, more: int) -> int:
    """Open the lock, which is a regular file and no link: a FIFO or a device would block, or be changed."""
    handle = os.open(path, os.O_RDWR | _SAFELY | more, 0o666)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise UnexpectedFileError(path, "it is not a regular file")


def _take(handle: int) -> bool:
    """Lock an open file without waiting; True also where the file system has no locks."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno in _UNSUPPORTED
    return True
