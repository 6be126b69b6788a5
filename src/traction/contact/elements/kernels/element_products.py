"""Products of elements with their influence: tractions on cells, and displacements at points."""

import numpy as np

from traction.compiled import kernel
from traction.contact.elements.kernels.covered_shapes import FLAT, NODES
from traction.contact.elements.kernels.near_field import COLUMNS, REACH, WHOLE
from traction.halfspace.kernels.tensor_products import tensor_product


@kernel
def cut_numbers(low, high, shape, cut):
    """Number the elements that are no whole cells, WHOLE for the others."""
    count = 0
    for e in range(low.size):
        if shape[e] == FLAT and high[e] - low[e] > 1.0 - 1e-12:
            cut[e] = WHOLE
        else:
            cut[e] = count
            count += 1


@kernel
def spread(traction, source, places, weights, field):
    """Tractions of elements as those of three whole cells each, (2, ny, nx); source: where each is found."""
    row, column = places
    field[:] = 0.0
    for e in range(row.size):
        px, py = traction[0, source[e]], traction[1, source[e]]
        j, i = row[e], column[e]
        if weights[e, 1] == 1.0:  # a whole cell
            field[0, j, i + 1] += px
            field[1, j, i + 1] += py
            continue
        for side in range(3):
            w = weights[e, side]
            field[0, j, i + side] += w * px
            field[1, j, i + side] += w * py


@kernel
def slip_of(operator, traction, total):
    """Sums for each owner, (2, owners), from tractions, (2, n).

    operator: elements of `spread`, points of `collect`, waves of their far influence with its factor.
    """
    elements, points, (waves, factor) = operator
    source, places, weights, _ = elements
    ny, columns, reach, wide = (
        waves[0].shape[1],
        2 * waves[2].shape[1],
        waves[2].shape[2],
        2 * waves[3].shape[2],
    )
    if wide + columns > 2 * reach:  # halves of odd numbers are rounded up
        columns, wide = columns - 1, wide - 1
    field, u = np.empty((2, ny, columns)), np.empty((2, ny, wide))
    spread(traction, source, places, weights, field)
    tensor_product(field, waves, factor, u)
    collect(u, elements, points, traction, total)


@kernel
def collect(u, elements, points, traction, total):
    """Sums over the points of their factor times the displacement, for each owner; (2, owners).

    u: displacements at cells by far influence. elements: of `spread`, and numbers of those cut or WHOLE.
    points: (row, first node, weights of nodes); matrix of `fill_near`; (owner, factor) of the points; and
    (place of each in `halfway`, or -1; exact minus far influence of whole cells there, (columns, rows, 3)).
    """
    (row, node, nodes), (first, columns, values), (owner, factor), (place, stencil) = points
    source = elements[0]
    between = np.empty((2, 0, 0))
    if len(stencil):
        wanted = np.zeros(u.shape[1], np.bool_)
        for t in range(row.size):
            wanted[row[t]] |= place[t] >= 0
        between = halfway(traction, elements, stencil, wanted)
    total[:] = 0.0
    for t in range(row.size):
        j, i = row[t], node[t]
        x, y = u[0, j, i + 1], u[1, j, i + 1]
        if nodes[t, 1] != 1.0:  # not the centre of a cell
            x, y = 0.0, 0.0
            for n in range(NODES):
                x += nodes[t, n] * u[0, j, i + n]
                y += nodes[t, n] * u[1, j, i + n]
        if place[t] >= 0:
            x += between[0, j, place[t]]
            y += between[1, j, place[t]]
        for at in range(first[t], first[t + 1]):
            e = source[columns[at]]
            px, py = traction[0, e], traction[1, e]
            x += values[at, 0] * px + values[at, 1] * py
            y += values[at, 1] * px + values[at, 2] * py
        total[0, owner[t]] += factor[t] * x
        total[1, owner[t]] += factor[t] * y


@kernel
def halfway(traction, elements, stencil, wanted):
    """Exact minus far displacements by whole elements halfway between cells, (2, ny, nx + 2 REACH).

    The first place lies REACH + 1/2 cells before the first cell. stencil: (columns, rows, xx xy yy), where
    the point lies in the row of the traction or above it. Rows that are not wanted are left zero.
    """
    source, (row, column), _, cut = elements
    ny, rows, nx = wanted.size, stencil.shape[1], 0
    for e in range(row.size):
        nx = max(nx, column[e] + 1)
    wide, pad = nx + 2 * REACH, rows - 1
    field, result = np.zeros((2, ny + 2 * pad, wide + 2 * REACH)), np.zeros((2, ny, wide))
    for e in range(row.size):
        if cut[e] == WHOLE:
            j, i = row[e] + pad, column[e] + 2 * REACH
            field[0, j, i], field[1, j, i] = traction[0, source[e]], traction[1, source[e]]
    even, odd = np.empty((2, wide + 2 * REACH)), np.empty((2, wide + 2 * REACH))
    for j in range(ny):
        x, y = result[0, j], result[1, j]
        for up in range(rows if wanted[j] else 0):
            for c in range(2):
                above, below, s, d = field[c, j + pad - up], field[c, j + pad + up], even[c], odd[c]
                for i in range(s.size):
                    s[i], d[i] = above[i] + below[i], above[i] - below[i]
            share = 1.0 if up > 0 else 0.5  # the row of the point was added to itself
            for k in range(COLUMNS):
                weights, last = stencil[COLUMNS - 1 - k, up], k + wide
                xx, xy, yy = share * weights[0], weights[1], share * weights[2]
                even_x, even_y, odd_x, odd_y = (
                    even[0, k:last],
                    even[1, k:last],
                    odd[0, k:last],
                    odd[1, k:last],
                )
                for i in range(wide):
                    x[i] += xx * even_x[i] + xy * odd_y[i]
                    y[i] += xy * odd_x[i] + yy * even_y[i]
    return result


@kernel
def diagonal(points, near, cells, owners, lags, total):
    """`collect` of each element's own unit traction, xx and yy, where the owners are the elements; (2, n).

    points: (first node from the first cell on, weights of nodes). near: matrix and what acts halfway, as of
    `collect`. cells: (column, far weights, numbers of those cut or WHOLE) of the elements. lags: A_xx and
    A_yy at distances >= 0 in one row.
    """
    node, nodes = points
    (first, columns, values), (place, stencil) = near
    column, weights, cut = cells
    owner, factor = owners
    total[:] = 0.0
    for t in range(node.size):
        e, x, y = owner[t], 0.0, 0.0
        for n in range(NODES):
            for side in range(3):
                w = nodes[t, n] * weights[e, side]
                if w != 0.0:
                    distance = min(abs(node[t] + n - column[e] - side + 1), lags.shape[1] - 1)
                    x += w * lags[0, distance]
                    y += w * lags[1, distance]
        if cut[e] == WHOLE and 0 <= place[t] - column[e] < len(stencil):
            x += stencil[place[t] - column[e], 0, 0]
            y += stencil[place[t] - column[e], 0, 2]
        for at in range(first[t], first[t + 1]):
            if columns[at] == e:
                x += values[at, 0]
                y += values[at, 2]
        total[0, e] += factor[t] * x
        total[1, e] += factor[t] * y
