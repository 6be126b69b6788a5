"""Products of elements with their influence: tractions on cells, and displacements at points."""

from traction.compiled import kernel
from traction.contact.covered_kernels import FLAT, NODES
from traction.contact.near_field_kernels import WHOLE


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
def collect(u, points, near, traction, source, owners, total):
    """Sums over the points of their factor times the displacement, for each owner; (2, owners).

    u: displacements at cells by far influence. points: (row, first node, weights of nodes). near: matrix of
    `fill_near`. owners: (owner, factor) of the points.
    """
    row, node, nodes = points
    first, columns, values = near
    owner, factor = owners
    total[:] = 0.0
    for t in range(row.size):
        j, i = row[t], node[t]
        x, y = u[0, j, i + 1], u[1, j, i + 1]
        if nodes[t, 1] != 1.0:  # not the centre of a cell
            x, y = 0.0, 0.0
            for n in range(NODES):
                x += nodes[t, n] * u[0, j, i + n]
                y += nodes[t, n] * u[1, j, i + n]
        for at in range(first[t], first[t + 1]):
            e = source[columns[at]]
            px, py = traction[0, e], traction[1, e]
            x += values[at, 0] * px + values[at, 1] * py
            y += values[at, 1] * px + values[at, 2] * py
        total[0, owner[t]] += factor[t] * x
        total[1, owner[t]] += factor[t] * y


@kernel
def diagonal(points, near, cells, owners, lags, total):
    """`collect` of each element's own unit traction, xx and yy, where the owners are the elements; (2, n).

    points: (first node from the first cell on, weights of nodes). cells: (column, far weights) of the
    elements. lags: A_xx and A_yy at distances >= 0 in one row.
    """
    node, nodes = points
    first, columns, values = near
    column, weights = cells
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
        for at in range(first[t], first[t + 1]):
            if columns[at] == e:
                x += values[at, 0]
                y += values[at, 2]
        total[0, e] += factor[t] * x
        total[1, e] += factor[t] * y
