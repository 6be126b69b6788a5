"""Kinds of friction: closed forms, resumed runs, and errors that name what is wrong."""

import re

import numpy as np
import pytest

import traction as tr
from traction.kinds import shift, steady
from traction.kinds.case import load, loads
from traction.kinds.registry import shipped
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


def test_driven_roller_agrees_with_carter():
    data = tr.simulate(shipped()["driven-roller"]).data
    hertz = tr.hertz.line(0.5, tr.Pair(tr.STEEL, tr.STEEL), force=178.9e3)
    exact = [tr.carter.line(hertz, 0.5, 0.3, force=f).creepage for f in (10e3, 20e3, 34.3488e3, 50e3)]
    assert data["longitudinal"].values == pytest.approx(exact, rel=5e-3)
    assert data["force_x"].values[2] == pytest.approx(34.3488e3, rel=1e-6)


def test_shifted_ball_runs_through_a_closed_loop():
    data = tr.simulate(shipped()["shifted-ball"]).data
    force, moved = data["force_x"].values, data["displacement_x"].values
    assert force[-1] == pytest.approx(force[4])
    assert moved[-1] == pytest.approx(moved[4], rel=1e-3)  # after a cycle it is where it was
    assert moved[11] == pytest.approx(-moved[4], rel=1e-3)
    # what the loop encloses is lost; between the few steps its sides are curved
    area = abs(np.trapezoid(force[4:], moved[4:]))
    assert area == pytest.approx(data["dissipation"].values[5:].sum(), rel=0.1)


def test_creep_forces_are_those_of_single_calls():
    scenario = load(shipped()["creep-forces"])
    case = scenario.case
    assert len(case.steps) == 12
    stepper = steady.SteadyStepper(case)
    data = tr.simulate(scenario).data
    for k in (3, 10):
        given = case.steps[k]
        t = tr.roll_steady(stepper.pressed(1e5), 0.3, creepage=(given["longitudinal"], 0.0, given["spin"]))
        assert (data["force_x"].values[k], data["moment"].values[k]) == (t.force[0], t.moment)


@pytest.mark.parametrize("text", [SHIFT, STEADY, LINE])
def test_state_is_all_there_is(text):
    """From a copied state a fresh stepper goes on, bit for bit."""
    scenario = loads(text)
    assert loads(scenario.to_toml()) == scenario
    one = scenario.definition.stepper(scenario.case)
    state = one.initial()
    for _ in range(one.total):
        fresh = scenario.definition.stepper(scenario.case)
        copied = {name: value.copy() for name, value in state.items()}
        after, sample = one.advance(state)
        again, same = fresh.advance(copied)
        for left, right in ((after, again), (sample, same)):
            assert left.keys() == right.keys()
            for name, value in left.items():
                np.testing.assert_array_equal(value, right[name])
        state = after


@pytest.mark.parametrize("text", [SHIFT, STEADY, LINE])
def test_figures_and_tables(text):
    scenario = loads(text)
    run = tr.simulate(scenario)
    kind, case = scenario.definition, scenario.case
    samples = {name: run.data[name].values for name in run.data.variables}
    names = [name for name, _, _ in kind.figures(case, samples)]
    assert ("tractions" in names) == (text is not LINE)
    assert "section" in names
    assert ("force_over_displacement" in names) == (text is SHIFT)
    inputs, steps, checks = kind.tables(case, samples)
    assert len(steps.rows) == len(case.steps)
    assert {row[-1] for row in checks.rows} <= {"passed", "coarse"}
    assert dict(inputs.rows)["coefficient of friction"] == "0.3"


def test_loads_may_change_from_step_to_step():
    text = SHIFT.replace('force = "100 N"', 'force = ["100 N", "120 N", "90 N"]')
    data = tr.simulate(loads(text)).data
    assert data["normal_force"].values == pytest.approx([100.0, 120.0, 90.0])
    assert data["force_x"].values == pytest.approx([10.0, -10.0, 10.0])


def test_combinations_are_all_there():
    text = STEADY.replace('spin = "1 rad/m"', 'spin = [0.0, 1.0, 2.0]\ncombine = "all"')
    steps = loads(text).case.steps
    assert len({(step["longitudinal"], step["spin"]) for step in steps}) == 6


WRONG = {
    (SHIFT, "friction = 0.3", "friction = -1"): r"friction = -1 should be greater than or equal to 0",
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
}


@pytest.mark.parametrize("change", WRONG, ids=lambda change: change[2][:20])
def test_errors_name_the_key(change):
    text, old, new = change
    assert old in text
    with pytest.raises(ScenarioError) as caught:
        loads(text.replace(old, new, 1), "a")
    assert re.search(WRONG[change], str(caught.value)), str(caught.value)


def test_too_many_combinations_are_refused():
    many = ", ".join(str(1e-5 * k) for k in range(101))
    text = STEADY.replace('"0.1 %", 0.002', many).replace('"1 rad/m"', f'[{many}]\ncombine = "all"')
    with pytest.raises(ScenarioError, match="has 10201 combinations, at most 10000"):
        loads(text)


def test_kinds_say_what_they_are():
    assert (shift.KIND.name, steady.KIND.name) == ("shift", "steady")
