"""What a position of a wheelset leaves for the next one of transient rolling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from traction.wheelsets.patches.balance import Balance, balance_at_height
from traction.wheelsets.patches.rail_memory import RailMemory
from traction.wheelsets.patches.rolling import steady_friction
from traction.wheelsets.patches.tasks import solve_singly
from traction.wheelsets.patches.transient_friction import leave_trace
from traction.wheelsets.problem import WheelRailProblem


def remember(problem: WheelRailProblem, balances: Sequence[Balance], discretisation: str) -> RailMemory:
    """Tractions on the rails after a position; steady rolling is solved again on the lattice of the rails."""
    pose = balances[0].pose.raised(float(np.mean([one.pose.z for one in balances])))
    steps = problem.rolling.steps
    if problem.memory is None:
        begun = RailMemory(pose, steps)
        balances = [_roll_on_lattice(problem, one, begun, discretisation) for one in balances]
    traces = [leave_trace(patch) for one in balances for patch in one.patches]
    rolled = 0.0 if problem.memory is None else problem.memory.rolled + problem.distance
    left = tuple(trace for trace in traces if trace is not None)
    return RailMemory(pose, steps, left, rolled, problem.surface.position)


def _roll_on_lattice(
    problem: WheelRailProblem, balance: Balance, begun: RailMemory, discretisation: str
) -> Balance:
    """Steady rolling at the same height, with elements on the lattice."""
    names = {patch.pressed.plane.side for patch in balance.patches}
    sides = [replace(side, memory=begun) for side in problem.sides_at(balance.pose) if side.side in names]
    rolling = replace(
        problem.rolling,
        motion=problem.rolling.motion.at(balance.pose),
        pitch_rate=balance.pitch_rate,
        friction=steady_friction(problem.surface, discretisation, problem.direction),
    )
    if not sides:
        return balance
    return solve_singly(balance_at_height(sides, balance.pose.z, rolling))
