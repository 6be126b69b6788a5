"""Settings of a studio: where it works, and the limits it keeps."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path

MIB = 1 << 20
HOST = "127.0.0.1"  #: nobody else can reach it


@dataclass(frozen=True)
class StudioLimits:
    """What a studio takes at most."""

    jobs: int = max(2, min(4, (os.cpu_count() or 2) - 1))  #: runs at the same time
    queue: int = 100  #: runs that wait
    memory_bytes: int = 8192 * MIB  #: of a child process
    run_seconds: float = 4.0 * 3600.0  #: of a run, which can be resumed after it
    request_bytes: int = 6_000_000
    waiting_calls: int = 200  #: of one desk
    streams: int = 100  #: of events


@dataclass(frozen=True)
class Settings:
    """A studio: its workspace, its address and what it opens first."""

    workspace: Path  #: resolved; no file outside it is served
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    opened: Path | None = None  #: run or sweep that the page shows first
    limits: StudioLimits = field(default_factory=StudioLimits)

    @property
    def hosts(self) -> tuple[str, ...]:
        """Values of `Host` that a browser on this machine sends."""
        return f"{HOST}:{self.port}", f"localhost:{self.port}"

    @property
    def address(self) -> str:
        """The address to open."""
        return f"http://{HOST}:{self.port}/?token={self.token}"
