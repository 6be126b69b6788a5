"""The study of speeds of a crossing: a resonance is claimed only where the study shows it."""

import numpy as np
import pytest

import traction as tr
from traction.kinds.case import load
from traction.kinds.cross import speed_study
from traction.kinds.cross.run import CrossStepper
from traction.kinds.cross.speed_study import SpeedStudy

CASE = """
kind = "cross"
contact = "hertz"
speed = "{speed} m/s"

[beam]
length = "20 m"
bending_stiffness = "2.08 GN m^2"
mass_per_length = "7900 kg/m"
damping = 0.01

[[axle]]
count = {axles}
spacing = "{spacing} m"
mass = "1.8 t"
suspension = [{{ stiffness = "{stiffness} MN/m", damping = "{damping} kN s/m", mass = "17 t" }}]

[model]
size = 3

[study]
speeds = {speeds}
"""
SOFT, STIFF = (0.8, 30.0), (8.0, 100.0)  #: suspensions, MN/m and kN s/m: bogies, and one that absorbs


def crossing(tmp_path, speed=36.5, axles=16, spacing=8.0, suspension=SOFT, speeds=(30, 33, 36.5, 40)):
    file = tmp_path / "case.toml"
    listed = [f"{one} m/s" for one in speeds]
    stiffness, damping = suspension
    given = {"speed": speed, "axles": axles, "spacing": spacing, "stiffness": stiffness, "damping": damping}
    file.write_text(CASE.format(**given, speeds=listed))
    return load(file).case


def studied(case):
    study, frequency = (
        SpeedStudy.of(case, 2e-3, lambda: False),
        float(case.built.frequencies(1)[0]) / (2.0 * np.pi),
    )
    return study, frequency


def test_soft_suspensions_resonate_where_spacing_and_frequency_say(tmp_path):
    """Change one thing, the spacing, and the peak moves to the speed that it says."""
    for spacing, speeds in ((8.0, (30, 33, 36.5, 40)), (10.0, (37.5, 41, 45.7, 50))):
        case = crossing(tmp_path, speeds[2], spacing=spacing, speeds=speeds)
        study, frequency = studied(case)
        assert speed_study.passing_speed(case, frequency) == pytest.approx(spacing * 4.5678, rel=1e-4)
        assert int(study.peaks.argmax()) == 2
        assert study.peaks[2] > 1.3 * np.delete(study.peaks, 2).max()
        assert "in resonance" in speed_study.tell_study(case, study, frequency)


def test_peaks_of_the_demonstration(tmp_path):
    study, _ = studied(crossing(tmp_path))
    assert study.peaks == pytest.approx([5.47e-3, 6.32e-3, 10.40e-3, 6.88e-3], rel=3e-3)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"suspension": STIFF}, id="a suspension that absorbs"),
        pytest.param({"speed": 30.0}, id="a run beside the peak"),
        pytest.param({"speeds": (33, 35, 36.5)}, id="a peak at the edge"),
        pytest.param({"axles": 2}, id="two axles, one distance"),
    ],
)
def test_no_resonance_is_claimed_without_proof(tmp_path, changed):
    case = crossing(tmp_path, **changed)
    assert "resonance" not in speed_study.tell_study(case, *studied(case))


def test_equal_axles_are_those_written_out(tmp_path):
    case = crossing(tmp_path, axles=3)
    wheel = tr.Wheel(0.46, 1800.0, suspension=tr.Suspension(0.8e6, 3e4, 17e3))
    assert case.cars.places.tolist() == [0.0, 8.0, 16.0]
    assert {one.mass for one in case.cars.wheels} == {wheel.mass}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"8.0 m"', '"0 m"', "spacing"),
        ("count = 16\n", "", "count .* and spacing"),
        ('spacing = "8.0 m"\n', "", "count .* and spacing"),
        ("count = 16", "count = 2000", "count"),
        ("['30 m/s', '33 m/s', '36.5 m/s', '40 m/s']", "['30 m/s', '20 m/s', '36.5 m/s']", "do not rise"),
        ("['30 m/s', '33 m/s', '36.5 m/s', '40 m/s']", "['30 m/s']", "speeds"),
    ],
)
def test_bad_inputs_are_named(tmp_path, old, new, words):
    crossing(tmp_path)
    file = tmp_path / "case.toml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    with pytest.raises(tr.InputError, match=words):
        load(file)


def test_a_study_far_below_the_speed_is_refused(tmp_path):
    with pytest.raises(tr.InputError, match=r"study.speeds from 0.001 m/s, at least 1/20 of the speed"):
        crossing(tmp_path, speeds=(0.001, 10.0, 36.5))


def test_a_stop_between_speeds_keeps_the_samples_and_resumes(tmp_path, monkeypatch):
    crossing(tmp_path, axles=2)
    file, crossed = tmp_path / "case.toml", []
    simply = speed_study.cross_simply
    monkeypatch.setattr(speed_study, "cross_simply", lambda *given: crossed.append(1) or simply(*given))
    file.write_text(file.read_text() + '\n[time]\ndt = "2 ms"\nsamples = 11\n')
    run = tr.simulate(file, tmp_path / "run", stop=lambda: len(crossed) == 2)
    assert (str(run.status), len(crossed)) == ("stopped", 2)
    assert run.message == "stopped after all 11 samples, 2 of the 4 speeds of the study"
    marched = []
    advance = CrossStepper.advance
    monkeypatch.setattr(CrossStepper, "advance", lambda *given: marched.append(1) or advance(*given))
    whole = tr.resume(tmp_path / "run")
    assert (whole.ok, len(crossed), marched) == (True, 6, [])
    assert whole.key_figures == tr.simulate(file).key_figures
