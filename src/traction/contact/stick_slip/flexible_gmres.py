"""Flexible GMRES for fields: a right preconditioner that may change, and the products of its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from traction.contact.stick_slip.kernels import krylov_vectors as kernels

USUAL = 24  #: iterations with storage reserved at first, in one large piece, which is reused


class LinearSystem(Protocol):
    """A x = b for vectors x, and a second vector that is linear in x."""

    @property
    def sizes(self) -> tuple[int, int]:
        """Sizes of x and of the second vector."""
        ...

    def apply(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A x, in memory of its own, and the second vector."""
        ...

    def precondition(self, r: np.ndarray, result: np.ndarray) -> None:
        """Write an approximation of A^-1 r into `result`."""
        ...


@dataclass(frozen=True)
class LinearSolution:
    """x with A x = b, up to the residual reached."""

    x: np.ndarray
    extra: np.ndarray  #: the second vector, of x
    iterations: int
    residual: float  #: |b - A x|/|b|


class KrylovSpace:
    """Directions of a solve and their images, in memory that the next solve reuses."""

    def __init__(self, sizes: tuple[int, int], max_iterations: int) -> None:
        self._triangle = np.empty((max_iterations, max_iterations + 1))  # Hessenberg's, under the rotations
        self._rotations = np.empty((2, max_iterations))
        self.right = np.empty(
            max_iterations + 1
        )  #: side under the rotations; its last number is the residual
        self._sizes = sizes
        self.basis, self.directions, self._extras = self._reserve(USUAL)

    def _reserve(self, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Memory for so many vectors of each kind, in one piece, which the system reuses at once."""
        size, extra = self._sizes
        memory, both = np.empty(count * (2 * size + extra)), count * size
        basis, directions = memory[:both].reshape(count, size), memory[both : 2 * both].reshape(count, size)
        return basis, directions, memory[2 * both :].reshape(count, extra)

    def begin(self, b: np.ndarray, length: float) -> None:
        """Make b/|b| the first vector of the basis."""
        np.multiply(1.0 / length, b, out=self.basis[0])
        self.right[0] = length

    def add(self, n: int, image: np.ndarray, extra: np.ndarray) -> tuple[float, bool]:
        """Add the image of the n-th direction.

        Returns the remaining residual (below 0 if the image is zero), and whether more may follow.
        """
        if n + 2 > len(self.basis):
            self.grow()
        self._extras[n] = extra
        left, more = kernels.arnoldi(self.basis, n, image, self._triangle, self._rotations, self.right)
        return left, more

    def grow(self) -> None:
        """Take twice the memory, and keep what it holds."""
        more = self._reserve(2 * len(self.basis))
        for vectors, old in zip(more, (self.basis, self.directions, self._extras), strict=True):
            vectors[: len(old)] = old
        self.basis, self.directions, self._extras = more

    @property
    def vectors(self) -> tuple[np.ndarray, ...]:
        """Basis, directions and their second vectors, triangle, rotations and right side."""
        return self.basis, self.directions, self._extras, self._triangle, self._rotations, self.right

    def combine(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        """The best combination of the first n directions, and its second vector."""
        weights = np.empty(n)
        kernels.substitute_back(self._triangle, self.right, weights)
        x, extra = np.empty(self.directions.shape[1]), np.empty(self._extras.shape[1])
        kernels.combine(weights, self.directions, x)
        kernels.combine(weights, self._extras, extra)
        return x, extra


def flexible_gmres(
    system: LinearSystem,
    b: np.ndarray,
    *,
    tol: float,
    max_iterations: int,
    space: KrylovSpace | None = None,
) -> LinearSolution:
    """Solve A x = b (Saad 1993), in the space of an earlier solve or in a new one.

    Unlike scipy's, it returns the second vector of x without another product, which dominates the cost.
    """
    size = float(np.sqrt(kernels.scalar_product(b, b)))
    if size == 0.0:
        return LinearSolution(np.zeros(system.sizes[0]), np.zeros(system.sizes[1]), 0, 0.0)
    space = KrylovSpace(system.sizes, max_iterations) if space is None else space
    space.begin(b, size)
    n, more = 0, True
    while more and n < max_iterations:
        direction = space.directions[n]
        system.precondition(space.basis[n], direction)
        left, more = space.add(n, *system.apply(direction))
        if left < 0.0:
            break
        n += 1
        more = more and left > tol * size
    return LinearSolution(*space.combine(n), n, abs(float(space.right[n])) / size)
