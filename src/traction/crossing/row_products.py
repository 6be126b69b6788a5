"""Sums and products of the rows of an array, each row independently.

Linear algebra libraries process several rows at a time, so that the last bits of a row depend on how many
there are. A divided march must not: here every row is summed in one order, whatever is beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


def sum_rows(x: np.ndarray) -> np.ndarray:
    """Sum over the last axis."""
    return np.asarray(np.ascontiguousarray(x).sum(axis=-1))


@dataclass(frozen=True, eq=False)
class RowwiseMatrix:
    """A symmetric matrix, by its diagonals that are not zero."""

    size: int
    diagonals: dict[int, np.ndarray]  #: A[i, i + d] over i, for d = 0 and above

    @classmethod
    def of(cls, matrix: np.ndarray) -> RowwiseMatrix:
        """Of a full matrix."""
        found = {d: np.array(np.diag(matrix, d)) for d in range(len(matrix))}
        return cls(len(matrix), {d: line for d, line in found.items() if line.any()})

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
