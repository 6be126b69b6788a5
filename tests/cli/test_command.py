"""Ctrl-C while the command is still loading: a line, and no traceback."""

import os
import signal
import subprocess
import sys

import pytest

import traction_command

SLOW_IMPORT = """
import signal, sys, time

signal.signal(signal.SIGINT, signal.default_int_handler)  # the shell of the tests may ignore it

class Slow:
    def find_spec(self, name, *_):
        if name == MODULE:
            print("loading", flush=True)
            time.sleep(30)

sys.meta_path.insert(0, Slow())
import traction_command
sys.argv[1:] = ["validate", "ball-on-plate"]
traction_command.main()
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of a console")
@pytest.mark.parametrize("module", ["traction", "traction.cli", "typer", "traction.kinds.case", "numpy"])
def test_an_interrupt_while_loading_is_a_line(module):
    code = f"MODULE = {module!r}{SLOW_IMPORT}"
    with subprocess.Popen([sys.executable, "-c", code], stdout=-1, stderr=-1, text=True) as run:
        assert run.stdout.readline() == "loading\n"
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=30)
    assert (run.returncode in (130, -signal.SIGINT), said) == (True, "interrupted\n")


def test_an_interrupt_that_a_shell_ignores_stays_ignored(monkeypatch):
    monkeypatch.setattr("traction.cli.main", lambda: None)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        traction_command.main()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_statuses_agree():
    from traction.cli import INTERRUPTED

    assert traction_command.INTERRUPTED == INTERRUPTED
