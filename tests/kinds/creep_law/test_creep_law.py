"""Kind "creep-law": what a file may ask for, what is kept, and what is written."""

import numpy as np
import pytest

import traction as tr
from traction.contact.tables import table_request
from traction.kinds.case import Scenario, loads
from traction.kinds.creep_law import run as running
from traction.kinds.creep_law import schema
from traction.kinds.creep_law.run import CreepLawFindings, CreepLawStepper
from traction.results.folder import RunFolder
from traction.scenario.toml import ScenarioError
from traction.state_arrays import unflatten_state

LAW = 'kind = "creep-law"\n'
AUXETIC = "youngs_modulus = 2e11\npoisson_ratio = -0.2\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ratios = 20.0", "ratios"),
        ("ratios = [2.0, 0.5]", "the first must be below the second"),
        ("ratios = [0.5, 1.0, 2.0]", "ratios"),
        ("ratios = [1.0, 1.02]", "closer than a factor of 1.05; give one"),
        ("error = 1e-5", "error"),
        ('exports = ["usetab"]', "exports"),
        ('device = "tpu"', "device"),
        ('upper = "rigid"', "different materials"),
        (
            f"[upper]\n{AUXETIC}[lower]\n{AUXETIC}",
            "Poisson ratio -0.2, where creep tables have 0 to 0.5",
        ),
        ('upper = "rigid"\nlower = "rigid"', "rigid"),
    ],
)
def test_what_is_refused(text, words):
    with pytest.raises(ScenarioError, match=words):
        loads(f"{LAW}{text}\n")


def test_ratios_that_are_shown():
    assert loads(f"{LAW}ratios = 2.0").case.shown == [2.0]
    assert loads(f"{LAW}ratios = [0.5, 2.0]").case.shown == pytest.approx([0.5, 1.0, 2.0])


def test_ratios_are_limited_as_by_the_function():
    assert schema.LEAST_RANGE == table_request.LEAST_RANGE
    assert (schema.LEAST_RATIO, schema.LARGEST_RATIO) == table_request.RATIOS


GIVEN = (1e-3, -5e-4, 0.2), 6e-3, 5e-3, 8e4, 0.3


def test_curves_start_with_the_linear_theory_and_stay_near_fastsim(built_in):
    data = built_in("creep-law").data
    for motion, name in enumerate(("force_x", "force_y", "force_y")):
        mine = data["motion"].values == motion
        x, force = data["creepage"].values[mine], data[name].values[mine]
        assert force[0] == pytest.approx(0.0, abs=1e-12)
        assert -force[1] / x[1] == pytest.approx(3.0 if motion < 2 else 1.0, rel=0.15)
        assert np.abs(force - data[f"fastsim_{name}"].values[mine]).max() < 0.15


def test_the_report_writes_the_table_and_its_exports(built_in, built_in_report):
    folder = built_in_report("creep-law").parent
    table = tr.CreepTable.load(folder / "creep_table.nc")
    assert table.error <= 0.02
    assert {"creep_forces.c", "creep_forces.h", "creep_table.csv"} <= {path.name for path in folder.iterdir()}
    found = unflatten_state(CreepLawFindings, RunFolder.open(folder).findings())
    assert found.off <= table.error
    again = found.table.restore()
    assert np.array_equal(again.forces(*GIVEN), table.forces(*GIVEN))
    assert np.array_equal(again.error_at(*GIVEN), table.error_at(*GIVEN))


def test_a_table_of_several_ratios_is_asked_for(monkeypatch):
    monkeypatch.setattr(running, "creep_table", lambda **settings: settings)
    stepper = CreepLawStepper(Scenario.build("creep-law", ratios=[0.5, 2.0], error=0.01, device="gpu").case)
    expected = {"pair": stepper.case.pair, "ratios": (0.5, 2.0), "error": 0.01, "device": "gpu"}
    assert stepper.table == expected
