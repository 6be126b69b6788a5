"""Vectors of a Krylov space: scalar products in a fixed order, orthogonal bases and their combinations.

Units: vectors are numbers without one here; their owner knows it.
"""

import math

from traction.compiled import kernel


@kernel
def scalar_product(a, b):
    """Sum of products over the numbers of a in a fixed order; four sums side by side, for speed."""
    one, two, three, four = 0.0, 0.0, 0.0, 0.0
    n = a.size // 4 * 4
    for i in range(0, n, 4):
        one += a[i] * b[i]
        two += a[i + 1] * b[i + 1]
        three += a[i + 2] * b[i + 2]
        four += a[i + 3] * b[i + 3]
    for i in range(n, a.size):
        one += a[i] * b[i]
    return (one + two) + (three + four)


@kernel
def orthogonalise(basis, count, vector, overlaps):
    """Take from a vector its parts along the first `count` of an orthonormal basis; returns what is left.

    The parts are added to `overlaps`. A second time, if most of the vector was taken: what is left is only as
    orthogonal as rounding lets it be.
    """
    size = math.sqrt(scalar_product(vector, vector))
    for _ in range(2):
        before = size
        for k in range(count):
            row = basis[k]
            part = scalar_product(row, vector)
            for i in range(vector.size):
                vector[i] -= part * row[i]
            overlaps[k] += part
        size = math.sqrt(scalar_product(vector, vector))
        if size > 0.1 * before:
            break
    return size


@kernel
def arnoldi(basis, k, vector, triangle, rotations, g):
    """One step of GMRES: make `vector` the next of the basis, and its overlaps a column of the triangle.

    rotations: cosines and sines that made the columns before triangular, (2, n); g: the right side under
    them. Returns the residual that is left (below 0 if the vector is zero), and whether there is a next one.
    """
    column, cosines, sines = triangle[k], rotations[0], rotations[1]
    for i in range(k + 2):
        column[i] = 0.0
    grown = orthogonalise(basis, k + 1, vector, column)
    column[k + 1] = grown
    for i in range(k):
        a, b = column[i], column[i + 1]
        column[i], column[i + 1] = cosines[i] * a + sines[i] * b, cosines[i] * b - sines[i] * a
    length = math.hypot(column[k], column[k + 1])
    if length == 0.0:
        return -1.0, False
    c, s = column[k] / length, column[k + 1] / length
    cosines[k], sines[k], column[k] = c, s, length
    g[k], g[k + 1] = c * g[k], -s * g[k]
    if grown <= 1e-14 * length:
        return abs(g[k + 1]), False
    for i in range(vector.size):
        basis[k + 1, i] = vector[i] / grown
    return abs(g[k + 1]), True


@kernel
def substitute_back(triangle, right, y):
    """Solve R y = right for the columns of an upper triangle R."""
    for k in range(y.size):
        y[k] = right[k]
    for k in range(y.size - 1, -1, -1):
        y[k] /= triangle[k, k]
        for i in range(k):
            y[i] -= y[k] * triangle[k, i]


@kernel
def combine(weights, vectors, total):
    """Sum of weighted vectors."""
    for i in range(total.size):
        total[i] = 0.0
    for k in range(weights.size):
        w = weights[k]
        for i in range(total.size):
            total[i] += w * vectors[k, i]
