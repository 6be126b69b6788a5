"""A wheelset on its rails: the profiles where they are, and the patches of each wheel."""

from __future__ import annotations

import math

import numpy as np

import traction as tr
from traction.studio.json_text import NumberArray
from traction.studio.patches.patch_layers import describe_patch, share_sticking

NEAR = 0.075  #: half of the width of what is drawn of a profile, m
HEAD = 0.072  #: width of a rail's head, m
MOST_POINTS = 300  #: of a profile
SIGNS = {"left": 1.0, "right": -1.0}  #: of y

Facts = dict[str, object]


def describe_scene(
    bodies: tuple[tr.Wheelset, tr.Track], found: tr.WheelRailContact, side: str = "both", maps: bool = True
) -> Facts:
    """Profiles and patches of one wheel or both."""
    shown = tuple(SIGNS) if side == "both" else (side,)
    return {
        "sides": {one: _describe_side(found, one, maps) for one in shown},
        "profiles": {one: _draw_profiles(*bodies, found, one) for one in shown},
        "y": found.y,
        "yaw": found.yaw,
        "z": found.z,
        "roll": found.roll,
        "ok": found.ok,
        "message": "" if found.ok else found.message,
    }


def _draw_profiles(wheelset: tr.Wheelset, track: tr.Track, found: tr.WheelRailContact, side: str) -> Facts:
    """Wheel and rail in the cross-section of the track: y to the left, z up, m."""
    c, s, sign = math.cos(found.roll), math.sin(found.roll), SIGNS[side]
    rail = track.placed_rail(side).nodes[1:3] * [[-sign], [1.0]]
    points = wheelset.wheel_nodes(side)[1:3]
    across, up = -sign * (points[0] + wheelset.offset), points[1] - wheelset.radius
    wheel = np.stack((found.y + c * across - s * up, wheelset.radius + found.z + s * across + c * up))
    return {"wheel": _outline(wheel, sign, track), "rail": _outline(rail, sign, track)}


def _outline(points: np.ndarray, sign: float, track: tr.Track) -> Facts:
    """What of a profile lies near the rail's head."""
    near = np.abs(points[0] - sign * 0.5 * (track.gauge + HEAD)) <= NEAR
    kept = points[:, near][:, :: max(1, int(near.sum()) // MOST_POINTS)]
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
