"""Contact patches as layers of a map, and a wheelset on its rails with the patches where they are."""

from __future__ import annotations

import math

import numpy as np

import traction as tr
from traction.contact.friction.tangential_contact import TangentialContact
from traction.studio.messages import Facts, NumberArray, describe_axis

STATES = ["no contact", "stick", "slip"]
ARROWS = {"x": "traction_x", "y": "traction_y"}
DIGITS = 4  #: of fields

NEAR = 0.075  #: half of the width of what is drawn of a profile, m
HEAD = 0.072  #: width of a rail's head, m
MOST_POINTS = 300  #: of a profile
SIGNS = {"left": 1.0, "right": -1.0}  #: of y


def describe_patch(found: TangentialContact) -> Facts:
    """Axes, layers and arrows of a solved patch."""
    normal = found.normal
    tx, ty = np.asarray(found.traction)
    slip = np.hypot(*np.asarray(found.slip))
    contact = np.asarray(normal.contact, dtype=bool)
    states = np.where(contact, np.where(found.stick, 1, 2), 0)
    bound = float(np.abs(np.stack((tx, ty))).max()) or 1.0
    peak = float(normal.pressure.max()) or 1.0
    slipping = np.where(contact & ~np.asarray(found.stick, dtype=bool), slip, 0.0)
    layers = [
        _layer("pressure", "pressure", "Pa", "positive", 0.0, peak, normal.pressure),
        _layer("traction_x", "traction along x", "Pa", "signed", -bound, bound, tx),
        _layer("traction_y", "traction along y", "Pa", "signed", -bound, bound, ty),
        _layer("traction", "magnitude of the traction", "Pa", "positive", 0.0, bound, np.hypot(tx, ty)),
        _layer("slip", "relative slip", "", "positive", 0.0, float(slipping.max()) or 1.0, slipping),
        {**_layer("state", "stick and slip", "", "state", 0, 2, states), "names": STATES},
    ]
    return {
        "x": describe_axis("x", "rolling direction", "m", np.ravel(normal.grid.x)),
        "y": describe_axis("y", "lateral", "m", np.ravel(normal.grid.y)),
        "layers": layers,
        "arrows": ARROWS,
    }


def share_sticking(found: TangentialContact) -> float:
    """Share of the contact that sticks."""
    inside = np.asarray(found.normal.contact, dtype=bool)
    return float(np.asarray(found.stick, dtype=bool)[inside].mean()) if inside.any() else 0.0


def _layer(name: str, label: str, unit: str, kind: str, low: float, high: float, values: np.ndarray) -> Facts:
    words = {"name": name, "label": label, "unit": unit, "kind": kind}
    return {**words, "low": low, "high": high, "values": NumberArray(values, DIGITS)}


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
