import errno
import os
import subprocess
import sys

import pytest

from traction.app import demo
from traction.errors import ConvergenceError

FILES = {"report.html"} | {
    f"{n}.{e}" for n in ("pressure", "section", "deformed", "stress") for e in ("png", "svg")
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    answer = subprocess.run(
        [sys.executable, "-W", "error", "-m", "traction.app.demo", "--out", "pictures"],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
        encoding="utf-8",
    )
    return answer, folder / "pictures"


def row(text, name):
    """Numbers of a line of a printed table."""
    line = next(line for line in text.splitlines() if name in line)
    return [float(cell.strip(" %")) for cell in line.split("│")[2:-1]]


def test_demo_ends_well(finished):
    answer, _ = finished
    assert answer.returncode == 0
    assert answer.stderr == ""


def test_demo_writes_its_files_and_says_where(finished):
    answer, folder = finished
    assert {path.name for path in folder.iterdir()} == FILES
    for name in FILES:
        assert f"pictures{os.sep}{name}" in answer.stdout


def test_tables_compare_with_hertz(finished):
    crown, edge = finished[0].stdout.split("Results: crown edge")
    for name in (
        "semi-axis along x",
        "semi-axis along y",
        "peak pressure",
        "approach",
        "stiffness",
        "max von",
    ):
        computed, hertz, difference = row(crown, name)
        assert difference == pytest.approx(100 * (computed / hertz - 1), abs=0.06)
        assert abs(difference) < 0.1
    assert row(edge, "peak pressure")[2] > 30.0
    assert row(edge, "contact area")[2] < -10.0


def test_certificate_is_shown(finished):
    assert finished[0].stdout.count("passed") == len(demo.CHECKS)
    assert "failed" not in finished[0].stdout


def test_report_has_the_inputs_and_the_command(finished):
    text = (finished[1] / "report.html").read_text(encoding="utf-8")
    for words in ("100.0 kN", "460 mm", "10.25 mm", "python -m traction.app.demo --out pictures"):
        assert words in text
    assert text.count("<img ") == 4


def test_lines_fit_a_terminal(finished):
    assert max(len(line) for line in finished[0].stdout.splitlines()) <= 80


def test_unwritable_folder_is_one_line_and_exit_code_2(tmp_path, capsys):
    file = tmp_path / "file"
    file.write_text("in the way")
    for out in (file, file / "below"):
        assert demo.main(["--out", str(out)]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith(f"error: cannot write to {out}: ")
        assert captured.err.count("\n") == 1


def test_read_only_folder_is_exit_code_2(tmp_path, monkeypatch, capsys):
    """The system's refusal is played, since modes of files do not bind root."""

    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(tmp_path))

    monkeypatch.setattr(demo.tempfile, "TemporaryFile", refuse)
    assert demo.main(["--out", str(tmp_path)]) == 2
    assert "Permission denied" in capsys.readouterr().err


def test_no_convergence_is_exit_code_3(tmp_path, monkeypatch, capsys):
    def stall(*_):
        raise ConvergenceError("No progress.")

    monkeypatch.setattr(demo, "solve_case", stall)
    assert demo.main(["--out", str(tmp_path)]) == 3
    assert "error: No progress." in capsys.readouterr().err


def test_bad_place_is_known_before_the_work(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(demo, "solve_case", lambda *given: calls.append(given))
    (tmp_path / "file").touch()
    assert demo.main(["--out", str(tmp_path / "file")]) == 2
    assert calls == []
