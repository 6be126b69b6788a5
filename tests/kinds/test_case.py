"""Scenarios: shipped ones run, all are saved and loaded back without loss, and errors name key and limit."""

import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import traction as tr
from built_ins import SHORTER
from kinds.no_computing import nothing_computed
from traction.kinds.case import load, loads
from traction.kinds.registry import KINDS, kind_of, shipped
from traction.kinds.report_run import report_run
from traction.results.storage.container import DamagedError
from traction.scenario.toml import ScenarioError

PRESS = """kind = "press"
[grid]
nx = 16
ny = 16
width_x = "0.5 mm"
width_y = "0.5 mm"
[[surface]]
type = "sphere"
radius = "10 mm"
[load]
force = "50 N"
"""


@pytest.mark.parametrize("name", shipped())
def test_shipped_scenarios_survive_saving(name, tmp_path):
    scenario = load(shipped()[name])
    assert tr.load(scenario.save(tmp_path / "saved.toml")) == scenario
    assert loads(scenario.to_toml()) == scenario


@pytest.mark.parametrize("name", shipped())
def test_built_in_scenarios_run_and_are_reported(name, built_in, built_in_report):
    """Reports are made of the finished folder alone, and compute nothing."""
    run = built_in(name)
    assert run.ok
    assert run.key_figures
    shown = {".html", ".png", ".svg"}
    files = [path for path in built_in_report(name).parent.iterdir() if path.suffix in shown]
    assert {path.suffix for path in files} == shown
    assert all(path.stat().st_size for path in files)


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped())
def test_built_in_scenarios_at_full_length(name, tmp_path):
    run = tr.simulate(shipped()[name], tmp_path / "run")
    assert run.ok
    assert_report_reads(run)


@pytest.mark.parametrize("name", ["ball-on-plate", "flat-wheel"])
def test_a_run_in_memory_is_that_on_disk(name, built_in):
    disk = built_in(name)
    memory = tr.simulate(load(shipped()[name], changes=SHORTER[name]))
    assert memory.key_figures == disk.key_figures
    assert set(memory.data.data_vars) == set(disk.data.data_vars)
    for field in memory.data.data_vars:
        np.testing.assert_array_equal(memory.data[field], disk.data[field])


def assert_report_reads(run):
    """The report, made again from the finished folder alone, computes nothing."""
    _ = kind_of(run.kind).report  # loaded, so that its names are guarded too
    with nothing_computed():
        written = report_run(run.folder)
    assert {".html", ".png", ".svg"} <= {path.suffix for path in written.files}
    assert all(path.stat().st_size for path in written.files)


def test_kinds_have_their_parts():
    for name in KINDS:
        kind = kind_of(name)
        assert kind.name == name
        assert callable(kind.stepper)
        assert callable(kind.report.figures)


@pytest.mark.usefixtures("quick_figures")
def test_damaged_findings_are_named_and_found_again(tmp_path):
    fields = {"beam": {"length": 1, "bending_stiffness": 1, "mass_per_length": 1}, "modes": 3}
    run = tr.simulate(tr.Scenario.build("modes", **fields), tmp_path / "run")
    file = run.folder / "findings.bin"
    whole = file.read_bytes()
    for damaged in (whole[:-1], None):
        file.unlink() if damaged is None else file.write_bytes(damaged)
        with pytest.raises(DamagedError, match=r"findings\.bin"):
            report_run(run.folder)
        assert tr.resume(run.folder).key_figures == run.key_figures
        assert file.read_bytes() == whole
    assert report_run(run.folder).missed == []


def test_a_run_in_memory_has_no_report():
    run = tr.simulate(loads(PRESS))
    with pytest.raises(tr.InputError, match="in memory only"):
        report_run(run)


LOADED = """
import sys
from traction.kinds.registry import KINDS, kind_of
for name in KINDS:
    kind_of(name).schema
shown = [name for name in sys.modules if name.startswith("traction.kinds.") and name.endswith(".report")]
print(shown + [name for name in sys.modules if name.startswith("matplotlib")])
"""


def test_schemas_load_neither_figures_nor_reports():
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_shipped_ball_agrees_with_hertz(built_in):
    data = built_in("ball-on-plate").data
    exact = tr.hertz.sphere(0.01, tr.Pair(tr.STEEL, tr.STEEL), force=100.0)
    assert float(data["approach"][-1]) == pytest.approx(exact.approach, rel=5e-3)
    assert float(data["peak_pressure"][-1]) == pytest.approx(exact.peak_pressure, rel=5e-3)


def test_a_case_from_python_equals_the_file():
    built = tr.Scenario.build(
        "press",
        grid={"nx": 16, "ny": 16, "width_x": 0.5e-3, "width_y": "0.5 mm"},
        surface=[{"type": "sphere", "radius": "10 mm"}],
        load={"force": 50.0},
    )
    assert built == loads(PRESS)


positive = st.floats(1e-9, 1e9)
lengths = st.floats(-1e3, 1e3)
materials = st.sampled_from(["steel", "rigid"]) | st.fixed_dictionaries(
    {"youngs_modulus": positive, "poisson_ratio": st.floats(-0.9, 0.5)}, optional={"density": positive}
)
surfaces = st.fixed_dictionaries(
    {"type": st.just("sphere"), "radius": positive}, optional={"center_x": lengths, "exact": st.booleans()}
) | st.fixed_dictionaries({"type": st.just("paraboloid"), "radius_x": positive, "radius_y": positive})
UNPRINTABLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
cases = st.fixed_dictionaries(
    {
        "grid": st.fixed_dictionaries(
            {"nx": st.integers(1, 64), "ny": st.integers(1, 64), "width_x": positive, "width_y": positive}
        ),
        "surface": st.lists(surfaces, min_size=1, max_size=4),
        "load": st.fixed_dictionaries({"force": positive | st.lists(positive, min_size=1, max_size=5)})
        | st.fixed_dictionaries({"approach": lengths}),
    },
    optional={
        "title": st.text(st.characters(codec="utf-8", exclude_categories=UNPRINTABLE), max_size=50),
        "upper": materials,
        "lower": materials,
        "solver": st.fixed_dictionaries({"tol": st.floats(1e-11, 0.9)}),
    },
).filter(lambda fields: fields.get("upper") != "rigid" or fields.get("lower") != "rigid")


@given(fields=cases)
def test_any_case_survives_saving(fields):
    scenario = tr.Scenario.build("press", **fields)
    assert loads(scenario.to_toml()) == scenario


def test_two_rigid_bodies_are_refused():
    grid = {"nx": 4, "ny": 4, "width_x": 1e-3, "width_y": 1e-3}
    fields = {"grid": grid, "surface": [{"type": "sphere", "radius": 0.1}], "load": {"force": 1.0}}
    with pytest.raises(tr.InputError, match="two rigid bodies"):
        tr.Scenario.build("press", upper="rigid", lower="rigid", **fields)


WRONG = {
    ("nx = 16", "nx = 0"): r"a:3: grid\.nx = 0 must be at least 1",
    ("nx = 16", "nx = 16.5"): r"a:3: grid\.nx = 16\.5 must be a whole number",
    ("nx = 16", "nx = true"): r"a:3: grid\.nx = true must be a whole number",
    (
        "nx = 16\nny = 16",
        "nx = 8192\nny = 8192",
    ): r"a:2: grid has nx \* ny = 67108864 elements, at most 16777216",
    ("ny = 16", "nz = 16"): r'a:4: unknown key "grid.nz"; did you mean "n[xy]"\?',
    (
        '"10 mm"',
        '"10 m/s"',
    ): r'a:9: surface\.0\.radius = "10 m/s" is a speed, expected a length such as "0.25 mm"',
    ('"10 mm"', "nan"): r"a:9: surface\.0\.radius = nan must be a finite number",
    ('"10 mm"', "inf"): r"a:9: surface\.0\.radius = inf must be a finite number",
    ('"10 mm"', "-1"): r"a:9: surface\.0\.radius = -1 must be positive",
    ('"sphere"', '"cube"'): r"surface\.0\.type must be one of 'sphere'",
    ('"50 N"', "true"): r"^a:11: load\.force = true must be a number\.$",
    ('"50 N"', "[1, 2, -3]"): r"a:11: load\.force\.2 = -3 must be positive",
    ("force", "forces"): r'a:11: unknown key "load.forces"; did you mean "force"',
    (
        "[grid]",
        'upper = "stele"\n[grid]',
    ): r"upper = \"stele\" must be 'steel' or 'rigid'; did you mean \"steel\"",
    ('"press"', '"pres"'): r'a:1: kind = "pres" is not known; did you mean "press"\?',
    ('"press"', "[]"): r"a:1: kind = \[\] is not known",
    ('force = "50 N"', "approach = 1\nforce = 1"): r"a:10: load needs exactly one of",
}


@pytest.mark.parametrize("change", WRONG)
def test_errors_name_line_key_value_and_limit(change):
    with pytest.raises(ScenarioError) as caught:
        loads(PRESS.replace(*change, 1), "a")
    assert re.search(WRONG[change], str(caught.value)), str(caught.value)


def test_files_beside_a_scenario_are_read_and_saved_with_it(tmp_path):
    (tmp_path / "profile.csv").write_text("-1, 0.1\n0, 0\n1, 0.1\n")
    wheel = 'type = "profile"\nfile = "profile.csv"\nradius = 0.5'
    text = PRESS.replace('type = "sphere"\nradius = "10 mm"', wheel)
    (tmp_path / "a.toml").write_text(text)
    scenario = load(tmp_path / "a.toml")
    assert scenario.case.surface[0].z == [0.1, 0.0, 0.1]
    assert loads(scenario.to_toml()) == scenario
    with pytest.raises(ScenarioError, match=r"a:9: surface\.0\.file: text alone cannot refer to files"):
        loads(text, "a")
    (tmp_path / "a.toml").write_text(text.replace("profile.csv", "../up.csv"))
    with pytest.raises(ScenarioError, match=r"a\.toml:9: surface\.0\.file = .* must lie in the folder"):
        load(tmp_path / "a.toml")


def test_changes_reach_keys_elements_and_new_tables(tmp_path):
    file = tmp_path / "a.toml"
    file.write_text(PRESS)
    changes = {"load.force": "[1, 2]", "load.force.1": "3 kN", "surface.0.radius": "1", "solver.tol": "1e-4"}
    case = load(file, changes=changes).case
    assert case.load.force == [1.0, 3e3]
    assert (case.surface[0].radius, case.solver.tol) == (1.0, 1e-4)
    for key, message in {
        "surface.1.radius": "from 0 to 0",
        "surface.².radius": "from 0 to 0",
        "grid.nx.a": "no table",
        "grid.nz": "unknown key",
        "": "unknown key",
    }.items():
        with pytest.raises(ScenarioError, match=f"^--set {key}=1: .*{message}"):
            load(file, changes={key: "1"})
