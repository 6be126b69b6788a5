"""Integrals over an element: against quadrature, closed forms, and the laws they obey."""

import math
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import dblquad, quad

from convergence import observed_order
from traction.halfspace.kernels import surface_influence as kernels
from traction.halfspace.kernels.surface_influence import INVERSE, X_X, X_Y, Y_Y, X, Y

INTEGRANDS = {
    X_X: lambda x, y: x * x / math.hypot(x, y) ** 3,
    Y_Y: lambda x, y: y * y / math.hypot(x, y) ** 3,
    X_Y: lambda x, y: x * y / math.hypot(x, y) ** 3,
    X: lambda x, y: x / math.hypot(x, y) ** 2,
    Y: lambda x, y: y / math.hypot(x, y) ** 2,
    INVERSE: lambda x, y: 1.0 / math.hypot(x, y),
}
NAMES = {X_X: "xx", Y_Y: "yy", X_Y: "xy", X: "x", Y: "y", INVERSE: "inverse"}
#: signs under x -> -x and y -> -y, and the integral that takes its place when x and y are exchanged
PARITY = {X_X: (1, 1), Y_Y: (1, 1), X_Y: (-1, -1), X: (-1, 1), Y: (1, -1), INVERSE: (1, 1)}
EXCHANGED = {X_X: Y_Y, Y_Y: X_X, X_Y: X_Y, X: Y, Y: X, INVERSE: INVERSE}

which_integral = pytest.mark.parametrize("which", INTEGRANDS, ids=NAMES.get)
PLACES = st.floats(-5.0, 5.0)
WIDTHS = st.floats(0.1, 3.0)


def outside(which, x, y, dx, dy):
    """Adaptive quadrature over the element, from a point off it."""
    value, _ = dblquad(
        lambda b, a: INTEGRANDS[which](x - a, y - b),
        -dx / 2,
        dx / 2,
        -dy / 2,
        dy / 2,
        epsabs=1e-12,
        epsrel=1e-11,
    )
    return value


def inside(which, x, y, dx, dy):
    """From a point on the element: all integrands are f(angle)/r, which leaves that of f(angle) R(angle)."""

    def exit_distance(c, s):
        along_x = ((math.copysign(dx / 2, c)) - x) / c if c else math.inf
        along_y = ((math.copysign(dy / 2, s)) - y) / s if s else math.inf
        return min(along_x, along_y)

    def integrand(angle):
        c, s = math.cos(angle), math.sin(angle)
        return INTEGRANDS[which](-c, -s) * exit_distance(c, s)

    corners = [math.atan2(sy * dy / 2 - y, sx * dx / 2 - x) for sx in (1, -1) for sy in (1, -1)]
    ends = sorted({-math.pi, -math.pi / 2, 0.0, math.pi / 2, math.pi, *corners})
    pieces = (quad(integrand, a, b, epsabs=1e-13)[0] for a, b in pairwise(ends))
    return sum(pieces)


@which_integral
@pytest.mark.parametrize("point", [(1.0, 0.3), (-0.2, 1.5), (-2.0, -0.7), (0.0, 2.0), (7.0, 5.0)])
def test_off_the_element(which, point):
    assert kernels.rectangle(which, *point, 0.8, 1.3) == pytest.approx(
        outside(which, *point, 0.8, 1.3), abs=1e-11
    )


@which_integral
@pytest.mark.parametrize("point", [(0.0, 0.0), (0.1, 0.0), (0.0, -0.5), (-0.3, 0.2), (0.4, 0.1), (0.4, 0.65)])
def test_on_the_element_its_edge_and_its_corner(which, point):
    assert kernels.rectangle(which, *point, 0.8, 1.3) == pytest.approx(
        inside(which, *point, 0.8, 1.3), abs=1e-11
    )


def test_closed_forms_at_the_middle():
    """Of 1/r over a square 4 ln(1 + sqrt 2), over a rectangle 2 (a asinh(b/a) + b asinh(a/b))."""
    assert kernels.rectangle(INVERSE, 0.0, 0.0, 1.0, 1.0) == pytest.approx(
        4 * math.log(1 + math.sqrt(2)), rel=1e-14
    )
    a, b = 0.7, 2.1
    expected = 2 * (a * math.asinh(b / a) + b * math.asinh(a / b))
    assert kernels.rectangle(INVERSE, 0.0, 0.0, a, b) == pytest.approx(expected, rel=1e-14)
    assert kernels.rectangle(X_X, 0.0, 0.0, a, b) == pytest.approx(2 * b * math.asinh(a / b), rel=1e-14)


def test_odd_integrals_vanish_at_the_middle():
    for which in (X_Y, X, Y):
        assert kernels.rectangle(which, 0.0, 0.0, 0.7, 2.1) == pytest.approx(0.0, abs=1e-15)


@given(PLACES, PLACES, WIDTHS, WIDTHS)
def test_inverse_distance_is_the_sum_of_both_squares(x, y, dx, dy):
    both = kernels.rectangle(X_X, x, y, dx, dy) + kernels.rectangle(Y_Y, x, y, dx, dy)
    assert kernels.rectangle(INVERSE, x, y, dx, dy) == pytest.approx(both, abs=1e-13)


@which_integral
@given(PLACES, PLACES, WIDTHS, WIDTHS)
def test_mirrored_points(which, x, y, dx, dy):
    value = kernels.rectangle(which, x, y, dx, dy)
    sign_x, sign_y = PARITY[which]
    assert kernels.rectangle(which, -x, y, dx, dy) == pytest.approx(sign_x * value, abs=1e-13)
    assert kernels.rectangle(which, x, -y, dx, dy) == pytest.approx(sign_y * value, abs=1e-13)


@which_integral
@given(PLACES, PLACES, WIDTHS, WIDTHS)
def test_exchanged_axes(which, x, y, dx, dy):
    exchanged = kernels.rectangle(EXCHANGED[which], y, x, dy, dx)
    assert kernels.rectangle(which, x, y, dx, dy) == pytest.approx(exchanged, abs=1e-13)


@which_integral
@given(PLACES, PLACES, WIDTHS, WIDTHS, st.floats(0.1, 0.9))
def test_parts_add_up(which, x, y, dx, dy, part):
    """The element cut at x' = (part - 1/2) dx."""
    left = kernels.rectangle(which, x + (1 - part) * dx / 2, y, part * dx, dy)
    right = kernels.rectangle(which, x - part * dx / 2, y, (1 - part) * dx, dy)
    assert kernels.rectangle(which, x, y, dx, dy) == pytest.approx(left + right, abs=1e-12)


@which_integral
@given(PLACES, PLACES, WIDTHS, WIDTHS, st.floats(1e-3, 1e3))
def test_all_grow_with_the_scale(which, x, y, dx, dy, scale):
    value = kernels.rectangle(which, x, y, dx, dy)
    scaled = kernels.rectangle(which, scale * x, scale * y, scale * dx, scale * dy)
    assert scaled == pytest.approx(scale * value, abs=1e-11 * scale)


@which_integral
def test_far_away_it_is_a_point(which):
    """Area times integrand, with an error that falls by the square of the distance."""
    distances = 2.0 ** np.arange(2, 7)
    direction, dx, dy = (math.cos(0.4), math.sin(0.4)), 1.0, 0.6

    def error(r):
        x, y = r * direction[0], r * direction[1]
        point = dx * dy * INTEGRANDS[which](x, y)
        return abs(kernels.rectangle(which, x, y, dx, dy) / point - 1.0)

    assert observed_order(distances, [error(r) for r in distances]) == pytest.approx(-2.0, abs=0.05)


@which_integral
@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (5, 4)])
def test_lags_are_the_integrals_at_all_distances(which, shape):
    lags = kernels.compute_rectangle_lags(which, *shape, 0.8, 1.3)
    expected = [
        [kernels.rectangle(which, 0.8 * i, 1.3 * j, 0.8, 1.3) for i in range(shape[1])]
        for j in range(shape[0])
    ]
    np.testing.assert_allclose(lags, expected, atol=1e-14)


LINES = {
    INVERSE: lambda x, length: 2.0 * math.log(length / abs(x)),
    X_X: lambda x, length: 2.0,
    Y_Y: lambda x, length: 2.0 * math.log(length / abs(x)) - 2.0,
    X_Y: lambda x, length: 0.0,
    X: lambda x, length: math.copysign(math.pi, x),
    Y: lambda x, length: 0.0,
}


@which_integral
def test_line_lags_are_integrals_of_the_plane_limits(which):
    length = 7.0
    lags = kernels.compute_line_lags(which, 4, length)
    assert lags.shape == (1, 4)
    for i in range(4):
        pieces = [(-0.5, 0.0), (0.0, 0.5)] if i == 0 else [(i - 0.5, i + 0.5)]
        expected = sum(quad(LINES[which], a, b, args=(length,), epsabs=1e-12)[0] for a, b in pieces)
        assert lags[0, i] == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(("which", "order"), [(INVERSE, -2), (X_X, -2), (Y_Y, -2), (X, -1)], ids=str)
def test_a_long_rectangle_tends_to_the_line(which, order):
    lengths = 100.0 * 2.0 ** np.arange(4)
    errors = [
        np.abs(
            kernels.compute_rectangle_lags(which, 1, 6, 1.0, length)
            - kernels.compute_line_lags(which, 6, length)
        ).max()
        for length in lengths
    ]
    assert observed_order(lengths, errors) == pytest.approx(order, abs=0.02)


@which_integral
def test_lines_have_no_odd_part_along_themselves(which):
    """Elements of the same row see no shear across the row."""
    if PARITY[which][1] < 0:
        assert np.abs(kernels.compute_rectangle_lags(which, 1, 5, 1.0, 3.0)).max() <= 1e-15
        assert not kernels.compute_line_lags(which, 5, 3.0).any()
    else:
        assert kernels.compute_line_lags(which, 5, 3.0)[0, 1:].all()


@which_integral
def test_sum_at_points(which):
    rng = np.random.default_rng(1)
    xs, ys = rng.uniform(-3, 3, (2, 4))
    xc, yc = np.array([-1.0, 0.0, 1.0]), np.array([-0.25, 0.25])
    source = rng.normal(size=(2, 3))
    source[0, 1] = 0.0
    total = kernels.sum_rectangles_at(which, (xs, ys), (xc, yc), source, 0.5)
    expected = [
        sum(
            source[j, i] * kernels.rectangle(which, x - xc[i], y - yc[j], 1.0, 0.5)
            for j in range(2)
            for i in range(3)
        )
        for x, y in zip(xs, ys, strict=True)
    ]
    np.testing.assert_allclose(total, expected, atol=1e-13)


@pytest.mark.parametrize("odd_y", [False, True])
@pytest.mark.parametrize("odd_x", [False, True])
def test_correlate_knows_the_symmetry(odd_x, odd_y):
    """As the sum over a full table of distances, positive and negative."""
    rng = np.random.default_rng(2)
    source, lags = rng.normal(size=(2, 4, 3))
    if odd_x:
        lags[:, 0] = 0.0
    if odd_y:
        lags[0] = 0.0
    wide = np.concatenate([(-1) ** odd_x * lags[:, :0:-1], lags], axis=1)
    table = np.concatenate([(-1) ** odd_y * wide[:0:-1], wide], axis=0)
    expected = np.zeros((4, 3))
    for (j, i), (m, k) in product(np.ndindex(4, 3), repeat=2):
        expected[j, i] += table[j - m + 3, i - k + 2] * source[m, k]
    np.testing.assert_allclose(kernels.correlate_directly(source, lags, odd_x, odd_y), expected, atol=1e-14)
