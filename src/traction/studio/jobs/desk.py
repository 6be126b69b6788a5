"""A desk: a child process that answers one call after the other, and is replaced when it fails."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import Process
from typing import NamedTuple

from traction.studio.jobs.child import kill, read_tail, send, start_child, tell_end
from traction.studio.messages import RefusedError
from traction.studio.settings import StudioLimits


class Answer(NamedTuple):
    """Status of a call, and its JSON."""

    status: int
    body: bytes


class Desk:
    """Calls are answered in turn; one that takes too long, or kills the process, is refused."""

    def __init__(self, limits: StudioLimits, seconds: float) -> None:
        self._limits, self._seconds = limits, seconds
        self._process: Process | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._tails: set[asyncio.Task[str]] = set()

    async def open(self) -> None:
        """Start the process before it is needed."""
        async with self._turn:
            await self._ready()

    async def ask(self, task: str, **arguments: object) -> Answer:
        """The answer to a call."""
        if self._waiting >= self._limits.waiting_calls:
            raise RefusedError(429, "too many requests are waiting; try again in a moment.")
        self._waiting += 1
        try:
            # a caller that goes away must not leave half an answer in the pipe
            return await asyncio.shield(asyncio.ensure_future(self._in_turn(task, arguments)))
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        """End the process."""
        if self._process is not None:
            kill(self._process)
            await self._process.wait()
            self._process = None

    async def _in_turn(self, task: str, arguments: dict[str, object]) -> Answer:
        async with self._turn:
            process = await self._ready()
            try:
                async with asyncio.timeout(self._seconds):
                    return await self._exchange(process, task, arguments)
            except TimeoutError:
                await self.close()
                raise RefusedError(
                    503,
                    f"this took longer than {self._seconds:g} s and was stopped; choose something smaller.",
                ) from None

    async def _exchange(self, process: Process, task: str, arguments: dict[str, object]) -> Answer:
        assert process.stdout is not None
        await send(process, {"task": task, "arguments": arguments})
        line = await process.stdout.readline()
        if not line:
            code = await process.wait()
            self._process = None
            raise RefusedError(503, f"the process that should answer {tell_end(code)}; try again.")
        header = json.loads(line)
        return Answer(header["status"], await process.stdout.readexactly(header["bytes"]))

    async def _ready(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await start_child("desk_process")
            tail = asyncio.create_task(read_tail(self._process))
            self._tails.add(tail)
            tail.add_done_callback(self._tails.discard)
            await send(self._process, {"memory": self._limits.memory_bytes})
        return self._process
