"""Influence of covered parts of cells near by: what differs from that of whole cells on a lattice.

Lengths are in cells along x: cell i reaches from i - 1/2 to i + 1/2. A part carries strips of uniform
traction whose steps lie at the places e_j with the sizes kappa_j; its influence is the sum of
kappa_j Q(x - e_j), with Q that of a unit traction from x = 0 on in one row of cells, without what cancels in
the sum. Exact minus far influence is what is wanted (see `covered_shapes`). Q of a row is the difference of
primitives at its two faces (see `corner_influence`).
"""

import math
from typing import NamedTuple

import numpy as np

from traction.compiled import kernel
from traction.contact.elements.kernels.corner_influence import corners
from traction.contact.elements.kernels.covered_shapes import (
    MOST_STRIPS,
    NODES,
    far_weights,
    interpolation,
    shaped,
)

ON_CENTRE = 1e-9  #: of a cell, as in `covered_shapes.interpolation`
REACH = 3  #: cells within which the exact influence is taken
COLUMNS = 2 * REACH + 1  #: of cells near to a centre
#: of cells near to a point halfway, as many on both sides: what they do to each other then stays opposite
HALFWAY_COLUMNS = 2 * REACH + 2
WHOLE = -1  #: number of elements that are not cut
CENTRE, HALFWAY, BETWEEN = 0, 1, 2  #: where a point lies among the centres of cells


class CellGeometry(NamedTuple):
    """Of the cells and the bodies."""

    poisson_ratio: float
    plane: bool  #: whether it is plane strain
    faces: np.ndarray  #: heights of the faces above each row, or the reference length, in cells


class TractionSteps(NamedTuple):
    """Tractions on elements, counted from their own cells."""

    counts: np.ndarray  #: of steps
    steps: np.ndarray  #: places and sizes, (n, MOST_STRIPS + 1, 2)
    weights: np.ndarray  #: of the three cells that each is far away, (n, 3)


class NearElements(NamedTuple):
    """Elements on a window, and those of them that are no whole cells."""

    number: np.ndarray  #: of the element on each cell, or -1
    cut: np.ndarray  #: number of each among those cut, or WHOLE
    factor: np.ndarray  #: by which the influence of each is multiplied
    begin: np.ndarray  #: first cut one in each row, (rows + 1)
    cut_column: np.ndarray
    cut_element: np.ndarray
    before: np.ndarray  #: elements, and those cut, before each column of a row, (2, rows, columns + 1)


class PlacedPoints(NamedTuple):
    """Points of the window."""

    row: np.ndarray
    x: np.ndarray
    kind: np.ndarray


class NearTables(NamedTuple):
    """Influence of whole cells at distances >= 0, and `element_corrections` of those cut."""

    whole: np.ndarray
    centre: np.ndarray
    halfway: np.ndarray  #: none where no point needs them


class NearMatrix(NamedTuple):
    """A sparse matrix: xx, xy, yy of elements at points."""

    first: np.ndarray  #: entry of each point, (points + 1)
    columns: np.ndarray
    values: np.ndarray  #: (entries, 3)


@kernel
def steps_of(low, high, edge, shape, bend, strips, steps):
    """Strips and steps (place, size) of the traction of an element; their number."""
    count = shaped(low, high, edge, shape, bend, strips)
    side = 1.0 if count == 1 or strips[count - 1, 0] > strips[0, 0] else -1.0
    before = 0.0
    for k in range(count):
        steps[k, 0] = strips[k, 0] - 0.5 * side * strips[k, 1]
        steps[k, 1] = side * (strips[k, 2] - before)
        before = strips[k, 2]
    steps[count, 0] = strips[count - 1, 0] + 0.5 * side * strips[count - 1, 1]
    steps[count, 1] = -side * before
    return count + 1


@kernel
def _tensor(xx, yy, xy, nu):
    """A_xx, A_xy, A_yy (times pi G over the cell width) from the primitives."""
    return xx + (1.0 - nu) * yy, nu * xy, yy + (1.0 - nu) * xx


@kernel
def _between_faces(sums, up, nu):
    """Influence in the row `up` >= 0 from sums of primitives at the faces above each row, (3, rows)."""
    if up == 0:  # from -y to y: the odd ones are doubled, the even one cancels
        return _tensor(2.0 * sums[0, 0], 2.0 * sums[1, 0], 0.0, nu)
    return _tensor(
        sums[0, up] - sums[0, up - 1], sums[1, up] - sums[1, up - 1], sums[2, up] - sums[2, up - 1], nu
    )


@kernel
def mirror(tables):
    """Influence of whole cells at all distances along x, (3, distances, rows), from those >= 0."""
    _, rows, reach = tables.shape
    around = np.empty((3, 2 * reach - 1, rows))
    for i in range(2 * reach - 1):
        away = abs(i - reach + 1)
        for j in range(rows):
            xy = tables[1, j, away]
            around[0, i, j], around[2, i, j] = tables[0, j, away], tables[2, j, away]
            around[1, i, j] = xy if i >= reach - 1 else -xy
    return around


@kernel
def far_influence(first, nodes, row, weights, around):
    """A_xx, A_xy, A_yy of an element of column 0 by whole cells with weights, interpolated from nodes."""
    xx, xy, yy = 0.0, 0.0, 0.0
    start = first + 1 + around.shape[1] // 2
    for node in range(NODES):
        for side in range(3):
            w = nodes[node] * weights[side]
            if w != 0.0:
                i = start + node - side
                xx += w * around[0, i, row]
                xy += w * around[1, i, row]
                yy += w * around[2, i, row]
    return xx, xy, yy


@kernel
def fill_steps(low, high, edge, shape, bend, result):
    """`TractionSteps` of elements around the cell 0."""
    strips = np.empty((MOST_STRIPS, 3))
    for e in range(low.size):
        count = steps_of(low[e], high[e], edge[e], shape[e], bend[e], strips, result.steps[e])
        result.counts[e], weights = count, result.weights
        weights[e, 0], weights[e, 1], weights[e, 2] = far_weights(strips, count - 1, 0)


@kernel
def _sum_steps(sizes, values, total):
    """Sum of the values at all places, one step after the other, times the sizes of the steps."""
    places = total.size
    for k in range(places):
        total[k] = 0.0
    for s in range(sizes.size):
        size, part = sizes[s], values[s * places : (s + 1) * places]
        for k in range(places):
            total[k] += size * part[k]


@kernel
def _sum_cells(weights, cells, rows, total):
    """Sum of the influence of three cells at consecutive places, in all rows, by their weights."""
    a, b, c = weights
    one, two, three = cells[2 * rows :], cells[rows:], cells
    for k in range(total.size):
        total[k] = a * one[k] + b * two[k] + c * three[k]


@kernel
def _add_cells(weights, cells, rows, total):
    """`_sum_cells`, added to what there is."""
    a, b, c = weights
    one, two, three = cells[2 * rows :], cells[rows:], cells
    for k in range(total.size):
        total[k] = total[k] + a * one[k] + b * two[k] + c * three[k]


@kernel
def _take_cells(first, nodes, around, shares, cells):
    """Influence of whole cells at consecutive places from each node that has a share; their number.

    cells: (nodes, 3, places times rows), from the number `first` on in `around`.
    """
    rows, used = around.shape[2], 0
    for node in range(NODES):
        if nodes[node] != 0.0:
            shares[used], begin = nodes[node], (first + node) * rows
            for c in range(3):
                of = around[c].reshape(around[c].size)
                for k in range(cells.shape[2]):
                    cells[used, c, k] = of[begin + k]
            used += 1
    return used


@kernel
def element_corrections(elements, offset, tables, geometry, result):
    """Exact minus far influence of the tractions on elements (`TractionSteps`).

    Points lie i - R + offset columns and 0, 1, ... rows away; result is (n, columns, rows, xx xy yy).
    All places of a step follow each other, so that the processor takes several at once.
    """
    count, steps, weights = elements
    nu, plane, faces = geometry
    n, columns, rows, _ = result.shape
    places, most = columns * rows, MOST_STRIPS + 1
    x, y, values = np.empty(most * places), np.empty(most * places), np.empty((3, most * places))
    sums, far, nodes = np.empty((3, places)), np.empty((3, places)), np.empty(NODES)
    first, around = interpolation(offset - (columns - 1) // 2, nodes), mirror(tables)
    shares, cells, centres = np.empty(NODES), np.empty((NODES, 3, places + 2 * rows)), np.empty(places)
    used = _take_cells(first - 1 + around.shape[1] // 2, nodes, around, shares, cells)
    for k in range(places):
        centres[k] = k // rows - (columns - 1) // 2 + offset
    for at in range(y.size):
        y[at] = faces[at % rows]
    for e in range(n):
        at = 0
        for s in range(count[e]):
            place, part = steps[e, s, 0], x[at : at + places]
            for k in range(places):
                part[k] = centres[k] - place
            at += places
        corners(x, y, at, plane, values)
        for c in range(3):
            _sum_steps(steps[e, : count[e], 1], values[c], sums[c])
            for m in range(used):
                w = shares[m]
                parts = w * weights[e, 0], w * weights[e, 1], w * weights[e, 2]
                if m == 0:
                    _sum_cells(parts, cells[m, c], rows, far[c])
                else:
                    _add_cells(parts, cells[m, c], rows, far[c])
        for i in range(columns):
            at = i * rows
            column = sums[:, at : at + rows]
            for j in range(rows):
                xx, xy, yy = _between_faces(column, j, nu)
                a, b, c = far[0, at + j], far[1, at + j], far[2, at + j]
                result[e, i, j, 0], result[e, i, j, 1], result[e, i, j, 2] = xx - a, xy - b, yy - c


@kernel
def _places_around(x, reach, near, columns, parts, faces, places):
    """Corners from which the influence at x of elements near by is made; their number, (2, room).

    First those of all faces of whole cells, from the column of the first to that of the last; then those of
    the steps of cut elements: at the face above the row and, unless it is their own, below. reach: (row of
    the point, cell around which all is near, R). columns: the first and the last of whole elements near by.
    """
    row, centre, R = reach
    number, cut = near.number, near.cut
    (ny, nx), rows, n = number.shape, faces.size, 0
    for i in range(columns[0], columns[1] + 2):
        for j in range(rows):
            places[0, n], places[1, n] = x - centre - (i - R - 0.5), faces[j]
            n += 1
    for m in range(max(0, row - rows + 1), min(ny, row + rows)):
        up = abs(row - m)
        for k in range(max(0, centre - R), min(nx, centre + R + 1)):
            c = cut[number[m, k]] if number[m, k] >= 0 else WHOLE
            if c == WHOLE:
                continue
            for s in range(parts.counts[c]):
                for face in range(max(0, up - 1), up + 1):
                    places[0, n], places[1, n] = x - k - parts.steps[c, s, 0], faces[face]
                    n += 1
    return n


@kernel
def _whole_between(first, columns, nodes, nu, around, values, result):
    """Exact minus far influence of whole cells, by the primitives of their faces.

    columns: the first and the last that are wanted, of result: (2 R + 1 columns, rows, xx xy yy). `first` is
    that of the nodes that the point is interpolated from. Returns the number of primitives.
    """
    R, rows = (result.shape[0] - 1) // 2, result.shape[1]
    at, sums = 0, np.empty((3, rows))
    for i in range(columns[0], columns[1] + 1):
        for c in range(3):
            for j in range(rows):
                sums[c, j] = values[c, at + j] - values[c, at + rows + j]
        at += rows
        start = first - (i - R) + around.shape[1] // 2
        for j in range(rows):
            xx, xy, yy = _between_faces(sums, j, nu)
            for node in range(NODES):
                w, k = nodes[node], start + node
                xx -= w * around[0, k, j]
                xy -= w * around[1, k, j]
                yy -= w * around[2, k, j]
            result[i, j, 0], result[i, j, 1], result[i, j, 2] = xx, xy, yy
    return at + rows if columns[1] >= columns[0] else 0


@kernel
def _exact(values, at, up, sizes, nu):
    """Exact influence of a cut element by the primitives of its steps; and where the next ones are."""
    xx, yy, xy = 0.0, 0.0, 0.0
    for size in sizes:
        if up == 0:
            xx, yy, at = xx + 2.0 * size * values[0, at], yy + 2.0 * size * values[1, at], at + 1
        else:
            xx += size * (values[0, at + 1] - values[0, at])
            yy += size * (values[1, at + 1] - values[1, at])
            xy += size * (values[2, at + 1] - values[2, at])
            at += 2
    return _tensor(xx, yy, xy, nu), at


@kernel
def _middle_cell(x, kind):
    """The cell around which those near to x lie: of a point halfway that on the right."""
    return math.floor(x + 1e-6) + 1 if kind == HALFWAY else math.floor(x + 0.5)


@kernel
def place_points(row, x, columns, places):
    """Where points lie among the centres of cells, and how they are interpolated from these.

    places: (first of the cells around each, their weights, kind, place), which are written. Points halfway
    have a place in `element_products.displace_halfway`, of elements in so many columns; others have -1.
    Returns the number of these, the least and the largest of those cells, and the first and last row.
    """
    node, nodes, kinds, place = places
    halves, nearest, furthest, lowest, highest = 0, columns, -columns, row[0], row[0]
    for t in range(x.size):
        node[t] = interpolation(x[t], nodes[t])
        nearest, furthest = min(nearest, node[t]), max(furthest, node[t])
        lowest, highest = min(lowest, row[t]), max(highest, row[t])
        away = abs(x[t] - math.floor(x[t] + 0.5))
        kinds[t] = CENTRE if away < ON_CENTRE else HALFWAY if abs(away - 0.5) < ON_CENTRE else BETWEEN
        place[t] = -1
        if kinds[t] == HALFWAY:
            halves += 1
            at = _middle_cell(x[t], HALFWAY) + REACH
            place[t] = at if 0 <= at < columns + HALFWAY_COLUMNS - 1 else -1
    return halves, nearest, furthest, lowest, highest


@kernel
def number_elements(row, column, cut, elements):
    """Fill `NearElements` of a window but for their factors, from the places of elements, row by row."""
    number, begin, cut_column, cut_element, before = elements
    for j in range(number.shape[0]):
        for i in range(number.shape[1]):
            number[j, i] = -1
        begin[j + 1] = 0
    begin[0] = 0
    for e in range(row.size):
        number[row[e], column[e]] = e
        if cut[e] >= 0:
            cut_column[cut[e]], cut_element[cut[e]] = column[e], e
            begin[row[e] + 1] += 1
    for j in range(number.shape[0]):
        begin[j + 1] += begin[j]
        before[0, j, 0], before[1, j, 0] = 0, 0
        for i in range(number.shape[1]):
            e = number[j, i]
            before[0, j, i + 1] = before[0, j, i] + (e >= 0)
            before[1, j, i + 1] = before[1, j, i] + (e >= 0 and cut[e] >= 0)


@kernel
def count_near(elements, points, first):
    """First entry of each point in the matrix of `fill_near`, (points + 1)."""
    (ny, nx), before = elements.number.shape, elements.before
    up = REACH if ny > 1 else 0
    first[0] = 0
    for t in range(points.row.size):
        kind, j, count = points.kind[t], points.row[t], 0
        centre, all_or_cut = _middle_cell(points.x[t], kind), before[0 if kind == BETWEEN else 1]
        back = HALFWAY_COLUMNS - 1 - REACH if kind == HALFWAY else REACH
        low, high = min(max(0, centre - back), nx), max(0, min(nx, centre + REACH + 1))
        for m in range(max(0, j - up), min(ny, j + up + 1)):
            count += all_or_cut[m, high] - all_or_cut[m, low] if high > low else 0
        first[t + 1] = first[t] + count


@kernel
def fill_near(elements, parts, points, tables, geometry, matrix):
    """Exact minus far influence at points of all elements near by of which one is no whole cell.

    parts: `TractionSteps` of those cut. What whole cells add halfway is the same everywhere, and not in the
    matrix.
    """
    number, cut = elements.number, elements.cut
    nu, plane, faces = geometry
    (ny, nx), R, rows = number.shape, REACH, faces.size
    room = 2 * (R + 1) * rows + 2 * (MOST_STRIPS + 1) * (2 * R + 1) * (2 * rows - 1)
    nodes, between = np.empty(NODES), np.empty((2 * R + 1, rows, 3))
    corner, primitives, around = np.empty((2, room)), np.empty((3, room)), mirror(tables.whole)
    for t in range(points.row.size):
        x, j, kind, at = points.x[t], points.row[t], points.kind[t], matrix.first[t]
        centre = _middle_cell(x, kind)
        if kind != BETWEEN:
            table = tables.centre if kind == CENTRE else tables.halfway
            _fill_by_table(table, elements, j, centre, at, matrix)
            continue
        columns = _wholes(number, cut, j, centre, rows)
        count = _places_around(x, (j, centre, R), elements, columns, parts, faces, corner)
        corners(corner[0], corner[1], count, plane, primitives)
        node = interpolation(x - centre, nodes)
        used = _whole_between(node, columns, nodes, nu, around, primitives, between)
        for m in range(max(0, j - rows + 1), min(ny, j + rows)):
            up, sign = abs(j - m), (1.0 if j >= m else -1.0)
            for k in range(max(0, centre - R), min(nx, centre + R + 1)):
                e = number[m, k]
                if e < 0:
                    continue
                v, c = between[k - centre + R, up], cut[e]
                value = v[0], v[1], v[2]
                if c >= 0:
                    sizes = parts.steps[c, : parts.counts[c], 1]
                    (xx, xy, yy), used = _exact(primitives, used, up, sizes, nu)
                    a, b, d = far_influence(node + centre - k, nodes, up, parts.weights[c], around)
                    value = xx - a, xy - b, yy - d
                at = _enter(matrix, at, e, elements.factor[e], sign, value)


@kernel
def _fill_by_table(table, elements, row, centre, at, matrix):
    """`fill_near` for one point at the centre of a cell or halfway: whole cells near by are not in it."""
    rows = table.shape[2]
    begin, column, numbers = elements.begin, elements.cut_column, elements.cut_element
    for m in range(max(0, row - rows + 1), min(begin.size - 1, row + rows)):
        for c in range(begin[m], begin[m + 1]):
            away = centre - column[c] + REACH
            if 0 <= away < table.shape[1]:
                v, e = table[c, away, abs(row - m)], numbers[c]
                sign = 1.0 if row >= m else -1.0
                at = _enter(matrix, at, e, elements.factor[e], sign, (v[0], v[1], v[2]))


@kernel
def _wholes(number, cut, row, centre, rows):
    """First and last of the columns around a cell in which whole elements lie near by."""
    (ny, nx), R = number.shape, REACH
    first, last = 2 * R + 1, -1
    for k in range(max(0, centre - R), min(nx, centre + R + 1)):
        for m in range(max(0, row - rows + 1), min(ny, row + rows)):
            if number[m, k] >= 0 and cut[number[m, k]] < 0:
                first, last = min(first, k - centre + R), k - centre + R
                break
    return first, last


@kernel
def _enter(matrix, at, element, factor, sign, value):
    """Enter values xx, xy, yy into the matrix; where the next ones go."""
    values, matrix.columns[at] = matrix.values, element
    values[at, 0], values[at, 1] = factor * value[0], factor * sign * value[1]
    values[at, 2] = factor * value[2]
    return at + 1
