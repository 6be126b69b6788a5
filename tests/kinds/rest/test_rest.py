"""Kind "rest": the answers of `tr.rest`, reports, errors."""

import shutil

import numpy as np
import pytest

import traction as tr
from traction.kinds.report_run import report_run
from traction.scenario.toml import ScenarioError

THESIS = {"length": "20 m", "bending_stiffness": "2.08 GN m^2", "mass_per_length": "7900 kg/m"}
REST = {"beam": THESIS, "wheel": [{"at": "10 m", "force": "745.56 kN"}]}


def test_one_wheel_is_that_of_the_library():
    data = tr.simulate(tr.Scenario.build("rest", **REST)).data
    bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0), tr.STEEL)
    known = tr.rest(tr.Wheel(0.46, 1.0), bridge, 10.0, 745560.0)
    x = data["x"].values
    np.testing.assert_allclose(data["deflection"][0], known.surface(x), rtol=1e-12)
    np.testing.assert_allclose(data["local_deflection"] + data["global_deflection"], data["deflection"])
    np.testing.assert_array_equal(data["pressure"][0, 0], known.contacts[0].pressure)
    assert float(data["equilibrium"][0]) < 1e-10
    assert float(data["beam_deflection"][0, 0]) == pytest.approx(745560.0 * 20**3 / (192 * 2.08e9), rel=1e-5)


def test_several_wheels_by_force_and_drop():
    wheels = [
        {"at": "5 m", "force": "300 kN", "crown": "1 m"},
        {"at": "12 m", "drop": "9 mm", "radius": "0.5 m"},
    ]
    rail = {"crown": "0.3 m", "material": {"youngs_modulus": "100 GPa", "poisson_ratio": 0.28}}
    data = tr.simulate(tr.Scenario.build("rest", beam=THESIS, wheel=wheels, rail=rail)).data
    material = tr.Material(100e9, 0.28)
    rail_profile = tr.Cylinder(0.3, axis="x")
    bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0), material, rail_profile=rail_profile)
    own = [tr.Wheel(0.46, 1.0, profile=tr.Paraboloid(0.46, 1.0)), tr.Wheel(0.5, 1.0)]
    known = tr.rest(own, bridge, [5.0, 12.0], [300e3, None], drop=[None, 9e-3])
    np.testing.assert_allclose(data["force"][0], known.forces, rtol=1e-10)
    np.testing.assert_allclose(data["drop"][0], known.drops, rtol=1e-10)


@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize("name", ["wheel-at-rest", "wheel-on-thin-beam"])
def test_reports_show_local_global_and_sum(name, built_in, tmp_path):
    folder = shutil.copytree(built_in(name).folder, tmp_path / "run")
    files = {path.name for path in report_run(folder).files}
    assert {"report.html", "deflection.png", "patch.svg", "steps.png"} <= files
    text = (tmp_path / "run" / "report.html").read_text()
    assert "by bending" in text
    assert ("beyond small deflections" in text) == (name == "wheel-on-thin-beam")


def test_bending_lengthens_the_patch_of_a_thin_beam(built_in):
    data = built_in("wheel-on-thin-beam").data
    longer = float(data["semi_axis_x"][0, 0] / data["straight_semi_axis_x"][0, 0])
    assert 1.15 < longer < 1.25
    assert float(data["peak_pressure"][0, 0]) < float(data["straight_peak_pressure"][0, 0])


def test_what_makes_it_rough_is_the_message_of_the_run(built_in):
    assert tr.simulate(tr.Scenario.build("rest", **REST)).message == ""
    run = built_in("wheel-on-thin-beam")
    assert run.ok
    assert "beyond the 0.1 of small deflections" in run.message
    end = [{"at": "1 mm", "force": "50 kN"}]
    run = tr.simulate(tr.Scenario.build("rest", beam=THESIS, wheel=end))
    assert "notice: The patch of the wheel at 0.001 m extends beyond the end" in str(run)
    assert 0.0 < float(run.data["beyond_end"][0, 0]) < 0.01


WRONG = {
    "wheel.0 needs either a force or a drop": {"wheel": [{"at": 1.0}]},
    "wheel.0.at = 25 m outside the beam": {"wheel": [{"at": 25.0, "force": 1.0}]},
    "an unsupported beam": {"beam": {**THESIS, "supports": ["free", "free"]}},
    "does not support line contact": {"grid": {"nx": 8, "width_x": 0.02, "line": True}},
    "wheel.0.force = -1": {"wheel": [{"at": 1.0, "force": -1}]},
    "solver.method": {"solver": {"method": "picard"}},
}


@pytest.mark.parametrize("message", WRONG)
def test_what_cannot_be_is_refused_with_a_sentence(message):
    with pytest.raises(ScenarioError, match=message):
        tr.Scenario.build("rest", **{**REST, **WRONG[message]})


def test_fixed_point_says_when_it_does_not_converge():
    wheel = [{"at": "10 m", "drop": "15.3 mm"}]
    case = tr.Scenario.build("rest", beam=THESIS, wheel=wheel, solver={"method": "fixed-point"})
    with pytest.raises(tr.ConvergenceError, match="No convergence"):
        tr.simulate(case)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (
            {"grid": {"nx": 16, "ny": 16, "width_x": "3 mm", "width_y": "3 mm"}},
            r"smaller than the patch of wheel 1 \(index 0\)",
        ),
        ({"beam": THESIS | {"bending_stiffness": "0.1 MN m^2"}}, "stiffen it, or reduce the load"),
    ],
)
def test_what_cannot_be_solved_for_leaves_no_folder(changed, words, tmp_path):
    with pytest.raises(tr.InputError, match=words):
        tr.simulate(tr.Scenario.build("rest", **REST | changed), out=tmp_path / "run")
    assert not (tmp_path / "run").exists()
