"""Passes that a kernel does not need are left out; what needs one gets it."""

import numba
import numpy as np
import pytest
from numba.core import compiler

from traction.compiled.kernel import kernel
from traction.compiled.linking import FOR_REWRITTEN, DefineVariables, is_plain, needed_passes


def add_loops(x, y):
    total = 0.0
    for i in range(x.size):
        total += x[i] * y[i]
    return total


def add_arrays(x, y):
    return (2.0 * x - np.sqrt(y))[0] + (x > y).sum()


def add_listed(x, y):
    listed = [2.0 * one for one in x]
    return np.array(listed).sum() + y[0]


def add_list(x, y):
    return np.array([x[0], y[1]]).sum()


def add_by_kind(x, y):
    return x[0] if isinstance(y, float) else x[1]


def add_inner(x, y):
    def twice(one):
        return 2.0 * one

    return twice(x[0]) + y[0]


PLAIN = (add_loops, add_arrays, add_list)
OTHERS = (add_listed, add_by_kind, add_inner)


@pytest.mark.parametrize("function", PLAIN + OTHERS)
def test_results_are_those_of_numba(function):
    x, y = np.array([0.3, 1.7, 2.9]), np.array([0.7, 0.2, 1.1])
    assert kernel(function)(x, y) == numba.njit(function)(x, y)


def test_only_functions_without_functions_inside_are_plain():
    assert all(map(is_plain, PLAIN))
    assert not any(map(is_plain, OTHERS))


def test_what_becomes_part_of_a_function_counts():
    inlined = {function: kernel(function, inlined=True) for function in (add_loops, add_by_kind)}

    def calls(called):
        return lambda x, y: called(x, y)

    assert is_plain(calls(inlined[add_loops]))
    assert not is_plain(calls(inlined[add_by_kind]))
    assert is_plain(calls(kernel(add_by_kind)))  # which stays by itself


def test_passes_for_closures_are_left_out():
    usual = compiler.DefaultPassBuilder.define_nopython_pipeline(_State()).passes
    assert needed_passes(usual, add_inner) == usual
    kept = [one for one, _ in needed_passes(usual, add_loops)]
    assert len(kept) == len(usual) - len(FOR_REWRITTEN)
    assert DefineVariables in kept


class _State:
    """What numba asks for before it lists its passes."""

    func_ir = None
    flags = compiler.Flags()
