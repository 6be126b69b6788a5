"""Influence of partly covered elements at any points: what differs from that of whole elements on a lattice.

Lengths are in elements along x: cell i reaches from i - 1/2 to i + 1/2. An element is a number of strips with
weights (a shape whose mean over the covered part is 1). Far away it acts like three whole cells with the
same total, centre and spread; points between cell centres are interpolated from four of them. Near by, the
exact influence takes their place.
"""

import math

import numpy as np

from traction.compiled import kernel

STRIPS = 4  #: of an element at an edge
NODES = 4  #: cell centres from which a point between them is interpolated
FLAT, ROOT, INVERSE_ROOT = 0, 1, 2  #: shapes of the traction in an element: 1, sqrt(s), 1/sqrt(s)


@kernel
def primitives(x, y):
    """Of x^2/r^3, y^2/r^3 and x y/r^3, integrated over x and y."""
    xx = y * math.asinh(x / abs(y)) if y != 0.0 else 0.0
    yy = x * math.asinh(y / abs(x)) if x != 0.0 else 0.0
    return xx, yy, -math.hypot(x, y)


@kernel
def rectangle_tensor(x, y, width, height, nu):
    """A_xx, A_xy, A_yy (times pi G over the cell width) at (x, y) of a rectangle at the origin."""
    xx, yy, xy = 0.0, 0.0, 0.0
    for sx in (-0.5, 0.5):
        for sy in (-0.5, 0.5):
            sign = 4.0 * sx * sy
            a, b, c = primitives(x + sx * width, y + sy * height)
            xx += sign * a
            yy += sign * b
            xy += sign * c
    return xx + (1.0 - nu) * yy, nu * xy, yy + (1.0 - nu) * xx


@kernel
def strip_tensor(x, width, reference, nu):
    """The same for plane strain: a strip of infinite length along y."""
    left, right = x - 0.5 * width, x + 0.5 * width
    logarithm = width * (1.0 + math.log(reference))
    if right != 0.0:
        logarithm -= right * math.log(abs(right))
    if left != 0.0:
        logarithm += left * math.log(abs(left))
    logarithm *= 2.0
    return (1.0 - nu) * logarithm + 2.0 * nu * width, 0.0, logarithm - 2.0 * nu * width


@kernel
def shaped(low, high, edge, shape, strips):
    """Strips (centre, width, weight) of an element from low to high whose shape starts at `edge`."""
    if shape == FLAT:
        strips[0, 0], strips[0, 1], strips[0, 2] = 0.5 * (low + high), high - low, 1.0
        return 1
    power = 0.5 if shape == ROOT else -0.5
    near, far = min(abs(low - edge), abs(high - edge)), max(abs(low - edge), abs(high - edge))
    side = 1.0 if 0.5 * (low + high) > edge else -1.0
    total = (far ** (power + 1.0) - near ** (power + 1.0)) / (power + 1.0)
    before = near
    for k in range(STRIPS):
        part = (k + 1.0) / STRIPS
        # strips are narrow where the shape is steep
        after = near + (far - near) * part * part
        share = (after ** (power + 1.0) - before ** (power + 1.0)) / (power + 1.0) / total
        strips[k, 0] = edge + side * 0.5 * (before + after)
        strips[k, 1] = after - before
        strips[k, 2] = share * (far - near) / (after - before)
        before = after
    return STRIPS


@kernel
def far_weights(strips, count, i):
    """Weights of cells i - 1, i, i + 1 that have the total, centre and spread of the strips."""
    total, first, second = 0.0, 0.0, 0.0
    for k in range(count):
        x, width = strips[k, 0] - i, strips[k, 1]
        force = strips[k, 2] * width
        total += force
        first += force * x
        second += force * (x * x + width * width / 12.0)
    spread = second - total / 12.0
    return 0.5 * (spread - first), total - spread, 0.5 * (spread + first)


@kernel
def interpolation(x, weights):
    """First of four cells around x, and their Lagrange weights; a centre has the weight of its cell alone."""
    nearest = math.floor(x + 0.5)
    weights[:] = 0.0
    if abs(x - nearest) < 1e-9:
        weights[1] = 1.0
        return nearest - 1
    first = math.floor(x) - 1
    for k in range(NODES):
        weight = 1.0
        for n in range(NODES):
            if n != k:
                weight *= (x - first - n) / (k - n)
        weights[k] = weight
    return first


@kernel
def lag(tables, j, i):
    """A_xx, A_xy, A_yy of whole cells at a distance of i columns and j rows."""
    m, k = abs(j), abs(i)
    sign = 1.0 if (j >= 0) == (i >= 0) else -1.0
    return tables[0][m, k], sign * tables[1][m, k], tables[2][m, k]


@kernel
def exact_influence(x, rows, element, geometry, strips):
    """A_xx, A_xy, A_yy at x, so many rows away, of an element (low, high, edge, shape); fills its strips."""
    low, high, edge, shape = element
    aspect, nu, reference = geometry
    count = shaped(low, high, edge, shape, strips)
    xx, xy, yy = 0.0, 0.0, 0.0
    for s in range(count):
        distance, weight = x - strips[s, 0], strips[s, 2]
        if reference > 0.0:
            a, b, c = strip_tensor(distance, strips[s, 1], reference, nu)
        else:
            a, b, c = rectangle_tensor(distance, rows * aspect, strips[s, 1], aspect, nu)
        xx += weight * a
        xy += weight * b
        yy += weight * c
    return count, xx, xy, yy


@kernel
def correction(x, rows, k, element, tables, geometry):
    """Exact minus far influence at x, so many rows away, of the element of column k."""
    strips, weights = np.empty((STRIPS, 3)), np.empty(NODES)
    first = interpolation(x, weights)
    count, xx, xy, yy = exact_influence(x, rows, element, geometry, strips)
    left, middle, right = far_weights(strips, count, k)
    for node in range(NODES):
        if weights[node] == 0.0:
            continue
        for side in range(3):
            w = weights[node] * (left if side == 0 else middle if side == 1 else right)
            a, b, c = lag(tables, rows, first + node - (k + side - 1))
            xx -= w * a
            xy -= w * b
            yy -= w * c
    return xx, xy, yy


@kernel
def halfway_corrections(tables, geometry, halfway):
    """`correction` of a whole cell at points halfway between centres, (2 rows + 1, 2 R + 1, xx xy yy).

    The point of an entry (j, i) lies j - rows rows and i - R - 1/2 columns away.
    """
    rows, reach = (halfway.shape[0] - 1) // 2, (halfway.shape[1] - 1) // 2
    for j in range(2 * rows + 1):
        for i in range(2 * reach + 1):
            whole = (-0.5, 0.5, 0.0, FLAT)
            xx, xy, yy = correction(i - reach - 0.5, j - rows, 0, whole, tables, geometry)
            halfway[j, i, 0], halfway[j, i, 1], halfway[j, i, 2] = xx, xy, yy


@kernel
def near_corrections(elements, row, targets, tables, geometry, halfway):
    """Exact minus far influence of all elements near by of which one is no whole cell, as a sparse matrix.

    elements: (numbers of the elements over the window or -1; low, high, edge, shape of each). `row` is that
    of each element, targets: (x, factor), both (targets per element, n). geometry: aspect, nu, reference (0
    unless plane strain); `halfway` of `halfway_corrections`, which most points between centres can use.
    Returns first entry of each row (n + 1), columns, and values xx, xy, yy of the matrix.
    """
    number, low, high, edge, shape = elements
    xs, factors = targets
    ny, nx = number.shape
    n, rows, R = row.size, (halfway.shape[0] - 1) // 2, (halfway.shape[1] - 1) // 2
    first = np.zeros(n + 1, np.int64)
    room = n * ((2 * R + 1) ** 2 + 2 * R + 1)  # grows where the targets of an element lie far apart
    columns, values = np.empty(room, np.int64), np.empty((room, 3))
    place = np.full(n, -1)  # of each element in the row of the matrix that is being filled
    count = 0
    for e in range(n):
        begin, j = count, row[e]
        if room - count < xs.shape[0] * (2 * R + 1) ** 2:
            room *= 2
            columns, values = _grown(columns, room), _grown_values(values, room)
        for t in range(xs.shape[0]):
            x = xs[t, e]
            centre = math.floor(x + 0.5)
            between = abs(x - centre) >= 1e-9
            half = abs(abs(x - centre) - 0.5) < 1e-9
            for m in range(max(0, j - rows), min(ny, j + rows + 1)):
                for k in range(max(0, centre - R), min(nx, centre + R + 1)):
                    source = number[m, k]
                    if source < 0:
                        continue
                    whole = shape[source] == FLAT and high[source] - low[source] > 1.0 - 1e-12
                    if whole and not between:
                        continue
                    column = (
                        math.floor(x - k + 0.5 + 1e-6) + R
                    )  # of a point halfway, at x - k = column - R - 1/2
                    if whole and half and 0 <= column <= 2 * R:
                        h = halfway[j - m + rows, column]
                        xx, xy, yy = h[0], h[1], h[2]
                    else:
                        element = (low[source], high[source], edge[source], shape[source])
                        xx, xy, yy = correction(x, j - m, k, element, tables, geometry)
                    at = place[source]
                    if at < begin:
                        at, place[source] = count, count
                        columns[at] = source
                        values[at] = 0.0
                        count += 1
                    values[at, 0] += factors[t, e] * xx
                    values[at, 1] += factors[t, e] * xy
                    values[at, 2] += factors[t, e] * yy
        first[e + 1] = count
    return first, columns[:count].copy(), values[:count].copy()


@kernel
def _grown(numbers, room):
    more = np.empty(room, np.int64)
    more[: numbers.size] = numbers
    return more


@kernel
def _grown_values(values, room):
    more = np.empty((room, 3))
    more[: values.shape[0]] = values
    return more


@kernel
def spread(traction, places, weights, field):
    """Tractions of whole cells, (2, ny, nx + 2), that act like the elements (row, column) far away."""
    row, column = places
    field[:] = 0.0
    for e in range(row.size):
        j, i = row[e], column[e]
        for side in range(3):
            w = weights[e, side]
            field[0, j, i + side] += w * traction[0, j, i]
            field[1, j, i + side] += w * traction[1, j, i]


@kernel
def gather(u, places, interpolations, beyond, result):
    """Sums over the targets of factor times displacement, from u at cells, on the elements (row, column).

    interpolations: (first cell of each target, weights times factor), (T, n) and (T, n, NODES); u begins
    `beyond` columns before the window.
    """
    row, column = places
    first, weights = interpolations
    for e in range(row.size):
        j = row[e]
        ux, uy = 0.0, 0.0
        for t in range(first.shape[0]):
            start = first[t, e] + beyond
            for k in range(NODES):
                w = weights[t, e, k]
                ux += w * u[0, j, start + k]
                uy += w * u[1, j, start + k]
        result[0, j, column[e]], result[1, j, column[e]] = ux, uy


@kernel
def add_near(matrix, places, traction, result):
    """Add the product of `near_corrections` with the tractions."""
    first, columns, values = matrix
    row, column = places
    n = row.size
    px, py = np.empty(n), np.empty(n)
    for e in range(n):
        px[e], py[e] = traction[0, row[e], column[e]], traction[1, row[e], column[e]]
    for e in range(n):
        ux, uy = 0.0, 0.0
        for at in range(first[e], first[e + 1]):
            k = columns[at]
            ux += values[at, 0] * px[k] + values[at, 1] * py[k]
            uy += values[at, 1] * px[k] + values[at, 2] * py[k]
        result[0, row[e], column[e]] += ux
        result[1, row[e], column[e]] += uy


@kernel
def diagonal(matrix, result):
    """Values xx, yy of each element on itself, (2, n)."""
    first, columns, values = matrix
    for e in range(first.size - 1):
        result[0, e], result[1, e] = 0.0, 0.0
        for at in range(first[e], first[e + 1]):
            if columns[at] == e:
                result[0, e], result[1, e] = values[at, 0], values[at, 2]


@kernel
def all_far_weights(elements, column, weights):
    """`far_weights` of all elements (low, high, edge, shape)."""
    low, high, edge, shape = elements
    strips = np.empty((STRIPS, 3))
    for e in range(low.size):
        n = shaped(low[e], high[e], edge[e], shape[e], strips)
        weights[e, 0], weights[e, 1], weights[e, 2] = far_weights(strips, n, column[e])


@kernel
def all_interpolations(x, first, weights):
    """`interpolation` of all points."""
    for k in range(x.size):
        first[k] = interpolation(x[k], weights[k])
