"""Cubic B-splines of several variables, with their gradients, in compiled code; nothing is allocated.

Units: those of the caller; derivatives are per unit of the variable.
"""

from traction.compiled import kernel


@kernel
def find_interval(knots, place):
    """Number i, 3 to n - 1 of n functions, with knots[i] <= place < knots[i + 1]."""
    low, high = 3, knots.size - 4
    while high - low > 1:
        middle = (low + high) // 2
        if place < knots[middle]:
            high = middle
        else:
            low = middle
    return low


@kernel
def basis(knots, i, place):
    """The four B-splines that are not zero between knots i and i + 1, and their derivatives."""
    l1, l2, l3 = place - knots[i], place - knots[i - 1], place - knots[i - 2]
    r1, r2, r3 = knots[i + 1] - place, knots[i + 2] - place, knots[i + 3] - place
    a0 = r1 / (r1 + l1)
    a1 = l1 / (r1 + l1)
    e0 = a0 / (r1 + l2)
    e1 = a1 / (r2 + l1)
    b0, b1, b2 = r1 * e0, l2 * e0 + r2 * e1, l1 * e1
    e0 = b0 / (r1 + l3)
    e1 = b1 / (r2 + l2)
    e2 = b2 / (r3 + l1)
    values = (r1 * e0, l3 * e0 + r2 * e1, l2 * e1 + r3 * e2, l1 * e2)
    slopes = (-3.0 * e0, 3.0 * (e0 - e1), 3.0 * (e1 - e2), 3.0 * e2)
    return values, slopes


@kernel
def curve_value(knots, coefficients, place):
    """Value of a spline of one variable; without knots it is constant."""
    if knots.size == 0:
        return coefficients[0]
    i = find_interval(knots, place)
    b, _ = basis(knots, i, place)
    return (
        b[0] * coefficients[i - 3]
        + b[1] * coefficients[i - 2]
        + b[2] * coefficients[i - 1]
        + b[3] * coefficients[i]
    )


@kernel
def evaluate(shape, knots, coefficients, place):
    """Values (3) of a spline of three variables, and their derivatives by each of these (3, 3).

    shape: knots of a fourth variable, the first axis of the coefficients, and its value; without knots there
    is none. knots: those of the three variables; coefficients: (n0, n1, n2, n3, 3). Returns the values and,
    for each variable, the derivatives of the values.
    """
    weights, first, count = (1.0, 0.0, 0.0, 0.0), 0, 1
    if shape[0].size > 0:
        first = find_interval(shape[0], shape[1])
        weights, _ = basis(shape[0], first, shape[1])
        first, count = first - 3, 4
    i = find_interval(knots[0], place[0])
    j = find_interval(knots[1], place[1])
    k = find_interval(knots[2], place[2])
    b1, d1 = basis(knots[0], i, place[0])
    b2, d2 = basis(knots[1], j, place[1])
    b3, d3 = basis(knots[2], k, place[2])
    fx, fy, fz = 0.0, 0.0, 0.0
    ux, uy, uz = 0.0, 0.0, 0.0
    vx, vy, vz = 0.0, 0.0, 0.0
    wx, wy, wz = 0.0, 0.0, 0.0
    for m in range(count):
        for p in range(4):
            for q in range(4):
                c = coefficients[first + m, i - 3 + p, j - 3 + q]
                sx, sy, sz = 0.0, 0.0, 0.0
                tx, ty, tz = 0.0, 0.0, 0.0
                for n in range(4):
                    x, y, z = c[k - 3 + n, 0], c[k - 3 + n, 1], c[k - 3 + n, 2]
                    sx += b3[n] * x
                    sy += b3[n] * y
                    sz += b3[n] * z
                    tx += d3[n] * x
                    ty += d3[n] * y
                    tz += d3[n] * z
                both = weights[m] * b1[p] * b2[q]
                along = weights[m] * d1[p] * b2[q]
                across = weights[m] * b1[p] * d2[q]
                fx, fy, fz = fx + both * sx, fy + both * sy, fz + both * sz
                ux, uy, uz = ux + along * sx, uy + along * sy, uz + along * sz
                vx, vy, vz = vx + across * sx, vy + across * sy, vz + across * sz
                wx, wy, wz = wx + both * tx, wy + both * ty, wz + both * tz
    return (fx, fy, fz), (ux, uy, uz), (vx, vy, vz), (wx, wy, wz)
