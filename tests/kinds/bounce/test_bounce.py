"""Kind "bounce": closed answers, any stop and kill without a trace, errors, report."""

import math
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from PIL import Image

import traction as tr
from kinds.resumed import assert_goes_on, assert_stopped_is_whole
from traction.kinds.bounce.run import march_first_contact
from traction.kinds.case import load
from traction.kinds.registry import shipped
from traction.kinds.report_run import report_run
from traction.kinds.simulate import resume
from traction.results.run import load_run
from traction.scenario.toml import ScenarioError

DEPTH, CONTACT_TIME, PERIOD = 0.004571862951196120, 0.00303496111457585438, 0.90608224308603766328
BALL = {
    "upper": "rigid",
    "lower": {"youngs_modulus": "150 MPa", "poisson_ratio": 0.5},
    "ball": {"radius": 0.11, "density": 910.0},
    "fall": {"height": 1.0},
}
DROPPED = {
    "mass": 0.5,
    "surface": [{"type": "paraboloid", "radius_x": "50 mm", "radius_y": "20 mm"}],
    "fall": {"height": "1 mm"},
    "contact": {"law": "half-space", "elements": 8, "restitution": 0.7},
    "line": {"width": "3 mm", "points": 7},
}
CASES = {
    "auto": {**BALL, "time": {"bounces": 3, "samples": 200}, "line": {"width": "50 mm", "points": 5}},
    "verlet": {**BALL, "time": {"method": "verlet", "dt": CONTACT_TIME / 30, "samples": 100}},
    "unlocated": {
        **BALL,
        "time": {"method": "hht", "options": {"alpha": 0.2}, "dt": "0.1 ms", "locate_events": False},
    },
    "in contact": {**BALL, "time": {"t_end": 0.4549, "samples": 8000}},
    "half-space": {**DROPPED, "time": {"bounces": 2, "samples": 300}},
    "energy-conserving": {
        **DROPPED,
        "contact": {"law": "half-space", "elements": 8},
        "time": {"method": "energy-conserving", "dt": "20 us", "t_end": 0.0149, "samples": 2000},
    },
    "generalized-alpha in contact": {
        **BALL,
        "time": {"method": "generalized-alpha", "dt": "0.1 ms", "t_end": 0.4549, "samples": 5000},
    },
    "half-space in contact": {**DROPPED, "time": {"t_end": 0.0149, "samples": 3000}},
}


@pytest.fixture(scope="module")
def samples():
    """All samples of the ball."""
    return tr.simulate(tr.Scenario.build("bounce", **CASES["auto"])).data


def test_the_ball_reaches_its_closed_answers(samples):
    assert float(samples["deepest"][-1]) == pytest.approx(DEPTH, rel=1e-5)
    assert float(samples["contact_time"][-1]) == pytest.approx(CONTACT_TIME, rel=1e-5)
    assert float(samples["between_touches"][-1]) == pytest.approx(PERIOD, rel=1e-5)
    assert float(samples["largest_force"][-1]) == pytest.approx(27340.40098, rel=1e-5)
    assert float(samples["touch_time"][-1]) == pytest.approx(math.sqrt(2.0 / 9.81) + 2 * PERIOD, rel=1e-6)
    np.testing.assert_allclose(samples["energy"], samples["energy"][0], rtol=1e-6)
    assert samples["height"].attrs["units"] == "m"


def test_bounces_end_at_the_top_after_the_last_one(samples):
    assert int(samples["contacts"][-1]) == 3
    assert float(samples["height"][-1]) == pytest.approx(1.0, abs=1e-6)
    lossy = tr.simulate(tr.Scenario.build("bounce", **CASES["half-space"])).data
    assert int(lossy["contacts"][-1]) == 2
    assert abs(float(lossy["velocity"][-1])) < 0.02 * float(lossy["impact_speed"][-1])


def test_samples_lie_on_the_history_and_count_no_contact_ahead_of_time(samples):
    pair = tr.Pair(tr.RIGID, tr.Material(150e6, 0.5))
    history = tr.bounce(
        0.11, pair, 1.0, mass=4 / 3 * math.pi * 0.11**3 * 910, t_end=float(samples["time"][-1])
    )
    np.testing.assert_allclose(samples["height"], history.at(samples["time"].values), atol=1e-9)
    np.testing.assert_allclose(samples["velocity"], history.velocity_at(samples["time"].values), atol=1e-6)
    touches = [contact.start for contact in history.contacts]
    np.testing.assert_array_equal(samples["contacts"], np.searchsorted(touches, samples["time"]))
    done = [contact.end for contact in history.contacts]
    np.testing.assert_array_equal(np.isfinite(samples["contact_time"]), samples["time"] >= done[0])


def test_force_energy_and_surfaces_follow_from_the_height():
    low = {"fall": {"height": "1 cm"}, "time": {"t_end": "50 ms", "samples": 1000}}
    data = tr.simulate(tr.Scenario.build("bounce", **{**BALL, **low}, line={"width": 0.04})).data
    inside = data["penetration"] > 0.0
    assert int(inside.sum()) > 40
    force = 4 / 3 * 2e8 * math.sqrt(0.11) * data["penetration"] ** 1.5
    np.testing.assert_allclose(data["contact_force"], force, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(data["elastic_energy"], 0.4 * force * data["penetration"], rtol=1e-9)
    gap = (data["body_surface"] - data["ground_surface"]).where(inside, drop=True)
    assert float(gap.min()) > -1e-12  # a rigid ball; the ground fits it where they touch
    assert float(gap.isel(x=50).max()) < 1e-12


def test_contacts_that_are_not_located_are_found_between_the_steps():
    data = tr.simulate(tr.Scenario.build("bounce", **CASES["unlocated"])).data
    assert int(data["contacts"][-1]) == 3
    assert float(data["contact_time"][-1]) == pytest.approx(CONTACT_TIME, rel=0.02)
    assert float(data["impact_speed"][-1]) == pytest.approx(math.sqrt(2 * 9.81), rel=0.01)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", CASES)
def test_a_run_goes_on_bit_for_bit_from_any_sample(name):
    scenario = tr.Scenario.build("bounce", **CASES[name])
    total = scenario.definition.stepper(scenario.case).layout.total
    picked, inside = np.random.default_rng(1).random(total) < 12 / total, []

    def chosen(number, sample):
        touches = sample["penetration"] > 0.0 and len(inside) < 8
        if touches:
            inside.append(number)
        return picked[number] or touches

    assert assert_goes_on(scenario, chosen) > 5
    assert inside or "contact" not in name


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["auto", "half-space", "unlocated"])
def test_a_stopped_run_is_the_whole_run(name, tmp_path):
    assert_stopped_is_whole(tr.Scenario.build("bounce", **CASES[name]), tmp_path, 37, 41)


def test_a_killed_run_is_the_whole_run(tmp_path):
    fields = {**DROPPED, "time": {"t_end": 0.0149, "samples": 2000}}
    scenario = tr.Scenario.build("bounce", **fields)
    file = scenario.save(tmp_path / "case.toml")
    run = subprocess.Popen(
        [sys.executable, "-m", "traction", "run", str(file), "--out", str(tmp_path / "part")],
        stderr=subprocess.PIPE,
        text=True,
    )
    while "of" not in run.stderr.readline():
        pass
    deadline = time.monotonic() + 60.0
    while not list((tmp_path / "part" / "checkpoints").iterdir()) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    if run.returncode == -signal.SIGKILL:
        assert not load_run(tmp_path / "part").ok
    done, whole = resume(tmp_path / "part"), tr.simulate(scenario)
    assert done.ok
    for field in whole.data.data_vars:
        np.testing.assert_array_equal(done.data[field], whole.data[field])


@pytest.mark.usefixtures("quick_figures")
def test_the_report_has_figures_tables_and_an_animation(tmp_path, monkeypatch):
    monkeypatch.setattr("traction.kinds.bounce.run.FRAMES", 4)
    run = tr.simulate(tr.Scenario.build("bounce", **CASES["half-space"]), tmp_path / "run")
    counts = []
    written = report_run(run, progress=lambda *count: counts.append(count))
    files = {path.name: path for path in written.files}
    assert [done for done, _ in counts] == [*range(1, counts[-1][1] + 1)]  # figures and films, each once
    assert {"report.html", "height.png", "energy.svg", "contact.png", "surface.png", "bounce.gif"} <= set(
        files
    )
    with Image.open(files["bounce.gif"]) as picture:
        assert picture.n_frames > 1
    text = files["report.html"].read_text()
    assert '"frames":4' in text
    for word in ("half space", "restitution", "speed out", "rebound height"):
        assert word in text


@pytest.mark.usefixtures("quick_figures")
def test_a_body_that_does_not_arrive_is_reported_too(tmp_path):
    run = tr.simulate(tr.Scenario.build("bounce", **BALL, time={"t_end": 0.1}), tmp_path / "run")
    assert ("contacts", 0, "1") in run.key_figures
    assert {path.name for path in report_run(run).files} >= {"height.png", "energy.png"}
    assert not (run.folder / "bounce.gif").exists()


def test_the_first_contact_is_marched_again_by_the_same_steps(samples):
    history = march_first_contact(tr.Scenario.build("bounce", **CASES["auto"]).case)
    assert history.contacts[0].duration == float(samples["contact_time"][50])
    assert history.q[-1] == pytest.approx(1.0, abs=1e-6)


WRONG = {
    "needs either a ball or a list of surfaces": {"ball": None},
    "needs the mass of the body": {"ball": None, "surface": [{"type": "sphere", "radius": 1}]},
    "needs mass, ball.density or upper.density": {"ball": {"radius": 1}},
    "takes mass or ball.density, not both": {"mass": 1.0},
    "has two rigid bodies": {"lower": "rigid"},
    "lies on the ground": {"fall": {"height": 0.0}},
    "fall.height = -1 must not be negative": {"fall": {"height": -1}},
    r'fall.height = "3 s" is a time, expected a length': {"fall": {"height": "3 s"}},
    "contact takes restitution or damping": {"contact": {"restitution": 0.5, "damping": 1.0}},
    'contact takes elements and grid only with law = "half-space"': {"contact": {"elements": 10}},
    r"contact.restitution = 1.5 must be at most 1": {"contact": {"restitution": 1.5}},
    "time takes t_end or bounces, not both": {"time": {"t_end": 1, "bounces": 1}},
    "did you mean 'beta'": {"time": {"method": "newmark", "options": {"betta": 0.3}}},
    r'time.method = "verlett" must be .*did you mean "verlet"': {"time": {"method": "verlett"}},
    r'time.dt = "soon" does not begin with a number': {"time": {"dt": "soon"}},
    "times its contact time": {"time": {"t_end": 1e9}},
    "steps of time.dt, at most": {"time": {"dt": "1 ps"}},
    "longer than its contact": {"time": {"dt": "4 ms"}},
    "would store": {"time": {"samples": 1_000_000}, "line": {"width": 1, "points": 10_000}},
    "no smooth lowest point": {
        "ball": None,
        "mass": 1,
        "surface": [{"type": "sphere", "radius": 1, "center_x": 0.5}],
    },
}


def test_damping_that_leaves_no_rebound_is_refused_by_its_key():
    with pytest.raises(ScenarioError, match=r"contact.damping = .* must be at most 10000"):
        tr.Scenario.build("bounce", **BALL, contact={"damping": 1e9})


@pytest.mark.parametrize("message", WRONG)
def test_what_cannot_be_is_refused_with_a_sentence(message):
    fields = {key: value for key, value in {**BALL, **WRONG[message]}.items() if value is not None}
    with pytest.raises(ScenarioError, match=message):
        tr.Scenario.build("bounce", **fields)


@pytest.mark.parametrize("damping", [1e-9, "0.1 s/m", 10.0, pytest.param(1e4, marks=pytest.mark.slow)])
def test_any_damping_takes_energy(damping):
    once = {"bounces": 1, "samples": 101}
    run = tr.simulate(tr.Scenario.build("bounce", **BALL, contact={"damping": damping}, time=once))
    figures = {name: value for name, value, _ in run.key_figures}
    assert figures["energy at the end over that at the start"] <= 1.0 + 1e-6
    assert figures.get("restitution", 0.0) <= 1.0 + 1e-6


def test_all_methods_can_be_asked_for(tmp_path):
    text = shipped()["bouncing-ball"].read_text()
    (tmp_path / "a.toml").write_text(text)
    for method in tr.methods():
        assert load(tmp_path / "a.toml", changes={"time.method": method}).case.time.chosen.name == method
