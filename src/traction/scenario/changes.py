"""Changes of single values by dotted keys, such as `axle[0].force`, on the command line and in sweeps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from traction.scenario.toml import Document, KeyPath, ScenarioError, Table, parse

INDEX = re.compile(r"\[([0-9]+)\]")  #: of an element, behind the name of a list


def key_parts(key: str) -> list[str]:
    """Names and numbers of a dotted key; `axle[0].force` is `axle.0.force`."""
    return INDEX.sub(r".\1", key).split(".")


def written(path: KeyPath) -> str:
    """The key of a path, as in `axle[0].force`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def value_of(text: str) -> object:
    """The TOML value of the text; other text stays text, so quotes are optional."""
    try:
        found = parse(f"value = {text}".encode(), "value").data
    except ScenarioError:
        return text
    return found["value"] if set(found) == {"value"} else text


def changed(document: Document, key: str, value: object, where: str) -> Document:
    """The document with another value at the key; `where` begins the sentences about it."""
    data, path = with_value(document.data, key, value, where)
    return replace(document, data=data, changed={**document.changed, path: where})


def with_value(data: Table, key: str, value: object, where: str) -> tuple[Table, KeyPath]:
    """The data with another value at the key, and its path; tables around it are copied, others shared."""
    copy = dict(data)
    path: KeyPath = ()
    current: Any = copy
    *tables, last = key_parts(key)
    for part in tables:
        step = _find_step(current, part, where)
        inner = current.get(step, {}) if isinstance(current, dict) else current[step]
        current[step] = inner.copy() if isinstance(inner, dict | list) else inner
        current, path = current[step], (*path, step)
    step = _find_step(current, last, where)
    current[step] = value
    return copy, (*path, step)


def value_at(case: object, path: KeyPath) -> object:
    """The value of a checked case, or of plain data, at the path; None where there is none."""
    for part in path:
        if isinstance(part, int):
            listed = case if isinstance(case, Sequence) and not isinstance(case, str) else ()
            case = listed[part] if part < len(listed) else None
        else:
            case = case.get(part) if isinstance(case, dict) else getattr(case, part, None)
    return case


def _find_step(container: object, part: str, where: str) -> str | int:
    """The key or the number of an element that `part` means in a table or list."""
    if isinstance(container, dict):
        return part
    if not isinstance(container, list):
        raise ScenarioError([f'{where}: there is no table for the key "{part}" in the file.'])
    number = int(part) if part.isascii() and part.isdigit() and len(part) < 10 else -1
    if not container:
        raise ScenarioError([f'{where}: there is no element "{part}", the list is empty; give all of it.'])
    if not 0 <= number < len(container):
        raise ScenarioError([f'{where}: "{part}" must be a number from 0 to {len(container) - 1} here.'])
    return number
