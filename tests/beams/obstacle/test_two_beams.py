"""Two beams with different meshes: patch test, action and reaction, limits."""

import numpy as np
import pytest

import traction as tr

MORTAR = ("constant", "linear", "dual")


def pair(shear, space, elements, load=2.5):
    upper = tr.Beam(3.0, 2.0, 1.0, shear_stiffness=shear, supports=("free", "free"))
    lower = tr.Beam(3.0, 5.0, 1.0, shear_stiffness=shear, supports=("guided", "guided"), foundation=4.0)
    return tr.obstacle.press_together(upper, lower, load, 0.1, elements, multiplier=space)


@pytest.mark.parametrize("shear", [None, 30.0])
@pytest.mark.parametrize("space", MORTAR)
@pytest.mark.parametrize("elements", [(7, 10), (23, 14)])
def test_patch(shear, space, elements):
    contact, x = pair(shear, space, elements), np.linspace(0.0, 3.0, 100)
    assert contact.contact_force(x) == pytest.approx(np.full(100, 2.5), rel=1e-9)
    assert contact.lower_deflection(x) == pytest.approx(np.full(100, 2.5 / 4.0), rel=1e-10)
    assert contact.opening(x) == pytest.approx(np.zeros(100), abs=1e-12)


def test_point_forces_fail_the_patch_test():
    contact = pair(None, "point", (7, 10))
    assert np.ptp(contact.contact_force(contact.nodes)) > 0.1


@pytest.mark.parametrize("shear", [None, 30.0])
@pytest.mark.parametrize("space", ["point", *MORTAR])
@pytest.mark.parametrize("elements", [(50, 37), (60, 101)])
def test_action_is_reaction(shear, space, elements):
    upper = tr.Beam(8.0, 1.0, 1.0, shear_stiffness=shear)
    lower = tr.Beam(7.0, 2.0, 1.0, shear_stiffness=shear)
    contact = tr.obstacle.press_together(upper, lower, 3.0, 0.5, elements, multiplier=space)
    proof = contact.certificate
    assert proof.action_reaction < 1e-14
    assert proof.moment_difference < 1e-14
    assert proof.pull <= 1e-9
    assert proof.penetration < 1e-3
    assert 0.0 < contact.force < 24.0


@pytest.mark.parametrize("shear", [None, 30.0])
def test_stiff_lower_beam_is_an_obstacle(shear):
    upper = tr.Beam(8.0, 1.0, 1.0, shear_stiffness=shear)
    lower = tr.Beam(8.0, 1e7, 1.0, shear_stiffness=None if shear is None else 1e8)
    contact = tr.obstacle.press_together(upper, lower, 1.0, 1.0, (160, 90))
    alone = tr.obstacle.solve(upper, 1.0, 1.0, 400)
    x = np.linspace(0.0, 8.0, 81)
    assert contact.upper_deflection(x) == pytest.approx(alone.deflection(x), abs=5e-4)
    assert contact.force == pytest.approx(alone.force, abs=3e-3)


def test_equal_beams_under_a_shared_load():
    """Touching beams of equal shape share the load: half each."""
    beam = tr.Beam(4.0, 3.0, 1.0)
    contact = tr.obstacle.press_together(beam, beam, 2.0, 0.0, (20, 20), multiplier="dual")
    alone = beam.bend(load=1.0)
    x = np.linspace(0.0, 4.0, 21)
    assert contact.upper_deflection(x) == pytest.approx(alone.deflection(x), abs=1e-9)
    assert contact.contact_force(x[3:-3]) == pytest.approx(np.ones(15), rel=0.05)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gap": 50.0}, "never close the gap"),
        ({"gap": -0.1}, "gap = -0.1 m must be positive"),
        ({"elements": (20,)}, r"elements = \(20,\) must be two numbers"),
        ({"elements": (20, 1)}, r"elements\[1\] = 1 must be at least 2"),
        ({"multiplier": "cubic"}, "multiplier"),
    ],
)
def test_bad_input(change, message):
    beam = tr.Beam(4.0, 3.0, 1.0)
    given = {"gap": 0.1, "elements": (20, 15)} | change
    with pytest.raises(tr.InputError, match=message):
        tr.obstacle.press_together(beam, beam, 2.0, given.pop("gap"), given.pop("elements"), **given)
