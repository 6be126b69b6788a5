"""Files of the page, which lie in `page/` and need no token."""

from __future__ import annotations

import mimetypes
import re
from pathlib import Path

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
