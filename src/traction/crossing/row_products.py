"""Sums and products of the rows of an array, each row independently.

Linear algebra libraries process several rows at a time, so that the last bits of a row depend on how many
there are. A divided march must not: here every row is summed in one order, whatever is beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse


def sum_rows(x: np.ndarray) -> np.ndarray:
    """Sum over the last axis."""
    return np.asarray(np.ascontiguousarray(x).sum(axis=-1))


@dataclass(frozen=True, eq=False)
class RowwiseMatrix:
    """A symmetric matrix, by its diagonals that are not zero."""

    size: int
    diagonals: dict[int, np.ndarray]  #: A[i, i + d] over i, for d = 0 and above

    @classmethod
    def of(cls, matrix: np.ndarray | sparse.csr_array) -> RowwiseMatrix:
        """Of a full or sparse matrix."""
        rows, columns = matrix.nonzero()
        above = np.unique((columns - rows)[columns >= rows]).tolist()
        return cls(matrix.shape[0], {d: np.array(matrix.diagonal(d)) for d in above})

    def times(self, x: np.ndarray) -> np.ndarray:
        """A x of each row of x (rows, n)."""
        found = np.zeros(x.shape)
        for d, line in self.diagonals.items():
            end = self.size - d
            found[:, :end] += line * x[:, d:]
            if d:
                found[:, d:] += line * x[:, :end]
        return found

    def quadratic(self, x: np.ndarray) -> np.ndarray:
        """x' A x of each row of x (rows, n)."""
        return sum_rows(x * self.times(x))


@dataclass(frozen=True, eq=False)
class RowwiseModes:
    """The symmetric matrix of few ranks sum_j weights_j lines_j lines_j'."""

    lines: np.ndarray  #: (ranks, n)
    weights: np.ndarray  #: (ranks,)

    def quadratic(self, x: np.ndarray) -> np.ndarray:
        """x' A x of each row of x (rows, n)."""
        found = np.zeros(len(x))
        for line, weight in zip(self.lines, self.weights.tolist(), strict=True):
            found += weight * sum_rows(x * line) ** 2
        return found


class PaddedRows(NamedTuple):
    """Sparse rows with equally many numbers each, some of them zero."""

    columns: np.ndarray  #: (rows, numbers)
    values: np.ndarray  #: likewise

    @classmethod
    def of(cls, rows: sparse.csr_array) -> PaddedRows:
        """From rows with any numbers."""
        counts = np.diff(rows.indptr)
        used = np.arange(int(counts.max(initial=0))) < counts[:, None]
        columns, values = np.zeros(used.shape, dtype=np.int64), np.zeros(used.shape)
        columns[used], values[used] = rows.indices, rows.data
        return cls(columns, values)

    def times(self, q: np.ndarray, own: np.ndarray) -> np.ndarray:
        """Products of each row with the row of q (times, n) whose number is `own`."""
        found = np.zeros(len(self.values))
        for column, value in zip(self.columns.T, self.values.T, strict=True):
            found += value * q[own, column]
        return found
