"""Claims that nobody waits for in vain: of compilations that fail, and of processes forked meanwhile."""

import os
import threading
import time

import numba
import pytest

from traction.compiled import cache
from traction.compiled.cache import CompileClaims
from traction.compiled.kernel_folder import CLAIM


@pytest.fixture
def kernel(tmp_path):
    """Where a kernel will be."""
    return tmp_path / "module.name.0123.4567.bin"


def test_a_kernel_that_cannot_be_compiled_is_claimed_no_longer(tmp_path):
    cache.announce_compiling()
    function = numba.njit(lambda x: x.no_such_attribute)
    function._cache = cache.KernelCache(function, tmp_path)
    with pytest.raises(numba.TypingError):
        function(1.0)
    assert not function._cache.claims._held
    assert not list(tmp_path.glob(f"*{CLAIM}"))


def test_a_kernel_called_by_one_that_fails_is_claimed_no_longer(tmp_path):
    cache.announce_compiling()
    inner = numba.njit(lambda x: x.no_such_attribute)
    inner._cache = cache.KernelCache(inner, tmp_path)
    outer = numba.njit(lambda x: inner(x) + 1.0)
    outer._cache = cache.KernelCache(outer, tmp_path)
    with pytest.raises(numba.TypingError):
        outer(1.0)
    assert not list(tmp_path.glob(f"*{CLAIM}"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked")
def test_a_process_forked_while_a_kernel_is_claimed_does_not_keep_it(kernel, monkeypatch):
    """Its copy of the handle is another name of the same lock; here a duplicate, which is the same."""
    monkeypatch.setattr(cache, "LONGEST_WAIT", 0.05)
    first, second = CompileClaims(), CompileClaims()
    first.take(kernel)
    copy = os.dup(first._held[kernel])
    try:
        monkeypatch.setattr(cache.Path, "unlink", lambda path: None)  # the file may be open elsewhere
        first.release(kernel)
        second.take(kernel)
        assert kernel in second._held
        second.release(kernel)
    finally:
        os.close(copy)


def test_nobody_waits_for_a_lock_once_the_kernel_is_there(kernel):
    first, second = CompileClaims(), CompileClaims()
    first.take(kernel)
    waiting = threading.Thread(target=second.take, args=(kernel,))
    began = time.monotonic()
    waiting.start()
    kernel.write_bytes(b"code")
    waiting.join(20.0)
    assert time.monotonic() - began < 20.0
    assert not waiting.is_alive()
    assert not second._held
    first.release(kernel)
