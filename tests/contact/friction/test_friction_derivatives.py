"""Tangents of unlike bodies, whose pressure follows: against differences of two solutions."""

import numpy as np
import pytest

import traction as tr
from traction.contact.friction.solved_friction import SolvedFriction

PAIR = tr.Pair(tr.Material(1.0, 0.1), tr.Material(3.0, 0.4))
MU, FORCE, TOL = 0.3, 0.8, 1e-10
STEP = 1e-6  # of creepages and forces, over which differences are taken


@pytest.fixture(scope="module")
def ball():
    return tr.press(tr.Sphere(1.0), tr.Grid(20, 20, 0.105, 0.105), PAIR, force=FORCE, tol=TOL)


@pytest.fixture(scope="module")
def shifted(ball):
    return tr.shift(ball, MU, displacement=(0.3 * scale_of(ball)[0] * ball.semi_axes[0], 0.0, 0.0))


def scale_of(n):
    """Sizes of longitudinal and lateral creepage and of spin that matter."""
    scale = MU * n.peak_pressure / PAIR.shear_modulus
    return np.array([scale, scale, scale / n.semi_axes[0]])


def steady(discretisation):
    def solve(n, shifted, creepage):
        return tr.roll_steady(n, MU, creepage=creepage, discretisation=discretisation, tol=TOL)

    return solve


def shift(n, shifted, creepage):
    return tr.shift(n, MU, displacement=creepage, tol=TOL)


def roll(step, scheme):
    def solve(n, shifted, creepage):
        options = {"distance": step * n.grid.dx, "scheme": scheme, "normal": n, "tol": TOL}
        return tr.roll(shifted, MU, creepage=creepage, **options)

    return solve


PROBLEMS = {
    "steady": steady("covered"),
    "steady classical": steady("classical"),
    "shift": shift,
    "roll": roll(0.7, None),
    "roll by parts": roll(2.0, None),  # at 2.3 elements are held in a part, and forces jump
    "moving": roll(0.5, "moving"),
}


def forces(t):
    return np.array([*t.force, t.moment])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_tangent_equals_differences(ball, shifted, problem):
    solve, scale = PROBLEMS[problem], scale_of(ball)
    at = np.array([0.6, 0.3, 0.2]) * scale
    tangent = solve(ball, shifted, at).tangent
    for k in range(3):
        change = STEP * scale[k] * np.eye(3)[k]
        ahead, back = (forces(solve(ball, shifted, tuple(at + sign * change))) for sign in (1.0, -1.0))
        found = (ahead - back) / (2.0 * STEP * scale[k])
        np.testing.assert_allclose(tangent[:, k], found, atol=1e-4 * np.abs(found).max())


@pytest.mark.sampled(2)
@pytest.mark.parametrize("problem", ["steady", "steady classical", "shift", "roll", "roll by parts"])
def test_approach_tangent_equals_differences(ball, shifted, problem):
    solve, creepage = PROBLEMS[problem], tuple(np.array([0.6, 0.3, 0.2]) * scale_of(ball))
    tangent = solve(ball, shifted, creepage).approach_tangent
    ends = []
    for sign in (1.0, -1.0):
        force = FORCE * (1.0 + sign * STEP)
        n = tr.press(ball.gap, ball.grid, PAIR, force=force, start=ball, tol=1e-11)
        t = solve(n, shifted, creepage)
        ends.append(np.array([*forces(t), t.normal.approach]))
    change = ends[0] - ends[1]
    found = change[:3] / change[3]
    np.testing.assert_allclose(tangent, found, atol=1e-4 * np.abs(found).max())


def test_the_pressure_that_follows_matters(ball, monkeypatch):
    """With the pressure held, the tangent is off by far more than the test allows."""
    t = tr.roll_steady(ball, MU, creepage=tuple(np.array([0.6, 0.3, 0.2]) * scale_of(ball)))
    right = t.tangent
    monkeypatch.setattr(SolvedFriction, "is_coupled", False)
    held = tr.roll_steady(ball, MU, creepage=t.creepage).tangent
    assert np.abs(held - right).max() > 1e-3 * np.abs(right).max()


def test_a_given_force_leaves_its_creepage_free(ball):
    """The tangent at a given force is that at the creepage it leads to."""
    scale = scale_of(ball)
    t = tr.roll_steady(ball, MU, creepage=(None, 0.3 * scale[1], 0.0), force=(-0.1, None), tol=1e-7)
    again = tr.roll_steady(ball, MU, creepage=t.creepage, tol=1e-7)
    np.testing.assert_allclose(t.tangent, again.tangent, rtol=1e-4, atol=1e-4 * np.abs(t.tangent).max())
