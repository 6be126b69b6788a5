"""Key figures of the bridge are those of all steps, whatever the number of samples."""

import numpy as np
import pytest

import traction as tr
from traction.kinds.cross.report import SAMPLED, SHOWN, CrossReport, time_words

CASE = {
    "beam": {
        "length": "20 m", "bending_stiffness": "2.08 GN m2", "mass_per_length": "7.9 t/m", "damping": 0.01,
        "supports": ["pinned", "pinned"],
    },
    "model": {"type": "modes", "size": 6},
    "speed": "40 m/s",
}  # fmt: skip
WHEELS = {"axle": [{"mass": "4 t", "distance": "0 m"}, {"mass": "4 t", "distance": "3 m"}]}
FORCES = {"axle": [{"force": "100 kN", "distance": "0 m"}, {"force": "100 kN", "distance": "7 m"}]}


def built(samples, loads, **given):
    time = {"samples": samples, "dt": "0.5 ms", **given.pop("time", {})}
    return tr.Scenario.build("cross", **CASE, **loads, time=time, **given)


def simulate(samples, loads, **given):
    return tr.simulate(built(samples, loads, **given), progress=False)


def report_of(samples, **time):
    scenario = built(samples, FORCES, contact="rigid", time=time)
    return CrossReport(scenario.case, tr.simulate(scenario, progress=False).stored)


def figure(run, name):
    return next(value for key, value, _ in run.key_figures if key == name)


@pytest.mark.parametrize(
    ("loads", "contact"),
    [(WHEELS, "hertz"), (WHEELS, "rigid"), (FORCES, "rigid")],
    ids=["hertz", "rigid wheels", "forces"],
)
def test_peaks_do_not_depend_on_the_number_of_samples(loads, contact):
    few, many = (simulate(samples, loads, contact=contact) for samples in (12, 101))
    for name in ("peak deflection", "time of peak deflection", "peak acceleration"):
        assert figure(few, name) == pytest.approx(figure(many, name), rel=0.02)
    if contact == "hertz":
        rest, force = float(few.data["peak_pressure"][0, 0]), figure(few, "largest wheel force")
        found = figure(few, "peak contact pressure")  # p = p0 (F/P)^(1/3)
        assert found == pytest.approx(rest * (force / (4000.0 * 9.81)) ** (1.0 / 3.0), rel=1e-3)
        assert found > 1.01 * float(few.data["peak_pressure"].max())  # what samples alone would say


def test_peaks_are_those_of_the_function():
    run = simulate(21, FORCES, contact="rigid")
    sampled = float(np.abs(run.data["acceleration"]).max())
    assert sampled < 0.95 * figure(run, "peak acceleration")  # what samples alone would say
    beam = tr.Beam(20.0, 2.08e9, 7900.0, supports=("pinned", "pinned"), damping=0.01)
    whole = tr.moving_load(beam, [(1e5, 0.0), (1e5, 7.0)], 40.0, size=6, dt=0.5e-3)
    peak = whole.largest("deflection", 10.0)
    assert figure(run, "peak deflection") == pytest.approx(peak.value, rel=1e-6)
    assert "where the last axle leaves" in repr(whole)
    longer = tr.moving_load(beam, [(1e5, 0.0)], 40.0, size=2, t_end=1.0)
    assert "leaves" not in repr(longer)


def test_the_report_states_steps_end_and_spacing():
    """27 m at 40 m/s take 0.675 s: 20 intervals of 33.75 ms, each of 68 steps of at most 0.5 ms."""
    stated = dict(report_of(21).inputs())
    assert stated["steps"] == (
        "of 0.4963 ms, shortened from time.dt = 0.5 ms so that steps end at the samples"
    )
    assert stated["time"] == "0.675 s, until the last axle leaves, 21 samples, 33.75 ms apart"
    stated = dict(report_of(21, t_end="0.8 s").inputs())
    assert stated["steps"] == "of 0.5 ms"
    assert stated["time"] == "0.8 s, 21 samples, 40 ms apart"


def test_a_travel_that_ends_on_the_bridge_ends_the_run():
    travel = {"times": [0, 0.1, 0.2, 0.4], "places": [0, 4, 8, 16]}
    given = {key: value for key, value in CASE.items() if key != "speed"}
    case = tr.Scenario.build("cross", **given, **FORCES, contact="rigid", travel=travel).case
    assert (
        time_words(case, np.linspace(0.0, 0.4, 5)) == "0.4 s, until the travel ends, 5 samples, 0.1 s apart"
    )


@pytest.mark.parametrize(("samples", "passes"), [(15, False), (301, True)])
def test_the_report_says_whether_samples_show_the_peak(samples, passes):
    """Ten samples in the period of the lowest mode are too few for those above it."""
    report = report_of(samples)
    assert report.checks()[-2][0::3] == ("samples per bridge period", "passed")
    row = next(row for row in report.checks() if row[0].startswith("peak acceleration at the samples"))
    assert row[2:] == ("at least 71 %", "passed" if passes else "coarse: choose more time.samples")
    assert (report.found.checks["sampled_acceleration"] >= SHOWN) == passes
    resolved = dict(report.results()[0].rows)["highest frequency that samples resolve"]
    assert float(resolved.removesuffix(" Hz")) == pytest.approx(0.5 * (samples - 1) / 0.675, rel=1e-3)


def test_samples_at_any_phase_show_the_share_that_the_limit_says():
    """Of a sine with n samples in its period, cos(pi/n) at the least."""
    t = (np.arange(2 * SAMPLED) + np.linspace(0.0, 1.0, 201)[:, None]) / SAMPLED
    shown = np.abs(np.sin(2.0 * np.pi * t)).max(axis=1)
    assert shown.min() == pytest.approx(SHOWN, rel=1e-9)


def test_a_run_that_was_stored_without_the_share_is_reported():
    report = report_of(9)
    del report.found.checks["sampled_acceleration"]
    assert report.checks()[-1][0] == "samples per bridge period"
