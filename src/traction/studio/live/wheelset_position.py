"""A wheelset that is dragged over the rails, laterally and in yaw: both wheels' patches follow."""

from __future__ import annotations

from functools import cache

import traction as tr
from traction.studio.live.drags import DragChoice, DragHandle, Given, describe_handles, read_switch
from traction.studio.patch_scenes import describe_scene

LATERAL = DragHandle("y", "lateral shift, to the left", "m", 0.0, -8e-3, 8e-3, 0.1e-3)
YAW = DragHandle("yaw", "yaw, to the left", "rad", 0.0, -30e-3, 30e-3, 0.5e-3)
LOAD = DragHandle("load", "axle load", "N", 120e3, 5e3, 300e3, 5e3)
FRICTION = DragHandle("friction", "coefficient of friction", "", 0.3, 0.01, 1.0, 0.01)
STEP = DragHandle("step", "size of the elements", "m", 0.5e-3, 0.2e-3, 2e-3)
WHEEL = DragChoice("wheel", "wheel profile", "S1002", ("S1002",))
RAIL = DragChoice("rail", "rail profile", "60E1", ("60E1", "60E2"))
RADIUS, CANT = 0.46, 1.0 / 40.0

Facts = dict[str, object]


def describe() -> Facts:
    """The handles."""
    return {"parameters": describe_handles((LATERAL, YAW, LOAD, FRICTION, STEP, WHEEL, RAIL))}


def solve(given: Given) -> Facts:
    """Patches of both wheels, and the profiles where they are."""
    y, yaw, load, friction, step = (one.read(given) for one in (LATERAL, YAW, LOAD, FRICTION, STEP))
    maps, bodies = read_switch(given, "maps"), place_bodies(WHEEL.read(given), RAIL.read(given))
    found = tr.wheel_rail(
        *bodies, y=y, yaw=yaw, force=load, friction=friction, dx=step, dy=step, on_failure="return"
    )
    return describe_scene(bodies, found, maps=maps)


@cache
def place_bodies(wheel: str, rail: str) -> tuple[tr.Wheelset, tr.Track]:
    """Wheelset and track of standard profiles."""
    wheelset = tr.Wheelset(tr.Profile.standard(wheel), radius=RADIUS)
    return wheelset, tr.Track(tr.Profile.standard(rail), cant=CANT)
