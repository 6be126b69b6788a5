"""Reading TOML from untrusted files, bounded in size, depth and digits; and the line of each key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from traction.errors import InputError
from traction.printable import printable
from traction.regular_files import read_regular

MAX_BYTES = 5_000_000
MAX_ENTRIES = 200_000  #: keys, tables and values of lists; more take seconds to read
MAX_DEPTH = 32
MAX_LETTERS = 400  #: of a number or a key without quotes
TOKEN = re.compile(
    r"""(?P<blank>[ \t\r]+|\#[^\n]*)
      | (?P<newline>\n(?:[ \t\r]*\n)*+)
      | (?P<numbers>(?:[+-]?[0-9]{1,30}(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,3})?[ \t]*,[ \t]*)++)
      | (?P<long>\"{3}(?:[^\\"]|\\.|\"(?!\"\"))*+\"{3,5}|'{3}(?:[^']|'(?!''))*+'{3,5})
      | (?P<text>"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')
      | (?P<mark>[\[\]{}=,.])
      | (?P<word>[^\s\[\]{}=,."'\#]+)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)

KeyPath = tuple[str | int, ...]
Table = dict[str, object]  #: by its keys


class ScenarioError(InputError):
    """Raised when a scenario file is invalid; `problems` has one sentence each, with file, line and key.

    `paths` are the keys that they are about, where these are known; () for the file as a whole.
    """

    def __init__(self, problems: list[str], paths: list[KeyPath] | None = None) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems
        self.paths = [()] * len(problems) if paths is None else paths


@dataclass(frozen=True)
class Document:
    """A parsed file: its data, and the line of each key."""

    name: str
    text: str
    data: Table
    changed: dict[KeyPath, str] = field(
        default_factory=dict
    )  #: where the values that are not from it are from

    @cached_property
    def lines(self) -> dict[KeyPath, int]:
        """Line of every key and table; searched when a message needs one."""
        return key_lines(self.text)

    def where(self, path: KeyPath) -> str:
        """File and line of a key, or the change that put it in, itself or something within it."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.changed:
                return self.changed[path[:length]]
        if path and path not in self.lines:
            for changed, where in self.changed.items():
                if changed[: len(path)] == path:
                    return where
        return f"{self.name}:{self.line_of(path)}"

    def line_of(self, path: KeyPath) -> int:
        """Line of a key, or of the nearest table that contains it; 1 if unknown."""
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
        content = read_regular(file, MAX_BYTES)
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
    return Document(name, text, data)


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Group, text and line of all that is not blank, up to the first character that is no TOML."""
    line = 1
    for found in TOKEN.finditer(text):
        group, token = str(found.lastgroup), found.group()
        if group == "other":
            return
        if group != "blank":
            yield group, token, line
        if group in ("newline", "long"):
            line += token.count("\n")


def _require_bounded(text: str, name: str) -> None:
    """Refuse input that the parser cannot handle: deep nesting, very long or too many keys and numbers."""
    depth = dots = entries = 0
    for group, token, line in _tokens(text):
        if group == "word" and len(token) > MAX_LETTERS:
            raise ScenarioError([f"{name}:{line}: a number or key is longer than {MAX_LETTERS} characters."])
        entries += token.count(",") if group == "numbers" else group == "mark" and token in "[{=,"
        if entries > MAX_ENTRIES:
            remedy = "put long tables into a file of their own"
            raise ScenarioError([f"{name}:{line}: more than {MAX_ENTRIES} keys and values; {remedy}."])
        if group == "newline":
            dots = 0
        if group != "mark":
            continue
        depth = max(0, depth + (token in "[{") - (token in "]}"))
        dots = dots + 1 if token == "." else 0
        if depth > MAX_DEPTH:
            raise ScenarioError([f"{name}:{line}: brackets are nested deeper than {MAX_DEPTH}."])
        if dots > MAX_DEPTH:
            raise ScenarioError([f"{name}:{line}: a key has more than {MAX_DEPTH} dots."])


def _with_line(message: str, name: str) -> str:
    """Message of the parser with the line in front."""
    found = re.search(r"\(at line (\d+), column \d+\)", message)
    line = found.group(1) if found else "1"
    return f"{name}:{line}: is not valid TOML: {printable(re.sub(r' *[(]at .*[)]$', '', message))}."


def key_lines(text: str) -> dict[KeyPath, int]:
    """Line of every table, key and element of an array in a valid file."""
    lines: dict[KeyPath, int] = {}
    counts: dict[KeyPath, int] = {}  # of tables in each array of tables
    table: KeyPath = ()
    open_: list[tuple[str, KeyPath]] = []  # brackets around, and the path of what they hold
    parts: list[str] = []
    path: KeyPath = ()
    expects_key, at_start, before = True, True, ""
    for group, token, line in _tokens(text):
        if group == "newline":
            if not open_:
                expects_key, at_start, parts = True, True, []
            continue
        if expects_key and group in ("word", "text"):
            parts.append(_name(token))
        elif at_start and token == "[":  # a header
            at_start = False
            open_.append(("header", ()))
        elif open_ and open_[-1][0] == "header":
            if token == "[":
                open_.append(("header", ()))
            elif token == "]":
                if parts:
                    table = _resolve(parts, counts)
                    if len(open_) == 2:
                        counts[table] = counts.get(table, -1) + 1
                        table = (*table, counts[table])
                    lines.setdefault(table, line)
                    parts = []
                open_.pop()
        elif expects_key and token == "=":
            path = open_[-1][1] if open_ else table
            for part in parts:
                path = (*path, part)
                lines.setdefault(path, line)
            expects_key, parts = False, []
        elif not expects_key and token in ("[", "{"):
            path = _element(open_, path, lines, line)
            open_.append((token, (*path, -1) if token == "[" else path))
            expects_key = token == "{"
        elif open_ and token in ("]", "}"):
            open_.pop()
            expects_key = False
        elif open_ and token == ",":
            expects_key = open_[-1][0] == "{"
        elif group == "numbers":
            for _ in range(token.count(",") if open_ else 0):
                _element(open_, path, lines, line)
            expects_key = bool(open_) and open_[-1][0] == "{"
        elif not expects_key and token != "." and before != ".":
            _element(open_, path, lines, line)
        at_start, before = False, token
    return lines


def _element(
    open_: list[tuple[str, KeyPath]], path: KeyPath, lines: dict[KeyPath, int], line: int
) -> KeyPath:
    """Path of a value: that of its key, or in an array the next one."""
    if not open_ or open_[-1][0] != "[":
        return path
    *above, last = open_[-1][1]
    path = (*above, int(last) + 1)
    open_[-1] = ("[", path)
    lines.setdefault(path, line)
    return path


def _name(token: str) -> str:
    """Name of one part of a key."""
    if token[0] == '"':
        return str(tomllib.loads(f"name = {token}")["name"])
    return token[1:-1] if token[0] == "'" else token


def _resolve(parts: list[str], counts: dict[KeyPath, int]) -> KeyPath:
    """Path of a table, with the index of the last element of each array of tables on the way."""
    path: KeyPath = ()
    for position, part in enumerate(parts):
        path = (*path, part)
        if path in counts and position < len(parts) - 1:
            path = (*path, counts[path])
    return path
