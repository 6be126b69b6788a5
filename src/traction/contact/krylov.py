"""Flexible GMRES for fields: a right preconditioner that may change, and the products of its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from traction.contact import stick_slip_kernels as kernels

USUAL = 8  #: iterations for which there is room at first; to ask for much memory costs more than to fill it
Field = np.ndarray


@dataclass(frozen=True)
class Answer:
    """x with A x = b, up to the residual reached."""

    x: Field
    extra: Field  #: what `apply` gives beside A x, of x
    iterations: int
    residual: float  #: |b - A x|/|b|


def flexible_gmres(
    apply: Callable[[Field], tuple[Field, Field]],
    precondition: Callable[[Field], Field],
    b: Field,
    *,
    tol: float,
    max_iterations: int,
) -> Answer:
    """Solve A x = b (Saad 1993). `apply(x)` gives A x, a new field, and one linear in x that is wanted of x.

    Unlike scipy's, it returns that second field without another product, which is what costs here.
    """
    right = np.ascontiguousarray(b).ravel()
    size = float(np.sqrt(kernels.scalar_product(right, right)))
    if size == 0.0:
        return Answer(np.zeros_like(b), 0.0 * apply(b)[1], 0, 0.0)
    basis, directions = np.empty((USUAL, b.size)), np.empty((USUAL, b.size))
    wanted = np.empty((USUAL, 0))
    columns: list[Field] = []  # of Hessenberg's matrix, made triangular by the rotations
    g = np.zeros(max_iterations + 1)
    rotations: list[tuple[float, float]] = []
    basis[0], g[0] = right / size, size
    for k in range(max_iterations):
        if k + 1 == len(basis):
            basis, directions, wanted = (_with_more_room(v) for v in (basis, directions, wanted))
        z = precondition(basis[k].reshape(b.shape))
        directions[k] = z.ravel()
        image, extra = apply(z)
        if k == 0:
            wanted = np.empty((USUAL, extra.size))
        wanted[k] = extra.ravel()
        column, w = np.zeros(k + 2), image.ravel()
        grown = kernels.orthogonalise(basis, k + 1, w, column)
        column[k + 1] = grown
        for i, (c, s) in enumerate(rotations):
            column[i], column[i + 1] = c * column[i] + s * column[i + 1], c * column[i + 1] - s * column[i]
        length = float(np.hypot(column[k], column[k + 1]))
        if length == 0.0:
            break
        c, s = column[k] / length, column[k + 1] / length
        rotations.append((c, s))
        column[k] = length
        columns.append(column[: k + 1])
        g[k], g[k + 1] = c * g[k], -s * g[k]
        if abs(g[k + 1]) <= tol * size or grown <= 1e-14 * length:
            break
        np.divide(w, grown, out=basis[k + 1])
    n = len(rotations)
    y = _back_substituted(columns, g[:n])
    x, total = np.empty(b.size), np.empty(extra.size)
    kernels.combine(y, directions, x)
    kernels.combine(y, wanted, total)
    return Answer(x.reshape(b.shape), total.reshape(extra.shape), n, abs(float(g[n])) / size)


def _with_more_room(vectors: Field) -> Field:
    """The same vectors in an array for twice as many."""
    more = np.empty((2 * len(vectors), vectors.shape[1]))
    more[: len(vectors)] = vectors
    return more


def _back_substituted(columns: list[Field], right: Field) -> Field:
    """Y with R y = right, for the columns of an upper triangle R."""
    y = right.copy()
    for k in range(len(columns) - 1, -1, -1):
        y[k] /= columns[k][k]
        y[:k] -= y[k] * columns[k][:k]
    return y
