"""Friction of wheels on rails that is not constant: along the profile, by the slip speed, and layers."""

import numpy as np
import pytest

import traction as tr
from coarse import FEW_ELEMENTS
from traction.errors import InputError

pytestmark = FEW_ELEMENTS  # patches of gauge faces are narrow, and CONTACT's have 7 elements across

STEEL = tr.Material.from_shear_modulus(82e9, 0.28)
WHEELSET = tr.Wheelset(tr.Profile.standard("S1002"), 0.46)
TRACK = tr.Track(tr.Profile.standard("UIC60-benchmark"))
FACE = {"y": 5.5e-3, "yaw": 13.2e-3, "roll": -4.777e-4, "pitch_rate": -4.3318864}  # at 19 degrees
GAUGE = tr.friction.by_inclination(np.radians([10.0, 20.0]), [0.3, 0.2])


def solve(**given):
    usual = {"side": "right", "force": 10e3, "speed": 2.0, "dx": 4e-4, "dy": 4e-4, "friction": GAUGE}
    usual |= {"pair": tr.Pair(STEEL, STEEL), "convention": "contact"} | FACE
    return tr.wheel_rail(WHEELSET, TRACK, **(usual | given))


def test_forces_on_a_lubricated_gauge_face_are_those_of_contact():
    # CONTACT (Vollebregt), example mbench_a22_varfric, case 4: mu from 0.3 at 10 to 0.2 at 20 degrees
    (patch,) = solve(dx=2e-4, dy=2e-4).patches
    assert patch.force == pytest.approx((9907.0, -608.6, -1963.0), abs=0.002 * 0.2073 * 9907.0)
    assert patch.tangential.friction == pytest.approx(0.2073, abs=1e-4)


@pytest.mark.parametrize("side", ["left", "right"])
def test_friction_of_covered_elements_follows_the_profile(side):
    sign = 1.0 if side == "right" else -1.0
    given = {name: sign * FACE[name] for name in ("y", "yaw", "roll")}
    (patch,) = solve(side=side, discretisation="covered", **given).patches
    mu, plane = patch.tangential.coefficient[:, 0], patch.normal
    assert 0.2 <= mu.min() < mu.max() <= 0.3
    touching = plane.contact.any(axis=1)
    assert mu[touching].min() < 0.2073 < mu[touching].max()
    inside = 1.0 if side == "right" else -1.0  # s points to the left, a right rail's inner side too
    assert (inside * np.diff(mu[touching]) <= 0.0).all()


@pytest.mark.parametrize("speed", [0.2, 60.0])
def test_falling_friction_follows_the_speed_of_sliding(speed):
    law = tr.friction.exponential(0.15, (0.15, 1.0))
    found = solve(friction=law, speed=speed, pitch_rate=speed / 2.0 * FACE["pitch_rate"])
    (patch,) = found.patches
    sliding = law.coefficient(speed * np.hypot(*patch.creepage[:2]))  # hardly turned by spin
    assert np.hypot(*patch.force[1:]) == pytest.approx(sliding * patch.force[0], rel=2e-3)


def test_a_layer_lowers_creep_forces():
    small = {"y": 0.0, "yaw": 1e-3, "roll": 0.0, "pitch_rate": None, "friction": 0.3}
    stiff, soft = (solve(layer=one, **small).patches[0] for one in (None, tr.Layer(4e9, 2.5e-4)))
    assert abs(soft.force[2]) < 0.8 * abs(stiff.force[2])


def test_quick_theories_take_the_coefficient_at_the_contact_angle():
    quick = solve(tangential="fastsim").patches[0]
    assert quick.tangential.friction == pytest.approx(0.2073, abs=2e-3)
    with pytest.raises(InputError, match="layer is not known to FASTSIM"):
        solve(tangential="fastsim", layer=tr.Layer(4e9, 1e-5))


@pytest.mark.parametrize(
    ("inclinations", "coefficients", "words"),
    [
        ([0.2, 0.1], [0.3, 0.2], "must increase"),
        ([0.1], [0.3], "at least two"),
        ([0.1, 0.2], [0.3, -0.2], "negative"),
        ([0.1, 20.0], [0.3, 0.2], "from -pi to pi"),
    ],
)
def test_bad_inclinations_are_refused(inclinations, coefficients, words):
    with pytest.raises(InputError, match=words):
        tr.friction.by_inclination(inclinations, coefficients)


def test_a_law_needs_a_speed():
    with pytest.raises(InputError, match="speed must be given"):
        solve(friction=tr.friction.exponential(0.15, (0.15, 1.0)), speed=None, pitch_rate=None)


def test_quick_theories_refuse_slender_patches():
    track = tr.Track(tr.Profile.standard("60E1"), cant=0.025)
    with pytest.raises(InputError, match="FASTSIM takes"):
        tr.wheel_rail(WHEELSET, track, y=6.5e-3, force=80e3, tangential="fastsim", dx=5e-4, dy=5e-4)


@pytest.mark.parametrize("discretisation", ["classical", "covered"])
def test_friction_along_the_track_is_that_around_the_position(discretisation):
    """Before and behind a step of friction, and with half of the patch on either side of it."""
    slides = {"y": 0.0, "yaw": 0.0, "roll": 0.0, "pitch_rate": -2.0 / 0.46 * 1.02}
    drop = tr.friction.along_track([1.0, 1.0], [0.3, 0.1])
    used = []
    for position in (0.9, 1.0, 1.1):
        found = solve(friction=drop, position=position, discretisation=discretisation, **slides)
        used.append(abs(found.patches[0].force[1]) / found.patches[0].force[0])
    assert used == pytest.approx([0.3, 0.2, 0.1], rel=0.02)


def test_factors_along_the_track_multiply_those_of_the_gauge_face():
    half = tr.friction.along_track([0.0, 1.0], [0.5, 0.5], GAUGE)
    (patch,) = solve(friction=half).patches
    assert patch.tangential.friction == pytest.approx(0.5 * 0.2073, abs=1e-4)


def test_hot_wheels_have_less_friction():
    pair = tr.Pair(tr.STEEL, tr.STEEL)
    slides = {
        "y": 0.0,
        "yaw": 0.0,
        "roll": 0.0,
        "speed": 30.0,
        "pitch_rate": -30.0 / 0.46 * 1.05,
        "pair": pair,
    }
    law = tr.friction.thermal([0.0, 200.0], [0.3, 0.1])
    cold, warm = (solve(friction=friction, **slides).patches[0] for friction in (0.3, law))
    assert abs(warm.force[1]) < 0.95 * abs(cold.force[1])
    assert warm.tangential.temperature.max() > 10.0
    with pytest.raises(InputError, match="not known to FASTSIM"):
        solve(friction=law, tangential="fastsim", **slides)
    with pytest.raises(InputError, match="speed must be given"):
        solve(friction=law, **(slides | {"speed": None}))


@pytest.mark.parametrize("call", [tr.fastsim, tr.fastrip, tr.polach])
def test_quick_theories_refuse_friction_of_a_place(call):
    law = tr.friction.by_inclination([0.0, 0.3], [0.4, 0.1])
    ellipse = tr.hertz.ellipse(0.4, 0.3, tr.Pair(tr.STEEL, tr.STEEL), force=10e3)
    with pytest.raises(tr.InputError, match="at one temperature, inclination or place"):
        call(ellipse, law, creepage=(1e-3, 0.0, 0.0))


def test_steep_laws_end_with_a_remedy_that_rails_have(monkeypatch):
    """Friction that is not solved: other heights are not tried, they are no better."""
    monkeypatch.setattr("traction.contact.stick_slip.newton_iteration.MAX_STEPS", 2)
    track, law = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40), tr.friction.linear(0.05, (0.4, 0.05))
    remedy = "smaller elements dx and dy, a longer memory distance"
    with pytest.raises(tr.ConvergenceError, match=remedy) as error:
        tr.wheel_rail(WHEELSET, track, side="right", y=-3e-3, yaw=5e-3, force=80e3, speed=30.0, friction=law)
    assert not error.value.result.ok


def test_steep_laws_on_few_elements_are_tried_with_patience():
    """Newton's method gains slowly here: attempts are cut short by the work done, not after a few steps."""
    track, law = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40), tr.friction.linear(0.1, (0.3, 0.02))
    found = tr.wheel_rail(
        WHEELSET, track, side="left", force=80e3, speed=30.0, friction=law, dx=5e-4, dy=5e-4
    )
    (patch,) = found.patches
    assert patch.tangential.certificate.holds(1e-6)
    assert patch.tangential.other_solutions is not False  # and it says that it may not be the only one
