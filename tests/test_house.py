"""The shape of the source: small rooms with doors, names of their own, short functions, written types."""

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
LAW_CHOICES = 5  #: places that ask of which class a contact law is: all others take any law
DOOR = range(3, 16)  #: lines of a door: what is in a room, and in which order data passes
OF_EACH_KIND = {"schema", "run", "report", "findings"}  #: modules that kinds have by contract


@pytest.fixture(scope="module")
def sources():
    """The text of each module."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}


@pytest.fixture(scope="module")
def trees(sources):
    """The syntax of each module."""
    return {path: ast.parse(text) for path, text in sources.items()}


def length_of(function):
    """Lines of a function; of a long one without its docstring."""
    lines = function.end_lineno - function.lineno + 1
    if lines > MOST_LINES and ast.get_docstring(function, clean=False) is not None:
        lines -= function.body[0].end_lineno - function.body[0].lineno + 1
    return lines


def test_rooms_are_small(sources):
    modules = Counter(path.parent for path in sources if path.name != "__init__.py")
    assert {str(room): count for room, count in modules.items() if count > MOST_MODULES} == {}


def test_functions_are_short(trees):
    long = [
        f"{path.name}: {one.name}, {length_of(one)} lines"
        for path, tree in trees.items()
        for one in ast.walk(tree)
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and length_of(one) > MOST_LINES
    ]
    assert len(long) <= LONG_FUNCTIONS, long


def test_few_types_are_left_open(sources):
    found = Counter()
    for path, text in sources.items():
        found[path.name] += sum(bool(ANY.search(line)) for line in text.splitlines())
    assert found.total() <= LINES_WITH_ANY, found.most_common(10)


def test_each_room_has_a_door(trees):
    doors = {
        path.parent: ast.get_docstring(tree) for path, tree in trees.items() if path.name == "__init__.py"
    }
    lines = {str(room): sum(map(bool, (door or "").splitlines())) for room, door in doors.items()}
    assert {room: count for room, count in lines.items() if count not in DOOR} == {}


def test_names_say_what_they_are_without_their_folder(trees):
    """A compiled part may have the name of the module beside its folder that it belongs to."""
    modules, classes = Counter(), Counter()
    for path, tree in trees.items():
        belongs = path.parent.name == "kernels" and path.parents[1] / path.name in trees
        if path.name != "__init__.py" and path.stem not in OF_EACH_KIND and not belongs:
            modules[path.stem] += 1
        classes.update(one.name for one in ast.walk(tree) if isinstance(one, ast.ClassDef))
    assert [name for name, count in (modules + classes).items() if count > 1] == []


def test_contact_laws_are_rarely_told_apart(trees):
    """One contract serves them all."""
    laws = {
        one.name
        for path, tree in trees.items()
        if path.parent.name == "laws"
        for one in ast.walk(tree)
        if isinstance(one, ast.ClassDef) and one.name.endswith(("Law", "Table"))
    }
    assert {"ContactLaw", "HalfSpaceLaw", "PowerLaw"} <= laws
    found = [
        f"{path.name}:{call.lineno}"
        for path, tree in trees.items()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "isinstance"
        if laws & {name.id for name in ast.walk(call.args[1]) if isinstance(name, ast.Name)}
    ]
    assert len(found) <= LAW_CHOICES, found
