"""Public functions and classes, and what their docstrings say: shared by the tests of types and of words."""

import inspect
import re
from types import ModuleType

import traction as tr

SECTIONS = (
    "Parameters",
    "Returns",
    "Yields",
    "Raises",
    "Warns",
    "Attributes",
    "Notes",
    "References",
    "See Also",
    "Examples",
)
HEADING = re.compile(rf"^({'|'.join(SECTIONS)})\n-+$", re.MULTILINE)


def public_objects():
    """Functions and classes of `traction` and of its public modules, by name."""
    for name in dir(tr):
        value = getattr(tr, name)
        if inspect.ismodule(value) and value.__name__.startswith("traction."):
            for inner in names_of(value):
                yield f"{name}.{inner}", getattr(value, inner)
        elif not name.startswith("_") and getattr(value, "__module__", "").startswith("traction"):
            yield name, value


def names_of(module: ModuleType):
    """The public names of a public module: those it lists, or else those it defines."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return listed
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__
    ]


def functions_of(name, value):
    """The function itself, or the class, for its fields, and its public methods and properties."""
    yield name, value
    if not inspect.isclass(value):
        return
    for base in value.__mro__:
        if not base.__module__.startswith("traction"):
            continue
        for method, held in vars(base).items():
            function = getattr(held, "fget", getattr(held, "func", getattr(held, "__func__", held)))
            if inspect.isfunction(function) and not method.startswith("_"):
                yield f"{name}.{method}", function


def sections_of(docstring):
    """The text of each numpydoc section by its heading; what stands before them is the summary, under ""."""
    pieces = HEADING.split(inspect.cleandoc(docstring or ""))
    return {"": pieces[0], **dict(zip(pieces[1::2], pieces[2::2], strict=True))}


def documented_parameters(section):
    """Names in a section of parameters; a line may name several."""
    heads = [line for line in section.splitlines() if line and not line[0].isspace()]
    return [name.strip().lstrip("*") for head in heads for name in head.partition(" : ")[0].split(",")]


def parameters_of(function):
    """Names that a caller of a function or class may pass."""
    found = inspect.signature(function).parameters
    return [name for name in found if name not in ("self", "cls") and not name.startswith("_")]
