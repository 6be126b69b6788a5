"""Products by FFT: equal to sums, whatever the torus, the window and the blocks."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from traction.halfspace import convolution
from traction.halfspace.convolution import (
    InfluenceSpectrum,
    SpectrumCache,
    build_spectrum,
    convolve,
    find_fast_length,
)

SYMMETRIES = [(False, False), (True, False), (False, True), (True, True)]
symmetry = pytest.mark.parametrize(("odd_x", "odd_y"), SYMMETRIES)


def random_lags(shape, odd_x, odd_y, seed=0):
    lags = np.random.default_rng(seed).normal(size=shape)
    if odd_x:
        lags[:, 0] = 0.0
    if odd_y:
        lags[0] = 0.0
    return lags


def by_sum(source, lags, odd_x, odd_y, offset, shape):
    """Sum over the source for every target; both count from the first source cell."""
    total = np.zeros(shape)
    for (j, i), _ in np.ndenumerate(total):
        for (m, k), value in np.ndenumerate(source):
            down, right = j + offset[0] - m, i + offset[1] - k
            sign = (-1 if odd_x and right < 0 else 1) * (-1 if odd_y and down < 0 else 1)
            total[j, i] += sign * lags[abs(down), abs(right)] * value
    return total


@symmetry
@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (1, 7), (7, 1), (2, 2), (4, 6), (5, 3), (6, 9)])
def test_product_is_the_sum(odd_x, odd_y, shape):
    lags = random_lags(shape, odd_x, odd_y)
    source = np.random.default_rng(1).normal(size=shape)
    lengths = tuple(2 * n - 1 for n in shape)
    spectrum = build_spectrum(lags, lengths, odd_x=odd_x, odd_y=odd_y)
    expected = by_sum(source, lags, odd_x, odd_y, (0, 0), shape)
    np.testing.assert_allclose(convolve(source, spectrum), expected, rtol=0, atol=1e-12)


@symmetry
@pytest.mark.parametrize("extra", [(0, 0), (1, 0), (0, 1), (1, 1), (5, 8)])
def test_any_torus_that_is_long_enough_gives_the_same(odd_x, odd_y, extra):
    lags = random_lags((4, 6), odd_x, odd_y)
    source = np.random.default_rng(1).normal(size=(4, 6))
    spectrum = build_spectrum(lags, (7 + extra[0], 11 + extra[1]), odd_x=odd_x, odd_y=odd_y)
    expected = by_sum(source, lags, odd_x, odd_y, (0, 0), (4, 6))
    np.testing.assert_allclose(convolve(source, spectrum), expected, rtol=0, atol=1e-12)


def test_a_torus_that_is_too_short_does_not():
    """The other half of the test above: on a short torus the far ends meet."""
    lags = random_lags((4, 6), False, False)
    source = np.random.default_rng(1).normal(size=(4, 6))
    expected = by_sum(source, lags, False, False, (0, 0), (4, 6))
    assert np.abs(convolve(source, build_spectrum(lags, (5, 11))) - expected).max() > 1e-3


@given(
    st.sampled_from(SYMMETRIES),
    st.tuples(st.integers(1, 5), st.integers(1, 5)),
    st.tuples(st.integers(1, 5), st.integers(1, 5)),
    st.tuples(st.integers(-6, 6), st.integers(-6, 6)),
    st.tuples(st.integers(0, 3), st.integers(0, 3)),
)
def test_windows(odd, source_shape, shape, offset, extra):
    """Sources and targets of different size at any distance, on any torus that holds all pairs."""
    reach = tuple(max(n + s, m - s) for n, m, s in zip(shape, source_shape, offset, strict=True))
    lags = random_lags(reach, *odd)
    source = np.random.default_rng(1).normal(size=source_shape)
    lengths = (2 * reach[0] - 1 + extra[0], 2 * reach[1] - 1 + extra[1])
    spectrum = build_spectrum(lags, lengths, odd_x=odd[0], odd_y=odd[1])
    found = convolve(source, spectrum, offset=offset, shape=shape)
    np.testing.assert_allclose(found, by_sum(source, lags, *odd, offset, shape), rtol=0, atol=1e-12)


@symmetry
def test_blocks_of_columns(monkeypatch, odd_x, odd_y):
    """23 columns of the half transform in blocks of 8, and all at once."""
    lags = random_lags((12, 20), odd_x, odd_y)
    source = np.random.default_rng(1).normal(size=(9, 14))
    spectrum = build_spectrum(lags, (24, 45), odd_x=odd_x, odd_y=odd_y)
    widths = []
    column_block = convolution._convolve_block

    def spy(rows, *arguments):
        widths.append(rows.shape[1])
        return column_block(rows, *arguments)

    monkeypatch.setattr(convolution, "_convolve_block", spy)
    at_once = convolve(source, spectrum, offset=(-2, 3), shape=(11, 15))
    monkeypatch.setattr(convolution, "BLOCK_BYTES", 1)
    in_blocks = convolve(source, spectrum, offset=(-2, 3), shape=(11, 15))
    assert widths == [23, 8, 8, 7]
    np.testing.assert_allclose(in_blocks, at_once, rtol=0, atol=1e-13)


def test_periodic_kernel_of_one_row_repeats():
    """A torus of one row: every row of the target is that row."""
    lags = random_lags((1, 4), False, False)
    source = np.random.default_rng(1).normal(size=(1, 7))
    rows = convolve(source, build_spectrum(lags, (1, 7)), shape=(3, 7))
    np.testing.assert_array_equal(rows, np.broadcast_to(rows[0], (3, 7)))


def test_source_is_not_changed():
    source = np.random.default_rng(1).normal(size=(5, 6))
    before = source.copy()
    convolve(source, build_spectrum(random_lags((5, 6), False, False), (9, 12)))
    np.testing.assert_array_equal(source, before)


def test_single_precision_points_the_way():
    lags = random_lags((8, 9), False, False)
    source = np.random.default_rng(1).normal(size=(8, 9))
    spectrum = build_spectrum(lags, (15, 18))
    found = convolve(source.astype(np.float32), spectrum.single)
    assert found.dtype == np.float32
    exact = convolve(source, spectrum)
    assert 1e-9 < np.abs(found - exact).max() / np.abs(exact).max() < 1e-5
    assert spectrum.single is spectrum.single


@given(st.integers(1, 5000))
def test_fast_lengths_have_small_factors(n):
    length = find_fast_length(n)
    assert n <= length <= 1.15 * n + 2
    for factor in (2, 3, 5):
        while length % factor == 0:
            length //= factor
    assert length == 1


def spectrum_of_bytes(count):
    half = np.zeros(count // 16)
    return InfluenceSpectrum(half, half, (1, half.size))


def forbidden():
    raise AssertionError("built again")


def test_cache_builds_once():
    cache = SpectrumCache(1000)
    first = cache.get("a", lambda: spectrum_of_bytes(400))
    assert cache.get("a", forbidden) is first


def test_cache_forgets_what_was_used_longest_ago():
    cache = SpectrumCache(1000)
    for key in "ab":
        cache.get(key, lambda: spectrum_of_bytes(400))
    cache.get("a", forbidden)
    cache.get("c", lambda: spectrum_of_bytes(400))
    cache.get("a", forbidden)
    cache.get("c", forbidden)
    with pytest.raises(AssertionError, match="built again"):
        cache.get("b", forbidden)


@given(st.lists(st.integers(16, 2000), min_size=1, max_size=30))
def test_cache_is_bounded_in_bytes(sizes):
    """By its limit, or by the one spectrum that is in use."""
    cache = SpectrumCache(1000)
    for key, size in enumerate(sizes):
        spectrum = cache.get(key, lambda size=size: spectrum_of_bytes(size))
        assert cache.get(key, forbidden) is spectrum
        held = list(cache._spectra.values())
        assert sum(s.values.nbytes + s.lags.nbytes for s in held) <= 1000 or held == [spectrum]


def test_cache_is_shared_between_threads():
    """Each key always gives a spectrum of its own size, while others come and go."""
    cache = SpectrumCache(2000)

    def use(step):
        count = 16 * (1 + step % 40)
        return cache.get(count, lambda: spectrum_of_bytes(count)).values.nbytes == count // 16 * 8

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(4000)))
    assert cache._bytes <= 2000
