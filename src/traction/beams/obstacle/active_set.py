"""Which forces act: the primal-dual active set method, a semismooth Newton method (Hintermueller, Ito, Kunisch 2003).

Of each force it is known whether it acts (+1 from below, -1 from above) or not (0). One step solves the linear
equations of that state and then lets go of forces of the wrong sign and takes on those whose gap is closed. Where
the number of wrong ones does not fall for some steps, they are changed one by one until it does (Judice, Pires
1994), which ends for every positive definite problem.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

PATIENCE = 40  #: steps without fewer wrong forces before they change one by one
MOST_STEPS = 2000
SMALL = 1e-9  #: of the largest force, within which its sign is not wrong


@dataclass(frozen=True, eq=False)
class Settled:
    """The state at which nothing changes any more, or the last one."""

    state: np.ndarray  #: +1, -1, 0 of each force
    answer: Any  #: of the linear problem
    steps: int  #: linear problems solved
    converged: bool
    history: tuple[int, ...]  #: wrong forces at each step


def settle(
    solve: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, Any]],
    start: np.ndarray,
    limits: tuple[np.ndarray, np.ndarray],
    slack: float,
    most_steps: int = MOST_STEPS,
) -> Settled:
    """Find the state; `solve(state)` gives forces, deflections and an answer, all of the size of `start`.

    Deflections stay between -limits[1] and limits[0], to within `slack`; an infinite limit has no force.
    """
    state, fewest, patience = start.copy(), start.size + 1, PATIENCE
    counts: list[int] = []
    for step in range(1, most_steps + 1):
        force, deflection, answer = solve(state)
        proposed = _corrected(state, force, deflection, limits, slack)
        wrong = np.flatnonzero(proposed != state)
        counts.append(wrong.size)
        if wrong.size == 0:
            return Settled(state, answer, step, True, tuple(counts))
        if wrong.size < fewest:
            fewest, patience = wrong.size, PATIENCE
            state = proposed
        elif patience > 0:
            patience -= 1
            state = proposed
        else:
            state = state.copy()
            state[wrong[-1]] = proposed[wrong[-1]]
    return Settled(state, answer, most_steps, False, tuple(counts))


def _corrected(
    state: np.ndarray,
    force: np.ndarray,
    deflection: np.ndarray,
    limits: tuple[np.ndarray, np.ndarray],
    slack: float,
) -> np.ndarray:
    below, above = limits
    weak = SMALL * float(np.abs(force).max(initial=0.0))
    proposed = np.where((state != 0) & (state * force < -weak), 0, state)
    proposed = np.where((state == 0) & (deflection > below + slack), 1, proposed)
    return np.where((state == 0) & (deflection < -above - slack), -1, proposed).astype(state.dtype)
