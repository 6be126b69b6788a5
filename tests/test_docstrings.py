"""Public docstrings: numpydoc sections that agree with the signatures, and examples that run."""

import ast
import doctest
import inspect
import re
from pathlib import Path

import numpy as np
import pytest
from matplotlib import pyplot

import traction as tr
from public_interface import (
    documented_parameters,
    functions_of,
    parameters_of,
    public_objects,
    sections_of,
)

OBJECTS = {
    name: value for name, value in public_objects() if inspect.isclass(value) or inspect.isfunction(value)
}
FUNCTIONS = {name: value for name, value in OBJECTS.items() if inspect.isfunction(value)}
CLASSES = {name: value for name, value in OBJECTS.items() if inspect.isclass(value)}
METHODS = {
    where: function
    for name, value in CLASSES.items()
    for where, function in functions_of(name, value)
    if where != name
}
RUN = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def attributes_without_words(kind):
    """Public fields that a class declares without a comment `#:` on the same line or the line above."""
    source = inspect.cleandoc("\n" + inspect.getsource(kind))
    lines = source.splitlines()
    for node in ast.parse(source).body[0].body:
        if not isinstance(node, ast.AnnAssign) or node.target.id.startswith("_"):
            continue
        if "ClassVar" in ast.unparse(node.annotation):
            continue
        here = lines[node.lineno - 2 : node.end_lineno + 1]
        if not any("#:" in line for line in here):
            yield node.target.id


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_has_the_sections_of_numpydoc(name):
    function = FUNCTIONS[name]
    sections = sections_of(function.__doc__)
    assert sorted(documented_parameters(sections.get("Parameters", ""))) == sorted(parameters_of(function))
    if inspect.signature(function).return_annotation not in (None, "None"):
        assert sections.get("Returns", "").strip()
    assert ">>>" in sections.get("Examples", "")
    assert bool(sections.get("Raises", "").strip()) == bool(parameters_of(function))


@pytest.mark.parametrize("name", CLASSES)
def test_class_describes_what_it_is_made_of(name):
    """A class that users call lists its parameters and shows an example; fields of a result have comments."""
    kind = CLASSES[name]
    sections = sections_of(kind.__doc__)
    assert sections[""].strip()
    if "Parameters" in sections:
        assert sorted(documented_parameters(sections["Parameters"])) == sorted(parameters_of(kind))
        assert ">>>" in sections.get("Examples", "")
    else:
        described = documented_parameters(sections.get("Attributes", ""))
        assert set(attributes_without_words(kind)) <= set(described)


@pytest.mark.parametrize("name", METHODS)
def test_method_names_its_parameters(name):
    function = METHODS[name]
    documented = function.__doc__ or inherited_docstring(name)
    sections = sections_of(documented)
    assert sections[""].strip()
    names = parameters_of(function)
    if "Parameters" in sections:
        assert sorted(documented_parameters(sections["Parameters"])) == sorted(names)
    else:
        assert [name for name in names if not re.search(rf"\b{name}\b", documented)] == []


def inherited_docstring(name):
    """The docstring of the method that this one replaces."""
    owner, _, method = name.rpartition(".")
    return inspect.getdoc(getattr(CLASSES[owner], method)) or ""


def examples():
    """All examples of public functions, classes and their methods."""
    finder = doctest.DocTestFinder(recurse=False)
    found = {}
    for name, value in {**OBJECTS, **METHODS}.items():
        for test in finder.find(value, name, globs={"tr": tr, "np": np}):
            if test.examples:
                found.setdefault(id(value), test)
    return list(found.values())


@pytest.mark.parametrize("test", examples(), ids=lambda test: test.name)
def test_example_runs(test, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    printed = []
    outcome = doctest.DocTestRunner(optionflags=RUN).run(test, out=printed.append)
    if test.name.startswith("view."):
        pyplot.close("all")
    assert outcome.failed == 0, "".join(printed)


KERNELS = sorted(Path(tr.__file__).parent.glob("**/kernels/[!_]*.py"))
STATES_UNITS = re.compile(r"Units: |Lengths are in|\bin SI\b|in units of")


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_kernels_say_what_they_compute_and_in_which_units(path):
    module = ast.parse(path.read_text(encoding="utf-8"))
    named = [one for one in module.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_")]
    assert [one.name for one in named if not ast.get_docstring(one)] == []
    if path.stem != "kernel_parts":  # decorators, without numbers
        assert STATES_UNITS.search(ast.get_docstring(module))
