"""Public names: they resolve, in any order, to one object, and no folder stands in their way."""

import inspect
from pathlib import Path
from types import ModuleType

import pytest

import traction as tr

PACKAGE = Path(tr.__file__).parent
FOLDERS = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
MODULES = [name for name in tr.__all__ if isinstance(getattr(tr, name), ModuleType)]

ORDERS = {
    "module first": "import {module}; found = tr.{name}",
    "name first": "found = tr.{name}; import {module}",
}
SAME = 'assert found is tr.{name} is sys.modules["{module}"], found'


def test_names_resolve_twice_to_the_same_object():
    assert [name for name in tr.__all__ if getattr(tr, name) is not getattr(tr, name)] == []


def test_names_are_the_objects_of_their_homes():
    """A function that shares its name with a module must not resolve to the module."""
    names = set(tr.__all__) - set(MODULES) - {"__version__"}
    assert len(names) > 100
    for name in names:
        found = getattr(tr, name)
        assert not inspect.ismodule(found)
        if inspect.isclass(found) or inspect.isfunction(found):
            assert found.__name__ == name


@pytest.mark.parametrize("order", ORDERS)
def test_modules_resolve_in_both_orders(run_python, order):
    assert "hertz" in MODULES
    lines = ["import sys", "import traction as tr"]
    for name in MODULES:
        module = getattr(tr, name).__name__
        lines += [line.format(name=name, module=module) for line in (ORDERS[order], SAME)]
    run_python("\n".join(lines))


def test_all_names_resolve_after_all_modules_are_imported(run_python):
    """Importing `traction.x.y` binds `x` in the package; it must not hide a public name."""
    code = """
import importlib, pkgutil, types
import traction as tr
early = {name: getattr(tr, name) for name in tr.__all__}
for found in pkgutil.walk_packages(tr.__path__, "traction."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
for name in tr.__all__:
    assert getattr(tr, name) is early[name], name
print(len(early))
"""
    assert int(run_python(code)) == len(tr.__all__)


def test_functions_and_classes_share_no_name_with_a_folder():
    assert "contact" in FOLDERS
    assert FOLDERS.intersection(tr.__all__) <= set(MODULES)


def test_dir_lists_the_public_names():
    assert set(tr.__all__) <= set(dir(tr))
    assert len(set(tr.__all__)) == len(tr.__all__)


def test_star_import_brings_all_names():
    found = {}
    exec("from traction import *", found)
    assert set(tr.__all__) <= set(found)


def test_unknown_attribute():
    with pytest.raises(AttributeError, match=r"No traction attribute pres"):
        tr.pres  # noqa: B018
    assert not hasattr(tr, "_private")
    with pytest.raises(ImportError):
        from traction import pres  # noqa: F401


def test_version_is_that_of_the_distribution():
    from importlib.metadata import version

    assert tr.__version__ == version("traction")


def test_errors_of_the_disk_have_a_public_name():
    assert issubclass(tr.StorageError, tr.TractionError)
    assert issubclass(tr.StorageError, OSError)
    assert tr.errors.StorageError is tr.StorageError
