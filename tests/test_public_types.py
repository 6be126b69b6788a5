"""Public functions and classes say what they take and return: no `Any` in a signature."""

import inspect

import traction as tr


def public_objects():
    """Functions and classes of `traction` and of its public modules, by name."""
    for name in dir(tr):
        value = getattr(tr, name)
        if inspect.ismodule(value) and value.__name__.startswith("traction."):
            for inner in getattr(value, "__all__", ()):
                yield f"{name}.{inner}", getattr(value, inner)
        elif not name.startswith("_") and getattr(value, "__module__", "").startswith("traction"):
            yield name, value


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


def test_no_public_signature_holds_any():
    signatures = {
        f"{where}, {parameter}": str(kind)
        for name, value in public_objects()
        for where, function in functions_of(name, value)
        for parameter, kind in getattr(function, "__annotations__", {}).items()
    }
    assert len(signatures) > 800
    assert [words for words, kind in signatures.items() if "Any" in kind] == []
