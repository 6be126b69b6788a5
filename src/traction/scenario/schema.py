"""Building blocks of scenario schemas: strict models, one number or many, and what their keys mean.

The words below a key in its source are read when they are asked for. Pydantic would read them whenever a
schema is loaded, which is a sixth of the start of a command.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import sys
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Self, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    Tag,
    field_validator,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from traction.printable import is_printable


def describe_keys(schema: type[BaseModel]) -> dict[str, str]:
    """The words by the names of the keys, those of the schemas it extends included."""
    found: dict[str, str] = {}
    for kind in reversed(schema.__mro__):
        if getattr(kind, "model_fields", None):  # has keys
            found |= _read_module(kind.__module__).get(kind.__name__, {})
    return {name: words for name, words in found.items() if name in schema.model_fields}


@lru_cache(maxsize=64)
def _read_module(name: str) -> dict[str, dict[str, str]]:
    """The words of each class of a module; none where its source is not there."""
    try:
        source = inspect.getsource(sys.modules[name])
    except (OSError, TypeError):
        return {}
    classes = (line for line in ast.parse(source).body if isinstance(line, ast.ClassDef))
    return {one.name: _read_class(one) for one in classes}


def _read_class(body: ast.ClassDef) -> dict[str, str]:
    found = {}
    for line, below in itertools.pairwise(body.body):
        match line, below:
            case (
                ast.AnnAssign(target=ast.Name(id=key)),
                ast.Expr(value=ast.Constant(value=str(words))),
            ):
                found[key] = inspect.cleandoc(words)
    return found


T = TypeVar("T")
ALSO = "x-also"  #: in the schema of a key: another name for it


class Strict(BaseModel):
    """Base of all schemas: no unknown keys, no conversions, finite numbers only, never changed."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, frozen=True)
    #: words, and keys of which exactly one must be given; words, and keys of which at most one may be
    exactly_one: ClassVar[tuple[tuple[str, ...], ...]] = ()
    not_both: ClassVar[tuple[tuple[str, ...], ...]] = ()

    @field_validator("*", mode="after")
    @classmethod
    def _require_printable(cls, given: T) -> T:
        """Texts are shown on terminals and in figures."""
        if isinstance(given, str) and not is_printable(given):
            raise ValueError("must be printable text: it holds control characters")
        return given

    @model_validator(mode="before")
    @classmethod
    def _rename_keys(cls, given: object) -> object:
        """Keys by their own names, where they are written by the names of arguments."""
        if not isinstance(given, dict):
            return given
        renamed = dict(given)
        for name, field in cls.model_fields.items():
            extra = field.json_schema_extra
            other = extra.get(ALSO) if isinstance(extra, dict) else None
            if isinstance(other, str) and other in renamed:
                if name in renamed:
                    raise ValueError(f"has {name} and {other}, which are the same; give one of them")
                renamed[name] = renamed.pop(other)
        return renamed

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Editors know what a key means, and both of its names."""
        found = handler.resolve_ref_schema(handler(core_schema))
        for name, words in describe_keys(cls).items():
            found["properties"][name]["description"] = words
        for words in [*found.get("properties", {}).values()]:
            other = words.pop(ALSO, None)
            if other is not None:
                found["properties"][other] = words
        return found

    @model_validator(mode="after")
    def _check_given(self) -> Self:
        for rules, wrong in ((self.exactly_one, "needs {}"), (self.not_both, "takes {}, not both")):
            for words, *names in rules:
                given = sum(getattr(self, name) is not None for name in names)
                if given > 1 or (given == 0 and rules is self.exactly_one):
                    raise ValueError(wrong.format(words))
        return self


def named_also(other: str, default: Any = None) -> Any:
    """A key that may be written by another name too, that of the argument of a function; not by both."""
    return Field(default=default, json_schema_extra={ALSO: other})


def require_storable(stored: float, most: float, remedy: str) -> None:
    """Refuse a run that would store too many numbers."""
    if stored > most:
        raise ValueError(f"would store {stored:.2g} numbers, at most {most:g}; choose {remedy}")


def one_or_many(number: Any) -> Any:
    """The type of one number or a list of them."""
    many = Annotated[list[number], Field(min_length=1, max_length=100_000, fail_fast=True)]
    either = Annotated[number, Tag("one")] | Annotated[many, Tag("many")]
    chosen = Discriminator(lambda value: "many" if isinstance(value, list) else "one")
    return Annotated[either, chosen] | None
