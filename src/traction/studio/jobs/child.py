"""Starting a child process of the studio, and sending it messages."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from contextlib import suppress

from traction.studio.messages import to_json

LONGEST_LINE = 1 << 20  #: bytes of a message without its body
TAIL = 2000  #: bytes of what a process wrote last on its standard error


async def start_child(module: str) -> Process:
    """A new process that runs a module of `traction.studio.processes`.

    It is in a session of its own: Ctrl-C in the terminal reaches the server, which asks its children to stop.
    `-P` keeps modules in the current folder from standing in for installed ones.
    """
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        f"traction.studio.processes.{module}",
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        limit=LONGEST_LINE,
        env={**os.environ, "MPLBACKEND": "Agg", "PYTHONUNBUFFERED": "1"},
        start_new_session=True,
    )


async def send(process: Process, message: Mapping[str, object]) -> None:
    """Send a message; a process that has ended does not get it."""
    assert process.stdin is not None
    try:
        process.stdin.write(to_json(message) + b"\n")
        await process.stdin.drain()
    except (BrokenPipeError, ConnectionResetError):
        return


async def read_tail(process: Process) -> str:
    """What the process wrote last on its standard error, until it ended."""
    assert process.stderr is not None
    tail = b""
    while chunk := await process.stderr.read(1 << 14):
        tail = (tail + chunk)[-TAIL:]
    return tail.decode("utf-8", "replace")


def kill(process: Process) -> None:
    """End a process at once, with those that it has started."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        if os.name == "nt":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def tell_end(code: int | None) -> str:
    """How a process ended that should not have, in words."""
    if code is None or code >= 0:
        return f"ended unexpectedly (exit code {code})"
    return f"was killed (signal {-code})"
