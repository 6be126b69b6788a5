"""Built-in cases and kinds of scenarios, for the start page."""

from __future__ import annotations

import tomllib
from pathlib import Path

from traction.kinds.registry import KINDS, STARTS, shipped
from traction.studio.messages import Facts, RefusedError


def list_cases() -> Facts:
    """All built-in cases."""
    return {"cases": [_summarise(name, path) for name, path in shipped().items()]}


def describe_case(name: str) -> Facts:
    """One built-in case as text and as values."""
    path = shipped().get(name)
    if path is None:
        raise RefusedError(404, f'there is no built-in case "{name[:60]}".')
    text = path.read_text(encoding="utf-8")
    return {**_summarise(name, path), "toml": text, "values": tomllib.loads(text)}


def list_kinds() -> Facts:
    """All kinds, each with the case to start from."""
    starts: dict[str, str] = {}
    for name, path in shipped().items():
        kind = str(tomllib.loads(path.read_text(encoding="utf-8"))["kind"])
        starts.setdefault(kind, name)
    starts |= STARTS
    return {
        "kinds": [
            {"name": name, "summary": words, "start": starts.get(name)} for name, words in KINDS.items()
        ]
    }


def used_keys(kind: str) -> set[tuple[str, ...]]:
    """Paths of all keys that built-in cases of a kind give, without the numbers of lists."""
    found: set[tuple[str, ...]] = set()
    for path in shipped().values():
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        if data["kind"] == kind:
            _collect(data, (), found)
    return found


def _collect(value: object, path: tuple[str, ...], found: set[tuple[str, ...]]) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            found.add((*path, key))
            _collect(inner, (*path, key), found)
    elif isinstance(value, list):
        for inner in value:
            _collect(inner, path, found)


def _summarise(name: str, path: Path) -> Facts:
    text = path.read_text(encoding="utf-8")
    data = tomllib.loads(text)
    comment = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        comment.append(line.removeprefix("#").strip())
    return {
        "name": name,
        "title": data["title"],
        "kind": data["kind"],
        "description": " ".join(comment),
    }
