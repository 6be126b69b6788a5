"""Kind "cross": the answers of `tr.cross`, stops and kills, errors, reports."""

import os
import signal
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest
from PIL import Image

import traction as tr
from coarse import LONG_STEPS
from kinds.crossings import CAR, COACH, THESIS, figures_of, sprung_wheel
from kinds.crossings import built as scenario_of
from kinds.resumed import assert_goes_on, assert_stopped_is_whole
from traction.kinds.cross.case_march import cross_simply
from traction.kinds.cross.findings import rebuild_crossing
from traction.kinds.cross.report import CHECKS, CrossReport
from traction.kinds.report_run import report_run
from traction.kinds.simulate import resume
from traction.results import recorder
from traction.scenario.toml import ScenarioError

SHORT = {"dt": "1 ms", "t_end": "0.2 s", "samples": 26}
CROSS = {"beam": THESIS, "axle": [CAR], "speed": "30 m/s", "model": {"size": 5}, "time": SHORT}
CASES = {
    "half-space": {
        **CROSS, "rail": {"crown": "0.3 m"},
        "axle": [{**CAR, "flat": {"length": "40 mm", "at": "2 m"}}, {"force": "80 kN", "distance": 2.0}],
        "irregularity": {"type": "harmonic", "amplitude": "0.2 mm", "wavelength": 2.0},
        "output": {"pressure": True, "points": 5}, "time": {**SHORT, "dt": "0.5 ms"},
    },
    "hertz": {**CROSS, "contact": "hertz", "beam": {**THESIS, "damping": 0.02}},
    "coach": {
        **CROSS, "axle": None, "vehicle": COACH, "contact": "hertz", "speed": "100 m/s",
        "wheel": {"radius": "0.5 m", "crown": "1 m"},
    },
    "newmark": {**CROSS, "model": {"size": 4, "method": "newmark"}},
    "elements": {**CROSS, "contact": "hertz", "model": {"type": "elements", "size": 6}},
    "rigid": {**CROSS, "contact": "rigid"},
    "train": {
        "beam": THESIS, "train": "HSLM-A1", "speed": "80 m/s", "contact": "rigid", "model": {"size": 4},
        "time": {"samples": 26},
    },
    "forces on elements": {
        **CROSS, "axle": [{"force": "80 kN"}], "contact": "rigid", "model": {"type": "elements", "size": 8},
    },
    "wheels on elements": {
        **CROSS, "contact": "rigid", "model": {"type": "elements", "size": 8}, "gravity": 9.8,
        "axle": [{"force": "20 kN"}, {**CAR, "distance": 2.0}, {**CAR, "distance": 4.0}],
        "beam": {**THESIS, "damping": [0.01, 0.02, 0.02]},
        "irregularity": {"type": "harmonic", "amplitude": "0.2 mm", "wavelength": 2.0},
    },
    "coach on differences": {
        **CROSS, "axle": None, "vehicle": COACH, "contact": "rigid", "speed": "100 m/s",
        "model": {"type": "differences", "size": 20},
    },
}  # fmt: skip


def built(name, **changes):
    return scenario_of("cross", CASES[name], **changes)


@LONG_STEPS  # which the message of the run names
def test_samples_are_those_of_the_library():
    done = tr.simulate(built("half-space"))
    data = done.data
    flat = tr.Irregularity.flat(0.46, 0.04, at=2.0)
    wheel = sprung_wheel(irregularity=flat)
    bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0), tr.STEEL, rail_profile=tr.Cylinder(0.3, axis="x"))
    run = tr.cross(
        bridge, [(wheel, 0.0), (8e4, 2.0)], 30.0, contact="half-space", size=5, dt=5e-4, t_end=0.2,
        irregularity=tr.Irregularity.harmonic(2e-4, 2.0),
    )  # fmt: skip
    rough = float(data["force_departure"][-1] / data["largest_force"][-1])
    assert rough == pytest.approx(run.certificate.force_roughness, rel=1e-6)
    assert "contact force departs by 28 %" in done.message
    assert "too long for the same crossing with Hertz contact" in done.message
    rows = slice(None, None, 16)
    np.testing.assert_allclose(data["time"], run.t[rows], atol=1e-15)
    np.testing.assert_allclose(data["contact_force"], run.contact_forces[rows], rtol=1e-9)
    np.testing.assert_allclose(data["approach"], run.approach[rows], rtol=1e-9)
    for quantity in ("deflection", "velocity", "acceleration", "moment"):
        exact = getattr(run, quantity)(10.0)
        close = {"rtol": 1e-8, "atol": 1e-8 * np.abs(exact).max()}
        np.testing.assert_allclose(data[quantity], exact[rows], **close)
    np.testing.assert_allclose(
        data["bridge_deflection"][:, 1], run.deflection(5.0)[rows], atol=1e-9 * np.abs(exact).max()
    )
    rest = run.at_rest("deflection", 10.0)
    np.testing.assert_allclose(data["deflection_at_rest"], rest[rows], atol=1e-9 * np.abs(rest).max())
    assert data["largest_force"][-1] == pytest.approx(run.contact_forces.max())
    assert data["least_force"][-1] == pytest.approx(run.contact_forces.min(), abs=1e-9)
    lifted = int((run.contact_forces[1:] == 0.0).sum())
    assert lifted <= int(data["lifted_steps"][-1]) <= lifted + 3  # where an axle enters, a step is two
    for name in ("bridge_kinetic", "contact", "drive", "dissipated", "axles"):
        exact = getattr(run.energies, name)[rows]
        np.testing.assert_allclose(data[f"energy_{name}"], exact, atol=1e-8 * run.energies.work)
    pressure = data["pressure"].values
    cell = float(data["patch_x"][1] - data["patch_x"][0]) * float(data["patch_y"][1] - data["patch_y"][0])
    np.testing.assert_allclose(
        pressure.sum(axis=(1, 2)) * cell, data["contact_force"][:, 0], rtol=1e-5, atol=1.0
    )
    np.testing.assert_allclose(pressure.max(axis=(1, 2)), data["peak_pressure"][:, 0], rtol=1e-5)


@pytest.mark.parametrize("model", ["elements", "differences"])
def test_rigid_wheels_on_any_model_are_those_of_the_library(model):
    scenario = built("wheels on elements", model={"type": model, "size": 8})
    data = tr.simulate(scenario).data
    bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, damping=(0.01, 0.02, 0.02)), tr.STEEL)
    loads = [(2e4, 0.0), (sprung_wheel(), 2.0), (sprung_wheel(), 4.0)]
    run = tr.cross(
        bridge, loads, 30.0, contact="rigid", model=model, size=8, dt=1e-3, t_end=0.2, gravity=9.8,
        irregularity=tr.Irregularity.harmonic(2e-4, 2.0),
    )  # fmt: skip
    rows = slice(None, None, 8)
    known = {
        "time": run.t, "nodal": run.q, "nodal_velocity": run.v, "nodal_acceleration": run.a,
        "vehicle": run.vehicle, "vehicle_velocity": run.vehicle_velocity, "axle_force": run.forces,
        "contact_force": run.contact_forces, "in_contact": run.in_contact, "axle_place": run.places,
        **{name: getattr(run, name)(10.0) for name in ("deflection", "velocity", "acceleration", "moment")},
    }  # fmt: skip
    for name, values in known.items():
        np.testing.assert_array_equal(data[name], values[rows], err_msg=name)
    assert data["largest_force"][-1] == run.contact_forces.max()
    assert float(data["least_force"][-1]) == run.contact_forces.min() > 0.0
    exact = cross_simply(scenario.case, "rigid", 1e-3).run.deflection(10.0)
    apart = np.abs(run.deflection(10.0) - exact).max() / np.abs(exact).max()
    assert apart < {"elements": 1e-3, "differences": 0.2}[model]


def test_rigid_wheels_choose_their_own_step():
    """That of `tr.cross`, shortened so that steps fall on the samples."""
    scenario = built("wheels on elements", time={"t_end": "0.2 s", "samples": 26})
    loads = [(2e4, 0.0), (sprung_wheel(), 2.0), (sprung_wheel(), 4.0)]
    bridge = tr.Bridge(scenario.case.built, tr.STEEL)
    run = tr.cross(bridge, loads, 30.0, model="elements", size=8, t_end=0.2)
    stepper = scenario.definition.stepper(scenario.case)
    assert 0.9 * run.dt < stepper.samples.run.dt <= run.dt * (1.0 + 1e-9)


def test_hertz_patches_are_hertz():
    data = tr.simulate(built("hertz")).data
    pair = tr.Pair(tr.STEEL, tr.STEEL)
    for force, peak, area in zip(
        data["contact_force"][:, 0], data["peak_pressure"][:, 0], data["patch_area"][:, 0], strict=True
    ):
        known = tr.hertz.sphere(0.46, pair, force=float(force))
        assert float(peak) == pytest.approx(known.peak_pressure)
        assert float(area) == pytest.approx(np.pi * known.radius**2)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CASES)
def test_samples_are_enough_for_the_crossing(name):
    scenario = built(name)
    samples = tr.simulate(scenario).stored
    run = rebuild_crossing(scenario.definition.stepper(scenario.case).samples, samples)
    np.testing.assert_array_equal(run.t, samples["time"])
    for quantity in ("deflection", "acceleration", "moment"):
        found = getattr(run, quantity)(scenario.case.place)
        np.testing.assert_allclose(found, samples[quantity], rtol=1e-9, atol=1e-9 * np.abs(found).max())
    assert run.model == scenario.case.model.type


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CASES)
def test_a_run_goes_on_bit_for_bit_from_any_sample(name):
    assert_goes_on(built(name), lambda number, _: number % 6 == 2)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["half-space", "newmark", "wheels on elements", "coach on differences"])
def test_a_stopped_run_is_the_whole_run(name, tmp_path):
    assert_stopped_is_whole(built(name), tmp_path, 11)


def test_progress_goes_with_the_train(monkeypatch):
    monkeypatch.setattr(recorder, "PROGRESS_SECONDS", 0.0)  # after every sample, however fast the machine is
    seen = []
    long = built("half-space", time={"dt": "0.4 ms", "t_end": "0.4 s", "samples": 101})
    tr.simulate(long, progress=lambda done, total: seen.append(done / total))
    assert len(seen) > 50
    assert seen == sorted(seen)
    assert any(0.1 < share < 0.9 for share in seen)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_killed_run_goes_on(tmp_path):
    file = tmp_path / "case.toml"
    fields = {"dt": "0.5 ms", "t_end": "0.3 s", "samples": 151}
    built("half-space", time=fields, output={"points": 2}).save(file)
    command = [sys.executable, "-m", "traction", "run", str(file), "--out", str(tmp_path / "run"), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    segments = tmp_path / "run" / "segments"
    for _ in range(3000):
        if process.poll() is not None or (segments.exists() and any(segments.iterdir())):
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = resume(tmp_path / "run")
    whole = tr.simulate(file)
    assert done.ok
    assert done.key_figures == whole.key_figures
    np.testing.assert_array_equal(done.data["contact_force"], whole.data["contact_force"])
    np.testing.assert_array_equal(done.data["energy_drive"], whole.data["energy_drive"])


def test_speeds_can_be_swept_by_the_key_of_the_file(tmp_path):
    """As `traction run --set speed=...` does."""
    file = tmp_path / "case.toml"
    built("hertz").save(file)
    peaks = [
        figures_of(tr.simulate(tr.load(file, changes={"speed": text})))["peak deflection"]
        for text in ('"20 m/s"', "40.0")
    ]
    beam, wheel = tr.Beam(20.0, 2.08e9, 7900.0, damping=0.02), built("hertz").case.cars
    bridge, given = tr.Bridge(beam, tr.STEEL), {"contact": "hertz", "size": 5, "t_end": 0.2, "dt": 1e-3}
    for speed, found in zip((20.0, 40.0), peaks, strict=True):
        run = tr.cross(bridge, wheel, speed, **given)
        assert found == pytest.approx(run.largest("deflection", 10.0).value, rel=1e-3)


REPORTED = {
    "half-space": {
        "wheel_forces.png",
        "acceleration.svg",
        "spectrum.svg",
        "patch.png",
        "energy.png",
        "map.png",
        "crossing.gif",
    },
    "elements": {"wheel_forces.png", "patch.png", "energy.svg", "crossing.gif"},
    "rigid": {"wheel_forces.png", "deflection.png", "acceleration.png", "spectrum.png", "crossing.gif"},
    "forces on elements": {"deflection.png", "crossing.gif"},
    "wheels on elements": {"wheel_forces.png", "deflection.png", "spectrum.png", "map.png", "crossing.gif"},
}


@pytest.mark.usefixtures("quick_figures")
@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", REPORTED)
def test_reports_tell_the_story_and_show_it_move(name, tmp_path, monkeypatch):
    monkeypatch.setattr("traction.kinds.cross.findings.FRAMES", 3)
    run = tr.simulate(built(name), tmp_path / "run")
    files = {path.name: path for path in report_run(run).files}
    assert REPORTED[name] <= set(files)
    text = files["report.html"].read_text()
    for words in (
        "passed",
        "Verification:",
        "crosses a bridge of 20.0 m at 108 km/h",
        "natural frequencies",
    ):
        assert words in text
    assert 'type="application/json"' in text
    # rigid wheels and forces on elements are compared with modes instead
    assert ("energy balance error" in text) == ("on elements" not in name)
    with Image.open(files["crossing.gif"]) as picture:
        assert picture.n_frames == 3


def test_checks_tell_a_coarse_crossing(tmp_path):
    """Steps of a tenth of a second of an integrator that damps: the energy is not found again."""
    scenario = built(
        "hertz", model={"size": 4, "method": "euler-backward"}, time={"dt": 0.02, "t_end": 0.6, "samples": 31}
    )
    rows = CrossReport(scenario.case, tr.simulate(scenario).stored).checks()
    assert {row[0]: row[-1] for row in rows}[CHECKS["drift"][0]] == "large"


SOFT = {
    "beam": {"length": 20.0, "bending_stiffness": 6e6, "mass_per_length": 500.0}, "axle": [{"mass": "8 t"}],
    "time": {"dt": "1 ms", "samples": 101}, "model": {"size": 10},
}  # fmt: skip
BENT = {
    "beam": {"length": 2.0, "bending_stiffness": 1.3e4, "mass_per_length": 40.0}, "axle": [{"mass": 200.0}],
    "time": {"dt": "1 ms", "samples": 51}, "model": {"size": 10}, "speed": "10 m/s",
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "changes", "missed"),
    [
        ("hertz", {}, None),
        ("rigid", {}, None),
        ("wheels on elements", {}, None),
        ("rigid", SOFT, "largest slope of the bridge"),
        ("hertz", BENT, "bridge curvature / wheel curvature"),
        (
            "hertz",
            {"time": {"dt": "5 ms", "t_end": "20 s", "samples": 21}},  # four swings apart
            "samples per bridge period",
        ),
    ],
)
def test_checks_tell_large_slopes_and_few_samples(name, changes, missed):
    """Without a warning, which `tr.cross` gives of the first two."""
    scenario = built(name, **changes)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = tr.simulate(scenario)
        rows = CrossReport(scenario.case, run.stored).checks()
    verdicts = {row[0]: row[-1] for row in rows}
    assert "largest slope of the bridge" in verdicts
    if missed is None:
        assert set(verdicts.values()) == {"passed"}
        assert not run.message
    else:
        assert verdicts[missed].startswith(("large", "coarse"))
        words = {"largest": "has a slope of", "bridge": "wheel curvature =", "samples": "choose more"}
        assert words[missed.split()[0]] in run.message
    found, sampled = abs(figures_of(run)["peak deflection"]), float(np.abs(run.data["deflection"]).max())
    assert found > 10.0 * sampled if missed == "samples per bridge period" else found <= 1.1 * sampled


WRONG = {
    "contact must be one of|contact = ": {"contact": "soft"},
    'has contact = "hertz", but only forces': {"contact": "hertz", "axle": [{"force": 1e4}]},
    "takes a grid and output.pressure only with": {
        "contact": "hertz",
        "grid": {"nx": 8, "ny": 8, "width_x": 0.02, "width_y": 0.02},
    },
    "does not support line contact": {"grid": {"nx": 8, "width_x": 0.02, "line": True}},
    "on a grid of at most": {"grid": {"nx": 999, "ny": 999, "width_x": 0.02, "width_y": 0.02}},
    "march condensed on elements too; remove model.method": {
        "contact": "rigid",
        "model": {"type": "elements", "method": "newmark"},
    },
    "modes have no method": {"contact": "rigid", "model": {"method": "newmark"}},
    "takes options only with a method": {"model": {"options": {"beta": 0.3}}},
    "did you mean 'beta'": {"model": {"method": "newmark", "options": {"betta": 0.3}}},
    "takes residual only": {"model": {"type": "elements", "residual": True}},
    "elements or cells, at most 400": {"model": {"type": "elements", "size": 401}},
    "axle.0 takes wheel, flat and drive only": {"axle": [{"force": 1e4, "flat": {"length": 0.03}}]},
    "must be below the radius": {"axle": [{**CAR, "flat": {"length": 3.0}}]},
    "takes a crown or surfaces": {"wheel": {"crown": 1.0, "surface": [{"type": "sphere", "radius": 0.5}]}},
    "the top of a bridge must be elastic": {"rail": {"material": "rigid"}},
    "would store": {"time": {"samples": 1_000_000}},
    "steps of time.dt, at most": {"time": {"dt": "1 ns"}},
    "output.place = 21 m outside the beam": {"output": {"place": 21.0}},
    "before the axle 9 m behind": {"axle": [{**CAR, "distance": 9.0}]},
}


@pytest.mark.parametrize("message", WRONG)
def test_what_cannot_be_is_refused_with_a_sentence(message):
    with pytest.raises(ScenarioError, match=message):
        tr.Scenario.build("cross", **{**CROSS, **WRONG[message]})


BEFORE = {
    "smaller than the patch at rest": {"grid": {"nx": 8, "ny": 8, "width_x": 1e-3, "width_y": 1e-3}},
    "above the stability limit": {"model": {"size": 5, "method": "verlet"}, "time": {**SHORT, "dt": 2e-2}},
    "beyond the 0.1 of small deflections": {"beam": {**THESIS, "bending_stiffness": 1e5}},
}


@pytest.mark.parametrize("message", BEFORE)
def test_errors_come_before_the_run_starts(message, tmp_path):
    scenario = tr.Scenario.build("cross", **{**CROSS, **BEFORE[message]})
    with pytest.raises(tr.InputError, match=message):
        tr.simulate(scenario, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_axles_too_near_for_few_modes_are_told():
    axles = [{"mass": "1 t"}, {"force": "80 kN", "distance": "2 m"}]
    few = {"size": 5, "residual": True}
    case = {"beam": THESIS, "axle": axles, "speed": "30 m/s", "contact": "hertz", "model": few}
    run = tr.simulate(scenario_of("cross", case, time={"samples": 21, "t_end": "0.2 s"}))
    assert "nearer than half a wave of the last mode" in run.message
