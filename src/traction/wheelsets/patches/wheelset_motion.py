"""`WheelsetMotion`: velocities of a wheelset, and the creepages that follow at a point of its wheels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.patches.contact_plane import ContactPlane, ReferencePoint

Slide = tuple[float, float, float, float]


class PatchCreep(NamedTuple):
    """Creepages (xi, eta, phi in rad/m) of wheel relative to rail, and the speed that they refer to."""

    creepage: tuple[float, float, float]
    speed: float  #: mean of forward and circumferential speed, m/s

    @property
    def slip_speed(self) -> float:
        """Speed of wheel over rail at the reference point, m/s."""
        return self.speed * math.hypot(*self.creepage[:2])

    @classmethod
    def of(cls, slide: Slide) -> PatchCreep:
        """Those of velocities along x and s, a spin, and what the pitch rate adds along x."""
        along, across, spin, rolling = slide
        reference = 0.5 * (abs(along - rolling) + abs(rolling))
        return cls((along / reference, across / reference, spin / reference), reference)


@dataclass(frozen=True)
class WheelsetMotion:
    """Velocities of the centre of a wheelset (m/s, in the track) and its rates (rad/s, about its axes).

    On rollers the centre stays, and `speed` is that of their tops, backwards.
    """

    speed: float  #: along x
    velocity: tuple[float, float]  #: along y and z
    rates: tuple[float, float]  #: roll and yaw rate

    def at(self, pose: Pose) -> WheelsetMotion:
        """The velocities at a position."""
        return self

    def creep(self, plane: ContactPlane, pose: Pose, radius: float, pitch_rate: float) -> PatchCreep:
        """Creepages of a patch: those of the rigid wheel at the reference point."""
        return PatchCreep.of(self.slide(plane, pose, radius, pitch_rate))

    def slide(self, plane: ContactPlane, pose: Pose, radius: float, pitch_rate: float) -> Slide:
        """Velocities along x and s and spin of wheel over rail, and what the pitch rate adds along x.

        Where a patch has parted from another one, those of the common patch pass to its own.
        """
        moving = self.at(pose)
        own = moving.slide_at(plane, pose, radius, pitch_rate)
        found = own
        for point, share in plane.neighbours:
            apart = plane.origin - point.origin
            ahead, aside = float(apart[0]), float(apart @ point.axes[1])
            along, across, spin, rolling = moving.slide_at(point, pose, radius, pitch_rate)
            common = (along - spin * aside, across + spin * ahead, spin, rolling)
            a, b, c, d = (f + share * (g - o) for f, g, o in zip(found, common, own, strict=True))
            found = a, b, c, d
        return found

    def slide_at(
        self, at: ContactPlane | ReferencePoint, pose: Pose, radius: float, pitch_rate: float
    ) -> Slide:
        """The same at one point alone; the motion is that at the position."""
        ((e_x, _, e_z), (s_x, c, s), (n_x, n_y, n_z)), overlap = at.axes.tolist(), at.overlap
        x, y, z = at.origin.tolist()
        arm_x = x - overlap * n_x
        arm_y, arm_z = y - overlap * n_y - pose.y, z - overlap * n_z - pose.z - radius
        (r00, r01, _), (r10, r11, r12), (r20, r21, r22) = pose.rotation.tolist()
        roll, yaw = self.rates
        wx = r00 * roll + r01 * pitch_rate
        wy = r10 * roll + r11 * pitch_rate + r12 * yaw
        wz = r20 * roll + r21 * pitch_rate + r22 * yaw
        # a roller turns about y at -speed/radius: its surface moves along x and z and takes part in the spin
        roller = self.speed * at.curvature
        vx = self.speed + roller * z + wy * arm_z - wz * arm_y
        vy = self.velocity[0] + wz * arm_x - wx * arm_z
        vz = self.velocity[1] - roller * x + wx * arm_y - wy * arm_x
        along, up = r11 * arm_z - r21 * arm_y, r01 * arm_y - r11 * arm_x
        return (
            e_x * vx + e_z * vz,
            s_x * vx + c * vy + s * vz,
            n_x * wx + n_y * (wy + roller) + n_z * wz,
            pitch_rate * (e_x * along + e_z * up),
        )


@dataclass(frozen=True)
class FollowedMotion(WheelsetMotion):
    """Velocities that bring a wheelset from an earlier position to where it is, evenly.

    Those of the wheelset are then not given; what is not None in `given` replaces them.
    """

    before: Pose
    time: float  #: since then, s
    given: tuple[tuple[float, float] | None, tuple[float, float] | None] = (None, None)

    def at(self, pose: Pose) -> WheelsetMotion:
        """The velocities, from the change of the position."""
        velocity, rates = self.given
        y, z, yaw, roll = (
            (getattr(pose, name) - getattr(self.before, name)) / self.time
            for name in ("y", "z", "yaw", "roll")
        )
        # the roll turns about the track's x axis, the rates are about the axes of the wheelset
        turning = (roll * math.cos(pose.yaw), yaw)
        return WheelsetMotion(
            self.speed, (y, z) if velocity is None else velocity, turning if rates is None else rates
        )
