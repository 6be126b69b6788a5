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
def near_corrections(elements, places, factors, tables, geometry, entries, values):
    """Exact minus far influence for all targets and elements near by of which one is no whole cell.

    elements: (numbers of the elements over the window or -1; low, high, edge, shape of each). places: (row,
    x, element, factor) of the targets. geometry: aspect, nu, reference (0 unless plane strain), reach.
    Fills entries (element of the target, element) and values (xx, xy, yy); returns their number.
    """
    number, low, high, edge, shape = elements
    row, xs, owner = places
    aspect, nu, reference, reach = geometry
    ny, nx = number.shape
    strips, weights = np.empty((STRIPS, 3)), np.empty(NODES)
    count, R = 0, int(reach)
    for t in range(row.size):
        x, j = xs[t], row[t]
        first = interpolation(x, weights)
        between = weights[1] != 1.0
        centre = math.floor(x + 0.5)
        for m in range(max(0, j - R), min(ny, j + R + 1)):
            for k in range(max(0, centre - R), min(nx, centre + R + 1)):
                e = number[m, k]
                if e < 0:
                    continue
                whole = shape[e] == FLAT and high[e] - low[e] > 1.0 - 1e-12
                if whole and not between:
                    continue
                n = shaped(low[e], high[e], edge[e], shape[e], strips)
                xx, xy, yy = 0.0, 0.0, 0.0
                for s in range(n):
                    distance = x - strips[s, 0]
                    if reference > 0.0:
                        a, b, c = strip_tensor(distance, strips[s, 1], reference, nu)
                    else:
                        a, b, c = rectangle_tensor(distance, (j - m) * aspect, strips[s, 1], aspect, nu)
                    xx += strips[s, 2] * a
                    xy += strips[s, 2] * b
                    yy += strips[s, 2] * c
                left, middle, right = far_weights(strips, n, k)
                for node in range(NODES):
                    if weights[node] == 0.0:
                        continue
                    for side in range(3):
                        w = weights[node] * (left if side == 0 else middle if side == 1 else right)
                        a, b, c = lag(tables, j - m, first + node - (k + side - 1))
                        xx -= w * a
                        xy -= w * b
                        yy -= w * c
                entries[count, 0], entries[count, 1] = owner[t], e
                values[count, 0], values[count, 1] = factors[t] * xx, factors[t] * xy
                values[count, 2] = factors[t] * yy
                count += 1
    return count


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
