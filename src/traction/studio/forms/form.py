"""The form of a kind of scenario, made from its schema."""

from __future__ import annotations

import types
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, Tag
from pydantic.fields import FieldInfo

from traction.errors import InputError
from traction.kinds.registry import kind_of
from traction.scenario.key_help import describe_keys
from traction.scenario.schema import Strict
from traction.scenario.units import Dimension
from traction.studio.forms.case_list import used_keys
from traction.studio.forms.field_limits import (
    Facts,
    describe_lengths,
    describe_limits,
    describe_quantity,
    unpack_marks,
)
from traction.studio.refusal import RefusedError

#: keys that are folded although built-in cases give some of them
ADVANCED = {"tol", "solver", "options", "rtol", "locate_events", "exact", "device", "interpolation"}
DEEPEST = 12  #: tables in tables

Keys = tuple[str, ...]


def describe_form(kind: str) -> Facts:
    """Fields of a kind, with units, limits, defaults and help."""
    try:
        return _describe_kind(kind)
    except InputError as error:
        raise RefusedError(404, str(error)) from None


@cache
def _describe_kind(kind: str) -> Facts:
    definition = kind_of(kind)
    used = frozenset(used_keys(kind))
    facts = {"kind": kind, "title": kind, "summary": definition.summary}
    return facts | _describe_table(definition.schema, (), used)


def _describe_table(schema: type[BaseModel], path: Keys, used: frozenset[Keys]) -> Facts:
    """The fields of a table and the rules between them."""
    rules: Facts = {}
    for name in ("exactly_one", "not_both"):
        given = getattr(schema, name) if issubclass(schema, Strict) else ()
        rules[name] = [{"words": words, "keys": list(keys)} for words, *keys in given]
    words = describe_keys(schema)
    fields = [
        _describe_field(name, field, (*path, name), used, words.get(name))
        for name, field in schema.model_fields.items()
    ]
    return {
        "fields": sorted(fields, key=lambda one: bool(one["advanced"])),
        "help": _help_of(schema),
        **rules,
    }


def _describe_field(
    name: str, field: FieldInfo, path: Keys, used: frozenset[Keys], words: str | None
) -> Facts:
    kind = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
    members, optional = _without_none(kind)
    required = field.is_required()
    facts: Facts = {
        "key": name,
        "label": name.replace("_", " "),
        "required": required,
        "optional": optional,
        "advanced": not required and (name in ADVANCED or path not in used),
        "default": None if required else _plain(field.get_default(call_default_factory=True)),
    }
    described = _describe_either(members, path, used)
    return {**described, **facts, "help": words or described.get("help", "")}


def _describe_either(members: list[object], path: Keys, used: frozenset[Keys]) -> Facts:
    options = [_describe_type(member, path, used) for member in members]
    if len(options) == 1:
        return options[0]
    if all(option["type"] == "choice" for option in options):
        return {
            "type": "choice",
            "label": "one of",
            "options": [one for option in options for one in _options(option)],
        }
    return {"type": "either", "label": "one of", "options": options}


def _describe_type(kind: object, path: Keys, used: frozenset[Keys]) -> Facts:
    """A value of one type."""
    bare, marks = _bare(kind)
    dimension = next((mark for mark in marks if isinstance(mark, Dimension)), None)
    if dimension is not None:
        return {"label": dimension.name, **describe_quantity(dimension, marks)}
    if get_origin(bare) is Literal:
        return {"type": "choice", "label": "one of", "options": list(get_args(bare))}
    if len(path) > DEEPEST:
        return {"type": "free", "label": "table"}
    if isinstance(bare, type) and issubclass(bare, BaseModel):
        return {"type": "table", **_name_table(bare), **_describe_table(bare, path, used)}
    if get_origin(bare) is list:
        item = _describe_item(get_args(bare)[0], path, used)
        return {"type": "list", "label": "list", "item": item, **describe_lengths(marks, "fewest", "most")}
    if get_origin(bare) is tuple:
        return {
            "type": "pair",
            "label": "pair",
            "items": [_describe_item(one, path, used) for one in get_args(bare)],
        }
    if get_origin(bare) is dict:
        return {"type": "free", "label": "table"}
    return _describe_plain(bare, marks)


def _describe_plain(bare: object, marks: list[object]) -> Facts:
    if bare is bool:
        return {"type": "boolean", "label": "yes or no"}
    if bare is int:
        return {"type": "integer", "label": "whole number", **describe_limits(marks)}
    if bare is float:
        return {"type": "number", "label": "number", **describe_limits(marks)}
    return {"type": "text", "label": "text", **describe_lengths(marks, "shortest", "longest")}


def _describe_item(kind: object, path: Keys, used: frozenset[Keys]) -> Facts:
    members, _ = _without_none(kind)
    item = _describe_either(members, path, used)
    return {
        "key": "",
        "required": True,
        "optional": False,
        "advanced": False,
        "default": None,
        "help": "",
        **item,
    }


def _options(option: Facts) -> list[object]:
    found = option["options"]
    assert isinstance(found, list)
    return found


def _without_none(kind: object) -> tuple[list[object], bool]:
    """The members of a union, and whether the value may be left out."""
    bare, marks = _bare(kind)
    if get_origin(bare) not in (Union, types.UnionType):
        return [kind], False
    members, optional = [], False
    for member in get_args(bare):
        if member is type(None):
            optional = True
            continue
        inner, more = _without_none(member)
        members += inner
        optional = optional or more
    if len(members) == 1 and marks:
        return [Annotated[members[0], *marks]], optional
    return members, optional


def _bare(kind: object) -> tuple[Any, list[object]]:
    """A type without its annotations, and these."""
    marks: list[object] = []
    while get_origin(kind) is Annotated:
        inner, *more = get_args(kind)
        marks += [mark for mark in unpack_marks(more) if not isinstance(mark, Tag)]
        kind = inner
    return kind, marks


def _name_table(schema: type[BaseModel]) -> Facts:
    """What a table is called, and the key that tells it from others."""
    field = schema.model_fields.get("type")
    values = get_args(field.annotation) if field is not None else ()
    words = schema.__name__.removesuffix("Table")
    label = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in words).strip()
    if len(values) == 1:
        return {"label": str(values[0]), "title": label, "tag": {"key": "type", "value": values[0]}}
    return {"label": label, "title": label}


def _help_of(schema: type[BaseModel]) -> str:
    return " ".join((schema.__doc__ or "").split())


def _plain(value: object) -> object:
    """A default as JSON."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
