"""From balanced patches to the result of `tr.wheel_rail`, in the convention of the caller."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.status import Status
from traction.wheelsets.derivatives import differentiate
from traction.wheelsets.geometry.pose import SIGNS, Pose
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.patches.balance import Balance
from traction.wheelsets.patches.rolling import RolledPatch, find_error
from traction.wheelsets.patches.wheel_side import WheelSide
from traction.wheelsets.problem import WheelRailProblem
from traction.wheelsets.rolling_memory import remember
from traction.wheelsets.search.locus import NearMiss
from traction.wheelsets.wheel_rail_contact import (
    TO_CONTACT,
    ContactPatch,
    WheelRailCertificate,
    WheelRailContact,
)


def build_result(problem: WheelRailProblem, balances: Sequence[Balance]) -> WheelRailContact:
    """Assemble and certify the result."""
    wheelset, track = problem.wheelset, problem.track
    pose = balances[0].pose.raised(float(np.mean([one.pose.z for one in balances])))
    rolled = [patch for one in balances for patch in one.patches]
    rolled.sort(key=lambda patch: float(patch.pressed.plane.origin[1]))
    force = np.sum([patch.track_force for patch in rolled], axis=0) if rolled else np.zeros(3)
    moment = np.sum([patch.track_moment(np.zeros(3)) for patch in rolled], axis=0) if rolled else np.zeros(3)
    sides = [side.with_roll(pose.roll) for side in problem.sides]
    certificate = _certify(sides, pose.z, rolled, balances, problem.forces)
    status, message = _judge(rolled, certificate)
    contact = problem.convention == "contact"
    turn = TO_CONTACT if contact else np.ones(3)
    act = -1.0 if contact else 1.0  # CONTACT states forces on the rail
    misses = [
        NearMiss(turn[1] * SIGNS[one.side] * miss.y, turn[2] * miss.z, miss.gap)
        for one in sides
        for miss in one.locus.near_misses(pose.z)
    ]
    return WheelRailContact(
        side=problem.side,
        convention=problem.convention,
        y=turn[1] * pose.y,
        z=turn[2] * pose.z,
        yaw=turn[2] * pose.yaw,
        roll=pose.roll,
        pitch_rate=turn[1] * balances[0].pitch_rate,
        force=act * turn * force,
        moment=act * turn * moment,
        patches=tuple(_describe(patch, pose, wheelset, track, contact) for patch in rolled),
        near_misses=tuple(sorted(misses, key=lambda miss: miss.gap)),
        status=status,
        message=message,
        certificate=certificate,
        radius=wheelset.radius,
        distance=0.0 if problem.memory is None else problem.memory.rolled + problem.distance,
        _differentiate=lambda: differentiate(problem, balances),
        _remember=partial(remember, problem, balances),
    )


def _certify(
    sides: Sequence[WheelSide],
    height: float,
    rolled: Sequence[RolledPatch],
    balances: Sequence[Balance],
    asked: Sequence[float] | None,
) -> WheelRailCertificate:
    """Errors of the solution."""
    plans = [(SIGNS[one.side], plan.region) for one in sides for plan in one.plans(height)]
    planned = [(sign * region.y, region.x) for sign, region in plans]
    lag = 0.0
    for patch in rolled:
        x, y = patch.pressed.plane.mean
        lag = max(lag, min((math.hypot(x - px, y - py) for py, px in planned), default=math.inf))
    return WheelRailCertificate(
        force_error=0.0 if asked is None else _measure_force_error(sides, height, balances, asked),
        reference=lag,
        normal=max((patch.pressed.normal.certificate.largest for patch in rolled), default=0.0),
        tangential=max((find_error(patch.tangential) for patch in rolled), default=0.0),
    )


def _measure_force_error(
    sides: Sequence[WheelSide], height: float, balances: Sequence[Balance], asked: Sequence[float]
) -> float:
    """Largest relative error of the vertical forces at the height of the result.

    Wheels that were balanced alone may need different heights: by Hertz, the force grows with the overlap to
    the power 3/2.
    """
    if len(balances) < len(asked):
        (one,) = balances
        return abs(one.vertical_force / sum(asked) - 1.0)
    errors = []
    for side, one, force in zip(sides, balances, asked, strict=True):
        off, depth = abs(one.pose.z - height), side.touching_height - height
        uneven = 1.5 * off / depth if depth > 0.0 else math.inf
        errors.append(abs(one.vertical_force / force - 1.0) + uneven)
    return max(errors)


def _judge(rolled: Sequence[RolledPatch], certificate: WheelRailCertificate) -> tuple[Status, str]:
    """How the computation ended."""
    for patch in rolled:
        contacts: list[NormalContact | TangentialContact] = [patch.pressed.normal]
        if isinstance(patch.tangential, TangentialContact):
            contacts.append(patch.tangential)
        for one in contacts:
            if not one.ok:
                return one.status, _explain(one, patch.pressed.plane.side)
    if not certificate.holds():
        return Status.STALLED, f"no convergence: {certificate}"
    return Status.CONVERGED, str(Status.CONVERGED)


def _explain(contact: NormalContact | TangentialContact, side: str) -> str:
    """What went wrong in a patch, with what `tr.wheel_rail` can do about it."""
    if isinstance(contact, NormalContact):
        return contact.message
    words = f"friction of a patch of the {side} wheel did not converge ({contact.certificate})"
    interface = contact.interface
    if interface is None or interface.interface.is_constant:
        return f"{words}; use other elements, dx and dy"
    return (
        f"{words}: where friction falls, or a layer softens, more steeply with the slip than elements "
        "resist, solutions are not unique or do not exist. Use smaller elements dx and dy, a longer memory "
        "distance or a lower speed"
    )


def _describe(
    patch: RolledPatch, pose: Pose, wheelset: Wheelset, track: Track, contact: bool
) -> ContactPatch:
    """A patch for users, in their convention."""
    plane, (fx, fs, fn) = patch.pressed.plane, patch.force
    sign = SIGNS[plane.side]
    rail, (x, _, z) = track.placed_rail(plane.side), plane.origin
    on_rail = z + x * math.tan(0.5 * plane.tilt)  # height of the profile; a roller falls by x tan(tilt/2)
    inside = pose.rotation.T @ (plane.origin - pose.center(wheelset.radius))
    on_wheel = inside - np.array([0.0, sign * wheelset.offset, -wheelset.radius])
    turn = TO_CONTACT if contact else np.ones(3)
    xi, eta, phi = patch.creep.creepage
    mx, ms, mn = patch.moment
    act = -1.0 if contact else 1.0
    return ContactPatch(
        side=plane.side,
        place=(
            float(turn[1] * (plane.origin[1] - sign * rail.origin[0])),
            float(turn[2] * (on_rail - rail.origin[1])),
        ),
        wheel_place=tuple((turn * on_wheel).tolist()),
        origin=tuple((turn * plane.origin).tolist()),
        angle=plane.angle,
        creepage=(act * xi, eta, phi),
        speed=patch.creep.speed,
        force=(float(fn), float(act * fx), float(fs)),
        moment=(float(act * mx), float(ms), float(mn)),
        turning=plane.turning,
        normal=patch.pressed.normal,
        tangential=patch.tangential,
    )
