"""Checking data against a schema, with errors that name file, line, key, value, limit and the nearest key."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from reprlib import Repr
from typing import TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from traction.printable import printable
from traction.scenario.toml import Document, KeyPath, ScenarioError, Table

Model = TypeVar("Model", bound=BaseModel)
MISSING = object()
LONGEST_SHOWN = 60
LIKE, LIKE_SHORT, SHORT = 0.6, 0.5, 4  #: of a key that may have been meant; of those with fewer letters
NAMED = re.compile(r"[a-z_]+(?:\.[a-z0-9_]+)+")  #: a key within a table, in a sentence
MOST_SHOWN = 20
#: what pydantic calls by its Python name
WORDS = {
    "model_type": "must be a table",
    "dict_type": "must be a table",
    "list_type": "must be a list",
    "bool_type": "must be true or false",
    "string_type": "must be text in quotes",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "invalid_key": "must be text",
}
LIMITS = {"ge": "at least", "gt": "above", "le": "at most", "lt": "below"}  #: of numbers, by pydantic's names
TINY = 1e-3  #: a limit below this keeps arithmetic from overflowing; what is meant is a positive number


def validated(schema: type[Model], data: Table, document: Document) -> Model:
    """An instance of the schema, or a `ScenarioError` with one sentence for each problem."""
    try:
        return schema.model_validate(data)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=True)
        problems: dict[str, KeyPath] = {}
        for problem in found[:MOST_SHOWN]:
            meant = _find_named(problem["msg"], data) or _find_in_file(problem, data)
            problems.setdefault(_describe(problem, schema, data, document.where(meant)), meant)
        if len(found) > MOST_SHOWN:
            problems[f"{document.name}: and {len(found) - MOST_SHOWN} more problems."] = ()
        raise ScenarioError(list(problems), list(problems.values())) from None


def _describe(problem: ErrorDetails, schema: type[BaseModel], data: Table, where: str) -> str:
    path = _find_in_file(problem, data)
    key = printable(".".join(str(part) for part in path))[:LONGEST_SHOWN]
    kind, value = problem["type"], problem["input"]
    if kind == "extra_forbidden":
        return (
            f'{where}: unknown key "{key}"{_suggest_key(str(path[-1]), keys_at(schema, problem["loc"][:-1]))}'
        )
    if kind == "missing":
        return f'{where}: the key "{key}" is missing.'
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        context = problem.get("ctx", {})
        expected = context.get("expected_tags", "")
        tag = str(context.get("discriminator", "'type'")).strip("'")
        if not expected:
            return f'{where}: the key "{key}.{tag}" is missing.'
        return f"{where}: {key}.{tag} must be one of {expected}."
    message = WORDS.get(kind) or _describe_limit(problem) or _translate(problem["msg"])
    end = "" if message.endswith("?") else "."
    if isinstance(value, dict | BaseModel):  # a table is named, not shown
        return f"{where}: {key or 'the file'} {message}{end}"
    near = _suggest_value(value, problem.get("ctx", {})) if kind == "literal_error" else end
    return f"{where}: {key or 'the file'} = {shown(value)} {message}{near}"


def _describe_limit(problem: ErrorDetails) -> str:
    """What a number must be that is beyond a limit; "" for other problems."""
    context = problem.get("ctx", {})
    name = next((name for name in LIMITS if name in context), "")
    limit = context.get(name)
    if not isinstance(limit, int | float):
        return ""
    if limit == 0 and name in ("ge", "gt"):
        return "must be positive" if name == "gt" else "must not be negative"
    value = problem["input"]
    if name == "ge" and 0.0 < limit < TINY and isinstance(value, int | float) and value <= 0:
        return "must be positive"
    return f"must be {LIMITS[name]} {limit:g}"


def _translate(message: str) -> str:
    """A sentence of pydantic, or of a check of ours, without the words that belong to Python."""
    for prefix in ("Value error, ", "Input ", "List "):
        message = message.removeprefix(prefix)
    return message.rstrip(".").replace(" after validation", "").replace("should ", "must ", 1)


def _find_named(message: str, data: Table) -> KeyPath:
    """Path of the first key of the file that a sentence about several of them names; () without one."""
    for found in NAMED.findall(message):
        path = tuple(int(part) if part.isdigit() else part for part in found.split("."))
        held: object = data
        for part in path:
            held = _look_up(held, part)
        if held is not MISSING:
            return path
    return ()


def _find_in_file(problem: ErrorDetails, data: Table) -> KeyPath:
    """Path of keys in the file, without the tags of unions that pydantic inserts.

    Only a key that is missing is not there: the last one.
    """
    path: KeyPath = ()
    current: object = data
    location = problem["loc"]
    for position, part in enumerate(location):
        inner = _look_up(current, part)
        if inner is not MISSING:
            current = inner
        elif problem["type"] != "missing" or position < len(location) - 1:
            continue
        path = (*path, part)
    return path


def _look_up(container: object, part: str | int) -> object:
    """The value of a table or a list of the file."""
    if isinstance(container, dict):
        return container.get(part, MISSING)
    if isinstance(container, list) and isinstance(part, int) and part < len(container):
        return container[part]
    return MISSING


def _suggest_key(key: str, allowed: list[str]) -> str:
    close = get_close_matches(key, allowed, n=1, cutoff=LIKE_SHORT if len(key) < SHORT else LIKE)
    if close:
        return f'; did you mean "{close[0]}"?'
    return f"; known here are {', '.join(allowed)}." if allowed else "."


def _suggest_value(value: object, context: Mapping[str, object]) -> str:
    allowed = [word.strip("' ") for word in str(context.get("expected", "")).replace(" or ", ",").split(",")]
    close = get_close_matches(value, allowed, n=1, cutoff=0.5) if isinstance(value, str) else []
    return f'; did you mean "{close[0]}"?' if close else "."


def keys_at(schema: type[BaseModel], location: KeyPath) -> list[str]:
    """Keys of the schema in the table at `location`."""
    models = [schema]
    for part in location:
        if isinstance(part, int):
            continue
        inside = [m for model in models if part in model.model_fields for m in _list_models(model, part)]
        models = inside or [model for model in models if part in _list_tags(model)] or models
    return sorted({name for model in models for name in model.model_fields})


def _list_models(schema: type[BaseModel], name: str) -> list[type[BaseModel]]:
    """Models in the type of a field, through lists, unions and annotations."""
    pending, found = [schema.model_fields[name].annotation], []
    while pending:
        kind = pending.pop()
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found.append(kind)
        pending.extend(get_args(kind))
    return found


def _list_tags(schema: type[BaseModel]) -> tuple[object, ...]:
    """Values that distinguish this member of a union from the others."""
    field = schema.model_fields.get("type")
    return get_args(field.annotation) if field is not None else ()


def shown(value: object) -> str:
    """The value as written in a file, cut to fit in a sentence."""
    if isinstance(value, str):
        text = printable(json.dumps(value[:LONGEST_SHOWN], ensure_ascii=False))
    elif isinstance(value, bool):
        text = str(value).lower()
    else:
        text = _short.repr(value)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


_short = Repr()
_short.maxlevel, _short.maxother, _short.maxlong = 3, LONGEST_SHOWN, LONGEST_SHOWN
