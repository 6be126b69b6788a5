"""Half spaces that repeat: against sums over images, waves, and the limits of lines and strips."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import k0

import traction as tr
from convergence import observed_order
from traction.halfspace.kernels.surface_influence import INVERSE, compute_rectangle_lags
from traction.halfspace.periodic_influence import (
    compute_lattice_lags,
    compute_line_row_lags,
    compute_row_lags,
)

PAIR = tr.Pair(tr.STEEL, tr.Material(7e10, 0.33))
BOTH = (True, True)
SHAPES = [(4, 6), (5, 7), (8, 6), (3, 16), (16, 3)]


def sum_over_images(ny, nx, dx, dy, images):
    """The row of 2 images + 1 loads, integrated exactly; its length is (2 images + 1) periods."""
    half = nx // 2 + 1
    exact = compute_rectangle_lags(INVERSE, ny, half + images * nx, dx, dy)
    distances = np.abs(np.arange(half) + nx * np.arange(-images, images + 1)[:, None])
    return exact[:, distances].sum(axis=1)


def sum_over_torus(lags, shape):
    """Sums of a folded kernel over all its distances, along each direction."""
    rows, columns = (np.minimum(np.arange(n), n - np.arange(n)) for n in shape)
    return lags[np.ix_(rows, columns)]


@pytest.mark.parametrize("shape", [(1, 1), (6, 8), (4, 9), (9, 2)])
def test_row_is_the_limit_of_many_images(shape):
    """The ends of a finite row, at half its length l, matter like 1/l^2."""
    dx, dy = 0.7, 0.4
    counts = [8, 16, 32, 64]
    lengths = [(2 * images + 1) * shape[1] * dx for images in counts]
    errors = [
        np.abs(sum_over_images(*shape, dx, dy, images) - compute_row_lags(*shape, dx, dy, length)).max()
        for images, length in zip(counts, lengths, strict=True)
    ]
    # Coarse rows keep the error of their three-point rule, so only its decrease is measured.
    tail = [abs(a - b) for a, b in pairwise(errors)]
    assert observed_order(lengths[:-1], tail) == pytest.approx(-2.0, abs=0.1)


@pytest.mark.parametrize(
    ("shape", "dy", "accuracy"),
    [
        ((6, 16), 1.0, 1e-9),
        ((20, 16), 0.8, 1e-9),
        ((12, 8), 1.0, 1e-7),
        ((20, 4), 1.0, 2e-6),
        ((6, 2), 1.0, 1e-4),
    ],
)
def test_row_equals_the_extrapolated_sum(shape, dy, accuracy):
    """Extrapolated from a row and one three times as long; near and far formulas are both met."""
    short, period = 100, float(shape[1])
    sums = []
    for images in (short, 3 * short + 1):
        length = (2 * images + 1) * period
        sums.append(sum_over_images(*shape, 1.0, dy, images) - 2 * dy / period * math.log(length))
    extrapolated = (9 * sums[1] - sums[0]) / 8
    found = compute_row_lags(*shape, 1.0, dy, 1.0)
    assert np.abs(found - extrapolated).max() <= accuracy * np.ptp(extrapolated)


def test_rule_is_of_sixth_order():
    """The smooth part is integrated by three Gauss points; halving the element gains 2^6 at least."""
    sizes = [4, 8, 16]
    errors = []
    for n in sizes:
        exact = sum_over_torus(compute_lattice_lags(n, n, 1.0, 1.0), (n, n)).sum(axis=0)
        errors.append(np.abs(exact - sum_over_torus(compute_line_row_lags(n), (1, n))[0]).max())
    assert observed_order(sizes, errors) <= -5.9


def test_row_grows_with_the_logarithm_of_its_length():
    short, long = (compute_row_lags(5, 6, 0.5, 0.7, length) for length in (1.0, 10.0))
    np.testing.assert_allclose(long - short, 0.5 * 0.7 * 2 / (6 * 0.5) * math.log(10.0), rtol=1e-12)


def test_far_from_the_row_it_is_a_strip():
    """What differs from 2/P ln(l/y) falls like K0(2 pi y/P), the first harmonic."""
    nx, dx, dy, length = 16, 1.0, 1.0, 5.0
    period = nx * dx
    y = dy * np.arange(20, 40)
    edges = np.stack([y - dy / 2, y + dy / 2])
    strip = 2 * dx / period * np.diff(edges * (1 + np.log(length / edges)), axis=0)[0]
    difference = compute_row_lags(40, nx, dx, dy, length)[20:, 0] - strip
    np.testing.assert_allclose(difference, 4 / period * dx * dy * k0(2 * np.pi * y / period), rtol=0.05)
    assert np.all(np.diff(np.abs(difference)) < 0.0)


@pytest.mark.parametrize("n", [1, 2, 3, 8, 15])
def test_periodic_line_by_its_sines(n):
    """-2 ln|2 sin(pi x/P)| has the Fourier series sum 2/m cos(2 pi m x/P), P = n."""
    lags = sum_over_torus(compute_line_row_lags(n), (1, n))[0]
    m = np.arange(1, 200_001)
    mean = 2.0 / m * np.sinc(m / n)  # mean over an element of width 1
    x = np.arange(n)
    expected = [np.sum(mean * np.cos(2 * np.pi * m * i / n)) for i in x]
    np.testing.assert_allclose(lags, expected, atol=2e-3 / n**2)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("aspect", [1.0, 0.6])
def test_kernel_of_the_lattice_has_no_mean(shape, aspect):
    lags = compute_lattice_lags(*shape, 1.0, aspect)
    assert sum_over_torus(lags, shape).sum() == pytest.approx(0.0, abs=1e-12)
    assert np.ptp(lags) > 1.0


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("aspect", [1.0, 0.6])
def test_transposed_lattice(shape, aspect):
    transposed = compute_lattice_lags(*shape[::-1], aspect, 1.0).T
    np.testing.assert_allclose(compute_lattice_lags(*shape, 1.0, aspect), transposed, rtol=0, atol=1e-12)


def test_both_ways_to_sum_a_square_lattice():
    """Rows along x or along y: the same kernel, though not the same arithmetic."""
    lags = compute_lattice_lags(16, 16, 1.0, 1.0)
    np.testing.assert_allclose(lags, lags.T, atol=1e-9)


@pytest.mark.parametrize("shape", [(16, 16), (12, 20), (24, 8)])
def test_lattice_summed_along_one_direction_is_the_periodic_line(shape):
    table = sum_over_torus(compute_lattice_lags(*shape, 1.0, 1.0), shape)
    for axis, n in ((0, shape[1]), (1, shape[0])):
        line = sum_over_torus(compute_line_row_lags(n), (1, n))[0]
        np.testing.assert_allclose(table.sum(axis=axis), line, atol=1e-7 * np.ptp(line))


@pytest.mark.parametrize("grid", [tr.Grid(8, 6, 1e-3, 1.5e-3), tr.Grid.line(9, 1e-3)], ids=["plane", "line"])
@given(shift=st.tuples(st.integers(0, 9), st.integers(0, 9)), seed=st.integers(0, 99))
def test_shifting_the_pressure_shifts_the_displacement(grid, shift, seed):
    space = tr.HalfSpace(grid, PAIR, BOTH)
    pressure = np.random.default_rng(seed).normal(size=grid.shape)
    u = space.product("z", "z", pressure)
    shifted = space.product("z", "z", np.roll(pressure, shift, axis=(0, 1)))
    scale = np.abs(u).max()
    np.testing.assert_allclose(shifted, np.roll(u, shift, axis=(0, 1)), rtol=0, atol=1e-12 * scale)
    assert abs(u.mean()) <= 1e-12 * scale


@pytest.mark.parametrize("periodic", [(True, False), (False, True)])
def test_one_periodic_direction(periodic):
    """Shifts along it are shifts of the answer; along the other direction they are not."""
    grid = tr.Grid(8, 6, 1e-3, 1.5e-3, length=0.1)
    space = tr.HalfSpace(grid, PAIR, periodic)
    pressure = np.random.default_rng(3).uniform(size=grid.shape)
    u = space.product("z", "z", pressure)
    across, along = (0, 1) if periodic[0] else (1, 0)
    for axis, same in ((along, True), (across, False)):
        shifted = space.product("z", "z", np.roll(pressure, 2, axis=axis))
        assert np.allclose(shifted, np.roll(u, 2, axis=axis), rtol=1e-10, atol=0.0) is same


@pytest.mark.parametrize("periodic", [(True, False), (False, True), (True, True)])
def test_transposed_grids_give_transposed_results(periodic):
    grid = tr.Grid(8, 6, 1e-3, 1.5e-3, length=0.1)
    turned = tr.Grid(6, 8, 1.5e-3, 1e-3, length=0.1)
    pressure = np.random.default_rng(3).uniform(size=grid.shape)
    u = tr.HalfSpace(grid, PAIR, periodic).product("z", "z", pressure)
    other = tr.HalfSpace(turned, PAIR, periodic[::-1]).product("z", "z", np.ascontiguousarray(pressure.T))
    np.testing.assert_allclose(other.T, u, rtol=0, atol=1e-12 * np.abs(u).max())


@pytest.mark.parametrize("periodic", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("shape", [(1, 6), (5, 1), (4, 6), (5, 7)])
def test_product_is_the_sum(periodic, shape):
    grid = tr.Grid(shape[1], shape[0], 1e-3, 1.2e-3, length=0.1)
    space = tr.HalfSpace(grid, PAIR, periodic)
    pressure = np.random.default_rng(4).normal(size=shape)
    direct = space.direct("z", "z", pressure)
    np.testing.assert_allclose(space.product("z", "z", pressure), direct, atol=1e-12 * np.abs(direct).max())


def test_product_is_the_sum_on_a_periodic_line():
    space = tr.HalfSpace(tr.Grid.line(7, 1e-3), PAIR, (True, False))
    pressure = np.random.default_rng(4).normal(size=(1, 7))
    direct = space.direct("z", "z", pressure)
    np.testing.assert_allclose(space.product("z", "z", pressure), direct, atol=1e-12 * np.abs(direct).max())


def wave_error(grid, periodic, waves):
    """Relative error of u = 2 p/(E* q) for p = cos(q . x) with so many waves along x and y."""
    x, y = grid.mesh()
    qx, qy = (
        2 * np.pi * m / (n * d) for m, n, d in zip(waves, (grid.nx, grid.ny), (grid.dx, grid.dy), strict=True)
    )
    q = math.hypot(qx, qy)
    pressure = np.cos(qx * x + qy * y)
    expected = 2.0 / (PAIR.effective_modulus * q) * pressure
    u = tr.HalfSpace(grid, PAIR, periodic).product("z", "z", pressure)
    return np.abs(u - expected).max() / np.abs(expected).max()


WAVES = {
    "line": lambda n: wave_error(tr.Grid.line(n, 1.0 / n), (True, False), (1, 0)),
    "line, two waves": lambda n: wave_error(tr.Grid.line(n, 1.0 / n), (True, False), (2, 0)),
    "along x": lambda n: wave_error(tr.Grid(n, n // 2, 1 / n, 1 / n), BOTH, (1, 0)),
    "along y": lambda n: wave_error(tr.Grid(n // 2, n, 1 / n, 1 / n), BOTH, (0, 1)),
    "oblique": lambda n: wave_error(tr.Grid(n, n // 2, 1 / n, 3 / n), BOTH, (2, 1)),
}


@pytest.mark.parametrize("case", WAVES)
def test_waves(case):
    sizes = [64, 128, 256]
    errors = [WAVES[case](n) for n in sizes]
    assert observed_order(sizes, errors) == pytest.approx(-2.0, abs=0.1)
    assert errors[-1] < 5e-3


def test_a_long_period_tends_to_a_single_load():
    """Around one load, differences of displacement forget the images as the period grows."""

    def error(n):
        pressure = np.zeros((n, n))
        pressure[0, 0] = 1.0
        grid = tr.Grid(n, n, 1e-3, 1e-3)
        periodic, free = (
            tr.HalfSpace(grid, PAIR, p).product("z", "z", pressure) for p in (BOTH, (False, False))
        )
        return abs((periodic[0, 0] - periodic[0, 3]) - (free[0, 0] - free[0, 3])) / free[0, 0]

    sizes = [16, 32, 64, 128]
    assert observed_order(sizes, [error(n) for n in sizes]) == pytest.approx(-3.0, abs=0.1)


@pytest.mark.parametrize("periodic", [(True, False), (False, True), BOTH])
@pytest.mark.parametrize(("i", "j"), [("x", "x"), ("x", "y"), ("x", "z"), ("z", "y")])
def test_tangential_influence_of_periodic_bodies_is_refused(periodic, i, j):
    space = tr.HalfSpace(tr.Grid(4, 4, 1e-3, 1e-3, length=0.1), PAIR, periodic)
    for method in (space.product, space.direct):
        with pytest.raises(tr.InputError, match="tangential directions is for a free half space"):
            method(i, j, np.ones((4, 4)))


def test_points_off_a_periodic_grid_are_refused():
    space = tr.HalfSpace(tr.Grid(4, 4, 1e-3, 1e-3), PAIR, BOTH)
    with pytest.raises(tr.InputError, match="points off the grid is for a free half space"):
        space.at_points("z", "z", np.ones((4, 4)), 0.0, 0.0)
