"""Wheels that stand on a bridge, with what is known of each; what cannot be solved for is refused here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from traction import checks
from traction.beams.beam_description import place_on
from traction.contact.normal.press import press
from traction.errors import InputError
from traction.grid import Grid
from traction.materials import Pair
from traction.quantities import counted
from traction.resting.patch_grid import estimated_forces
from traction.resting.rest_result import PLACES, STEEPEST, profile
from traction.status import Status
from traction.trains.bridge import Bridge
from traction.trains.wheel import Wheel

MOST_ELEMENTS = 2**21  #: of all patches; each step solves for every place under a wheel on them
TOO_SMALL = (Status.EDGE, Status.TINY_GRID)  #: of a contact that its grid does not hold
HOPELESS = 1.0  #: slope of the bridge, at which its theory says nothing
Wheels = Wheel | Sequence[Wheel]


@dataclass(frozen=True)
class Stand:
    """One wheel, where it stands, and what is known of it."""

    wheel: Wheel
    place: float
    force: float | None
    drop: float | None


def stands_on(
    wheel: Wheels, bridge: Bridge, at: Any, force: Any, drop: Any, grid: Grid | None
) -> tuple[list[Stand], np.ndarray]:
    """The wheels, and about their forces (N); see `tr.rest`."""
    stands = _stands(wheel, bridge, at, force, drop)
    if grid is not None:
        _require_few(grid, len(stands))
        _require_room(grid, stands, bridge)
    forces = estimated_forces(stands, bridge)
    _require_small(stands, bridge, forces)
    return stands, forces


def _stands(wheel: Wheels, bridge: Bridge, at: Any, force: Any, drop: Any) -> list[Stand]:
    wheels = list(wheel) if isinstance(wheel, list | tuple) else [checks.instance("wheel", wheel, Wheel)]
    if not wheels:
        raise InputError("wheel is empty; give at least one.")
    n = len(wheels)
    places, forces, drops = _each("at", at, n), _each("force", force, n), _each("drop", drop, n)
    stands = []
    for k, one in enumerate(wheels):
        checks.instance(f"wheel[{k}]", one, Wheel)
        if (forces[k] is None) == (drops[k] is None):
            raise InputError(f"wheel {k} needs either a force or a drop; give one, and None for the other.")
        if forces[k] is not None:
            checks.positive("force", forces[k], "N", "a wheel can only press.")
        if drops[k] is not None:
            checks.positive("drop", drops[k], "m", "without it the wheel does not touch.")
        stands.append(Stand(one, place_on("at", places[k], bridge.beam.length), forces[k], drops[k]))
    return stands


def _each(name: str, value: Any, n: int) -> list[Any]:
    values = list(value) if np.ndim(value) or isinstance(value, tuple | list) else [value] * n
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


def _require_room(grid: Grid, stands: list[Stand], bridge: Bridge) -> None:
    """Refuse a grid that does not hold the patch of a wheel on the straight bridge."""
    for k, stand in enumerate(stands):
        if stand.force is None:
            continue
        pair = Pair(stand.wheel.material, bridge.material)
        surface = profile(stand.wheel, bridge, grid)
        found = press(surface, grid, pair, force=stand.force, on_failure="return")
        if found.status in TOO_SMALL:
            size = f"{grid.nx * grid.dx:.4g} m" + ("" if grid.is_line else f" x {grid.ny * grid.dy:.4g} m")
            raise InputError(
                f"grid of {size} is smaller than the patch of wheel {k} under {stand.force:.6g} "
                f"{'N/m' if grid.is_line else 'N'}: enlarge the grid, or leave it out."
            )


def _require_small(stands: list[Stand], bridge: Bridge, forces: np.ndarray) -> None:
    """Refuse wheels under which the bridge would bend out of all proportion."""
    bending = bridge.beam.bend([(float(one), stand.place) for one, stand in zip(forces, stands, strict=True)])
    x = np.linspace(0.0, bridge.beam.length, PLACES)
    slope, deepest = (float(np.abs(one(x)).max()) for one in (bending.slope, bending.deflection))
    if slope > HOPELESS:
        raise InputError(
            f"the bridge would bend by {deepest:.3g} m with a slope of {slope:.3g} under the wheels, far "
            f"beyond the {STEEPEST} of small deflections: stiffen it, or reduce the load."
        )
