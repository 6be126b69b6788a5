"""Loops over elements of the material: loads between places, tractions on cells, displacements at points."""

import math

import numpy as np

from traction.compiled import kernel
from traction.contact.covered_kernels import FLAT, correction

ON_CENTRE = 1e-9  #: of a cell, as in `covered_kernels.interpolation`


@kernel
def spread(traction, row, column, weights, field):
    """Tractions of elements as those of three whole cells each, added into a field, (2, ny, nx)."""
    for e in range(row.size):
        for side in range(3):
            w = weights[e, side]
            field[0, row[e], column[e] + side] += w * traction[0, e]
            field[1, row[e], column[e] + side] += w * traction[1, e]


@kernel
def gather(u, row, first, nodes, owner, total):
    """Interpolate displacements between cell centres, and add them to their owners; (2, owners)."""
    for k in range(row.size):
        x, y = 0.0, 0.0
        for n in range(nodes.shape[1]):
            x += nodes[k, n] * u[0, row[k], first[k] + n]
            y += nodes[k, n] * u[1, row[k], first[k] + n]
        total[0, owner[k]] += x
        total[1, owner[k]] += y


@kernel
def add_products(entries, values, traction, total):
    """Add the exact influence of elements near by: entries (owner, element), values xx, xy, yy."""
    for k in range(len(entries)):
        i, e = entries[k, 0], entries[k, 1]
        px, py = traction[0, e], traction[1, e]
        total[0, i] += values[k, 0] * px + values[k, 1] * py
        total[1, i] += values[k, 1] * px + values[k, 2] * py


@kernel
def slopes(place, load):
    """Slopes at the nodes of a growing load, so that cubics between them grow too (Fritsch, Butland 1984)."""
    n = place.size
    result = np.zeros(n)
    for k in range(1, n - 1):
        h0, h1 = place[k] - place[k - 1], place[k + 1] - place[k]
        d0, d1 = (load[k] - load[k - 1]) / h0, (load[k + 1] - load[k]) / h1
        if d0 > 0.0 and d1 > 0.0:
            w0, w1 = 2.0 * h1 + h0, h1 + 2.0 * h0
            result[k] = (w0 + w1) / (w0 / d0 + w1 / d1)
    return result


@kernel
def grown(place, load, slope, x):
    """Load up to x: a power 3/2 of the distance at both edges, cubics between the other nodes."""
    n = place.size
    if x <= place[0]:
        return 0.0
    if x >= place[n - 1]:
        return load[n - 1]
    if n < 4:  # a run of one or two cells: the load of a Hertz pressure
        s = 2.0 * (x - place[0]) / (place[n - 1] - place[0]) - 1.0
        return load[n - 1] * (0.5 + (s * math.sqrt(max(0.0, 1.0 - s * s)) + math.asin(s)) / math.pi)
    if x <= place[1]:
        return load[1] * ((x - place[0]) / (place[1] - place[0])) ** 1.5
    if x >= place[n - 2]:
        rest = (place[n - 1] - x) / (place[n - 1] - place[n - 2])
        return load[n - 1] - (load[n - 1] - load[n - 2]) * rest**1.5
    k = np.searchsorted(place, x, side="right") - 1
    h = place[k + 1] - place[k]
    s = (x - place[k]) / h
    d = (load[k + 1] - load[k]) / h
    bend, turn = 3.0 * d - 2.0 * slope[k] - slope[k + 1], slope[k] + slope[k + 1] - 2.0 * d
    return load[k] + s * h * (slope[k] + s * (bend + s * turn))


@kernel
def loads_between(place, load, slope, low, high):
    """Load of a run between the places low and high of each of its elements."""
    result = np.empty(low.size)
    for k in range(low.size):
        result[k] = grown(place, load, slope, high[k]) - grown(place, load, slope, low[k])
    return result


@kernel
def near_entries(elements, places, factors, tables, geometry, entries, values):
    """Exact minus far influence for all targets and elements near by of which one is no whole cell.

    elements: (numbers of the elements over the window or -1; low, high, edge, shape of each). places: (row,
    x, owner) of the targets. geometry: aspect, nu, reference (0 unless plane strain), reach. Fills entries
    (owner, element) and values (xx, xy, yy); returns their number.
    """
    number, low, high, edge, shape = elements
    row, xs, owner = places
    ny, nx = number.shape
    count, R = 0, int(geometry[3])
    for t in range(row.size):
        x, j = xs[t], row[t]
        centre = math.floor(x + 0.5)
        between = abs(x - centre) >= ON_CENTRE
        for m in range(max(0, j - R), min(ny, j + R + 1)):
            for k in range(max(0, centre - R), min(nx, centre + R + 1)):
                e = number[m, k]
                if e < 0:
                    continue
                whole = shape[e] == FLAT and high[e] - low[e] > 1.0 - 1e-12
                if whole and not between:
                    continue
                element = (low[e], high[e], edge[e], shape[e])
                xx, xy, yy = correction(x, j - m, k, element, tables, geometry[:3])
                entries[count, 0], entries[count, 1] = owner[t], e
                values[count, 0], values[count, 1] = factors[t] * xx, factors[t] * xy
                values[count, 2] = factors[t] * yy
                count += 1
    return count
