"""Sweeps: checked before they run, each variant an ordinary run, resumed after a kill."""

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

import traction as tr
from traction.errors import StorageError
from traction.kinds import simulate as simulating
from traction.kinds.case import load, loads
from traction.kinds.registry import shipped
from traction.kinds.sweep.run_sweep import carry_out, resume_sweep
from traction.kinds.sweep.sweep_plan import plan_sweep
from traction.kinds.sweep.sweep_report import headline_figure, report_sweep
from traction.results.folder import RunFolder
from traction.results.manifest import RunStatus
from traction.results.run import load_run
from traction.results.storage.run_files import is_being_written
from traction.results.sweeps.sweep import SweepTable
from traction.results.sweeps.sweep_column import Column
from traction.scenario.toml import ScenarioError
from traction.scenario.variations import typed_variations, variations

PRESS = """kind = "press"
title = "A ball"
[grid]
nx = 12
ny = 12
width_x = "0.5 mm"
width_y = "0.5 mm"
[[surface]]
type = "sphere"
radius = "10 mm"
[load]
force = "20 N"
"""
FORCES = {"load.force": ["10 N", "20 N", "30 N"]}
HUGE = "5 m"  # a ball whose contact reaches the edge of the grid


@pytest.fixture
def case(tmp_path):
    file = tmp_path / "ball.toml"
    file.write_text(PRESS)
    return file


@pytest.fixture
def begun(monkeypatch):
    """Scenarios of the runs that were begun or gone on with, in this process."""
    found = []
    complete = simulating._complete

    def watch(scenario, *rest):
        found.append(scenario)
        return complete(scenario, *rest)

    monkeypatch.setattr(simulating, "_complete", watch)
    return found


def test_each_variant_is_the_run_of_its_scenario(case, tmp_path):
    sweep = tr.sweep(case, {"surface[0].radius": ["8 mm", "12 mm"], **FORCES}, tmp_path / "out")
    assert (sweep.ok, str(sweep.status), len(sweep.runs)) == (True, "done", 6)
    np.testing.assert_allclose(sweep.table["surface[0].radius"], np.repeat([8e-3, 12e-3], 3), rtol=1e-15)
    np.testing.assert_array_equal(sweep.table["load.force"], [10.0, 20.0, 30.0] * 2)
    assert sweep.table.unit("load.force") == "N"
    assert sweep.runs[4].folder.name == "004-radius=12-force=20"
    alone = tr.simulate(load(case, changes={"surface.0.radius": "12 mm"}))
    assert alone.key_figures == sweep.runs[4].key_figures == load_run(sweep.runs[4].folder).key_figures
    assert (
        sweep.table["approach of the bodies"][4]
        == dict(k[:2] for k in alone.key_figures)["approach of the bodies"]
    )
    assert (tmp_path / "out" / "table.csv").read_text() == sweep.table.to_csv()


def test_the_table_follows_hertz(case):
    """F = 4/3 E* sqrt(R) delta^(3/2): the approach goes with F^(2/3) R^(-1/3)."""
    table = tr.sweep(
        case, {"load.force": [10, 25], "surface.0.radius": [6e-3, 12e-3], "grid.nx": [64], "grid.ny": [64]}
    ).table
    law = table["load.force"] ** (2 / 3) * table["surface[0].radius"] ** (-1 / 3)
    ratio = table["approach of the bodies"] / law
    np.testing.assert_allclose(ratio, ratio[0], rtol=5e-3)
    assert np.ptp(law) / law[0] > 0.5


def test_a_scenario_and_its_file_plan_the_same_and_zip_goes_side_by_side(case):
    varied = variations({"load.force": "10:30:3 N", "grid.nx": [12, 14, 16]})
    plan = plan_sweep(case, varied, zipped=True)
    assert plan.variants == ("000-force=10-nx=12", "001-force=20-nx=14", "002-force=30-nx=16")
    assert plan_sweep(tr.load(case), varied, zipped=True).scenarios == plan.scenarios
    assert [loads(text).case.grid.nx for text in plan.scenarios] == [12, 14, 16]
    again = plan_sweep(
        case, typed_variations(plan.command[1:4:2]), zipped=True
    )  # what the report tells to type
    assert again.scenarios == plan.scenarios


def test_whole_tables_and_lists_can_be_varied(case):
    sweep = tr.sweep(case, {"load": [{"force": [5, 10]}, {"approach": "1 um"}]})
    assert [run.data.sizes["sample"] for run in sweep.runs] == [2, 1]
    assert sweep.table.unit("load") == ""
    assert len(set(sweep.table["load"])) == 2


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ({"load.forc": [1]}, r'^sweep of load\.forc: unknown key "load\.forc"; did you mean "force"\?$'),
        ({"laod.force": [1]}, r'^sweep of laod\.force: unknown key "laod"; did you mean "load"\?$'),
        (
            {"load.force": ["1 N", "3 s"], "grid.nx": [8, 9]},
            r'^sweep of load\.force: load\.force = "3 s" is a time, expected a force such as "100 kN"\.$',
        ),
        (
            {"surface[1].radius": [1]},
            r'^sweep of surface\[1\]\.radius: "1" must be a number from 0 to 0 here',
        ),
        (
            {"grid.nx": [8, 9], "load.approach": [1e-6]},
            r"^ball\.toml:11: load needs exactly one of .*\. Found with grid\.nx = 8, load\.appro",
        ),
    ],
)
def test_nothing_runs_before_all_is_checked(case, tmp_path, begun, vary, message):
    with pytest.raises(ScenarioError, match=message):
        tr.sweep(case, vary, tmp_path / "out")
    assert begun == []
    assert not (tmp_path / "out").exists()


def test_the_same_sweep_again_runs_nothing_and_another_is_refused(case, tmp_path, begun):
    first = tr.sweep(case, FORCES, tmp_path / "out")
    assert len(begun) == 3
    again = tr.sweep(case, {"load.force": [10, 20.0, "0.03 kN"]}, tmp_path / "out")
    assert len(begun) == 3
    assert again.table == first.table
    for vary in (
        {"load.force": ["10 N", "20 N"]},
        {"load.force": ["10 N", "20 N", "31 N"]},
        {"grid.nx": [8]},
    ):
        with pytest.raises(tr.InputError, match="holds another sweep"):
            tr.sweep(case, vary, tmp_path / "out")
    with pytest.raises(tr.InputError, match="contains no sweep"):
        tr.sweep(case, FORCES, tmp_path)
    assert len(begun) == 3


def test_a_variant_that_fails_is_told_and_the_others_go_on(case, tmp_path):
    sweep = tr.sweep(case, {"surface[0].radius": ["10 mm", HUGE, "20 mm"]}, tmp_path / "out")
    assert [str(run.status) for run in sweep.runs] == ["done", "failed", "done"]
    assert (sweep.ok, str(sweep.status)) == (False, "failed")
    assert "reaches the edge of the grid" in sweep.table["message"][1]
    assert np.isnan(sweep.table["largest pressure"][1])
    assert not sweep.faults
    assert tr.load_sweep(tmp_path / "out").table == sweep.table
    again = resume_sweep(tmp_path / "out")
    assert again.message == sweep.message
    assert re.search(
        r"^2 of 3 variants done; 1 failed \(001-radius=5: .* edge of the grid.*\); resuming repeats these "
        r"errors: change the scenario or the values, and sweep into another folder \(--out\)",
        sweep.message,
    )


def test_a_variant_that_cannot_begin_is_told_now_and_later(case, tmp_path, monkeypatch):
    def refuse(out, stepper):
        if "=20" in out.name:
            raise tr.InputError("no room.")

    monkeypatch.setattr(simulating, "_require_room", refuse)
    for sweep in (tr.sweep(case, FORCES, tmp_path / "out"), tr.load_sweep(tmp_path / "out")):
        assert [(str(run.status), run.message) for run in sweep.runs][1] == ("failed", "no room.")
        assert sweep.runs[0].ok
    monkeypatch.undo()
    assert resume_sweep(tmp_path / "out").ok


def test_a_fault_of_the_program_is_told_apart(case, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(simulating, "_complete", fail)
    sweep = tr.sweep(case, {"load.force": [10]})
    assert sweep.faults == ("000",)
    assert "ZeroDivisionError: oh. This is a bug in Traction." in sweep.message


def test_a_full_disk_ends_the_sweep(case, tmp_path, monkeypatch):
    def full(*_, **__):
        raise StorageError("no space is left.")

    monkeypatch.setattr(simulating, "_complete", full)
    with pytest.raises(StorageError):
        tr.sweep(case, FORCES, tmp_path / "out")
    monkeypatch.undo()
    assert tr.sweep(case, FORCES, tmp_path / "out").ok


def test_a_stop_keeps_what_is_done_and_it_goes_on(case, tmp_path, begun):
    told, shares = [], []
    options = {
        "each": lambda name, run: told.append(name),
        "progress": lambda done, total: shares.append((done, total)),
    }
    sweep = tr.sweep(case, FORCES, tmp_path / "out", stop=lambda: len(told) == 2, **options)
    assert told == ["000-force=10", "001-force=20"]
    assert (sweep.ok, str(sweep.status)) == (False, "stopped")
    assert sweep.table["status"].tolist() == ["done", "done", "stopped"]
    assert f"resume with: traction resume {tmp_path / 'out'}" in sweep.message
    assert resume_sweep(tmp_path / "out", **options).ok
    assert len(begun) == 3
    assert shares[-1] == (3, 3)
    assert [done for done, _ in shares] == sorted(done for done, _ in shares)


def test_an_interrupt_leaves_a_table(case, tmp_path):
    def interrupt(name, run):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tr.sweep(case, FORCES, tmp_path / "out", each=interrupt)
    rows = (tmp_path / "out" / "table.csv").read_text().splitlines()
    assert [",done," in row for row in rows] == [False, True, False, False]


LONG = {"load.force": [[10.0 + 0.1 * k for k in range(150)], [11.0 + 0.1 * k for k in range(150)]] * 3}
KILLED = """
import os, signal
import traction as tr

if __name__ == "__main__":
    end = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
    tr.sweep({case!r}, {vary!r}, {out!r}, workers={workers}, each=end)
"""


def story(folder):
    """What tells whether a run was run once more."""
    manifest = RunFolder.open(folder).manifest
    return manifest.run, manifest.created, manifest.timings


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="kills")
@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_a_sweep_that_is_killed_goes_on_to_the_same_numbers(case, tmp_path, workers):
    """kill -9 of the sweep alone: its processes notice, and what was done is not done again.

    It kills itself at the first outcome, before it gives out another variant: no more than `workers` of the
    six were ever begun, however slow or quick the machine is.
    """
    out, script = tmp_path / "out", tmp_path / "script.py"
    script.write_text(KILLED.format(case=str(case), vary=LONG, out=str(out), workers=workers))
    assert subprocess.run([sys.executable, str(script)], timeout=300).returncode == -signal.SIGKILL
    before = tr.load_sweep(out)
    ready = [run.folder for run in before.runs if run.ok]
    assert 1 <= len(ready) <= workers
    stories = [story(folder) for folder in ready]
    sweep = tr.sweep(case, LONG, out)
    assert sweep.ok
    assert [story(folder) for folder in ready] == stories
    whole = tr.sweep(case, {"load.force": LONG["load.force"][:2]})
    for number, one in enumerate(sweep.runs):
        np.testing.assert_array_equal(one.data["approach"], whole.runs[number % 2].data["approach"])


def test_processes_compute_what_one_does(case, tmp_path):
    plan = plan_sweep(case, variations({"surface[0].radius": ["10 mm", HUGE], **FORCES}))
    shared, alone = carry_out(plan, tmp_path / "out", workers=2), carry_out(plan, None)
    assert [str(run.status) for run in shared.runs] == ["done"] * 3 + ["failed"] * 3
    assert shared.table == alone.table
    assert not multiprocessing.active_children()
    assert not (tmp_path / "out" / "workers").exists()


class Killer:
    """Kills a process of a sweep while two are at its first two variants, which are long.

    It is asked before each message is read. Until both are at work it takes its time: a process whose
    messages are not read waits, so the first variant cannot end before the second begins.
    """

    def __init__(self, plan, out):
        self.places = [out / name / "manifest.json" for name in plan.variants[:2]]
        self.victim = None

    def kill_one(self):
        """Whether one has been killed, now or before."""
        if self.victim is None and all(place.exists() for place in self.places):
            self.victim = multiprocessing.active_children()[0]
            self.victim.kill()
            self.victim.join()
        elif self.victim is None:
            time.sleep(0.05)
        return self.victim is not None


TWO_LONG = {
    "surface[0].radius": ["10 mm", HUGE],
    "load.force": [[10.0 + 1e-3 * k for k in range(4000)], [11.0 + 1e-3 * k for k in range(4000)]],
}


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="tells of the signal")
def test_a_process_that_is_lost_takes_only_its_variant(case, tmp_path):
    plan = plan_sweep(case, variations(TWO_LONG))
    killer, told = Killer(plan, tmp_path / "out"), {}

    def stop():
        """Once both failing variants are reported; the long ones need not end."""
        return killer.kill_one() and sum(run.status is RunStatus.FAILED for run in told.values()) == 2

    sweep = carry_out(plan, tmp_path / "out", workers=2, stop=stop, each=told.__setitem__)
    assert not [run.message for run in sweep.runs if "exit code" in run.message]  # of a process lost twice
    assert {run.status for run in sweep.runs[:2]} <= {
        RunStatus.STOPPED,
        RunStatus.INTERRUPTED,
        RunStatus.DONE,
    }
    assert all("reaches the edge of the grid" in run.message for run in sweep.runs[2:])
    assert not multiprocessing.active_children()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="tells of the signal")
def test_a_variant_whose_process_is_lost_twice_fails(case, tmp_path):
    plan = plan_sweep(case, variations({"load.force": TWO_LONG["load.force"]}))
    places = [tmp_path / "out" / name for name in plan.variants]

    def kill_all():
        """Processes that are at both variants, as often as they are."""
        if all(map(is_being_written, places)):
            for process in multiprocessing.active_children():
                process.kill()
        return False

    sweep = carry_out(plan, tmp_path / "out", workers=2, stop=kill_all)
    assert [str(run.status) for run in sweep.runs] == ["failed", "failed"]
    assert all("ended (exit code -9) twice, perhaps out of memory" in run.message for run in sweep.runs)


@pytest.mark.slow
def test_a_process_that_is_lost_after_a_stop_was_asked_is_no_failure(case, tmp_path):
    plan = plan_sweep(case, variations(TWO_LONG))
    killer = Killer(plan, tmp_path / "out")
    sweep = carry_out(plan, tmp_path / "out", workers=2, stop=killer.kill_one)
    assert [str(run.status) for run in sweep.runs] == ["stopped"] * 4
    assert [run.message.startswith("its process ended") for run in sweep.runs].count(True) == 1
    assert not multiprocessing.active_children()
    assert not (tmp_path / "out" / "failures.json").exists()


def test_processes_stop_when_asked_and_work_in_memory_too(case):
    long = [10.0 + 1e-4 * k for k in range(20000)]
    told, seen = [], []
    watching = {"each": lambda *one: told.append(one), "progress": lambda *now: seen.append(now)}
    sweep = tr.sweep(
        case, {"load.force": [[10.0], long, long]}, workers=2, stop=lambda: bool(told), **watching
    )
    assert [str(run.status) for run in sweep.runs] == ["done", "stopped", "stopped"]
    alone = tr.sweep(case, {"load.force": [[10.0]]}).runs[0]
    np.testing.assert_array_equal(sweep.runs[0].data["pressure"], alone.data["pressure"])
    assert 1.0 <= seen[-1][0] < 3.0


def test_a_script_without_a_guard_is_told_of_it(case, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        f"import traction as tr\ntr.sweep({str(case)!r}, {{'load.force': [10, 20]}}, workers=2)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith('under `if __name__ == "__main__":`, or leave workers=1.')


def test_another_run_in_the_place_of_a_variant_is_refused(case, tmp_path):
    first, second, _ = (run.folder for run in tr.sweep(case, FORCES, tmp_path / "out").runs)
    os.rename(first, tmp_path / "aside")
    os.rename(second, first)
    for sweep in (tr.load_sweep(tmp_path / "out"), resume_sweep(tmp_path / "out")):
        assert sweep.runs[0].status is RunStatus.FAILED
        assert "contains another run; move it out" in sweep.runs[0].message
    assert sweep.runs[1].ok
    (first / "manifest.json").unlink()  # what is left could be anything
    assert "is not empty" in resume_sweep(tmp_path / "out").runs[0].message


def test_two_sweeps_do_not_write_one_folder(case, tmp_path):
    def again(name, run):
        with pytest.raises(tr.InputError, match="is being written by another process"):
            tr.sweep(case, FORCES, tmp_path / "out")

    assert tr.sweep(case, FORCES, tmp_path / "out", each=again).ok


@pytest.mark.parametrize("options", [{"workers": 0}, {"workers": 1.5}, {"zipped": 1}])
def test_options_are_checked(case, options):
    with pytest.raises(tr.InputError, match=next(iter(options))):
        tr.sweep(case, FORCES, **options)


def test_a_sweep_needs_a_scenario():
    with pytest.raises(tr.InputError, match="scenario = 3 must be a Scenario"):
        tr.sweep(3, FORCES)


def test_names_tell_keys_apart_and_are_safe():
    varied = {"axle[0].force": ["1 kN", "2 kN"], "speed": ["30 m/s", "90 km/h"], "model.size": [10]}
    plan = plan_sweep(shipped()["thesis-bridge"], variations(varied))
    assert plan.variants[0] == "000-force=1-speed=30"
    assert plan.variants[3] == "003-force=2-speed=25"
    train = shipped()["train-crossing"]
    both = plan_sweep(
        train, variations({"axle[0].mass": ["1 t", "2 t"], "axle[0].suspension[0].mass": ["1 t", "2 t"]})
    )
    assert both.variants[1] == "001-axle0.mass=1-suspension0.mass=2"
    titles = plan_sweep(train, variations({"title": ["../up/..", "a" * 200]}))
    assert [name for name in titles.variants if "/" in name or len(name) > 80] == []
    assert titles.variants[0] == "000-title=.._up"


def test_the_report_shows_headlines_and_how_to_do_it_again(case, tmp_path):
    pytest.importorskip("matplotlib")
    sweep = tr.sweep(case, {"surface[0].radius": ["10 mm", HUGE], **FORCES}, tmp_path / "out")
    files = report_sweep(tmp_path / "out")
    page = files[0].read_text()
    assert [path.name for path in files] == ["report.html", "headlines.png", "headlines.svg"]
    assert "surface[0].radius = 0.01, 5 m" in page
    assert "load.force from 10 to 30 N (3 values)" in page
    assert "Variants that failed" in page
    assert "Crosses at the bottom: variants that failed" in page
    assert re.findall(r"<h2>(.*?)</h2>", page) == [
        *("Figures", "Variants", "Variants that failed", "Checks", "Inputs", "Inputs of variant 000"),
        *("Versions", "Reproduce"),
    ]
    assert "Treat it with care: 1 of" in page  # few elements across the contact
    assert "missed by 000, 001, 002" in page
    assert "passed by 3 of 3 variants" in page
    assert f"traction sweep {sweep.runs[0].folder / 'scenario.toml'} --set" in page
    figure = headline_figure(sweep.table)
    assert figure.axes[0].get_title(loc="left") == "Approach of the bodies"
    assert headline_figure(replace(sweep.table, results=())) is None


def test_the_report_tells_a_command_that_can_be_given(case, tmp_path, monkeypatch):
    """The first variant may have no folder; with no variant begun there is only a place for a name."""
    pytest.importorskip("matplotlib")

    def refuse(out, stepper):
        if "=20" not in out.name:
            raise tr.InputError("no room.")

    monkeypatch.setattr(simulating, "_require_room", refuse)
    assert tr.sweep(case, FORCES, tmp_path / "out").runs[1].ok
    scenario = tmp_path / "out" / "001-force=20" / "scenario.toml"
    assert f"traction sweep {scenario} --set" in report_sweep(tmp_path / "out")[0].read_text()
    assert scenario.is_file()
    tr.sweep(case, FORCES, tmp_path / "none", stop=lambda: True)
    assert "traction sweep SCENARIO.toml --set" in report_sweep(tmp_path / "none")[0].read_text()


def test_accelerations_of_a_deck_are_drawn_with_their_limits():
    speeds = Column("speed", "m/s", (20.0, 30.0, 40.0))
    found = Column("peak acceleration", "m/s2", (1.0, 6.0, 2.0))
    table = SweepTable(("a", "b", "c"), (speeds,), (found,), (RunStatus.DONE,) * 3, ("",) * 3)
    (ax,) = headline_figure(table).axes
    levels = [line.get_ydata()[0] for line in ax.lines if len(set(line.get_ydata())) == 1]
    assert levels == [3.5, 5.0]
