"""A grid for the contact patch of a wheel that stands on a bridge, from Hertz's ellipse."""

from __future__ import annotations

import numpy as np

from traction.errors import InputError
from traction.grid import Grid
from traction.materials import Pair
from traction.theory import hertz
from traction.trains.bridge import Bridge
from traction.trains.wheel import Wheel

ELEMENTS = 48  #: per direction
ROOM = 1.35  #: of the grid over the ellipse
GROWTH = 1.5
LEAST_CURVATURE = 0.05  #: of the wheel's, that a bent bridge leaves of it for the estimate
SMALL = 1e-3  #: of the wheel's radius, where its lateral curvature is first looked at
LOOKS = 4


def choose_grid(wheel: Wheel, place: float, bridge: Bridge, force: float) -> Grid:
    """A grid that holds the patch of a wheel at a place (m) under a force (N), about."""
    beam = bridge.beam
    moment = float(beam.influence(place).moment(place))
    curvature = force * moment / beam.segment_at(place).bending_stiffness
    along = max(1.0 / wheel.radius - curvature, LEAST_CURVATURE / wheel.radius)
    b = SMALL * wheel.radius
    pair = Pair(wheel.material, bridge.material)
    for _ in range(LOOKS):
        a, b = hertz.ellipse(1.0 / along, relative_radius(wheel, bridge, "y", b), pair, force=force).semi_axes
    return Grid(ELEMENTS, ELEMENTS, 2.0 * ROOM * a / ELEMENTS, 2.0 * ROOM * b / ELEMENTS)


def hertz_patch(wheel: Wheel, bridge: Bridge, force: float) -> hertz.EllipseContact:
    """Hertz's contact of a wheel on the straight bridge; parabolas that meet the profiles at its edge."""
    pair = Pair(wheel.material, bridge.material)
    a = b = SMALL * wheel.radius
    for _ in range(LOOKS):
        radii = relative_radius(wheel, bridge, "x", a), relative_radius(wheel, bridge, "y", b)
        found = hertz.ellipse(*radii, pair, force=force)
        a, b = found.semi_axes
    return found


def hertz_strip(wheel: Wheel, bridge: Bridge, force: float, length: float | None) -> hertz.LineContact:
    """The same in line contact, under a force (N/m), with the approach of a strip of `length` (m)."""
    pair = Pair(wheel.material, bridge.material)
    a = SMALL * wheel.radius
    for _ in range(LOOKS):
        found = hertz.line(relative_radius(wheel, bridge, "x", a), pair, force=force, length=length)
        a = found.half_width
    return found


def enlarge_grid(grid: Grid, times: int) -> Grid:
    """The grid with larger elements, after so many attempts that were too small."""
    size = GROWTH**times
    return Grid(grid.nx, grid.ny, size * grid.dx, size * grid.dy)


def relative_radius(wheel: Wheel, bridge: Bridge, axis: str, reach: float) -> float:
    """Of the parabola through the distance at `reach` on either side along x or y, m."""
    offsets, zero = np.array((-reach, 0.0, reach)), np.zeros(3)
    x, y = (offsets, zero) if axis == "x" else (zero, offsets)
    height = wheel.tread.height(x, y)
    if bridge.rail_profile is not None:
        height = height + bridge.rail_profile.height(x, y)
    bend = height[0] + height[2] - 2.0 * height[1]
    if not bend > 0.0:
        where = "across" if axis == "y" else "along"
        raise InputError(
            f"wheel and rail do not curve apart {where} the track, so that the patch has no end there: give "
            "a crowned profile, or grid=tr.Grid.line(...) for a contact per metre of width."
        )
    return float(reach**2 / bend)
