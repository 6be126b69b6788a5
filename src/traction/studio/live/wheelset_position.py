"""A wheelset that is dragged over the rails, laterally and in yaw: both wheels' patches follow."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

import traction as tr
from traction.studio.json_text import NumberArray
from traction.studio.live.parameters import DragChoice, DragHandle, Given, describe_handles, read_switch
from traction.studio.live.patch_layers import describe_patch, share_sticking

LATERAL = DragHandle("y", "lateral shift, to the left", "m", 0.0, -8e-3, 8e-3, 0.1e-3)
YAW = DragHandle("yaw", "yaw, to the left", "rad", 0.0, -30e-3, 30e-3, 0.5e-3)
LOAD = DragHandle("load", "axle load", "N", 120e3, 5e3, 300e3, 5e3)
FRICTION = DragHandle("friction", "coefficient of friction", "", 0.3, 0.01, 1.0, 0.01)
STEP = DragHandle("step", "size of the elements", "m", 0.5e-3, 0.2e-3, 2e-3)
WHEEL = DragChoice("wheel", "wheel profile", "S1002", ("S1002",))
RAIL = DragChoice("rail", "rail profile", "60E1", ("60E1", "60E2"))
RADIUS, CANT = 0.46, 1.0 / 40.0
NEAR = 0.075  #: half of the width of what is drawn of a profile, m
SIGNS = {"left": 1.0, "right": -1.0}  #: of y

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
    return {
        "sides": {side: _describe_side(found, side, maps) for side in SIGNS},
        "profiles": draw_profiles(*bodies, found),
        "y": y,
        "yaw": yaw,
        "z": found.z,
        "roll": found.roll,
        "ok": found.ok,
        "message": "" if found.ok else found.message,
    }


@cache
def place_bodies(wheel: str, rail: str) -> tuple[tr.Wheelset, tr.Track]:
    """Wheelset and track of standard profiles."""
    wheelset = tr.Wheelset(tr.Profile.standard(wheel), radius=RADIUS)
    return wheelset, tr.Track(tr.Profile.standard(rail), cant=CANT)


def draw_profiles(wheelset: tr.Wheelset, track: tr.Track, found: tr.WheelRailContact) -> Facts:
    """Wheels and rails in the cross-section of the track: y to the left, z up, m."""
    c, s = math.cos(found.roll), math.sin(found.roll)
    drawn: Facts = {}
    for side, sign in SIGNS.items():
        rail = track.placed_rail(side).nodes[1:3] * [[-sign], [1.0]]
        points = wheelset.wheel_nodes(side)[1:3]
        across, up = -sign * (points[0] + wheelset.offset), points[1] - wheelset.radius
        wheel = np.stack((found.y + c * across - s * up, wheelset.radius + found.z + s * across + c * up))
        drawn[side] = {"wheel": _outline(wheel, sign, track), "rail": _outline(rail, sign, track)}
    return drawn


def _outline(points: np.ndarray, sign: float, track: tr.Track) -> Facts:
    """What of a profile lies near the rail's head."""
    near = np.abs(points[0] - sign * 0.5 * (track.gauge + 0.072)) <= NEAR
    kept = points[:, near][:, :: max(1, int(near.sum()) // 300)]
    return {"y": NumberArray(kept[0]), "z": NumberArray(kept[1])}


def _describe_side(found: tr.WheelRailContact, side: str, maps: bool) -> Facts:
    patches = [one for one in found.patches if one.side == side]
    radii = [found.radius - one.wheel_place[2] for one in patches]
    forces = [one.force[0] for one in patches]
    total = sum(forces)
    rolling = sum(r * f for r, f in zip(radii, forces, strict=True)) / total if total else None
    return {
        "patches": [_describe_contact(one, maps) for one in patches],
        "rolling_radius": rolling,
        "normal_force": total,
    }


def _describe_contact(patch: tr.ContactPatch, maps: bool) -> Facts:
    solved = patch.tangential
    assert isinstance(solved, tr.TangentialContact)  # no simplified theory was asked for
    facts: Facts = {
        "place": list(patch.place),
        "origin": list(patch.origin[1:]),
        "angle": patch.angle,
        "creepage": list(patch.creepage),
        "force": list(patch.force),
        "peak_pressure": float(patch.peak_pressure),
        "stick_share": share_sticking(solved),
        "elements": patch.elements,
    }
    return facts | (describe_patch(solved) if maps else {})
