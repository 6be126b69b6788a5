"""`traction sweep` as people use it: exit codes, sentences, files, and Ctrl-C."""

import json
import os
import signal
import subprocess
import sys

import pytest

import traction as tr
from traction.kinds import simulate as simulating
from traction.kinds.registry import shipped

pytestmark = pytest.mark.usefixtures("quick_figures")

SMALL = ("--set", "grid.nx=12", "--set", "grid.ny=12")
FORCES = ("--set", "load.force=10:20:2 N", *SMALL)


@pytest.fixture(autouse=True)
def scenario(tmp_path):
    """A scenario in the folder of the command."""
    (tmp_path / "ball.toml").write_bytes(shipped()["ball-on-plate"].read_bytes())


def test_a_sweep_is_kept_reported_and_gone_on_with(traction, tmp_path):
    code, out, err = traction("sweep", "ball.toml", *FORCES)
    assert code == 0
    assert err.splitlines()[-2:] == ["computing: 2 of 2 variants", "drawing"]
    assert "Sweep of press: done, 2 of 2 variants done" in out
    folder = tmp_path / "ball-sweep"
    assert {"report.html", "headlines.png", "table.csv"} <= {path.name for path in folder.iterdir()}
    code, out, err = traction("sweep", "ball.toml", *FORCES, "--json")
    facts = json.loads(out)
    assert (code, err, facts["status"], facts["ok"]) == (0, "", "done", True)
    assert facts["varied"][0] == {"key": "load.force", "unit": "N"}
    assert facts["variants"][1]["values"]["load.force"] == 20.0
    assert facts["variants"][1]["key_figures"][0]["name"] == "normal force"
    assert json.loads(traction("resume", "ball-sweep", "--json")[1]) == facts
    assert json.loads(traction("report", "ball-sweep", "--json")[1])["files"] == facts["files"][:-1]


def test_bad_input_is_code_2_and_leaves_nothing(traction, tmp_path):
    for arguments, message in {
        (): "nothing is varied",
        ("--set", "load.forc=1"): 'error: --set load.forc: unknown key "load.forc"; did you mean "force"?',
        ("--set", "load.force=1 N, 2 s"): '--set load.force: load.force = "2 s" is a time, expected a force',
        ("--set", "load.force=1:2 N"): "must read first:last:count",
        ("--set", "load.force"): "must read key=values",
        ("--set", "load.force=1, 2", "--set", "grid.nx=8", "--zip"): "must be equally long",
        ("--set", "load.force=1, 2", "--set", "load.force=3"): "varied twice",
    }.items():
        code, _, err = traction("sweep", "ball.toml", *arguments)
        assert (code, message in err) == (2, True), err
    assert [path.name for path in tmp_path.iterdir()] == ["ball.toml"]
    assert traction("sweep", "missing.toml", *FORCES)[0] == 2
    assert traction("sweep", "ball.toml", *FORCES, "--workers", "0")[0] == 2


def test_another_sweep_into_the_folder_is_code_2(traction, without_figures):
    assert traction("sweep", "ball.toml", *FORCES, "--out", "out")[0] == 0
    code, _, err = traction("sweep", "ball.toml", *FORCES, "--set", "load.force.0=1", "--out", "out")
    assert code == 2
    code, _, err = traction("sweep", "ball.toml", "--set", "load.force=3 N", *SMALL, "--out", "out")
    assert (code, "holds another sweep" in err, "traction resume" in err) == (2, True, True)


def test_workers_are_refused_for_a_single_run(traction, without_figures):
    assert traction("run", "ball.toml", *SMALL, "--out", "alone")[0] == 0
    code, _, err = traction("resume", "alone", "--workers", "2")
    assert (code, "--workers 2: alone holds no sweep" in err) == (2, True), err
    assert traction("resume", "alone", "--workers", "1")[0] == 0
    assert traction("sweep", "ball.toml", *FORCES)[0] == 0
    assert traction("resume", "ball-sweep", "--workers", "2")[0] == 0


def test_a_variant_that_does_not_converge_is_code_3(traction):
    code, out, err = traction("sweep", "ball.toml", "--set", "surface.0.radius=10, 5000 mm", *SMALL)
    assert code == 3
    assert "001-radius=5000: failed (The contact reaches the edge" in err
    assert "failed, 1 of 2 variants done" in out
    assert "001-radius=5000: The contact reaches the edge" in out
    assert tr.load_sweep("ball-sweep").table["status"].tolist() == ["done", "failed"]


def test_a_fault_in_a_variant_is_code_70(traction, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(simulating, "_complete", fail)
    code, out, _ = traction("sweep", "ball.toml", *FORCES)
    assert (code, "a bug in Traction" in out) == (70, True)


def test_without_matplotlib_a_sweep_still_has_its_table(traction, without_figures, tmp_path):
    assert traction("sweep", "ball.toml", *FORCES)[0] == 0
    assert (tmp_path / "ball-sweep" / "table.csv").exists()


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="signals to a group of processes")
@pytest.mark.parametrize(
    "number",
    [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)],
    ids=lambda number: number.name,
)
def test_a_signal_to_the_group_stops_all_processes(traction, tmp_path, number):
    """As a terminal sends it at Ctrl-C, and `timeout` or a batch system when time is up."""
    forces = [10.0 + 0.001 * k for k in range(4000)]
    change = f"load.force=[10], {forces}, {forces[:-1]}"
    command = [
        sys.executable,
        "-m",
        "traction",
        "sweep",
        "ball.toml",
        "--set",
        change,
        *("--set", "grid.nx=64", "--set", "grid.ny=64"),  # slow: the long variants cannot end meanwhile
        "--workers",
        "2",
    ]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    # given plainly: readline, which pytest loads, adds COLUMNS to what a process inherits
    run = subprocess.Popen(command, cwd=tmp_path, start_new_session=True, env={**os.environ}, **pipes)
    while run.stderr.readline() != "computing: 1 of 3 variants\n":
        assert run.poll() is None
    os.killpg(run.pid, number)
    out, err = run.communicate(timeout=120)
    assert (run.returncode, "Traceback" in err) == (130, False), err
    assert "stopped, 1 of 3 variants done" in out
    assert f"resume with: traction resume {tmp_path / 'ball-sweep'}" in out
    stopped = tr.load_sweep(tmp_path / "ball-sweep")
    assert stopped.table["status"].tolist() == ["done", "stopped", "stopped"]
