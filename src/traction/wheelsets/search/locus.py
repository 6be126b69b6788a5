"""`ContactLocus`: vertical distance of a wheel above a rail, and the regions in which they overlap."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.geometry.track import PlacedRail, Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.search.kernels.locus import find_locus, find_nearest, find_overlaps

MOST_REGIONS = 32
NEAR = 2e-3  #: vertical distance up to which a local minimum is a near miss, m


class Region(NamedTuple):
    """Where the undeformed wheel and rail overlap, or several such places together; lengths in m.

    Means are weighted by the square of the vertical overlap, as in CONTACT.
    """

    x_range: tuple[float, float]
    y_range: tuple[float, float]
    arc_range: tuple[float, float]  #: on the rail's profile
    z_ends: tuple[float, float]  #: of the rail at the ends of y_range
    weight: float
    x: float
    y: float
    angle: float  #: of the rail's surface about x, rad
    depth: float  #: largest vertical overlap


class NearMiss(NamedTuple):
    """Place where wheel and rail come close without touching, in the track."""

    y: float  #: m
    z: float  #: of the rail, m
    gap: float  #: vertical distance, m


@dataclass(frozen=True, eq=False)
class ContactLocus:
    """Points of a wheel that can touch a rail, for one lateral shift, yaw and roll and for all heights.

    All is as of a right wheel; the height of `pose` is not used.
    """

    wheelset: Wheelset
    rail: PlacedRail
    wheel: np.ndarray  #: nodes along the wheel's profile
    pose: Pose
    points: np.ndarray  #: x, y, vertical distance at z = 0, arc position and piece on the rail, (5, n)

    @classmethod
    def of(cls, wheelset: Wheelset, track: Track, side: str, pose: Pose) -> ContactLocus:
        """Locus of the wheel on a side."""
        rail, wheel, seen = track.placed_rail(side), wheelset.wheel_nodes(side), pose.seen_from(side)
        points = np.empty((5, wheel.shape[1]))
        frame = (seen.y, wheelset.radius, wheelset.radius, wheelset.offset, rail.curvature)
        find_locus(wheel, rail.nodes, rail.head, frame, seen.rotation, points)
        return cls(wheelset, rail, wheel, seen, points)

    @cached_property
    def touching_height(self) -> float:
        """Height z of the wheelset at which the wheel first touches, m; -inf if it is beside the rail."""
        gap, i = self.points[2], int(np.argmin(self.points[2]))
        if not math.isfinite(gap[i]):
            return -math.inf
        return -float(gap[i] - self._dip(i))

    @property
    def ends_in_contact(self) -> bool:
        """Whether the lowest point is at an end of what of the profiles lies above each other."""
        i, gap = int(np.argmin(self.points[2])), self.points[2]
        return i in (0, len(gap) - 1) or not (math.isfinite(gap[i - 1]) and math.isfinite(gap[i + 1]))

    def regions(self, height: float) -> list[Region]:
        """Regions of overlap of a wheelset at that height, from the field side inwards."""
        found = np.empty((MOST_REGIONS, 15))
        curvature = 1.0 / self.wheelset.radius + self.rail.curvature
        count = find_overlaps(self.points, self.rail.nodes, height, curvature, found)
        return [self._region(row) for row in found[: min(count, MOST_REGIONS)].tolist()]

    def wheel_arc(self, y: float) -> float:
        """Arc position on the wheel whose locus is about at y, m."""
        return float(self.wheel[0, find_nearest(self.points, y)])

    def near_misses(self, height: float) -> list[NearMiss]:
        """Local minima of the distance, from the closest one on."""
        gap = self.points[2] + height
        found = [
            NearMiss(float(self.points[1, i]), self._rail_height(i), float(gap[i]))
            for i in self._find_lowest(gap)
        ]
        return sorted(found, key=lambda miss: miss.gap)

    def near_regions(self, height: float) -> list[Region]:
        """The same as regions without extent, from the field side inwards; their depth is negative.

        They lie where the parabola through neighbouring nodes is lowest, so that they wander evenly.
        """
        gap, found = self.points[2] + height, []
        for i in self._find_lowest(gap):
            shift, dip = self._fit_parabola(i)
            y = float(self.points[1, i]) + shift
            beside = i + (1 if shift * (self.points[1, i + 1] - self.points[1, i]) > 0.0 else -1)
            share = shift / float(self.points[1, beside] - self.points[1, i])
            x, arc = (
                float(row[i] + share * (row[beside] - row[i])) for row in (self.points[0], self.points[3])
            )
            z = float(np.interp(arc, self.rail.nodes[0], self.rail.nodes[2]))
            depth = min(0.0, float(dip - gap[i]))
            found.append(
                Region((x, x), (y, y), (arc, arc), (z, z), 0.0, x, y, self.rail.angle_at(arc), depth)
            )
        return sorted(found, key=lambda one: one.y)

    @staticmethod
    def _find_lowest(gap: np.ndarray) -> list[int]:
        """Nodes at local minima of a distance above zero."""
        inner = gap[1:-1]
        lowest = (inner > 0.0) & (inner < NEAR) & (inner < gap[:-2]) & (inner <= gap[2:])
        nodes: list[int] = (1 + np.flatnonzero(lowest)).tolist()
        return nodes

    @staticmethod
    def _region(row: list[float]) -> Region:
        _, _, y0, y1, s0, s1, x0, x1, weight, x, y, angle, depth, z0, z1 = row
        return Region((x0, x1), (y0, y1), (s0, s1), (z0, z1), weight, x, y, angle, depth)

    def _rail_height(self, i: int) -> float:
        z = float(np.interp(self.points[3, i], self.rail.nodes[0], self.rail.nodes[2]))
        return z - self.rail.fall(float(self.points[0, i]), z)

    def _dip(self, i: int) -> float:
        """How much lower than at node i the parabola through its neighbours goes, m."""
        return self._fit_parabola(i)[1]

    def _fit_parabola(self, i: int) -> tuple[float, float]:
        """Where from node i, and how much lower, the parabola through its neighbours is lowest, m."""
        if not 0 < i < self.points.shape[1] - 1:
            return 0.0, 0.0
        y, gap = self.points[1, i - 1 : i + 2], self.points[2, i - 1 : i + 2]
        a, b = y[0] - y[1], y[2] - y[1]
        if not np.isfinite(gap).all() or a * b >= 0.0:
            return 0.0, 0.0
        p, q = (gap[0] - gap[1]) / a, (gap[2] - gap[1]) / b
        bend = (q - p) / (b - a)
        slope = p - bend * a
        if not bend > 0.0:
            return 0.0, 0.0
        return float(-slope / (2.0 * bend)), float(slope**2 / (4.0 * bend))
