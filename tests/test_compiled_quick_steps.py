"""Steps of the compiler that are replaced end in the same as numba's own."""

import gc
from contextlib import nullcontext

import numba
import numpy as np
import pytest
from numba.core import codegen, compiler, errors, event, ir

from traction.compiled import quick_steps
from traction.compiled.linking import collection_paused


def scaled_sum(x, y):
    total, pair = 0.0, (x, y)
    for i in range(len(x)):
        if x[i] > 0.0:
            total += pair[0][i] * max(y[i], 1.0)
    return total


@pytest.fixture(scope="module")
def instructions():
    blocks = compiler.run_frontend(scaled_sum).blocks.values()
    return [line for block in blocks for line in block.body]


def test_variables_are_listed_as_numba_lists_them(instructions):
    assert len(instructions) > 20
    for line in instructions:
        found = quick_steps.list_variables(line, vars(line))
        assert found == quick_steps.LISTED(line, vars(line))
        assert all(isinstance(one, ir.Var) for one in found)
    usual = [line.list_vars() for line in instructions]
    with quick_steps.quick_steps():
        assert [line.list_vars() for line in instructions] == usual


def test_errors_say_where_as_numba_says_it():
    def fail(x):
        return x.no_such_part

    told = []
    for quick in (False, True):
        with (
            quick_steps.quick_steps() if quick else nullcontext(),
            pytest.raises(errors.TypingError) as found,
        ):
            numba.njit(fail)(1.0)
        told.append(str(found.value))
    assert "typing of get attribute" in told[0]
    assert told[1] == told[0]


def test_events_reach_those_who_listen():
    with event.install_recorder("numba:compile") as heard, quick_steps.quick_steps():
        numba.njit(lambda x: x + 1)(1)
    assert len(heard.buffer) >= 2


def test_results_are_the_same_bits():
    x, y = np.random.default_rng(1).standard_normal((2, 100))
    usual = numba.njit(scaled_sum)(x, y)
    with quick_steps.quick_steps():
        quick = numba.njit(scaled_sum)(x, y)
    assert quick == usual


def test_numba_is_left_as_it_was():
    optimised = codegen.CPUCodeLibrary._optimize_functions
    with quick_steps.quick_steps():
        assert event.start_event is quick_steps.start_heard
    assert event.start_event is quick_steps.STARTED
    assert ir.Inst._rec_list_vars is quick_steps.LISTED
    assert "list_vars" not in vars(ir.Assign)  # inherited
    assert codegen.CPUCodeLibrary._optimize_functions is optimised


def test_objects_that_a_program_has_frozen_stay_so():
    gc.freeze()
    with collection_paused():
        pass
    assert gc.get_freeze_count() > 0
