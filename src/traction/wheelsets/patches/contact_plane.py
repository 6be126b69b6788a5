"""`ContactPlane`: the plane of a patch, its elements, and the distance of wheel and rail above it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from traction.grid import Grid
from traction.wheelsets.geometry.pose import SIGNS
from traction.wheelsets.patches.kernels.plane_gaps import fill_plane_gaps
from traction.wheelsets.search.locus import ContactLocus, Region

GUARD = 1  #: elements around the overlap


@dataclass(frozen=True, eq=False)
class ContactPlane:
    """Plane at a reference point of the rail, inclined by the contact angle; an element's centre is there.

    All is in the track, x forward, y left, z up; along the surface, s points to the left.
    """

    side: str
    origin: np.ndarray  #: reference point on the rail, m, (3,)
    angle: float  #: about x, rad
    grid: Grid  #: x and s from the reference point
    gap: np.ndarray  #: distance of wheel and rail along the normal, m, (ny, nx); negative in the overlap
    turning: float  #: change of the rail's angle over the overlap, rad

    @property
    def axes(self) -> np.ndarray:
        """Rows: unit vectors along x, along the surface, and along the normal into the wheel, (3, 3)."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        return np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])

    @property
    def overlap(self) -> float:
        """Largest overlap along the normal at the elements, m."""
        return max(0.0, -float(self.gap.min()))


def lay_plane(
    locus: ContactLocus, side: str, height: float, region: Region, steps: tuple[float, float]
) -> ContactPlane:
    """Plane of a region of overlap, with elements of the size `steps` (m, along x and s)."""
    nodes = locus.rail.nodes
    first, last = locus.rail.head
    arc = float(np.interp(region.y, nodes[1, first : last + 1], nodes[0, first : last + 1]))
    z = interpolate_height(nodes, arc)
    (dx, ds), sign = steps, SIGNS[side]
    left, right = (
        math.floor((region.x_range[0] - region.x) / dx),
        math.ceil((region.x_range[1] - region.x) / dx),
    )
    low, high = (
        math.floor((region.arc_range[0] - arc) / ds),
        math.ceil((region.arc_range[1] - arc) / ds),
    )
    left, right, low, high = left - GUARD, right + GUARD, low - GUARD, high + GUARD
    gap = np.empty((high - low + 1, right - left + 1))
    set_off = locus.wheelset
    begin = find_wheel_arc(locus, region.y)
    fill_plane_gaps(
        locus.wheel,
        nodes,
        (region.x, region.y, z, region.angle, arc),
        (locus.pose.y, set_off.radius + height, set_off.radius, set_off.offset, begin),
        locus.pose.rotation,
        (left * dx, low * ds, dx, ds),
        gap,
    )
    ends = [
        float(np.interp(s, nodes[0], np.unwrap(np.arctan2(nodes[4], nodes[3])))) for s in region.arc_range
    ]
    if side == "left":
        gap, low, high = np.ascontiguousarray(gap[::-1]), -high, -low
    center = (0.5 * (left + right) * dx, 0.5 * (low + high) * ds)
    grid = Grid(gap.shape[1], gap.shape[0], dx, ds, center)
    origin = np.array([region.x, sign * region.y, z])
    return ContactPlane(side, origin, sign * region.angle, grid, gap, abs(ends[1] - ends[0]))


def interpolate_height(nodes: np.ndarray, arc: float) -> float:
    """Height of the rail at an arc position, m."""
    i = int(np.clip(np.searchsorted(nodes[0], arc) - 1, 0, nodes.shape[1] - 2))
    h = nodes[0, i + 1] - nodes[0, i]
    u = (arc - nodes[0, i]) / h
    rise = nodes[2, i + 1] - nodes[2, i]
    bend = h * ((u**3 - 2 * u**2 + u) * nodes[4, i] + (u**3 - u**2) * nodes[4, i + 1])
    return float(nodes[2, i] + (3 * u**2 - 2 * u**3) * rise + bend)


def find_wheel_arc(locus: ContactLocus, y: float) -> float:
    """Arc position on the wheel whose locus is about at y, m."""
    there = np.where(np.isfinite(locus.points[2]), np.abs(locus.points[1] - y), math.inf)
    return float(locus.wheel[0, int(np.argmin(there))])
