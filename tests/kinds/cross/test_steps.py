"""Time steps of crossings in files: chosen automatically, judged, and failed where they are worthless."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import traction as tr
from kinds.crossings import CAR, THESIS, built
from kinds.resumed import assert_goes_on
from traction.cli.main import app
from traction.cli.output import NOT_CONVERGED
from traction.kinds.cross import case_march
from traction.kinds.cross.findings import CrossFindings
from traction.kinds.cross.speed_study import tabulate_study, tell_unresolved
from traction.kinds.simulate import resume
from traction.results.manifest import RunStatus
from traction.results.replacement import discard_run
from traction.scenario.toml import ScenarioError
from traction.state_arrays import unflatten_state

FLAT = {**CAR, "flat": {"length": "40 mm", "at": "1 m"}}
SHORT = {
    "beam": THESIS, "axle": [CAR], "speed": "30 m/s", "contact": "hertz", "model": {"size": 3},
    "irregularity": {"type": "harmonic", "amplitude": "0.3 mm", "wavelength": "1 m"},
    "output": {"points": 2}, "time": {"dt": "auto", "rtol": 0.01, "t_end": "60 ms", "samples": 9},
}  # fmt: skip
WORTHLESS = {**SHORT, "axle": [FLAT], "time": {"dt": "3 ms", "t_end": "90 ms", "samples": 9}}


def step_of(run):
    return float(run.data["time_step"][-1])


def test_a_step_is_chosen_as_by_the_function():
    run = tr.simulate(built("cross", SHORT))
    beam = tr.Beam(20.0, 2.08e9, 7900.0)
    wheel = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3))
    found = tr.cross(
        tr.Bridge(beam, tr.STEEL), [(wheel, 0.0)], 30.0, contact="hertz", size=3, t_end=0.06, dt="auto",
        rtol=0.01, irregularity=tr.Irregularity.harmonic(3e-4, 1.0),
    )  # fmt: skip
    assert step_of(run) == pytest.approx(found.dt, rel=0.02)  # steps also end at samples
    assert float(run.data["step_change"][-1]) == pytest.approx(found.change, rel=0.1)
    closer = tr.simulate(built("cross", SHORT, time={**SHORT["time"], "rtol": 1e-4}))
    assert step_of(closer) < 0.5 * step_of(run)
    apart = np.abs(closer.data["contact_force"] - run.data["contact_force"]).max()
    assert float(apart) < 0.01 * found.contacts[0].load


def test_it_goes_on_bit_for_bit_without_a_search(monkeypatch, tmp_path):
    assert_goes_on(built("cross", SHORT), lambda number, _: number % 4 == 2)
    whole = tr.simulate(built("cross", SHORT), tmp_path / "whole")
    asked = iter([False] * 5 + [True])
    tr.simulate(built("cross", SHORT), tmp_path / "part", stop=lambda: next(asked))
    monkeypatch.setattr(case_march, "march_prepared", None)
    done = resume(tmp_path / "part")
    assert done.key_figures == whole.key_figures
    for name in whole.data.data_vars:
        np.testing.assert_array_equal(done.data[name], whole.data[name])


@pytest.mark.parametrize(("kind", "contact"), [("cross", "hertz"), ("cross", "rigid"), ("moving-load", None)])
def test_the_report_states_the_step_that_was_chosen(kind, contact):
    scenario = built(kind, {**SHORT, "contact": contact})
    run = tr.simulate(scenario)
    assert run.ok
    words = dict(scenario.definition.report(scenario.case, run.stored).inputs())["steps"]
    assert "chosen automatically: forces and deflections differ by" in words
    assert words.endswith(" from those at twice the step, asked 0.01")


def test_a_worthless_result_has_failed(tmp_path):
    with pytest.raises(tr.ConvergenceError, match=r"worthless: .*Choose time\.dt") as caught:
        tr.simulate(built("cross", WORTHLESS), tmp_path / "run")
    run = caught.value.result
    assert run.status is RunStatus.FAILED
    assert run.is_complete
    assert run.key_figures
    assert tr.load_run(tmp_path / "run").status is RunStatus.FAILED
    with pytest.raises(tr.ConvergenceError, match="worthless"):
        resume(tmp_path / "run")


def test_commands_report_a_worthless_result_and_replace_it(tmp_path):
    file, folder = tmp_path / "case.toml", tmp_path / "run"
    built("cross", WORTHLESS).save(file)
    ended = CliRunner().invoke(app, ["run", str(file), "--out", str(folder), "--json"])
    assert ended.exit_code == NOT_CONVERGED
    facts = json.loads(ended.stdout)
    assert (facts["status"], facts["ok"]) == ("failed", False)
    assert "worthless" in facts["message"]
    assert "This run failed: do not use its numbers." in (folder / "report.html").read_text()
    (folder / "mine.txt").write_text("kept")
    with pytest.raises(tr.InputError, match=r"mine\.txt, which is not of the run"):
        discard_run(folder)
    (folder / "mine.txt").unlink()
    discard_run(folder)
    assert not list(folder.iterdir())


def test_moving_loads_fail_and_tell_of_landings():
    rough = {"type": "harmonic", "amplitude": "20 mm", "wavelength": "1 m"}
    fields = {"beam": THESIS, "axle": [CAR], "speed": "30 m/s", "model": {"size": 3}}
    landed = tr.simulate(
        built("moving-load", fields, irregularity=rough, time={"dt": "0.05 ms", "t_end": "0.1 s"})
    )
    assert "Wheels land again in rigid contact" in landed.message
    few = built("moving-load", fields, time={"dt": "0.5 s", "samples": 2})
    with pytest.raises(tr.ConvergenceError, match=r"worthless.*crosses a span in 2") as caught:
        tr.simulate(few)
    assert caught.value.result.status is RunStatus.FAILED


def test_comparisons_in_steps_too_long_are_marked():
    fields = {
        **SHORT, "axle": [FLAT], "irregularity": None, "study": {"speeds": ["5 m/s", "20 m/s", "30 m/s"]},
        "time": {"dt": "0.4 ms", "t_end": "60 ms", "samples": 9},
    }  # fmt: skip
    run = tr.simulate(built("cross", fields))
    assert "too long for the study at" in run.message
    study = unflatten_state(CrossFindings, run.stored.findings).study
    assert not study.resolved.all()
    marked = [row[1].endswith("(time step too long)") for row in tabulate_study(study).rows]
    assert marked == (~study.resolved).tolist()
    assert "Time step too long at" in tell_unresolved(study)


def test_refused():
    with pytest.raises(ScenarioError, match="takes rtol only with dt"):
        built("cross", SHORT, time={"rtol": 1e-3})
    with pytest.raises(ScenarioError, match="dt"):
        built("cross", SHORT, time={"dt": "fast"})
