"""Kernels that several processes need at the same time: one compiles, the others wait, none for ever."""

import os
import threading

import pytest

from traction.compiled import cache
from traction.compiled.cache import CompileClaims
from traction.compiled.compile_progress import WAITING, observe_compiling, tell_waiting


@pytest.fixture
def kernel(tmp_path):
    """Where a kernel will be."""
    return tmp_path / "module.name.0123.4567.bin"


def test_the_second_waits_for_the_first(kernel):
    first, second, events = CompileClaims(), CompileClaims(), []

    def follow():
        second.take(kernel)
        events.append(kernel.exists())

    first.take(kernel)
    other = threading.Thread(target=follow)
    other.start()
    other.join(0.2)
    assert other.is_alive()
    kernel.write_bytes(b"code")
    first.release(kernel)
    other.join(10.0)
    assert events == [True]
    second.release(kernel)
    assert os.listdir(kernel.parent) == [kernel.name]


def test_who_has_waited_long_goes_on_without(kernel, monkeypatch):
    first, second, compiling = CompileClaims(), CompileClaims(), []
    monkeypatch.setattr(cache, "LONGEST_WAIT", 0.05)
    first.take(kernel)
    with observe_compiling(compiling.append):
        second.take(kernel)
    assert compiling == [True, False]
    second.release(kernel)  # nothing to release: the first still has it
    third = CompileClaims()
    third.take(kernel)
    assert not third._held
    first.release(kernel)


def test_a_kernel_that_could_not_be_compiled_is_claimed_once(kernel):
    mine = CompileClaims()
    mine.take(kernel)
    mine.take(kernel)
    mine.release(kernel)
    assert not os.listdir(kernel.parent)


def test_a_process_that_ends_leaves_no_claim(kernel, run_python):
    code = f"""
from pathlib import Path
from traction.compiled.cache import CompileClaims
CompileClaims().take(Path({str(kernel)!r}))
"""
    run_python(code)
    mine = CompileClaims()
    mine.take(kernel)
    assert kernel in mine._held
    mine.release(kernel)


def test_waiting_is_told_once_and_not_at_once(told):
    now = [0.0]
    with tell_waiting(lambda: now[0]) as tell:
        tell()
        assert told() == []
        for now[0] in (0.9, 1.5):
            tell()
    assert told() == [WAITING]
