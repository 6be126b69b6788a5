"""Flexible GMRES for fields: a right preconditioner that may change, and the products of its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from traction.contact.stick_slip.kernels import krylov_vectors as kernels

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
    basis, directions, wanted = np.empty((USUAL, b.size)), np.empty((USUAL, b.size)), np.empty((USUAL, 0))
    triangle = np.empty((max_iterations, max_iterations + 1))  # Hessenberg's matrix under the rotations
    rotations = np.empty(max_iterations), np.empty(max_iterations)
    g = np.zeros(max_iterations + 1)
    basis[0], g[0] = right / size, size
    n, more = 0, True
    while more and n < max_iterations:
        if n + 1 == len(basis):
            basis, directions, wanted = (_with_more_room(v) for v in (basis, directions, wanted))
        z = precondition(basis[n].reshape(b.shape))
        directions[n] = z.ravel()
        image, extra = apply(z)
        if n == 0:
            wanted = np.empty((USUAL, extra.size))
        wanted[n] = extra.ravel()
        left, more = kernels.arnoldi(basis, n, image.ravel(), triangle, rotations, g)
        if left < 0.0:
            break
        n += 1
        more = more and left > tol * size
    y = kernels.back_substituted(triangle, g[:n])
    x, total = np.empty(b.size), np.empty(extra.size)
    kernels.combine(y, directions, x)
    kernels.combine(y, wanted, total)
    return Answer(x.reshape(b.shape), total.reshape(extra.shape), n, abs(float(g[n])) / size)


def _with_more_room(vectors: Field) -> Field:
    """The same vectors in an array for twice as many."""
    more = np.empty((2 * len(vectors), vectors.shape[1]))
    more[: len(vectors)] = vectors
    return more
