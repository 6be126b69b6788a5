"""Variants of a sweep on an executor: threads, a pool of processes, MPI, or Dask.

Variants are submitted a few at a time, and each outcome is reported when it is known. An executor that breaks
since one of its processes was killed leaves its variants to processes of the sweep.
"""

from __future__ import annotations

import secrets
import time
import warnings
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

from traction.errors import InputError, StorageError
from traction.kinds.sweep.sweep_variant import Variant, VariantOutcome, end_variant, run_variant
from traction.kinds.sweep.sweep_workers import Share, side_by_side
from traction.outputs.atomic import storage_error
from traction.printable import printable_lines
from traction.results.manifest import RunStatus
from traction.results.recorder import Stop
from traction.results.storage.run_files import is_being_written
from traction.results.sweeps.sweep_folder import PLAN
from traction.version import __version__

MOST_SUBMITTED = 4000  #: variants that an executor holds at a time
AT_ONCE = 16  #: variants that are submitted before outcomes are taken
WAIT_SECONDS = 0.1  #: between questions whether to stop
STOP_PATIENCE = 30.0  #: seconds for variants that run when the sweep is to stop; others are left
LOCK_PATIENCE = 3600.0  #: seconds for a worker of a killed sweep that is still at a variant
STOPPING = "stopping-"  #: prefix of the file that asks running variants to stop

Outcomes = Generator[tuple[int, VariantOutcome], None, None]


def on_executor(
    variants: Sequence[Variant], executor: Executor, folder: Path | None, share: Share, stop: Stop
) -> Outcomes:
    """Outcomes of the variants, as the executor finishes them."""
    rest: list[Variant] = []
    work = _Submitted(executor, variants, folder)
    try:
        yield from work.outcomes(stop, rest)
    finally:
        work.leave()
    if rest:
        count = min(getattr(executor, "_max_workers", None) or 1, len(rest))
        warnings.warn(
            "a process of the executor ended, perhaps out of memory, and broke it; unfinished variants "
            f"({len(rest)}) are run by processes of the sweep.",
            RuntimeWarning,
            stacklevel=2,
        )
        yield from side_by_side(rest, count, folder, share, stop)


class _Submitted:
    """Variants of a sweep that an executor has or will have."""

    def __init__(self, executor: Executor, variants: Sequence[Variant], folder: Path | None) -> None:
        self._executor, self._waiting = executor, deque(variants)
        self._running: dict[Future[VariantOutcome | StorageError], Variant] = {}
        self._ended: SimpleQueue[Future[VariantOutcome | StorageError]] = SimpleQueue()
        self._flag = folder and folder / f"{STOPPING}{secrets.token_hex(4)}"
        self._asked_at = 0.0

    def outcomes(self, stop: Stop, rest: list[Variant]) -> Outcomes:
        """Outcomes as they come; `rest` takes the variants that a broken executor leaves."""
        while self._waiting or self._running:
            if not self._asked_at and stop():
                self._ask_to_stop()
            if self._asked_at and time.monotonic() > self._asked_at + STOP_PATIENCE:
                return
            try:
                self._submit()
                if self._running:  # one at a time: what has not begun can be stopped after each
                    yield self._next(block=not self._waiting or len(self._running) >= MOST_SUBMITTED)
            except Empty:
                continue
            except BrokenExecutor:
                yield from self._finished()
                rest += sorted([*self._running.values(), *self._waiting], key=lambda one: one.number)
                self._running.clear()
                return

    def leave(self) -> None:
        """Cancel what has not begun, and ask the rest to stop."""
        if self._running:
            self._ask_to_stop()
        elif self._flag is not None:
            self._flag.unlink(missing_ok=True)

    def _submit(self) -> None:
        for _ in range(min(AT_ONCE, len(self._waiting), MOST_SUBMITTED - len(self._running))):
            variant = self._waiting[0]
            try:
                future = self._executor.submit(run_submitted, variant, self._flag, __version__)
            except BrokenExecutor:
                raise
            except RuntimeError as error:
                raise InputError(f"the executor takes no variants ({error}); make a new one.") from error
            self._running[future] = self._waiting.popleft()
            future.add_done_callback(self._ended.put)

    def _next(self, block: bool) -> tuple[int, VariantOutcome]:
        """The next outcome; `Empty` where none is known."""
        future = self._ended.get(timeout=WAIT_SECONDS) if block else self._ended.get_nowait()
        variant = self._running[future]
        outcome = self._read(future, variant)
        del self._running[future]
        return variant.number, outcome

    def _finished(self) -> Outcomes:
        """Outcomes that were known when the executor broke."""
        for future, variant in list(self._running.items()):
            if future.done() and not future.cancelled() and future.exception() is None:
                del self._running[future]
                yield variant.number, self._read(future, variant)

    def _read(self, future: Future[VariantOutcome | StorageError], variant: Variant) -> VariantOutcome:
        try:
            outcome = future.result()
        except BrokenExecutor:
            raise
        except CancelledError:
            if self._asked_at:
                return VariantOutcome(end_variant(variant, RunStatus.STOPPED, "not begun"))
            raise InputError(
                "the executor cancelled a variant, perhaps since its workers are gone; start the sweep again "
                "into the same folder: it repeats unfinished variants only."
            ) from None
        except Exception as error:  # of the executor: a worker that died, or that has no Traction
            words = f"its worker could not run it ({type(error).__name__}: {printable_lines(str(error))})."
            return VariantOutcome(end_variant(variant, RunStatus.FAILED, words))
        if isinstance(outcome, StorageError):
            raise outcome
        return outcome

    def _ask_to_stop(self) -> None:
        """Cancel what has not begun; variants at work see the file before their next sample."""
        self._asked_at = time.monotonic()
        self._waiting.clear()
        if self._flag is not None:
            try:
                self._flag.touch()
            except OSError as error:
                raise storage_error(error, self._flag) from error
        for future in list(self._running):
            future.cancel()


def _require_fit(variant: Variant, version: str) -> None:
    """Refuse to run in a worker of another version, or on a machine that does not see the folder."""
    if version != __version__:
        raise InputError(f"it has Traction {__version__}, and the sweep {version}; install the same version")
    if variant.place is not None and not (variant.place.parent / PLAN).is_file():
        raise InputError(f"it does not see {variant.place.parent}; choose a folder that all machines share")


def remove_flags(folder: Path) -> None:
    """Remove files by which a killed sweep asked its variants to stop."""
    for flag in folder.glob(f"{STOPPING}*"):
        with suppress(OSError):
            flag.unlink()


def run_submitted(variant: Variant, flag: Path | None, version: str) -> VariantOutcome | StorageError:
    """Run a variant in a worker of an executor; `flag` is a file that asks it to stop.

    A worker of a killed sweep may still be at the variant: what it does is waited for, not repeated.
    `version` is that of Traction in the process of the sweep.
    """
    _require_fit(variant, version)
    stop = flag.exists if flag is not None else None
    end = time.monotonic() + LOCK_PATIENCE
    try:
        while True:
            outcome = run_variant(variant, None, stop)
            busy = variant.place is not None and outcome.run.status is RunStatus.FAILED
            if not (busy and variant.place is not None and is_being_written(variant.place)):
                return outcome
            if time.monotonic() > end or (stop is not None and stop()):
                return outcome
            time.sleep(WAIT_SECONDS)
    except StorageError as error:
        return StorageError(str(error))
