"""Method "modal": every mode moved exactly, forces by collocation, steps by their error (order 6).

The equations are in `collocation_step`. A contact ends where the approach returns to zero, found
inside a step; the striker then flies, and touches again where the gap closes, which no step can miss
(`impact_march.fly`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.impacts.dense_path import Arrays, Track
from traction.impacts.kernels import collocation_step as places
from traction.impacts.kernels import impact_march as kernels
from traction.laws.kernels.law_values import REMEMBERED, CompiledLaw
from traction.status import Status

CHUNK = 256  #: steps between two looks at the record
MOST_STEPS = 2_000_000
LEAST_SPEED = 1e-3  #: of touches whose error is controlled relative to their own speed, over the first


@dataclass(frozen=True)
class Marched:
    """Track of a march and how it ended."""

    track: Track
    status: Status
    message: str


def march(
    structure: Arrays, law: CompiledLaw, speed: float, times: tuple[float, float], tol: float
) -> Marched:
    """From the first touch to the end; `times` are the end and the time of a contact on rigid ground, s."""
    t_end, contact_time = times
    checks.tolerance("tol", tol)
    settings = np.array([t_end, tol, contact_time, LEAST_SPEED * speed])
    motion = first_touch(structure[0].shape[0], speed, contact_time)
    rows, q, v = [_row(motion)], [motion[2][None].copy()], [motion[3][None].copy()]
    ended, total = kernels.FULL, 0
    while ended == kernels.FULL and total < MOST_STEPS:
        store = (
            np.empty((CHUNK, kernels.RECORD)),
            np.empty((CHUNK, motion[2].size)),
            np.empty((CHUNK, motion[2].size)),
        )
        ended, n = kernels.march(structure, law, settings, motion, store)
        for kept, new in zip((rows, q, v), store, strict=True):
            kept.append(new[:n])
        total += n
    table = np.concatenate(rows)
    track = Track(
        structure,
        table[:, : places.STATE],
        np.ascontiguousarray(table[1:, places.STATE + 1 : places.STATE + 5]),
        table[:, places.STATE + 5 :],
        (np.concatenate(q), np.concatenate(v)),
    )
    status = Status.CONVERGED if ended == kernels.DONE else Status.STEP_FAILED
    reason = "no step is short enough for the contact law" if ended == kernels.FAILED else "too many steps"
    message = status.format(t=motion[0][places.T], t_end=t_end, reason=reason)
    return Marched(track, status, message)


def first_touch(modes: int, speed: float, contact_time: float) -> tuple[np.ndarray, ...]:
    """State, memory and modes at the first touch."""
    state = np.zeros(places.STATE)
    state[places.V] = state[places.SPEED] = speed
    state[places.H] = kernels.FIRST_STEP * contact_time
    state[places.TOUCHING] = 1.0
    return state, np.zeros(REMEMBERED), np.zeros(modes), np.zeros(modes)


def _row(motion: tuple[np.ndarray, ...]) -> np.ndarray:
    row = np.zeros((1, kernels.RECORD))
    row[0, : places.STATE] = motion[0]
    return row
