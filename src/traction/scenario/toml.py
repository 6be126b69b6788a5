"""Reading TOML from untrusted files: bounded in size, depth and digits; and where each key stands."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from traction.errors import InputError

MAX_BYTES = 5_000_000
MAX_DEPTH = 32
MAX_DIGITS = 400
HEADER = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
ASSIGNMENT = re.compile(r"""^\s*((?:"[^"]*"|'[^']*'|[\w.\-\s])+?)\s*=""")
PART = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([\w\-]+))\s*\.?""")

KeyPath = tuple[str | int, ...]


class ScenarioError(InputError):
    """A scenario file is wrong; `problems` holds one sentence each, with file, line and key."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True)
class Document:
    """A parsed file: its data, and the line of each key."""

    name: str
    text: str
    data: dict[str, Any]
    lines: dict[KeyPath, int]

    def line_of(self, path: KeyPath) -> int:
        """Line of a key, or of the nearest table that holds it; 1 when nothing is known."""
        while path:
            if path in self.lines:
                return self.lines[path]
            path = path[:-1]
        return 1


def read(path: str | Path) -> Document:
    """Read a scenario file."""
    file = Path(path)
    try:
        if not file.is_file():
            raise ScenarioError([f"{file}: there is no such file; `traction new` writes one to start from."])
        size = file.stat().st_size
        if size > MAX_BYTES:
            raise ScenarioError([f"{file}: {size} bytes are too many for a scenario, at most {MAX_BYTES}."])
        content = file.read_bytes()
    except OSError as error:
        raise ScenarioError([f"{file}: cannot be read: {error.strerror}."]) from error
    return parse(content, file.name)


def parse(content: bytes, name: str) -> Document:
    """Parse the bytes of a scenario file."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ScenarioError([f"{name}:{line}: is not text in UTF-8; save the file as UTF-8."]) from None
    _require_bounded(text, name)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError([_with_line(str(error), name)]) from None
    except (ValueError, RecursionError, OverflowError) as error:  # what tomllib lets through
        raise ScenarioError([f"{name}:1: is not valid TOML: {error}."]) from None
    return Document(name, text, data, key_lines(text))


def _require_bounded(text: str, name: str) -> None:
    """Refuse what the parser would choke on: deep nesting and numbers without end."""
    depth, number = 0, 0
    for at, line in enumerate(text.splitlines(), start=1):
        for character in line:
            depth += (character in "[{") - (character in "]}")
            number = number + 1 if character.isdigit() else 0
            if depth > MAX_DEPTH:
                raise ScenarioError([f"{name}:{at}: brackets are nested deeper than {MAX_DEPTH}."])
            if number > MAX_DIGITS:
                raise ScenarioError([f"{name}:{at}: a number has more than {MAX_DIGITS} digits."])
        number = 0
        depth = max(depth, 0)


def _with_line(message: str, name: str) -> str:
    """Message of the parser with the line in front."""
    found = re.search(r"\(at line (\d+), column \d+\)", message)
    line = found.group(1) if found else "1"
    return f"{name}:{line}: is not valid TOML: {re.sub(r' *[(]at .*[)]$', '', message)}."


def key_lines(text: str) -> dict[KeyPath, int]:
    """Line of every table and key that stands at the beginning of a line."""
    lines: dict[KeyPath, int] = {}
    counts: dict[KeyPath, int] = {}
    table: KeyPath = ()
    for at, line in enumerate(text.splitlines(), start=1):
        header = HEADER.match(line)
        if header is not None:
            table = _resolve(_parts(header.group(2)), counts)
            if header.group(1) == "[[":
                index = counts.get(table, -1) + 1
                counts[table] = index
                table = (*table, index)
            lines.setdefault(table, at)
            continue
        assignment = ASSIGNMENT.match(line)
        if assignment is not None:
            path = table
            for part in _parts(assignment.group(1)):
                path = (*path, part)
                lines.setdefault(path, at)
    return lines


def _parts(dotted: str) -> list[str]:
    """Names of a dotted key."""
    return [
        next(group for group in found if group is not None)
        for found in (match.groups() for match in PART.finditer(dotted))
        if any(g is not None for g in found)
    ]


def _resolve(parts: list[str], counts: dict[KeyPath, int]) -> KeyPath:
    """Path of a table, with the index of the last element of each array of tables on the way."""
    path: KeyPath = ()
    for position, part in enumerate(parts):
        path = (*path, part)
        if path in counts and position < len(parts) - 1:
            path = (*path, counts[path])
    return path
