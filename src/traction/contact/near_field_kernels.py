"""Influence of covered parts of cells near by: what differs from that of whole cells on a lattice.

Lengths are in cells along x: cell i reaches from i - 1/2 to i + 1/2. A part carries strips of uniform
traction whose steps lie at the places e_j with the sizes kappa_j; its influence is the sum of
kappa_j Q(x - e_j), with Q that of a unit traction from x = 0 on in one row of cells, without what cancels in
the sum. Exact minus far influence is what is wanted (see `covered_kernels`). Rows within the reach share the
evaluations of Q between them.
"""

import math

import numpy as np

from traction.compiled import kernel
from traction.contact.covered_kernels import NODES, STRIPS, far_weights, interpolation, shaped

ON_CENTRE = 1e-9  #: of a cell, as in `covered_kernels.interpolation`
WHOLE = -1  #: number of elements that are not cut
CENTRE, HALFWAY, BETWEEN = 0, 1, 2  #: where a point lies among the centres of cells


@kernel
def steps_of(element, strips, steps):
    """Strips and steps (place, size) of the traction of an element (low, high, edge, shape); their number."""
    low, high, edge, shape = element
    count = shaped(low, high, edge, shape, strips)
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
def _corner(x, y, log_x, log_y):
    """Primitives of x^2/r^3, y^2/r^3 and x y/r^3 over x and y, for y > 0 and logarithms of |x| and y."""
    r = math.sqrt(x * x + y * y)
    size = abs(x)
    xx = y * (math.log(size + r) - log_y)
    return (xx if x >= 0.0 else -xx), (x * (math.log(y + r) - log_x) if x != 0.0 else 0.0), -r


@kernel
def _tensor(xx, yy, xy, nu):
    """A_xx, A_xy, A_yy (times pi G over the cell width) from the primitives."""
    return xx + (1.0 - nu) * yy, nu * xy, yy + (1.0 - nu) * xx


@kernel
def _strip(x, geometry):
    """Q of plane strain."""
    nu, reference = geometry[0], geometry[1]
    log = x * (1.0 + math.log(reference))
    if x != 0.0:
        log -= x * math.log(abs(x))
    return 2.0 * ((1.0 - nu) * log + nu * x), 0.0, 2.0 * (log - nu * x)


@kernel
def q_of_rows(x, geometry, q):
    """Q at x in all rows 0, 1, ... above the traction, (rows, xx xy yy).

    geometry: nu, reference (0 unless plane strain), heights of the faces above each row and their logarithms.
    """
    nu, reference, faces, logs = geometry
    if reference > 0.0:
        q[0, 0], q[0, 1], q[0, 2] = _strip(x, geometry)
        return
    log_x = math.log(abs(x)) if x != 0.0 else 0.0
    a, b, c = 0.0, 0.0, 0.0
    for j in range(len(q)):
        xx, yy, xy = _corner(x, faces[j], log_x, logs[j])
        if j == 0:  # from -y to y: the odd ones are doubled, the even one cancels
            q[0, 0], q[0, 1], q[0, 2] = _tensor(2.0 * xx, 2.0 * yy, 0.0, nu)
        else:
            q[j, 0], q[j, 1], q[j, 2] = _tensor(xx - a, yy - b, xy - c, nu)
        a, b, c = xx, yy, xy


@kernel
def exact_in_row(x, rows, count, steps, geometry):
    """Sum of the steps' Q at x in one row >= 0."""
    nu, reference, faces, logs = geometry
    xx, yy, xy = 0.0, 0.0, 0.0
    for s in range(count):
        d, size = x - steps[s, 0], steps[s, 1]
        if reference > 0.0:
            a, b, c = _strip(d, geometry)
            xx, yy = xx + size * a, yy + size * c
            continue
        log_x = math.log(abs(d)) if d != 0.0 else 0.0
        a, b, c = _corner(d, faces[rows], log_x, logs[rows])
        if rows == 0:
            a, b, c = 2.0 * a, 2.0 * b, 0.0
        else:
            e, f, g = _corner(d, faces[rows - 1], log_x, logs[rows - 1])
            a, b, c = a - e, b - f, c - g
        xx, yy, xy = xx + size * a, yy + size * b, xy + size * c
    if reference > 0.0:
        return xx, 0.0, yy
    return _tensor(xx, yy, xy, nu)


@kernel
def far_influence(first, nodes, rows, k, weights, tables):
    """A_xx, A_xy, A_yy of an element of column k by whole cells with weights, interpolated from nodes."""
    xx, xy, yy = 0.0, 0.0, 0.0
    for node in range(NODES):
        if nodes[node] == 0.0:
            continue
        for side in range(3):
            w = nodes[node] * weights[side]
            if w == 0.0:
                continue
            i = first + node - (k + side - 1)
            at = abs(i)
            xx += w * tables[0, rows, at]
            xy += (w if i >= 0 else -w) * tables[1, rows, at]
            yy += w * tables[2, rows, at]
    return xx, xy, yy


@kernel
def element_steps(elements, count, steps, weights):
    """Number of steps, steps and far weights of elements (low, high, edge, shape) around the cell 0."""
    low, high, edge, shape = elements
    strips = np.empty((STRIPS, 3))
    for e in range(low.size):
        count[e] = steps_of((low[e], high[e], edge[e], shape[e]), strips, steps[e])
        weights[e, 0], weights[e, 1], weights[e, 2] = far_weights(strips, count[e] - 1, 0)


@kernel
def _correct_column(element, x, tables, geometry, q, into):
    """Exact minus far influence of an element (as of `element_steps`) in all rows at x from its cell."""
    count, steps, weights = element
    nodes = np.empty(NODES)
    first = interpolation(x, nodes)
    for j in range(len(into)):
        xx, xy, yy = far_influence(first, nodes, j, 0, weights, tables)
        into[j, 0], into[j, 1], into[j, 2] = -xx, -xy, -yy
    for s in range(count):
        q_of_rows(x - steps[s, 0], geometry, q)
        for j in range(len(into)):
            for c in range(3):
                into[j, c] += steps[s, 1] * q[j, c]


@kernel
def element_corrections(elements, offset, tables, geometry, result):
    """Exact minus far influence of elements (as of `element_steps`), counted from their own cells.

    Points lie i - R + offset columns and 0, 1, ... rows away; result is (n, 2 R + 1, rows, xx xy yy).
    """
    count, steps, weights = elements
    n, columns, rows, _ = result.shape
    q = np.empty((rows, 3))
    for e in range(n):
        for i in range(columns):
            x = i - (columns - 1) // 2 + offset
            _correct_column((count[e], steps[e], weights[e]), x, tables, geometry, q, result[e, i])


@kernel
def _direct(x, rows, element, first, nodes, tables, geometry):
    """Exact minus far influence of one element (number of steps, steps, far weights) at x; rows >= 0.

    x is counted from the element's cell, and interpolated from `nodes` from the cell `first` on.
    """
    count, steps, weights = element
    a, b, c = exact_in_row(x, rows, count, steps, geometry)
    xx, xy, yy = far_influence(first, nodes, rows, 0, weights, tables)
    return a - xx, b - xy, c - yy


@kernel
def _whole_between(x, columns, nodes, geometry, tables, q, result):
    """Exact minus far influence of whole cells at x, counted from the centre of that of the middle.

    columns: the first and the last that are wanted, of result: (2 R + 1 columns, rows, xx xy yy). Returns the
    first of the nodes that x is interpolated from.
    """
    R, rows = (result.shape[0] - 1) // 2, result.shape[1]
    first = interpolation(x, nodes)
    for i in range(columns[0], columns[1] + 2):
        q_of_rows(x - (i - R - 0.5), geometry, q[i])
    for i in range(columns[0], columns[1] + 1):
        for j in range(rows):
            for c in range(3):
                result[i, j, c] = q[i, j, c] - q[i + 1, j, c]
            for node in range(NODES):
                k = first + node - (i - R)
                w, at = nodes[node], abs(k)
                result[i, j, 0] -= w * tables[0, j, at]
                result[i, j, 1] -= (w if k >= 0 else -w) * tables[1, j, at]
                result[i, j, 2] -= w * tables[2, j, at]
    return first


@kernel
def kinds_of(x, kinds):
    """Where each point lies among the centres of cells; the number of points halfway."""
    halves = 0
    for t in range(x.size):
        away = abs(x[t] - math.floor(x[t] + 0.5))
        kinds[t] = CENTRE if away < ON_CENTRE else HALFWAY if abs(away - 0.5) < ON_CENTRE else BETWEEN
        halves += kinds[t] == HALFWAY
    return halves


@kernel
def _middle_cell(x, kind):
    """The cell around which those near to x lie: of a point halfway that on the right."""
    return math.floor(x + 1e-6) + 1 if kind == HALFWAY else math.floor(x + 0.5)


@kernel
def count_near(number, cuts, places, kinds, first, R):
    """First entry of each point in the matrix of `fill_near`, (points + 1).

    cuts: (first cut element in each row, their columns).
    """
    row, xs = places
    begin, column = cuts
    ny, nx = number.shape
    up = R if ny > 1 else 0
    first[0] = 0
    for t in range(row.size):
        centre, j, count = _middle_cell(xs[t], kinds[t]), row[t], 0
        for m in range(max(0, j - up), min(ny, j + up + 1)):
            if kinds[t] == CENTRE:
                for c in range(begin[m], begin[m + 1]):
                    count += abs(column[c] - centre) <= R
            else:
                for k in range(max(0, centre - R), min(nx, centre + R + 1)):
                    count += number[m, k] >= 0
        first[t + 1] = first[t] + count


@kernel
def fill_near(elements, places, corrections, tables, geometry, matrix):
    """Exact minus far influence at points of all elements near by of which one is no whole cell.

    elements: (numbers over the window or -1; numbers of those cut or WHOLE; a factor of each; (first cut one
    in each row, their columns and numbers as elements); and of `element_steps` for those cut). places: (row,
    x, kind) of the points. corrections: as of `element_corrections`, for cut ones at centres with those that
    are known (others are filled in), halfway (none if not needed) and for a whole one halfway. matrix:
    (first, columns, values).
    """
    number, cut, factor, cuts, parts = elements
    row, xs, kinds = places
    (centres, known), halves, whole_halves = corrections
    ny, nx = number.shape
    R, rows = (centres.shape[1] - 1) // 2, centres.shape[2]
    nodes, between = np.empty(NODES), np.empty((2 * R + 1, rows, 3))
    q = np.empty((2 * R + 2, rows, 3))
    for t in range(row.size):
        x, j, kind, at = xs[t], row[t], kinds[t], matrix[0][t]
        centre, node = _middle_cell(x, kind), 0
        if kind == BETWEEN:
            columns = _wholes(number, cut, j, centre, (R, rows))
            node = _whole_between(x - centre, columns, nodes, geometry, tables, q, between)
        for m in range(max(0, j - rows + 1), min(ny, j + rows)):
            up, sign = abs(j - m), (1.0 if j >= m else -1.0)
            if kind == CENTRE:
                for c in range(cuts[0][m], cuts[0][m + 1]):
                    if abs(cuts[1][c] - centre) <= R:
                        i, e = centre - cuts[1][c] + R, cuts[2][c]
                        if not known[c, i]:
                            element = (parts[0][c], parts[1][c], parts[2][c])
                            _correct_column(element, float(i - R), tables, geometry, q[0], centres[c, i])
                            known[c, i] = True
                        v = centres[c, i, up]
                        at = _entered(matrix, at, e, factor[e], sign, (v[0], v[1], v[2]))
                continue
            for k in range(max(0, centre - R), min(nx, centre + R + 1)):
                e = number[m, k]
                if e < 0:
                    continue
                c, i = cut[e], centre - k + R
                if kind == BETWEEN and c >= 0:
                    element = (parts[0][c], parts[1][c], parts[2][c])
                    value = _direct(x - k, up, element, node + centre - k, nodes, tables, geometry)
                else:
                    v = between[2 * R - i, up]
                    if kind == HALFWAY:
                        v = whole_halves[i, up] if c < 0 else halves[c, i, up]
                    value = (v[0], v[1], v[2])
                at = _entered(matrix, at, e, factor[e], sign, value)


@kernel
def _wholes(number, cut, row, centre, reach):
    """First and last of the columns around a cell in which whole elements lie near by; reach: (R, rows)."""
    R, rows = reach
    ny, nx = number.shape
    first, last = 2 * R + 1, -1
    for k in range(max(0, centre - R), min(nx, centre + R + 1)):
        for m in range(max(0, row - rows + 1), min(ny, row + rows)):
            if number[m, k] >= 0 and cut[number[m, k]] < 0:
                first, last = min(first, k - centre + R), k - centre + R
                break
    return first, last


@kernel
def _entered(matrix, at, element, factor, sign, value):
    """Enter values xx, xy, yy into the matrix; where the next ones go."""
    _, columns, values = matrix
    columns[at] = element
    values[at, 0], values[at, 1], values[at, 2] = (
        factor * value[0],
        factor * sign * value[1],
        factor * value[2],
    )
    return at + 1
