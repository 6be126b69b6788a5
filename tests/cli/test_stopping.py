"""Signals: the first asks to stop where something would be lost, the second ends at once."""

import os
import signal
import subprocess
import sys
import time

import pytest

from traction.cli.stopping import stoppable
from traction.results.recorder import COMPUTING, EVALUATING, WRITING

SLOW = """
import sys, time
from traction.kinds.press.run import PressStepper
from traction import cli

def advance(self, state):
    print("begun", flush=True)
    time.sleep(60)

PressStepper.advance = advance
sys.argv = ["traction", "run", "ball-on-plate", "--out", sys.argv[1]]
cli.main()
"""


def test_while_samples_are_computed_the_first_signal_asks(capsys):
    with stoppable() as stop:
        stop.phase(COMPUTING)
        assert not stop()
        signal.raise_signal(signal.SIGTERM)
        assert stop()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL  # the third ends the process
    assert "stopping after this sample" in capsys.readouterr().err


def test_between_speeds_of_a_study_the_first_signal_asks(capsys):
    with stoppable() as stop:
        stop.phase(EVALUATING)
        assert not stop()
        signal.raise_signal(signal.SIGTERM)
        assert stop()
    assert "stopping after this speed of the study" in capsys.readouterr().err


@pytest.mark.parametrize("phase", ["", COMPUTING, EVALUATING])
def test_while_nothing_would_be_lost_the_first_signal_ends_it(phase):
    with stoppable() as stop:
        stop.phase(phase)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_files_are_completed_and_nothing_more_is_begun(capsys):
    with stoppable() as stop:
        assert not stop()
        stop.phase(WRITING)
        signal.raise_signal(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):
            stop.end()
    assert "stopping after these files" in capsys.readouterr().err


def test_handlers_are_restored():
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    with stoppable() as stop:
        stop.end()
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before


@pytest.mark.skipif(os.name == "nt", reason="no SIGTERM that is handled")
def test_a_second_sigterm_ends_a_run_within_a_sample(tmp_path):
    command = [sys.executable, "-c", SLOW, str(tmp_path / "run")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout.readline() == "begun\n"
        run.send_signal(signal.SIGTERM)
        while "stopping" not in run.stderr.readline():
            pass
        began = time.perf_counter()
        run.send_signal(signal.SIGTERM)
        _, said = run.communicate(timeout=30)
    assert run.returncode == 130
    assert time.perf_counter() - began < 10.0
    assert "Traceback" not in said
