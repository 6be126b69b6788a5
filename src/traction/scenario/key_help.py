"""What the keys of a schema mean: the words below each of them in its source, read when they are asked for.

Pydantic would read them whenever a schema is loaded, which is a sixth of the start of a command.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import sys
from functools import lru_cache

from pydantic import BaseModel


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
