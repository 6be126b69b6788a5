"""Symmetric matrices of half band width 3: products, factors L D L', solutions, counts of eigenvalues.

A band is (4, n), band[d, i] = A(i, i - d): diagonals lie in one piece, so that products run at full width.
Of a factor, row 0 is 1/D and rows 1 to 3 are the unit lower triangle, which leaves one product and one
difference per number in the chain of each triangular solution.

Units: a solution has those of its right side over those of the matrix, a product those of both.
"""

import numpy as np

from traction.compiled import kernel

WIDTH = 3  #: of the band on each side


@kernel
def factor(A, F):
    """F = L D L' of a positive definite band; returns the row without a positive pivot, or n."""
    n = A.shape[1]
    for i in range(n):
        pivot = A[0, i]
        for d in range(min(WIDTH, i), 0, -1):
            j = i - d
            total = A[d, i]
            for e in range(d + 1, min(WIDTH, i) + 1):
                total -= F[e, i] * F[e - d, j] / F[0, i - e]
            F[d, i] = total * F[0, j]
            pivot -= total * F[d, i]
        if not pivot > 0.0:
            return i
        F[0, i] = 1.0 / pivot
    return n


@kernel
def solve(F, x):
    """Replace x by A^-1 x."""
    n = F.shape[1]
    scale, l1, l2, l3 = F[0], F[1], F[2], F[3]
    for i in range(1, min(WIDTH, n)):
        for d in range(1, i + 1):
            x[i] -= F[d, i] * x[i - d]
    for i in range(WIDTH, n):
        x[i] = (x[i] - l3[i] * x[i - 3] - l2[i] * x[i - 2]) - l1[i] * x[i - 1]
    for i in range(n):
        x[i] *= scale[i]
    for i in range(n - 2, max(n - 1 - WIDTH, -1), -1):
        for d in range(1, n - i):
            x[i] -= F[d, i + d] * x[i + d]
    for k in range(n - WIDTH):
        i = n - 1 - WIDTH - k
        x[i] = (x[i] - l3[i + 3] * x[i + 3] - l2[i + 2] * x[i + 2]) - l1[i + 1] * x[i + 1]


@kernel
def scaled(F, x):
    """Replace x by A^-1 x where A is diagonal."""
    for i in range(x.size):
        x[i] *= F[0, i]


@kernel
def product(A, x, y):
    """Y = A x."""
    n = A.shape[1]
    if n <= 2 * WIDTH:
        for i in range(n):
            _row(A, x, y, i)
        return
    a0, a1, a2, a3 = A[0], A[1], A[2], A[3]
    for i in range(WIDTH, n - WIDTH):
        y[i] = (
            a0[i] * x[i]
            + (a1[i] * x[i - 1] + a1[i + 1] * x[i + 1])
            + (a2[i] * x[i - 2] + a2[i + 2] * x[i + 2])
            + (a3[i] * x[i - 3] + a3[i + 3] * x[i + 3])
        )
    for k in range(2 * WIDTH):
        i = k if k < WIDTH else n - 1 - (k - WIDTH)
        _row(A, x, y, i)


@kernel
def _row(A, x, y, i):  # row i of y = A x
    y[i] = A[0, i] * x[i]
    for d in range(1, WIDTH + 1):
        if i >= d:
            y[i] += A[d, i] * x[i - d]
        if i + d < A.shape[1]:
            y[i] += A[d, i + d] * x[i + d]


@kernel
def eigenvalues_below(K, M, square):
    """Number of eigenvalues of K - lambda M below `square`, by the signs of pivots (Sylvester)."""
    n = K.shape[1]
    below = 0
    rows = np.zeros((WIDTH + 1, WIDTH + 1))  # rows[i % 4, d]: l(i, i - d) d(i - d), and the pivot at d = 0
    for i in range(n):
        own = i % (WIDTH + 1)
        pivot = K[0, i] - square * M[0, i]
        for d in range(min(WIDTH, i), 0, -1):
            total = K[d, i] - square * M[d, i]
            other = (i - d) % (WIDTH + 1)
            for e in range(d + 1, min(WIDTH, i) + 1):
                total -= rows[own, e] * rows[other, e - d] / rows[(i - e) % (WIDTH + 1), 0]
            rows[own, d] = total
            pivot -= total * total / rows[other, 0]
        if pivot == 0.0:
            pivot = 1e-300
        if pivot < 0.0:
            below += 1
        rows[own, 0] = pivot
    return below
