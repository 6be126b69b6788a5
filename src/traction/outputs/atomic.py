"""Files that are either complete or absent: temporary file, fsync, rename, fsync of the folder."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from traction.errors import StorageError

WRITING = ".writing-"  #: prefix of unfinished files
_live: set[str] = set()  #: temporary names that this process is writing

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN = {errno.EROFS, errno.EACCES, errno.EPERM}
_CHUNK = 1 << 24  #: some systems refuse to write more than 2 GiB at once


def storage_error(error: OSError, path: Path, remedy: str = "") -> StorageError:
    """The error for `path`, with its remedy."""
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        sentence = f"no space is left to write {path} ({reason})."
        remedy = remedy or "Free some space and try again."
    elif error.errno in _FORBIDDEN:
        sentence = f"{path} cannot be written or read ({reason})."
        remedy = "Choose a folder that you may write, or change its permissions."
    elif error.errno in (errno.ENOTDIR, errno.EEXIST):
        sentence = f"{path} cannot be created as a folder: a file has its name ({reason})."
        remedy = "Choose another folder."
    elif error.errno == errno.ENAMETOOLONG:
        sentence, remedy = f"the name of {path} is too long ({reason}).", "Choose a shorter name."
    else:
        sentence = f"{path} could not be written or read ({reason})."
        remedy = remedy or "Check the disk and try again."
    return StorageError(f"{sentence} {remedy}")


def write_atomic(path: Path, data: bytes | Sequence[bytes | memoryview], *, remedy: str = "") -> None:
    """Write `data` so that `path` contains either all of it or its earlier content, even if the power fails.

    `data` is one block or several. When this returns they are on the disk. `remedy` is for a full disk.
    """
    with replace_file(path, remedy=remedy) as temporary:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        try:
            for block in (data,) if isinstance(data, bytes) else data:
                rest = memoryview(block)
                while rest:
                    rest = rest[os.write(handle, rest[:_CHUNK]) :]
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def replace_file(path: Path, *, remedy: str = "") -> Iterator[Path]:
    """A temporary name beside `path`; what the block writes and syncs there replaces it, or nothing does."""
    temporary = path.with_name(f"{WRITING}{os.getpid()}-{path.name}-{secrets.token_hex(4)}")
    _live.add(temporary.name)
    try:
        try:
            yield temporary
            os.replace(temporary, path)
        except BaseException:  # an interrupt too must not leave the file behind
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
    except StorageError:
        raise
    except OSError as error:
        raise storage_error(error, path, remedy) from error
    finally:
        _live.discard(temporary.name)


def sync_folder(folder: Path) -> None:
    """Wait until the names in the folder are on the disk; Windows has no such call and needs none."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some network file systems cannot, and sync names by themselves
            raise
    finally:
        os.close(handle)


def remove_unfinished(folder: Path) -> None:
    """Remove the temporary files in `folder` that processes have left which ended."""
    for name in _unfinished(folder):
        with suppress(OSError):
            (folder / name).unlink()


def has_unfinished(folder: Path) -> bool:
    """Whether there is something to remove."""
    return bool(_unfinished(folder))


def _unfinished(folder: Path) -> list[str]:
    """Names with our own prefix, but for those of other processes that live."""
    try:
        names = os.listdir(folder)  # in one call: an interrupt leaves a glob open
    except OSError:
        return []
    return [name for name in names if name.startswith(WRITING) and not _is_writing(name)]


def _is_writing(name: str) -> bool:
    """Whether this process is writing the file, or another lives that has the number in its name."""
    if name in _live:
        return True
    number = name.removeprefix(WRITING).partition("-")[0]
    if not (number.isascii() and number.isdecimal()) or os.name == "nt":  # which removes no open file
        return False
    try:
        os.kill(int(number), 0)  # no signal is sent
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return int(number) not in (0, os.getpid())
