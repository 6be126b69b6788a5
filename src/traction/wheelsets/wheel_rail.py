"""`wheel_rail`: forces between the wheels of a wheelset and the rails, from profiles and a position."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from traction import checks
from traction.contact.normal.press import warn_of_coarse_grid
from traction.contact.rolling.steady_rolling import DISCRETISATIONS
from traction.errors import ConvergenceError, InputError
from traction.materials import STEEL, Pair
from traction.status import Status
from traction.wheelsets.geometry.pose import SIGNS, Pose
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.patches.balance import (
    Balance,
    Rolling,
    balance_at_height,
    balance_both,
    balance_force,
)
from traction.wheelsets.patches.motion import Motion
from traction.wheelsets.patches.rolling import RolledPatch, steady_friction
from traction.wheelsets.patches.wheel_side import WheelSide
from traction.wheelsets.search.locus import NearMiss
from traction.wheelsets.wheel_rail_contact import (
    TO_CONTACT,
    ContactPatch,
    WheelRailCertificate,
    WheelRailContact,
)

SIDES = {"left": ("left",), "right": ("right",), "both": ("left", "right")}
CONVENTIONS = ("traction", "contact")
LARGEST_ANGLE = 0.5  #: of yaw and roll, rad
BEARING = 0.1  #: share of the force of a patch whose coarse grid is worth a warning


@dataclass(frozen=True, eq=False)
class Position:
    """Checked position and motion of a wheelset, in x forward, y left, z up."""

    pose: Pose
    motion: Motion
    pitch_rate: float | None
    roll_is_free: bool


def wheel_rail(
    wheelset: Wheelset,
    track: Track,
    *,
    side: str = "both",
    y: float = 0.0,
    yaw: float = 0.0,
    roll: float | None = None,
    force: float | Sequence[float] | None = None,
    z: float | None = None,
    speed: float = 1.0,
    pitch_rate: float | None = None,
    velocity: Sequence[float] = (0.0, 0.0),
    rates: Sequence[float] = (0.0, 0.0),
    friction: float = 0.3,
    pair: Pair | None = None,
    dx: float = 0.2e-3,
    dy: float = 0.2e-3,
    discretisation: str = "classical",
    convention: str = "traction",
    on_failure: str = "raise",
) -> WheelRailContact:
    """Compute contact patches and forces of a wheelset on a track, from its position and load.

    Parameters
    ----------
    wheelset, track
        What rolls, and on what.
    side
        "left", "right" or "both" wheels.
    y
        Lateral shift of the centre of the wheelset, m, to the left.
    yaw, roll
        Rotations of the wheelset about z and then about x, rad. By default `roll` is 0 for one wheel, and for
        both wheels found so that each carries its force.
    force
        Vertical force, N: of the wheel, or of both together, half on each; two numbers (left, right) give
        each wheel its own. Exactly one of `force` and `z` is given.
    z
        Height of the centre of the wheelset, m, upwards from where the nominal radius would roll on the
        rails' tops.
    speed
        Forward speed of the centre, m/s. Only ratios of velocities matter.
    pitch_rate
        Rate of rotation about the axle, rad/s, positive in forward rolling. By default that of pure rolling:
        no longitudinal slip in the mean over all patches, weighted by their normal forces.
    velocity
        Velocity (y, z) of the centre, m/s.
    rates
        Roll rate and yaw rate, rad/s, about the axes of the wheelset.
    friction
        Coefficient of friction mu.
    pair
        Materials of wheel and rail; steel on steel by default.
    dx, dy
        Size of the elements along x and along the surface, m.
    discretisation
        "classical": whole cells, as in CONTACT. "covered": elements that end at the true edge of the contact.
    convention
        "contact" takes inputs and returns results in x forward, y right, z down with forces on the rails, as
        CONTACT does; all in SI units.
    on_failure
        "raise", or "return" to get a result that did not converge, with its status.

    Returns
    -------
    WheelRailContact
        Patches with location, creepages and contact fields; total force and moment; height.

    Raises
    ------
    InputError
        If a wheel is beside its rail, the height lies far from contact, or the force is more than the
        profiles carry.
    ConvergenceError
        If the result does not pass its certificate; the error carries it.

    Notes
    -----
    Where wheel and rail can touch follows from the contact locus (Wang 1984), the points of the wheel whose
    normals lie across the track. Each region in which the undeformed bodies overlap is a patch: its reference
    point and contact angle are means over the overlap, weighted by its square, and there lie the centre of an
    element and a plane in which the half space is solved (Vollebregt, CONTACT). Creepages are those of the
    rigid wheelset at that point, over the mean of forward and circumferential speed. The height is found by
    Newton's method on the vertical force, tangential forces included.

    Examples
    --------
    >>> wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    >>> track = tr.Track(tr.Profile.standard("UIC60-benchmark"))
    >>> c = tr.wheel_rail(wheelset, track, side="left", y=-2e-3, force=10e3, dx=0.5e-3, dy=0.5e-3)
    >>> patch = c.patches[0]
    >>> print(f"{patch.peak_pressure / 1e6:.0f} MPa at y = {patch.place[0] * 1e3:.2f} mm on the rail")
    466 MPa at y = -4.01 mm on the rail
    """
    wheelset, track = _check_bodies(wheelset, track)
    names = SIDES[checks.choice("side", side, tuple(SIDES))]
    checks.choice("convention", convention, CONVENTIONS)
    checks.choice("discretisation", discretisation, DISCRETISATIONS)
    checks.choice("on_failure", on_failure, ("raise", "return"))
    flip = -1.0 if convention == "contact" else 1.0
    position = _check_position(y, yaw, roll, speed, pitch_rate, velocity, rates, side, force, flip)
    mu = checks.at_least("friction", friction, 0.0, "", "it is the coefficient mu, 0.3 for dry steel.")
    direction = 1 if position.motion.speed > 0.0 else -1
    rolling = Rolling(
        position.motion,
        position.pitch_rate,
        steady_friction(mu, discretisation, direction),
        steady_friction(mu, "classical", direction),
        Pair(STEEL, STEEL) if pair is None else checks.instance("pair", pair, Pair),
        (checks.positive("dx", dx, "m"), checks.positive("dy", dy, "m")),
    )
    sides = [WheelSide(wheelset, track, name, position.pose) for name in names]
    given = checks.exactly_one(force=force, z=z)
    if given == "z":
        balances = [_solve_height(sides, flip * checks.finite("z", z, "m"), rolling, flip)]
        asked = None
    else:
        asked = _check_force(force, len(sides))
        balances = _solve_force(sides, asked, rolling, position.roll_is_free)
    result = _build(wheelset, track, side, balances, asked, convention)
    if on_failure == "raise" and not result.ok:
        raise ConvergenceError(f"{result.message[0].upper()}{result.message[1:]}.", result)
    for patch in result.patches:
        if patch.normal.force >= BEARING * abs(float(result.force[2])):
            warn_of_coarse_grid(patch.normal)
    return result


def _check_bodies(wheelset: object, track: object) -> tuple[Wheelset, Track]:
    return (
        checks.instance("wheelset", wheelset, Wheelset, "such as tr.Wheelset(profile, radius=0.46)."),
        checks.instance("track", track, Track, "such as tr.Track(profile)."),
    )


def _check_position(
    y: object,
    yaw: object,
    roll: object,
    speed: object,
    pitch_rate: object,
    velocity: object,
    rates: object,
    side: str,
    force: object,
    flip: float,
) -> Position:
    """The position in x forward, y left, z up; `flip` is -1 where it is given in CONTACT's axes."""
    angles = {"yaw": yaw, "roll": 0.0 if roll is None else roll}
    for name, value in angles.items():
        if abs(checks.finite(name, value, "rad")) > LARGEST_ANGLE:
            raise InputError(
                f"{name} = {value} rad must lie between -{LARGEST_ANGLE} and {LARGEST_ANGLE}; check the unit."
            )
    ahead = checks.finite("speed", speed, "m/s")
    if ahead == 0.0:
        raise InputError("speed = 0 m/s: a wheelset that stands has no creepages; give the forward speed.")
    vy, vz = _check_pair("velocity", velocity, "(vy, vz)", "m/s")
    roll_rate, yaw_rate = _check_pair("rates", rates, "(roll rate, yaw rate)", "rad/s")
    pose = Pose(
        flip * checks.finite("y", y, "m"),
        0.0,
        flip * float(angles["yaw"]),
        float(angles["roll"]),  # type: ignore[arg-type]
    )
    return Position(
        pose,
        Motion(ahead, (flip * vy, flip * vz), (roll_rate, flip * yaw_rate)),
        None if pitch_rate is None else flip * checks.finite("pitch_rate", pitch_rate, "rad/s"),
        side == "both" and roll is None and force is not None,
    )


def _check_pair(name: str, value: object, words: str, unit: str) -> tuple[float, float]:
    first, second = checks.pair(name, value, f"two numbers {words} in {unit}")
    return checks.finite(f"{name}[0]", first, unit), checks.finite(f"{name}[1]", second, unit)


def _check_force(force: object, wheels: int) -> tuple[float, ...]:
    """Vertical forces of the wheels, N."""
    remedy = "it is the vertical force that presses the wheel on the rail."
    if np.ndim(force) == 0:  # type: ignore[arg-type]
        return (checks.positive("force", force, "N", remedy) / wheels,) * wheels
    if wheels == 1:
        raise InputError(f'force = {checks.shown(force)} must be a number; two are for side="both".')
    pair = checks.pair("force", force, "a number, or the forces (left, right) in N")
    return tuple(checks.positive(f"force[{k}]", one, "N", remedy) for k, one in enumerate(pair))


def _solve_height(sides: Sequence[WheelSide], height: float, rolling: Rolling, flip: float) -> Balance:
    """Forces at a given height; far above the rails and in contact with the other sign is an error."""
    for side in sides:
        side.require_rail()
    touching = max(side.touching_height for side in sides)
    if height > touching and -height < touching:
        raise InputError(
            f"z = {flip * height:.6g} m is {height - touching:.3g} m above where a wheel touches, and with "
            "the other sign it would touch: z counts upwards"
            + (" here." if flip > 0 else ' with convention "traction", downwards with "contact".')
        )
    return balance_at_height(sides, height, rolling)


def _solve_force(
    sides: Sequence[WheelSide], forces: Sequence[float], rolling: Rolling, roll_is_free: bool
) -> list[Balance]:
    """Forces under given loads; of both wheels, with the roll angle found or held."""
    for side in sides:
        side.require_rail()
    if roll_is_free:
        return balance_both(sides, forces, rolling)
    return [balance_force(sides, sum(forces), rolling)]


def _build(
    wheelset: Wheelset,
    track: Track,
    side: str,
    balances: Sequence[Balance],
    asked: Sequence[float] | None,
    convention: str,
) -> WheelRailContact:
    """Assemble and certify the result."""
    pose = balances[0].pose.raised(float(np.mean([one.pose.z for one in balances])))
    rolled = [patch for one in balances for patch in one.patches]
    rolled.sort(key=lambda patch: float(patch.pressed.plane.origin[1]))
    force = np.sum([patch.track_force for patch in rolled], axis=0) if rolled else np.zeros(3)
    moment = np.sum([patch.track_moment(np.zeros(3)) for patch in rolled], axis=0) if rolled else np.zeros(3)
    sides = [WheelSide(wheelset, track, name, pose) for name in SIDES[side]]
    certificate = _certify(sides, pose.z, rolled, balances, asked)
    status, message = _judge(rolled, certificate)
    contact = convention == "contact"
    turn = TO_CONTACT if contact else np.ones(3)
    act = -1.0 if contact else 1.0  # CONTACT states forces on the rail
    misses = [
        NearMiss(turn[1] * SIGNS[one.side] * miss.y, turn[2] * miss.z, miss.gap)
        for one in sides
        for miss in one.locus.near_misses(pose.z)
    ]
    return WheelRailContact(
        side=side,
        convention=convention,
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
    )


def _certify(
    sides: Sequence[WheelSide],
    height: float,
    rolled: Sequence[RolledPatch],
    balances: Sequence[Balance],
    asked: Sequence[float] | None,
) -> WheelRailCertificate:
    """Errors of the solution."""
    error = 0.0
    if asked is not None:
        wanted = asked if len(balances) == len(asked) else [sum(asked)]
        error = max(
            abs(one.vertical_force - force) / force for one, force in zip(balances, wanted, strict=True)
        )
    plans = [(SIGNS[one.side], plan.region) for one in sides for plan in one.plans(height)]
    planned = [(sign * region.y, region.x) for sign, region in plans]
    lag = 0.0
    for patch in rolled:
        x, y, _ = patch.pressed.plane.origin
        lag = max(lag, min((math.hypot(x - px, y - py) for py, px in planned), default=math.inf))
    return WheelRailCertificate(
        force_error=error,
        reference=lag,
        normal=max((patch.pressed.normal.certificate.largest for patch in rolled), default=0.0),
        tangential=max((patch.tangential.certificate.largest for patch in rolled), default=0.0),
    )


def _judge(rolled: Sequence[RolledPatch], certificate: WheelRailCertificate) -> tuple[Status, str]:
    """How the computation ended."""
    for patch in rolled:
        for one in (patch.pressed.normal, patch.tangential):
            if not one.ok:
                return one.status, one.message
    if not certificate.holds():
        return Status.STALLED, f"no convergence: {certificate}"
    return Status.CONVERGED, str(Status.CONVERGED)


def _describe(
    patch: RolledPatch, pose: Pose, wheelset: Wheelset, track: Track, contact: bool
) -> ContactPatch:
    """A patch for users, in their convention."""
    plane, (fx, fs, fn) = patch.pressed.plane, patch.force
    sign = SIGNS[plane.side]
    rail = track.placed_rail(plane.side).origin
    inside = pose.rotation.T @ (plane.origin - pose.center(wheelset.radius))
    on_wheel = inside - np.array([0.0, sign * wheelset.offset, -wheelset.radius])
    turn = TO_CONTACT if contact else np.ones(3)
    xi, eta, phi = patch.creep.creepage
    mx, ms, mn = patch.moment
    act = -1.0 if contact else 1.0
    return ContactPatch(
        side=plane.side,
        place=(
            float(turn[1] * (plane.origin[1] - sign * rail[0])),
            float(turn[2] * (plane.origin[2] - rail[1])),
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
