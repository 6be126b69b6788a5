"""`Pose`: position and orientation of a wheelset on its track."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

#: 1 for the right side, -1 for the left one, whose y axis is mirrored
SIGNS = {"right": 1.0, "left": -1.0}


@dataclass(frozen=True)
class Pose:
    """Lateral shift y, height z (m), yaw and roll (rad) of the centre of a wheelset."""

    y: float
    z: float  #: counted from where the nominal radius rolls on the tops of the rails
    yaw: float
    roll: float

    def mirrored(self) -> Pose:
        """Seen in a mirror along the track: the left wheel becomes the right one."""
        return replace(self, y=-self.y, yaw=-self.yaw, roll=-self.roll)

    def seen_from(self, side: str) -> Pose:
        """As the wheel of a side sees it, which is taken for a right one."""
        return self if side == "right" else self.mirrored()

    def raised(self, z: float) -> Pose:
        """At another height."""
        return Pose(self.y, z, self.yaw, self.roll)

    @property
    def rotation(self) -> np.ndarray:
        """From the axes of the wheelset to those of the track: yaw about z, then roll about x, (3, 3)."""
        return compute_rotation(self.yaw, self.roll)

    def center(self, radius: float) -> np.ndarray:
        """Centre of the wheelset in the track, m."""
        return np.array([0.0, self.y, radius + self.z])


@lru_cache(maxsize=256)
def compute_rotation(yaw: float, roll: float) -> np.ndarray:
    """Rotation by yaw about z and then by roll about x, rad, (3, 3); one array for all heights."""
    c, s = math.cos(roll), math.sin(roll)
    cy, sy = math.cos(yaw), math.sin(yaw)
    return np.array([[cy, -sy, 0.0], [c * sy, c * cy, -s], [s * sy, s * cy, c]])
