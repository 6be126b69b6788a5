"""Wheels that stand on a bridge, with their given quantities, and grids for their contact patches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from traction import checks
from traction.beams.beam_description import place_on
from traction.beams.exact.statics import Bending
from traction.contact.normal.press import solve_press
from traction.errors import InputError
from traction.grid import Grid
from traction.materials import Pair
from traction.quantities import counted, indexed
from traction.resting.rest_result import PLACES, STEEPEST, profile
from traction.status import Status
from traction.theory import hertz
from traction.trains.bridge import Bridge
from traction.trains.vehicle import Wheel

ELEMENTS = 48  #: per direction
ROOM = 1.35  #: of the grid over the ellipse
GROWTH = 1.5  #: of a grid that was too small
LEAST_LOAD = 1e-2  #: of the largest force, for which the grid of a wheel is made
LEAST_CURVATURE = 0.05  #: of the wheel's, that remains on a bent bridge in the estimate
SMALL = 1e-3  #: of the wheel's radius, where its lateral curvature is first evaluated
LOOKS = 4
MOST_ELEMENTS = 2**21  #: of all patches; each step solves for every point under a wheel on them
TOO_SMALL = (Status.EDGE, Status.TINY_GRID)  #: of a contact that its grid does not contain
HOPELESS = 1.0  #: slope of the bridge, at which beam theory fails
MOST_STEPS, LEAST_PART, CLOSE = 60, 1e-4, 1e-6  #: of the search for the approaches of wheels that are held
Wheels = Wheel | Sequence[Wheel]
PerWheel = float | Sequence[float | None] | np.ndarray | None  #: one value for all wheels, or one for each


def choose_grid(wheel: Wheel, place: float, bridge: Bridge, force: float) -> Grid:
    """A grid that contains the patch of a wheel at a position (m) under a force (N), estimated."""
    beam = bridge.beam
    moment = float(beam.influence(place).moment(place))
    curvature = force * moment / beam.segment_at(place).bending_stiffness
    along = max(1.0 / wheel.radius - curvature, LEAST_CURVATURE / wheel.radius)
    a, b = hertz_patch(wheel, bridge, force, 1.0 / along).semi_axes
    return Grid(ELEMENTS, ELEMENTS, 2.0 * ROOM * a / ELEMENTS, 2.0 * ROOM * b / ELEMENTS)


def hertz_patch(
    wheel: Wheel, bridge: Bridge, force: float, along: float | None = None
) -> hertz.EllipseContact:
    """Hertz contact of a wheel on the straight bridge; parabolas that meet the profiles at its edge.

    On a bent one the relative radius `along` the track is given, m.
    """
    pair = Pair(wheel.material, bridge.material)
    a = b = SMALL * wheel.radius
    for _ in range(LOOKS):
        x = relative_radius(wheel, bridge, "x", a) if along is None else along
        found = hertz.ellipse(x, relative_radius(wheel, bridge, "y", b), pair, force=force)
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
    """Radius of the parabola through the distance at `reach` on either side along x or y, m."""
    offsets, zero = np.array((-reach, 0.0, reach)), np.zeros(3)
    x, y = (offsets, zero) if axis == "x" else (zero, offsets)
    height = wheel.tread.height(x, y)
    if bridge.rail_profile is not None:
        height = height + bridge.rail_profile.height(x, y)
    bend = height[0] + height[2] - 2.0 * height[1]
    if not bend > 0.0:
        where = "across" if axis == "y" else "along"
        raise InputError(
            f"wheel and rail have no relative curvature {where} the track, so that the patch is unbounded: "
            "give a crowned profile, or grid=tr.Grid.line(...) for a contact per metre of width."
        )
    return float(reach**2 / bend)


@dataclass(frozen=True)
class PlacedWheel:
    """One wheel, its position, and its given force or drop."""

    wheel: Wheel
    place: float
    force: float | None
    drop: float | None


def place_wheels(
    wheel: Wheels, bridge: Bridge, at: PerWheel, force: PerWheel, drop: PerWheel, grid: Grid | None
) -> tuple[list[PlacedWheel], np.ndarray]:
    """The wheels, and estimates of their forces (N); see `tr.rest`."""
    stands = _check_wheels(wheel, bridge, at, force, drop)
    if grid is not None:
        _require_few(grid, len(stands))
        _require_room(grid, stands, bridge)
    forces = estimate_forces(stands, bridge)
    _require_small(stands, bridge, forces)
    return stands, forces


def _check_wheels(
    wheel: Wheels, bridge: Bridge, at: PerWheel, force: PerWheel, drop: PerWheel
) -> list[PlacedWheel]:
    wheels = list(wheel) if isinstance(wheel, list | tuple) else [checks.instance("wheel", wheel, Wheel)]
    if not wheels:
        raise InputError("wheel is empty; give at least one.")
    n = len(wheels)
    given = {"at": at, "force": force, "drop": drop}
    places, forces, drops = (_spread_values(name, value, n) for name, value in given.items())
    stands = []
    for k, one in enumerate(wheels):
        checks.instance(f"wheel[{k}]", one, Wheel)
        if (forces[k] is None) == (drops[k] is None):
            raise InputError(
                f"{indexed('wheel', k)} needs either a force or a drop; give one, and None for the other."
            )
        if forces[k] is not None:
            checks.positive("force", forces[k], "N", "a wheel can only press.")
        if drops[k] is not None:
            checks.positive("drop", drops[k], "m", "otherwise the wheel does not touch.")
        stands.append(PlacedWheel(one, place_on("at", places[k], bridge.beam.length), forces[k], drops[k]))
    return stands


def _spread_values(name: str, value: PerWheel, n: int) -> list[float | None]:
    several = isinstance(value, tuple | list) or np.ndim(cast(float, value))
    values = list(cast(Sequence[float | None], value)) if several else [cast(float | None, value)] * n
    if len(values) != n:
        raise InputError(
            f"{name} has {counted(len(values), 'value')} for {counted(n, 'wheel')}; give one for each."
        )
    return values


def _require_few(grid: Grid, wheels: int) -> None:
    """Refuse grids on which a solution would take many minutes."""
    elements = wheels * checks.instance("grid", grid, Grid).nx * grid.ny
    if elements > MOST_ELEMENTS:
        raise InputError(
            f"grid = {grid.nx} x {grid.ny} has {elements} elements for {counted(wheels, 'wheel')}, at most "
            f"{MOST_ELEMENTS}: choose larger elements, or a smaller grid around the patch."
        )


def _require_room(grid: Grid, stands: list[PlacedWheel], bridge: Bridge) -> None:
    """Refuse a grid that does not contain the patch of a wheel on the straight bridge."""
    for k, stand in enumerate(stands):
        if stand.force is None:
            continue
        pair = Pair(stand.wheel.material, bridge.material)
        surface = profile(stand.wheel, bridge, grid)
        found = solve_press(surface, grid, pair, force=stand.force, on_failure="return")
        if found.status in TOO_SMALL:
            size = f"{grid.nx * grid.dx:.4g} m" + ("" if grid.is_line else f" x {grid.ny * grid.dy:.4g} m")
            raise InputError(
                f"grid of {size} is smaller than the patch of {indexed('wheel', k)} under {stand.force:.6g} "
                f"{'N/m' if grid.is_line else 'N'}: enlarge the grid, or leave it out."
            )


def _require_small(stands: list[PlacedWheel], bridge: Bridge, forces: np.ndarray) -> None:
    """Refuse wheels under which the bridge would bend excessively."""
    bending = bend_under(stands, bridge, forces)
    x = np.linspace(0.0, bridge.beam.length, PLACES)
    slope, deepest = (float(np.abs(one(x)).max()) for one in (bending.slope, bending.deflection))
    if slope > HOPELESS:
        raise InputError(
            f"the bridge would bend by {deepest:.3g} m with a slope of {slope:.3g} under the wheels, far "
            f"beyond the {STEEPEST} of small deflections: stiffen it, or reduce the load."
        )


def choose_grids(stands: list[PlacedWheel], bridge: Bridge, forces: np.ndarray, attempt: int) -> list[Grid]:
    """Grids of patches that each carry at least a part of the largest force, also for one in the air.

    On a slope w' a wheel touches at -R w' from its centre: where the first grid misses that, others follow.
    """
    least = LEAST_LOAD * float(forces.max())
    bending = bend_under(stands, bridge, forces)
    grids = []
    for stand, force in zip(stands, forces, strict=True):
        chosen = choose_grid(stand.wheel, stand.place, bridge, max(float(force), least))
        chosen = enlarge_grid(chosen, attempt)
        aside = -stand.wheel.radius * float(bending.slope(stand.place))
        grids.append(replace(chosen, center=(aside, 0.0)) if attempt else chosen)
    return grids


def bend_under(stands: list[PlacedWheel], bridge: Bridge, forces: np.ndarray) -> Bending:
    """The bridge under point forces (N) of the wheels."""
    return bridge.beam.bend([(float(one), stand.place) for one, stand in zip(forces, stands, strict=True)])


def estimate_forces(stands: list[PlacedWheel], bridge: Bridge) -> np.ndarray:
    """Forces of the wheels, N: the given ones, or estimates from their drops.

    A wheel with the drop d has the approach a = d - G F, with the deflections G of the bridge under all
    wheels by unit forces and F = k max(0, a)^(3/2) of each, or the given one: Newton's method for a.
    """
    given = np.array([stand.force or 0.0 for stand in stands])
    held = np.array([stand.force is None for stand in stands])
    if not held.any():
        return given
    places = np.array([stand.place for stand in stands])
    soft = np.array([bridge.beam.influence(stand.place).deflection(places) for stand in stands])[held]
    left = np.array([stand.drop for stand in stands if stand.drop is not None]) - soft @ given
    k = np.array([_find_hertz_coefficient(stand, bridge) for stand in stands])[held]
    given[held] = k * np.maximum(0.0, _solve_approaches(left, soft[:, held], k)) ** 1.5
    return given


def _find_hertz_coefficient(stand: PlacedWheel, bridge: Bridge) -> float:
    """k in F = k a^(3/2) of a ball as large as the wheel, N/m^(3/2)."""
    pair, unit = Pair(stand.wheel.material, bridge.material), 1e-3 * stand.wheel.radius
    return hertz.sphere(stand.wheel.radius, pair, approach=unit).force / unit**1.5


def _solve_approaches(left: np.ndarray, soft: np.ndarray, k: np.ndarray) -> np.ndarray:
    """Solve a + soft k max(0, a)^(3/2) = left; an estimate, so that it need not end."""

    def residual(a: np.ndarray) -> np.ndarray:
        return np.asarray(a + soft @ (k * np.maximum(0.0, a) ** 1.5) - left)

    a = left.copy()
    for _ in range(MOST_STEPS):
        slope = np.eye(a.size) + soft * (1.5 * k * np.sqrt(np.maximum(0.0, a)))
        missing = residual(a)
        step = np.linalg.solve(slope, missing)
        part = 1.0
        while np.abs(residual(a - part * step)).max() > np.abs(missing).max() and part > LEAST_PART:
            part *= 0.5
        a = a - part * step
        if np.abs(step).max() <= CLOSE * np.abs(left).max():
            break
    return a
