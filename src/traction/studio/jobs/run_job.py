"""A run of this studio: its child process, and how far it is."""

from __future__ import annotations

import asyncio
import json
import time
from asyncio.subprocess import Process
from collections.abc import Callable
from pathlib import Path

from traction.results.storage.run_files import MANIFEST
from traction.results.sweeps.sweep_folder import PLAN
from traction.studio.jobs.child import kill, read_tail, send, start_child, tell_end
from traction.studio.settings import StudioLimits

QUEUED, RUNNING, STOPPED, FAILED, INTERRUPTED = "queued", "running", "stopped", "failed", "interrupted"
FINISHED = ("done", STOPPED, FAILED, INTERRUPTED)  #: states of a run whose samples will not change
DRAWING = "drawing"
#: share of the whole at which a phase begins, and how much it takes
PHASES = {
    "computing": (0.0, 0.94),
    "evaluating": (0.94, 0.04),
    "writing": (0.98, 0.02),
    DRAWING: (1.0, 0.0),
}
SWEEPS = ("sweep", "resume-sweep")  #: actions on sweeps
#: actions that make their folder, and how what they have begun is continued
CONTINUED = {"start": "resume", "sweep": "resume-sweep"}
ACTIONS = ("report", *CONTINUED, *CONTINUED.values())
GRACE_SECONDS = 30.0  #: between the request to stop and the end of a process that does not
REMEDY = "resume it, or run it with fewer samples"


class RunJob:
    """One call of the run process: its order, and what it has told."""

    def __init__(self, key: str, folder: Path, order: dict[str, object], words: dict[str, str]) -> None:
        self.key, self.folder, self.order = key, folder, order
        self.is_sweep = order["action"] in SWEEPS
        self.words = words  #: title and kind, while there is no folder to read them from
        self.state, self.message, self.phase = QUEUED, "", ""
        self.note = ""  #: what the run waits for before its first sample
        self.report = DRAWING if order["action"] == "report" else "none"
        self.samples: float = 0  #: complete ones, or variants of a sweep with parts of those that run
        self.total = 0
        self.began: float | None = None
        self._computing_since = 0.0
        self._first_samples: float | None = None
        self._seconds: float | None = None
        self._limit_reached = ""
        self._process: Process | None = None
        self.is_over = False
        self.stopping = False

    @property
    def has_begun(self) -> bool:
        """Whether its folder tells of it, however this studio ends."""
        return (self.folder / (PLAN if self.is_sweep else MANIFEST)).is_file()

    @property
    def is_new(self) -> bool:
        """Whether it makes its folder."""
        return self.order["action"] in CONTINUED

    @property
    def can_begin_again(self) -> bool:
        """Whether it ended before its folder could tell of it."""
        return self.is_over and self.is_new and not self.has_begun

    @property
    def pid(self) -> int | None:
        """Of its process, while there is one."""
        return self._process.pid if self._process is not None and not self.is_over else None

    @property
    def progress(self) -> float:
        """Share of the whole that is done, 0 to 1."""
        start, share = PHASES.get(self.phase, (0.0, 0.94))
        return min(1.0, start + share * (self.samples / self.total if self.total and share > 0.1 else 0.0))

    @property
    def seconds(self) -> float:
        """Since it began."""
        if self._seconds is not None:
            return self._seconds
        return 0.0 if self.began is None else time.monotonic() - self.began

    @property
    def seconds_left(self) -> float | None:
        """Estimated from the samples so far; None where nothing is known."""
        first = self._first_samples
        if self.state != RUNNING or self.phase != "computing" or first is None or self.samples <= first:
            return None
        each = (time.monotonic() - self._computing_since) / (self.samples - first)
        return each * (self.total - self.samples)

    async def run(self, limits: StudioLimits, changed: Callable[[], None]) -> None:
        """Start the process and follow it to its end."""
        self.state, self.began = RUNNING, time.monotonic()
        changed()
        process = self._process = await start_child("run_process")
        tail = asyncio.create_task(read_tail(process))
        clock = asyncio.create_task(self._limit(process, limits.run_seconds))
        await send(process, {**self.order, "memory": limits.memory_bytes})
        if self.stopping:
            await send(process, {"stop": True})
        try:
            await self._follow(process, changed)
            code = await process.wait()
            await tail
        finally:
            clock.cancel()
            kill(process)
        self._settle(code)
        changed()

    async def stop(self) -> None:
        """Ask the process to stop after its present sample."""
        self.stopping = True
        if self._process is not None:
            await send(self._process, {"stop": True})

    async def end(self) -> None:
        """End the process now."""
        if self._process is not None and self._process.returncode is None:
            kill(self._process)
            await self._process.wait()

    async def _follow(self, process: Process, changed: Callable[[], None]) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            self._take(json.loads(line))
            changed()

    def _take(self, told: dict[str, object]) -> None:
        """Note what the process tells."""
        match told:
            case {"progress": [int() | float() as done, int(total)]}:
                if self.phase == DRAWING:
                    return
                if self._first_samples is None:
                    self._first_samples, self._computing_since = done, time.monotonic()
                self.samples, self.total, self.note = done, total, ""
            case {"phase": str(name)}:
                self.phase = name
            case {"note": str(message)}:
                self.note = message
            case {"ended": str(state), "message": str(message)}:
                self.state, self.message, self._seconds = state, message, self.seconds
                if self._limit_reached:
                    self.message = f"{self._limit_reached} {message}"
            case {"report": str(state), "message": str(message)}:
                self.report = state
                self.message = message or self.message

    def _settle(self, code: int) -> None:
        """What the end of the process means where it has not said so."""
        self.is_over, self.phase, self._seconds = True, "", self.seconds
        if self.state == RUNNING and self.order["action"] == "report":
            self.state = ""
        if self.state == RUNNING:
            self.state = INTERRUPTED
            what = "sweep" if self.is_sweep else "run"
            self.message = f"the process of this {what} {tell_end(code)}; resume it."
        if self.report == DRAWING:
            self.report = "failed"
            self.message = f"the process that drew the report {tell_end(code)}; draw it again."

    async def _limit(self, process: Process, seconds: float) -> None:
        """Stop a process that runs too long, at first politely."""
        await asyncio.sleep(seconds)
        self._limit_reached = f"The limit of {seconds:g} s for one run was reached; {REMEDY}."
        await send(process, {"stop": True})
        await asyncio.sleep(GRACE_SECONDS)
        kill(process)
