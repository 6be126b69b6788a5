"""Integrals over a rectangle of the surface Green's functions of a half space (Love 1929; Kalker 1990).

All are corner sums of primitives T(x, y) with d2T/dxdy = integrand; r^2 = x^2 + y^2.

Units: integrals have that of the lengths x, y, dx and dy, which the caller chooses.
"""

import math

import numpy as np

from traction.compiled import kernel

X_X = 0  #: x^2 / r^3
Y_Y = 1  #: y^2 / r^3
X_Y = 2  #: x y / r^3
X = 3  #: x / r^2
Y = 4  #: y / r^2
INVERSE = 5  #: 1 / r


@kernel
def _scaled_asinh(factor, x):
    """Factor * asinh(x / |factor|), continued by 0 at factor = 0."""
    if factor == 0.0:
        return 0.0
    return factor * math.asinh(x / abs(factor))


@kernel
def primitive(which, x, y):
    """T(x, y) of the integrand `which`, up to functions of x or y alone."""
    if which == X_X:
        return _scaled_asinh(y, x)
    if which == Y_Y:
        return _scaled_asinh(x, y)
    if which == X_Y:
        return -math.hypot(x, y)
    if which == INVERSE:
        return _scaled_asinh(x, y) + _scaled_asinh(y, x)
    if which == Y:
        x, y = y, x
    if x == 0.0 and y == 0.0:
        return 0.0
    angle = math.atan(y / x) if x != 0.0 else 0.0
    return y * math.log(math.hypot(x, y)) + x * angle


@kernel
def rectangle(which, x, y, dx, dy):
    """Integral of `which` over the rectangle dx x dy centred at the origin, seen from (x, y)."""
    left, right, below, above = x - 0.5 * dx, x + 0.5 * dx, y - 0.5 * dy, y + 0.5 * dy
    return (
        primitive(which, right, above)
        - primitive(which, left, above)
        - primitive(which, right, below)
        + primitive(which, left, below)
    )


@kernel
def compute_rectangle_lags(which, ny, nx, dx, dy):
    """`rectangle` at (i dx, j dy) for 0 <= i < nx, 0 <= j < ny; every corner is evaluated once."""
    lags = np.empty((ny, nx))
    below, above = np.empty(nx + 1), np.empty(nx + 1)
    for j in range(ny + 1):
        for i in range(nx + 1):
            above[i] = primitive(which, (i - 0.5) * dx, (j - 0.5) * dy)
        if j > 0:
            for i in range(nx):
                lags[j - 1, i] = above[i + 1] - above[i] - below[i + 1] + below[i]
        below, above = above, below
    return lags


@kernel
def strip(which, x, reference):
    """Integral over |s - x| < 1/2 of the plane-strain limits.

    Integrated over y, 1/r becomes 2 ln(l/|s|) with the reference length l, x^2/r^3 becomes 2 and
    x/r^2 becomes pi sgn(s).
    """
    left, right = x - 0.5, x + 0.5
    logarithm = 2.0 * (1.0 + math.log(reference) - _x_log_x(right) + _x_log_x(left))
    if which == INVERSE:
        return logarithm
    if which == X_X:
        return 2.0
    if which == Y_Y:
        return logarithm - 2.0
    if which == X:
        return math.pi * (abs(right) - abs(left))
    return 0.0


@kernel
def _x_log_x(x):
    """Product x ln|x|, continued by 0 at x = 0."""
    return x * math.log(abs(x)) if x != 0.0 else 0.0


@kernel
def compute_line_lags(which, nx, reference):
    """`strip` at the distances 0 <= i < nx, as one row."""
    lags = np.empty((1, nx))
    for i in range(nx):
        lags[0, i] = strip(which, float(i), reference)
    return lags


@kernel
def sum_strips_at(which, xs, centres, source, reference):
    """Sum over strips of width 1 of `strip` times `source`, at the points xs."""
    total = np.zeros(xs.size)
    for k in range(xs.size):
        for i in range(centres.size):
            if source[i] != 0.0:
                total[k] += source[i] * strip(which, xs[k] - centres[i], reference)
    return total


@kernel
def sum_rectangles_at(which, points, centres, source, aspect):
    """Sum over elements 1 by aspect of `rectangle` times `source`, at points (xs, ys)."""
    (xs, ys), (xc, yc) = points, centres
    total = np.zeros(xs.size)
    for k in range(xs.size):
        for j in range(yc.size):
            for i in range(xc.size):
                if source[j, i] != 0.0:
                    total[k] += source[j, i] * rectangle(which, xs[k] - xc[i], ys[k] - yc[j], 1.0, aspect)
    return total


@kernel
def correlate_directly(source, lags, odd_x, odd_y):
    """Sum over the elements of lags[|j - m|, |i - k|] source[m, k], with the signs of odd lags; direct."""
    ny, nx = source.shape
    total = np.zeros((ny, nx))
    for j in range(ny):
        for i in range(nx):
            for m in range(ny):
                sign_y = -1.0 if odd_y and j < m else 1.0
                for k in range(nx):
                    sign = -sign_y if odd_x and i < k else sign_y
                    total[j, i] += sign * lags[abs(j - m), abs(i - k)] * source[m, k]
    return total
