"""Contact by brute force: vertical distances over a lattice of points, as a check of the contact locus.

Every vertical line of the lattice is cut with the surface of the wheel, so that neither the locus nor
anything that follows from it is used.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.wheelsets.geometry.kernels.plane_gaps import FAR, fill_plane_gaps
from traction.wheelsets.geometry.kernels.roller_fall import add_roller_fall
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset

LENGTH = 0.08  #: of the lattice along x, m; flanges touch up to 30 mm ahead
STEPS = (1e-3, 0.25e-3)  #: of the lattice along x and y, m
MARGIN = 0.1e-3  #: from the sides of the head, where the rail is vertical, m
FINER = 8.0  #: by which a lattice around the closest point is finer than the one before
PASSES = 5


@dataclass(frozen=True, eq=False)
class VerticalGaps:
    """Vertical distances of a wheel at z = 0 above a rail, as of a right wheel."""

    x: np.ndarray  #: m, (nx,)
    y: np.ndarray  #: in the track, m, (ny,)
    gap: np.ndarray  #: m, (ny, nx)

    def places(self, height: float) -> list[tuple[float, float]]:
        """Weighted means (x, y) of the regions of overlap at a height, m, in the order of y."""
        from scipy.ndimage import label

        depth = np.maximum(0.0, -(self.gap + height))
        regions, count = label(depth > 0.0, structure=np.ones((3, 3)))
        x, y = np.meshgrid(self.x, self.y)
        found = []
        for number in range(1, count + 1):
            weight = np.where(regions == number, depth**2, 0.0)
            found.append((float((weight * x).sum() / weight.sum()), float((weight * y).sum() / weight.sum())))
        return sorted(found, key=lambda place: place[1])


def measure_gaps(
    wheelset: Wheelset,
    track: Track,
    side: str,
    pose: Pose,
    *,
    around: tuple[float, float] | None = None,
    steps: tuple[float, float] = STEPS,
    counts: tuple[int, int] | None = None,
) -> VerticalGaps:
    """Vertical distances over the head of a rail, or around a point (x, y) of it."""
    rail, wheel, seen = track.placed_rail(side), wheelset.wheel_nodes(side), pose.seen_from(side)
    first, last = rail.head
    low, high = float(rail.nodes[1, first]) + MARGIN, float(rail.nodes[1, last]) - MARGIN
    x0, y0 = (0.0, 0.5 * (low + high)) if around is None else around
    nx, ny = counts or (round(LENGTH / steps[0]) | 1, int((high - low) / steps[1]) | 1)
    arc, z = rail.find_point(y0)
    left, down = -0.5 * (nx - 1) * steps[0], -0.5 * (ny - 1) * steps[1]
    gap = np.empty((ny, nx))
    reach = wheel[1] + wheelset.offset + seen.y
    begin = float(wheel[0, int(np.argmin(np.abs(reach - (y0 + down))))])
    frame, radius = (x0, y0, z, 0.0, arc), wheelset.radius
    position = (seen.y, radius, radius, wheelset.offset, begin)
    fill_plane_gaps(wheel, rail.nodes, frame, position, seen.rotation, (left, down, *steps), gap)
    if rail.curvature:
        add_roller_fall(rail.nodes, frame, rail.curvature, (left, down, *steps), gap)
    return VerticalGaps(
        x0 + left + steps[0] * np.arange(nx), y0 + down + steps[1] * np.arange(ny), np.minimum(gap, FAR)
    )


def touch_by_brute_force(wheelset: Wheelset, track: Track, side: str, pose: Pose) -> float:
    """Height of the wheelset at which its wheel first touches, m, from ever finer lattices."""
    found, steps = measure_gaps(wheelset, track, side, pose), STEPS
    for _ in range(PASSES):
        row, column = np.unravel_index(int(np.argmin(found.gap)), found.gap.shape)
        around = float(found.x[column]), float(found.y[row])
        steps = steps[0] / FINER, steps[1] / FINER
        count = 4 * round(FINER) + 1
        found = measure_gaps(wheelset, track, side, pose, around=around, steps=steps, counts=(count, count))
    return -float(found.gap.min())
