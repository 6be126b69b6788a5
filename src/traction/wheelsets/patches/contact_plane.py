"""`ContactPlane`: the plane of a patch, its elements, and the distance of wheel and rail above it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from traction.grid import Grid
from traction.wheelsets.geometry.kernels.plane_gaps import fill_plane_gaps
from traction.wheelsets.geometry.pose import SIGNS
from traction.wheelsets.patches.merging import Neighbour, PatchPlan
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
    rows: tuple[slice, ...]  #: of the parts of the patch
    interaction: np.ndarray  #: of the parts, from 0 to 1, (n, n)
    inclination: np.ndarray  #: of the rail at the rows, rad, positive towards the track's centre, (ny,)
    neighbours: tuple[tuple[CommonPoint, float], ...] = ()  #: common patches left behind, and their shares

    @cached_property
    def axes(self) -> np.ndarray:
        """Rows: unit vectors along x, along the surface, and along the normal into the wheel, (3, 3)."""
        return turn_axes(self.angle)

    @cached_property
    def overlap(self) -> float:
        """Largest overlap along the normal at the elements, m."""
        return max(0.0, -float(self.gap.min()))


@dataclass(frozen=True, eq=False)
class CommonPoint:
    """Reference point of a patch that has parted into two."""

    origin: np.ndarray  #: m, (3,)
    axes: np.ndarray  #: unit vectors along x, along the surface and along the normal, (3, 3)
    overlap: float  #: largest one along the normal, m


def turn_axes(angle: float) -> np.ndarray:
    """Rows: unit vectors along x, along a surface inclined by `angle`, and along its normal, (3, 3)."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])


def lay_plane(
    locus: ContactLocus, side: str, height: float, plan: PatchPlan, steps: tuple[float, float]
) -> ContactPlane:
    """Plane of a planned patch, with elements of the size `steps` (m, along x and s)."""
    region, sign, (dx, ds) = plan.region, SIGNS[side], steps
    arc, z = locus.rail.find_point(region.y)
    left = math.floor((region.x_range[0] - region.x) / dx) - GUARD
    right = math.ceil((region.x_range[1] - region.x) / dx) + GUARD
    low = math.floor((region.arc_range[0] - arc) / ds) - GUARD
    high = math.ceil((region.arc_range[1] - arc) / ds) + GUARD
    gap = np.empty((high - low + 1, right - left + 1))
    wheelset, pose = locus.wheelset, locus.pose
    fill_plane_gaps(
        locus.wheel,
        locus.rail.nodes,
        (region.x, region.y, z, region.angle, arc),
        (pose.y, wheelset.radius + height, wheelset.radius, wheelset.offset, locus.wheel_arc(region.y)),
        pose.rotation,
        (left * dx, low * ds, dx, ds),
        gap,
    )
    rows = _divide_rows(plan, arc, low, ds, gap.shape[0])
    angles = locus.rail.angles_at(
        np.array([*region.arc_range, *(arc + ds * k for k in range(low, high + 1))])
    )
    inclination = -angles[2:]
    if side == "left":
        rows = tuple(slice(gap.shape[0] - part.stop, gap.shape[0] - part.start) for part in rows)
        gap, low, high = np.ascontiguousarray(gap[::-1]), -high, -low
        inclination = inclination[::-1]
    return ContactPlane(
        side=side,
        origin=np.array([region.x, sign * region.y, z]),
        angle=sign * region.angle,
        grid=Grid(gap.shape[1], gap.shape[0], dx, ds, (0.5 * (left + right) * dx, 0.5 * (low + high) * ds)),
        gap=gap,
        turning=abs(float(angles[1] - angles[0])),
        rows=rows,
        interaction=plan.interaction,
        inclination=inclination,
        neighbours=tuple(_find_common(locus, side, neighbour) for neighbour in plan.neighbours),
    )


def _divide_rows(plan: PatchPlan, arc: float, low: int, ds: float, count: int) -> tuple[slice, ...]:
    """Rows of the parts of a patch, divided in the middle between them."""
    borders = [0]
    for a, b in pairwise(plan.parts):
        middle = 0.5 * (a.arc_range[1] + b.arc_range[0]) - arc
        borders.append(min(max(math.ceil(middle / ds) - low, borders[-1]), count))
    return tuple(slice(a, b) for a, b in pairwise([*borders, count]))


def _find_common(locus: ContactLocus, side: str, neighbour: Neighbour) -> tuple[CommonPoint, float]:
    region: Region = neighbour.common
    _, z = locus.rail.find_point(region.y)
    sign = SIGNS[side]
    origin, overlap = np.array([region.x, sign * region.y, z]), region.depth * math.cos(region.angle)
    return CommonPoint(origin, turn_axes(sign * region.angle), overlap), neighbour.share
