"""Tangential products of both directions at once, and their approximate inverse."""

import numpy as np
import pytest
import scipy.fft

import traction as tr
from traction.halfspace import tangential_influence
from traction.halfspace.convolution import find_fast_length
from traction.halfspace.half_space import HalfSpace
from traction.halfspace.tangential_influence import (
    TangentialInfluence,
    TangentialInverse,
    compute_wave_stiffness,
)

PAIR = tr.Pair(tr.STEEL, tr.STEEL)
GRIDS = {
    "square": tr.Grid(13, 9, 1e-3, 1e-3),
    "oblong": tr.Grid(8, 21, 2e-3, 0.5e-3),
    "row": tr.Grid(30, 1, 1e-3, 5e-2),
    "line": tr.Grid.line(24, 1e-3, length=0.4),
    "large": tr.Grid(90, 70, 1e-3, 1.5e-3),  # by transforms
}


@pytest.fixture(params=GRIDS, ids=list(GRIDS))
def half_space(request):
    return HalfSpace(GRIDS[request.param], PAIR)


def random_traction(half_space, seed=0):
    return np.random.default_rng(seed).normal(size=(2, *half_space.grid.shape)) * 1e6


def by_components(half_space, traction):
    return np.array(
        [sum(half_space.product(i, j, p) for j, p in zip("xy", traction, strict=True)) for i in "xy"]
    )


def test_product_is_the_sum_of_its_components(half_space):
    traction = random_traction(half_space)
    found = TangentialInfluence(half_space, half_space.grid.shape).product(traction)
    expected = by_components(half_space, traction)
    np.testing.assert_allclose(found, expected, atol=1e-12 * np.abs(expected).max())


def test_columns_beyond_the_window(half_space):
    grid, beyond = half_space.grid, 2
    wider = HalfSpace(
        tr.Grid.line(grid.nx + 4, grid.dx, length=grid.length)
        if grid.is_line
        else tr.Grid(grid.nx + 4, grid.ny, grid.dx, grid.dy),
        PAIR,
    )
    traction = random_traction(half_space)
    found = TangentialInfluence(half_space, grid.shape, beyond=beyond).product(traction)
    padded = np.pad(traction, ((0, 0), (0, 0), (beyond, beyond)))
    np.testing.assert_allclose(found, by_components(wider, padded), atol=1e-12 * np.abs(found).max())


@pytest.mark.parametrize("shape", [(1, 7), (2, 3), (9, 8), (12, 31)])
def test_sums_and_transforms_agree(shape, monkeypatch):
    """Small windows go by sums over waves; the same by transforms, in blocks of columns."""
    half_space = HalfSpace(tr.Grid(shape[1], shape[0], 1e-3, 2e-3), PAIR)
    traction = random_traction(half_space)
    summed = TangentialInfluence(half_space, shape, beyond=2).product(traction)
    monkeypatch.setattr(tangential_influence, "SMALL", (0, 0))
    monkeypatch.setattr(tangential_influence, "BLOCK_BYTES", 1)
    by_transforms = TangentialInfluence(half_space, shape, beyond=2).product(traction)
    np.testing.assert_allclose(summed, by_transforms, atol=1e-13 * np.abs(summed).max())


@pytest.mark.parametrize("shape", [(1, 7), (2, 3), (9, 8), (12, 31)])
def test_inverse_by_sums_is_that_of_a_torus(shape):
    ny, nx = shape
    half_space = HalfSpace(tr.Grid(nx, ny, 1e-3, 2e-3), PAIR)
    u = (1e-18 * random_traction(half_space)).astype(np.float32)
    lengths = (
        find_fast_length(ny + tangential_influence.MARGIN) if ny > 1 else 1,
        find_fast_length(nx + tangential_influence.MARGIN),
    )
    xx, xy, yy = compute_wave_stiffness(lengths, 2.0, PAIR.poisson_ratio)
    ux, uy = scipy.fft.rfft2(u, lengths, axes=(1, 2))
    expected = scipy.fft.irfft2(np.array([xx * ux + xy * uy, xy * ux + yy * uy]), lengths, axes=(1, 2))
    expected = PAIR.shear_modulus / 2e-3 * expected[:, :ny, :nx]
    found = TangentialInverse(half_space, shape)(u)
    np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max())


def test_energy_is_symmetric_and_positive(half_space):
    influence = TangentialInfluence(half_space, half_space.grid.shape)
    p, q = random_traction(half_space, 1), random_traction(half_space, 2)
    assert np.vdot(p, influence.product(q)) == pytest.approx(np.vdot(q, influence.product(p)), rel=1e-9)
    assert np.vdot(p, influence.product(p)) > 0.0


def test_own_and_next_are_single_influences(half_space):
    influence = TangentialInfluence(half_space, half_space.grid.shape)
    for c in range(2):
        unit = np.zeros((2, *half_space.grid.shape))
        unit[c, 0, 3] = 1.0
        u = influence.product(unit)[c, 0]
        assert influence.own[c] == pytest.approx(u[3], rel=1e-10)
        assert influence.next[c] == pytest.approx(u[4], rel=1e-10)


def test_inverse_undoes_most_of_a_product():
    """It preconditions: the remainder of smooth tractions inside the window is small."""
    half_space = HalfSpace(tr.Grid(48, 48, 1e-3, 1e-3), PAIR)
    x, y = half_space.grid.mesh()
    bell = np.exp(-(x**2 + y**2) / (6e-3) ** 2)
    traction = 1e6 * np.array([bell, bell * x / 6e-3])
    shape = half_space.grid.shape
    found = TangentialInverse(half_space, shape)(TangentialInfluence(half_space, shape).product(traction))
    inner = (slice(None), slice(12, 36), slice(12, 36))
    assert np.abs(found - traction)[inner].max() <= 0.25 * np.abs(traction).max()
