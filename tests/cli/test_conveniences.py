"""`--version`, completion, kinds that are listed, and `--force`."""

import json
import os
import subprocess
import sys

import pytest

from traction.cli.options import complete_examples, complete_scenarios
from traction.kinds.registry import KINDS, shipped
from traction.results.run import load_run
from traction.results.sweeps.sweep_folder import load_sweep
from traction.version import __version__

SMALL = ("--set", "grid.nx=12", "--set", "grid.ny=12", "--set", "load.force=20")
TOO_NARROW = ("--set", "grid.width_x=0.05 mm", "--set", "grid.width_y=0.05 mm")


def test_the_version(traction):
    assert traction("--version") == (0, f"traction {__version__}\n", "")


def test_new_without_a_kind_lists_the_kinds(traction):
    code, out, err = traction("new")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()[1:-1]] == list(KINDS)


def completed(words, shell="bash"):
    """What the shell is offered for the last of some words."""
    line = " ".join(["traction", *words])
    environment = {
        "_TRACTION_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words)),
        "_TYPER_COMPLETE_ARGS": line,
    }
    code = "import sys; sys.argv = ['traction']; from traction.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert done.stderr == ""
    return done.stdout


def test_a_shell_completes_commands_kinds_and_examples():
    assert completed(["re"]).split() == ["resume", "report"]
    found = completed(["new", "b"]).split()
    names = {*KINDS, *shipped()}
    assert set(found) == {name for name in names if name.startswith("b")}


def test_completion_can_be_shown(traction, monkeypatch):
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("bash", "/bin/bash"))
    code, out, _ = traction("--show-completion")
    assert (code, "_TRACTION_COMPLETE" in out) == (0, True)


@pytest.fixture
def failed_run(traction, without_figures):
    """The folder of a run that failed."""
    code, _, err = traction("run", shipped()["ball-on-plate"], *SMALL, *TOO_NARROW, "--out", "out")
    assert (code, "reaches the edge" in err) == (3, True)
    assert "The samples before are in out; with other settings, replace it by --force." in err
    return "out"


def test_force_replaces_a_run_that_failed(traction, failed_run, tmp_path):
    command = ("run", shipped()["ball-on-plate"], *SMALL, "--out", failed_run)
    code, _, err = traction(*command)
    assert (code, "replace it by --force if it failed" in err) == (2, True)
    assert traction(*command, "--force")[0] == 0
    assert load_run(tmp_path / failed_run).ok
    code, _, err = traction(*command, "--force")
    assert (code, "holds a complete run, which --force does not replace" in err) == (2, True)
    assert load_run(tmp_path / failed_run).ok


def test_force_keeps_a_folder_that_is_no_run(traction, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years")
    code, _, err = traction("run", shipped()["ball-on-plate"], *SMALL, "--out", "mine", "--force")
    assert (code, "holds no run" in err) == (2, True)
    assert (tmp_path / "mine" / "thesis.tex").read_text() == "years"


def test_force_without_a_folder_takes_the_usual_name(traction, without_figures, tmp_path):
    command = ("run", shipped()["ball-on-plate"], *SMALL)
    assert traction(*command, *TOO_NARROW)[0] == 3
    assert traction(*command, "--force")[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["ball-on-plate-run"]
    assert traction(*command, "--force")[0] == 2


def test_a_folder_whose_start_was_killed_is_used_again(traction, without_figures, tmp_path):
    (tmp_path / "ball-on-plate-run" / "segments").mkdir(parents=True)
    assert traction("run", shipped()["ball-on-plate"], *SMALL)[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["ball-on-plate-run"]


def test_force_starts_failed_variants_again_and_keeps_complete_ones(traction, without_figures, tmp_path):
    ball = shipped()["ball-on-plate"]
    sweep = ("sweep", ball, "--set", "surface.0.radius=10, 5000 mm", *SMALL, "--out", "sweep")
    assert traction(*sweep)[0] == 3
    before = [load_run(run.folder).data.attrs for run in load_sweep(tmp_path / "sweep").runs]
    runs = {path.parent.name: path.read_bytes() for path in (tmp_path / "sweep").glob("*/static.bin")}
    assert traction(*sweep, "--force")[0] == 3
    after = {path.parent.name: path.read_bytes() for path in (tmp_path / "sweep").glob("*/static.bin")}
    assert len(before) == 2
    assert after["000-radius=10"] == runs["000-radius=10"]  # with the random name of the run
    assert after["001-radius=5000"] != runs["001-radius=5000"]


def test_force_replaces_another_sweep_only_where_nothing_is_complete(traction, without_figures, tmp_path):
    ball = shipped()["ball-on-plate"]
    failing = ("sweep", ball, "--set", "surface.0.radius=4000, 5000 mm", *SMALL, "--out", "sweep")
    other = ("sweep", ball, "--set", "surface.0.radius=9, 10 mm", *SMALL, "--out", "sweep")
    assert traction(*failing)[0] == 3
    assert traction(*other)[0] == 2
    assert traction(*other, "--force")[0] == 0
    assert {path.name for path in (tmp_path / "sweep").iterdir() if path.is_dir()} == {
        "000-radius=9",
        "001-radius=10",
    }
    code, _, err = traction(*failing, "--force")
    assert (code, "2 complete variants, which --force does not replace" in err) == (2, True)
    assert json.loads(traction("resume", "sweep", "--json")[1])["ok"]


def test_a_built_in_example_runs_by_its_name(traction, without_figures, tmp_path):
    assert traction("run", "ball-on-plate", *SMALL)[0] == 0
    assert load_run(tmp_path / "ball-on-plate-run").ok
    assert "valid, kind press" in traction("validate", "ball-on-plate")[1]
    code, _, err = traction("validate", "ball-on-plat")
    assert (code, "neither a file nor a built-in example; did you mean ball-on-plate" in err) == (2, True)
    code, _, err = traction("run", "nosuch.toml")
    assert (code, "there is no such file" in err) == (2, True)
    (tmp_path / "ball-on-plate").write_text('kind = "nonsense"')  # a file of that name is the one meant
    assert traction("validate", "ball-on-plate")[0] == 2


def test_scenario_files_folders_and_examples_are_completed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ball.toml").touch()
    (tmp_path / "ball.txt").touch()
    (tmp_path / "balls").mkdir()
    found = [name for name, _ in complete_scenarios("ball")]
    assert found == ["ball.toml", "balls/", "ball-on-beam", "ball-on-plate"]
    assert dict(complete_examples("flat"))["flat-wheel"]


def test_numbers_without_a_unit_are_named_once_with_theirs(traction, tmp_path):
    (tmp_path / "ball.toml").write_text(
        'kind = "press"\ngrid = {nx = 12, ny = 12, width_x = 1e-3, width_y = "1 mm"}\n'
        'surface = [{type = "sphere", radius = 0.02}]\nload = {force = [20.0, "40 N"]}\n'
    )
    code, out, err = traction("validate", "ball.toml")
    assert (code, "valid, kind press" in out) == (0, True)
    words = " ".join(err.split())
    assert (
        "note: numbers without a unit are in SI: grid.width_x = 0.001 m; surface.0.radius = 0.02 m" in words
    )
    assert "load.force.0 = 20 N" in words
    assert "nx" not in words
    assert "width_y" not in words
    several = traction("validate", "ball.toml", "--set", "load.force=[1.0, 2.0, 3.0]")[2]
    assert "load.force.0 = 1 N, ..." in several
    assert "load.force.1" not in several
    assert traction("validate", "ball-on-plate")[2] == ""
