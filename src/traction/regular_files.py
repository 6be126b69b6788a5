"""Reading files that somebody else may have put there: regular ones only, and no more than expected."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

#: a FIFO without a writer does not block, and no child process inherits the file
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class UnexpectedFileError(OSError):
    """Raised when a file is not regular or too large; `strerror` is what is wrong with it."""

    def __init__(self, path: Path, fault: str) -> None:
        super().__init__(None, fault, str(path))


def open_regular(path: Path, limit: int | None = None) -> BinaryIO:
    """Open a regular file of at most `limit` bytes, or a link to one, for reading.

    FIFOs, devices, sockets and folders raise an `UnexpectedFileError`: some of them never end. They are
    refused before they are opened, and again afterwards, since a name can be exchanged meanwhile.
    """
    _require_regular(path, os.stat(path), limit)
    handle = os.open(path, _FLAGS)
    try:
        _require_regular(path, os.fstat(handle), limit)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_regular(path: Path, limit: int | None = None) -> bytes:
    """Content of a regular file of at most `limit` bytes, as long as it was when it was opened."""
    with open_regular(path, limit) as file:
        return file.read(os.fstat(file.fileno()).st_size)


def _require_regular(path: Path, info: os.stat_result, limit: int | None) -> None:
    if not stat.S_ISREG(info.st_mode):
        raise UnexpectedFileError(path, "it is not a regular file")
    if limit is not None and info.st_size > limit:
        raise UnexpectedFileError(path, f"{info.st_size} bytes, expected at most {limit}")
