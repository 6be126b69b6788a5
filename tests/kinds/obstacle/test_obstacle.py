"""The kind "obstacle": what a file says is what is solved; loads that do not touch; bad files."""

import numpy as np
import pytest

import traction as tr
from built_ins import read_stored
from traction.kinds.case import loads
from traction.kinds.obstacle.run import ObstacleStepper
from traction.kinds.registry import shipped
from traction.scenario.toml import ScenarioError

FILE = """kind = "obstacle"
[beam]
length = "1.5 m"
bending_stiffness = "350 N m^2"
shear_stiffness = "0.6 MN"
[obstacle]
type = "flat"
gap = "2 mm"
[load]
per_length = ["0.1 N/m", "1 kN/m"]
[mesh]
elements = 100
"""


def test_file_is_the_call():
    data = tr.simulate(loads(FILE)).data
    beam = tr.Beam(1.5, 350.0, 1.0, shear_stiffness=6e5, supports=("clamped", "free"))
    contact = tr.obstacle.solve(beam, 1e3, 0.002, 100)
    assert float(data["force"][-1]) == contact.force
    x = np.asarray(data["x"])
    assert np.asarray(data["deflection"][-1]) == pytest.approx(contact.deflection(x), abs=0.0)


def test_load_before_the_first_touch_only_bends():
    data = tr.simulate(loads(FILE)).data
    assert float(data["force"][0]) == 0.0
    assert np.isnan(float(data["free_length"][0]))
    bending = tr.Beam(1.5, 350.0, 1.0, shear_stiffness=6e5, supports=("clamped", "free")).bend(load=0.1)
    assert np.asarray(data["deflection"][0])[-1] == pytest.approx(float(bending.deflection(1.5)), rel=1e-12)


def test_last_load_that_does_not_touch_is_told():
    with pytest.raises(tr.InputError, match="never closes the gap"):
        tr.simulate(loads(FILE.replace('["0.1 N/m", "1 kN/m"]', '"0.1 N/m"')))


@pytest.mark.parametrize("name", ["beam-on-obstacle", "beam-on-step"])
def test_report_of_shipped_cases(name, built_in):
    scenario, run = tr.load(shipped()[name]), built_in(name)
    stored = read_stored(run)
    assert float(run.data["penetration"].max()) < 1e-3
    assert float(run.data["imbalance"].max()) < 1e-10
    shown = scenario.definition.report(scenario.case, stored)
    results, checks, inputs = shown.tables()
    assert all(row[-1] == "passed" for row in checks.rows)
    assert dict(results.rows)["load per length"] in ("1.000 kN/m", "30.00 kN/m")
    assert "gap" in dict(inputs.rows)["obstacle"]
    drawn = list(shown.figures())
    assert len(drawn) == (2 if len(scenario.case.load.values) > 1 else 1)
    assert len(drawn[0][2].axes) == 4


def test_shipped_strip_is_the_benchmark():
    case = tr.load(shipped()["beam-on-obstacle"]).case
    contact = ObstacleStepper(case).solve_load(1e3)
    closed = contact.benchmark
    assert contact.free_length == pytest.approx(closed.free_length, rel=1e-5)
    assert contact.excess_force == pytest.approx(1e3 * closed.scale * closed.benchmark.excess_force, rel=1e-4)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('gap = "2 mm"', 'gap = "-2 mm"', "gap"),
        ('gap = "2 mm"', 'gap = "2 N"', "is a force, expected a length"),
        ('type = "flat"', 'type = "hilly"', "flat"),
        ("elements = 100", "elements = 100\nadaptive = true\nfitted = false", "needs fitted = true"),
        ("elements = 100", 'elements = 100\nmultiplier = "cubic"', "multiplier"),
        ('"350 N m^2"', '"350 N m"', "bending stiffness"),
        (
            'type = "flat"\ngap = "2 mm"',
            'type = "inclined"\ngap = "2 mm"\nslope = -0.01',
            "inside the straight beam",
        ),
        ('"0.6 MN"', '"0.6 MN"\nsupports = ["clamped", "glued"]', "supports"),
        ("[mesh]", 'point = [{ force = "1 N", at = "2 m" }]\n[mesh]', "outside the beam"),
        (
            'type = "flat"\ngap = "2 mm"',
            'type = "stepped"\ngaps = ["2 mm", "3 mm"]\nplaces = ["2 m"]',
            "beyond the end",
        ),
    ],
)
def test_bad_files(old, new, message):
    assert old in FILE
    with pytest.raises(ScenarioError, match=message):
        loads(FILE.replace(old, new))
