"""The reference is complete: every public name stands on exactly one of its pages."""

import importlib
import inspect
import re
from collections import Counter
from pathlib import Path

import traction as tr

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"
DIRECTIVE = re.compile(r"^\.\. (auto\w+|py:data):: (\S+)\n((?:   .*\n)*)", re.MULTILINE)


def names_on(page):
    """Full names that the directives of a page document, with repetitions."""
    for kind, target, options in DIRECTIVE.findall(page.read_text(encoding="utf-8") + "\n"):
        members = re.search(r":members:(.*)", options)
        if kind != "automodule":
            yield target
        else:
            module = importlib.import_module(target)
            listed = members.group(1).replace(",", " ").split() if members else _defined_in(module)
            yield from (_full_name(getattr(module, name)) for name in listed)


def _defined_in(module):
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__
    ]


def _full_name(value):
    return f"{value.__module__}.{value.__qualname__}"


def public_names():
    """Full names of all that users call: those of `tr`, and of the modules that `tr` has."""
    for name in set(tr.__all__) - {"__version__"}:
        value = getattr(tr, name)
        if inspect.ismodule(value):
            inside = getattr(value, "__all__", None) or _defined_in(value)
            yield from (_full_name(getattr(value, one)) for one in inside)
        elif inspect.isclass(value) or inspect.isfunction(value):
            yield _full_name(value)
        else:
            yield f"tr.{name}"


def test_every_public_name_is_on_exactly_one_page():
    pages = sorted(REFERENCE.glob("*.md"))
    assert len(pages) > 10
    found = Counter(name for page in pages for name in names_on(page))
    assert sorted(name for name, times in found.items() if times > 1) == []
    missing = sorted(set(public_names()) - set(found))
    assert missing == [], "add each to the page of its topic in docs/reference/"


def test_every_page_is_in_the_contents():
    contents = (REFERENCE / "index.md").read_text()
    listed = re.search(r"```\{toctree\}(.*?)```", contents, re.DOTALL).group(1)
    assert {path.stem for path in REFERENCE.glob("*.md")} - {"index"} <= set(listed.split())
