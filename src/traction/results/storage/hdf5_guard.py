"""A file for HDF5 on which writing never fails; the failure is kept and told afterwards.

HDF5 does not survive a disk that fills up: closing the file fails half-way, and the process crashes later.
Here it is told that all went well, and the one who asked for the file is told the truth.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer


class PatientFile:
    """A new file; `error` is the first failure."""

    def __init__(self, path: Path) -> None:
        self.error: OSError | None = None
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self._file = io.FileIO(os.open(path, flags, 0o666), "r+")
        self._place = 0
        self._end = 0  # as far as HDF5 knows

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move, beyond the end too."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self._end}[whence]
        self._place = base + offset
        return self._place

    def read(self, size: int = -1) -> bytes:
        """Read some bytes; h5py knows a file by this method."""
        content = bytearray(max(0, self._end - self._place) if size < 0 else size)
        self.readinto(content)
        return bytes(content)

    def tell(self) -> int:
        """Where the next byte goes."""
        return self._place

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read what there is; zeros stand for what could not be written."""
        view = memoryview(buffer).cast("B")
        view[:] = bytes(len(view))
        try:
            self._file.seek(self._place)
            self._file.readinto(view)
        except OSError as error:
            self.error = self.error or error
        self._place += len(view)
        return len(view)

    def write(self, data: ReadableBuffer) -> int:
        """Write, or remember why not."""
        rest = memoryview(data).cast("B")
        size = len(rest)
        try:
            self._file.seek(self._place)
            while self.error is None and rest:
                rest = rest[os.write(self._file.fileno(), rest) :]
        except OSError as error:
            self.error = error
        self._place += size
        self._end = max(self._end, self._place)
        return size

    def truncate(self, size: int | None = None) -> int:
        """Set the end."""
        self._end = self._place if size is None else size
        try:
            if self.error is None:
                self._file.truncate(self._end)
        except OSError as error:
            self.error = error
        return self._end

    def flush(self) -> None:
        """Nothing is buffered."""

    def close(self) -> None:
        """Wait until all is on the disk, close, and tell what went wrong."""
        try:
            with self._file:
                os.fsync(self._file.fileno())
        except OSError as error:
            self.error = self.error or error
        if self.error is not None:
            raise self.error
