"""Creep forces and their derivatives from a table of cubic B-splines, in compiled code; nothing is allocated.

A table is the tuple of `SplineTable.packed`: (numbers, shape_knots, scales, knots, coefficients); numbers:
0 for "polar" or 1 for "box" coordinates, radius, shear modulus, the least and the largest log(a/b); scales:
coefficients of the splines of log C11, log C22 and log Cs over log(a/b), (3, n0).
Units: creepages -, spin rad/m, lengths m, forces N, moments N m; reduced ones over mu N and mu N c. Splines
have those of their caller.
"""

import math

from traction.compiled import kernel

POLE = 1e-6  #: distance from the axis of spin, over that from the origin, below which it is spin alone


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


@kernel
def box_coordinate(x):
    """u = x up to 1 and 2 - 1/x beyond, and du/dx; x >= 0, or of both signs for an odd u."""
    size = abs(x)
    if size <= 1.0:
        return x, 1.0
    return math.copysign(2.0 - 1.0 / size, x), (1.0 / size) / size


@kernel
def reduced_box(x, y, w, shape, table):
    """Reduced forces of x, y >= 0 and w, and their derivatives by x, y and w, in box coordinates."""
    u, du = box_coordinate(x)
    v, dv = box_coordinate(y)
    t, dt = box_coordinate(w)
    f, a, b, c = evaluate(shape, table[3], table[4], (u, v, t))
    return (
        f,
        (a[0] * du, a[1] * du, a[2] * du),
        (b[0] * dv, b[1] * dv, b[2] * dv),
        (c[0] * dt, c[1] * dt, c[2] * dt),
    )


@kernel
def slopes_along(spline, s, way):
    """Derivatives of s f along a direction: way has the change of s, and s times those of both angles."""
    f, a, b, c = spline
    return (
        way[0] * (f[0] + s * a[0]) + way[1] * b[0] + way[2] * c[0],
        way[0] * (f[1] + s * a[1]) + way[1] * b[1] + way[2] * c[1],
        way[0] * (f[2] + s * a[2]) + way[1] * b[2] + way[2] * c[2],
    )


@kernel
def slopes_at_pole(s, scale, grow, shape, table):
    """Derivatives by x, y and w at a pole: along the meridians of x and of y, on which splines are smooth.

    scale and grow have the sign of w.
    """
    pole = math.copysign(0.5 * math.pi, scale)
    ahead = evaluate(shape, table[3], table[4], (s, 0.0, pole))
    aside = evaluate(shape, table[3], table[4], (s, 0.5 * math.pi, pole))
    down = (0.0, 0.0, -scale)
    return (
        slopes_along(ahead, s, down),
        slopes_along(aside, s, down),
        slopes_along(ahead, s, (grow, 0.0, 0.0)),
    )


@kernel
def reduced_polar(x, y, w, shape, table):
    """Reduced forces of x, y >= 0 and w, and their derivatives by x, y and w, in polar coordinates.

    With r = |(x, y, w)| the coordinates are s = r/(r + radius), the azimuth in the plane of x and y and the
    latitude out of it; the forces are s times the spline.
    """
    radius = table[0][1]
    flat = math.hypot(x, y)
    r = math.hypot(flat, w)
    s, scale = r / (r + radius), 1.0 / (r + radius)
    azimuth, latitude = math.atan2(y, x), math.atan2(w, flat)
    spline = evaluate(shape, table[3], table[4], (s, azimuth, latitude))
    value = (s * spline[0][0], s * spline[0][1], s * spline[0][2])
    cosine = flat / r if r > 0.0 else 1.0
    sine = w / r if r > 0.0 else 0.0
    grow = radius * scale * scale
    if cosine < POLE:
        along, across, out = slopes_at_pole(s, math.copysign(scale, w), math.copysign(grow, w), shape, table)
        return value, along, across, out
    ca, sa = math.cos(azimuth), math.sin(azimuth)
    return (
        value,
        slopes_along(spline, s, (grow * cosine * ca, -scale * sa / cosine, -scale * sine * ca)),
        slopes_along(spline, s, (grow * cosine * sa, scale * ca / cosine, -scale * sine * sa)),
        slopes_along(spline, s, (grow * sine, 0.0, scale * cosine)),
    )


@kernel
def creep_forces_at(creepage, contact, table, force, jacobian):
    """Fill force = (F_x, F_y, M_z), (3,), and its derivatives by xi, eta and phi, (3, 3).

    creepage: (xi, eta, phi); contact: (a, b, load, friction). NaN where log(a/b) is outside the table.
    """
    a, b, load, friction = contact
    limit, c = friction * load, math.sqrt(a * b)
    place = math.log(a / b)
    if not table[0][3] <= place <= table[0][4]:
        force[:] = math.nan
        jacobian[:] = math.nan
        return
    if not limit > 0.0:
        force[:] = 0.0
        jacobian[:] = 0.0
        return
    stiff = table[0][2] * c * c / limit
    kx = stiff * math.exp(curve_value(table[1], table[2][0], place)) / 3.0
    ky = stiff * math.exp(curve_value(table[1], table[2][1], place)) / 3.0
    kw = stiff * math.exp(curve_value(table[1], table[2][2], place)) * c
    x, y, w = kx * creepage[0], ky * creepage[1], kw * creepage[2]
    ahead = -1.0 if x < 0.0 else 1.0
    aside = -1.0 if y < 0.0 else 1.0
    shape = (table[1], place)
    if table[0][0] == 0.0:
        f, fx, fy, fw = reduced_polar(abs(x), abs(y), aside * w, shape, table)
    else:
        f, fx, fy, fw = reduced_box(abs(x), abs(y), aside * w, shape, table)
    # mirrored in y: F_x stays, F_y and M_z turn; all reversed: all turn
    signs = (ahead, aside, aside)
    scale = (limit, limit, limit * c)
    rates = (kx, ky, kw)
    for k in range(3):
        force[k] = scale[k] * signs[k] * f[k]
        jacobian[k, 0] = scale[k] * signs[k] * rates[0] * ahead * fx[k]
        jacobian[k, 1] = scale[k] * signs[k] * rates[1] * aside * fy[k]
        jacobian[k, 2] = scale[k] * signs[k] * rates[2] * aside * fw[k]


@kernel
def creep_forces_of_many(creepages, contacts, table, forces, jacobians):
    """Fill forces (m, 3) and jacobians (m, 3, 3) of creepages (m, 3) and contacts (m, 4), as one by one."""
    for row in range(creepages.shape[0]):
        creepage = (creepages[row, 0], creepages[row, 1], creepages[row, 2])
        contact = (contacts[row, 0], contacts[row, 1], contacts[row, 2], contacts[row, 3])
        creep_forces_at(creepage, contact, table, forces[row], jacobians[row])
