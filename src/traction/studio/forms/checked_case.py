"""A scenario as it is typed: what is wrong with it, and how it reads as TOML, as values and as Python."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from pprint import pformat

import tomli_w

from traction.errors import TractionError
from traction.kinds.case import Scenario, check_document
from traction.kinds.registry import kind_of
from traction.scenario.dimensions import bare_numbers
from traction.scenario.toml import Document, KeyPath, ScenarioError, parse

WIDTH = 88
INDENT = 4
NAME = "scenario"
PLACE = re.compile(rf"{NAME}(?::(\d+))?: ")  #: how sentences about a file begin

Facts = dict[str, object]
Values = dict[str, object]


def write_python(kind: str, values: dict[str, object], folder: str) -> str:
    """A short program that builds the same scenario, runs it and prints what came out."""
    return _write(kind, values, [f"run = tr.simulate(scenario, {folder!r})", "print(run)"])


def write_sweep(
    kind: str,
    values: dict[str, object],
    folder: str,
    vary: Mapping[str, object],
    options: Mapping[str, object],
) -> str:
    """A short program that carries out the same sweep and prints its table."""
    lines = [
        "found = tr.sweep(",
        "    scenario,",
        "    {",
        *(f"        {k!r}: {v!r}," for k, v in vary.items()),
    ]
    lines += [
        "    },",
        f"    {folder!r},",
        *(f"    {name}={value!r}," for name, value in options.items()),
        ")",
    ]
    return _write(kind, values, [*lines, "print(found.table)"])


def _write(kind: str, values: dict[str, object], rest: list[str]) -> str:
    lines = ["import traction as tr", "", "scenario = tr.Scenario.build(", f'    "{kind}",']
    for key, value in values.items():
        if key != "kind":
            lines += _argument(key, value)
    return "\n".join([*lines, ")", *rest, ""])


def _argument(key: str, value: object) -> list[str]:
    """`key=value,` over as many lines as it takes."""
    first, *rest = pformat(value, width=WIDTH - INDENT - len(key) - 2, sort_dicts=False).splitlines()
    indent = " " * INDENT
    lines = [f"{indent}{key}={first}", *(f"{indent}{' ' * (len(key) + 1)}{line}" for line in rest)]
    return [*lines[:-1], f"{lines[-1]},"]


def check_case(
    toml: str | None = None, kind: str = "", values: Values | None = None, folder: str | None = None
) -> Facts:
    """Check a scenario given as text, or as a kind and values; files it names lie in `folder`."""
    if toml is None:
        try:
            toml = write_toml(kind, values or {})
        except (TypeError, ValueError) as error:
            return _describe(None, "", [_problem(f"{NAME}: cannot be written as TOML: {error}.", ())])
    try:
        # a text may hold halves of characters, which no file can
        document = parse(toml.encode("utf-8"), NAME)
    except UnicodeEncodeError:
        return _describe(None, toml, [_problem(f"{NAME}:1: holds characters that UTF-8 cannot write.", ())])
    except ScenarioError as error:
        return _describe(None, toml, _problems(error))
    return _check_document(document, toml, folder)


def write_toml(kind: str, values: Values) -> str:
    """The text of a scenario with quantities as they were written; what has no value is left out."""
    kept = {key: _filled(value) for key, value in values.items() if value is not None and key != "kind"}
    return tomli_w.dumps({"kind": kind, **kept})


def _check_document(document: Document, toml: str, folder: str | None) -> Facts:
    # checking inlines the numbers of files that a scenario names; the values shown keep the names
    values = parse(document.text.encode(), NAME).data
    try:
        scenario = check_document(document, None if folder is None else Path(folder))
    except ScenarioError as error:
        return _describe(values, toml, _problems(error))
    except TractionError as error:
        return _describe(values, toml, [_problem(f"{NAME}: {error}", ())])
    return _describe(values, toml, [], scenario)


def _describe(
    values: Values | None, toml: str, problems: list[Facts], scenario: Scenario | None = None
) -> Facts:
    given = values or {}
    facts: Facts = {
        "ok": scenario is not None,
        "kind": str(given.get("kind", "")) if scenario is None else scenario.kind,
        "title": str(given.get("title", "")),
        "errors": problems,
        "notes": [],
        "toml": toml,
        "values": values,
        "normal": None,
        "python": None,
    }
    if scenario is None:
        return facts
    title = str(getattr(scenario.case, "title", ""))
    inside = {key: value for key, value in given.items() if key != "kind"}
    named = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60] or scenario.kind
    return facts | {
        "title": title,
        "notes": list(bare_numbers(kind_of(scenario.kind).schema, inside)),
        "normal": scenario.to_toml(),
        "python": write_python(scenario.kind, inside, named),
    }


def _problems(error: ScenarioError) -> list[Facts]:
    return [_problem(text, path) for text, path in zip(error.problems, error.paths, strict=True)]


def _problem(sentence: str, path: KeyPath) -> Facts:
    found = PLACE.match(sentence)
    line = int(found.group(1)) if found and found.group(1) else None
    message = sentence[found.end() :] if found else sentence
    key = ".".join(map(str, path))
    return {
        "path": list(path),
        "key": key,
        "line": line,
        "message": message[:1].upper() + message[1:] if not key else message,
    }


def _filled(value: object) -> object:
    """A value without the keys that have none."""
    if isinstance(value, dict):
        return {key: _filled(one) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        return [_filled(one) for one in value if one is not None]
    return value
