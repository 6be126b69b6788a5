"""What the user is told while kernels are compiled: a line when it will take a while, then now and again.

Messages are warnings of the logger "traction.compiled", which Python shows on standard error unless told
otherwise; `TRACTION_LOG_LEVEL=ERROR` silences them.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from traction.compiled.digest import functions_called

LOGGER = logging.getLogger("traction.compiled")
UNTOLD_SECONDS = 2.0  #: what compiles in less is not worth a word
REPEAT_SECONDS = 20.0  #: between two messages
#: seconds of compiling per byte of Python's code, from 130 kernels; right within a factor of two for most
SECONDS_PER_BYTE = 1e-3

if os.environ.get("TRACTION_LOG_LEVEL"):
    with suppress(ValueError):  # a level that does not exist
        logging.getLogger("traction").setLevel(os.environ["TRACTION_LOG_LEVEL"].upper())


class CompileWatch:
    """Tells the user of compiling; `is_kept` says of a function whether its machine code need not be made."""

    def __init__(self, is_kept: Callable[[Any], bool], clock: Callable[[], float] = time.monotonic) -> None:
        self._is_kept = is_kept
        self._clock = clock
        self._depth = 0  # kernels are compiled while those that call them are
        self._began = 0.0
        self._spent = 0.0  # seconds in compiling, before the kernel at hand
        self._told_at: float | None = None  # of the seconds spent

    def start(self, kernel: Any) -> None:
        """A kernel is being compiled from now on."""
        self._depth += 1
        if self._depth == 1:
            self._began = self._clock()
        spent = self._spent + self._clock() - self._began
        if self._told_at is None:
            if self._depth == 1:
                self._announce(spent, self._estimate(kernel))
        elif spent - self._told_at > REPEAT_SECONDS:
            self._told_at = spent
            LOGGER.warning("still compiling kernels: %.0f s so far", spent)

    def end(self) -> None:
        """The kernel last begun is compiled, or cannot be."""
        self._depth -= 1
        if self._depth == 0:
            self._spent += self._clock() - self._began

    def _announce(self, spent: float, estimate: float) -> None:
        if spent + estimate > UNTOLD_SECONDS:
            self._told_at = spent
            about = f", about {estimate:.0f} s" if estimate > UNTOLD_SECONDS else ""
            LOGGER.warning("compiling kernels for their first use%s; they are kept for later runs", about)

    def _estimate(self, kernel: Any) -> float:
        """Seconds to compile a kernel and all that it calls, as far as that has not been done."""
        missing = (function for function in functions_called(kernel) if not self._is_kept(function))
        codes = (getattr(function, "py_func", function).__code__ for function in missing)
        return SECONDS_PER_BYTE * sum(len(code.co_code) for code in codes)


def watch_compiler(watch: CompileWatch, is_ours: Callable[[Any], bool]) -> None:
    """Let the compiler tell `watch` when it begins and ends with a kernel of ours, or one that it calls."""
    from numba.core import event

    watched: list[bool] = []

    class Listener(event.Listener):
        def on_start(self, happened: Any) -> None:
            kernel = happened.data["dispatcher"]
            watched.append(bool(watched and watched[-1]) or is_ours(kernel))
            if watched[-1]:
                with suppress(Exception):  # a message must not stop what it tells of
                    watch.start(kernel)

        def on_end(self, happened: Any) -> None:
            if watched and watched.pop():
                with suppress(Exception):
                    watch.end()

    event.register("numba:compile", Listener())
