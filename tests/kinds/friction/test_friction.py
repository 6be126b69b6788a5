"""Kinds of friction: closed forms, resumed runs, and errors that name what is wrong."""

import json
import re

import numpy as np
import pytest

import traction as tr
from built_ins import read_stored
from kinds.resumed import assert_goes_on
from reference_cases import DATA_FOLDER
from traction.kinds.case import load, loads
from traction.kinds.friction.run import CreepTableStepper, RollStepper
from traction.kinds.registry import shipped
from traction.kinds.report_run import report_run
from traction.scenario.toml import ScenarioError

SHIFT = """kind = "shift"
friction = 0.3
[grid]
nx = 20
ny = 20
width_x = "0.5 mm"
width_y = "0.5 mm"
[[surface]]
type = "sphere"
radius = "10 mm"
[load]
force = "100 N"
[shift]
force_x = ["10 N", "-10 N", "10 N"]
"""
STEADY = SHIFT.replace("shift", "steady", 1).replace(
    '[shift]\nforce_x = ["10 N", "-10 N", "10 N"]',
    '[rolling]\nlongitudinal = ["0.1 %", 0.002]\nspin = "1 rad/m"',
)
LINE = """kind = "shift"
friction = 0.3
[grid]
line = true
nx = 60
width_x = "2.4 mm"
length = "0.2 m"
[[surface]]
type = "cylinder"
radius = 0.5
[load]
force_per_length = "178.9 kN/m"
[shift]
force_per_length_x = "20 kN/m"
"""


TABLE = STEADY.replace('"steady"', '"creep-table"')
ROLL = SHIFT.replace('"shift"', '"roll"').replace(
    '[shift]\nforce_x = ["10 N", "-10 N", "10 N"]',
    '[start]\nforce_x = "10 N"\n[rolling]\nstep = "10 um"\nsteps = 3\nforce_x = "10 N"',
)
LINE_ROLL = LINE.replace('"shift"', '"roll"').replace(
    "[shift]\nforce",
    '[start]\nforce_per_length_x = "20 kN/m"\n[rolling]\nstep = "15 um"\ndistance = "70 um"\nforce',
)
UNLIKE_ROLL = ROLL.replace("friction = 0.3", 'friction = 0.3\nlower = "rigid"')
SAMPLED = [SHIFT, STEADY, LINE, TABLE, ROLL, LINE_ROLL, UNLIKE_ROLL]


def test_driven_roller_agrees_with_carter(built_in):
    data = built_in("driven-roller").data
    hertz = tr.hertz.line(0.5, tr.Pair(tr.STEEL, tr.STEEL), force=178.9e3)
    exact = [tr.carter.line(hertz, 0.5, 0.3, force=f).creepage for f in (10e3, 20e3, 34.3488e3, 50e3)]
    assert data["longitudinal"].values == pytest.approx(exact, rel=5e-3)
    assert data["force_x"].values[2] == pytest.approx(34.3488e3, rel=1e-6)


def test_shifted_ball_runs_through_a_closed_loop(built_in):
    data = built_in("shifted-ball").data
    force, moved = data["force_x"].values, data["displacement_x"].values
    assert force[-1] == pytest.approx(force[4])
    assert moved[-1] == pytest.approx(moved[4], rel=1e-3)  # after a cycle it is where it was
    assert moved[11] == pytest.approx(-moved[4], rel=1e-3)
    # what the loop encloses is lost; between the few steps its sides are curved
    area = abs(np.trapezoid(force[4:], moved[4:]))
    assert area == pytest.approx(data["dissipation"].values[5:].sum(), rel=0.1)


def test_creep_forces_are_those_of_single_calls(built_in):
    scenario = load(shipped()["creep-forces"])
    case = scenario.case
    assert len(case.steps) == 12
    stepper = CreepTableStepper(case)
    data = built_in("creep-forces").data
    for k in (3, 10):
        given = case.steps[k]
        n = stepper.press_bodies(given["load"])
        t = tr.roll_steady(n, 0.3, creepage=(given["longitudinal"], 0.0, given["spin"]))
        assert (data["force_x"].values[k], data["moment"].values[k]) == (t.force[0], t.moment)


def test_force_table_is_that_of_the_reference_program(built_in, tmp_path):
    """All 27 rows of it, and the file for other programs."""
    case = json.loads((DATA_FOLDER / "contact.json").read_text())["force_table_circ"]
    rows = np.array(case["rows"])
    rows = rows[np.lexsort(rows[:, 2::-1].T)]  # as ours: spin varies fastest
    scenario = load(shipped()["force-table"])
    run = built_in("force-table")
    data, limit = run.data, 0.3 * 1e5
    np.testing.assert_allclose(data["spin"].values, 1e3 * rows[:, 2])
    for name, column, scale in (("force_x", 3, limit), ("force_y", 4, limit), ("moment", 5, 5e-3 * limit)):
        unit = 1e-3 if name == "moment" else 1.0
        np.testing.assert_allclose(data[name].values, unit * rows[:, column], atol=1e-5 * scale)
    assert np.abs(data["stick_elements"].values - rows[:, 7]).max() <= 1
    assert (data["contact_elements"].values == rows[:, 6]).all()
    ((file, _),) = scenario.definition.report(scenario.case, read_stored(run)).files(tmp_path)
    head, *lines = file.read_text().splitlines()
    assert head.startswith("longitudinal (1),lateral (1),spin (1/m),normal_force (N),force_x (N)")
    assert len(lines) == 27
    assert [float(line.split(",")[4]) for line in lines] == data["force_x"].values.tolist()


def test_cattaneo_to_carter_is_that_of_single_calls(built_in):
    """Under a force that is held: first a shift, then steps; and in the end steady rolling."""
    case = load(shipped()["cattaneo-to-carter"]).case
    data = built_in("cattaneo-to-carter").data
    n = RollStepper(case).press_bodies(0.4705)
    force, x = (-0.12404925, None), data["distance"].values
    t = tr.shift(n, case.friction, displacement=(None, 0.0, 0.0), force=force)
    np.testing.assert_array_equal(data["traction_x"].values[0], t.traction[0])
    for k in range(1, 4):
        t = tr.roll(t, case.friction, distance=0.125e-3, creepage=(None, 0.0, 0.0), force=force)
        assert data["longitudinal"].values[k] == pytest.approx(t.creepage[0], rel=1e-8)
    assert x[[0, 1, -1]] == pytest.approx([0.0, 0.125e-3, 10e-3])
    steady = tr.roll_steady(n, case.friction, creepage=(None, 0.0, 0.0), force=force)
    assert data["longitudinal"].values[-1] == pytest.approx(steady.creepage[0], rel=5e-3)
    assert data["force_x"].values == pytest.approx(force[0], rel=1e-5)


def test_rolling_by_classical_elements_has_the_digits_of_the_reference_program():
    case = json.loads((DATA_FOLDER / "catt_to_cart.json").read_text())
    text = shipped()["cattaneo-to-carter"].read_text()
    text = text.replace('step = "0.125 mm"\ndistance = "10 mm"', 'step = "0.25 mm"\nsteps = 12')
    text = text.replace("[rolling]\n", '[rolling]\ndiscretisation = "classical"\n')
    data = tr.simulate(loads(text)).data
    np.testing.assert_allclose(data["longitudinal"].values[1:], case["cksi_by_step_T2"][:12], rtol=1e-4)


@pytest.mark.parametrize("text", SAMPLED)
def test_state_is_all_there_is(text):
    """From a stored state a fresh stepper goes on, bit for bit."""
    scenario = loads(text)
    assert loads(scenario.to_toml()) == scenario
    assert_goes_on(scenario, lambda number, _: True)


@pytest.mark.parametrize("text", SAMPLED)
def test_figures_and_tables(text):
    scenario = loads(text)
    run = tr.simulate(scenario)
    shown = scenario.definition.report(scenario.case, run.stored)
    names = [name for name, _, _ in shown.figures()]
    assert ("tractions" in names) == (text in (SHIFT, STEADY, ROLL, UNLIKE_ROLL))
    assert ("section" in names) == (text is not TABLE)
    assert ("force_over_displacement" in names) == (text is SHIFT)
    assert ("over_distance" in names) == (text in (ROLL, LINE_ROLL, UNLIKE_ROLL))
    steps, checks, inputs = shown.tables()
    assert len(steps.rows) == run.data.sizes["sample"]
    assert ("rows" if text is TABLE else "normal force") in {name for name, _, _ in run.key_figures}
    assert {row[-1] for row in checks.rows} <= {"passed", "coarse"}
    assert dict(inputs.rows)["coefficient of friction"] == "0.3"


def test_loads_may_change_from_step_to_step():
    text = SHIFT.replace('force = "100 N"', 'force = ["100 N", "120 N", "90 N"]')
    data = tr.simulate(loads(text)).data
    assert data["normal_force"].values == pytest.approx([100.0, 120.0, 90.0])
    assert data["force_x"].values == pytest.approx([10.0, -10.0, 10.0])


def test_a_line_contact_has_its_units_per_metre():
    data = tr.simulate(loads(LINE)).data
    units = {name: data[name].attrs["units"] for name in ("normal_force", "moment", "dissipation")}
    assert units == {"normal_force": "N/m", "moment": "N", "dissipation": "J/m"}


def test_combinations_are_all_there():
    text = TABLE.replace('spin = "1 rad/m"', "spin = [0.0, 1.0, 2.0]")
    steps = loads(text).case.steps
    assert len({(step["longitudinal"], step["spin"]) for step in steps}) == 6


WRONG = {
    (SHIFT, "friction = 0.3", "friction = -1"): r"friction = -1 must not be negative",
    (SHIFT, '"100 N"', '["100 N", "90 N"]'): "lists of different lengths: force_x 3, load 2",
    (SHIFT, "[shift]", "[shift]\ndisplacement_x = 0"): "needs one of displacement_x and force_x, not both",
    (
        SHIFT,
        'force_x = ["10 N", "-10 N", "10 N"]',
        "force_per_length_x = 1",
    ): r"takes shift\.force_x instead of shift\.force_per_length_x",
    (SHIFT, "[shift]", "[shfit]"): r'unknown key "shfit"; did you mean "shift"',
    (LINE, 'length = "0.2 m"\n', ""): r"needs grid\.length",
    (LINE, "[shift]", '[shift]\nrotation = "1 deg"'): "shifted along x only",
    (STEADY, '"1 rad/m"', '"1 rad"'): 'is a number, expected a spin such as "0.5 rad/m"',
    (STEADY, '"1 rad/m"', '"1 rad/m"\ndirection = 2'): r"rolling\.direction",
    (STEADY, '"0.1 %"', '"0.1 mm"'): "is a length, expected a number",
    (STEADY, "0.002]", '0.002]\nforce_x = "1 N"'): "needs one of longitudinal and force_x, not both",
    (STEADY, "[rolling]", '[rolling]\ncombine = "all"'): r'unknown key "rolling\.combine"',
    (TABLE, "[rolling]", "[rolling]\nforce_per_length_x = 1"): "needs one of longitudinal and force_per",
    (ROLL, 'step = "10 um"\n', ""): r'"rolling\.step" is missing',
    (ROLL, "steps = 3\n", ""): r"needs rolling\.steps or rolling\.distance",
    (ROLL, "steps = 3", 'steps = 3\ndistance = "1 mm"'): "takes steps or distance, not both",
    (ROLL, '"10 um"', '["10 um", "5 um"]'): "takes neither steps nor distance",
    (ROLL, "steps = 3", 'distance = "1 km"'): r"has 1e\+08 steps, at most 10000",
    (ROLL, '"10 um"', '"1 m"'): "elements, at most 1000",
    (ROLL, "steps = 3", "steps = 3\nspin = [1, 2]"): r"lists of 2 numbers \(spin\) for 3 steps",
    (ROLL, "steps = 3", "steps = 3\nat = [0, 1]\nspin = [1, 2, 3]"): "has 3 numbers in spin for the 2",
    (ROLL, "steps = 3", "steps = 3\nat = [1, 1]"): "needs increasing distances",
    (ROLL, "steps = 3", "steps = 3\nat = [0, 1]"): r"has rolling\.at, but no list",
    (ROLL, "steps = 3", 'steps = 3\nscheme = "move"'): r"rolling\.scheme",
    (ROLL, "steps = 3", "steps = 3\ninterpolation_cell = 1"): "takes interpolation_cell only with",
    (
        ROLL,
        "[rolling]",
        '[rolling]\nscheme = "covered"\ndiscretisation = "classical"',
    ): "no classical elements",
    (ROLL, "[start]", "[start]\ndisplacement_x = 0"): "needs one of displacement_x and force_x",
    (LINE_ROLL, 'length = "0.2 m"\n', ""): r"needs grid\.length",
}


@pytest.mark.parametrize("change", WRONG, ids=lambda change: change[2][:20])
def test_errors_name_the_key(change):
    text, old, new = change
    assert old in text
    with pytest.raises(ScenarioError) as caught:
        loads(text.replace(old, new, 1), "a")
    assert re.search(WRONG[change], str(caught.value)), str(caught.value)


def test_distance_is_rolled_to_its_end():
    case = loads(LINE_ROLL).case
    assert case.lengths == pytest.approx([15e-6] * 4 + [10e-6])
    assert tr.simulate(loads(LINE_ROLL)).data["distance"].values[-1] == pytest.approx(70e-6)
    assert loads(ROLL).case.lengths == pytest.approx([10e-6] * 3)
    listed = loads(ROLL.replace('"10 um"\nsteps = 3', '["10 um", "5 um"]')).case
    assert listed.lengths == pytest.approx([10e-6, 5e-6])
    by_load = loads(ROLL.replace("steps = 3\n", "").replace('"100 N"', '["100 N", "101 N"]')).case
    assert [step["load"] for step in by_load.steps] == [100.0, 101.0]


def test_between_distances_numbers_are_linear():
    text = ROLL.replace(
        "[rolling]", '[rolling]\nat = [0.0, "20 um"]\nlateral = ["0 %", "1 %"]\nspin = [0.0, 4.0]'
    )
    steps = loads(text).case.steps
    assert [step["lateral"] for step in steps] == pytest.approx([0.005, 0.01, 0.01])
    assert [step["spin"] for step in steps] == pytest.approx([2.0, 4.0, 4.0])
    assert {step["force_x"] for step in steps} == {10.0}


def test_rolling_under_a_changing_load_keeps_to_its_bound():
    text = ROLL.replace('"100 N"', '["100 N", "90 N", "80 N"]')
    data = tr.simulate(loads(text)).data
    assert data["normal_force"].values == pytest.approx([100.0, 100.0, 90.0, 80.0])
    size = np.hypot(data["traction_x"].values, data["traction_y"].values)
    assert (size <= 0.3 * data["pressure"].values * (1.0 + 1e-6) + 1e-3).all()


@pytest.mark.parametrize("scheme", ["world-fixed", "moving", "moving-interpolated"])
def test_every_scheme_can_be_asked_for(scheme):
    cell = "\ninterpolation_cell = 0.5" if scheme == "moving-interpolated" else ""
    data = tr.simulate(loads(ROLL.replace("steps = 3", f'steps = 3\nscheme = "{scheme}"{cell}'))).data
    default = tr.simulate(loads(ROLL)).data
    assert data["force_x"].values[1:] == pytest.approx([10.0] * 3)
    assert np.abs(data["traction_x"].values - default["traction_x"].values)[-1].max() > 0.0


@pytest.mark.usefixtures("quick_figures")
def test_rolling_has_an_animation(tmp_path):
    from PIL import Image

    tr.simulate(loads(ROLL), tmp_path / "run")
    files = report_run(tmp_path / "run").files
    assert tmp_path / "run" / "rolling.gif" in files
    with Image.open(tmp_path / "run" / "rolling.gif") as film:
        assert film.n_frames == 4


def test_a_stopped_run_goes_on_bit_for_bit(tmp_path):
    asked = iter([False, False, True])
    tr.simulate(loads(ROLL), tmp_path / "a", stop=lambda: next(asked))
    one = tr.resume(tmp_path / "a").data
    other = tr.simulate(loads(ROLL), tmp_path / "b").data
    assert one.equals(other)


@pytest.mark.parametrize("scheme", ["covered", "moving"])
def test_unlike_bodies_roll_as_by_single_calls(scheme):
    """The pressure of every step is that which goes with its tractions, and is carried on."""
    text = UNLIKE_ROLL.replace("steps = 3", f'steps = 3\nscheme = "{scheme}"')
    scenario = loads(text)
    data, stepper = tr.simulate(scenario).data, RollStepper(scenario.case)
    given = {"creepage": (None, 0.0, 0.0), "force": (10.0, None)}
    n = stepper.press_bodies(100.0)
    t = tr.shift(n, 0.3, displacement=given["creepage"], force=given["force"])
    for k in range(3):
        t = tr.roll(t, 0.3, distance=10e-6, scheme=scheme, **given)
        assert data["longitudinal"].values[k + 1] == pytest.approx(t.creepage[0], rel=1e-4)
        found = data["pressure"].values[k + 1]
        np.testing.assert_allclose(found, t.normal.pressure, atol=1e-5 * t.normal.peak_pressure)
    assert np.abs(found - n.pressure).max() > 1e-3 * n.peak_pressure
    assert (data["dissipation"].values >= 0.0).all()


def test_too_many_combinations_are_refused():
    many = ", ".join(str(1e-5 * k) for k in range(101))
    text = TABLE.replace('"0.1 %", 0.002', many).replace('"1 rad/m"', f"[{many}]")
    with pytest.raises(ScenarioError, match="has 10201 combinations, at most 10000"):
        loads(text)
