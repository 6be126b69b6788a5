"""Laws of frictionless contact, for random problems."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import traction as tr
from coarse import FEW_ELEMENTS

PAIR = tr.Pair(tr.Material(2e11, 0.3), tr.Material(7e10, 0.33))
cells = st.integers(min_value=9, max_value=40)
radius = st.floats(min_value=0.3, max_value=3.0)


@st.composite
def problems(draw):
    """A grid and a bumpy paraboloid that opens to all sides."""
    nx, ny = draw(cells), draw(cells)
    aspect = draw(st.floats(min_value=0.3, max_value=3.0))
    grid = tr.Grid(nx, ny, 2.0 / nx, aspect * 2.0 / ny)
    x, y = grid.mesh()
    gap = x**2 / (2 * draw(radius)) + y**2 / (2 * aspect**2 * draw(radius))
    rng = np.random.default_rng(draw(st.integers(min_value=0, max_value=2**31)))
    gap += draw(st.sampled_from([0.0, 0.01, 0.1])) * rng.random(grid.shape)
    return grid, gap - gap.min(), draw(st.floats(min_value=0.01, max_value=0.3))


def pressed(gap, grid, **load):
    return tr.press(gap, grid, PAIR, on_failure="return", tol=1e-8, **load)


@FEW_ELEMENTS  # random gaps touch in patches of any size
@given(problems())
def test_conditions_of_contact(problem):
    grid, gap, approach = problem
    n = pressed(gap, grid, approach=approach)
    assert n.status is not tr.Status.STALLED
    u = tr.HalfSpace(grid, PAIR).product("z", "z", n.pressure)
    distance = gap + u - approach
    assert (n.pressure >= 0.0).all()
    assert distance.min() >= -1.1e-8 * approach
    assert np.abs(n.pressure * distance).max() <= 1.1e-8 * approach * n.peak_pressure
    assert n.force == pytest.approx(n.pressure.sum() * grid.cell_area, rel=1e-12)


@FEW_ELEMENTS  # random gaps touch in patches of any size
@given(problems())
def test_force_given_leads_to_the_same_contact(problem):
    grid, gap, approach = problem
    by_approach = pressed(gap, grid, approach=approach)
    by_force = pressed(gap, grid, force=by_approach.force)
    assert by_force.approach == pytest.approx(approach, rel=1e-6)
    assert by_force.force == pytest.approx(by_approach.force, rel=1e-12)
    np.testing.assert_allclose(by_force.pressure, by_approach.pressure, atol=1e-4 * by_approach.peak_pressure)


@FEW_ELEMENTS  # random gaps touch in patches of any size
@given(problems(), st.floats(min_value=1.001, max_value=2.0))
def test_more_approach_never_less_force(problem, factor):
    grid, gap, approach = problem
    less, more = pressed(gap, grid, approach=approach), pressed(gap, grid, approach=factor * approach)
    assert more.force >= less.force
    assert (more.contact | ~less.contact).all()


@FEW_ELEMENTS  # random gaps touch in patches of any size
@given(problems())
def test_mirrored_and_transposed_gaps_give_mirrored_and_transposed_answers(problem):
    grid, gap, approach = problem
    n = pressed(gap, grid, approach=approach)
    tolerance = {"atol": 1e-5 * n.peak_pressure, "rtol": 0.0}
    np.testing.assert_allclose(
        pressed(gap[:, ::-1], grid, approach=approach).pressure, n.pressure[:, ::-1], **tolerance
    )
    np.testing.assert_allclose(
        pressed(gap[::-1], grid, approach=approach).pressure, n.pressure[::-1], **tolerance
    )
    turned = tr.Grid(grid.ny, grid.nx, grid.dy, grid.dx)
    np.testing.assert_allclose(pressed(gap.T, turned, approach=approach).pressure, n.pressure.T, **tolerance)


@FEW_ELEMENTS  # random gaps touch in patches of any size
@given(cells, radius, radius, st.floats(min_value=1e-3, max_value=10.0))
def test_force_of_a_paraboloid_grows_with_the_power_three_halves(n, radius_x, radius_y, factor):
    """Both grids scale with the contact, so the discrete problems are similar."""
    hertz = tr.hertz.ellipse(radius_x, radius_y, PAIR, approach=1e-6)
    forces = []
    for scale in (1.0, factor):
        a, b = (1.2 * axis * np.sqrt(scale) for axis in hertz.semi_axes)
        gap = tr.Paraboloid(radius_x, radius_y)
        forces.append(tr.press(gap, tr.Grid.around(a, b, n, n), PAIR, approach=scale * 1e-6, tol=1e-9).force)
    assert forces[1] / forces[0] == pytest.approx(factor**1.5, rel=1e-6)


@FEW_ELEMENTS  # random gaps touch in patches of any size
@given(problems(), st.floats(min_value=0.1, max_value=10.0))
def test_pressure_is_proportional_to_the_modulus(problem, factor):
    grid, gap, approach = problem
    n = pressed(gap, grid, approach=approach)
    stiffer = tr.Pair(tr.Material(2e11 * factor, 0.3), tr.Material(7e10 * factor, 0.33))
    m = tr.press(gap, grid, stiffer, approach=approach, tol=1e-8, on_failure="return")
    np.testing.assert_allclose(m.pressure, factor * n.pressure, atol=1e-5 * m.peak_pressure)


@FEW_ELEMENTS  # random gaps touch in patches of any size
@given(problems(), st.sampled_from(["x", "y", "xy"]), st.integers(0, 40), st.integers(0, 40))
def test_periodic_answers_move_with_the_gap(problem, periodic, rows, columns):
    grid, gap, _ = problem
    grid = tr.Grid(grid.nx, grid.ny, grid.dx, grid.dy, length=100.0)
    rows, columns = rows * ("y" in periodic), columns * ("x" in periodic)
    load = {"force": 1e-3 * PAIR.effective_modulus, "periodic": periodic}
    n = pressed(gap, grid, **load)
    assert n.status is not tr.Status.STALLED
    moved = pressed(np.roll(gap, (rows, columns), axis=(0, 1)), grid, **load)
    expected = np.roll(n.pressure, (rows, columns), axis=(0, 1))
    np.testing.assert_allclose(moved.pressure, expected, atol=1e-5 * n.peak_pressure)
