"""Matrices of a system: diagonal, dense or sparse; products, combinations and factors of any of them.

A diagonal matrix is a vector, a dense one a square array, a sparse one a `scipy.sparse.csr_array`. Sparse
matrices with a narrow band are factored as bands.

Forces on a few combinations of many coordinates, as at contacts, have matrices of low rank beside others: a
force F(b q) along b has the tangent F' b b'. With K the constant matrix of the rest, factored once, the
equations with K + sum w b b' follow from a few solutions with K (Sherman, Morrison, Woodbury).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.linalg import lapack

from traction import checks
from traction.errors import InputError

Matrix = Any  #: vector (diagonal), square array or csr_array
Solve = Callable[[np.ndarray], np.ndarray]

WIDEST_BAND = 64  #: on each side; wider sparse matrices are factored by nested elimination
SMALLEST_PIVOT = 1e-14  #: of a matrix that is not singular, relative to the largest number in its column
STEP_MATRIX = "the matrix of the step"


@dataclass(frozen=True, eq=False)
class Banded:
    """Banded matrix in the layout of `scipy.linalg.solve_banded`.

    Parameters
    ----------
    lower
        Number of diagonals below the main one.
    upper
        Number of diagonals above it.
    bands
        Values, bands[upper + i - j, j] = A[i, j], shape (lower + upper + 1, n).

    Examples
    --------
    >>> chain = tr.Banded(1, 1, [[0.0, -1.0, -1.0], [2.0, 2.0, 2.0], [-1.0, -1.0, 0.0]])
    >>> print(chain.csr().toarray()[0])
    [ 2. -1.  0.]
    """

    lower: int
    upper: int
    bands: np.ndarray

    def __post_init__(self) -> None:
        lower, upper = checks.count("lower", self.lower, 0), checks.count("upper", self.upper, 0)
        bands = checks.finite_array("bands", self.bands)
        if bands.ndim != 2 or bands.shape[0] != lower + upper + 1:
            raise InputError(
                f"bands has shape {bands.shape}, expected ({lower + upper + 1}, n): lower + upper + 1 rows."
            )
        checks.keep(self, lower=lower, upper=upper, bands=bands)

    def csr(self) -> sparse.csr_array:
        """Return the matrix as a scipy.sparse.csr_array."""
        n = self.bands.shape[1]
        diagonals = sparse.dia_array((self.bands, np.arange(self.upper, -self.lower - 1, -1)), shape=(n, n))
        return sparse.csr_array(diagonals)


MatrixInput: TypeAlias = ArrayLike | Banded | sparse.sparray | sparse.spmatrix  #: as a user may give it


class SingularError(InputError):
    """Raised when a matrix has no inverse."""


def matrix(name: str, value: Any, n: int, unit: str = "") -> Matrix:
    """The matrix given by a user: a number, a vector (diagonal), a square array, banded or sparse."""
    if isinstance(value, Banded):
        value = value.csr()
    if sparse.issparse(value):
        return _sparse(name, value, n, unit)
    array = checks.finite_array(name, value, unit=unit)
    if np.ndim(value) == 0:
        return np.full(n, float(array[0]))
    if array.shape not in ((n,), (n, n)):
        raise InputError(
            f"{name} has shape {array.shape}, expected a number, ({n},) for a diagonal matrix or ({n}, {n}): "
            f"q0 has {n} components."
        )
    return array.reshape(1) if n == 1 else array


def _sparse(name: str, value: Any, n: int, unit: str) -> sparse.csr_array:
    if value.shape != (n, n):
        raise InputError(f"{name} has shape {value.shape}, expected ({n}, {n}): q0 has {n} components.")
    rows = sparse.csr_array(value, dtype=np.float64)
    rows.sum_duplicates()
    checks.finite_array(name, rows.data, unit=unit)
    return rows


def product(a: Matrix, x: np.ndarray) -> np.ndarray:
    """A x."""
    if sparse.issparse(a) or a.ndim == 2:
        return np.asarray(a @ x)
    return np.asarray(a * x)


def combination(*terms: tuple[float, Matrix | None]) -> Matrix:
    """Sum of factor times matrix, in the most compact storage; None is zero."""
    total: Matrix = None
    for factor, a in terms:
        if a is None or factor == 0.0:
            continue
        scaled = factor * a
        total = scaled if total is None else _sum(total, scaled)
    return np.zeros(1) if total is None else total


def _sum(a: Matrix, b: Matrix) -> Matrix:
    if not sparse.issparse(a) and not sparse.issparse(b):
        if a.ndim == b.ndim:
            return a + b
        square, vector = (a, b) if a.ndim == 2 else (b, a)
        total = square.copy()
        total[np.diag_indices_from(total)] += vector
        return total
    if sparse.issparse(a) and sparse.issparse(b):
        return sparse.csr_array(a + b)
    full, other = (a, b) if sparse.issparse(a) else (b, a)
    if other.ndim == 1:
        return sparse.csr_array(full + sparse.diags_array(np.broadcast_to(other, full.shape[0])))
    return full.toarray() + other


def blocks(parts: list[list[Matrix]], n: int) -> Matrix:
    """A square matrix of square blocks of size n."""
    flat = [part for row in parts for part in row]
    if any(sparse.issparse(part) for part in flat):
        return sparse.csr_array(sparse.block_array([[_as_sparse(part, n) for part in row] for row in parts]))
    return np.block([[dense(part, n) for part in row] for row in parts])


def dense(a: Matrix, n: int) -> np.ndarray:
    """The matrix as a square array."""
    if sparse.issparse(a):
        return np.asarray(a.toarray())
    return np.diag(np.broadcast_to(a, n)) if a.ndim == 1 else np.asarray(a)


def _as_sparse(a: Matrix, n: int) -> Any:
    if sparse.issparse(a):
        return a
    return sparse.diags_array(np.broadcast_to(a, n)) if a.ndim == 1 else sparse.csr_array(a)


def factor(a: Matrix, name: str = STEP_MATRIX) -> Solve:
    """The function b -> A^-1 b; a singular matrix raises an error that calls it `name`."""
    if sparse.issparse(a):
        rows, columns = a.nonzero()
        lower = int(np.max(rows - columns, initial=0))
        upper = int(np.max(columns - rows, initial=0))
        if max(lower, upper) <= WIDEST_BAND and max(lower, upper) < a.shape[0] // 2:
            return _factor_band(a, lower, upper, name)
        return _factor_sparse(a, name)
    if a.ndim == 1:
        _require_pivots(a, np.abs(a), name)
        return lambda b: b / a
    lu, pivots, _ = lapack.dgetrf(a)
    _require_pivots(np.diagonal(lu), np.abs(a).max(axis=0), name)
    return lambda b: lapack.dgetrs(lu, pivots, b)[0]


def _factor_band(a: sparse.csr_array, lower: int, upper: int, name: str) -> Solve:
    n = a.shape[0]
    bands = np.zeros((2 * lower + upper + 1, n))  # the first rows are room for pivoting
    entries = a.tocoo()
    bands[lower + upper + entries.row - entries.col, entries.col] = entries.data
    lu, pivots, _ = lapack.dgbtrf(bands, lower, upper)
    _require_pivots(lu[lower + upper], _largest(a), name)
    return lambda b: lapack.dgbtrs(lu, lower, upper, b, pivots)[0]


def _factor_sparse(a: sparse.csr_array, name: str) -> Solve:
    from scipy.sparse.linalg import splu

    try:
        lu = splu(a.tocsc())
    except RuntimeError:  # "Factor is exactly singular"
        raise _singular(name, 0.0) from None
    _require_pivots(lu.U.diagonal(), _largest(a)[np.argsort(lu.perm_c)], name)
    return lu.solve


def is_positive_definite(a: Matrix) -> bool:
    """Whether x A x > 0 for all x but zero, by the pivots of the symmetric part."""
    if sparse.issparse(a):
        from scipy.sparse.linalg import splu

        try:  # pivots stay on the diagonal
            half, symmetric = (0.5 * (a + a.T)).tocsc(), {"SymmetricMode": True}
            lu = splu(half, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=symmetric)
        except RuntimeError:  # "Factor is exactly singular"
            return False
        return bool(np.array_equal(lu.perm_r, lu.perm_c) and (lu.U.diagonal() > 0.0).all())
    if a.ndim == 1:
        return bool((a > 0.0).all())
    try:
        np.linalg.cholesky(0.5 * (a + a.T))
    except np.linalg.LinAlgError:
        return False
    return True


def _largest(a: sparse.csr_array) -> np.ndarray:
    """Size of the largest number in each column."""
    return np.asarray(abs(a).max(axis=0).toarray()).reshape(-1)


def _require_pivots(pivots: np.ndarray, columns: np.ndarray, name: str) -> None:
    """Refuse pivots that vanish relative to their columns; parts of very different mass are allowed."""
    sizes = np.abs(pivots)
    if not np.isfinite(sizes).all():
        raise SingularError(f"{name} contains a number that is not finite.")
    if (sizes <= SMALLEST_PIVOT * columns).any():
        raise _singular(name, float((sizes / np.maximum(columns, 1e-300)).min()))


def _singular(name: str, ratio: float) -> SingularError:
    if name == STEP_MATRIX:
        remedy = "take a smaller dt, and check the signs of the jacobian and of the stiffness."
    else:
        remedy = "every degree of freedom needs a mass; remove those without one, or give them a small mass."
    return SingularError(
        f"{name} is singular (a pivot is {ratio:.1e} of its column, at least {SMALLEST_PIVOT}): {remedy}"
    )


@dataclass(frozen=True, eq=False)
class LowRank:
    """The symmetric matrix rows' diag(weights) rows."""

    rows: np.ndarray  #: b of each force, (forces, n)
    weights: np.ndarray  #: (forces,)

    def scaled(self, factor: float) -> LowRank:
        """The matrix times a number."""
        return LowRank(self.rows, factor * self.weights)

    def toarray(self) -> np.ndarray:
        """The matrix as a square array."""
        return np.asarray((self.rows.T * self.weights) @ self.rows)


@dataclass(frozen=True, eq=False)
class Updated:
    """The sum of a matrix and one of low rank."""

    base: Any  #: vector (diagonal), square array, csr_array or None
    update: LowRank


def solve_updated(solve: Solve, left: np.ndarray, right: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(A + left' right)^-1 b from `solve`, b -> A^-1 b; left and right (rank, n)."""
    y = solve(b)
    Z = np.stack([solve(one) for one in left])
    small = np.linalg.solve(np.eye(len(left)) + right @ Z.T, right @ y)
    return np.asarray(y - small @ Z)
