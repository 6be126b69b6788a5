"""Friction laws and layers in scenario files: as the solvers take them, resumed, and refused by name."""

import numpy as np
import pytest

import traction as tr
from kinds.resumed import assert_goes_on
from traction.kinds.case import loads
from traction.scenario.toml import ScenarioError

BODIES = """
[grid]
nx = 20
ny = 18
width_x = "16 mm"
width_y = "12 mm"
[[surface]]
type = "paraboloid"
radius_x = "460 mm"
radius_y = "300 mm"
[load]
force = "100 kN"
"""
LAW = """
[friction]
law = "exponential"
kinetic = 0.15
drop = 0.2
half_speed = "1 m/s"
memory_distance = "3 um"
memory_speed = "1 mm/s"
[layer]
shear_modulus = "4 GPa"
thickness = "50 um"
yield_stress = "300 MPa"
hardening = 1e12
"""
STEADY = f'kind = "steady"\nspeed = "20 m/s"\n{LAW}{BODIES}[rolling]\nlongitudinal = [0.002, 0.02]\n'
ROLL = (
    f'kind = "roll"\nspeed = "20 m/s"\n{LAW}{BODIES}[rolling]\nstep = "0.5 mm"\nsteps = 3\n'
    "longitudinal = 0.006\n"
)
#: without memory and so steep that it lags behind the law
LAGGED = (
    ROLL.replace('memory_distance = "3 um"\nmemory_speed = "1 mm/s"\n', "")
    .replace('"1 m/s"', '"0.1 m/s"')
    .replace("steps = 3", "steps = 12")
)
MOVING = LAGGED.replace('"0.5 mm"', '"0.8 mm"').replace("[rolling]", '[rolling]\nscheme = "moving"')
#: with a memory so short that steps of whole cells lag after some that do not settle
UNSETTLED = MOVING.replace("[layer]", 'memory_distance = "0.3 um"\nmemory_speed = "1 mm/s"\n[layer]')
SHIFT = f'kind = "shift"\nspeed = "0.1 m/s"\n{LAW}{BODIES}[shift]\ndisplacement_x = ["4 um", "20 um"]\n'
FRICTION = tr.friction.exponential(0.15, (0.2, 1.0), memory=(3e-6, 1e-3))
LAYER = tr.Layer(4e9, 50e-6, 300e6, hardening=1e12)


def contact():
    grid = tr.Grid(20, 18, 16e-3 / 20, 12e-3 / 18)
    return tr.press(tr.Paraboloid(0.46, 0.3), grid, tr.Pair(tr.STEEL, tr.STEEL), force=1e5)


def test_steady_is_that_of_the_solver(tmp_path):
    found = tr.simulate(loads(STEADY), tmp_path).data["force_x"].values
    n = contact()
    expected = [
        tr.roll_steady(n, FRICTION, creepage=(xi, 0.0, 0.0), speed=20.0, layer=LAYER).force[0]
        for xi in (0.002, 0.02)
    ]
    assert found == pytest.approx(expected, rel=1e-9)


def test_roll_is_that_of_the_solver(tmp_path):
    """From no traction, with the memory of the particles from step to step."""
    found = tr.simulate(loads(ROLL), tmp_path).data["force_x"].values
    n = contact()
    t = tr.shift(n, FRICTION, displacement=(0.0, 0.0, 0.0), speed=20.0, layer=LAYER)
    expected = [0.0]
    for _ in range(3):
        t = tr.roll(t, FRICTION, distance=0.5e-3, creepage=(0.006, 0.0, 0.0), speed=20.0, layer=LAYER)
        expected.append(t.force[0])
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-3)


@pytest.mark.parametrize("text", [ROLL, LAGGED, MOVING, SHIFT], ids=["roll", "lagged", "moving", "shift"])
def test_state_is_all_there_is(text):
    assert_goes_on(loads(text), lambda number, _: True)


def test_state_counts_the_steps_that_did_not_settle():
    lags = []
    assert_goes_on(loads(UNSETTLED), lambda number, sample: bool(lags.append(sample["lag"])) or True)
    assert lags[:4] == [0.0] * 4
    assert lags[-1] > 0.0


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('speed = "20 m/s"\n', "", "needs speed"),
        ("drop = 0.2\n", "", "needs drop"),
        ('law = "exponential"', 'law = "expo"', 'did you mean "exponential"'),
        ('law = "exponential"', 'law = "polach"', "needs static"),
        ('memory_speed = "1 mm/s"\n', "", "memory_distance and memory_speed together"),
        ('memory_speed = "1 mm/s"\n', 'memory_speed = "1 mm/s"\ndecay = 1.0\n', "has decay"),
        ('yield_stress = "300 MPa"\n', "", "needs a yield_stress"),
        ("drop = 0.2\n", "drop = -0.2\n", "must not be negative"),
    ],
)
def test_wrong_tables_are_refused(old, new, words):
    assert old in STEADY
    with pytest.raises(ScenarioError, match=words):
        loads(STEADY.replace(old, new, 1))


def test_polach_is_an_exponential_law():
    text = STEADY.replace(
        'law = "exponential"\nkinetic = 0.15\ndrop = 0.2\nhalf_speed = "1 m/s"',
        'law = "polach"\nstatic = 0.5\nratio = 0.4\ndecay = 0.6',
    )
    law = loads(text).case.law
    assert law.coefficient([0.0, 1.0]) == pytest.approx(0.5 * (0.6 * np.exp([0.0, -0.6]) + 0.4))
