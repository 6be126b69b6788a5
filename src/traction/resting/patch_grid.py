"""A grid for the contact patch of a wheel that stands on a bridge, from Hertz's ellipse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from traction.errors import InputError
from traction.grid import Grid
from traction.materials import Pair
from traction.theory import hertz
from traction.trains.bridge import Bridge
from traction.trains.wheel import Wheel

if TYPE_CHECKING:
    from traction.resting.standing_wheels import Stand

ELEMENTS = 48  #: per direction
ROOM = 1.35  #: of the grid over the ellipse
GROWTH = 1.5
LEAST_CURVATURE = 0.05  #: of the wheel's, that a bent bridge leaves of it for the estimate
SMALL = 1e-3  #: of the wheel's radius, where its lateral curvature is first looked at
LOOKS = 4
MOST_STEPS, LEAST_PART, CLOSE = 60, 1e-4, 1e-6  #: of the search for the approaches of wheels that are held


def estimated_forces(stands: list[Stand], bridge: Bridge) -> np.ndarray:
    """Forces of the wheels, N: the given ones, or about what contacts and bridge make of their drops.

    A wheel that is held d down has the approach a = d - G F, with the deflections G of the bridge under all
    wheels by unit forces and F = k max(0, a)^(3/2) of each, or the given one: Newton's method for a.
    """
    given = np.array([stand.force or 0.0 for stand in stands])
    held = np.array([stand.force is None for stand in stands])
    if not held.any():
        return given
    places = np.array([stand.place for stand in stands])
    soft = np.array([bridge.beam.influence(stand.place).deflection(places) for stand in stands])[held]
    left = np.array([stand.drop for stand in stands if stand.drop is not None]) - soft @ given
    k = np.array([_hertz_coefficient(stand, bridge) for stand in stands])[held]
    given[held] = k * np.maximum(0.0, _approaches(left, soft[:, held], k)) ** 1.5
    return given


def _hertz_coefficient(stand: Stand, bridge: Bridge) -> float:
    """k in F = k a^(3/2) of a ball as large as the wheel, N/m^(3/2)."""
    pair, unit = Pair(stand.wheel.material, bridge.material), 1e-3 * stand.wheel.radius
    return hertz.sphere(stand.wheel.radius, pair, approach=unit).force / unit**1.5


def _approaches(left: np.ndarray, soft: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Solve a + soft k max(0, a)^(3/2) = left; an estimate, so that it need not end."""

    def lacks(a: np.ndarray) -> np.ndarray:
        return np.asarray(a + soft @ (k * np.maximum(0.0, a) ** 1.5) - left)

    a = left.copy()
    for _ in range(MOST_STEPS):
        slope = np.eye(a.size) + soft * (1.5 * k * np.sqrt(np.maximum(0.0, a)))
        missing, step = lacks(a), np.linalg.solve(slope, lacks(a))
        part = 1.0
        while np.abs(lacks(a - part * step)).max() > np.abs(missing).max() and part > LEAST_PART:
            part *= 0.5
        a = a - part * step
        if np.abs(step).max() <= CLOSE * np.abs(left).max():
            break
    return a


def patch_grid(stand: Stand, bridge: Bridge, force: float) -> Grid:
    """A grid that holds the patch of a wheel under a force (N), about."""
    beam = bridge.beam
    curvature = beam.influence(stand.place).moment(stand.place)
    bent = force * float(curvature) / beam.segment_at(stand.place).bending_stiffness
    along = max(1.0 / stand.wheel.radius - bent, LEAST_CURVATURE / stand.wheel.radius)
    b = SMALL * stand.wheel.radius
    pair = Pair(stand.wheel.material, bridge.material)
    for _ in range(LOOKS):
        a, b = hertz.ellipse(
            1.0 / along, relative_radius(stand.wheel, bridge, "y", b), pair, force=force
        ).semi_axes
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


def enlarged(grid: Grid, times: int) -> Grid:
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
