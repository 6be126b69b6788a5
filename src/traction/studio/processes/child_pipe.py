"""The child's end of a pipe to the server: lines of JSON in and out."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress

from traction.studio.json_text import to_json


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
