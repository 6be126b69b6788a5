"""The message while kernels are compiled: one line, once it takes a while.

The message is a warning of the logger "traction.compiled", which Python shows on standard error unless told
otherwise; `TRACTION_LOG_LEVEL=ERROR` silences it.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

LOGGER = logging.getLogger("traction.compiled")
UNTOLD_SECONDS = 0.8  #: what compiles in less is not worth a word
MESSAGE = "compiling kernels for their first use, up to half a minute; they are kept for later runs"
WAITING = "another process is compiling kernels for their first use; this one waits for them"

Observer = Callable[[bool], None]  #: called with True when compiling begins, with False when it ends
_observers: list[Observer] = []

if os.environ.get("TRACTION_LOG_LEVEL"):
    with suppress(ValueError):  # a level that does not exist
        logging.getLogger("traction").setLevel(os.environ["TRACTION_LOG_LEVEL"].upper())


@contextmanager
def observe_compiling(observer: Observer) -> Iterator[None]:
    """Call `observer` when compiling begins and ends, inside the block."""
    _observers.append(observer)
    try:
        yield
    finally:
        _observers.remove(observer)


def _notify(compiling: bool) -> None:
    for observer in tuple(_observers):
        observer(compiling)


class CompileWatch:
    """Tells the user, once, that kernels are compiled; seconds are those of the processor."""

    def __init__(self, clock: Callable[[], float] = time.process_time) -> None:
        self._clock = clock
        self._begun: list[float] = []  # kernels are compiled while those that call them are
        self._spent = 0.0
        self._is_told = False

    def start(self) -> None:
        """A kernel is being compiled from now on."""
        self._begun.append(self._clock())
        if len(self._begun) == 1:
            _notify(True)
        if not self._is_told and self._spent + self._begun[-1] - self._begun[0] > UNTOLD_SECONDS:
            self._is_told = True
            LOGGER.warning(MESSAGE)

    def end(self) -> None:
        """The kernel last begun is compiled, or cannot be."""
        began = self._begun.pop()
        if not self._begun:
            self._spent += self._clock() - began
            _notify(False)


@contextmanager
def tell_waiting(clock: Callable[[], float] = time.monotonic) -> Iterator[Callable[[], None]]:
    """Kernels are compiled elsewhere: observers know it, and what is yielded says it after a while."""
    began, is_told = clock(), False

    def tell() -> None:
        nonlocal is_told
        if not is_told and clock() - began > UNTOLD_SECONDS:
            is_told = True
            LOGGER.warning(WAITING)

    _notify(True)
    try:
        yield tell
    finally:
        _notify(False)


def watch_compiler(
    watch: CompileWatch, is_ours: Callable[[Any], bool], failed: Callable[[Any], None]
) -> None:
    """Notify `watch` when the compiler begins and ends a kernel of ours, or one that it calls.

    `failed` is called with the dispatcher of each kernel that could not be compiled.
    """
    from numba.core import event

    watched: list[bool] = []

    class Listener(event.Listener):
        def on_start(self, happened: Any) -> None:
            watched.append(bool(watched and watched[-1]) or is_ours(happened.data["dispatcher"]))
            if watched[-1]:
                watch.start()

        def on_end(self, happened: Any) -> None:
            if watched and watched.pop():
                watch.end()
            if getattr(happened, "_exc_details", None) is not None:  # `is_failed` says the contrary
                failed(happened.data["dispatcher"])

    event.register("numba:compile", Listener())
