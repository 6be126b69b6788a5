"""Kinds "modes", "moving-load" and "resonance": known answers, stops, errors, reports."""

import csv
import math

import numpy as np
import pytest
from PIL import Image

import traction as tr
from kinds.crossings import CAR, COACH, THESIS, figures_of, sprung_wheel
from kinds.crossings import built as scenario_of
from kinds.resumed import assert_goes_on, assert_stopped_is_whole
from traction.kinds.case import loads
from traction.kinds.moving_load.findings import filmed_times, march_case
from traction.kinds.report_run import report_run
from traction.kinds.resonance.report import ResonanceReport
from traction.kinds.tables.crossing_tables import BeamModelTable
from traction.scenario.toml import ScenarioError

PINNED = {
    "length": 15.0,
    "bending_stiffness": 7.694081e9,
    "mass_per_length": "15 t/m",
    "supports": ["pinned", "pinned"],
    "damping": 0.01,
}
AXLE = [{"force": "745.56 kN"}]
MOVING = {"beam": THESIS, "axle": AXLE, "speed": "30 m/s"}
SWEEP = {"beam": PINNED, "trains": ["HSLM-A1"], "speeds": {"lowest": 80, "highest": 95, "count": 6}}
CASES = {
    "modes": ("modes", {"beam": THESIS, "modes": 7, "points": 11}),
    "force": ("moving-load", {**MOVING, "time": {"samples": 60}}),
    "elements": (
        "moving-load",
        {**MOVING, "model": {"type": "elements", "size": 10}, "time": {"dt": "1 ms", "samples": 50}},
    ),
    "coach": (
        "moving-load",
        {
            "beam": PINNED,
            "vehicle": COACH,
            "speed": 50.0,
            "irregularity": {"type": "fra", "track_class": 4, "seed": 3},
            "model": {"size": 4},
            "time": {"dt": "1 ms", "samples": 40},
        },
    ),
    "wheels on elements": (
        "moving-load",
        {
            "beam": {**PINNED, "damping": {"alpha": 0.3, "beta": 1e-4}},
            "axle": [{"force": "20 kN"}, {**CAR, "distance": 2.0}, {"mass": "2 t", "distance": 5.0}],
            "speed": 50.0,
            "irregularity": {"type": "harmonic", "amplitude": "0.2 mm", "wavelength": "3 m"},
            "model": {"type": "elements", "size": 8},
            "time": {"dt": "1 ms", "samples": 40},
        },
    ),
    "coach on differences": (
        "moving-load",
        {
            "beam": PINNED,
            "vehicle": COACH,
            "speed": 50.0,
            "model": {"type": "differences", "size": 20},
            "time": {"dt": "1 ms", "samples": 40},
        },
    ),
    "resonance": ("resonance", SWEEP),
}


def built(name, **changes):
    kind, fields = CASES[name]
    return scenario_of(kind, fields, **changes)


def test_modes_are_those_of_the_beam():
    data = tr.simulate(built("modes")).data
    roots = np.array([4.730040744862704, 7.853204624095838, 10.99560783800167])
    omega = (roots / 20.0) ** 2 * math.sqrt(2.08e9 / 7900.0)
    np.testing.assert_allclose(data["angular_frequency"][:3], omega, rtol=1e-12)
    np.testing.assert_allclose(data["frequency"], data["angular_frequency"] / (2.0 * math.pi))
    beam = tr.Beam(20.0, 2.08e9, 7900.0)
    np.testing.assert_array_equal(data["deflection"], beam.modes(7).deflection(np.linspace(0, 20, 11)))
    assert data["frequency"].attrs["units"] == "Hz"


def test_modes_that_take_part_share_the_mass():
    """All of the mass of a free beam moves as a whole; of a pinned one, mode n takes 8/(n pi)^2, n odd."""
    free = tr.simulate(
        tr.Scenario.build("modes", beam={**THESIS, "supports": ["free", "free"]}, modes=5)
    ).data
    np.testing.assert_allclose(free["effective_mass"].sum(), 20 * 7900.0, rtol=1e-12)
    np.testing.assert_allclose(free["frequency"][:2], 0.0, atol=1e-9)
    pinned = tr.simulate(tr.Scenario.build("modes", beam=PINNED, modes=6))
    n = np.arange(1, 7)
    share = np.where(n % 2, 8.0 / (n * math.pi) ** 2, 0.0)
    np.testing.assert_allclose(pinned.data["effective_mass"] / (15 * 15e3), share, atol=1e-12)
    assert pinned.key_figures[-1] == (
        "effective modal mass ratio",
        pytest.approx(share.sum(), abs=1e-12),
        "1",
    )


def test_spans_springs_and_rayleigh_build_the_same_beam():
    section = {"length": "8 m", "bending_stiffness": 1e9, "mass_per_length": 5e3, "shear_stiffness": "1 GN"}
    supports = ["pinned", {"deflection": "50 MN/m", "rotation": "3 MN m/rad"}, "guided"]
    table = {
        "span": [section, {**section, "rotary_inertia": 10.0, "foundation": "1 MN/m^2"}],
        "supports": supports,
        "damping": {"alpha": "0.3 1/s", "beta": "0.1 ms"},
    }
    data = tr.simulate(tr.Scenario.build("modes", beam=table, modes=4)).data
    one = tr.Beam(8.0, 1e9, 5e3, shear_stiffness=1e9)
    two = tr.Beam(8.0, 1e9, 5e3, shear_stiffness=1e9, rotary_inertia=10.0, foundation=1e6)
    beam = tr.Beam.spans([one, two], supports=["pinned", tr.Support(5e7, 3e6), "guided"])
    omega = beam.frequencies(4)
    np.testing.assert_array_equal(data["angular_frequency"], omega)
    np.testing.assert_allclose(data["damping_ratio"], 0.5 * (0.3 / omega + 1e-4 * omega))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("model", "limit"),
    [
        ({}, 1e-7),
        ({"type": "elements"}, 1e-5),
        ({"type": "differences", "method": "verlet"}, 1e-3),
    ],
)
def test_the_bridge_of_the_thesis(model, limit):
    run = tr.simulate(tr.Scenario.build("moving-load", **MOVING, model=model))
    figures = figures_of(run)
    assert figures["peak deflection"] == pytest.approx(0.0150010948, rel=limit)
    assert figures["time of peak deflection"] == pytest.approx(0.37827648, abs=1e-3 if model else 1e-6)
    static = 745560.0 * 20.0**3 / (192.0 * 2.08e9)
    assert figures["peak static deflection"] == pytest.approx(static, rel=1e-6)
    assert figures["amplification"] == pytest.approx(0.0150010948 / static, rel=2 * limit)
    assert float(run.data["deflection"].max()) == pytest.approx(0.0150010948, rel=1e-3)


def test_samples_are_those_of_the_library():
    fields = {
        "beam": PINNED,
        "speed": "180 km/h",
        "axle": [
            {"force": "100 kN", "amplitude": "20 kN", "frequency": "4 Hz", "phase": "90 deg"},
            {"mass": "900 kg", "suspension": [{"stiffness": "1 MN/m", "mass": "8 t"}], "distance": 3.0},
        ],
        "irregularity": {"type": "harmonic", "amplitude": "1 mm", "wavelength": "6 m"},
        "gravity": 9.8,
        "model": {"size": 5, "residual": False},
        "time": {"dt": "0.5 ms", "t_end": "0.5 s", "samples": 51},
        "output": {"place": "5 m", "points": 4},
    }
    data = tr.simulate(tr.Scenario.build("moving-load", **fields)).data
    beam = tr.Beam(15.0, 7.694081e9, 15e3, supports=("pinned", "pinned"), damping=0.01)
    wheel = tr.Wheel(0.5, 900.0, suspension=tr.Suspension(1e6, 0.0, 8e3))
    run = tr.moving_load(
        beam,
        [(tr.HarmonicAxle(1e5, 2e4, 4.0, math.pi / 2), 0.0), (wheel, 3.0)],
        50.0,
        size=5,
        dt=5e-4,
        t_end=0.5,
        residual=False,
        gravity=9.8,
        irregularity=tr.Irregularity.harmonic(1e-3, 6.0),
    )
    rows = np.round(np.linspace(0, run.t.size - 1, 51)).astype(int)
    np.testing.assert_allclose(data["deflection"], run.deflection(5.0)[rows], rtol=1e-10, atol=1e-15)
    np.testing.assert_allclose(data["moment"], run.moment(5.0)[rows], rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(data["beam_deflection"][:, 1], run.deflection(5.0)[rows], atol=1e-15)
    np.testing.assert_allclose(data["axle_force"], run.forces[rows], rtol=1e-10)
    np.testing.assert_allclose(data["vehicle"], run.vehicle[rows], rtol=1e-10, atol=1e-15)
    np.testing.assert_array_equal(data["axles_on_beam"], run.on_beam[rows].sum(axis=1))


def test_a_step_that_is_too_long_is_noted():
    done = tr.simulate(built("force", time={"dt": "0.1 s", "samples": 3}))
    assert "The step dt = 0.09524 s is too long: a mode that moves" in done.message
    assert "Choose time.dt = " in done.message


def test_a_travel_of_its_own_equals_a_speed():
    times = np.linspace(0.0, 1.0, 9)
    travel = {"times": times.tolist(), "places": (30.0 * times).tolist()}
    moving = {**MOVING, "model": {"size": 6}, "time": {"t_end": 20.0 / 30.0}}
    varying = {key: value for key, value in moving.items() if key != "speed"}
    one = tr.simulate(tr.Scenario.build("moving-load", **varying, travel=travel))
    two = tr.simulate(tr.Scenario.build("moving-load", **moving))
    np.testing.assert_allclose(one.data["deflection"], two.data["deflection"], atol=1e-8)


def test_a_beam_that_nothing_holds_has_no_deflection_at_rest():
    free = {**THESIS, "supports": ["free", "free"]}
    run = tr.simulate(tr.Scenario.build("moving-load", beam=free, axle=AXLE, speed=30.0, model={"size": 8}))
    assert "deflection_at_rest" not in run.data
    assert "amplification" not in figures_of(run)


def test_steps_over_the_limit_are_shown_only_when_asked_for():
    fields = {**MOVING, "time": {"dt": 4.2e-5, "t_end": 0.01, "samples": 20}}
    model = {"type": "differences"}
    with pytest.raises(tr.InputError, match="stability"):
        tr.simulate(tr.Scenario.build("moving-load", **fields, model=model))
    shown = tr.simulate(tr.Scenario.build("moving-load", **fields, model={**model, "allow_unstable": True}))
    assert shown.ok


def test_crossings_that_do_not_fit_are_refused_before_they_begin():
    slow = tr.Scenario.build("moving-load", **{**MOVING, "speed": "0.01 mm/s"})
    with pytest.raises(tr.InputError, match=r"steps of .* s with 41 numbers each, at most"):
        tr.simulate(slow)


def test_the_sweep_is_that_of_the_library_and_finds_the_known_resonance():
    speeds = {"lowest": "322 km/h", "highest": "326 km/h", "count": 17}
    run = tr.simulate(tr.Scenario.build("resonance", **{**SWEEP, "speeds": speeds, "modes": 1}))
    figures = figures_of(run)
    assert 3.6 * figures["speed of peak acceleration, HSLM-A1"] == pytest.approx(324.25, abs=0.01)
    assert figures["peak acceleration"] == pytest.approx(53.90230850490873, rel=1e-4)
    beam = tr.Beam(15.0, 7.694081e9, 15e3, supports=("pinned", "pinned"), damping=0.01)
    curve = tr.resonance(beam, tr.Train.hslm("A1"), np.linspace(322, 326, 17) / 3.6, modes=1)
    np.testing.assert_allclose(run.data["acceleration"], curve.acceleration[0], rtol=1e-10)
    np.testing.assert_allclose(run.data["amplification"], curve.amplification[0], rtol=1e-10)


def test_trains_of_ones_own_stand_beside_named_ones():
    own = {"name": "freight", "spacing": 9.0, "axle": [{"force": 2e5, "distance": 9.0 * k} for k in range(8)]}
    scenario = tr.Scenario.build("resonance", **{**SWEEP, "train": [own]})
    run = tr.simulate(scenario)
    data = run.data
    np.testing.assert_array_equal(data["train"], np.repeat([1, 2], 6))
    beam = tr.Beam(15.0, 7.694081e9, 15e3, supports=("pinned", "pinned"), damping=0.01)
    train = tr.Train([(2e5, 9.0 * k) for k in range(8)])
    curve = tr.resonance(beam, train, np.linspace(80, 95, 6))
    np.testing.assert_allclose(data["deflection"][6:], curve.deflection[0], rtol=1e-10)
    curve = ResonanceReport(scenario.case, run.stored).curve
    assert {one.mode for one in curve.expected[1]} == {2, 3}  # f1 D = 45 m/s is below the sweep


@pytest.mark.parametrize("model", ["elements", "differences"])
def test_rigid_wheels_on_any_model_are_those_of_the_library(model):
    """A force, a sprung mass and a bare mass."""
    data = tr.simulate(built("wheels on elements", model={"type": model, "size": 8})).data
    damped = tr.Rayleigh(0.3, 1e-4)
    beam = tr.Beam(15.0, 7.694081e9, 15e3, supports=("pinned", "pinned"), damping=damped)
    loads = [(2e4, 0.0), (sprung_wheel(), 2.0), (tr.Wheel(0.46, 2e3), 5.0)]
    run = tr.moving_load(
        beam, loads, 50.0, model=model, size=8, dt=1e-3, irregularity=tr.Irregularity.harmonic(2e-4, 3.0)
    )
    rows = np.round(np.linspace(0, run.t.size - 1, 40)).astype(int)
    known = {
        "time": run.t, "axle_place": run.places, "axle_force": run.forces, "vehicle": run.vehicle,
        "wheels_lifted": (~run.in_contact).sum(axis=1),
        **{item: getattr(run, item)(7.5) for item in ("deflection", "velocity", "moment", "shear")},
    }  # fmt: skip
    for name, values in known.items():
        np.testing.assert_array_equal(data[name], values[rows], err_msg=name)
    assert (data["axle_force"].max(axis=0) > data["axle_force"].min(axis=0))[1:].all()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CASES)
def test_a_run_goes_on_bit_for_bit_from_any_sample(name):
    assert_goes_on(built(name), lambda number, _: number in (2, 17, 33))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["coach", "wheels on elements", "coach on differences", "resonance"])
def test_a_stopped_run_is_the_whole_run(name, tmp_path):
    assert_stopped_is_whole(built(name), tmp_path, 4)


REPORTED = {
    "modes": {"modes.png", "frequencies.svg"},
    "elements": {"deflection.png", "map.png", "acceleration.png", "moment.svg", "crossing.gif"},
    "coach": {"wheel_forces.png", "crossing.gif"},
    "wheels on elements": {"wheel_forces.png", "deflection.png", "moment.svg", "crossing.gif"},
    "resonance": {"acceleration.png", "deflection.svg", "resonance.csv"},
}


@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize("name", REPORTED)
def test_reports_have_figures_tables_and_checks(name, tmp_path, monkeypatch):
    monkeypatch.setattr("traction.kinds.moving_load.findings.FRAMES", 3)
    run = tr.simulate(built(name), tmp_path / "run")
    files = {path.name: path for path in report_run(run).files}
    assert REPORTED[name] <= set(files)
    text = files["report.html"].read_text()
    assert "passed" in text
    for word in ("supports", "damping", "Checks"):
        assert word in text
    if "crossing.gif" in files:
        with Image.open(files["crossing.gif"]) as picture:
            assert picture.n_frames == 3
    if "resonance.csv" in files:
        rows = list(csv.DictReader(files["resonance.csv"].read_text().splitlines()))
        np.testing.assert_array_equal(
            [float(row["acceleration (m/s2)"]) for row in rows], run.data["acceleration"]
        )


def test_long_crossings_are_filmed_around_their_peak():
    scenario = tr.Scenario.build("moving-load", beam=PINNED, train="HSLM-A1", speed="324.25 km/h")
    run = march_case(scenario.case)
    start, end = filmed_times(scenario.case, run)
    assert end - start == pytest.approx(6.0 / 5.0, rel=1e-5)  # six swings of 5 Hz
    assert start < run.largest("deflection", 7.5).time < end
    short = built("force").case
    assert filmed_times(short, march_case(short)) == (0.0, pytest.approx(2.0 / 3.0))


WRONG = {
    "modes": {
        r'beam.length = "3 s" is a time, expected a length': {"beam": {**THESIS, "length": "3 s"}},
        r'beam.bending_stiffness = "3 N" is a force, expected a bending stiffness such as "2.08 GN m\^2"': {
            "beam": {**THESIS, "bending_stiffness": "3 N"}
        },
        "beam needs mass_per_length": {"beam": {"length": 1.0, "bending_stiffness": 1.0}},
        "beam takes length or a list of spans": {"beam": {**THESIS, "span": [THESIS]}},
        "beam has 3 supports, expected 2": {"beam": {**THESIS, "supports": ["free"] * 3}},
        'did you mean "pinned"': {"beam": {**THESIS, "supports": ["pined", "free"]}},
        "beam.damping = 1.5 must be below 1": {"beam": {**THESIS, "damping": 1.5}},
        "has 2 damping ratios for 10 modes": {"beam": {**THESIS, "damping": [0.01, 0.02]}},
        "modes = 0 must be at least": {"modes": 0},
    },
    "moving-load": {
        "needs exactly one of train, axle and vehicle": {"train": "HSLM-A1"},
        'did you mean "HSLM-A1"': {"train": "HSLM-B1"},
        "needs either a speed or a travel": {"speed": None},
        "speed = -3 must be positive": {"speed": -3},
        r"axle.0 needs either a force, or the mass or suspension": {"axle": [{"distance": 1.0}]},
        r"axle.0 needs amplitude and frequency": {"axle": [{"force": 1.0, "amplitude": 1.0}]},
        r"axle.0 takes a phase only": {"axle": [{"force": 1.0, "phase": 1.0}]},
        "it has no weight": {"axle": [{"mass": 0.0}]},
        "has an irregularity, but only forces": {
            "irregularity": {"type": "step", "height": 1, "at": 1, "length": 1}
        },
        "irregularity.type must be one of": {"irregularity": {"type": "bumps"}},
        "has gravity, but only forces": {"gravity": 9.81},
        "march condensed on elements too; remove model.method": {
            "axle": [{"mass": 1e3}],
            "model": {"type": "elements", "method": "newmark"},
        },
        "remove model.allow_unstable": {
            "axle": [{"mass": 1e3}],
            "model": {"type": "differences", "allow_unstable": True},
        },
        "has wheels on 401 elements, at most 400": {
            "axle": [{"mass": 1e3}],
            "model": {"type": "elements", "size": 401},
        },
        "takes method only": {"model": {"method": "rk4"}},
        "takes residual only": {"model": {"type": "elements", "residual": True}},
        "did you mean 'beta'": {"model": {"type": "elements", "options": {"betta": 0.3}}},
        "model has 501 modes, at most 500": {"model": {"size": 501}},
        "ends at 0.1 s, before the axle 9 m behind": {
            "axle": [{"force": 1.0, "distance": 9.0}],
            "time": {"t_end": 0.1},
        },
        "its travel at 1 s": {
            "speed": None,
            "travel": {"times": [0, 0.3, 0.6, 1], "places": [0, 9, 18, 30]},
            "time": {"t_end": 2.0},
        },
        "output.place = 21 m outside the beam": {"output": {"place": 21.0}},
        "would store": {"time": {"samples": 1_000_000}},
        "steps of 1e-12 s": {"time": {"dt": "1 ps"}},
        "has 501 samples of about 7 steps": {"time": {"dt": "0.1 s"}},
    },
    "resonance": {
        "needs trains by name": {"trains": None},
        'has two trains of the name "HSLM-A1"': {"trains": ["HSLM-A1", "HSLM-A1"]},
        "rigid-body motion": {"beam": {**THESIS, "supports": ["free", "free"]}},
        "speeds needs lowest, highest and count, or a list": {"speeds": {"lowest": 1.0}},
        "which must be below highest": {"speeds": {"lowest": 9.0, "highest": 3.0, "count": 3}},
        "values that do not increase": {"speeds": {"values": [3.0, 2.0]}},
        "place = 99 m outside the beam": {"place": 99.0},
    },
}
GOOD = {"modes": {"beam": THESIS}, "moving-load": MOVING, "resonance": SWEEP}


@pytest.mark.parametrize(("kind", "message"), [(kind, words) for kind in WRONG for words in WRONG[kind]])
def test_what_cannot_be_is_refused_with_a_sentence(kind, message):
    fields = {**GOOD[kind], **WRONG[kind][message]}
    with pytest.raises(ScenarioError, match=message):
        tr.Scenario.build(kind, **{key: value for key, value in fields.items() if value is not None})


IRREGULARITIES = (
    {"type": "harmonic", "amplitude": "1 mm", "wavelength": "5 m"},
    {"type": "step", "height": "-2 mm", "at": "5 m", "length": "1 m"},
    {"type": "fra", "track_class": 6, "seed": 1},
    {"type": "erri", "level": "low", "seed": 1, "shortest": "3 m", "longest": "30 m"},
    {"type": "measured", "x": [0, 5, 10, 15], "height": [0, 1e-3, 0, 0]},
)


@pytest.mark.parametrize("rail", IRREGULARITIES, ids=lambda rail: rail["type"])
def test_wheels_feel_every_irregularity(rail):
    fields = {
        "beam": PINNED,
        "speed": 40.0,
        "axle": [{"mass": 500.0, "suspension": [{"stiffness": 1e6, "damping": 1e4, "mass": 8e3}]}],
        "model": {"size": 4},
        "time": {"dt": "1 ms", "samples": 40},
    }
    even = tr.simulate(tr.Scenario.build("moving-load", **fields)).data["axle_force"]
    scenario = tr.Scenario.build("moving-load", **fields, irregularity=rail)
    assert loads(scenario.to_toml()) == scenario
    rough = tr.simulate(scenario).data["axle_force"]
    assert float(np.abs(rough - even).max()) > 100.0


def test_a_model_table_alone_knows_its_method():
    """It is the default of every crossing, so it must answer without a kind."""
    named = {kind: BeamModelTable(type=kind).marches_by for kind in ("modes", "elements", "differences")}
    assert named == {"modes": None, "elements": "newmark", "differences": "verlet"}
    assert BeamModelTable().marches_by is None
    assert BeamModelTable(type="elements", method="rk4").marches_by == "rk4"
