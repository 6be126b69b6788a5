"""Elements of the material under a rolling contact: loads, places, and what is carried over."""

import numpy as np
import pytest

import traction as tr
from traction.contact.elements.element_influence import ElementInfluence
from traction.contact.rolling.kernels import material_rows as kernels
from traction.contact.rolling.material_grid import MaterialElements, RowLoads
from traction.contact.stick_slip.friction_patch import FrictionPatch

STEEL = tr.Pair(tr.STEEL, tr.STEEL)
MU = 0.3


@pytest.fixture(scope="module")
def ball():
    hertz = tr.hertz.sphere(0.1, STEEL, force=1000.0)
    grid = tr.Grid.around(1.3 * hertz.radius, 1.3 * hertz.radius, 26, 26)
    return tr.press(tr.Sphere(0.1), grid, STEEL, force=1000.0, tol=1e-9)


@pytest.fixture(scope="module")
def loads(ball):
    return RowLoads.of(FrictionPatch.over(ball, MU), 1)


@pytest.mark.parametrize("origin", [0.0, 0.3, 7.5, -2.2])
def test_elements_carry_all_of_the_bound(loads, origin):
    elements = MaterialElements.under(loads, origin)
    assert elements.bound.sum() == pytest.approx(loads.patch.bound.sum(), rel=1e-12)
    assert (elements.bound > 0.0).all()
    low, high = elements.up_to
    assert (np.diff(low) > 0.0).all()
    np.testing.assert_allclose(high - low, elements.bound, rtol=1e-12)
    same = elements.run[1:] == elements.run[:-1]
    assert (elements.low[1:][same] == elements.high[:-1][same]).all()
    row, left, right = elements.runs
    assert (row == loads.row).all()
    np.testing.assert_allclose(left, origin + loads.left, atol=1e-12)
    np.testing.assert_allclose(right, origin + loads.right, atol=1e-12)


def test_whole_elements_are_the_cells_whose_centres_lie_inside(loads):
    elements = MaterialElements.under(loads, 0.3, whole=True)
    left, right = 0.3 + loads.left[elements.run], 0.3 + loads.right[elements.run]
    assert ((elements.cell >= left - 1e-9) & (elements.cell <= right + 1e-9)).all()
    assert (elements.width == 1.0).all()


def test_shares_seen_from_the_contact_are_interpolated_along_rows():
    rng = np.random.default_rng(0)
    row, new_row = np.repeat([1, 2, 5], 6), np.repeat([0, 1, 5], 4)
    x, new_x = (np.sort(rng.uniform(0.0, 9.0, (3, n)), axis=1).ravel() for n in (6, 4))
    numbers, found = rng.normal(size=(2, 18)), np.empty((2, 12))
    kernels.in_contact_frame((row, x, numbers), (new_row, new_x), found)
    for c in range(2):
        for j in (1, 5):
            old, new = row == j, new_row == j
            np.testing.assert_allclose(found[c, new], np.interp(new_x[new], x[old], numbers[c, old]))
    assert not found[:, new_row == 0].any()


def test_what_is_shared_out_by_overlap_keeps_its_sum():
    rng = np.random.default_rng(1)
    up_to = np.r_[0.0, np.cumsum(rng.uniform(0.1, 1.0, 20))]
    ends = np.sort(rng.uniform(0.0, up_to[-1], 16)).reshape(8, 2)
    numbers, found = rng.normal(size=(2, 8)), np.empty((2, 20))
    kernels.shared_out(up_to, ends[:, 0].copy(), ends[:, 1].copy(), numbers, found)
    np.testing.assert_allclose(found.sum(axis=1), numbers @ (ends[:, 1] - ends[:, 0]))
    middle = 0.5 * (up_to[:-1] + up_to[1:])
    outside = ~((middle[:, None] > ends[:, 0] - 1.0) & (middle[:, None] < ends[:, 1] + 1.0)).any(axis=1)
    assert not found[:, outside].any()


def test_products_by_points_by_owners_and_over_the_window_agree(loads):
    elements = MaterialElements.under(loads, 0.3)
    n, rng = elements.row.size, np.random.default_rng(2)
    ahead = np.where(rng.random(n) < 0.3, rng.normal(size=n), 0.0)
    targets = [(elements.row, elements.middle, np.ones(n)), (elements.row, elements.right, ahead)]
    influence, traction = ElementInfluence(elements, targets), rng.normal(size=(2, n))
    u = influence.displace_points()(traction)
    assert u.shape == (2, n + np.count_nonzero(ahead))
    expected = influence.product(traction)
    np.testing.assert_allclose(influence.sum_points(u), expected, rtol=1e-12)
    field = np.zeros((2, *elements.window))
    field[(slice(None), *elements.place)] = traction
    over = influence.on_window(field.shape[1:], elements.place)(field)
    np.testing.assert_allclose(over[(slice(None), *elements.place)], expected, rtol=1e-12)


def test_steady_rolling_leaves_its_own_elements(ball):
    """Forces, displacements and energy are those of the steady solution, also on half the cells."""
    t = tr.roll_steady(ball, MU, creepage=(3e-4, -2e-4, 0.3))
    state = t.state
    np.testing.assert_array_equal(state.traction, t.traction[:, ball.contact])
    np.testing.assert_array_equal(state.elements.row, np.nonzero(ball.contact)[0])
    assert np.abs(t.force).max() > 0.0
    fine = state.halve()
    area = fine.patch.grid.cell_area
    np.testing.assert_allclose(fine.traction.sum(axis=1) * area, t.force, rtol=1e-12)
    assert fine.elements.bound.sum() * area == pytest.approx(MU * ball.force, rel=1e-12)
    assert fine.fineness == 2
    assert fine.energy == pytest.approx(state.energy, rel=0.02)
    points = state.elements.row, state.elements.middle + 0.2, np.ones(state.elements.row.size)
    u = ElementInfluence(state.elements, [points]).product(state.traction)
    there = points[0], 2.0 * points[1] + 0.5, points[2]
    np.testing.assert_allclose(
        ElementInfluence(fine.elements, [there]).product(fine.traction), u, atol=0.01 * np.abs(u).max()
    )
