"""Products of elements with their influence: tractions on cells, and displacements at points.

`fill_matrix` has them as matrices, for batches that share the elements; `carry_downstream` is for the work of
friction of each element.

Units: places in cells along x; tractions in Pa, displacements in m, influences in m/Pa, work in J/m2.
"""

from typing import NamedTuple

import numpy as np

from traction.compiled import kernel
from traction.contact.elements.kernels.covered_shapes import FLAT, NODES
from traction.contact.elements.kernels.near_field import HALFWAY_COLUMNS, WHOLE


class TargetPoints(NamedTuple):
    """Points at which displacements are taken, each with an owner, and what is near to them."""

    row: np.ndarray
    node: np.ndarray  #: first of the cells that each is interpolated from, in the displacements at cells
    nodes: np.ndarray  #: weights of these cells, (points, NODES)
    first: np.ndarray  #: entry of each in the matrix of exact minus far influence, (points + 1)
    sources: np.ndarray  #: where the tractions of that matrix are found
    values: np.ndarray  #: xx, xy, yy of that matrix, (entries, 3)
    place: np.ndarray  #: of each in `displace_halfway`, or -1
    owner: np.ndarray
    factor: np.ndarray


@kernel
def number_cut(low, high, shape, cut):
    """Number the elements that are no whole cells, WHOLE for the others."""
    count = 0
    for e in range(low.size):
        if shape[e] == FLAT and high[e] - low[e] > 1.0 - 1e-12:
            cut[e] = WHOLE
        else:
            cut[e] = count
            count += 1


@kernel
def spread(traction, source, row, column, weights, field):
    """Tractions of elements as those of three whole cells each, (2, ny, nx); source: where each is found."""
    _, ny, nx = field.shape
    for c in range(2):
        for j in range(ny):
            for i in range(nx):
                field[c, j, i] = 0.0
    add_spread(traction, source, row, column, weights, field)


@kernel
def add_spread(traction, source, row, column, weights, field):
    """`spread`, added to what the cells have."""
    for e in range(row.size):
        px, py = traction[0, source[e]], traction[1, source[e]]
        j, i = row[e], column[e]
        if weights[e, 1] == 1.0 and weights[e, 2] == 0.0:  # a whole cell
            field[0, j, i + 1] += px
            field[1, j, i + 1] += py
            continue
        for side in range(3):
            w = weights[e, side]
            field[0, j, i + side] += w * px
            field[1, j, i + side] += w * py


@kernel
def collect(u, between, points, traction, total):
    """Sums over the points of their factor times the displacement, for each owner; (2, owners).

    u: displacements at cells by far influence; between: those of `displace_halfway`, where points need them.
    """
    owner, factor = points.owner, points.factor
    for k in range(total.shape[1]):
        total[0, k], total[1, k] = 0.0, 0.0
    for t in range(factor.size):
        if factor[t] == 0.0:
            continue
        x, y = _far(t, u, points)
        x, y = _add_near(t, between, points, traction, x, y)
        total[0, owner[t]] += factor[t] * x
        total[1, owner[t]] += factor[t] * y


@kernel
def interpolate(u, points, total):
    """Displacements at points by far influence, from those at cells; (2, points)."""
    for t in range(total.shape[1]):
        total[0, t], total[1, t] = _far(t, u, points)


@kernel
def add_near(between, points, traction, total):
    """Exact minus far displacements at points, added to those that these have, (2, points)."""
    for t in range(total.shape[1]):
        total[0, t], total[1, t] = _add_near(t, between, points, traction, total[0, t], total[1, t])


@kernel
def _far(t, u, points):
    """Displacement of the point t by far influence."""
    nodes, j, i = points.nodes, points.row[t], points.node[t]
    if nodes[t, 1] == 1.0:  # the centre of a cell
        return u[0, j, i + 1], u[1, j, i + 1]
    x, y = 0.0, 0.0
    for n in range(NODES):
        x += nodes[t, n] * u[0, j, i + n]
        y += nodes[t, n] * u[1, j, i + n]
    return x, y


@kernel
def _add_near(t, between, points, traction, x, y):
    """A displacement of the point t with what differs near by."""
    first, sources, values, place = points.first, points.sources, points.values, points.place
    if place[t] >= 0:
        j = points.row[t]
        x += between[0, j, place[t]]
        y += between[1, j, place[t]]
    for at in range(first[t], first[t + 1]):
        px, py = traction[0, sources[at]], traction[1, sources[at]]
        x += values[at, 0] * px + values[at, 1] * py
        y += values[at, 1] * px + values[at, 2] * py
    return x, y


@kernel
def displace_halfway(traction, source, row, column, stencil, wanted, result):
    """Exact minus far displacements by whole elements halfway between cells, (2, ny, places).

    The first place lies REACH + 1/2 cells before the first cell. stencil: (columns, rows, xx xy yy), where
    the point lies in the row of the traction or above it. Rows that are not wanted are left as they are.
    """
    (_, ny, wide), rows, before = result.shape, stencil.shape[1], HALFWAY_COLUMNS - 1
    pad = rows - 1
    field = np.zeros((2, ny + 2 * pad, wide + before))
    for e in range(row.size):
        j, i = row[e] + pad, column[e] + before
        field[0, j, i], field[1, j, i] = traction[0, source[e]], traction[1, source[e]]
    even, odd = np.empty((2, wide + before)), np.empty((2, wide + before))
    for j in range(ny):
        x, y = result[0, j], result[1, j]
        for i in range(wide if wanted[j] else 0):
            x[i], y[i] = 0.0, 0.0
        for up in range(rows if wanted[j] else 0):
            for c in range(2):
                above, below, s, d = field[c, j + pad - up], field[c, j + pad + up], even[c], odd[c]
                for i in range(s.size):
                    s[i], d[i] = above[i] + below[i], above[i] - below[i]
            share = 1.0 if up > 0 else 0.5  # the row of the point was added to itself
            for k in range(HALFWAY_COLUMNS):
                weights, last = stencil[before - k, up], k + wide
                xx, xy, yy = share * weights[0], weights[1], share * weights[2]
                even_x, even_y = even[0, k:last], even[1, k:last]
                odd_x, odd_y = odd[0, k:last], odd[1, k:last]
                for i in range(wide):
                    x[i] += xx * even_x[i] + xy * odd_y[i]
                    y[i] += xy * odd_x[i] + yy * even_y[i]


@kernel
def compute_own(column, weights, cut, points, stencil, beyond, lags, total):
    """`collect` of each element's own unit traction, xx and yy, where the owners are the elements; (2, n).

    beyond: columns of the displacements at cells before the first cell. lags: A_xx and A_yy at distances >= 0
    in one row.
    """
    for e in range(total.shape[1]):
        total[0, e], total[1, e] = 0.0, 0.0
    for t in range(points.node.size):
        e, x, y = points.owner[t], 0.0, 0.0
        for n in range(NODES):
            for side in range(3):
                w = points.nodes[t, n] * weights[e, side]
                if w != 0.0:
                    away = points.node[t] - beyond + n - column[e] - side + 1
                    distance = min(abs(away), lags.shape[1] - 1)
                    x += w * lags[0, distance]
                    y += w * lags[1, distance]
        halfway = points.place[t] - column[e]
        if cut[e] == WHOLE and 0 <= halfway < len(stencil):
            x += stencil[halfway, 0, 0]
            y += stencil[halfway, 0, 2]
        for at in range(points.first[t], points.first[t + 1]):
            if points.sources[at] == e:
                x += points.values[at, 0]
                y += points.values[at, 2]
        total[0, e] += points.factor[t] * x
        total[1, e] += points.factor[t] * y


class PlacedCells(NamedTuple):
    """Elements as three whole cells each."""

    row: np.ndarray
    column: np.ndarray
    weights: np.ndarray  #: of the cells before, at and behind the column, (n, 3)
    cut: np.ndarray  #: WHOLE, or another number of an element that is no whole cell


@kernel(nogil=True)
def fill_matrix(points, cells, owners, columns, stencil, beyond, lags, matrix):
    """Matrix of `element_products.collect`, (2, owners, 2, columns): sums of owners per traction of elements.

    owners, columns: those that are wanted. beyond: columns of the displacements at cells before the first
    cell. lags: A_xx, A_xy, A_yy of whole cells at distances >= 0, m/Pa, (3, rows, columns).
    """
    matrix[:] = 0.0
    place = _number(columns, cells.row.size)
    owned = _number(owners, points.owner.max() + 1)
    for t in range(points.row.size):
        row, factor = owned[points.owner[t]], points.factor[t]
        if factor == 0.0 or row < 0:
            continue
        for k in range(columns.size):
            xx, xy, yy = _displace(points, t, cells, columns[k], stencil, beyond, lags)
            _enter(matrix, row, k, factor, xx, xy, yy)
        for at in range(points.first[t], points.first[t + 1]):
            if place[points.sources[at]] >= 0:
                v = points.values[at]
                _enter(matrix, row, place[points.sources[at]], factor, v[0], v[1], v[2])


@kernel
def _number(wanted, count):
    """The number of each of so many among those that are wanted, or -1."""
    number = np.full(count, -1)
    for k in range(wanted.size):
        number[wanted[k]] = k
    return number


@kernel(inlined=True)
def _enter(matrix, owner, column, factor, xx, xy, yy):
    """Add the influence of a traction on an owner."""
    matrix[0, owner, 0, column] += factor * xx
    matrix[0, owner, 1, column] += factor * xy
    matrix[1, owner, 0, column] += factor * xy
    matrix[1, owner, 1, column] += factor * yy


@kernel
def _displace(points, t, cells, e, stencil, beyond, lags):
    """A_xx, A_xy, A_yy at a point of an element by whole cells, and halfway between cells exactly."""
    away = points.row[t] - cells.row[e]
    up, sign = abs(away), (1.0 if away >= 0 else -1.0)
    xx, xy, yy = 0.0, 0.0, 0.0
    for n in range(NODES):
        if points.nodes[t, n] == 0.0:
            continue
        for side in range(3):
            w = points.nodes[t, n] * cells.weights[e, side]
            if w == 0.0:
                continue
            i = points.node[t] - beyond + n - cells.column[e] - side + 1
            distance = abs(i)
            xx += w * lags[0, up, distance]
            xy += (w if i >= 0 else -w) * sign * lags[1, up, distance]
            yy += w * lags[2, up, distance]
    halfway = points.place[t] - cells.column[e]
    if (
        points.place[t] >= 0
        and cells.cut[e] == WHOLE
        and 0 <= halfway < len(stencil)
        and up < stencil.shape[1]
    ):
        xx += stencil[halfway, up, 0]
        xy += sign * stencil[halfway, up, 1]
        yy += stencil[halfway, up, 2]
    return xx, xy, yy


@kernel
def carry_downstream(work, stick, contact, direction):
    """Carry the work of sticking elements, and any below 0, to the next one downstream; (ny, nx), in place.

    An element that sticks before one that slips keeps its own, as slip begins in it, and so does the last one
    of a row. What is left below 0 at the end of a row is taken from the elements before it.
    """
    ny, nx = work.shape
    for j in range(ny):
        carried = 0.0
        for k in range(nx):
            i = nx - 1 - k if direction > 0 else k
            if not contact[j, i]:
                continue
            behind = i - direction
            goes_on = 0 <= behind < nx and contact[j, behind]
            total = work[j, i] + carried
            if goes_on and ((stick[j, i] and stick[j, behind]) or total < 0.0):
                work[j, i], carried = 0.0, total
                continue
            work[j, i], carried = total, 0.0
            if total < 0.0:  # at the end of a row
                _take_before(work, contact, j, i, direction)


@kernel
def _take_before(work, contact, j, i, direction):
    """Take what an element of a row has below 0 from those upstream, as far as they have any."""
    missing = -work[j, i]
    work[j, i] = 0.0
    at = i + direction
    while missing > 0.0 and 0 <= at < work.shape[1] and contact[j, at]:
        taken = min(missing, work[j, at])
        work[j, at] -= taken
        missing -= taken
        at += direction
