"""Files under random addresses that are good for one visit within a minute."""

from __future__ import annotations

import secrets
import time

from traction.studio.refusal import RefusedError
from traction.studio.workspace.run_files import OfferedFile

SECONDS = 60.0
MOST = 1000


class OneTimeFiles:
    """Addresses that have been given out and not yet used."""

    def __init__(self) -> None:
        self._given: dict[str, tuple[float, OfferedFile]] = {}

    def give(self, file: OfferedFile) -> str:
        """A new address of a file."""
        now = time.monotonic()
        self._given = {name: one for name, one in self._given.items() if one[0] > now}
        if len(self._given) >= MOST:
            raise RefusedError(429, "too many reports are being opened; try again in a minute.")
        name = secrets.token_urlsafe(32)
        self._given[name] = now + SECONDS, file
        return name

    def holds(self, name: str) -> bool:
        """Whether an address is good."""
        return name in self._given and self._given[name][0] > time.monotonic()

    def take(self, name: str) -> OfferedFile:
        """The file at an address, which is good no longer."""
        until, file = self._given.pop(name, (0.0, None))
        if file is None or until <= time.monotonic():
            raise RefusedError(
                404, "this address of a report was used or has expired; open it again from the run."
            )
        return file
