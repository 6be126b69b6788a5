"""The demonstration: what it says, what it writes, and how it ends when it cannot."""

import errno
import os
import subprocess
import sys

import pytest

from traction.app import demo
from traction.errors import ConvergenceError
from traction.kinds.registry import shipped

FIGURES = ("deflection", "acceleration", "speed_study", "wheel_forces", "spectrum", "patch", "energy", "map")
FILES = {"report.html", "crossing.gif"} | {f"{name}.{end}" for name in FIGURES for end in ("png", "svg")}

#: the same program, with fewer and longer steps; its figures are composed, and drawn by tests of their own
SHORTER = """
import sys
from pathlib import Path
from traction.app import demo
from traction.kinds import registry
from traction.kinds.cross import findings
from traction.view import report
text = registry.shipped()[demo.CASE].read_text()
text = text.replace('dt = "1 ms"', 'dt = "4 ms"\\nsamples = 201')
text = text.replace('size = 20', 'size = 4').replace('t_end = "4.5 s"', 't_end = "3.9 s"')
short = Path("short.toml")
short.write_text(text)
demo.shipped = lambda: {demo.CASE: short}
findings.FRAMES = 3
report._rendered = lambda figure, ending: f"<{ending}></{ending}>".encode()
sys.exit(demo.main(["--out", "pictures"]))
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    answer = subprocess.run(
        [sys.executable, "-W", "error", "-c", SHORTER],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
        encoding="utf-8",
    )
    return answer, folder / "pictures"


def test_demo_ends_well(finished):
    answer, _ = finished
    assert answer.stderr == ""
    assert answer.returncode == 0


def test_demo_writes_its_files_and_says_where(finished):
    answer, folder = finished
    assert {path.name for path in folder.iterdir()} == FILES
    for name in ("report.html", "crossing.gif"):
        assert f"pictures{os.sep}{name}" in answer.stdout
    assert (folder / "crossing.gif").read_bytes()[:6] == b"GIF89a"


def test_everything_is_checked_and_passes(finished):
    text = finished[0].stdout
    checks, known = text.split("Verification cases")
    assert checks.count("passed") == 9
    assert known.count("passed") == len(demo.KNOWN)


def test_it_tells_a_newcomer_what_happens_and_why_to_trust_it(finished):
    text = " ".join(finished[0].stdout.split())
    for words in (
        "what happens where elastic bodies touch",
        "16 axles crosses a bridge of 20.0 m at 131 km/h",
        "8.00 m apart pass at 4.56 Hz",
        "10.4 mm at 36.5 m/s",
        "8.00 m times 4.568 Hz = 36.54 m/s: the run is in resonance with the passing axles",
        "natural frequencies of the bridge are 4.57, 12.6 and 24.7 Hz",
        "It passes all 9 checks",
        "Verification: compared with theory",
        "traction resume",
    ):
        assert words in text


def test_report_has_the_animation_the_figures_and_the_command(finished):
    text = (finished[1] / "report.html").read_text(encoding="utf-8")
    assert text.count("<figure>") == 1 + len(FIGURES)
    assert text.count('"frames":') == 1
    assert "python -m traction.app.demo --out pictures" in text
    first = [text.index(words) for words in ("<h1>", "what happens where", "<figure>", "Checks", "Inputs")]
    assert first == sorted(first)
    assert len(text) < 3e6
    badges = [
        "9 of 9 checks passed</p>",
        f"{len(demo.KNOWN)} of {len(demo.KNOWN)} verification cases passed</p>",
    ]
    assert [text.count(f'<p class="verdict">{words}') for words in badges] == [1, 1]


def test_lines_fit_a_terminal(finished):
    assert max(len(line) for line in finished[0].stdout.splitlines()) <= 80


def test_the_shipped_case_is_the_one_of_the_words():
    text = shipped()[demo.CASE].read_text()
    assert 'contact = "half-space"' in text


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
    def stall(*_, **__):
        raise ConvergenceError("No progress.")

    monkeypatch.setattr(demo, "simulate", stall)
    assert demo.main(["--out", str(tmp_path)]) == 3
    assert "error: No progress." in capsys.readouterr().err


def test_bad_place_is_known_before_the_work(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(demo, "simulate", lambda *given, **named: calls.append(given))
    (tmp_path / "file").touch()
    assert demo.main(["--out", str(tmp_path / "file")]) == 2
    assert calls == []


def test_commands_of_an_environment_that_is_not_active(tmp_path, monkeypatch):
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "activate").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    monkeypatch.setattr(demo.shutil, "which", lambda name: None)
    assert demo.next_steps() == ("source .venv/bin/activate", *demo.YOURS)
    monkeypatch.setattr(demo.shutil, "which", lambda name: "/usr/bin/traction")
    assert demo.next_steps() == demo.YOURS
