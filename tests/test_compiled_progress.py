"""What is told while kernels are compiled: soon, once, and again when it takes long."""

import logging
import os
import subprocess
import sys

import pytest

from traction.compiled import kernel, progress
from traction.compiled.progress import CompileWatch


@kernel
def inner(x):
    return x * x


@kernel
def outer(x):
    return inner(x) + 1.0


class Clock:
    """Seconds that pass when told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def told(caplog, monkeypatch):
    """The messages so far."""
    monkeypatch.setattr(logging.getLogger("traction"), "level", logging.WARNING)
    logging.getLogger("traction.compiled").manager._clear_cache()
    monkeypatch.setattr(logging.getLogger("traction.compiled"), "propagate", True)
    return lambda: [record.getMessage() for record in caplog.records]


def compile_for(watch, clock, seconds):
    watch.start(outer)
    clock.now += seconds
    watch.end()


def test_what_takes_long_is_announced_at_once_with_its_estimate(told, clock, monkeypatch):
    size = sum(len(function.py_func.__code__.co_code) for function in (inner, outer))
    monkeypatch.setattr(progress, "SECONDS_PER_BYTE", 15.0 / size)
    CompileWatch(lambda function: False, clock).start(outer)
    assert told() == ["compiling kernels for their first use, about 15 s; they are kept for later runs"]


def test_what_is_kept_does_not_count(told, clock, monkeypatch):
    monkeypatch.setattr(progress, "SECONDS_PER_BYTE", 1.0)
    CompileWatch(lambda function: True, clock).start(outer)
    assert told() == []


def test_many_short_ones_are_announced_when_they_have_become_long(told, clock):
    watch = CompileWatch(lambda function: True, clock)
    for _ in range(10):
        compile_for(watch, clock, 0.9)
        clock.now += 100.0  # time between kernels is not that of the compiler
    assert told() == ["compiling kernels for their first use; they are kept for later runs"]


def test_long_compiling_is_told_again_and_again(told, clock):
    watch = CompileWatch(lambda function: True, clock)
    for _ in range(100):
        compile_for(watch, clock, 0.9)
    assert [message.split(":")[0] for message in told()[1:]] == ["still compiling kernels"] * 4


def test_kernels_that_one_calls_are_part_of_it(told, clock):
    watch = CompileWatch(lambda function: True, clock)
    compile_for(watch, clock, 3.0)
    watch.start(outer)
    clock.now += 10.0
    compile_for(watch, clock, 15.0)
    compile_for(watch, clock, 1.0)
    assert told() == [
        "compiling kernels for their first use; they are kept for later runs",
        "still compiling kernels: 28 s so far",
    ]


def test_python_shows_the_message_and_the_environment_silences_it(tmp_path):
    code = (
        "from traction.compiled import kernel, progress\n"
        "progress.SECONDS_PER_BYTE = 1.0\n"
        "kernel(lambda x: 2.0 * x)(1.0)"
    )
    for level, shown in (("WARNING", True), ("error", False), ("nonsense", True)):
        environment = {**os.environ, "TRACTION_CACHE_DIR": str(tmp_path / level), "TRACTION_LOG_LEVEL": level}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
        assert done.returncode == 0
        assert done.stderr.startswith("compiling kernels for their first use, about ") == shown
        assert shown or not done.stderr
