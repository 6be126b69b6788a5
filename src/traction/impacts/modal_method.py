"""Method "modal": every mode moved exactly, forces by collocation, steps by error control (order 6).

The equations are in `collocation_step`. A contact ends where the approach returns to zero, located
inside a step; the striker then flies, and touches again where the gap closes, which no step can miss
(`impact_march.fly`).
"""

from __future__ import annotations

import numpy as np

from traction import checks
from traction.impacts.impact_problem import DensePath, ImpactProblem, ImpactSolution
from traction.impacts.kernels import collocation_step as places
from traction.impacts.kernels import impact_march as kernels
from traction.impacts.kernels.collocation_step import ImpactMotion
from traction.impacts.kernels.impact_march import ImpactRecord, ImpactSettings
from traction.laws.kernels.law_values import REMEMBERED
from traction.status import Status

CHUNK = 256  #: steps between two looks at the record
MOST_STEPS = 2_000_000
LEAST_SPEED = 1e-3  #: of touches whose error is controlled relative to their own speed, over the first
USUAL_TOL = 1e-9


def solve_modal(problem: ImpactProblem, tol: float = USUAL_TOL) -> ImpactSolution:
    """March from the first touch to the end."""
    speed, modes = problem.striker.speed, len(problem.response)
    settings = ImpactSettings(
        problem.t_end, checks.tolerance("tol", tol), problem.contact_time, LEAST_SPEED * speed
    )
    motion = first_touch(modes, speed, problem.contact_time)
    records = [_record_start(motion)]
    ended, total = kernels.FULL, 0
    while ended == kernels.FULL and total < MOST_STEPS:
        room = ImpactRecord(
            np.empty((CHUNK, kernels.RECORD)), np.empty((CHUNK, modes)), np.empty((CHUNK, modes))
        )
        ended, n = kernels.march_impact(problem.point, problem.law, settings, motion, room)
        records.append(ImpactRecord(*(part[:n] for part in room)))
        total += n
    status = Status.CONVERGED if ended == kernels.DONE else Status.STEP_FAILED
    reason = "no step is short enough for the contact law" if ended == kernels.FAILED else "too many steps"
    message = status.describe(t=motion.state[places.T], t_end=problem.t_end, reason=reason)
    return ImpactSolution(_join_records(problem, records), status, message, {"tol": tol})


def _join_records(problem: ImpactProblem, records: list[ImpactRecord]) -> DensePath:
    """The path of all steps."""
    table, q, v = (np.concatenate(parts) for parts in zip(*records, strict=True))
    states, _, cubics, memories = (
        np.ascontiguousarray(part)
        for part in np.split(table, (places.STATE, places.STATE + 1, places.STATE + 5), axis=1)
    )
    return DensePath(problem.point, states[:, places.T].copy(), cubics[1:].copy(), states, q, v, memories)


def first_touch(modes: int, speed: float, contact_time: float) -> ImpactMotion:
    """The motion at the first touch."""
    state = np.zeros(places.STATE)
    state[places.V] = state[places.SPEED] = speed
    state[places.H] = kernels.FIRST_STEP * contact_time
    state[places.TOUCHING] = 1.0
    return ImpactMotion(state, np.zeros(REMEMBERED), np.zeros(modes), np.zeros(modes))


def _record_start(motion: ImpactMotion) -> ImpactRecord:
    """A record of the start."""
    row = np.zeros((1, kernels.RECORD))
    row[0, : places.STATE] = motion.state
    return ImpactRecord(row, motion.q[None].copy(), motion.v[None].copy())
