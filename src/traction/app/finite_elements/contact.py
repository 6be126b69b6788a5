"""Contact of nodes with a rigid body: which of them touch, and with what forces (active set)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from traction.errors import ConvergenceError, InputError

MOST_SETS = 100


class WiderThanMeshError(InputError):
    """The contact is wider than the nodes considered."""


@dataclass(frozen=True, eq=False)
class Touching:
    """Nodes pressed by a rigid body."""

    forces: np.ndarray  #: of the nodes, N
    drop: float  #: of the body since it touched, m


class PressedTop:
    """A top on which finite elements find a pressure."""

    pressure: np.ndarray  #: at its nodes, Pa

    @property
    def peak_pressure(self) -> float:
        """Largest, Pa."""
        return float(self.pressure.max())


def touching(compliance: np.ndarray, gap: np.ndarray, force: float) -> Touching:
    """Forces f >= 0 with gap + C f - drop >= 0, zero where they touch, that add up to `force` (N).

    The first set is the half of the nodes with the smallest gaps.
    """

    def solve(i: np.ndarray) -> tuple[np.ndarray, float]:
        matrix = np.block([[compliance[np.ix_(i, i)], -np.ones((i.size, 1))], [np.ones(i.size), np.zeros(1)]])
        answer = np.linalg.solve(matrix, np.append(-gap[i], force))
        return answer[:-1], float(answer[-1])

    return _settled(compliance, gap, gap <= np.median(gap), solve)


def held_down(compliance: np.ndarray, gap: np.ndarray, drop: float, start: np.ndarray) -> np.ndarray:
    """Forces f >= 0 with gap + C f - drop >= 0, zero where they touch, of a body whose `drop` (m) is given.

    `start` is the first set that is tried, a mark for each node.
    """

    def solve(i: np.ndarray) -> tuple[np.ndarray, float]:
        return np.linalg.solve(compliance[np.ix_(i, i)], drop - gap[i]), drop

    return _settled(compliance, gap, start, solve).forces


def _settled(
    compliance: np.ndarray,
    gap: np.ndarray,
    on: np.ndarray,
    solve: Callable[[np.ndarray], tuple[np.ndarray, float]],
) -> Touching:
    """A node leaves the set where it is pulled and enters it where it is passed, until nothing changes."""
    for _ in range(MOST_SETS):
        i, forces = np.flatnonzero(on), np.zeros(gap.size)
        forces[i], drop = solve(i)
        wanted = np.where(on, forces > 0.0, gap + compliance @ forces < drop)
        if (wanted == on).all():
            if on[np.argmax(gap)]:
                raise WiderThanMeshError(
                    "the contact reaches the last of the nodes considered; consider more of them."
                )
            return Touching(forces, drop)
        on = wanted
    raise ConvergenceError(f"no set of touching nodes found in {MOST_SETS}; refine the mesh.")
