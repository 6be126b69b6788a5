"""Flexible GMRES for fields: a right preconditioner that may change, and the products of its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

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
    """Solve A x = b (Saad 1993). `apply(x)` gives A x and a field linear in x that is wanted of the answer.

    Unlike scipy's, it returns that second field without another product, which is what costs here.
    """
    size = float(np.linalg.norm(b))
    basis = np.empty((max_iterations + 1, b.size))
    directions = np.empty((max_iterations, b.size))
    wanted: list[Field] = []
    H = np.zeros((max_iterations + 1, max_iterations))
    g = np.zeros(max_iterations + 1)
    rotations: list[tuple[float, float]] = []
    if size == 0.0:
        return Answer(np.zeros_like(b), 0.0 * apply(b)[1], 0, 0.0)
    basis[0], g[0] = b.ravel() / size, size
    k = 0
    for k in range(max_iterations):
        z = precondition(basis[k].reshape(b.shape))
        directions[k] = z.ravel()
        image, extra = apply(z)
        wanted.append(extra)
        w = image.ravel().copy()
        for _ in range(2):  # once more, since the basis is only as orthogonal as rounding lets it be
            overlap = basis[: k + 1] @ w
            w -= overlap @ basis[: k + 1]
            H[: k + 1, k] += overlap
        H[k + 1, k] = np.linalg.norm(w)
        grown = H[k + 1, k]
        for i, (c, s) in enumerate(rotations):
            H[i, k], H[i + 1, k] = c * H[i, k] + s * H[i + 1, k], c * H[i + 1, k] - s * H[i, k]
        length = float(np.hypot(H[k, k], H[k + 1, k]))
        if length == 0.0:
            break
        c, s = H[k, k] / length, H[k + 1, k] / length
        rotations.append((c, s))
        H[k, k], H[k + 1, k] = length, 0.0
        g[k], g[k + 1] = c * g[k], -s * g[k]
        if abs(g[k + 1]) <= tol * size or grown <= 1e-14 * length:
            break
        basis[k + 1] = w / grown
    n = len(rotations)
    y = np.linalg.solve(np.triu(H[:n, :n]), g[:n]) if n else np.zeros(0)
    x = (y @ directions[:n]).reshape(b.shape)
    extra = sum((a * field for a, field in zip(y, wanted, strict=False)), start=np.zeros_like(wanted[0]))
    return Answer(x, extra, n, abs(float(g[n])) / size)
