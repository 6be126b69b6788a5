"""What is shown of work: a bar that names the phase on a terminal, lines elsewhere, nothing when silent."""

import io
import sys

import pytest
from rich.console import Console
from rich.text import Text

from traction.app import progress_bar
from traction.app.progress_bar import RUNNING, WorkDisplay, show_work
from traction.compiled import compile_progress as compiling


def do_work(work):
    for sample in range(1, 31):
        work.show(sample, 30)
    work.phase("evaluating")
    work.phase("writing")
    work.phase("drawing")
    work.show(2, 4)
    assert work.counts == "2 of 4 figures"
    work.tell("a word")


def test_without_a_terminal_tenths_and_phases_are_lines(capsys):
    with show_work(silent=False) as work:
        do_work(work)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "computing: 1 of 30 samples"
    assert lines[-5:] == ["computing: 30 of 30 samples", "evaluating", "writing", "drawing", "a word"]
    assert len(lines) == 15


def test_silence(capsys):
    with show_work(silent=True) as work:
        do_work(work)
        work.row(Text("row"))
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("columns", [80, 100])
def test_the_bar_names_the_phase_and_fits(monkeypatch, columns):
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=columns, color_system=None)
    monkeypatch.setattr(progress_bar, "Console", lambda **_: console)
    with show_work(silent=False) as work:
        work.show(12345, 100000)
        compiling._notify(True)
        assert work.phase_shown == "compiling"
        compiling._notify(False)
        assert work.phase_shown == "computing"
        console.print(work_line(work))
        work.phase("drawing")
        assert work.phase_shown == "drawing"
        assert work.clock.share < 1.0
    assert compiling._observers == []
    shown = stream.getvalue()
    assert "12345 of 100000 samples" in shown
    assert "100%" not in shown


def work_line(work):
    return f"{work.phase_shown} {work.counts}"


def test_rows_are_printed_at_once(monkeypatch):
    flushed = []
    stream = io.StringIO()
    stream.flush = lambda: flushed.append(stream.getvalue())
    monkeypatch.setattr(sys, "stdout", stream)
    work = WorkDisplay(RUNNING, "checks", Console(file=io.StringIO()), False)
    work.row(Text("first"))
    assert flushed[-1] == "first\n"
    work.row(Text("second [bold]"))
    assert flushed[-1] == "first\nsecond [bold]\n"
