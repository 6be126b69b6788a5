"""`Motion`: velocities of a wheelset, and the creepages that follow at a point of its wheels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.patches.contact_plane import ContactPlane


@dataclass(frozen=True)
class Motion:
    """Velocities of the centre of a wheelset (m/s, axes of the track) and rates (rad/s, axes of the wheelset)."""

    speed: float  #: along x
    velocity: tuple[float, float]  #: along y and z
    rates: tuple[float, float]  #: roll and yaw rate

    def creep(self, plane: ContactPlane, pose: Pose, radius: float, pitch_rate: float) -> PatchCreep:
        """Creepages at the reference point of a plane, on the wheel where it overlaps the rail most."""
        point = plane.origin - plane.overlap * plane.axes[2]
        arm = point - pose.center(radius)
        turning = pose.rotation @ np.array([self.rates[0], pitch_rate, self.rates[1]])
        slipping = np.array([self.speed, *self.velocity]) + np.cross(turning, arm)
        rolling = float(np.cross(pose.rotation[:, 1] * pitch_rate, arm)[0])
        reference = 0.5 * (abs(float(slipping[0]) - rolling) + abs(rolling))
        x, along, normal = plane.axes
        return PatchCreep(
            (
                float(x @ slipping) / reference,
                float(along @ slipping) / reference,
                float(normal @ turning) / reference,
            ),
            reference,
        )

    def pure_rolling(self, plane: ContactPlane, pose: Pose, radius: float) -> tuple[float, float]:
        """Longitudinal velocity at the reference point without pitch rate, and its change per pitch rate."""
        point = plane.origin - plane.overlap * plane.axes[2]
        arm = point - pose.center(radius)
        turning = pose.rotation @ np.array([self.rates[0], 0.0, self.rates[1]])
        ahead = self.speed + float(np.cross(turning, arm)[0])
        return ahead, float(np.cross(pose.rotation[:, 1], arm)[0])


@dataclass(frozen=True)
class PatchCreep:
    """Creepages (xi, eta, phi in rad/m) of wheel relative to rail, and the rolling speed that they refer to."""

    creepage: tuple[float, float, float]
    speed: float  #: mean of forward and circumferential speed, m/s
