"""Contact of nodes with a rigid body: which of them touch, and with what forces (active set)."""

from __future__ import annotations

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
    sets: int  #: of touching nodes that were tried


def touching(compliance: np.ndarray, gap: np.ndarray, force: float) -> Touching:
    """Forces f >= 0 with gap + C f - drop >= 0, zero where they touch, that add up to `force` (N).

    A node leaves the set where it would be pulled and enters it where it would be passed; the set that
    changes nothing is the answer. The first set is the half of the nodes with the smallest gaps.
    """
    on = gap <= np.median(gap)
    for sets in range(1, MOST_SETS + 1):
        i = np.flatnonzero(on)
        matrix = np.block([[compliance[np.ix_(i, i)], -np.ones((i.size, 1))], [np.ones(i.size), np.zeros(1)]])
        answer = np.linalg.solve(matrix, np.append(-gap[i], force))
        forces, drop = np.zeros(gap.size), float(answer[-1])
        forces[i] = answer[:-1]
        wanted = np.where(on, forces > 0.0, gap + compliance @ forces < drop)
        if (wanted == on).all():
            if on[np.argmax(gap)]:
                raise WiderThanMeshError(
                    "the contact reaches the last of the nodes considered; consider more of them."
                )
            return Touching(forces, drop, sets)
        on = wanted
    raise ConvergenceError(f"no set of touching nodes found in {MOST_SETS}; refine the mesh.")
