"""Covered elements: where they end, how they act, and Kalker's coefficients."""

from dataclasses import replace

import numpy as np
import pytest

import traction as tr
from coarse import FEW_ELEMENTS
from traction.contact.elements.covered_cells import CoveredElements
from traction.contact.elements.element_influence import ElementInfluence
from traction.contact.elements.kernels import covered_shapes as kernels
from traction.contact.stick_slip.friction_patch import FrictionPatch

BODY = tr.Material.from_shear_modulus(1.0, 0.25)
PAIR = tr.Pair(BODY, BODY)
CONVERGED = {"C11": 4.115, "C22": 3.670, "C23": 1.467, "C33": 1.186}  # Richardson, circle, nu = 0.25


def pressed(across, *, shift=(0.0, 0.0), aspect=1.0):
    """A sphere with the contact radius 1 and so many elements across."""
    n, dx = across + 4, 2.0 / across
    grid = tr.Grid(n, round(n / aspect), dx, aspect * dx, center=(shift[0] * dx, shift[1] * dx))
    return tr.press(tr.Sphere(1.0), grid, PAIR, force=4.0 / 3.0 * PAIR.effective_modulus)


def elements_of(contact, direction=1):
    return CoveredElements(FrictionPatch.around(contact, 1.0), direction)


def kalker(contact):
    """C11, C22, C23 from F_y and from M_z, C33 by small creepages."""
    size = 1e-7
    x, y, spin = (
        tr.roll_steady(contact, 1.0, creepage=tuple(size * np.eye(3)[k]), tol=1e-8) for k in range(3)
    )
    return {
        "C11": -x.force[0] / size,
        "C22": -y.force[1] / size,
        "C23": -spin.force[1] / size,
        "C23 by moment": y.moment / size,
        "C33": -spin.moment / size,
    }


@pytest.mark.parametrize("across", [18, 24, 36, 54])
def test_kalker_coefficients(across):
    found = kalker(pressed(across))
    for name, value in found.items():
        limit = 0.01 if name.startswith("C23") else 0.005
        assert value == pytest.approx(CONVERGED[name[:3]], rel=limit), name


def test_kalker_coefficients_do_not_depend_on_where_the_cells_lie():
    for shift in ((0.5, 0.5), (0.3, 0.1)):
        found = kalker(pressed(24, shift=shift))
        assert found["C11"] == pytest.approx(CONVERGED["C11"], rel=0.005)
        assert found["C22"] == pytest.approx(CONVERGED["C22"], rel=0.005)


@pytest.mark.parametrize("aspect", [0.5, 2.0])
def test_kalker_coefficients_by_oblong_elements(aspect):
    found = kalker(pressed(36, aspect=aspect))
    assert found["C11"] == pytest.approx(CONVERGED["C11"], rel=0.01)
    assert found["C22"] == pytest.approx(CONVERGED["C22"], rel=0.01)


def test_rows_end_at_the_circle():
    """The chord of a row has the mean square of the circle's chords over its height."""
    for across in (18, 36, 72):
        elements = elements_of(pressed(across))
        grid = elements.patch.grid
        low, high = (grid.x[0] + grid.dx * edge for edge in elements.edges)
        y = grid.y[elements.row]
        inner = np.abs(y) < 0.8
        chord = np.sqrt(1.0 - y**2 - grid.dy**2 / 12)
        assert np.abs(high - chord)[inner].max() <= 0.05 * grid.dx
        assert np.abs(low + chord)[inner].max() <= 0.05 * grid.dx


def test_covered_parts_fill_each_row():
    elements = elements_of(pressed(20, shift=(0.3, 0.2)))
    low, high = elements.covered
    left, right = elements.edges
    for j in np.unique(elements.row):
        row = elements.row == j
        assert (high[row][:-1] == low[row][1:]).all()
        assert (low[row][0], high[row][-1]) == (left[row][0], right[row][0])
    assert ((elements.middle > low) & (elements.middle < high)).all()


@pytest.mark.parametrize("direction", [1, -1])
def test_ends_lie_where_particles_enter_and_leave(direction):
    elements = elements_of(pressed(18), direction)
    enters, leaves = elements.ends
    x = elements.patch.grid.x[elements.column]
    assert enters.sum() == leaves.sum() == np.unique(elements.row).size
    assert (direction * x[enters] > 0.0).all()
    assert (direction * x[leaves] < 0.0).all()


@pytest.mark.parametrize("shape", [kernels.FLAT, kernels.ROOT, kernels.INVERSE_ROOT])
def test_shapes_have_the_mean_one(shape):
    strips = np.empty((kernels.MOST_STRIPS, 3))
    for low, high, edge in ((0.2, 1.1, 0.2), (-1.0, -0.3, -0.3)):
        n = kernels.shaped(low, high, edge, shape, -0.4, strips)
        assert (strips[:n, 1] * strips[:n, 2]).sum() == pytest.approx(high - low, rel=1e-12)
        assert strips[:n, 1].sum() == pytest.approx(high - low, rel=1e-12)


def test_far_weights_keep_total_centre_and_spread():
    strips = np.empty((kernels.MOST_STRIPS, 3))
    n = kernels.shaped(3.6, 4.9, 4.9, kernels.ROOT, 0.0, strips)
    weights = np.array(kernels.far_weights(strips, n, 4))
    x, width, size = strips[:n].T
    force, cells = size * width, np.array([3.0, 4.0, 5.0])
    assert weights.sum() == pytest.approx(force.sum())
    assert weights @ cells == pytest.approx(force @ x)
    assert weights @ (cells**2 + 1 / 12) == pytest.approx(force @ (x**2 + width**2 / 12))


def rectangle(x, y, width, height, nu):
    """A_xx, A_xy, A_yy (times pi G over the cell width) at (x, y) of a rectangle at the origin."""
    xx, yy, xy = 0.0, 0.0, 0.0
    for sx in (-0.5, 0.5):
        for sy in (-0.5, 0.5):
            a, b, sign = x + sx * width, y + sy * height, 4.0 * sx * sy
            xx = xx + sign * b * np.arcsinh(a / np.abs(b))
            yy = yy + sign * a * np.arcsinh(b / np.maximum(np.abs(a), 1e-300))
            xy = xy - sign * np.hypot(a, b)
    return xx + (1.0 - nu) * yy, nu * xy, yy + (1.0 - nu) * xx


@FEW_ELEMENTS  # an identity of any grid
@pytest.mark.parametrize("points", ["anywhere", "halfway", "centres"])
@pytest.mark.parametrize("aspect", [0.5, 1.0, 2.0])
def test_influence_equals_the_sum_over_all_strips(aspect, points):
    """Far weights, interpolation and near corrections together against the exact influence of every pair.

    The tractions are random, which is hard on the interpolation: smooth ones do ten times better.
    """
    contact = pressed(14, shift=(0.3, 0.2), aspect=aspect)
    elements = elements_of(contact)
    rng = np.random.default_rng(0)
    sticks = rng.random(elements.row.size) < 0.5
    points = {
        "anywhere": elements.middle + rng.uniform(-0.5, 1.0, elements.row.size),
        "halfway": elements.column + rng.choice((-0.5, 0.5), elements.row.size),
        "centres": elements.column + rng.choice((0.0, 1.0), elements.row.size),
    }[points]
    factors = rng.uniform(0.5, 2.0, points.size)
    traction = rng.normal(size=(2, *elements.contact.shape)) * elements.contact
    parts = elements.load_parts(sticks)
    bent = (rng.random(elements.row.size) < 0.2) & (parts.shape == kernels.FLAT)  # at tips inside and behind
    parts = replace(
        parts,
        shape=np.where(bent, rng.choice((kernels.RIGHT, kernels.LEFT), bent.size), parts.shape),
        edge=np.where(bent, elements.middle + rng.uniform(-0.4, 0.4, bent.size), parts.edge),
        bend=np.where(bent, rng.uniform(0.1, 1.0, bent.size), 0.0),
    )
    influence = ElementInfluence(parts, [(elements.row, points, factors)])
    found = influence.on_window(elements.contact.shape, (elements.row, elements.column))(traction)
    grid, (low, high) = elements.patch.grid, elements.covered
    exact, strips = np.zeros_like(found), np.empty((kernels.MOST_STRIPS, 3))
    for e, (m, k) in enumerate(zip(elements.row, elements.column, strict=True)):
        n = kernels.shaped(low[e], high[e], parts.edge[e], parts.shape[e], parts.bend[e], strips)
        for x, width, size in strips[:n]:
            tensor = rectangle(points - x, aspect * (elements.row - m), width, aspect, 0.25)
            px, py = size * traction[:, m, k] / parts.width[e]
            for c, (a, b) in enumerate(((0, 1), (1, 2))):
                u = factors * grid.dx / np.pi * (tensor[a] * px + tensor[b] * py)
                exact[c, elements.row, elements.column] += u
    assert np.abs(found - exact).max() <= 3e-3 * np.abs(exact).max()


def test_own_is_the_diagonal_of_the_product():
    elements = elements_of(pressed(12, shift=(0.2, 0.4)))
    sticks = np.arange(elements.row.size) % 3 > 0
    targets = [
        (elements.row, elements.middle, np.ones(elements.row.size)),
        (elements.row, elements.middle + 0.5, np.full(elements.row.size, -0.7)),
    ]
    influence = ElementInfluence(elements.load_parts(sticks), targets)
    product = influence.on_window(elements.contact.shape, (elements.row, elements.column))
    own = influence.own()
    for e in (0, 7, 40, elements.row.size - 1):
        j, i = elements.row[e], elements.column[e]
        for c in range(2):
            unit = np.zeros((2, *elements.contact.shape))
            unit[c, j, i] = 1.0
            assert own[c, e] == pytest.approx(product(unit)[c, j, i], rel=1e-9)


def test_a_traction_that_bends_at_a_tip_is_flat_behind_it_and_falls_with_the_root_ahead():
    strips, bend, tip = np.empty((kernels.MOST_STRIPS, 3)), 0.6, 0.1
    n = kernels.shaped(-0.5, 0.5, tip, kernels.RIGHT, bend, strips)
    mean = (0.5 - tip) ** 1.5 / 1.5
    assert strips[0] == pytest.approx([-0.2, 0.6, 1.0 + bend])
    assert (strips[:n, 1] * strips[:n, 2]).sum() == pytest.approx(1.0, rel=1e-12)
    root = np.sqrt(strips[1:n, 0] - tip) / mean
    np.testing.assert_allclose(strips[1:n, 2], 1.0 + bend * (1.0 - root), atol=0.05)
    mirrored = np.empty_like(strips)
    assert kernels.shaped(-0.5, 0.5, -tip, kernels.LEFT, bend, mirrored) == n
    np.testing.assert_allclose(mirrored[:n], strips[:n] * [-1.0, 1.0, 1.0], atol=1e-15)


def test_a_slope_acts_far_away_like_the_moment_of_its_cell():
    weights, one = np.empty((1, 3)), np.ones(1)
    kernels.fill_far_weights(
        -0.5 * one, 0.5 * one, 0.0 * one, np.full(1, kernels.FLAT), 0.3 * one, np.zeros(1, int), weights
    )
    assert weights.sum() == pytest.approx(1.0)
    assert weights[0, 2] - weights[0, 0] == pytest.approx(0.3 / 12.0)
