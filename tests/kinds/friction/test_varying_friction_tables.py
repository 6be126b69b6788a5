"""Friction by temperature and along the track in scenario files: as the solvers take it, resumed, refused."""

import numpy as np
import pytest

import traction as tr
from kinds.friction.test_friction_tables import BODIES, contact
from kinds.resumed import assert_goes_on
from traction.kinds.case import loads
from traction.kinds.sweep.sweep_plan import plan_sweep
from traction.scenario.toml import ScenarioError
from traction.scenario.variations import variations

WARM = """
[friction]
temperatures = [20, 420]
coefficients = [1.0, 0.5]
bulk = [30, 20]
slip_law = {law = "exponential", kinetic = 0.15, drop = 0.2, half_speed = "1 m/s"}
[layer]
shear_modulus = "4 GPa"
thickness = "50 um"
"""
SLIPPERY = """
[friction]
places = ["0 mm", "0 mm"]
values = [1.0, 0.2]
base = {temperatures = [0, 400], coefficients = [0.35, 0.15]}
"""
ROLLING = '[rolling]\nstep = "0.4 mm"\nsteps = 3\nlongitudinal = 0.01\n'
STEADY = f'kind = "steady"\nspeed = "20 m/s"\n{WARM}{BODIES}[rolling]\nlongitudinal = [0.002, 0.02]\n'
CREEP = f'kind = "creep-table"\nspeed = "20 m/s"\n{WARM}{BODIES}[rolling]\nlongitudinal = [0.002, 0.02]\n'
ROLL = f'kind = "roll"\nspeed = "20 m/s"\nposition = "-0.5 mm"\n{SLIPPERY}{BODIES}{ROLLING}'
FALLING = tr.friction.exponential(0.15, (0.2, 1.0))
FRICTION = tr.friction.thermal([20, 420], [1.0, 0.5], law=FALLING, bulk=(30, 20))
LAYER = tr.Layer(4e9, 50e-6)


@pytest.mark.parametrize("text", [STEADY, CREEP], ids=["steady", "creep-table"])
def test_steady_is_that_of_the_solver(text, tmp_path):
    data, n = tr.simulate(loads(text), tmp_path).data, contact()
    expected = [
        tr.roll_steady(n, FRICTION, creepage=(xi, 0.0, 0.0), speed=20.0, layer=LAYER) for xi in (0.002, 0.02)
    ]
    assert data["force_x"].values == pytest.approx([t.force[0] for t in expected], rel=1e-9)
    hottest = [t.temperature.max() for t in expected]
    assert data["highest_temperature"].values == pytest.approx(hottest, rel=1e-9)


def test_roll_is_that_of_the_solver(tmp_path):
    """Heat and place are carried from step to step."""
    found = tr.simulate(loads(ROLL), tmp_path).data["force_x"].values
    law = tr.friction.along_track([0.0, 0.0], [1.0, 0.2], tr.friction.thermal([0, 400], [0.35, 0.15]))
    t = tr.shift(contact(), 0.35, displacement=(0.0, 0.0, 0.0), position=-0.5e-3)
    expected = [0.0]
    for _ in range(3):
        t = tr.roll(t, law, distance=0.4e-3, creepage=(0.01, 0.0, 0.0), speed=20.0)
        expected.append(t.force[0])
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-3)


def test_state_is_all_there_is():
    assert_goes_on(loads(ROLL), lambda number, _: True)


CROSS = """
kind = "cross"
contact = "hertz"
speed = "15 m/s"
[beam]
length = "2 m"
bending_stiffness = "50 MN m^2"
mass_per_length = "4 t/m"
[[axle]]
mass = "8 t"
[drive]
creepage = 0.01
elements = 8
friction = { places = ["4 mm", "4 mm"], values = [0.3, 0.1] }
[model]
size = 4
[time]
dt = "0.1 ms"
samples = 9
t_end = "1.6 ms"
"""


@pytest.mark.filterwarnings("ignore::traction.errors.StepWarning")
def test_driven_wheels_meet_friction_along_the_bridge():
    """Two elements of way a step, over a place where it is slippery; samples know all that the next needs."""
    scenario = loads(CROSS)
    drive = scenario.case.drives[0]
    assert drive.friction.value([0.0, 1.0]) == pytest.approx([0.3, 0.1])
    stepper = scenario.definition.stepper(scenario.case)
    state, used = stepper.initial(), []
    for _ in range(stepper.layout.total):
        state, sample = stepper.advance(state)
        used.append(float(sample["longitudinal_force"][0] / sample["contact_force"][0]))
    assert used[0] == pytest.approx(-0.3, rel=0.1)  # the patch reaches to it
    assert used[-1] == pytest.approx(-0.1, rel=0.05)
    assert_goes_on(scenario, lambda number, _: number == 4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (STEADY.replace('speed = "20 m/s"\n', "", 1), "needs speed"),
        (STEADY.replace("temperatures = [20, 420]", "temperatures = [420, 20]"), "must increase"),
        (STEADY.replace("bulk =", "bulc ="), 'unknown key "friction.bulc"; did you mean "bulk"'),
        (STEADY.replace("kinetic =", "kinetc ="), 'unknown key "friction.slip_law.kinetc"; did you mean'),
        (STEADY.replace("[20, 420]", '["20 degC", "420 degC"]').replace("bulk = [30, 20]\n", ""), "no bulk"),
        (STEADY.replace("[20, 420]", '["20 degC", "420 degC"]'), 'such as "20 degC", and without'),
        (
            STEADY.replace("[20, 420]", '["20 m", "420 m"]').replace("[30, 20]", '["30 m", "20 m"]'),
            "is a length, expected a temperature",
        ),
        (STEADY.replace("[20, 420]", '["20 degC", nan]'), r"temperatures.* = nan must be"),
        (STEADY.replace("[20, 420]", '[true, "420 degC"]'), r"temperatures.* = true must be"),
        (STEADY.replace("[20, 420]", f'["{300 * "4"}", 420]'), "is too long for a quantity"),
        (STEADY.replace("[20, 420]", '["20 degC", 1e9]'), "temperatures.* must be at most"),
        (STEADY.replace("[30, 20]", '["30 degC", inf]'), r"bulk.* = inf must be"),
        (STEADY.replace("[20, 420]", '["20 K", 420]'), "friction has temperatures with a unit"),
        (
            STEADY.replace("[20, 420]", '["20 K", "420 K"]').replace("bulk = [30, 20]\n", ""),
            "with a unit and no bulk",
        ),
        (
            STEADY.replace("[30, 20]", '["-400 degC", "20 degC"]').replace(
                "[20, 420]", '["20 degC", "420 degC"]'
            ),
            "-126.85 K, below absolute zero",
        ),
        (STEADY.replace("[30, 20]", "[-10, 20]"), "numbers are K, degC needs a text"),
        (
            STEADY.replace('kind = "steady"', 'kind = "steady"\nposition = 1.0'),
            "only friction along the track",
        ),
        (ROLL.replace("values = [1.0, 0.2]", "values = [1.0, 0.0]"), "must be positive"),
        (ROLL.replace("coefficients =", "factors ="), 'unknown key "friction.base.factors"'),
        (
            ROLL.replace("base = {temperatures = [0, 400], coefficients = [0.35, 0.15]}", "base = 0.3"),
            "base = 0.3 must be a table of a law",
        ),
        (
            ROLL.replace(BODIES, f"{BODIES}[upper]\nyoungs_modulus = 2e11\npoisson_ratio = 0.3\n"),
            "upper has no density",
        ),
        (
            f'kind = "shift"\nspeed = 1.0\n{WARM}{BODIES}[shift]\ndisplacement_x = "4 um"\n',
            "is for rolling",
        ),
    ],
)
def test_what_does_not_fit_is_refused_by_name(text, words):
    with pytest.raises(ScenarioError, match=words):
        loads(text)


@pytest.mark.parametrize(
    ("heat", "conductivity"),
    [("500", "20"), ('"500 J/(kg K)"', '"20 W/(m K)"'), ('"0.5 kJ/kg/K"', '"20 W/m/K"')],
)
def test_materials_may_have_thermal_constants(heat, conductivity):
    bodies = f"{BODIES}[upper]\nyoungs_modulus = 2e11\npoisson_ratio = 0.3\ndensity = 7000\n"
    text = STEADY.replace(BODIES, f"{bodies}specific_heat = {heat}\nconductivity = {conductivity}\n")
    upper = loads(text).case.pair.upper
    assert (upper.specific_heat, upper.conductivity) == (500.0, 20.0)
    assert np.isfinite(upper.diffusivity)


ABSOLUTE = tr.friction.thermal([293.15, 693.15], [1.0, 0.5], law=FALLING, bulk=(303.15, 293.15))
SCALES = {
    "K": (["293.15 K", "693.15 K"], ["303.15 K", "293.15 K"]),
    "degC": (["20 degC", "420 degC"], ["30 degC", "20 degC"]),
    "mixed": (["20 degC", "693.15 K"], ["303.15 K", "20 degC"]),
    "numbers": ([293.15, 693.15], [303.15, 293.15]),
}


def on_scale(temperatures, bulk):
    text = STEADY.replace("[20, 420]", str(temperatures)).replace("'", '"')
    return text.replace("[30, 20]", str(bulk).replace("'", '"'))


@pytest.mark.parametrize("scale", SCALES)
def test_temperatures_in_K_and_degC_are_those_in_K(scale):
    case = loads(on_scale(*SCALES[scale])).case
    found = case.friction.build()
    assert found.temperatures == pytest.approx(ABSOLUTE.temperatures, rel=1e-15)
    assert found.bulk == pytest.approx(ABSOLUTE.bulk, rel=1e-15)
    assert case.friction.words.startswith("1 at 293.15 K to 0.5 at 693.15 K times")
    assert loads(loads(on_scale(*SCALES[scale])).to_toml()).case == case


def test_results_are_in_K_and_name_a_rise(tmp_path):
    """20 degC of the bodies add 293.15 K to the rise above them; forces are the same."""
    rising = STEADY.replace("[20, 420]", "[0, 400]").replace("bulk = [30, 20]\n", "")
    cases = {"rise": rising, "degC": on_scale(SCALES["degC"][0], ["20 degC", "20 degC"])}
    data = {name: tr.simulate(loads(text), tmp_path / name).data for name, text in cases.items()}
    rise, hot = (data[name]["highest_temperature"] for name in cases)
    assert hot.values == pytest.approx(rise.values + 293.15, rel=1e-6)
    assert data["degC"]["force_x"].values == pytest.approx(data["rise"]["force_x"].values, rel=1e-6)
    assert hot.attrs["units"] == rise.attrs["units"] == "K"
    assert hot.attrs["long_name"] == "highest temperature in the contact"
    assert rise.attrs["long_name"] == "highest temperature rise in the contact"
    assert loads(rising).case.friction.words.startswith("1 at a rise of 0 K to 0.5 at 400 K")


def test_swept_temperatures_are_shown_in_K(tmp_path):
    (tmp_path / "hot.toml").write_text(on_scale(*SCALES["degC"]))
    plan = plan_sweep(tmp_path / "hot.toml", variations({"friction.bulk.0": "20:40:2 degC"}))
    (column,) = plan.varied
    assert (column.shown_in.name, column.text(0), column.text(1)) == ("K", "293.15", "313.15")
