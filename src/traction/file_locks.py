"""Locks on files, which the system releases when the process ends, however it ends."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from traction.regular_files import UnexpectedFileError

_SAFELY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_UNSUPPORTED = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL}


def open_lock(path: Path, *, make: bool, mode: int = 0o666) -> int:
    """Open the file of a lock, regular and no link: a FIFO or a device would block, or be changed."""
    handle = os.open(path, os.O_RDWR | _SAFELY | (os.O_CREAT if make else 0), mode)
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise UnexpectedFileError(path, "it is not a regular file")


def take_lock(handle: int) -> bool:
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


def release_lock(handle: int) -> None:
    """Unlock and close an open file: a process forked meanwhile has it open too, and would keep the lock."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_UN)
    except OSError:  # a file system without locks
        pass
    finally:
        os.close(handle)
