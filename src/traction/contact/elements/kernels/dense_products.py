"""Products of elements with their influence as matrices, for batches that share the elements.

Units: places in cells along x; influences in m/Pa.
"""

from typing import NamedTuple

import numpy as np

from traction.compiled import kernel
from traction.contact.elements.kernels.covered_shapes import NODES
from traction.contact.elements.kernels.near_field import WHOLE


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
