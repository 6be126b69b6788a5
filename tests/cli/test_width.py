"""What commands print fits terminals of 80 and 100 columns, and nothing of it is cut."""

import json
import os
import re
import subprocess
import sys

import pytest

from traction.app import verification
from traction.kinds.registry import KINDS, shipped

pytestmark = pytest.mark.usefixtures("quick_figures")

SMALL = ("--set", "grid.nx=12", "--set", "grid.ny=12")
COMMANDS = ("new", "validate", "run", "sweep", "resume", "report", "verify", "schema", "warmup", "info")
WIDTHS = pytest.mark.parametrize("columns", [80, 100])


@pytest.fixture
def printed(traction, monkeypatch, tmp_path):
    """All that a command prints in a terminal so wide, checked; names of files and commands stay whole."""

    def run(columns, *arguments, code=0):
        monkeypatch.setenv("COLUMNS", str(columns))
        ended, out, err = traction(*arguments)
        assert ended == code, err
        for line in (out + err).splitlines():
            whole = " " not in line.strip() or line.strip().startswith("traction ")
            assert len(line) <= columns or whole, line
        assert "…" not in out + err
        assert not re.search(r"\w\.\.\.", out + err)
        return out + err

    return run


@WIDTHS
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(printed, columns, command):
    text = printed(columns, *([command] if command else []), "--help")
    assert "Usage: traction" in text
    assert "--help" in text


@WIDTHS
def test_info_and_new(printed, columns):
    text = printed(columns, "info")
    assert all(name in text.replace(",", " ").split() for name in (*KINDS, *shipped()))
    listed = printed(columns, "new").splitlines()
    for kind, words in KINDS.items():  # one line each
        assert any(line.split() == [kind, *words.split()] for line in listed), kind


@WIDTHS
def test_a_run_a_report_and_a_sweep(printed, columns, built_in, tmp_path):
    ball = shipped()["ball-on-plate"]
    assert "done" in printed(columns, "run", ball, *SMALL, "--set", "load.force=20", "--out", "run")
    assert "report.html" in printed(columns, "report", "run")
    text = printed(columns, "sweep", ball, *SMALL, "--set", "load.force=1:100:12 N", "--out", "sweep")
    assert len(text.splitlines()) < 36
    assert "from 1 to 100 N (12 values)" in text


@WIDTHS
def test_errors(printed, columns, tmp_path):
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('kind = "press"\nload = { force = "3 furlong", colour = "red" }\n')
    text = " ".join(printed(columns, "validate", wrong.name, code=2).split())
    assert 'wrong.toml:2: unknown key "load.colour"; known here are' in text
    assert "is neither a kind nor a built-in example" in printed(columns, "new", "xyz", code=2)


@WIDTHS
def test_verify(printed, columns, monkeypatch):
    rows = [check for check in verification.checks() if check.name in ("load-circle", "obstacle-closed")]
    rows.append(verification.Check("case-" + "x" * 20, "quantity " * 9, "somebody", 1.0, 1e-3, lambda: 2.0))
    monkeypatch.setattr(verification, "checks", lambda: tuple(rows))
    lines = printed(columns, "verify", code=1).splitlines()
    assert lines[0].split() == ["verdict", "case", "quantity", "error", "limit"]
    assert sum(line.startswith("passed") for line in lines) == len(rows) - 1
    assert f"{len(rows) - 1} passed, 1 missed" in "\n".join(lines)


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of its own")
def test_rows_of_verify_are_above_the_bar_in_a_terminal(tmp_path):
    """Through a pseudo-terminal: what people see."""
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "traction", "verify", "--only", "obstacle-closed"]
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm"}
    run = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert run.wait(60) == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert "computing" in text
    assert "7 passed, 0 missed" in text
    assert text.count("passed   obstacle-closed") == 7
    assert "100%" not in text


def test_json_is_one_object_whatever_the_width(traction, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = traction("verify", "--only", "load-circle", "--json")
    assert (code, err, json.loads(out)["missed"]) == (0, "", 0)
