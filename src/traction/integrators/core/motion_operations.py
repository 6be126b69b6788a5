"""The operations of steps on any system, interpreted: vectors are arrays, a problem is a `Motion`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

import numpy as np
from scipy import sparse

from traction.integrators.core.matrices import (
    LowRank,
    Matrix,
    Updated,
    blocks,
    combination,
    dense,
    product,
    solve_updated,
)
from traction.integrators.core.motion import Motion, NotFiniteError, SystemEnergy, Tangents

IS_INTERPRETED = True
Function = TypeVar("Function", bound=Callable[..., object])
Residual = tuple[np.ndarray, float, np.ndarray]
Stage = tuple[np.ndarray, Tangents]  #: coordinates, and the tangents there

force = Motion.force
net_force = Motion.net_force
split_force = Motion.split_force
resistance = Motion.resistance
inertia = Motion.inertia
acceleration = Motion.acceleration
divide_by_mass = Motion.divide_by_mass
divide_damped = Motion.divide_damped
tangents = Motion.tangents
solve = Motion.solve
dot = np.dot
stack = lambda *stages: np.array(stages)  # noqa: E731
combine_stages = weigh_stages = np.matmul


def part(function: Function) -> Function:
    """The function itself."""
    return function


whole = part


def guard(residual: Callable[..., Residual]) -> Callable[..., Residual]:
    """A residual that is NaN where it fails: nearer to the last iterate it may be finite."""

    @wraps(residual)
    def guarded(problem: Motion, known: object, x: np.ndarray) -> Residual:
        try:
            return residual(problem, known, x)
        except NotFiniteError as failure:
            problem.failure = failure
            return np.full_like(x, np.nan), np.nan, x

    return guarded


def norm(x: np.ndarray) -> float:
    """Largest component; NaN where one is."""
    return abs(float(x[0])) if x.size == 1 else float(np.maximum.reduce(np.abs(x)))


def norm_of_stages(x: np.ndarray) -> float:
    """The same of all stages."""
    return float(np.abs(x).max())


def move(x: np.ndarray, part: float, dx: np.ndarray) -> np.ndarray:
    """X + part dx."""
    return x + part * dx


move_stages = move


def constant_tangents(motion: Motion) -> Tangents:
    """Those of the constant matrices."""
    return motion.constant


def solve_stages(
    motion: Motion, table: object, dt: float, stages: tuple[Stage, Stage, Stage], r: np.ndarray
) -> np.ndarray:
    """Solve with the blocks delta_ij M + dt a_ij C_i + dt^2 (aa)_ij K_i."""
    n = motion.n
    if any(isinstance(tangents[0], Updated) for _, tangents in stages):
        plain = tuple((q, motion.without_update(tangents)) for q, tangents in stages)
        left, right = _stage_updates(table.aa, dt, stages)  # type: ignore[attr-defined]

        def solve_plain(b: np.ndarray) -> np.ndarray:
            return solve_stages(motion, table, dt, plain, b.reshape(r.shape)).ravel()  # type: ignore[arg-type]

        return solve_updated(solve_plain, left, right, r.ravel()).reshape(r.shape)

    def assemble() -> Matrix:
        rows = []
        for i, (q, (stiffness, damping)) in enumerate(stages):
            mass = motion.mass(q)
            rows.append(
                [
                    combination(
                        (float(i == j), mass),
                        (dt * float(table.a[i, j]), damping),  # type: ignore[attr-defined]
                        (dt * dt * float(table.aa[i, j]), stiffness),  # type: ignore[attr-defined]
                    )
                    for j in range(3)
                ]
            )
        return blocks(rows, n)

    is_constant = not motion.varies_mass and all(tangents is motion.constant for _, tangents in stages)
    factor = motion.kept_factor(("stages", dt), assemble) if is_constant else motion.factored(assemble())
    return factor(r.reshape(-1)).reshape(r.shape)


def _stage_updates(
    aa: np.ndarray, dt: float, stages: tuple[Stage, Stage, Stage]
) -> tuple[np.ndarray, np.ndarray]:
    """Factors for `solve_updated` of all stages' parts of low rank, dt^2 (aa)_ij K_i in block (i, j)."""
    left, right = [], []
    for i, (_, (stiffness, _)) in enumerate(stages):
        if isinstance(stiffness, Updated):
            rows, weights = stiffness.update.rows, stiffness.update.weights
            left.append(np.concatenate([float(i == j) * rows for j in range(3)], axis=1))
            scaled = dt * dt * weights[:, None] * rows
            right.append(np.concatenate([float(aa[i, j]) * scaled for j in range(3)], axis=1))
    return np.concatenate(left), np.concatenate(right)


def potential(motion: Motion, t: float, q: np.ndarray) -> float:
    """Potential energy of the force alone."""
    return SystemEnergy(motion).potential(t, q)


def given_mean_force(motion: Motion, t: float, q: np.ndarray, q1: np.ndarray) -> tuple[np.ndarray, Matrix]:
    """The system's own mean force between two states, and its slope by the second of them."""
    assert motion.system.mean_force is not None
    motion.work[0] += 1
    mean, slope = motion.system.mean_force(t, q, q1)
    given = slope if isinstance(slope, LowRank) else np.asarray(slope, dtype=float)
    return np.asarray(mean, dtype=float), given


def zero_matrix(motion: Motion) -> None:
    """A matrix of zeros."""
    return


def combine(a: float, one: Matrix | None, b: float, other: Matrix | None) -> Matrix:
    """A one + b other."""
    if isinstance(other, LowRank) and a == 1.0:
        return Updated(one, other.scaled(b))
    return combination((a, one), (b, other))


def add_rank_one(motion: Motion, a: Matrix | None, scale: float, d: np.ndarray, u: np.ndarray) -> Matrix:
    """A + scale 1 + d u'."""
    return combination((1.0, a), (scale, np.ones(motion.n)), (1.0, np.outer(d, u)))


def slope_along(motion: Motion, stiffness: Matrix | None, d: np.ndarray) -> np.ndarray:
    """(df/dq)' d of the force alone, from the stiffness of the whole."""
    by_q = combination((1.0, motion.constant[0]), (-1.0, stiffness))
    return product(np.transpose(dense(by_q, motion.n)), d)


def is_dense(motion: Motion, tangents: Tangents) -> bool:
    """Whether no matrix is sparse: what fills it is then left to the iteration."""
    mass = None if motion.varies_mass else motion.system.mass_matrix
    return not any(sparse.issparse(a) for a in (*tangents, mass))
