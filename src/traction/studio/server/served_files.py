"""Files of the page, which need no token, and files under addresses that are good for one visit."""

from __future__ import annotations

import mimetypes
import re
import secrets
import time
from pathlib import Path

from traction.studio.messages import RefusedError
from traction.studio.workspace.workspace import OfferedFile

PAGE = Path(__file__).parent.parent / "page"
PREFIX = "/static/"
NAME = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*/){0,4}[A-Za-z0-9_-][A-Za-z0-9_.-]*")
#: the system's table of types may be missing or wrong
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".ico": "image/x-icon",
}
SECONDS = 60.0
MOST = 1000


def is_page_path(path: str) -> bool:
    """Whether a file of the page is asked for, which needs no token."""
    return find_page_file(path) is not None


def find_page_file(path: str) -> Path | None:
    """The file of the page at a path of the server; None for all else."""
    if path == "/":
        return PAGE / "index.html"
    name = path.removeprefix(PREFIX)
    if name == path or NAME.fullmatch(name) is None:
        return None
    found = PAGE / name
    return found if found.is_file() and found.resolve().is_relative_to(PAGE.resolve()) else None


def media_type(path: Path) -> str:
    """For the header of the answer."""
    suffix = path.suffix.lower()
    return TYPES.get(suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"


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
