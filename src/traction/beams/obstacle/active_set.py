"""Active contact forces by the primal-dual active set method (Hintermueller, Ito, Kunisch 2003).

A semismooth Newton method. The state of each force is active (+1 from below, -1 from above) or inactive
(0). One step solves the linear equations of that state, then releases forces of the wrong sign and
activates those whose gap is closed. If the number of wrong ones does not decrease for some steps, one
force changes at a time, with forces that never pull (Lawson, Hanson 1974), which lowers the energy in
each step and so terminates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

Answer = TypeVar("Answer")
Solve = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, Answer]]  #: forces, deflections and a solution

PATIENCE = 25  #: steps without fewer wrong forces before they change one by one
MOST_STEPS = 2000
SMALL = 1e-9  #: of the largest force, within which its sign is not wrong


@dataclass(frozen=True, eq=False)
class ActiveSet(Generic[Answer]):
    """The stationary state, or the last one."""

    state: np.ndarray  #: +1, -1, 0 of each force
    answer: Answer  #: of the linear problem
    steps: int  #: linear problems solved
    converged: bool
    history: tuple[int, ...]  #: wrong forces at each step


def find_active_set(
    solve: Solve[Answer],
    start: np.ndarray,
    limits: tuple[np.ndarray, np.ndarray],
    slack: float,
    most_steps: int = MOST_STEPS,
) -> ActiveSet[Answer]:
    """Find the state; `solve(state)` returns forces, deflections and a solution, all of the size of `start`.

    Deflections stay between -limits[1] and limits[0], to within `slack`; an infinite limit has no force.
    """
    state, fewest, patience = start.copy(), start.size + 1, PATIENCE
    counts: list[int] = []
    for step in range(1, most_steps + 1):
        force, deflection, answer = solve(state)
        proposed = _correct_state(state, force, deflection, limits, slack)
        wrong = int((proposed != state).sum())
        counts.append(wrong)
        if wrong == 0:
            return ActiveSet(state, answer, step, True, tuple(counts))
        patience = PATIENCE if wrong < fewest else patience - 1
        fewest = min(fewest, wrong)
        if patience < 0:
            break
        state = proposed
    return _settle_one_by_one(solve, state, limits, slack, counts, most_steps)


def _settle_one_by_one(
    solve: Solve[Answer],
    state: np.ndarray,
    limits: tuple[np.ndarray, np.ndarray],
    slack: float,
    counts: list[int],
    most_steps: int,
) -> ActiveSet[Answer]:
    """From compressive forces: activate the one whose gap is closed most, until another begins to pull."""
    state, steps = state.copy(), len(counts)
    force, deflection, answer = solve(state)
    while (pulling := _find_pulling(state, force)).any() and steps < most_steps:
        state[pulling] = 0
        force, deflection, answer = solve(state)
        steps += 1
    while steps < most_steps:
        closed = _correct_state(state, np.abs(force) * state, deflection, limits, slack)
        counts.append(int((closed != state).sum()))
        if counts[-1] == 0:
            return ActiveSet(state, answer, steps + 1, True, tuple(counts))
        depth = np.where(closed > state, deflection - limits[0], -deflection - limits[1])
        worst = np.unravel_index(int(np.argmax(np.where(closed != state, depth, -np.inf))), state.shape)
        state[worst] = closed[worst]
        new, deflection, answer = solve(state)
        steps += 1
        while (pulling := _find_pulling(state, new)).any() and steps < most_steps:
            part = float(np.min(force[pulling] / (force[pulling] - new[pulling])))
            force = np.where(state != 0, force + part * (new - force), 0.0)
            gone = pulling & (state * force <= SMALL * np.abs(force).max())
            state[gone if gone.any() else pulling] = 0
            force = np.where(state != 0, force, 0.0)
            new, deflection, answer = solve(state)
            steps += 1
        force = new
    return ActiveSet(state, answer, steps, False, tuple(counts))


def _find_pulling(state: np.ndarray, force: np.ndarray) -> np.ndarray:
    """Forces that act with the wrong sign."""
    return np.asarray((state != 0) & (state * force < -SMALL * float(np.abs(force).max(initial=0.0))))


def _correct_state(
    state: np.ndarray,
    force: np.ndarray,
    deflection: np.ndarray,
    limits: tuple[np.ndarray, np.ndarray],
    slack: float,
) -> np.ndarray:
    below, above = limits
    proposed = np.where(_find_pulling(state, force), 0, state)
    proposed = np.where((state == 0) & (deflection > below + slack), 1, proposed)
    return np.where((state == 0) & (deflection < -above - slack), -1, proposed).astype(state.dtype)
