"""Compiled steps on nodes: those of the general march, at any contact, damping and method of the family."""

import numpy as np
import pytest

import traction as tr
from coarse import LONG_STEPS
from traction.crossing.bridge_models.bridge_model import BridgeModel
from traction.crossing.marches import method_march

pytestmark = pytest.mark.filterwarnings("ignore:wheel .* meets a step of the track")

WHEEL = tr.Wheel(0.46, 1e3, suspension=tr.Suspension(1e6, 1e4, 9e3))
TRAIN = [(8e4, 0.0), (tr.HarmonicAxle(8e4, 2e4, 6.0), 3.0), (WHEEL, 5.0), (WHEEL, 8.1)]
SPRINGS = (tr.Support(5e8, 0.0), tr.Support(5e8, 0.0))
PINNED = ("pinned", "pinned")
SHEAR = {"shear_stiffness": 2.5e9, "rotary_inertia": 800.0}
CASES = {
    "plain": ({"supports": PINNED}, "elements", "newmark"),
    "ratio and shear": ({"supports": SPRINGS, "damping": 0.02, **SHEAR}, "elements", "newmark"),
    "rayleigh": ({"supports": SPRINGS, "damping": tr.Rayleigh(1.0, 1e-4)}, "elements", "hht"),
    "ratios": (
        {"supports": PINNED, "damping": (0.01, 0.02, 0.03), **SHEAR}, "elements", "generalized-alpha"
    ),
    "differences": ({"supports": SPRINGS, "damping": 0.01}, "differences", "hht"),
    "two in one element": ({"supports": SPRINGS}, "elements", "newmark", [(WHEEL, 0.0), (WHEEL, 1.2)]),
}  # fmt: skip


def crossed(held, model, method, train=TRAIN, **options):
    bridge = tr.Bridge(tr.Beam(20.0, 2.08e9, 7900.0, **held), tr.STEEL)
    given = {"contact": "hertz", "size": 7, "dt": 1e-3, "t_end": 0.45, **options}
    return tr.cross(bridge, train, 30.0, model=model, method=method, **given)


@LONG_STEPS  # both march in the same steps
@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", CASES)
def test_compiled_steps_are_those_of_the_general_march(case, monkeypatch):
    """Passages within steps, loss of contact and plain axles included."""
    run = crossed(*CASES[case])
    monkeypatch.setattr(method_march, "marches_compiled", lambda *_: False)
    same = crossed(*CASES[case])
    for ours, theirs in (
        (run.contact_forces, same.contact_forces),
        (run.approach, same.approach),
        (run.deflection(9.0), same.deflection(9.0)),
        (run.acceleration(9.0), same.acceleration(9.0)),
        (run.vehicle_velocity, same.vehicle_velocity),
    ):
        np.testing.assert_allclose(ours, theirs, atol=1e-9 * np.abs(theirs).max())
    assert run.energies.closure < 1e-8
    assert run.energies.closure == pytest.approx(same.energies.closure, abs=1e-10)
    general = run.stats["jacobian_evaluations"]  # where wheels roll over soft ends, in parts of steps
    assert same.stats["jacobian_evaluations"] > 5 * general
    if CASES[case][0]["supports"] is PINNED:
        assert general == 0
        assert run.stats["factorizations"] == 1  # that of the mass, for the first accelerations


@LONG_STEPS  # of the same steps
@pytest.mark.parametrize("method", ["newmark", "energy-conserving"])
@pytest.mark.parametrize("shear", [{}, SHEAR], ids=["bending", "shear"])
def test_two_wheels_in_one_element_feel_each_other(shear, method, monkeypatch):
    """The energy of both stays closed, and forces differ from those of wheels that do not by some 1e-3."""
    train = [(WHEEL, 0.0), (WHEEL, 1.2)]
    given = {"held": {"supports": PINNED, **shear}, "model": "elements", "method": method, "train": train}
    given["t_end"] = 0.2
    run = crossed(**given, irregularity=tr.Irregularity.harmonic(2e-5, 0.8))
    assert run.energies.closure < 1e-8
    monkeypatch.setattr(BridgeModel, "softness_between", lambda *_: None)
    alone = crossed(**given, irregularity=tr.Irregularity.harmonic(2e-5, 0.8))
    apart = np.abs(run.contact_forces - alone.contact_forces).max() / run.contacts[0].load
    assert 3e-4 < apart < 0.1


@LONG_STEPS  # both march in the same steps
def test_options_of_the_iteration_use_the_general_march():
    run = crossed({"supports": PINNED}, "elements", "newmark", t_end=0.28, max_iterations=20)
    assert run.stats["jacobian_evaluations"] > 0


def test_a_march_that_grows_says_so():
    with pytest.raises(tr.ConvergenceError, match=r"at t = .* take a smaller dt"):
        crossed(
            {"supports": PINNED}, "elements", "newmark", beta=0.0, size=20, allow_unstable=True, t_end=0.3
        )


@LONG_STEPS  # both march in the same steps
@pytest.mark.parametrize("method", ["radau-iia", "energy-conserving", "euler-backward"])
def test_other_methods_factor_their_matrix_once(method):
    """Contacts are of low rank beside it: no matrix is factored in a step."""
    until = 0.12 if method == "radau-iia" else 0.3
    run = crossed({"supports": PINNED}, "elements", method, size=20, t_end=until)
    times = run.ledger.args[0].energies.wheels.times.fine
    lengths = np.unique(np.round(np.diff(times), 9)).size
    assert run.stats["iterations"] > run.stats["steps"]
    assert run.stats["factorizations"] <= lengths + 2
