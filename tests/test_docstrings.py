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


def faults_of(objects, find_faults):
    """What is wrong with each of some objects, by their names, where anything is."""
    found = {name: list(find_faults(name, value)) for name, value in objects.items()}
    return {name: faults for name, faults in found.items() if faults}


def test_functions_have_the_sections_of_numpydoc():
    def find_faults(name, function):
        sections, names = sections_of(function.__doc__), sorted(parameters_of(function))
        documented = sorted(documented_parameters(sections.get("Parameters", "")))
        if documented != names:
            yield f"parameters {documented}, expected {names}"
        returns = inspect.signature(function).return_annotation not in (None, "None")
        if returns and not sections.get("Returns", "").strip():
            yield "no Returns"
        if ">>>" not in sections.get("Examples", ""):
            yield "no example"
        if bool(sections.get("Raises", "").strip()) != bool(names):
            yield "Raises without parameters, or parameters without Raises"

    assert len(FUNCTIONS) > 100
    assert faults_of(FUNCTIONS, find_faults) == {}


def test_classes_describe_what_they_are_made_of():
    """A class that users call lists its parameters and shows an example; fields of a result have comments."""

    def find_faults(name, kind):
        sections = sections_of(kind.__doc__)
        if not sections[""].strip():
            yield "no words"
        if "Parameters" in sections:
            documented, names = (
                sorted(documented_parameters(sections["Parameters"])),
                sorted(parameters_of(kind)),
            )
            if documented != names:
                yield f"parameters {documented}, expected {names}"
            if ">>>" not in sections.get("Examples", ""):
                yield "no example"
        else:
            described = documented_parameters(sections.get("Attributes", ""))
            yield from set(attributes_without_words(kind)) - set(described)

    assert len(CLASSES) > 50
    assert faults_of(CLASSES, find_faults) == {}


def test_methods_name_their_parameters():
    def find_faults(name, function):
        documented = function.__doc__ or inherited_docstring(name)
        sections, names = sections_of(documented), parameters_of(function)
        if not sections[""].strip():
            yield "no words"
        if "Parameters" not in sections:
            yield from (one for one in names if not re.search(rf"\b{one}\b", documented))
        elif sorted(documented_parameters(sections["Parameters"])) != sorted(names):
            yield f"parameters, expected {names}"

    assert len(METHODS) > 300
    assert faults_of(METHODS, find_faults) == {}


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
