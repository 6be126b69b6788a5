"""`kernel`: numba's njit with a cache that is private to the user and heals itself.

Numba's own cache breaks every later run when one of its files is truncated, and two processes that start
together may overwrite each other's entries. Here each compiled signature is one file, named by what it was
compiled from and protected by a checksum; a file that does not check is deleted and compiled anew.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core import compiler, serialize, types
from numba.core.caching import _Cache

KEPT_VERSIONS = 8  #: folders of other versions that are kept
ABANDONED_SECONDS = 3600.0  #: age after which a half-written file belongs to no running process
DIGEST_SIZE = hashlib.sha256().digest_size


def kernel(
    function: Callable[..., Any] | None = None,
    *,
    nogil: bool = False,
    checked: bool = True,
    inlined: bool = False,
) -> Any:
    """Compile `function` to machine code on first use and remember the code between runs.

    With `nogil` threads run it side by side. A division by zero is an error; where it is not `checked` it is
    an infinity, and loops of divisions may go several at a time. What is `inlined` becomes part of each
    kernel that calls it: a kernel is optimised again with all that it calls, which takes long in many layers.
    """
    if function is None:
        return lambda function: kernel(function, nogil=nogil, checked=checked, inlined=inlined)
    dispatcher = numba.njit(
        function,
        nogil=nogil,
        error_model="python" if checked else "numpy",
        inline="always" if inlined else "never",
    )
    folder = cache_folder()
    if folder is not None:
        dispatcher._cache = KernelCache(function, folder)
    return dispatcher


@lru_cache(maxsize=1)
def cache_folder() -> Path | None:
    """The folder of compiled kernels, or None where no private folder can be had.

    `TRACTION_CACHE_DIR` overrides the user's cache folder.
    """
    versions = (f"py{sys.version_info.major}.{sys.version_info.minor}", f"numba{numba.__version__}")
    leaf = "-".join((*versions, f"llvmlite{llvmlite.__version__}", platform.machine(), source_digest()))
    try:
        root = _root()
        root.parent.mkdir(parents=True, exist_ok=True)
        for folder in (root, root / "kernels", root / "kernels" / leaf):
            folder.mkdir(exist_ok=True, mode=0o700)
            if not _is_private(folder):  # whoever can write a folder can exchange the one inside it
                return None
        _forget_old(folder)
        return folder if os.access(folder, os.W_OK) else None
    except OSError:
        return None


def _forget_old(current: Path) -> None:
    """Remove the versions used longest ago, and files that killed processes left in the current one."""
    others = [path for path in current.parent.iterdir() if path.is_dir() and path != current]
    for path in sorted(others, key=lambda path: path.stat().st_mtime)[:-KEPT_VERSIONS]:
        shutil.rmtree(path, ignore_errors=True)
    for path in current.glob("new-*"):
        if time.time() - path.stat().st_mtime > ABANDONED_SECONDS:
            path.unlink(missing_ok=True)


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
    """Compiled code is executed, so nobody else may write it."""
    if not hasattr(os, "getuid"):
        return True
    info = folder.stat()
    return info.st_uid == os.getuid() and not info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@lru_cache(maxsize=1)
def source_digest() -> str:
    """Digest of all kernels: they inline each other across files, so any change renews all."""
    digest = hashlib.sha256()
    package = Path(__file__).parent
    for path in (Path(__file__), *sorted(package.rglob("kernels/*.py"))):
        content = path.read_bytes()  # not the time of change, which reproducible builds set to a constant
        digest.update(f"{path.relative_to(package)}:{len(content)};".encode() + content)
    return digest.hexdigest()[:16]


def _digest_of(function: Callable[..., Any]) -> str:
    """Digest of bytecode, constants and captured values: kernels of one factory differ only in these."""
    code = function.__code__
    captured = tuple(_identity(cell.cell_contents) for cell in function.__closure__ or ())
    parts = (code.co_code, repr(code.co_consts).encode(), repr(code.co_names).encode())
    return hashlib.sha256(b"".join(parts) + serialize.dumps(captured)).hexdigest()


def _identity(captured: Any) -> Any:
    """What tells a captured value from another one; a kernel is told by its code, not by its object."""
    function = getattr(captured, "py_func", None)
    if function is None:
        return captured
    return f"{function.__module__}.{function.__qualname__}:{_digest_of(function)}"


def _lasting(sig: Any) -> bool:
    """Whether a signature means the same in another process: a function is told by its place in this one."""
    parts = list(getattr(sig, "args", sig))
    while parts:
        part = parts.pop()
        if isinstance(part, types.Dispatcher):
            return False
        parts += getattr(part, "types", ())
    return True


class KernelCache(_Cache):
    """One file per compiled signature of `function`: checksum, then the pickled machine code."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._folder = folder
        self._prefix = f"{function.__module__}.{function.__qualname__}".replace("<", "").replace(">", "")
        self._code = _digest_of(function)

    @property
    def cache_path(self) -> str:
        """Where the files are."""
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for `sig`, or None when it must be compiled."""
        if not _lasting(sig):
            return None
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        try:
            content = path.read_bytes()
            digest, payload = content[:DIGEST_SIZE], content[DIGEST_SIZE:]
            if hashlib.sha256(payload).digest() != digest:
                path.unlink(missing_ok=True)
                return None
            return compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))
        except OSError:
            return None
        except Exception:  # intact, but not readable by what is installed now
            path.unlink(missing_ok=True)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code for `sig`; a full or read-only disk only costs the next start."""
        if not _lasting(sig):
            return
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return
        payload = serialize.dumps(data._reduce())
        path = self._path(sig, data.codegen)
        try:
            handle, temporary = tempfile.mkstemp(dir=self._folder, prefix="new-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(hashlib.sha256(payload).digest() + payload)
                os.replace(temporary, path)
            except BaseException:  # an interrupt too must not leave the file behind
                os.unlink(temporary)
                raise
        except OSError:
            return

    def _path(self, sig: Any, codegen: Any) -> Path:
        key = repr((sig, codegen.magic_tuple(), self._code)).encode()
        return self._folder / f"{self._prefix}.{hashlib.sha256(key).hexdigest()[:32]}.bin"

    def enable(self) -> None:
        """Part of numba's contract; this cache is always on."""

    def disable(self) -> None:
        """Part of numba's contract; this cache is always on."""

    def flush(self) -> None:
        """Forget all compiled signatures of this function."""
        for path in self._folder.glob(f"{self._prefix}.*.bin"):
            path.unlink(missing_ok=True)
