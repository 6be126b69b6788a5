"""The form of a kind of scenario, made from its schema, with limits and units from its annotations."""

from __future__ import annotations

import types
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Interval, Le, Lt, MaxLen, MinLen
from pydantic import BaseModel, Tag
from pydantic.fields import FieldInfo

from traction.errors import InputError
from traction.kinds.registry import kind_of
from traction.scenario.schema import Strict, describe_keys
from traction.scenario.units import Dimension
from traction.studio.forms.case_list import used_keys
from traction.studio.messages import Facts, RefusedError

#: how people write quantities, by their dimension; SI first
UNITS = {
    "angle": ("rad", "deg", "mrad"),
    "length": ("m", "mm", "um", "km"),
    "area": ("m2", "mm2"),
    "mass": ("kg", "t", "g"),
    "time": ("s", "ms", "us", "min"),
    "speed": ("m/s", "km/h", "mm/s"),
    "force": ("N", "kN", "MN"),
    "force per length": ("N/m", "kN/m", "MN/m"),
    "pressure": ("Pa", "MPa", "GPa"),
    "density": ("kg/m3", "t/m3"),
    "energy": ("J", "kJ"),
    "torque": ("N m", "kN m"),
    "frequency": ("1/s", "Hz", "kHz"),
    "spin": ("1/m", "rad/m"),
    "bending stiffness": ("N m2", "kN m2", "MN m2", "GN m2"),
    "mass per length": ("kg/m", "t/m"),
    "moment of inertia": ("kg m2", "t m2"),
    "foundation": ("N/m2", "MN/m2"),
    "rotational stiffness": ("N m/rad", "MN m/rad"),
    "damping": ("N s/m", "kN s/m"),
    "temperature": ("K", "degC"),
    "specific heat": ("J/(kg K)", "kJ/(kg K)"),
}
#: keys that are folded although built-in cases give some of them
ADVANCED = {"tol", "solver", "options", "rtol", "locate_events", "exact", "device", "interpolation"}
DEEPEST = 12  #: tables in tables

Keys = tuple[str, ...]


def unpack_marks(marks: Iterable[object]) -> list[object]:
    """Annotations of a type, those inside pydantic's fields included."""
    found: list[object] = []
    for mark in marks:
        found += unpack_marks(mark.metadata) if isinstance(mark, FieldInfo) else [mark]
    return found


def describe_limits(marks: list[object]) -> Facts:
    """Least and largest number."""
    facts: Facts = {}
    for mark in marks:
        match mark:
            case Ge(ge=limit):
                facts |= {"minimum": limit, "exclusive_minimum": False}
            case Gt(gt=limit):
                facts |= {"minimum": limit, "exclusive_minimum": True}
            case Le(le=limit):
                facts |= {"maximum": limit, "exclusive_maximum": False}
            case Lt(lt=limit):
                facts |= {"maximum": limit, "exclusive_maximum": True}
            case Interval():
                facts |= describe_limits(list(mark))
    return facts


def describe_lengths(marks: list[object], least: str, most: str) -> Facts:
    """Fewest and most entries of a list, or letters of a text."""
    facts: Facts = {}
    for mark in marks:
        if isinstance(mark, MinLen):
            facts[least] = mark.min_length
        elif isinstance(mark, MaxLen):
            facts[most] = mark.max_length
    return facts


def describe_quantity(dimension: Dimension, marks: list[object]) -> Facts:
    """A number with a unit; one without is a plain number that may be written as text."""
    facts: Facts = {
        "type": "quantity",
        "unit": "" if dimension.si == "1" else dimension.si,
        "dimension": dimension.name,
        "example": dimension.example,
        "units": list(UNITS.get(dimension.name, () if dimension.si == "1" else (dimension.si,))),
    }
    return facts | describe_limits(marks)


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
