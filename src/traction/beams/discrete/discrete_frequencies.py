"""Frequencies of a discrete beam: the lowest by inverse iteration, the largest by counting."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import LinearOperator, eigsh

from traction.beams.discrete.kernels import banded_matrices as banded
from traction.errors import ConvergenceError
from traction.integrators.core.matrices import Banded

LARGEST_TO = 1e-13  #: relative error of the largest eigenvalue
LOW = 3  #: eigenvalues below the shift, at most: it makes a loose beam solvable
APART = 1e-3  #: below the last eigenvalue, where those before it are counted
MAX_DOUBLINGS = 400
SPREAD = 2.0  #: of the eigenvalues sought, below which they are a cluster
ROUGH, FINE = 1e-2, 1e-7  #: relative width of the bounds of an eigenvalue
LANCZOS_TO = 1e-11  #: residual of a mode; the error of its square is the square of that


def lowest_modes(K: np.ndarray, M: np.ndarray, n: int, rigid: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies (rad/s) and shapes (size, n) with Phi' M Phi = 1, of bands (4, size).

    `rigid` (size, count) are the known motions without strain. Of the others the eigenvalues
    1/(lambda + shift) of (K + shift M)^-1 M are computed, whose largest are those of the lowest modes: their
    error is that of the solution, not rounding of the largest frequencies.
    """
    known = _orthonormalize(M, rigid)[:, :n]
    rest = n - known.shape[1]
    if rest == 0:
        return np.zeros(n), known
    squares, shapes = _find_elastic_modes(K, M, rest, known)
    below = banded.eigenvalues_below(K, M, (1.0 - APART) * squares[-1])
    if rest > 1 and below >= n:
        raise ConvergenceError(f"a mode below {np.sqrt(squares[-1]):.6g} rad/s was not found.", squares)
    return np.r_[np.zeros(n - rest), np.sqrt(squares)], np.hstack((known, _orthonormalize(M, shapes)))


def _find_elastic_modes(
    K: np.ndarray, M: np.ndarray, n: int, rigid: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The n lowest eigenvalues beyond those of the rigid motions, and their vectors."""
    size, still = rigid.shape
    shift = _choose_shift(K, M) if still else -_find_below_cluster(K, M, n)
    if n + still > size // 2:
        first = size - n - still
        mass, shifted = (full_band(band).csr().toarray() for band in (M, K + shift * M))
        values, vectors = eigh(mass, shifted, subset_by_index=[first, size - 1 - still])
    else:
        values, vectors = _find_largest_inverse(K, M, shift, n, rigid)
    squares = 1.0 / values - shift
    order = np.argsort(squares)
    return np.maximum(squares[order], 0.0), vectors[:, order]  # next to none may round to less


def _orthonormalize(M: np.ndarray, shapes: np.ndarray) -> np.ndarray:
    """Shapes made orthonormal by M, one after the other."""
    made = shapes.copy()
    for k in range(made.shape[1]):
        for _ in range(2):
            made[:, k] -= made[:, :k] @ (made[:, :k].T @ multiply_band(M, made[:, k]))
        made[:, k] /= np.sqrt(made[:, k] @ multiply_band(M, made[:, k]))
    return made


def multiply_band(band: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The band times a vector."""
    y = np.empty(band.shape[1])
    banded.product(band, np.ascontiguousarray(x).ravel(), y)
    return y


def largest_square(K: np.ndarray, M: np.ndarray) -> float:
    """The largest eigenvalue of K - lambda M, to rounding."""
    return _bracket_eigenvalue(K, M, K.shape[1], float((K[0] / M[0]).max()), LARGEST_TO)[1]


def _choose_shift(K: np.ndarray, M: np.ndarray) -> float:
    """A square of the size of the lowest ones that are not zero."""
    square = float((K[0] / M[0]).min())
    for _ in range(MAX_DOUBLINGS):
        if banded.eigenvalues_below(K, M, square) <= LOW:
            break
        square *= 0.25
    return square


def _find_below_cluster(K: np.ndarray, M: np.ndarray, n: int) -> float:
    """Shift of the search: zero, or just below the first eigenvalue where the first n are clustered.

    So are those of many equal spans; seen from zero their inverses are alike, and Lanczos' method is slow.
    """
    if n == 1:
        return 0.0
    start = float((K[0] / M[0]).min())
    first, last = (_bracket_eigenvalue(K, M, number, start, ROUGH) for number in (1, n))
    if last[1] > SPREAD * first[0]:
        return 0.0
    first, last = (_bracket_eigenvalue(K, M, number, start, FINE) for number in (1, n))
    distance = max(last[1] - first[0], FINE * first[0])
    factor = np.zeros_like(K)
    while distance < first[0]:
        if banded.factor(K - (first[0] - distance) * M, factor) == K.shape[1]:
            return first[0] - distance
        distance *= 4.0  # the count was wrong by rounding
    return 0.0


def _bracket_eigenvalue(
    K: np.ndarray, M: np.ndarray, number: int, high: float, rtol: float
) -> tuple[float, float]:
    """Bounds of the eigenvalue of an index, from 1: bisection on the number of those below."""
    low = 0.0
    for _ in range(MAX_DOUBLINGS):
        if banded.eigenvalues_below(K, M, high) >= number:
            break
        low, high = high, 2.0 * high
    while high - low > rtol * high:
        middle = 0.5 * (low + high)
        if banded.eigenvalues_below(K, M, middle) < number:
            low = middle
        else:
            high = middle
    return low, high


def refined_inverse(K: np.ndarray, M: np.ndarray, shift: float) -> Callable[[np.ndarray], np.ndarray]:
    """The function b -> (K + shift M)^-1 b, with one step of refinement.

    Its residual uses K as stored: the sum with M, and the factors, have lost the digits that make motions
    without strain force-free.
    """
    size = K.shape[1]
    factor = np.zeros_like(K)
    if banded.factor(K + shift * M, factor) < size:
        raise ConvergenceError("the stiffness of the discrete beam is lost in rounding; take fewer elements.")

    def inverse(b: np.ndarray) -> np.ndarray:
        right = np.ascontiguousarray(b).ravel()
        x = right.copy()
        banded.solve(factor, x)
        rest = right - multiply_band(K, x) - shift * multiply_band(M, x)
        banded.solve(factor, rest)
        return x + rest

    return inverse


def _find_largest_inverse(
    K: np.ndarray, M: np.ndarray, shift: float, n: int, rigid: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The n largest mu with M x = mu (K + shift M) x, by Lanczos' method beside the rigid motions."""
    size = K.shape[1]
    solve = refined_inverse(K, M, shift)

    def strained(x: np.ndarray) -> np.ndarray:
        return x - rigid @ (rigid.T @ multiply_band(M, x))

    mass = LinearOperator((size, size), lambda x: multiply_band(M, x), dtype=float)
    inverse = LinearOperator((size, size), lambda b: strained(solve(b)), dtype=float)
    start = strained(np.asarray(np.random.default_rng(0).standard_normal(size)))
    room = min(size, max(2 * n + 10, 30))
    values, vectors = eigsh(mass, n, M=mass, sigma=0.0, OPinv=inverse, v0=start, ncv=room, tol=LANCZOS_TO)
    return 1.0 / values, vectors


def full_band(band: np.ndarray) -> Banded:
    """Both sides of a symmetric matrix with band[d, i] = A(i, i - d), in the storage of `tr.integrate`."""
    size, width = band.shape[1], min(banded.WIDTH, band.shape[1] - 1)
    full = np.zeros((2 * width + 1, size))
    full[width] = band[0]
    for d in range(1, width + 1):
        full[width + d, : size - d] = full[width - d, d:] = band[d, d:]
    return Banded(width, width, full)
