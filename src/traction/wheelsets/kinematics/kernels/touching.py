"""Where both wheels of a wheelset touch their rails, at a lateral shift and without yaw.

Without yaw the lowest points of the wheels lie in the plane of the axle, and two curves touch: the wheel's
profile, turned by the roll angle, and the rail. The vertical distance is lowest where their directions agree.

Lengths are in m, angles in rad.
"""

import math
from typing import NamedTuple

import numpy as np

from traction.compiled import kernel
from traction.wheelsets.geometry.kernels.curve_points import arc_at, point_on

HALVINGS = 50  #: of the interval in which the directions agree
NEWTON = 40  #: steps for the roll angle
SURE = 1e-13  #: height at which both wheels count as touching, m
CANDIDATE = 1e-6  #: minima within this height of the lowest one are compared exactly, m
TOUCHED, BESIDE, AT_END, UNSETTLED = 0, 1, 2, 3  #: how a search ended


class SideNodes(NamedTuple):
    """A wheel and its rail, as of a right one: rows s, y, z and tangent (y, z) at nodes along both."""

    wheel: np.ndarray
    rail: np.ndarray
    first: int  #: node of the rail where its head begins
    last: int


@kernel
def touch_both(shifts, right, left, frame, rolls, work, found):
    """Fill a row of `found` for each lateral shift; return the worst status.

    frame: nominal radius, and y of the origin of the right wheel's profile; rolls: whether the wheelset
    rolls, or each wheel touches on its own at roll 0; work: (2, 6).

    Row: roll, height, then for the right and the left wheel y of its profile, rolling radius, y in the track,
    angle of the rail; the last two as of a right wheel. Rows that end badly are NaN.
    """
    worst = TOUCHED
    for k in range(shifts.size):
        status = touch_at(shifts[k], right, left, frame, rolls, work, found[k])
        if status != TOUCHED:
            for i in range(found.shape[1]):
                found[k, i] = math.nan
        worst = max(worst, status)
    return worst


@kernel
def touch_at(y, right, left, frame, rolls, work, row):
    """Find the roll angle at which both wheels touch, by Newton's rule in an interval that shrinks."""
    low, high, roll = -0.2, 0.2, 0.0
    one, other = work[0], work[1]
    for _ in range(NEWTON):
        status = touch_one(right, y, roll, frame, one)
        if status != TOUCHED:
            return status
        status = touch_one(left, -y, -roll, frame, other)
        if status != TOUCHED:
            return status
        off = one[0] - other[0]
        if not rolls or abs(off) <= SURE or high - low < 1e-15:
            row[0], row[1] = roll, 0.5 * (one[0] + other[0])
            for i in range(4):
                row[2 + i], row[6 + i] = one[1 + i], other[1 + i]
            return TOUCHED
        if off > 0.0:
            high = roll
        else:
            low = roll
        roll -= off / (one[5] + other[5])
        if not low < roll < high:
            roll = 0.5 * (low + high)
    return UNSETTLED


@kernel
def touch_one(side, y, roll, frame, found):
    """Fill height, y of the profile, rolling radius, y in the track, angle and d height/d roll of a touch."""
    n = side.wheel.shape[1]
    lowest, turn = math.inf, (math.cos(roll), math.sin(roll))
    for i in range(n):
        gap = rough_gap(side, i, y, turn, frame)
        if gap < lowest:
            lowest = gap
    if lowest == math.inf:
        return BESIDE
    best = math.inf
    before, gap = math.inf, rough_gap(side, 0, y, turn, frame)
    for i in range(n):
        after = rough_gap(side, i + 1, y, turn, frame) if i + 1 < n else math.inf
        if gap <= lowest + CANDIDATE and gap <= before and gap <= after:
            if i == 0 or i == n - 1 or before == math.inf or after == math.inf:
                return AT_END
            s, k = lowest_between(side, i, y, turn, frame)
            height, slope, _ = gap_at(side, k, s, y, turn, frame)
            if height < best:
                best = height
                yw, zw, _, _ = point_on(side.wheel, k, s)
                across, down = yw + frame[1], zw - frame[0]
                found[0], found[1], found[2] = -height, yw, frame[0] - zw
                found[3] = y + turn[0] * across - turn[1] * down
                found[4] = math.atan(slope)
                lever = found[3] - y  # the wheel moves up by it, and along the rail by its height, per angle
                found[5] = -lever - slope * (turn[1] * across + turn[0] * down)
        before, gap = gap, after
    return TOUCHED


@kernel
def rough_gap(side, i, y, turn, frame):
    """Vertical distance at node i of the wheel when the wheelset is at height 0, with chords for the rail."""
    c, t = turn
    across, down = side.wheel[1, i] + frame[1], side.wheel[2, i] - frame[0]
    at = y + c * across - t * down
    rail, first, last = side.rail, side.first, side.last
    if c * side.wheel[3, i] <= t * side.wheel[4, i] or not rail[1, first] <= at <= rail[1, last]:
        return math.inf
    j = piece_below(rail, first, last, at)
    width = rail[1, j + 1] - rail[1, j]
    share = (at - rail[1, j]) / width if width > 0.0 else 0.0
    below = rail[2, j] + share * (rail[2, j + 1] - rail[2, j])
    return frame[0] + t * across + c * down - below


@kernel
def piece_below(rail, first, last, y):
    """The piece of the rail between its nodes first and last, along which y grows, that holds y."""
    low, high = first, last
    while high - low > 1:
        middle = (low + high) // 2
        if rail[1, middle] <= y:
            low = middle
        else:
            high = middle
    return low


@kernel
def gap_at(side, k, s, y, turn, frame):
    """Vertical distance at arc length s of the wheel, slope of the rail there, and slope of the distance."""
    yw, zw, dy, dz = point_on(side.wheel, k, s)
    c, t = turn
    across, down = yw + frame[1], zw - frame[0]
    at, up = y + c * across - t * down, frame[0] + t * across + c * down
    rail, first, last = side.rail, side.first, side.last
    j = piece_below(rail, first, last, at)
    _, below, ry, rz = point_on(rail, j, arc_at(rail, j, at))
    slope = rz / ry if ry > 0.0 else math.copysign(1e9, rz)
    turned = c * dy - t * dz
    wheel = (t * dy + c * dz) / turned if turned > 0.0 else math.copysign(1e9, dz)
    return up - below, slope, wheel - slope


@kernel
def lowest_between(side, i, y, turn, frame):
    """Arc length and piece of the wheel where the distance is lowest, between the neighbours of node i."""
    low, high = side.wheel[0, i - 1], side.wheel[0, i + 1]
    s, k = side.wheel[0, i], i
    for _ in range(HALVINGS):
        k = i - 1 if s < side.wheel[0, i] else i
        _, _, slope = gap_at(side, k, s, y, turn, frame)
        if slope > 0.0:
            high = s
        else:
            low = s
        s = 0.5 * (low + high)
    return s, (i - 1 if s < side.wheel[0, i] else i)
