"""The digest of a kernel: what changes it, what does not, and that it is the same in every process."""

import ast
import gc
import importlib
import pkgutil
import shutil
import types
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest

import traction
from traction.compiled import cache, kernel
from traction.compiled.digest import IndigestibleError, digest_kernel
from traction.halfspace.kernels.tensor_products import multiply_by_tensor_waves

MODULE = """
import math
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from traction.compiled import kernel

LIMIT = 3.0
TABLE = np.array([1.0, 2.0, 3.0])
PLACES = slice(1, 3)


class Corner(NamedTuple):
    x: float
    y: float = 0.0


class Side(IntEnum):
    LEFT = 1
    RIGHT = 2


@kernel
def inner(x):
    return x + LIMIT


@kernel
def outer(x, side="left"):
    if side in {"left", "right", "middle"} and x > Side.LEFT:
        raise ValueError("too large")
    corner = Corner(x)
    squares = [k * k for k in range(3)]
    return inner(corner.x) + math.sqrt(TABLE[PLACES].sum()) + squares[2]


@kernel
def other(x):
    return 2.0 * x
"""


def digest(source, name="outer"):
    """Digest of a kernel in a module with this source."""
    module = types.ModuleType("somewhere")
    exec(compile(source, "somewhere.py", "exec"), module.__dict__)
    return digest_kernel(getattr(module, name))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return x + LIMIT", "return x - LIMIT"),
        ("LIMIT = 3.0", "LIMIT = 4.0"),
        ("LIMIT = 3.0", "LIMIT = 3"),
        ("2.0, 3.0])", "2.0, 5.0])"),
        ("2.0, 3.0])", "2.0, 3.0], dtype=np.float32)"),
        ("slice(1, 3)", "slice(1, 2)"),
        ("y: float = 0.0", "y: float = 1.0"),
        ("    y: float", "    z: float"),
        ("LEFT = 1", "LEFT = 3"),
        ("k * k for", "k + k for"),
        ("too large", "too small"),
        ('"middle"', '"centre"'),
        ('side="left"', 'side="right"'),
        ("math.sqrt", "math.exp"),
        ("def inner(x):\n    return x +", "def inner(z):\n    return z +"),
        ("@kernel\ndef inner", "@kernel(checked=False)\ndef inner"),
        ("@kernel\ndef outer", "@kernel(nogil=True)\ndef outer"),
    ],
)
def test_what_the_compiler_sees_changes_the_digest(old, new):
    changed = MODULE.replace(old, new)
    assert changed != MODULE
    assert digest(changed) != digest(MODULE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3.0", "# a comment\n\n\nLIMIT = 3.0"),
        ("    return inner", "    # a comment\n\n    return inner"),
        ("    return x + LIMIT", '    """A docstring."""\n    return x + LIMIT'),
        ("corner", "place"),
        ("return 2.0 * x", "return 3.0 * x"),
        ("LIMIT = 3.0", "LIMIT = 3.0\nUNUSED = 4.0"),
    ],
)
def test_what_the_compiler_does_not_see_keeps_the_digest(old, new):
    assert old in MODULE
    assert digest(MODULE.replace(old, new)) == digest(MODULE)


def test_an_edited_docstring_keeps_the_digest():
    said = MODULE.replace("    return x + LIMIT", '    """One."""\n    return x + LIMIT')
    assert digest(said.replace("One.", "Two.")) == digest(said)


def test_a_changed_kernel_leaves_others_alone():
    changed = MODULE.replace("return x + LIMIT", "return x - LIMIT")
    assert digest(changed, "other") == digest(MODULE, "other")


def test_the_digest_is_the_same_in_every_process(run_python):
    """Sets have another order, and nested code another address."""
    code = (
        "import types; from traction.compiled.digest import digest_kernel\n"
        f"module = types.ModuleType('somewhere'); exec({MODULE!r}, module.__dict__)\n"
        "print(digest_kernel(module.outer))"
    )
    assert {run_python(code, PYTHONHASHSEED=seed).strip() for seed in ("1", "2")} == {digest(MODULE)}


CIRCLE = """
from traction.compiled import kernel

@kernel
def even(n):
    return True if n == 0 else odd(n - 1)

@kernel
def odd(n):
    return False if n == 0 else even(n - 1)
"""


def test_kernels_that_call_each_other_have_digests():
    """A change in either changes both, in whatever order they are asked for."""
    changed = CIRCLE.replace("False", "n > 5")
    digests = {digest(source, name) for source in (CIRCLE, changed) for name in ("even", "odd")}
    assert len(digests) == 4
    module = types.ModuleType("somewhere")
    exec(CIRCLE, module.__dict__)
    assert digest_kernel(module.odd) == digest(CIRCLE, "odd")
    assert digest_kernel(module.even) == digest(CIRCLE, "even")


def multiplier(factor):
    return kernel(lambda x: x * factor)


class Pair(NamedTuple):
    first: float
    second: float


FACTORS = [
    2,
    2.0,
    2j,
    np.float64(2.0),
    np.float32(2.0),
    np.array([2.0]),
    np.array([[2.0]]),
    np.asfortranarray(np.ones((2, 3))),
    np.ones((2, 3)),
    (2.0, 3.0),
    Pair(2.0, 3.0),
    Pair,
    numba.float64,
    np.sqrt,
    abs,
    frozenset({1, 2}),
    frozenset({1, 3}),
    ...,
]


def test_captured_values_are_told_apart():
    digests = [digest_kernel(multiplier(factor)) for factor in FACTORS]
    assert digests == [digest_kernel(multiplier(factor)) for factor in FACTORS]
    assert len(set(digests)) == len(FACTORS)


def test_captured_kernels_are_told_by_their_code():
    digests = [digest_kernel(multiplier((multiplier(factor), 1.0))) for factor in (2.0, 2.0, 3.0)]
    assert digests[0] == digests[1] != digests[2]


class Loose:
    """A class whose meaning the digest does not know."""


@pytest.mark.parametrize(
    "factor", [[2.0], {}, object(), Loose, np.array([None]), traction, {multiplier(2.0)}]
)
def test_what_may_mean_something_else_tomorrow_has_no_digest(factor):
    with pytest.raises(IndigestibleError):
        digest_kernel(multiplier(factor))


def test_every_kernel_of_the_package_has_a_digest():
    for module in pkgutil.walk_packages(traction.__path__, "traction."):
        if "kernels" in module.name:
            importlib.import_module(module.name)
    gc.unfreeze()  # objects that are frozen are not listed
    kernels = [item for item in gc.get_objects() if issubclass(type(item), numba.core.registry.CPUDispatcher)]
    ours = [item for item in kernels if item.py_func.__module__.startswith("traction.")]
    gc.freeze()
    assert len(ours) > 100
    for item in ours:
        assert len(digest_kernel(item)) == 64


def test_another_way_to_compile_makes_other_code(monkeypatch):
    """Machine code that another pipeline has made is not taken for that of this one."""

    class Codegen:
        def magic_tuple(self):
            return ("any",)

    kept = cache.KernelCache(multiply_by_tensor_waves, Path("."))
    before = kept._path((), Codegen())
    monkeypatch.setattr(cache, "_digest_pipeline", lambda: "another")
    assert kept._path((), Codegen()) != before


def modules_behind(module):
    """Modules of the room that a module of it imports, and those that these import."""
    tree = ast.parse(Path(importlib.import_module(f"traction.compiled.{module}").__file__).read_text())
    named = [line.module for line in ast.walk(tree) if isinstance(line, ast.ImportFrom)]
    nearest = {name.rpartition(".")[2] for name in named if name.startswith("traction.compiled.")}
    return {module}.union(*map(modules_behind, nearest))


def test_machine_code_depends_on_every_step_of_the_compiler(tmp_path, monkeypatch):
    """An updated package compiles anew: all modules of the pipeline are in its digest, each with its text."""
    assert modules_behind("linking") == set(cache.PIPELINE)
    for name in cache.PIPELINE:
        shutil.copy(Path(cache.__file__).with_name(f"{name}.py"), tmp_path)
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "cache.py"))
    digests = {cache._digest_pipeline.__wrapped__()}
    for name in cache.PIPELINE:
        with (tmp_path / f"{name}.py").open("a") as file:
            file.write("# another step")
        digests.add(cache._digest_pipeline.__wrapped__())
    assert len(digests) == 1 + len(cache.PIPELINE)
