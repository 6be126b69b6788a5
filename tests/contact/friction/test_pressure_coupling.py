"""Rolling of unlike bodies: pressure draws them sideways, and tractions lift them, in every step."""

import sys
from dataclasses import replace

import numpy as np
import pytest

import traction as tr
from reference_cases import MM, MPA, grid_of
from traction.contact.friction import pressure_coupling
from traction.contact.friction.pressed_displacement import PressedDisplacement
from traction.errors import ConvergenceError
from traction.halfspace.half_space import HalfSpace

ALUMINIUM = tr.Material.from_shear_modulus(26.7e9, 0.33)
PAIR = tr.Pair(ALUMINIUM, tr.STEEL)
MU = 0.3
SCHEMES = ("covered", "world-fixed", "moving", "moving-interpolated")


def ball_of(pair, cells=18):
    """A sphere, 1.3 contact radii of grid around."""
    hertz = tr.hertz.sphere(0.1, pair, force=1000.0)
    reach = 1.3 * hertz.radius
    return tr.press(tr.Sphere(0.1), tr.Grid.around(reach, reach, cells, cells), pair, force=1000.0, tol=1e-8)


@pytest.fixture(scope="module")
def ball():
    return ball_of(PAIR)


@pytest.fixture(scope="module")
def roller():
    """A line contact, 44 elements wide."""
    hertz = tr.hertz.line(0.025, PAIR, force=1e5, length=0.1)
    grid = tr.Grid.line(60, 2.0 * hertz.semi_axes[0] / 44, length=0.1)
    return tr.press(tr.Cylinder(0.025), grid, PAIR, force=1e5)


def scale_of(n, mu=MU):
    """The size of creepages that matter."""
    return mu * n.peak_pressure / n.pair.shear_modulus


def rolled(t, cells, step, mu=MU, **given):
    """All steps."""
    found = []
    for _ in range(round(cells / step)):
        t = tr.roll(t, mu, distance=step * t.normal.grid.dx, **given)
        found.append(t)
    return found


def test_displacements_at_any_place_are_those_of_the_pressure(ball):
    """At the centres of cells exact, on cells of any fineness; between them nearly."""
    half_space, grid = HalfSpace(ball.grid, PAIR), ball.grid
    exact = np.array([half_space.shifted(i, "z", ball.pressure, (0, 0), grid.shape) for i in ("x", "y")])
    row, column = np.nonzero(np.ones(grid.shape))
    size = np.abs(exact).max()
    for fineness in (1, 2):
        place = fineness * column + 0.5 * (fineness - 1)
        found = PressedDisplacement.of(ball, fineness).at(row, place).reshape(exact.shape)
        np.testing.assert_allclose(found, exact, atol=1e-12 * size)
    x = grid.x[0] + grid.dx * (column + 0.37)
    between = PressedDisplacement.of(ball, 1).at(row, column + 0.37)
    for k, axis in enumerate("xy"):
        points = half_space.at_points(axis, "z", ball.pressure, x, grid.y[row])
        assert np.abs(between[k] - points).max() <= 0.03 * size
    far = PressedDisplacement.of(ball, 1).at(np.array([3]), np.array([-9.0]))
    assert far[0, 0] == pytest.approx(
        half_space.at_points("x", "z", ball.pressure, grid.x[0] - 9 * grid.dx, grid.y[3])
    )
    alike = tr.Pair(tr.STEEL, tr.STEEL)
    assert PressedDisplacement.of(replace(ball, pair=alike), 1) is None


@pytest.mark.parametrize("k", range(6))
def test_the_reference_programs_steady_rolling_stays_as_it_is(reference, k):
    """Bentall and Johnson's cases: rolling on by one element changes nothing of what is steady."""
    case = reference["bentall"]
    inputs, totals = case["inputs"], case["totals"][k]
    pair = tr.Pair(*(tr.Material.from_shear_modulus(inputs[f"G{i}"] * MPA, inputs[f"nu{i}"]) for i in (1, 2)))
    n = tr.press(tr.Cylinder(25 * MM), grid_of(case["grid"]), pair, force=totals["Fn"])
    mu, creepage = case["inputs_by_case"][k]["mu"], case["inputs_by_case"][k].get("cksi")
    given = {"creepage": (creepage, 0.0, 0.0), "direction": -1, "discretisation": "classical"}
    if creepage is None:
        given["force"] = (totals["Fx"], None)
    t = rolled(tr.roll_steady(n, mu, **given), 2, 1.0, mu, **given)[-1]
    assert t.force[0] == pytest.approx(totals["Fx"], abs=1e-6 * mu * totals["Fn"])
    assert t.creepage[0] == pytest.approx(totals["cksi"], rel=1e-4)
    assert t.normal.peak_pressure == pytest.approx(totals["p_max"] * MPA, rel=1e-4)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("share", "step"),
    [
        *((0.5, 2.5), (0.5, 1.0), (0.0, 1.0)),
        *(pytest.param(*one, marks=pytest.mark.slow) for one in ((0.0, 2.5), (0.0, 0.4), (0.5, 0.4))),
    ],
)
def test_a_roller_with_a_given_force_becomes_steady(roller, step, share):
    mu = 0.05
    given = {"creepage": (None, 0.0, 0.0), "force": (share * mu * roller.force, None)}
    found = rolled(tr.shift(roller, mu), 50, step, mu, **given)
    steady = tr.roll_steady(roller, mu, **given)
    last = found[-max(1, round(2.0 / step)) :]
    assert np.mean([t.creepage[0] for t in last]) == pytest.approx(steady.creepage[0], rel=5e-3)
    pressure, before = last[-1].normal.pressure, steady.normal.pressure
    assert np.abs(pressure - before).max() <= 5e-4 * roller.peak_pressure
    assert np.abs(pressure - roller.pressure).max() > 5e-3 * roller.peak_pressure
    lost = sum(t.dissipation for t in last) / (len(last) * step * roller.grid.dx)
    assert lost == pytest.approx(steady.dissipation, rel=0.07)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("scheme", SCHEMES[:3])
def test_a_ball_at_given_creepages_becomes_steady(ball, scheme):
    scale, a = scale_of(ball), ball.semi_axes[0]
    creepage = (0.8 * scale, -0.4 * scale, 0.2 * scale / a)
    discretisation = "covered" if scheme == "covered" else "classical"
    steady = tr.roll_steady(ball, MU, creepage=creepage, discretisation=discretisation)
    for step in (1.0, 0.4) if scheme == "covered" else (1.0,):
        t = rolled(tr.shift(ball, MU), 28, step, creepage=creepage, scheme=scheme)[-1]
        limit = MU * ball.force
        assert np.abs(np.subtract(t.force, steady.force)).max() <= 0.01 * limit
        assert t.moment == pytest.approx(steady.moment, abs=0.01 * limit * a)
        assert np.abs(t.normal.pressure - steady.normal.pressure).max() <= 0.01 * ball.peak_pressure


def test_turns_that_go_round_in_circles_come_to_rest(monkeypatch):
    """The leading edge passes the end of an element in the second part: the edges are held there."""
    pair = tr.Pair(tr.Material(1.0, 0.1), tr.Material(3.0, 0.4))
    n = tr.press(tr.Sphere(1.0), tr.Grid(20, 20, 0.105, 0.105), pair, force=0.8)
    creepage = tuple(scale_of(n) * np.array([0.6, 0.3, 0.2 / n.semi_axes[0]]))
    start = tr.shift(n, MU, displacement=(0.3 * scale_of(n) * n.semi_axes[0], 0.0, 0.0))
    assert rolled(start, 1.2, 1.2, creepage=creepage)[0].ok
    monkeypatch.setattr(pressure_coupling, "FREE_TURNS", 10**6)
    with pytest.raises(ConvergenceError):
        rolled(start, 1.2, 1.2, creepage=creepage)


def start_of(n):
    scale = scale_of(n) * n.semi_axes[0]
    return tr.shift(n, MU, displacement=(0.3 * scale, 0.1 * scale, 0.0), tol=1e-8)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_bodies_that_are_nearly_alike_roll_like_alike_ones(scheme):
    """The coupled problems with hardly any coupling against the plain one."""
    found = []
    for nu in (0.28, 0.28 + 1e-7):
        n = ball_of(tr.Pair(tr.STEEL, tr.Material.from_shear_modulus(82e9, nu)), 18)
        creepage = (0.6 * scale_of(n), 0.2 * scale_of(n), 0.0)
        found.append(rolled(start_of(n), 2.1, 0.7, creepage=creepage, scheme=scheme, tol=1e-8)[-1])
    alike, unlike = found
    assert alike.normal.pair.mismatch == 0.0 != unlike.normal.pair.mismatch
    np.testing.assert_allclose(unlike.traction, alike.traction, atol=2e-6 * alike.bound.max())
    assert unlike.dissipation == pytest.approx(alike.dissipation, rel=1e-5)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_turned_upside_down_it_is_the_same(ball, scheme):
    """Bodies exchanged and all turned around x: p_x and xi change sign, and y is mirrored."""
    scale, a = scale_of(ball), ball.semi_axes[0]
    xi, eta, phi = 0.6 * scale, 0.3 * scale, 0.2 * scale / a
    turned = ball_of(tr.Pair(tr.STEEL, ALUMINIUM))
    t, m = tr.shift(ball, MU, tol=1e-8), tr.shift(turned, MU, tol=1e-8)
    options = {"distance": 0.7 * ball.grid.dx, "scheme": scheme, "tol": 1e-8}
    for _ in range(4):
        t = tr.roll(t, MU, creepage=(xi, eta, phi), **options)
        m = tr.roll(m, MU, creepage=(-xi, eta, phi), **options)
    assert turned.pair.mismatch == -PAIR.mismatch
    scale = 2e-6 * t.bound.max()
    np.testing.assert_allclose(m.traction[0][::-1], -t.traction[0], atol=scale)
    np.testing.assert_allclose(m.traction[1][::-1], t.traction[1], atol=scale)
    np.testing.assert_allclose(m.normal.pressure[::-1], t.normal.pressure, atol=scale / MU)
    assert m.dissipation == pytest.approx(t.dissipation, rel=1e-5)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_both_problems_of_a_step_hold_together(ball, scheme):
    """The final contact is that of the gap that its tractions have changed, and carries the same force."""
    scale = scale_of(ball)
    given = {"creepage": (None, 0.2 * scale, 0.0), "force": (0.5 * MU * ball.force, None)}
    t = rolled(tr.shift(ball, MU), 2.1, 0.7, **given, scheme=scheme)[-1]
    half_space = HalfSpace(ball.grid, PAIR)
    lifted = sum(half_space.product("z", axis, p) for axis, p in zip("xy", t.traction, strict=True))
    again = tr.press(ball.gap + lifted, ball.grid, PAIR, force=ball.force, tol=1e-8)
    assert np.abs(t.normal.pressure - again.pressure).max() <= 1e-5 * ball.peak_pressure
    assert np.abs(t.normal.pressure - ball.pressure).max() > 1e-3 * ball.peak_pressure
    assert t.normal.force == pytest.approx(ball.force, rel=1e-6)
    assert t.force[0] == pytest.approx(0.5 * MU * ball.force, rel=1e-5)
    assert t.certificate.holds(1e-6)
    assert (np.hypot(*t.traction) <= t.bound + 1e-6 * t.bound.max()).all()
    assert t.dissipation >= 0.0


def test_a_step_of_nothing_hardly_changes_anything(ball):
    """The particles keep what pressure and tractions displaced them by, under whatever element they lie."""
    t = tr.shift(ball, MU, displacement=(0.5 * scale_of(ball) * ball.semi_axes[0], 0.0, 0.0))
    u = tr.roll(t, MU, distance=1e-5 * ball.grid.dx, creepage=(0.0, 0.0, 0.0))
    assert u.force[0] == pytest.approx(t.force[0], rel=5e-3)  # whole cells become covered ones


@pytest.mark.parametrize("scheme", SCHEMES)
def test_load_and_contact_may_come_and_go(ball, scheme):
    options = {"distance": 0.5 * ball.grid.dx, "creepage": (0.5 * scale_of(ball), 0.0, 0.0), "scheme": scheme}
    t = tr.shift(ball, MU)
    for force in (1000.0, 1200.0, 800.0):
        n = tr.press(tr.Sphere(0.1), ball.grid, PAIR, force=force, start=ball)
        t = tr.roll(t, MU, normal=n, **options)
        assert t.normal.force == pytest.approx(force)
        assert np.hypot(*t.force) <= MU * force * (1.0 + 1e-9)
    apart = tr.press(tr.Sphere(0.1), ball.grid, PAIR, approach=-1e-6)
    for mu, n in ((MU, apart), (0.0, ball)):
        lost = tr.roll(t, mu, normal=n, **options)
        assert lost.force == (0.0, 0.0)
        # friction takes what is stored when bodies part; elements that move with the contact keep nothing
        assert (lost.dissipation > 0.0) == (n is apart and not scheme.startswith("moving"))
        assert tr.roll(lost, MU, normal=ball, **options).ok


def test_sliding_rollers_have_no_tangent(roller):
    """Where all slips, a larger creepage changes nothing."""
    rolled = tr.roll(
        tr.shift(roller, MU, displacement=(0.0, 0.0, 0.0)), MU, distance=1e-4, creepage=(0.1, 0.0, 0.0)
    )
    assert not rolled.stick.any()
    assert np.abs(rolled.tangent[:2, 0]).max() <= 1e-6 * MU * roller.force


def test_like_bodies_do_not_come_near_the_coupling(monkeypatch):
    """Neither the loop over pressure and tractions nor its derivatives is imported for them."""
    monkeypatch.setitem(sys.modules, "traction.contact.friction.pressure_coupling", None)
    alike, unlike = (ball_of(tr.Pair(tr.STEEL, body), 18) for body in (tr.STEEL, tr.Material(70e9, 0.33)))
    creepage = (0.6 * scale_of(alike), 0.2 * scale_of(alike), 0.0)
    start = start_of(alike)
    for t in (
        start,
        tr.roll_steady(alike, MU, creepage=creepage),
        tr.roll_steady(alike, MU, creepage=creepage, discretisation="classical"),
        *(tr.roll(start, MU, distance=alike.grid.dx, creepage=creepage, scheme=name) for name in SCHEMES),
    ):
        assert t.ok
        assert np.isfinite(t.tangent).all()
        assert np.isfinite(t.approach_tangent).all()
    with pytest.raises(ImportError, match="pressure_coupling"):
        tr.roll_steady(unlike, MU, creepage=creepage)
