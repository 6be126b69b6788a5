"""What a child process tells the server, through a pipe of messages, and what the server asks it: to stop."""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from traction.results.storage.run_files import is_being_written
from traction.studio.messages import RefusedError, to_json

DRAWING = "drawing"
TOLD_SECONDS = 0.1  #: between two messages about progress

T = TypeVar("T")
Order = dict[str, object]


class ChildPipe:
    """Messages on the standard streams, which nobody else in this process uses from now on."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)  # what a library prints does not mix with messages
        self._in = sys.stdin.buffer
        self._lock = threading.Lock()

    def send(self, message: dict[str, object], body: bytes | None = None) -> None:
        """Send a message, and after it the bytes that it announces; a server that ended misses it."""
        if body is not None:
            message = {**message, "bytes": len(body)}
        with self._lock, suppress(BrokenPipeError):
            self._out.write(to_json(message) + b"\n" + (body or b""))
            self._out.flush()

    def receive(self) -> Iterator[dict[str, object]]:
        """Messages of the server until it ends."""
        for line in self._in:
            message = json.loads(line)
            if isinstance(message, dict):
                yield message


def limit_memory(most: object) -> None:
    """Let allocations beyond so many bytes fail, where the system can."""
    if not isinstance(most, int) or most <= 0:
        return
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


class ServerLink:
    """What the server asks, and what it receives."""

    def __init__(self, pipe: ChildPipe) -> None:
        self._pipe, self._told = pipe, 0.0
        self._asked, self._alone = threading.Event(), threading.Event()

    def listen(self) -> None:
        """Wait in a thread for the request to stop, or for the end of the server."""
        threading.Thread(target=self._wait, daemon=True).start()

    def _wait(self) -> None:
        for message in self._pipe.receive():
            if message.get("stop"):
                self._asked.set()
        self._alone.set()
        self._asked.set()

    def stop(self) -> bool:
        """Whether to stop."""
        return self._asked.is_set()

    @property
    def is_alone(self) -> bool:
        """Whether the server has ended: what has not begun is left to the next one."""
        return self._alone.is_set()

    def wait_for(self, folder: Path) -> bool:
        """Wait until nobody writes a folder: a process of a studio that was killed ends with its sample.

        False where the server asked to stop meanwhile, which ends the run.
        """
        if is_being_written(folder):
            self.note("waiting for the process of an earlier Studio to end")
        while is_being_written(folder):
            if self.stop():
                self.end("stopped", "stopped while the process of an earlier Studio was ending")
                return False
            time.sleep(TOLD_SECONDS)
        return True

    def progress(self, done: float, total: int) -> None:
        """Tell how many samples, or variants, are complete."""
        now = time.monotonic()
        if done == total or now - self._told >= TOLD_SECONDS:
            self._told = now
            self._pipe.send({"progress": [done, int(total)]})

    def phase(self, name: str) -> None:
        """Tell which phase begins."""
        self._pipe.send({"phase": name})

    def end(self, state: str, message: str) -> None:
        """Tell how the run ended."""
        self._pipe.send({"ended": state, "message": message})

    def note(self, message: str) -> None:
        """Tell what the run waits for."""
        self._pipe.send({"note": message})

    def report(self, state: str, message: str = "") -> None:
        """Tell how the report is getting on."""
        self._pipe.send({"report": state, "message": message})


class NoteHandler(logging.Handler):
    """Passes on what the compiler says: a first run may wait for it."""

    def __init__(self, server: ServerLink) -> None:
        super().__init__()
        self._server = server

    def emit(self, record: logging.LogRecord) -> None:
        """Tell the server."""
        self._server.note(record.getMessage())


def open_link() -> tuple[ServerLink, Order] | None:
    """The link to the server and its order, once it has come; None where there is no server."""
    pipe = ChildPipe()
    order = next(pipe.receive(), None)
    if order is None:
        return None
    limit_memory(order.get("memory"))
    link = ServerLink(pipe)
    link.listen()
    logging.getLogger("traction.compiled").addHandler(NoteHandler(link))
    return link, order


def follow_order(
    carry_out: Callable[[ServerLink, Order, Path], bool], report: Callable[[Path, ServerLink], None]
) -> None:
    """Do what the server asks, tell it about it, and draw the report of what `carry_out` completed."""
    opened = open_link()
    if opened is None:
        return
    link, order = opened
    folder = Path(str(order["folder"]))
    if carry_out(link, order, folder):
        draw(link, lambda: report(folder, link))


def compute(link: ServerLink, work: Callable[[], T]) -> T | None:
    """Do the work; report to the server why, where it fails."""
    from traction.errors import TractionError

    link.phase("computing")
    try:
        return work()
    except TractionError as error:
        link.end("failed", str(error))
    except RefusedError as refused:  # an order that no route has checked
        link.end("failed", refused.sentence)
    except MemoryError:
        link.end("failed", "the case does not fit in the memory that a run may use; choose a smaller grid.")
    except Exception as error:  # a bug must be seen, and the server must know
        link.end("failed", f"{type(error).__name__}: {error}. This is a bug in Traction.")
        raise
    return None


def draw(link: ServerLink, write_report: Callable[[], object]) -> None:
    """Write a report, where figures can be drawn."""
    if find_spec("matplotlib") is None:
        link.report("failed", "figures need matplotlib: pip install traction[plot].")
        return
    import matplotlib as mpl

    mpl.use("Agg")
    from traction.errors import TractionError

    link.phase(DRAWING)
    link.report(DRAWING)
    try:
        write_report()
    except (TractionError, MemoryError) as error:
        link.report("failed", str(error) or "the report does not fit in memory.")
        return
    link.report("ready")
