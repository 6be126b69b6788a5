"""Kernels translated into fewer instructions: the same results, and references counted where it matters."""

from typing import NamedTuple

import llvmlite.ir as llvm_ir
import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from traction.compiled import cache, lean_lowering
from traction.compiled.kernel import compile_function, kernel
from traction.compiled.lean_lowering import EXTRACTED, NotLeanError, extract_known, lean_values, remove_unused


class Rows(NamedTuple):
    first: np.ndarray
    second: np.ndarray


def mix_rows(rows, count):
    """Borrowed views and arrays made here, in one variable too, through branches and loops."""
    total, kept = 0.0, rows.first
    for k in range(count):
        row = rows.second[k % len(rows.second)]
        if k % 3 == 0:
            kept = row
        elif k % 3 == 1:
            kept = 2.0 * row
        scratch = np.zeros(row.size)
        scratch[0], scratch = kept[0] + k, scratch
        a, b = (scratch, row) if k % 2 else (row, scratch)
        total += a[0] - 0.5 * b[0] + kept[-1]
        last = scratch
    return total + last[0], rows.second[1], rows.first[1:]


def make_rows():
    first, second = np.arange(4.0), np.arange(12.0).reshape(3, 4) ** 2
    return Rows(first, second)


def test_results_are_those_of_the_interpreter():
    compiled = kernel(mix_rows)
    before = list(lean_lowering.LEFT_TO_NUMBA)
    found, expected = compiled(make_rows(), 11), mix_rows(make_rows(), 11)
    assert found[0] == expected[0]
    np.testing.assert_array_equal(found[1], expected[1])
    np.testing.assert_array_equal(found[2], expected[2])
    assert before == lean_lowering.LEFT_TO_NUMBA


@pytest.fixture
def counted_allocations():
    _nrt_python.memsys_enable_stats()
    yield
    _nrt_python.memsys_disable_stats()


def test_what_is_returned_outlives_its_origin_and_nothing_else_does(counted_allocations):
    compiled = kernel(mix_rows)
    compiled(make_rows(), 3)
    start = rtsys.get_allocation_stats()
    rows = make_rows()
    _, second, first = compiled(rows, 20)
    del rows
    np.testing.assert_array_equal(second, np.arange(4.0, 8.0) ** 2)
    np.testing.assert_array_equal(first, [1.0, 2.0, 3.0])
    del first, second
    end = rtsys.get_allocation_stats()
    assert end.alloc - start.alloc == end.free - start.free > 0


def test_a_function_that_cannot_be_translated_leanly_is_left_to_numba(monkeypatch):
    def fail(lower):
        raise NotLeanError

    monkeypatch.setattr(lean_lowering.LeanLower, "lower", fail)
    monkeypatch.setattr(lean_lowering, "LEFT_TO_NUMBA", [])
    monkeypatch.setattr(cache, "cache_folder", lambda: None)  # compiled, not loaded
    assert kernel(lambda x: x[0] + 1.0)(np.ones(2)) == 2.0
    assert len(lean_lowering.LEFT_TO_NUMBA) == 1


def test_arrays_of_callers_are_not_counted():
    """A function that makes an array counts that one only: none of those in its arguments."""

    def sum_scaled(rows):
        scratch = np.zeros(1)
        for k in range(len(rows.second)):
            row = rows.second[k]
            scratch[0] += row[0] * rows.first[k]
        return scratch[0]

    found = {}
    for name, compile_it in (("numba", numba.njit), ("lean", compile_function)):
        compiled = compile_it(sum_scaled)
        assert compiled(make_rows()) == sum_scaled(make_rows())
        (text,) = compiled.inspect_asm().values()
        found[name] = len(text)
    assert found["lean"] <= found["numba"]


def test_members_are_taken_from_what_was_inserted():
    module = llvm_ir.Module()
    i64, pair = llvm_ir.IntType(64), llvm_ir.LiteralStructType([llvm_ir.IntType(64)] * 2)
    whole = llvm_ir.LiteralStructType([pair, i64])
    function = llvm_ir.Function(module, llvm_ir.FunctionType(i64, [i64, i64, whole]), "f")
    builder = llvm_ir.IRBuilder(function.append_basic_block())
    one, two, given = function.args
    with lean_values():
        inner = builder.insert_value(builder.insert_value(pair(llvm_ir.Undefined), one, 0), two, 1)
        outer = builder.insert_value(builder.insert_value(given, inner, 0), one, 1)
        assert extract_known(builder, outer, 1) is one
        assert extract_known(builder, outer, (0, 1)) is two
        assert extract_known(builder, extract_known(builder, outer, 0), 0) is one
        beside = extract_known(builder, builder.insert_value(given, one, 1), (0, 1))
        assert beside.operands[0] is given
        partly = builder.insert_value(given, one, (0, 1))
        assert extract_known(builder, partly, 0).operands[0] is partly
    builder.ret(beside)
    remove_unused(function)
    assert [line.opname for line in function.blocks[0].instructions] == ["extractvalue", "ret"]
    assert EXTRACTED is llvm_ir.IRBuilder.extract_value


@pytest.mark.parametrize("shape", [(5,), (2, 3)])
def test_an_array_filled_in_another_block_is_whole(shape):
    def choose(x, flag):
        if flag:
            y = np.empty(x.shape)
            y[:] = x
        else:
            y = x + 1.0
        return y

    x = np.arange(float(np.prod(shape))).reshape(shape)
    compiled = kernel(choose)
    for flag in (True, False):
        np.testing.assert_array_equal(compiled(x, flag), choose(x, flag))
