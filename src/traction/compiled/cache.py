"""One file per compiled signature of a kernel.

Numba's own cache breaks every later run when one of its files is truncated, and two processes that start
together may overwrite each other's entries. Here each file is named by what it was compiled from and
protected by a checksum of that name and its content: a file that is damaged, or stands under the name of
another one, is deleted and compiled anew.

Kernels that several processes need at the same time are compiled by one of them; the others wait. A claim is
a lock on a file beside that of the kernel. It ends with the process, however that ends.

The parts of numba that are used are not public. Where they change, kernels are compiled in each process anew.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import pickle
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property, lru_cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba

from traction.compiled.compile_progress import LOGGER, CompileWatch, tell_waiting, watch_compiler
from traction.compiled.digest import digest_kernel
from traction.compiled.kernel_folder import CLAIM, cache_folder, mark_used, prune_daily
from traction.file_locks import open_lock, release_lock, take_lock
from traction.regular_files import read_regular

LONGEST_WAIT = 120.0  #: seconds; who has waited so long compiles the kernel too
PAUSE = 0.02  #: seconds between two looks
DIGEST_SIZE = hashlib.sha256().digest_size
LONGEST_NAME = 120  #: characters of a kernel's name in the name of its file
#: settings of the compiler that change what it makes
SETTINGS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "USING_SVML")
#: modules with steps of the compiler
PIPELINE = ("linking", "quick_steps", "lean_lowering")

P = ParamSpec("P")
T = TypeVar("T")

try:
    from numba.core.caching import NullCache
except Exception:  # a numba that keeps it elsewhere
    NullCache = object  # type: ignore[assignment, misc]


class CompileClaims:
    """What this process is about to compile."""

    def __init__(self) -> None:
        self._held: dict[Path, int] = {}

    def take(self, kernel: Path) -> None:
        """Claim a kernel, after the process that has claimed it before."""
        if kernel in self._held:  # it could not be compiled before
            return
        handle = open_lock(kernel.with_suffix(CLAIM), make=True, mode=0o600)
        try:
            if take_lock(handle) or _wait_for(handle, kernel):
                self._held[kernel] = handle
        finally:
            if kernel not in self._held:
                os.close(handle)

    def release(self, kernel: Path) -> None:
        """Let others go on, if the kernel is claimed."""
        handle = self._held.pop(kernel, None)
        if handle is not None:
            release_lock(handle)
            with suppress(OSError):  # open in another process, or removed by it
                kernel.with_suffix(CLAIM).unlink()

    def release_all(self) -> None:
        """Let others compile whatever is claimed, as after a compilation that failed."""
        for kernel in list(self._held):
            self.release(kernel)


def _wait_for(handle: int, kernel: Path) -> bool:
    """Whether the lock could be had before long; nobody waits for it once the kernel is there."""
    end = time.monotonic() + LONGEST_WAIT
    with tell_waiting() as tell:
        while time.monotonic() < end:
            time.sleep(PAUSE)
            tell()
            if take_lock(handle):
                return True
            if kernel.exists():
                break
    return False


def attach_cache(dispatcher: Any) -> None:
    """Let a dispatcher of numba load and save its machine code."""
    folder = cache_folder()
    if folder is not None and hasattr(dispatcher, "py_func") and make_symbols_unique():
        announce_compiling()
        dispatcher._cache = KernelCache(dispatcher, folder)


@lru_cache(maxsize=1)
def announce_compiling() -> None:
    """Tell the user when kernels are compiled."""
    with suppress(Exception):  # a numba that tells nothing
        watch_compiler(CompileWatch(), lambda kernel: isinstance(kernel._cache, KernelCache), give_up_claims)


def give_up_claims(dispatcher: Any) -> None:
    """Let no other process wait for a kernel that could not be compiled here."""
    if isinstance(dispatcher._cache, KernelCache):
        dispatcher._cache.claims.release_all()


@lru_cache(maxsize=1)
def make_symbols_unique() -> bool:
    """Let this process name machine code as no other one does; whether that was possible.

    Numba numbers what it compiles from 1 on in each process. Two kernels of one factory, saved by two
    processes under the same number, would be taken for one by a third process that compiles a caller of both.
    """
    try:
        from numba.core.bytecode import FunctionIdentity

        if not isinstance(FunctionIdentity._unique_ids, itertools.count):
            return False

        def renumber() -> None:
            FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(7), "big"))

        renumber()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=renumber)
        return True
    except Exception:  # a numba that numbers otherwise: what two kernels of one factory share is not saved
        LOGGER.debug("kernels cannot be named uniquely", exc_info=True)
        return False


def _costs_time_only(method: Callable[P, T]) -> Callable[P, T | None]:
    """Whatever goes wrong in the cache, the kernel is compiled and runs."""

    @wraps(method)
    def guarded(*args: P.args, **options: P.kwargs) -> T | None:
        try:
            return method(*args, **options)
        except MemoryError:
            raise
        except Exception:
            LOGGER.debug("the cache of kernels failed; the kernel is compiled", exc_info=True)
            return None

    return guarded


class KernelCache(NullCache):
    """Files of checksum and pickled machine code, one for each signature of a kernel."""

    def __init__(self, dispatcher: Any, folder: Path) -> None:
        self._dispatcher = dispatcher
        self._folder = folder
        self.claims = CompileClaims()
        function = dispatcher.py_func
        name = f"{function.__module__}.{function.__qualname__}".replace("<", "").replace(">", "")
        self._prefix = name[:LONGEST_NAME]

    @property
    def cache_path(self) -> str:
        """Where the files are."""
        return str(self._folder)

    @cached_property
    def _digest(self) -> str:
        """Asked for when the kernel is first called: by then all that it calls is defined."""
        return digest_kernel(self._dispatcher)

    @_costs_time_only
    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for `sig`, or None when it must be compiled.

        While another process compiles it, this one waits.
        """
        if not _is_lasting(sig):
            return None
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        payload = _read_checked(path)
        if payload is None:
            self.claims.take(path)
            payload = _read_checked(path)  # which another process may have written meanwhile
        if payload is None:
            return None
        self.claims.release(path)
        try:
            from numba.core.compiler import CompileResult

            result = CompileResult._rebuild(target_context, *pickle.loads(payload))
        except MemoryError:
            raise
        except Exception:  # intact, but not readable by what is installed now
            path.unlink(missing_ok=True)
            return None
        with suppress(OSError):  # removed meanwhile, or not ours to date
            mark_used(path)
        return result

    @_costs_time_only
    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code for `sig`; a full or read-only disk only costs the next start."""
        if not _is_lasting(sig):
            return
        path = self._path(sig, data.codegen)
        try:
            if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
                return
            from numba.core.serialize import dumps

            _write_checked(path, dumps(data._reduce()))
        finally:
            self.claims.release(path)
        prune_daily(self._folder)

    def _path(self, sig: Any, codegen: Any) -> Path:
        settings = tuple(repr(getattr(numba.config, name, None)) for name in SETTINGS)
        known = sig, _classes_in(sig), codegen.magic_tuple(), settings, self._digest, _digest_pipeline()
        key = repr(known).encode()
        name = f"{self._prefix}.{self._digest[:16]}.{hashlib.sha256(key).hexdigest()[:24]}.bin"
        return self._folder / name

    def enable(self) -> None:
        """Part of numba's contract; this cache is always on."""

    def disable(self) -> None:
        """Part of numba's contract; this cache is always on."""

    @_costs_time_only
    def flush(self) -> None:
        """Forget all compiled signatures of this function."""
        for path in self._folder.glob(f"{self._prefix}.*.bin"):
            path.unlink(missing_ok=True)


@lru_cache(maxsize=1)
def _digest_pipeline() -> str:
    """Digest of the compiler pipeline: another pipeline makes other code of the same kernel."""
    sources = (Path(__file__).with_name(f"{name}.py").read_bytes() for name in PIPELINE)
    return hashlib.sha256(b"".join(sources)).hexdigest()


def _parts_of(sig: Any) -> Iterator[Any]:
    """The types of a signature and, through all layers, the types in tuples."""
    parts = list(getattr(sig, "args", sig))
    while parts:
        part = parts.pop()
        yield part
        parts += getattr(part, "types", ())


def _is_lasting(sig: Any) -> bool:
    """Whether a signature means the same in another process; a function is identified by its address."""
    return not any(isinstance(part, numba.types.Dispatcher) for part in _parts_of(sig))


def _classes_in(sig: Any) -> list[str]:
    """Full names of named tuples, of which a signature contains the last part only."""
    kinds = (getattr(part, "instance_class", None) for part in _parts_of(sig))
    return sorted({f"{kind.__module__}.{kind.__qualname__}" for kind in kinds if kind is not None})


def _read_checked(path: Path) -> bytes | None:
    """Content that `_write_checked` wrote under this name; any other file is deleted."""
    try:
        content = read_regular(path)
    except OSError:
        return None
    payload = content[DIGEST_SIZE:]
    if content[:DIGEST_SIZE] == _seal(path, payload):
        return payload
    path.unlink(missing_ok=True)
    return None


def _seal(path: Path, payload: bytes) -> bytes:
    """Checksum of the code and of what it is: the name has the digests of kernel, signature and settings."""
    digest = hashlib.sha256(f"{path.name}\n".encode())
    digest.update(payload)
    return digest.digest()


def _write_checked(path: Path, payload: bytes) -> None:
    """Write a file atomically: a reader sees the whole file or nothing."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix="new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_seal(path, payload) + payload)
        os.replace(temporary, path)
    except BaseException:  # an interrupt too must not leave the file behind
        os.unlink(temporary)
        raise
