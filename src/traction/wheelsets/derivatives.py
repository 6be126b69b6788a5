"""Derivatives of the forces of a wheelset by its position and its velocities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact

if TYPE_CHECKING:
    from traction.wheelsets.geometry.pose import Pose
    from traction.wheelsets.patches.balance import Balance
    from traction.wheelsets.patches.rolling import RolledPatch
    from traction.wheelsets.patches.wheelset_motion import WheelsetMotion
    from traction.wheelsets.problem import WheelRailProblem

#: steps of central differences, over the overlap (m; rad over m for angles): small against what bends forces,
#: but so large that elements which enter or leave the contact count as a part of the slope, not as jumps
STEPS = {"y": 0.8, "z": 0.02, "yaw": 1.0, "roll": 0.03}
LEAST_OVERLAP = 1e-5  #: from which steps are taken, m: smaller ones meet the tolerance of the contacts
VELOCITIES = ("speed", "vy", "vz", "roll_rate", "pitch_rate", "yaw_rate")
NAMES = (*STEPS, *VELOCITIES)
#: of inputs that are counted the other way in CONTACT's axes
FLIPPED = {"y", "z", "yaw", "vy", "vz", "pitch_rate", "yaw_rate"}
ROWS = ("F_x", "F_y", "F_z", "M_x", "M_y", "M_z")


@dataclass(frozen=True, eq=False)
class ForceDerivatives:
    """Derivatives of total force (N) and moment (N m) in the track, by position and velocities, in SI.

    The height and the pitch rate are independent: other inputs change at constant ones.
    """

    names: tuple[str, ...]  #: y, z, yaw, roll, speed, vy, vz, roll_rate, pitch_rate, yaw_rate
    matrix: np.ndarray  #: (6, 10): rows F_x, F_y, F_z, M_x, M_y, M_z

    def by(self, name: str) -> np.ndarray:
        """Derivatives of force and moment by the input `name`, (6,)."""
        return self.matrix[:, self.names.index(name)]


def differentiate(problem: WheelRailProblem, balances: Sequence[Balance]) -> ForceDerivatives:
    """Derivatives around a solution: by position from differences, by velocities from exact tangents."""
    pose = balances[0].pose.raised(float(np.mean([one.pose.z for one in balances])))
    motion, rate = problem.rolling.motion.at(pose), balances[0].pitch_rate
    patches = [patch for one in balances for patch in one.patches]
    columns = []
    touching = max(side.touching_height for side in problem.sides_at(pose))
    overlap = max(touching - pose.z, LEAST_OVERLAP)
    for name, share in STEPS.items():
        step = share * overlap
        ahead, behind = (
            sum_forces(
                problem.solve_at(
                    replace(pose, **{name: getattr(pose, name) + sign * step}), motion, rate
                ).patches
            )
            for sign in (1.0, -1.0)
        )
        columns.append((ahead - behind) / (2.0 * step))
    columns += [_differentiate_motion(problem, pose, motion, rate, patches, name) for name in VELOCITIES]
    matrix = np.array(columns).T
    if problem.convention == "contact":
        rows = np.array([-1.0, 1.0, 1.0, -1.0, 1.0, 1.0])  # forces on the rail, y right, z down
        matrix = rows[:, None] * matrix * np.array([-1.0 if name in FLIPPED else 1.0 for name in NAMES])
    return ForceDerivatives(NAMES, matrix)


def sum_forces(patches: Sequence[RolledPatch]) -> np.ndarray:
    """Force and moment about the origin of the track, (6,)."""
    total = np.zeros(6)
    for patch in patches:
        total[:3] += patch.track_force
        total[3:] += patch.track_moment(np.zeros(3))
    return total


def _differentiate_motion(
    problem: WheelRailProblem,
    pose: Pose,
    motion: WheelsetMotion,
    rate: float,
    patches: Sequence[RolledPatch],
    name: str,
) -> np.ndarray:
    """Derivatives by one velocity: creepages are smooth functions of it, and forces of creepages."""
    radius, step = problem.wheelset.radius, 1e-6 * abs(motion.speed)
    total = np.zeros(6)
    for patch in patches:
        plane = patch.pressed.plane
        creeps = [
            np.array(moved.creep(plane, pose, radius, turned).creepage)
            for moved, turned in (_move(motion, rate, name, sign * step) for sign in (1.0, -1.0))
        ]
        change = (creeps[0] - creeps[1]) / (2.0 * step)
        fx, fs, mn = _find_tangent(problem, patch) @ change
        force = plane.axes.T @ np.array([fx, fs, 0.0])
        total[:3] += force
        total[3:] += plane.axes.T @ np.array([0.0, 0.0, mn]) + np.cross(plane.origin, force)
    return total


def _find_tangent(problem: WheelRailProblem, patch: RolledPatch) -> np.ndarray:
    """Derivatives of (F_x, F_s, M_n) of a patch by its creepages, (3, 3)."""
    if isinstance(patch.tangential, TangentialContact):
        return patch.tangential.tangent
    columns = []
    for k, size in enumerate((1e-6, 1e-6, 1e-3)):
        found = []
        for sign in (1.0, -1.0):
            creepage = list(patch.creep.creepage)
            creepage[k] += sign * size
            moved = patch.creep._replace(creepage=(creepage[0], creepage[1], creepage[2]))
            there = problem.rolling.friction(patch.pressed, moved)
            found.append(np.array([*there.force, there.moment]))
        columns.append((found[0] - found[1]) / (2.0 * size))
    return np.array(columns).T


def _move(motion: WheelsetMotion, rate: float, name: str, step: float) -> tuple[WheelsetMotion, float]:
    """The motion with one velocity changed, and the pitch rate."""
    (vy, vz), (roll, yaw) = motion.velocity, motion.rates
    changed = {
        "speed": replace(motion, speed=motion.speed + step),
        "vy": replace(motion, velocity=(vy + step, vz)),
        "vz": replace(motion, velocity=(vy, vz + step)),
        "roll_rate": replace(motion, rates=(roll + step, yaw)),
        "yaw_rate": replace(motion, rates=(roll, yaw + step)),
    }
    return changed.get(name, motion), rate + step if name == "pitch_rate" else rate
