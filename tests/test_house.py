"""The shape of the source: small rooms, short functions, types that are written."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import traction

SOURCE = Path(traction.__file__).parent
MOST_MODULES = 15  #: of a folder, beside its door
MOST_LINES = 60  #: of a function without its docstring
# The rules stand in CONTRIBUTING.md. Their exceptions are bounded in number, so that it cannot creep up:
# both bounds are a little above what there is, are lowered where it falls, and never raised.
LONG_FUNCTIONS = 4  #: by a few lines, where a cut would only hand all variables on
#: more than half of them handle objects of numba, CuPy and matplotlib, which have no types to be written
LINES_WITH_ANY = 300
ANY = re.compile(r"\bAny\b")


@pytest.fixture(scope="module")
def sources():
    """The text of each module."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}


def length_of(function):
    """Lines of a function without its docstring."""
    words = 0
    if ast.get_docstring(function, clean=False) is not None:
        words = function.body[0].end_lineno - function.body[0].lineno + 1
    return function.end_lineno - function.lineno + 1 - words


def test_rooms_are_small(sources):
    modules = Counter(path.parent for path in sources if path.name != "__init__.py")
    assert {str(room): count for room, count in modules.items() if count > MOST_MODULES} == {}


def test_functions_are_short(sources):
    long = [
        f"{path.name}: {one.name}, {length_of(one)} lines"
        for path, text in sources.items()
        if text.count("\n") > MOST_LINES
        for one in ast.walk(ast.parse(text))
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and length_of(one) > MOST_LINES
    ]
    assert len(long) <= LONG_FUNCTIONS, long


def test_few_types_are_left_open(sources):
    found = Counter()
    for path, text in sources.items():
        found[path.name] += sum(bool(ANY.search(line)) for line in text.splitlines())
    assert found.total() <= LINES_WITH_ANY, found.most_common(10)
