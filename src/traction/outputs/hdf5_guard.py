"""A file for HDF5 on which writing never fails; the failure is kept and raised when it is closed.

HDF5 does not survive a disk that fills up: closing the file fails half-way, and the process crashes later.
Here it finds that all went well, and the one who closes the file gets the error.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer


class PatientFile(io.FileIO):
    """A new file; `error` is the first failure."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "x+")
        self.error: OSError | None = None
        self._end = 0  # as far as HDF5 knows

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move, beyond the end too."""
        if whence == os.SEEK_END:
            offset, whence = self._end + offset, os.SEEK_SET
        return super().seek(offset, whence)

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read what there is; zeros stand for what could not be written."""
        view, place = memoryview(buffer).cast("B"), self.tell()
        view[:] = bytes(len(view))
        try:
            super().readinto(view)
        except OSError as error:
            self.error = self.error or error
        self.seek(place + len(view))
        return len(view)

    def write(self, data: ReadableBuffer) -> int:
        """Write, or remember why not."""
        rest, place = memoryview(data).cast("B"), self.tell()
        end = place + len(rest)
        try:
            while self.error is None and rest:
                rest = rest[super().write(rest) :]
        except OSError as error:
            self.error = error
        self._end = max(self._end, self.seek(end))
        return end - place

    def truncate(self, size: int | None = None) -> int:
        """Set the end."""
        self._end = self.tell() if size is None else size
        try:
            if self.error is None:
                super().truncate(self._end)
        except OSError as error:
            self.error = error
        return self._end

    def close(self) -> None:
        """Wait until all is on the disk, close, and raise what went wrong."""
        if self.closed:
            return
        try:
            try:
                os.fsync(self.fileno())
            finally:
                super().close()
        except OSError as error:
            self.error = self.error or error
        if self.error is not None:
            raise self.error
