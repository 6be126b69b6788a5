"""Variants of a sweep, one by one or in several processes; each outcome is reported when it is known.

A process runs one variant after the other. It is stopped by a message, and stops by itself when the
sweep's process has ended: its pipe then ends. Until then it holds a lock, for which the next sweep into the
same folder waits. A process that dies loses only its own variant, which another repeats once. Signals that
a terminal, `timeout` or a batch system sends to the whole group are left to the sweep's process, which stops
the others.
"""

from __future__ import annotations

import multiprocessing
import shutil
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path

from traction.errors import InputError, StorageError
from traction.kinds.sweep.sweep_variant import Variant, VariantOutcome, end_variant, run_variant
from traction.outputs.atomic import storage_error
from traction.results.manifest import RunStatus
from traction.results.recorder import Stop
from traction.results.storage.run_files import is_being_written, sole_writer

WAIT_SECONDS = 0.1  #: between questions whether to stop
READY = "ready"
LOCKS = "workers"  #: folder of the locks that processes hold
PATIENCE = 30.0  #: seconds for processes of a killed sweep, which end after their current sample
LOOK_SECONDS = 0.05
GROUP_SIGNALS = (signal.SIGINT, signal.SIGTERM)  #: sent to a whole group of processes at once
GUARD = 'In a script, call tr.sweep with processes under `if __name__ == "__main__":`, or leave workers=1.'


Share = Callable[[int, float], None]  #: called with a variant's index and its completed fraction


def one_by_one(
    variants: Sequence[Variant], share: Share, stop: Stop
) -> Generator[tuple[int, VariantOutcome], None, None]:
    """Outcomes of the variants, run in this process."""
    for variant in variants:
        if stop():
            return

        def progress(done: int, total: int, number: int = variant.number) -> None:
            share(number, done / total)

        yield variant.number, run_variant(variant, progress, stop)


def side_by_side(
    variants: Sequence[Variant], workers: int, folder: Path | None, share: Share, stop: Stop
) -> Generator[tuple[int, VariantOutcome], None, None]:
    """Outcomes of the variants, as processes finish them."""
    waiting, asked = deque(variants), False
    lost: set[int] = set()  # variants whose process ended once; they are repeated, or resumed
    crew: list[_Worker] = []
    try:
        crew.extend(_Worker(folder and folder / LOCKS / str(k)) for k in range(min(workers, len(variants))))
        while waiting or any(worker.variant for worker in crew):
            if not asked and stop():
                asked = True
                waiting.clear()
                for worker in crew:
                    worker.ask_to_stop()
            for worker in crew:
                if waiting and worker.is_idle:
                    worker.give(waiting.popleft())
            for pipe in wait([worker.pipe for worker in crew], WAIT_SECONDS):
                place = next(k for k, worker in enumerate(crew) if worker.pipe is pipe)
                worker = crew[place]
                variant = worker.variant
                told = worker.told(share, asked)
                if worker.is_gone and variant is not None and not asked and variant.number not in lost:
                    lost.add(variant.number)
                    waiting.append(variant)
                    told = None
                if worker.is_gone:
                    worker.end()
                    crew[place : place + 1] = [worker.successor()] if waiting else []
                if told is not None:
                    yield told
    finally:
        for worker in crew:
            worker.leave()  # all of them first: should a join be interrupted, none is left without an end
        for worker in crew:
            worker.end()
        if folder is not None:
            shutil.rmtree(folder / LOCKS, ignore_errors=True)


def wait_for_orphans(folder: Path) -> None:
    """Wait until processes of a killed sweep have left the folder."""
    end = time.monotonic() + PATIENCE
    for lock in (folder / LOCKS).glob("*"):
        while is_being_written(lock):
            if time.monotonic() > end:
                raise InputError(
                    f"a process of an earlier sweep still writes in {folder}; wait for it, or stop it."
                )
            time.sleep(LOOK_SECONDS)


def require_main_guard() -> None:
    """Refuse to sweep while a new process imports the script that started it."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise InputError(f"this script starts its sweep again in every process. {GUARD}")


class _Worker:
    """A process, its pipe, and its current variant."""

    def __init__(self, lock: Path | None) -> None:
        self.lock = lock
        if lock is not None:
            try:
                lock.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise storage_error(error, lock) from error
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, lock), name="traction-sweep", daemon=True)
        with deaf():
            self.process.start()
        theirs.close()
        self.variant: Variant | None = None
        self.is_ready = self.is_gone = False

    @property
    def is_idle(self) -> bool:
        """Whether it can take a variant."""
        return self.is_ready and not self.is_gone and self.variant is None

    def give(self, variant: Variant) -> None:
        """Let it run the variant."""
        self.variant = variant
        with suppress(OSError):  # a process that is gone is noticed where it is listened to
            self.pipe.send(variant)

    def ask_to_stop(self) -> None:
        """Stop it after the current sample."""
        if self.variant is not None:
            with suppress(OSError):
                self.pipe.send(None)

    def told(self, share: Share, asked: bool) -> tuple[int, VariantOutcome] | None:
        """Read a message; an outcome is returned, and so is that of a process that ended.

        `asked` is True if all were asked to stop.
        """
        try:
            message = self.pipe.recv()
        except (EOFError, OSError):
            return self._lost(asked)
        if message == READY:
            self.is_ready = True
            return None
        if isinstance(message, StorageError | InputError):
            raise message
        variant = self.variant
        assert variant is not None
        if isinstance(message, float):
            share(variant.number, message)
            return None
        self.variant = None
        return variant.number, message

    def successor(self) -> _Worker:
        """A replacement of this process, unless it could not even begin: the next could not either."""
        if not self.is_ready:
            code = self.process.exitcode
            raise InputError(f"a process of the sweep ended before it began (exit code {code}). {GUARD}")
        return _Worker(self.lock)

    def leave(self) -> None:
        """Let the process end, by a kill if it is at a run, which can be resumed as after any kill."""
        self.pipe.close()
        if self.variant is not None or not self.is_ready:
            self.process.kill()  # it is deaf to what `terminate` sends

    def end(self) -> None:
        """End the process and wait until it has."""
        self.leave()
        self.process.join()

    def _lost(self, asked: bool) -> tuple[int, VariantOutcome] | None:
        self.is_gone = True
        self.process.join()
        variant, self.variant = self.variant, None
        if variant is None:
            return None
        words = f"its process ended (exit code {self.process.exitcode})"
        if not asked:
            words += " twice, perhaps out of memory; try fewer workers."
        status = RunStatus.STOPPED if asked else RunStatus.FAILED
        return variant.number, VariantOutcome(end_variant(variant, status, words))


@contextmanager
def deaf() -> Iterator[None]:
    """Block Ctrl-C and SIGTERM temporarily.

    A process started meanwhile never receives them, not even while it loads.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # type: ignore[attr-defined, unused-ignore]  # its start would let Ctrl-C through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, GROUP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(pipe: Connection, lock: Path | None) -> None:
    """Main loop of a process: run variants until the pipe ends."""
    for number in GROUP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)  # the sweep's process hears them too, and says what to do
    with ExitStack() as held, suppress(EOFError, OSError):  # the sweep's process is gone
        try:
            _hold(lock, held, pipe)
        except (InputError, StorageError) as error:
            pipe.send(type(error)(str(error)))
            return
        pipe.send(READY)
        while True:
            variant = pipe.recv()
            if variant is not None:  # None: asked to stop when it was done
                pipe.send(_run_served(variant, pipe))


def _hold(lock: Path | None, held: ExitStack, pipe: Connection) -> None:
    """Take the lock; a process of a killed sweep that was still loading may have it for a moment."""
    end = time.monotonic() + PATIENCE
    while lock is not None:
        try:
            held.enter_context(sole_writer(lock))
            return
        except InputError:
            if pipe.poll(LOOK_SECONDS) or time.monotonic() > end:  # before READY only an end is to be read
                raise


def _run_served(variant: Variant, pipe: Connection) -> VariantOutcome | StorageError:
    def progress(done: int, total: int) -> None:
        with suppress(OSError):
            pipe.send(done / total)

    try:
        return run_variant(variant, progress, pipe.poll)
    except StorageError as error:
        return StorageError(str(error))
