"""`ContactPlane`: the plane of a patch, its elements, and the distance of wheel and rail above it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from traction.contact.normal.part_interaction import PartInteraction
from traction.grid import Grid
from traction.wheelsets.geometry.kernels.plane_gaps import fill_plane_gaps
from traction.wheelsets.geometry.kernels.roller_fall import add_roller_fall
from traction.wheelsets.geometry.pose import SIGNS
from traction.wheelsets.patches.lattice_laying import LatticeLaying
from traction.wheelsets.patches.merging import Neighbour, PatchPlan
from traction.wheelsets.patches.rail_memory import LatticePlace, PatchTrace
from traction.wheelsets.search.locus import ContactLocus, Region

GUARD = 1  #: elements around the overlap
JUST_PARTED = 0.1  #: fall of the share of a common patch in which elements come to their own places


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
    neighbours: tuple[tuple[ReferencePoint, float], ...] = ()  #: common patches left behind, and their shares
    tilt: float = 0.0  #: about a roller's axis, rad
    curvature: float = 0.0  #: of the roller along x, 1/m; 0 for rails
    mean: tuple[float, float] = (0.0, 0.0)  #: x and y of the weighted mean of the overlap, m
    lattice: LatticePlace | None = None  #: in transient rolling

    @cached_property
    def axes(self) -> np.ndarray:
        """Rows: unit vectors along x, along the surface, and along the normal into the wheel, (3, 3)."""
        return turn_axes(self.angle, self.tilt)

    def upward(self, lean: tuple[float, float] = (0.0, 0.0)) -> float:
        """Vertical force per normal force; `lean` are the tangential ones (x, s) per normal force."""
        ahead, aside, up = self.axes[:, 2].tolist()
        return up + lean[0] * ahead + lean[1] * aside

    @cached_property
    def parts(self) -> PartInteraction | None:
        """The parts of the patch, where these interact by a share only."""
        if np.all(self.interaction == 1.0):
            return None
        part = np.empty(self.grid.ny, dtype=np.int64)
        for number, rows in enumerate(self.rows):
            part[rows] = number
        return PartInteraction(part, self.interaction)

    @cached_property
    def overlap(self) -> float:
        """Largest overlap along the normal at the elements, m."""
        return max(0.0, -float(self.gap.min()))

    @property
    def guessed_axes(self) -> tuple[float, float]:
        """About the semi-axes of the contact along x and s, m: by Hertz, from the extent of the overlap."""
        a, b = ((n - 2 * GUARD) / math.sqrt(8.0) for n in (self.grid.nx, self.grid.ny))
        return a * self.grid.dx, b * self.grid.dy

    def guess_pressure(self, approach: float = 0.0) -> np.ndarray:
        """About the shape of the pressure where the overlap is larger by an approach (m), (ny, nx).

        By Hertz the edge of the contact is where half the overlap is left, and the square of the pressure
        falls as the overlap does.
        """
        overlap = approach - self.gap
        return np.sqrt(np.maximum(0.0, overlap - 0.5 * float(overlap.max())))


@dataclass(frozen=True, eq=False)
class ReferencePoint:
    """Reference point of a patch without elements, as of one that has parted into two."""

    side: str
    origin: np.ndarray  #: m, (3,)
    angle: float  #: about x, rad
    axes: np.ndarray  #: unit vectors along x, along the surface and along the normal, (3, 3)
    overlap: float  #: largest one along the normal, m
    curvature: float  #: of the roller along x, 1/m; 0 for rails


def turn_axes(angle: float, tilt: float = 0.0) -> np.ndarray:
    """Rows: unit vectors along x, along a surface inclined by `angle`, and along its normal, (3, 3).

    With `tilt` all are turned about a roller's axis; a positive one is ahead of its top.
    """
    c, s = math.cos(angle), math.sin(angle)
    axes = np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])
    return axes @ turn_about_axle(tilt) if tilt else axes


def turn_about_axle(tilt: float) -> np.ndarray:
    """Rotation of vectors about y by `-tilt`: a point `tilt` ahead of a roller's top comes to it, (3, 3)."""
    c, s = math.cos(tilt), math.sin(tilt)
    return np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])


def lay_plane(
    locus: ContactLocus,
    side: str,
    height: float,
    plan: PatchPlan,
    steps: tuple[float, float],
    laying: LatticeLaying | None = None,
) -> ContactPlane:
    """Plane of a planned patch, with elements of the size `steps` (m, along x and s).

    With `laying` they lie on the lattice of the rail, and cover what was left below on it.
    """
    region, mean, sign, (dx, ds) = plan.region, plan.region, SIGNS[side], steps
    arc, z = locus.rail.find_point(region.y)
    ahead = aside = 0.0
    if laying is not None:
        region, arc, z = laying.find_reference(locus.rail, region, arc)
    else:
        ahead, aside = _shift_elements(locus, plan, z)
    left, right = _count_elements(region.x_range, region.x + ahead, dx)
    low, high = _count_elements(region.arc_range, arc + aside, ds)
    traces: tuple[PatchTrace, ...] = ()
    if laying is not None:
        (left, right, low, high), traces = laying.cover_traces(region.x, arc, (left, right, low, high))
    gap = np.empty((high - low + 1, right - left + 1))
    lattice = (ahead + left * dx, aside + low * ds, dx, ds)
    _measure_gap(locus, region, height, (z, arc), lattice, gap)
    earlier = np.empty_like(gap)
    if laying is not None:
        _measure_gap(laying.earlier, region, laying.memory.pose.z, (z, arc), lattice, earlier)
    rows = _divide_rows(plan, arc + aside, low, ds, gap.shape[0])
    angles = locus.rail.angles_at(
        np.array([*region.arc_range, *(arc + aside + ds * k for k in range(low, high + 1))])
    )
    inclination = -angles[2:]
    if side == "left":
        rows = tuple(slice(gap.shape[0] - part.stop, gap.shape[0] - part.start) for part in rows)
        gap, low, high, aside = np.ascontiguousarray(gap[::-1]), -high, -low, -aside
        earlier = np.ascontiguousarray(earlier[::-1])
        inclination = inclination[::-1]
    center = (ahead + 0.5 * (left + right) * dx, aside + 0.5 * (low + high) * ds)
    return ContactPlane(
        side=side,
        origin=np.array([region.x, sign * region.y, z - locus.rail.fall(region.x, z)]),
        angle=sign * region.angle,
        grid=Grid(gap.shape[1], gap.shape[0], dx, ds, center),
        gap=gap,
        turning=abs(float(angles[1] - angles[0])),
        rows=rows,
        interaction=plan.interaction,
        inclination=inclination,
        neighbours=tuple(_find_common(locus, side, neighbour) for neighbour in plan.neighbours),
        tilt=locus.rail.tilt(region.x, z),
        curvature=locus.rail.curvature,
        mean=(mean.x, sign * mean.y),
        lattice=(
            None if laying is None else laying.place((region.x, sign * arc), (left, low), traces, earlier)
        ),
    )


def _count_elements(extent: tuple[float, float], origin: float, step: float) -> tuple[int, int]:
    """Numbers, from an origin, of the first and last element around an extent."""
    low, high = ((end - origin) / step for end in extent)
    return math.floor(low) - GUARD, math.ceil(high) + GUARD


def _measure_gap(
    locus: ContactLocus,
    region: Region,
    height: float,
    at: tuple[float, float],
    lattice: tuple[float, float, float, float],
    gap: np.ndarray,
) -> None:
    """Fill the distance of wheel and rail along the normal; `at` is z and arc position in the profile.

    Turned about a roller's axis until the reference point is at its top, the roller is the same, and a rail
    but for its fall along x; the wheelset is turned with it.
    """
    (z, arc), rail, wheelset, pose = at, locus.rail, locus.wheelset, locus.pose
    x, center, rotation = region.x, wheelset.radius + height, pose.rotation
    if rail.curvature:
        turn = turn_about_axle(rail.tilt(x, z))
        from_center = turn @ np.array([x, 0.0, z - rail.fall(x, z) - center])
        x, center, rotation = float(from_center[0]), z - float(from_center[2]), turn @ rotation
    position = (pose.y, center, wheelset.radius, wheelset.offset, locus.wheel_arc(region.y))
    frame = (x, region.y, z, region.angle, arc)
    fill_plane_gaps(locus.wheel, rail.nodes, frame, position, rotation, lattice, gap)
    if rail.curvature:
        add_roller_fall(rail.nodes, (0.0, *frame[1:]), rail.curvature, lattice, gap)


def _shift_elements(locus: ContactLocus, plan: PatchPlan, z: float) -> tuple[float, float]:
    """How far along x and s the elements of a patch lie from its reference point, m.

    Where patches have just parted their elements still are those of the common patch, and come to their own
    places until the shares have fallen by `JUST_PARTED`. Otherwise forces would jump by the grid's error.
    """
    share, shift, before = 0.0, np.zeros(3), np.zeros(3)
    for neighbour in plan.neighbours:
        region = neighbour.common
        origin = np.array([region.x, region.y, locus.rail.find_point(region.y)[1]])
        if share > 0.0:
            shift = _hold_back(share) * (before - origin + shift)
        share, before = share + neighbour.share, origin
    if not _hold_back(share) > 0.0:
        return 0.0, 0.0
    shift = _hold_back(share) * (before - np.array([plan.region.x, plan.region.y, z]) + shift)
    return float(shift[0]), float(shift @ turn_axes(plan.region.angle)[1])


def _hold_back(share: float) -> float:
    """How much of the elements of a common patch is left."""
    return max(0.0, 1.0 - (1.0 - share) / JUST_PARTED)


def _divide_rows(plan: PatchPlan, arc: float, low: int, ds: float, count: int) -> tuple[slice, ...]:
    """Rows of the parts of a patch, divided in the middle between them."""
    borders = [0]
    for a, b in pairwise(plan.parts):
        middle = 0.5 * (a.arc_range[1] + b.arc_range[0]) - arc
        borders.append(min(max(math.ceil(middle / ds) - low, borders[-1]), count))
    return tuple(slice(a, b) for a, b in pairwise([*borders, count]))


def _find_common(locus: ContactLocus, side: str, neighbour: Neighbour) -> tuple[ReferencePoint, float]:
    return find_reference(locus, side, neighbour.common, neighbour.angle), neighbour.share


def find_reference(locus: ContactLocus, side: str, region: Region, angle: float) -> ReferencePoint:
    """Reference point of a region as one patch, in a plane inclined by an angle, rad, as of a right wheel."""
    _, z = locus.rail.find_point(region.y)
    sign, rail = SIGNS[side], locus.rail
    origin = np.array([region.x, sign * region.y, z - rail.fall(region.x, z)])
    axes = turn_axes(sign * angle, rail.tilt(region.x, z))
    overlap = region.depth * float(axes[2, 2])
    return ReferencePoint(side, origin, sign * angle, axes, overlap, rail.curvature)
