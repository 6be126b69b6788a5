"""Matrices of low rank beside others: forces on a few combinations of many coordinates, as at contacts.

A force F(b q) along b has the tangent F' b b'. With K the constant matrix of the rest, factored once, the
equations with K + sum w b b' follow from a few solutions with K (Sherman, Morrison, Woodbury).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Solve = Callable[[np.ndarray], np.ndarray]


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
