"""Kind "impact": the shipped cases, restart, report, errors."""

import numpy as np
import pytest

import traction as tr
from kinds.resumed import assert_stopped_is_whole
from traction.kinds.report_run import report_run
from traction.scenario.validation import ScenarioError

STEEL = {"youngs_modulus": "210 GPa", "poisson_ratio": 0.3, "density": 7800.0}
BEAM = {
    "upper": STEEL,
    "lower": STEEL,
    "structure": {"type": "beam", "length": "20 cm", "width": "1 cm", "thickness": "1 cm", "modes": 20},
    "ball": {"radius": "1 cm", "speed": "0.1 m/s"},
    "time": {"samples": 201, "points": 21},
}
SHEET = {"type": "plate", "length": 0.3, "width": 0.2, "thickness": "4 mm", "modes": 200}
PLATE = {**BEAM, "structure": SHEET}


def test_shipped_case_is_the_classical_one(built_in):
    run = built_in("ball-on-beam")
    found = {name: value for name, value, _ in run.key_figures}
    assert found["largest force of the first contact"] == pytest.approx(4.97713972, rel=1e-8)
    assert found["duration of the first contact"] == pytest.approx(156.40216e-6, rel=1e-7)
    data = run.data
    assert float(data["force"].max()) == pytest.approx(4.97713972, rel=1e-4)
    middle = data["deflection"].sel(x=0.07675, method="nearest")
    np.testing.assert_allclose(middle, data["structure_displacement"], atol=1e-15)


def test_shipped_cantilever_has_four_contacts(built_in):
    data = built_in("cantilever-struck").data
    assert int(data["contacts"][-1]) == 4


def test_a_stopped_run_is_the_whole_run(tmp_path):
    assert_stopped_is_whole(tr.Scenario.build("impact", **BEAM), tmp_path, 37)


@pytest.mark.usefixtures("quick_figures")
@pytest.mark.parametrize("case", ["beam", "plate"])
def test_report(case, tmp_path, monkeypatch):
    monkeypatch.setattr("traction.kinds.impact.run.FRAMES", 3)
    run = tr.simulate(tr.Scenario.build("impact", **(BEAM if case == "beam" else PLATE)), tmp_path / "run")
    files = {path.name: path for path in report_run(run).files}
    assert {"report.html", "force.png", "motion.svg"} <= set(files)
    assert {"shape.png" if case == "beam" else "waves.png", "impact.gif"} <= set(files)
    text = files["report.html"].read_text()
    assert '"frames":3' in text  # a slider through time
    for word in ("restitution", "impulse less change of momentum", "Energy of the modes", "passed"):
        assert word in text
    assert "missed" not in text


@pytest.mark.parametrize("kind", ["infinite-beam", "infinite-plate", "rigid"])
def test_unbounded_structures(kind):
    sizes = {"infinite-beam": {"width": 0.01, "thickness": 0.01}, "infinite-plate": {"thickness": 0.01}}
    fields = {**BEAM, "structure": {"type": kind, **sizes.get(kind, {})}}
    run = tr.simulate(tr.Scenario.build("impact", **fields))
    assert "deflection" not in run.data
    restitution = {name: value for name, value, _ in run.key_figures}["restitution"]
    assert restitution == pytest.approx(1.0, abs=1e-8) if kind == "rigid" else 0.0 < restitution < 1.0


@pytest.mark.parametrize("contact", [{"damping": "2 s/m"}, {"yield_pressure": "2 GPa"}])
def test_losses_of_the_contact(contact):
    fields = {
        **BEAM,
        "structure": {"type": "rigid"},
        "contact": contact,
        "ball": {"radius": 0.01, "speed": 1.0},
    }
    run = tr.simulate(tr.Scenario.build("impact", **fields))
    assert {name: value for name, value, _ in run.key_figures}["restitution"] < 0.9


WRONG = {
    'structure needs length with type = "beam"': {"structure": {"type": "beam", "width": 1, "thickness": 1}},
    'structure takes no length with type = "rigid"': {"structure": {"type": "rigid", "length": 1}},
    'takes supports and shear only with type = "beam"': {"structure": {"type": "rigid", "shear": True}},
    "is not held by these supports": {"structure": {**BEAM["structure"], "supports": ["free", "guided"]}},
    "lies outside the beam": {"strike": {"x": "30 cm"}},
    "is a support": {"strike": {"x": "20 cm"}},
    "takes strike.x of a beam": {"strike": {"y": "1 cm"}},
    "needs an elastic lower material with a density": {"lower": "rigid"},
    "takes damping or yield_pressure, not both": {"contact": {"damping": 1.0, "yield_pressure": 1e9}},
    "times its contact time": {"time": {"t_end": 1e6}},
    "needs ball.mass, ball.density or upper.density": {"upper": {**STEEL, "density": None}},
    "ball.speed = 0 must be": {"ball": {"radius": 0.01, "speed": 0}},
}


@pytest.mark.parametrize("message", WRONG)
def test_what_cannot_be_is_refused_with_a_sentence(message):
    fields = {**BEAM, **WRONG[message]}
    if isinstance(fields["upper"], dict):
        fields["upper"] = {key: value for key, value in fields["upper"].items() if value is not None}
    with pytest.raises(ScenarioError, match=message):
        tr.Scenario.build("impact", **fields)
