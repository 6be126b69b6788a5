"""Creep forces and their derivatives from a table, in compiled code; nothing is allocated.

A table is the tuple of `SplineTable.packed`: (numbers, shape_knots, scales, knots, coefficients); numbers:
0 for "polar" or 1 for "box" coordinates, radius, shear modulus, the least and the largest log(a/b); scales:
coefficients of the splines of log C11, log C22 and log Cs over log(a/b), (3, n0).
Units: creepages -, spin rad/m, lengths m, forces N, moments N m; reduced ones over mu N and mu N c.
"""

import math

from traction.compiled import kernel
from traction.contact.tables.kernels.splines import curve_value, evaluate

POLE = 1e-6  #: distance from the axis of spin, over that from the origin, below which it is spin alone


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
