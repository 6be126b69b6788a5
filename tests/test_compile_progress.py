"""What is told while kernels are compiled: soon, and once."""

import os
import subprocess
import sys

import pytest

from traction.compiled.compile_progress import MESSAGE, CompileWatch


class Clock:
    """Seconds that pass when told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def compile_for(watch, clock, seconds):
    watch.start()
    clock.now += seconds
    watch.end()


def test_a_short_one_is_not_told(told, clock):
    compile_for(CompileWatch(clock), clock, 0.7)
    assert told() == []


def test_many_short_ones_are_told_once_they_have_become_long(told, clock):
    watch = CompileWatch(clock)
    compile_for(watch, clock, 0.5)
    clock.now += 100.0  # time between kernels is not that of the compiler
    compile_for(watch, clock, 0.5)
    assert told() == []
    for _ in range(100):
        compile_for(watch, clock, 0.5)
    assert told() == [MESSAGE]


def test_a_long_one_is_told_with_the_first_kernel_that_it_calls_after_a_while(told, clock):
    watch = CompileWatch(clock)
    watch.start()
    compile_for(watch, clock, 0.7)
    compile_for(watch, clock, 0.2)
    assert told() == []
    compile_for(watch, clock, 0.1)
    watch.end()
    assert told() == [MESSAGE]


def test_python_shows_the_message_and_the_environment_silences_it(tmp_path):
    code = (
        "from traction.compiled import kernel, compile_progress\n"
        "compile_progress.UNTOLD_SECONDS = -1.0\n"
        "kernel(lambda x: 2.0 * x)(1.0)"
    )
    for level, shown in (("WARNING", True), ("error", False), ("nonsense", True)):
        environment = {**os.environ, "TRACTION_CACHE_DIR": str(tmp_path / level), "TRACTION_LOG_LEVEL": level}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
        assert done.returncode == 0
        assert done.stderr == (f"{MESSAGE}\n" if shown else "")
