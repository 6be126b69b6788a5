"""The dimension that a schema expects at a key: a plain number in a file is in that SI unit."""

from __future__ import annotations

from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Union, get_args, get_origin

from pydantic import BaseModel

from traction.scenario.toml import KeyPath
from traction.scenario.units import Dimension


def si_unit_at(schema: type[BaseModel], path: KeyPath) -> str:
    """The SI unit of the number at the path; "1" for a pure number, "" where units may be several."""
    units = {dimension.si for dimension in _dimensions(schema, path)} or {"1"}
    return units.pop() if len(units) == 1 else ""


def bare_numbers(schema: type[BaseModel], table: object, path: KeyPath = ()) -> Iterator[str]:
    """Quantities of a table that are numbers without a unit, as in "beam.length = 20 m"."""
    if isinstance(table, dict):
        for key, value in table.items():
            yield from bare_numbers(schema, value, (*path, key))
    elif isinstance(table, list):
        inside = [list(bare_numbers(schema, value, (*path, k))) for k, value in enumerate(table)]
        plain = not any(isinstance(value, dict | list) for value in table)
        found = [one for several in inside for one in several]
        yield from (f"{found[0]}, ..." for _ in found[:1]) if plain and len(found) > 1 else found
    elif isinstance(table, int | float) and not isinstance(table, bool) and table:
        unit = si_unit_at(schema, path)
        if unit not in ("", "1"):
            key = ".".join(map(str, path))
            yield f"{key} = {table:g} {unit}"


def _dimensions(schema: type[BaseModel], path: KeyPath) -> set[Dimension]:
    """All dimensions that a quantity at the path may have."""
    types: list[object] = [schema]
    for part in path:
        types = [inner for one in types for inner in _look_inside(one, part)]
    return {mark for one in types for plain in _list_members(one) for mark in _find_marks(plain)}


def _look_inside(kind: object, part: str | int) -> Iterator[object]:
    """Types of the value of a table at a key, or of a list at an index."""
    for one in _list_members(kind):
        if isinstance(part, int):
            if get_origin(one) is list:
                yield get_args(one)[0]
        elif isinstance(one, type) and issubclass(one, BaseModel) and part in one.model_fields:
            field = one.model_fields[part]
            yield Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation


def _list_members(kind: object) -> Iterator[object]:
    """The members of a union, and of unions in it; a quantity keeps its annotations."""
    origin = get_origin(kind)
    if origin is Annotated and not list(_find_marks(kind)):
        yield from _list_members(get_args(kind)[0])
    elif origin in (Union, UnionType):
        for member in get_args(kind):
            yield from _list_members(member)
    else:
        yield kind


def _find_marks(kind: object) -> Iterator[Dimension]:
    if get_origin(kind) is Annotated:
        yield from (mark for mark in get_args(kind)[1:] if isinstance(mark, Dimension))
