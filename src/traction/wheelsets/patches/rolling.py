"""Tangential contact of pressed patches: creepages, tractions and the forces on the wheel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.rolling.steady_rolling import roll_steady
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.patches.motion import Motion, PatchCreep
from traction.wheelsets.patches.pressing import PressedPatch


class Friction(Protocol):
    """Computes the tangential contact of a patch."""

    def __call__(
        self, normal: NormalContact, creep: PatchCreep, start: TangentialContact | None = None
    ) -> TangentialContact:
        """Tractions of a pressed patch with given creepages, begun from those of a similar contact."""


@dataclass(frozen=True, eq=False)
class RolledPatch:
    """A patch with its normal and tangential contact."""

    pressed: PressedPatch
    creep: PatchCreep
    tangential: TangentialContact

    @property
    def force(self) -> np.ndarray:
        """Force on the wheel in the axes of the patch: along x, along the surface, normal; N, (3,)."""
        return np.array([*self.tangential.force, self.pressed.normal.force])

    @property
    def moment(self) -> np.ndarray:
        """Moment on the wheel about the reference point in the axes of the patch, N m, (3,)."""
        normal = self.pressed.normal
        x, s = normal.center
        return np.array([s * normal.force, -x * normal.force, self.tangential.moment])

    @property
    def lean(self) -> float:
        """Tangential force along the surface over the normal force."""
        force = self.pressed.normal.force
        return self.tangential.force[1] / force if force else 0.0

    @property
    def track_force(self) -> np.ndarray:
        """Force on the wheel in the axes of the track, N, (3,)."""
        return self.pressed.plane.axes.T @ self.force

    def track_moment(self, about: np.ndarray) -> np.ndarray:
        """Moment on the wheel about a point, in the axes of the track, N m, (3,)."""
        plane = self.pressed.plane
        return plane.axes.T @ self.moment + np.cross(plane.origin - about, self.track_force)


def find_pitch_rate(patches: Sequence[PressedPatch], pose: Pose, radius: float, motion: Motion) -> float:
    """Pitch rate of pure rolling, rad/s: without longitudinal slip, as the mean weighted by normal forces."""
    standing, turning = 0.0, 0.0
    for patch in patches:
        still, turned = (float(motion.slide(patch.plane, pose, radius, rate)[0]) for rate in (0.0, 1.0))
        standing += patch.normal.force * still
        turning += patch.normal.force * (turned - still)
    return -standing / turning if turning else motion.speed / radius


def find_creeps(
    patches: Sequence[PressedPatch], pose: Pose, radius: float, motion: Motion, pitch_rate: float | None
) -> tuple[list[PatchCreep], float]:
    """Creepages of all patches, and the pitch rate; that of pure rolling if it is not given."""
    rate = find_pitch_rate(patches, pose, radius, motion) if pitch_rate is None else pitch_rate
    return [motion.creep(patch.plane, pose, radius, rate) for patch in patches], rate


def roll_patches(
    patches: Sequence[PressedPatch],
    creeps: Sequence[PatchCreep],
    friction: Friction,
    starts: Sequence[RolledPatch] = (),
) -> list[RolledPatch]:
    """Tangential contact of all patches, begun from those `starts` that are on the same planes."""
    begun = [one.tangential for one in starts] if len(starts) == len(patches) else [None] * len(patches)
    return [
        RolledPatch(patch, creep, friction(patch.normal, creep, start))
        for patch, creep, start in zip(patches, creeps, begun, strict=True)
    ]


def steady_friction(friction: float, discretisation: str, direction: int) -> Friction:
    """Steady rolling by the half space."""

    def solve(
        normal: NormalContact, creep: PatchCreep, start: TangentialContact | None = None
    ) -> TangentialContact:
        return roll_steady(
            normal,
            friction,
            creepage=creep.creepage,
            direction=direction,
            discretisation=discretisation,
            start=start,
            on_failure="return",
        )

    return solve
