"""Kernels that several processes need at the same time are compiled by one of them; the others wait.

A claim is a lock on a file beside that of the kernel. It ends with the process, however that ends.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from traction.compiled.compile_progress import tell_waiting
from traction.compiled.kernel_folder import CLAIM
from traction.file_locks import open_lock, release_lock, take_lock

LONGEST_WAIT = 120.0  #: seconds; who has waited so long compiles the kernel too
PAUSE = 0.02  #: seconds between two looks


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
