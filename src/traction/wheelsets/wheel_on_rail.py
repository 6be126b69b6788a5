"""`wheel_on_rail`: the distance of a real wheel from a real rail as a surface, for wheels in motion."""

from __future__ import annotations

import math

import numpy as np

from traction import checks
from traction.errors import InputError
from traction.surfaces import HeightMap
from traction.wheelsets.geometry.kernels.plane_gaps import FAR, fill_plane_gaps
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.patches.wheel_side import WheelSide
from traction.wheelsets.problem import SIDES

LENGTH = 40e-3  #: of the raster ahead and behind, m: a patch of 100 kN with the room that `tr.rest` leaves
WIDTH = 40e-3  #: to either side, as far as the rail reaches, m
STEP = 0.25e-3  #: of the raster, m
STEEPEST = 0.2  #: contact angle up to which the normal counts as vertical, rad
TOUCHING = 1e-6  #: overlap at which the contact point is taken, m


def wheel_on_rail(
    wheelset: Wheelset,
    track: Track,
    *,
    side: str = "right",
    y: float = 0.0,
    yaw: float = 0.0,
    roll: float = 0.0,
) -> HeightMap:
    """Return the distance of a wheel from its rail, as a surface for `tr.Wheel(profile=...)`.

    With it the wheels of `tr.rest`, `tr.cross` and `tr.land` have real profiles on real rails, at a lateral
    offset. The rail's profile is contained: the bridge needs none.

    Parameters
    ----------
    wheelset, track
        Wheel and rail.
    side
        "left" or "right".
    y
        Lateral shift of the wheelset, m, to the left.
    yaw, roll
        Rotations of the wheelset, rad.

    Returns
    -------
    HeightMap
        Distance along the normal of the contact, zero at the contact point, over x forward and y to the left.

    Raises
    ------
    InputError
        If the wheel is beside its rail, or touches at an angle above 0.2 rad, where a vertical force is not a
        normal one.

    Examples
    --------
    >>> wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    >>> track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
    >>> wheel = tr.Wheel(0.46, 500.0, profile=tr.wheel_on_rail(wheelset, track, y=1e-3))
    """
    checks.instance("wheelset", wheelset, Wheelset)
    checks.instance("track", track, Track)
    track.require_rails("a wheel that crosses or stands on a bridge")
    if checks.choice("side", side, tuple(SIDES)) == "both":
        raise InputError('side = "both": a surface is that of one wheel; choose "left" or "right".')
    pose = Pose(
        checks.finite("y", y, "m"), 0.0, checks.finite("yaw", yaw, "rad"), checks.finite("roll", roll, "rad")
    )
    wheel = WheelSide(wheelset, track, side, pose)
    wheel.require_rail()
    plans = wheel.plans(wheel.touching_height - TOUCHING)
    region = max(plans, key=lambda plan: plan.region.depth).region
    if abs(region.angle) > STEEPEST:
        raise InputError(
            f"y = {pose.y:.4g} m: the {side} wheel touches at {region.angle:.3f} rad, above {STEEPEST} rad a "
            "vertical force is not normal to the contact. Reduce the lateral shift, or use tr.wheel_rail."
        )
    x, s, gap = _raster(wheel, region.x, region.y, region.angle)
    if side == "left":
        s, gap = -s[::-1], gap[::-1]
    return HeightMap(x, s, gap - float(gap.min()), interpolation="cubic")


def _raster(
    wheel: WheelSide, x0: float, y0: float, angle: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions along x and s (m) and distances of a right wheel over the plane of its contact point."""
    locus, radius = wheel.locus, wheel.wheelset.radius
    arc, z = locus.rail.find_point(y0)
    ahead, aside = math.ceil(LENGTH / STEP), math.ceil(WIDTH / STEP)
    gap = np.empty((2 * aside + 1, 2 * ahead + 1))
    pose, height = locus.pose, radius + wheel.touching_height
    fill_plane_gaps(
        locus.wheel,
        locus.rail.nodes,
        (x0, y0, z, angle, arc),
        (pose.y, height, radius, wheel.wheelset.offset, locus.wheel_arc(y0 - WIDTH)),
        pose.rotation,
        (-ahead * STEP, -aside * STEP, STEP, STEP),
        gap,
    )
    met = np.flatnonzero((gap < FAR).all(axis=1))
    rows = slice(int(met[0]), int(met[-1]) + 1)
    return STEP * np.arange(-ahead, ahead + 1), (STEP * np.arange(-aside, aside + 1))[rows], gap[rows]
