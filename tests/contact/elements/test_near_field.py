"""Primitives of corners and logarithms that are taken several at a time."""

import numpy as np
import pytest

from traction.contact.elements.kernels.corner_influence import corners, log_ratio


def test_the_logarithm_of_a_ratio_is_right_to_rounding():
    rng = np.random.default_rng(0)
    for x in (*10.0 ** rng.uniform(-280, 280, 400), *rng.uniform(0.5, 2.0, 400), 1.0, 0.5, 2.0, np.sqrt(2.0)):
        assert log_ratio(x, 1.0) == pytest.approx(np.log(x), rel=4e-16, abs=3e-16)
    for a, b in 10.0 ** rng.uniform(-3, 3, (400, 2)):
        exact = float(np.log(np.longdouble(a)) - np.log(np.longdouble(b)))
        assert log_ratio(a, b) == pytest.approx(exact, rel=4e-16, abs=3e-16)


@pytest.mark.parametrize("count", [1, 7, 16, 37])
def test_corners_are_the_primitives(count):
    rng = np.random.default_rng(count)
    x, y, values = rng.normal(size=count), rng.uniform(0.1, 3.0, count), np.empty((3, count + 2))
    x[0] = 0.0
    corners(x, y, count, False, values)
    with np.errstate(divide="ignore", invalid="ignore"):
        across = np.where(x == 0.0, 0.0, x * np.arcsinh(y / np.abs(x)))
    expected = y * np.arcsinh(x / y), across, -np.hypot(x, y)
    np.testing.assert_allclose(values[:, :count], expected, rtol=1e-14, atol=1e-15)


def test_plane_strain_is_the_limit_of_long_rows():
    """Far faces differ from strips by a multiple of x, which no row of forces without a sum can see."""
    x, far, strip, long = np.linspace(-2.0, 2.0, 9), np.empty((3, 9)), np.empty((3, 9)), np.full(9, 1e4)
    corners(x, long, 9, False, far)
    corners(x, long, 9, True, strip)
    np.testing.assert_allclose(far[0], strip[0], atol=1e-7)
    np.testing.assert_allclose(far[1] - strip[1], np.log(2.0) * x, atol=1e-7)
