"""Derivatives of shifts whose duration follows from their displacement, against differences of two shifts."""

import numpy as np
import pytest

import traction as tr

LIKE = tr.Pair(tr.STEEL, tr.STEEL)
UNLIKE = tr.Pair(tr.STEEL, tr.Material(70e9, 0.33))
LINEAR = tr.friction.linear(0.15, (0.2, 0.9))
OWN = tr.friction.own(lambda s: 0.12 + 0.25 / (1.0 + s / 0.6) ** 2)
REMEMBERED = tr.friction.linear(0.15, (0.2, 0.9), memory=(2e-6, 0.01))
SOFT = tr.Layer(shear_modulus=1e9, thickness=2e-6, yield_stress=150e6)
HARDENING = tr.Layer(shear_modulus=1e9, thickness=2e-6, yield_stress=100e6, hardening=2e13)
AT, FURTHER = (4e-6, 1e-6, 1e-4), (7e-6, 0.5e-6, -2e-4)
STEPS = (1e-10, 1e-10, 1e-8)  # of displacements (m) and rotation (rad), over which differences are taken
SPEED, TOL, CLOSE = 0.5, 1e-11, 2e-6

CASES = {
    "linear": (LINEAR, None),
    "own": (OWN, None),
    "memory": (REMEMBERED, None),
    "plastic layer": (LINEAR, SOFT),
    "hardening layer": (OWN, HARDENING),
}


def press(pair=LIKE, **load):
    a, b = tr.hertz.ellipse(0.42, 0.27, pair, force=70e3).semi_axes
    grid = tr.Grid(18, 16, 2.4 * a / 18, 2.4 * b / 16)
    return tr.press(tr.Paraboloid(0.42, 0.27), grid, pair, tol=1e-11, **(load or {"force": 70e3}))


@pytest.fixture(scope="module")
def contact():
    return press()


def forces(t):
    return np.array([*t.force, t.moment])


def shift(n, case, displacement, previous=None):
    law, layer = CASES[case]
    given = {"displacement": displacement, "speed": SPEED, "layer": layer, "previous": previous}
    return tr.shift(n, law, tol=TOL, **given)


def require_tangent(solve, at):
    """The tangent at a displacement is that of central differences."""
    tangent = solve(at).tangent
    for k, size in enumerate(STEPS):
        change = size * np.eye(3)[k]
        ahead, back = (forces(solve(tuple(at + sign * change))) for sign in (1.0, -1.0))
        found = (ahead - back) / (2.0 * size)
        np.testing.assert_allclose(tangent[:, k], found, atol=CLOSE * np.abs(found).max())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", CASES)
def test_tangent_follows_the_duration(contact, case):
    require_tangent(lambda d: shift(contact, case, d), AT)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", CASES)
def test_tangent_of_a_following_shift(contact, case):
    before = shift(contact, case, AT)
    require_tangent(lambda d: shift(contact, case, d, before), FURTHER)


def test_tangent_of_unlike_bodies():
    n = press(UNLIKE)
    require_tangent(lambda d: shift(n, "linear", d), FURTHER)


@pytest.mark.parametrize("pair", [LIKE, UNLIKE])
def test_approach_tangent_follows_the_extent_of_a_rotation(pair):
    at, size = (4e-6, 1e-6, 2e-3), 1e-6
    n = press(pair)
    t = shift(n, "own", at)
    ahead, back = (shift(press(pair, force=70e3 * (1.0 + sign * size)), "own", at) for sign in (1.0, -1.0))
    found = (forces(ahead) - forces(back)) / (ahead.normal.approach - back.normal.approach)
    np.testing.assert_allclose(t.approach_tangent, found, atol=1e-5 * np.abs(found).max())


@pytest.mark.parametrize("pair", [LIKE, UNLIKE])
@pytest.mark.parametrize("displacement", [(4e-6, 1e-6, 0.0), (0.0, 0.0, 2e-3), (0.0, 0.0, 0.0)])
def test_bodies_apart_have_no_tangent(pair, displacement):
    n = press(pair, approach=-1e-5)
    t = tr.shift(n, LINEAR, displacement=displacement, speed=SPEED)
    assert t.force == (0.0, 0.0)
    assert not t.tangent.any()
    assert not t.approach_tangent.any()


def test_change_with_speed_changes_the_duration(contact):
    t, size = shift(contact, "own", AT), 1e-4
    faster = tr.shift(contact, OWN, displacement=AT, speed=SPEED * (1.0 + size), tol=TOL)
    change = t.change_with(OWN, speed=SPEED * (1.0 + size))
    found = forces(faster) - forces(t)
    np.testing.assert_allclose(change, found, atol=2e-3 * np.abs(found).max())
