"""The folder of compiled kernels: private to the user, named by versions, and kept small."""

from __future__ import annotations

import os
import platform
import shutil
import stat
import sys
import tempfile
import time
from functools import lru_cache
from pathlib import Path

import llvmlite
import numba
import numpy as np

LAYOUT = 3  #: raised when what the files hold changes
DAY = 86400.0  #: seconds
UNUSED_SECONDS = 60 * DAY  #: files that no process loaded for so long are removed
LARGEST_BYTES = 512 << 20  #: of all files together; those used longest ago are removed first
KEPT_VERSIONS = 8  #: folders of other versions that are kept
ABANDONED_SECONDS = 3600.0  #: age after which a half-written file belongs to no running process
CLAIM = ".lock"  #: ending of files that stand beside a kernel while it is compiled
PRUNED = "pruned"  #: name of an empty file, as old as the last look for files to remove


@lru_cache(maxsize=1)
def cache_folder() -> Path | None:
    """The folder of compiled kernels, or None where no private folder can be had.

    `TRACTION_CACHE_DIR` overrides the user's cache folder.
    """
    try:
        root = _root()
        root.parent.mkdir(parents=True, exist_ok=True)
        for folder in (root, root / "kernels", root / "kernels" / _versions()):
            folder.mkdir(exist_ok=True, mode=0o700)
            if not _is_private(folder):  # whoever can write a folder can exchange the one inside it
                return None
        if not os.access(folder, os.W_OK):
            return None
        mark_used(folder)
        return folder
    except OSError:
        return None


def _versions() -> str:
    """All that decides on machine code beside the kernels themselves."""
    python = f"py{sys.version_info.major}.{sys.version_info.minor}"
    packages = (f"{package.__name__}{package.__version__}" for package in (numba, llvmlite, np))
    return "-".join((f"layout{LAYOUT}", python, *packages, platform.machine()))


def _root() -> Path:
    """The folder that Traction alone writes."""
    override = os.environ.get("TRACTION_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    if override:
        return Path(override).absolute() / "traction"
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "traction"
        return Path.home() / ".cache" / "traction"
    except RuntimeError:  # no home folder is known; the name is shared by all users
        user = os.getuid() if hasattr(os, "getuid") else "user"
        return Path(tempfile.gettempdir()) / f"traction-{user}"


def _is_private(folder: Path) -> bool:
    """Compiled code is executed, so no other user may write it."""
    if not hasattr(os, "getuid"):
        return True
    info = folder.stat()
    return info.st_uid == os.getuid() and not info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def mark_used(path: Path) -> None:
    """Date a file or folder now, at most once a day: loading stays free of writing."""
    if time.time() - path.stat().st_mtime > DAY:
        os.utime(path)


def measure_contents(folder: Path) -> tuple[int, int]:
    """Number of compiled signatures, and bytes of all files."""
    files = _files_by_use(folder)
    return sum(path.suffix == ".bin" for path, _ in files), sum(info.st_size for _, info in files)


def prune_daily(folder: Path) -> None:
    """Once a day, remove what has not been used for long; several processes may do so at the same time."""
    stamp = folder / PRUNED
    try:
        if time.time() - stamp.stat().st_mtime < DAY:
            return
    except FileNotFoundError:
        pass
    stamp.touch(mode=0o600)  # first, so that others which start now leave it to this process
    prune_versions(folder)
    prune_files(folder)


def prune_versions(current: Path) -> None:
    """Remove the folders of other versions that were used longest ago."""
    others = [path for path in current.parent.iterdir() if path.is_dir() and path != current]
    for path in sorted(others, key=lambda path: path.stat().st_mtime)[:-KEPT_VERSIONS]:
        shutil.rmtree(path, ignore_errors=True)


def prune_files(folder: Path) -> None:
    """Remove kernels unused for long, those above the size, and files that killed processes left."""
    now = time.time()
    sizes = 0
    for path, info in _files_by_use(folder):
        age = now - info.st_mtime
        sizes += info.st_size
        is_kernel = path.suffix == ".bin"
        abandoned = age > ABANDONED_SECONDS and (path.name.startswith("new-") or path.suffix == CLAIM)
        if abandoned or (is_kernel and (age > UNUSED_SECONDS or sizes > LARGEST_BYTES)):
            path.unlink(missing_ok=True)


def _files_by_use(folder: Path) -> list[tuple[Path, os.stat_result]]:
    """Files and what is known of them, last used first."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                if entry.is_file(follow_symlinks=False):
                    found.append((Path(entry.path), entry.stat(follow_symlinks=False)))
            except OSError:  # another process has just removed it
                continue
    return sorted(found, key=lambda item: -item[1].st_mtime)
