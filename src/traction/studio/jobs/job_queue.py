"""Runs of this studio: a few at the same time, the others wait in a queue."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from traction.studio.jobs.order_book import OrderBook
from traction.studio.jobs.run_job import DRAWING, FINISHED, RunJob
from traction.studio.messages import RefusedError
from traction.studio.settings import StudioLimits

LEAVE_SECONDS = 5.0  #: for runs to stop when the server does


class JobQueue:
    """Starts runs in turn, and remembers how they ended.

    The book holds every order from before it is acknowledged until it is done, so that a studio which is
    killed leaves it to the next one.
    """

    def __init__(self, limits: StudioLimits, changed: Callable[[str], None], book: OrderBook) -> None:
        self._limits, self._changed, self._book = limits, changed, book
        self._jobs: dict[str, RunJob] = {}
        self._waiting: list[RunJob] = []
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._closed = False

    def find(self, key: str) -> RunJob | None:
        """The latest job of a run."""
        return self._jobs.get(key)

    @property
    def jobs(self) -> list[RunJob]:
        """All jobs of this session."""
        return list(self._jobs.values())

    def is_active(self, key: str) -> bool:
        """Whether a job of the run waits or has a process."""
        job = self._jobs.get(key)
        return job is not None and not job.is_over

    def is_leaving(self, key: str) -> bool:
        """Whether the run has ended and only its process has not."""
        job = self._jobs.get(key)
        ended = job is not None and job.state in FINISHED and job.phase != DRAWING
        return ended and self.is_active(key)

    async def settle(self, key: str) -> None:
        """Wait for a process whose run has ended."""
        if self.is_leaving(key) and key in self._tasks:
            await asyncio.shield(self._tasks[key])

    def add(self, job: RunJob) -> None:
        """Take a run into the queue; it starts when it is its turn."""
        if self.is_active(job.key):
            raise RefusedError(409, "this run is under way; stop it first.")
        if len(self._waiting) >= self._limits.queue:
            raise RefusedError(429, f"{len(self._waiting)} runs are waiting already; let some of them end.")
        self._book.enter(job)
        self.withdraw(job)
        self.restore(job)

    def restore(self, job: RunJob) -> None:
        """Take a run into the queue whose order is in the book already."""
        self._jobs[job.key] = job
        self._waiting.append(job)
        self._changed(job.key)
        self._start_next()

    async def stop(self, key: str) -> None:
        """Stop a run, or take it from the queue."""
        job = self._jobs.get(key)
        if job is None or job.is_over:
            raise RefusedError(409, "this run is not under way.")
        self._book.strike(key)  # nobody wants it continued
        self.withdraw(job)
        if job in self._waiting:
            self._waiting.remove(job)
            job.state, job.message, job.is_over = "stopped", "stopped before it began", True
            self._changed(key)
            return
        await job.stop()

    def withdraw(self, job: RunJob) -> None:
        """Let nobody do what earlier studios left to do in its folder; that of a new run was not theirs."""
        if not job.is_new:
            self._book.withdraw(job.folder)

    def forget(self, key: str) -> None:
        """Forget a run that was deleted."""
        self._jobs.pop(key, None)

    async def close(self) -> None:
        """Ask all runs to stop, and end those that do not; what has not begun is left to the next studio."""
        self._closed = True
        self._waiting.clear()
        tasks = list(self._tasks.values())
        await asyncio.gather(*(self._jobs[key].stop() for key in self._tasks if key in self._jobs))
        if tasks:
            await asyncio.wait(tasks, timeout=LEAVE_SECONDS)
        await asyncio.gather(*(job.end() for job in self.jobs))
        await asyncio.gather(*tasks, return_exceptions=True)

    def _start_next(self) -> None:
        if self._closed:
            return
        while self._waiting and len(self._tasks) < self._limits.jobs:
            job = self._waiting.pop(0)
            self._tasks[job.key] = asyncio.create_task(self._carry_out(job))

    async def _carry_out(self, job: RunJob) -> None:
        try:
            await job.run(self._limits, lambda: self._changed(job.key))
        except OSError as error:
            job.state, job.message, job.is_over = "failed", f"no process could be started: {error}.", True
        finally:
            self._tasks.pop(job.key, None)
            if job.has_begun or not self._closed:
                self._book.strike(job.key)
            self._changed(job.key)
            self._start_next()
