"""Processes of a sweep: their locks, and what they say when they cannot begin."""

import multiprocessing
import re
import signal
from contextlib import ExitStack

import pytest

from traction.errors import InputError
from traction.kinds.sweep import sweep_workers
from traction.kinds.sweep.sweep_workers import READY, _hold, _Worker, serve
from traction.results.storage.run_files import is_being_written, sole_writer


@pytest.fixture
def lock(tmp_path):
    folder = tmp_path / "workers" / "0"
    folder.mkdir(parents=True)
    return folder


def test_a_process_waits_for_the_lock_that_one_before_it_still_has(lock):
    with sole_writer(lock):
        worker = _Worker(lock)
        assert not worker.pipe.poll(3.0)  # long enough to load; one that gave up would have closed its end
    try:
        assert worker.pipe.recv() == READY
        assert is_being_written(lock)
    finally:
        worker.end()
    assert not is_being_written(lock)


def test_a_lock_that_is_not_left_is_named(lock, monkeypatch):
    monkeypatch.setattr(sweep_workers, "PATIENCE", 0.1)
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # this process keeps its handlers
    ours, theirs = multiprocessing.Pipe()
    with sole_writer(lock):
        serve(theirs, lock)
    worker = object.__new__(_Worker)
    worker.pipe = ours
    with pytest.raises(InputError, match=f"^{re.escape(str(lock))} is being written"):
        worker.told(lambda *_: None, asked=False)


def test_a_process_whose_sweep_is_gone_does_not_wait(lock, monkeypatch):
    monkeypatch.setattr(sweep_workers, "PATIENCE", 1e9)
    ours, theirs = multiprocessing.Pipe()
    ours.close()
    with sole_writer(lock), ExitStack() as held, pytest.raises((InputError, OSError)):
        _hold(lock, held, theirs)
