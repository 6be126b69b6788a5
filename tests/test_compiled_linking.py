"""Kernels compiled with all that they call: one resolution of each call, and a numba that has changed."""

import numpy as np
import pytest
from numba.core import types

from traction.compiled.kernel import compile_function, kernel
from traction.compiled.linking import RESOLVED_CALLS


def divide(numerator, denominator):
    return numerator / denominator


def test_calls_are_resolved_once_per_settings(monkeypatch):
    """A division that raises and one that gives infinity are called with the same types."""
    resolved = []
    plain = RESOLVED_CALLS._resolve
    monkeypatch.setattr(RESOLVED_CALLS, "_signatures", {})
    monkeypatch.setattr(RESOLVED_CALLS, "_resolve", lambda *call: resolved.append(call[0]) or plain(*call))
    with pytest.raises(ZeroDivisionError):
        compile_function(divide)(1.0, 0.0)
    once = len(resolved)
    assert once >= 1
    with pytest.raises(ZeroDivisionError):
        compile_function(lambda a, b: a / b)(1.0, 0.0)
    assert len(resolved) == once
    assert compile_function(divide, error_model="numpy")(1.0, 0.0) == np.inf
    assert len(resolved) > once


def test_numba_is_left_as_it_was():
    before = types.BaseFunction.get_call_type
    assert kernel(lambda x: 2.0 * x)(1.0) == 2.0
    with pytest.raises(Exception, match="no_such_name"):
        kernel(lambda x: no_such_name(x))(1.0)  # type: ignore[name-defined]  # noqa: F821
    assert types.BaseFunction.get_call_type is before


def test_a_numba_without_the_parts_replaced(run_python, tmp_path):
    """Every kernel is compiled on its own, those of the compiled marches too."""
    code = """
from numba.core.targetconfig import ConfigStack
top_or_none = vars(ConfigStack)["top_or_none"]
del ConfigStack.top_or_none
from traction.compiled.kernel import compile_function, kernel
ConfigStack.top_or_none = top_or_none
from traction.integrators.compiled_march.kernels.compiled_operations import part
tripled = part(lambda x: 3.0 * x)
print(compile_function.__module__, kernel(lambda x: tripled(x))(2.0))
"""
    assert run_python(code, TRACTION_CACHE_DIR=str(tmp_path)).split() == ["numba.core.decorators", "6.0"]
