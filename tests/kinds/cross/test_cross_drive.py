"""Kind "cross" with driven and braked wheels: the answers of `tr.cross`, stops, errors, reports."""

from dataclasses import replace
from itertools import count

import numpy as np
import pytest

import traction as tr
from kinds.crossings import CAR, COACH, THESIS, figures_of, sprung_wheel
from kinds.crossings import built as scenario_of
from kinds.resumed import assert_goes_on, assert_stopped_is_whole
from traction.crossing.driving.driven_wheel import DrivenWheel
from traction.kinds.cross.drive_report import tell_driving
from traction.kinds.cross.report import CrossReport
from traction.kinds.report_run import report_run
from traction.scenario.toml import ScenarioError

SPEED, STEPS, SAMPLES = 30.0, 40, 11
SHORT = {"dt": "0.1 ms", "t_end": "4 ms", "samples": SAMPLES}  # 3 mm in a step
CROSS = {
    "beam": THESIS, "axle": [CAR], "speed": "30 m/s", "contact": "hertz", "model": {"size": 5}, "time": SHORT,
}  # fmt: skip
RAMP = [["0.5 ms", "0 kN"], ["3 ms", "-28 kN"]]
TORQUE = {
    "torque": [[0.0, 0.0], ["2 ms", "-12 kN m"]], "inertia": "1 kg m^2", "elements": 6, "friction": 0.2,
}  # fmt: skip
SHORT_COACH = {**COACH, "bogie_spacing": "60 mm", "axle_spacing": "20 mm"}
FLAT = {**CAR, "flat": {"length": "60 mm", "at": "50 mm"}}
CASES = {
    "force": {**CROSS, "drive": {"force": RAMP, "elements": 8}},
    "torque": {**CROSS, "drive": TORQUE, "output": {"traction": True}},
    "creepage": {
        **CROSS, "contact": "half-space",
        "grid": {"nx": 12, "ny": 12, "width_x": "20 mm", "width_y": "20 mm"},
        "drive": {
            "creepage": 1e-3, "lateral": "0.1 %", "spin": "0.1 rad/m", "friction": [[0, 0.3], [1, 0.2]],
        },
    },
    "one of two": {
        **CROSS, "axle": [CAR, {**CAR, "distance": 0.03, "drive": {"force": "20 kN", "elements": 6}}],
        "output": {"traction": True},
    },
    "flat": {**CROSS, "axle": [FLAT], "drive": {"force": "-10 kN", "elements": 6}},
    "grown": {
        **CROSS, "axle": [FLAT], "contact": "half-space", "drive": {"force": "-10 kN"},
        "grid": {"nx": 10, "ny": 10, "width_x": "17.5 mm", "width_y": "17.5 mm"},
        "time": {"dt": "0.1 ms", "t_end": "10 ms", "samples": SAMPLES},
    },
    "coach": {
        **CROSS, "axle": None, "vehicle": SHORT_COACH,
        "drive": {"force": "2 kN", "elements": 5, "wheels": [1, 3]},
    },
    "rubber": {**CROSS, "wheel": {"material": {"youngs_modulus": "1 GPa", "poisson_ratio": 0.4}},
               "drive": {"creepage": "1 %", "elements": 6}, "time": {**SHORT, "t_end": "2 ms"}},
    "shaft": {
        **CROSS, "drive": {
            "creepage": [[0.0, 0.0], ["2 ms", "-1 %"]], "inertia": 50.0, "elements": 6, "friction": 0.2,
            "shaft": {"stiffness": "40 MN m/rad", "damping": "300 N m s/rad"},
        },
    },
    "rotor": {
        **CROSS, "drive": {
            **TORQUE, "inertia": "20 kg m^2",
            "shaft": {"stiffness": "4 MN m/rad", "inertia": "10 kg m^2"},
        },
    },
    "law": {
        **CROSS, "drive": {
            **TORQUE,
            "friction": {"law": "exponential", "kinetic": 0.15, "drop": 0.2, "half_speed": "0.1 m/s"},
        },
    },
    "newmark": {**CROSS, "model": {"size": 4, "method": "newmark"}, "drive": {"force": RAMP, "elements": 6}},
}  # fmt: skip


def built(name, **changes):
    return scenario_of("cross", CASES[name], **changes)


def crossed(drive, **options):
    """The same by `tr.cross`, at all its steps."""
    bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0), tr.STEEL)
    given = {"contact": "hertz", "size": 5, "dt": 1e-4, "t_end": 4e-3, "drive": drive, **options}
    return tr.cross(bridge, [(sprung_wheel(), 0.0)], SPEED, **given).rolling()


def assert_same(data, rolling):
    """Samples against all steps of the library."""
    every = (rolling.t.size - 1) // (SAMPLES - 1)
    rows = slice(None, None, every)
    bound = rolling.bound.max()
    for name, known in (
        ("longitudinal_force", rolling.force[:, 0]),
        ("lateral_force", rolling.force[:, 1]),
    ):
        np.testing.assert_allclose(data[name][:, 0], known[rows], atol=1e-12 * bound)
    np.testing.assert_allclose(data["spin_moment"][:, 0], rolling.moment[rows], atol=1e-12 * bound)
    work = rolling.dissipated
    np.testing.assert_allclose(data["friction_work"][:, 0], work[rows], atol=1e-12 * work[-1])
    np.testing.assert_allclose(data["stick_share"][:, 0], rolling.stick[rows], atol=1e-12)
    means = np.array([rolling.creepage[n + 1 : n + 1 + every, 0].mean() for n in range(0, STEPS, every)])
    np.testing.assert_allclose(data["longitudinal_creepage"][1:, 0], means, rtol=1e-12, atol=1e-15)
    slid = np.array([rolling.sliding[n + 1 : n + 1 + every].any() for n in range(0, STEPS, every)])
    np.testing.assert_array_equal(data["sliding"][1:, 0], slid)


def test_a_force_over_time_is_that_of_the_library():
    """28 kN are about 0.95 of the friction: the wheel brakes hard and does not slide."""
    data = tr.simulate(built("force")).data
    ramp = tr.Drive(force=lambda t: np.interp(t, [5e-4, 3e-3], [0.0, -28e3]), elements=8)
    rolling = crossed(ramp)
    assert_same(data, rolling)
    assert float(data["longitudinal_force"][-1, 0]) == pytest.approx(-28e3, rel=1e-5)
    assert 0.0 < float(data["stick_share"][-1, 0]) < 0.5
    assert int(data["driven"][0]) == 1


def test_a_torque_that_slides_is_that_of_the_library():
    data = tr.simulate(built("torque")).data
    drive = tr.Drive(
        torque=lambda t: np.interp(t, [0.0, 2e-3], [0.0, -12e3]), inertia=1.0, elements=6, friction=0.2
    )
    assert_same(data, crossed(drive))
    assert bool(data["sliding"][-1, 0])
    assert float(data["longitudinal_creepage"][-1, 0]) > 0.05
    cell = float(data["tread_x"][1] - data["tread_x"][0]) * float(data["tread_y"][1] - data["tread_y"][0])
    total = data["traction_x"].values.sum(axis=(1, 2)) * cell
    np.testing.assert_allclose(total, data["longitudinal_force"][:, 0], atol=1.0)
    pressed = data["tread_pressure"].values.sum(axis=(1, 2)) * cell
    np.testing.assert_allclose(pressed, data["contact_force"][:, 0], rtol=1e-5)
    touches = data["tread_pressure"].values > 0.0
    share = (data["stick"].values & touches).sum(axis=(1, 2)) / touches.sum(axis=(1, 2))
    np.testing.assert_allclose(share, data["stick_share"][:, 0])


def test_creepages_on_the_grid_of_the_contact_are_those_of_the_library():
    data = tr.simulate(built("creepage")).data
    drive = tr.Drive(creepage=(1e-3, 1e-3, 0.1), friction=lambda t: 0.3 - 0.1 * np.asarray(t))
    grid = tr.Grid(12, 12, 0.02 / 12, 0.02 / 12)
    assert_same(data, crossed(drive, contact="half-space", grid=grid))


def test_a_shaft_is_that_of_the_library():
    """Its torque and the speed of its rotor are stored with the numbers of all driven wheels."""
    data = tr.simulate(built("shaft")).data
    ahead = (lambda t: np.interp(t, [0.0, 2e-3], [0.0, -0.01]), 0.0, 0.0)
    shaft = tr.Shaft(4e7, damping=300.0)
    rolling = crossed(tr.Drive(creepage=ahead, inertia=50.0, shaft=shaft, elements=6, friction=0.2))
    assert_same(data, rolling)
    rows = slice(None, None, STEPS // (SAMPLES - 1))
    np.testing.assert_allclose(data["shaft_torque"][:, 0], rolling.shaft_torque[rows], rtol=1e-12, atol=1e-6)
    np.testing.assert_allclose(data["rotor_speed"][:, 0], rolling.rotor_speed[rows], rtol=1e-12)
    assert float(data["shaft_torque"][-1, 0]) > 0.5 * 0.2 * 0.46 * float(data["contact_force"][-1, 0])


def test_lags_and_jumps_of_friction_are_stored_and_said(monkeypatch):
    """A steep law lags; a sample holds the largest jump of the force in the steps since the one before."""
    roll_part, parts = DrivenWheel.roll_part, count()

    def jumps(wheel, state, asked):
        after, done = roll_part(wheel, state, asked)
        return after, replace(done, jump=0.03 if next(parts) == 25 else 0.002)

    monkeypatch.setattr(DrivenWheel, "roll_part", jumps)
    scenario = built("law")
    run = tr.simulate(scenario)
    jump, lag = run.data["force_jump"].values[:, 0], run.data["lag"].values[:, 0]
    assert sorted(jump.tolist()) == [0.0, *[0.002] * (SAMPLES - 2), 0.03]
    assert lag.max() > 1e-4
    assert "lags behind the law by" in run.message
    assert ". The force of a driven wheel jumps by up to 3 % of the friction bound" in run.message
    rolling = CrossReport(scenario.case, run.stored).wheels[0]
    np.testing.assert_array_equal(rolling.jump, jump)
    np.testing.assert_array_equal(rolling.lag, lag)
    assert len(rolling.notices) == 2


def test_jumps_of_each_step_are_kept(monkeypatch):
    """Also where steps are joined; small jumps are not reported."""
    given = {"jump": 0.003}

    def jumps(wheel, state, asked, roll_part=DrivenWheel.roll_part):
        after, done = roll_part(wheel, state, asked)
        return after, replace(done, **given)

    monkeypatch.setattr(DrivenWheel, "roll_part", jumps)
    law = tr.friction.exponential(0.15, (0.2, 0.1))
    drive = tr.Drive(torque=-2e3, inertia=1.0, friction=law, elements=6, keep=2)
    rolling = crossed(drive, dt=2e-5, t_end=1e-3)
    assert rolling.jump.tolist() == [0.0, *[0.003] * 50]
    assert not any("jumps" in one for one in rolling.notices)
    given["jump"] = 0.02
    assert "jumps by up to 2 %" in crossed(drive).message
    assert crossed(replace(drive, friction=0.3)).jump is None


def test_stick_slip_is_reported_of_a_shaft_only():
    """A wheel that slides again because of its brake does not oscillate."""
    rolling = CrossReport(built("torque").case, tr.simulate(built("torque")).stored).wheels[0]
    several = replace(rolling, slides=np.arange(SAMPLES))
    assert "and slides again, 10 times in all" in tell_driving({0: several})
    shaft = replace(rolling.drive, shaft=tr.Shaft(1e6, inertia=10.0))
    assert "then sticks and slides alternately, 10 times in all" in tell_driving(
        {0: replace(several, drive=shaft)}
    )


def test_states_that_are_not_numbers_are_refused():
    stepper = built("rotor").definition.stepper(built("rotor").case)
    state, _ = stepper.advance(stepper.initial())
    stepper.check_state(1, state)
    for name in ("turning", "work", "torsion.twist"):
        with pytest.raises(tr.InputError, match="not finite"):
            stepper.check_state(1, {**state, f"drive.0.{name}": np.array(np.nan)})


def test_one_wheel_of_two_is_driven():
    data = tr.simulate(built("one of two")).data
    assert data["driven"].values.tolist() == [2]
    assert float(data["longitudinal_force"][0, 0]) == pytest.approx(20e3, rel=1e-5)
    assert float(data["longitudinal_creepage"][-1, 0]) < 0.0  # it drives
    chosen = built("one of two", axle=[CAR, {**CAR, "distance": 0.03}], drive={"force": 2e4, "wheels": [2]})
    assert [one is None for one in chosen.case.drives] == [True, False]


def test_grids_hold_the_largest_patch():
    """After a flat the wheel lands with more than twice its load."""
    scenario = built("flat", time={**SHORT, "t_end": "10 ms"})
    data = tr.simulate(scenario).data
    assert float(data["least_force"][-1]) == 0.0
    assert float(data["largest_force"][-1]) > 1.5 * float(data["contact_force"][0, 0])
    in_air = data["contact_force"].values[:, 0] == 0.0
    assert (data["longitudinal_force"].values[in_air, 0] == 0.0).all()


def test_tractions_are_solved_on_a_grid_that_holds_what_the_contact_grows_to():
    """It is chosen before the run, around the same elements: tractions never change their grid."""
    stepper = built("grown").definition.stepper(built("grown").case)
    (roll,) = stepper.driven.rolls.values()
    state, deepest = stepper.initial(), 0.0
    for _ in range(stepper.layout.total):
        state, sample = stepper.advance(state)
        deepest = max(deepest, sample["approach"][0])
    contact = stepper.samples.contacts[0]
    grid, given, grown = roll.wheel.grid, contact.grid, contact.patch(deepest).grid
    assert grid.nx >= grown.nx > given.nx
    assert (grid.dx, grid.dy) == (given.dx, given.dy)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", CASES)
def test_a_run_goes_on_bit_for_bit_from_any_sample(name):
    assert_goes_on(built(name), lambda number, _: number in (1, 4, 9))


def test_a_stopped_run_is_the_whole_run(tmp_path):
    assert_stopped_is_whole(built("torque"), tmp_path, 5)


def test_reports_rebuild_the_rolling(tmp_path):
    scenario = built("torque")
    samples = tr.simulate(scenario).stored
    rolling = CrossReport(scenario.case, samples).wheels[0]
    np.testing.assert_array_equal(rolling.force[:, 0], samples["longitudinal_force"][:, 0])
    np.testing.assert_allclose(rolling.rotation, (1.0 - rolling.creepage[:, 0]) * SPEED / 0.46)
    for n, contact in zip(rolling.kept, rolling.contacts, strict=True):
        assert contact.force[0] == pytest.approx(rolling.force[n, 0])
        assert contact.normal.force == pytest.approx(rolling.contact_force[n], rel=1e-5)


@pytest.mark.usefixtures("quick_figures")
@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["torque", "force", "two", "rotor"])
def test_reports_show_driving(name, tmp_path, monkeypatch):
    monkeypatch.setattr("traction.kinds.cross.findings.FRAMES", 3)
    two = {"axle": [CAR, {**CAR, "distance": 0.03}], "drive": {"force": "-10 kN", "elements": 6}}
    scenario = built("force", **two) if name == "two" else built(name)
    run = tr.simulate(scenario, tmp_path / "run")
    figures = figures_of(run)
    files = {path.name: path for path in report_run(run).files}
    text = files["report.html"].read_text()
    assert {"driving.png", "driving.svg"} <= set(files)
    assert ("tractions.png" in files) == (name == "torque")
    assert ("Driven wheels" in text) == (name == "two")
    assert "longitudinal force beyond the friction bound" in text
    assert "large</td>" not in text
    if name == "torque":
        assert "starts to slide at" in text
        assert figures["largest friction utilisation"] == pytest.approx(1.0, abs=1e-6)
    elif name == "rotor":
        assert "and the torque of its shaft" in text
    else:
        assert "no wheel slides" in text
        assert "difference from the given one" in text


WRONG = {
    "give exactly one of force, creepage along x and torque; none given": {"drive": {"friction": 0.3}},
    "force and torque given": {"drive": {"force": 1.0, "torque": 1.0, "inertia": 1.0}},
    "give inertia": {"drive": {"torque": 1.0}},
    "shaft.stiffness = .* rotational stiffness": {
        "drive": {"creepage": 0.0, "inertia": 1.0, "shaft": {"stiffness": "3 N"}},
    },
    "give inertia to tr.Shaft": {"drive": {**TORQUE, "shaft": {"stiffness": "3 MN m/rad"}}},
    "but neither torque nor shaft": {"drive": {"force": 1.0, "inertia": 1.0}},
    "is a length, expected a force": {"drive": {"force": "3 mm"}},
    "drive.force.1.1 = .* is a length": {"drive": {"force": [[0.0, 0.0], [1.0, "3 mm"]]}},
    "must be a pair such as": {"drive": {"force": [[0.0, 0.0], [1.0]]}},
    "at least 2 items": {"drive": {"force": [[0.0, 0.0]]}},
    "needs increasing times in friction": {"drive": {"force": 1.0, "friction": [[1.0, 0.3], [1.0, 0.2]]}},
    "drive.friction = 0": {"drive": {"force": 1.0, "friction": 0.0}},
    'unknown key "drive.forse"; did you mean "force"': {"drive": {"forse": 1.0}},
    "drive.wheels with 2; the train has 1 wheel$": {"drive": {"force": 1.0, "wheels": [2]}},
    "which needs a patch": {"contact": "rigid", "drive": {"force": 1.0}},
    "only forces, which are not driven": {
        "contact": "rigid", "axle": [{"force": 1e4}], "drive": {"force": 1.0},
    },
    "takes wheel, flat and drive only": {"axle": [{"force": 1e4, "drive": {"force": 1.0}}]},
    "but no wheel is driven": {"output": {"traction": True}},
}  # fmt: skip


@pytest.mark.parametrize("message", WRONG)
def test_what_cannot_be_is_refused_with_a_sentence(message):
    with pytest.raises(ScenarioError, match=message.removesuffix("$")):
        tr.Scenario.build("cross", **{**CROSS, **WRONG[message]})


BEFORE = {
    "so that the wheel can roll before the bridge": {"drive": {"torque": "-20 kN m", "inertia": 50.0}},
    "would roll over .* elements, at most": {
        "drive": {"force": "-1 kN", "elements": 128}, "speed": "1e5 m/s", "time": {**SHORT, "t_end": "9 ms"},
        "beam": {**THESIS, "length": "1 km", "bending_stiffness": "1e15 N m^2"}
    },
}  # fmt: skip


@pytest.mark.parametrize("message", BEFORE)
def test_errors_come_before_the_run_starts(message, tmp_path):
    scenario = tr.Scenario.build("cross", **{**CROSS, **BEFORE[message]})
    with pytest.raises(tr.InputError, match=message):
        tr.simulate(scenario, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_scenarios_with_tables_over_time_are_saved_and_loaded_back(tmp_path):
    scenario = built("creepage")
    again = tr.load(scenario.save(tmp_path / "case.toml"))
    assert again.case == scenario.case
    demands = [one.case.drives[0].demands(np.array([0.25]))[0] for one in (scenario, again)]
    assert demands[0] == demands[1]
    assert demands[0].friction == pytest.approx(0.275)
