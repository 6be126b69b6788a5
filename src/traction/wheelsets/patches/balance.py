"""Forces of the patches in balance with what is given: a height, or a vertical force with friction in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from traction.materials import Pair
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.patches.contact_plane import ContactPlane
from traction.wheelsets.patches.motion import Motion
from traction.wheelsets.patches.pressing import (
    PressedSides,
    guess_height,
    press_at_height,
    press_together,
    require_bearable,
)
from traction.wheelsets.patches.rolling import (
    Friction,
    RolledPatch,
    find_creeps,
    roll_patches,
)
from traction.wheelsets.patches.wheel_side import WheelSide

BALANCED = 1e-5  #: error of the vertical force, over the force
COARSE = 12  #: elements across the overlap of the grids on which a height is first found
COARSE_BALANCE = 2e-3  #: error of the vertical force on them
COARSE_TOLERANCE = 1e-3  #: of the contact on them
SETTLED = (
    1e-3  #: largest correction of the overlap with planes held, relative: they are then off by some 1e-6 m
)
COARSE_SETTLED = 2e-2  #: the same on coarse grids
CONTRACTION = 0.5  #: of the corrections from one round to the next, above which a height is searched for
ROUNDS = 12  #: of laying planes, pressing and rolling
SEARCHES = 60  #: for a height
SHALLOW = 1e-7  #: least depth with which a search begins, m
STEADY = 1e-9  #: change of the pitch rate of pure rolling, relative
TURNS = 15  #: of the roll angle
LEVEL = 1e-9  #: difference of the heights that two wheels need, m


@dataclass(frozen=True, eq=False)
class Rolling:
    """How the wheelset moves and what computes its tangential contact."""

    motion: Motion
    pitch_rate: float | None  #: that of pure rolling if None, rad/s
    friction: Friction
    guess: Friction  #: the same by coarse means, to find the height
    pair: Pair
    steps: tuple[float, float]  #: of the elements, m


@dataclass(frozen=True, eq=False)
class Balance:
    """Patches of one or two wheels, with all forces."""

    pose: Pose
    pitch_rate: float  #: rad/s
    patches: tuple[RolledPatch, ...]

    @property
    def vertical_force(self) -> float:
        """Sum of the vertical forces on the wheels, N."""
        return sum(float(patch.track_force[2]) for patch in self.patches)


def balance_at_height(
    sides: Sequence[WheelSide], height: float, rolling: Rolling, most: int | None = None
) -> Balance:
    """Forces of wheels at a height; with `most`, on coarse grids of at most so many elements across."""
    tol = 1e-6 if most is None else COARSE_TOLERANCE
    pressed = press_at_height(sides, height, rolling.pair, rolling.steps, most, tol)
    return _roll(sides, pressed, rolling, coarse=most is not None)


def balance_force(sides: Sequence[WheelSide], force: float, rolling: Rolling) -> Balance:
    """Height and forces of wheels under a vertical force, N.

    The tangential force along an inclined surface carries a part of it. As its ratio to the normal force
    hardly depends on the height, the patches are pressed to the force with the ratio of a coarse solution,
    and again with their own. Where planes and ratios depend strongly on the height, as between two patches, the
    height is searched for.
    """
    height = guess_height(sides, force, rolling.pair)
    coarse = press_and_roll(sides, force, rolling, height, (), COARSE)
    if coarse is None:
        coarse = find_height(sides, force, rolling, height, COARSE)
    leans = [patch.lean for patch in coarse.patches]
    found = press_and_roll(sides, force, rolling, _follow_force(sides, coarse, force), leans)
    return find_height(sides, force, rolling, coarse.pose.z, None) if found is None else found


def press_and_roll(
    sides: Sequence[WheelSide],
    force: float,
    rolling: Rolling,
    height: float,
    leans: Sequence[float],
    most: int | None = None,
) -> Balance | None:
    """Press the patches at about a height to the force, and roll them; None where that does not settle.

    The approach that is found corrects the height, and the planes are laid again until they stay. Then
    friction is settled with the planes held; on coarse grids, with `most`, it is only found. `leans` are the
    tangential forces along the surface over the normal ones, patch by patch, to begin with.
    """
    touching, moved = max(side.touching_height for side in sides), math.inf
    tol, settled = (1e-6, SETTLED) if most is None else (COARSE_TOLERANCE, COARSE_SETTLED)
    planes: list[ContactPlane] = []
    found: Balance | None = None
    for _ in range(ROUNDS):
        if not planes:
            planes = [plane for side in sides for plane in side.planes(height, rolling.steps, most)]
            slopes = [*leans, *[0.0] * len(planes)][: len(planes)]
        normals = [patch.pressed.normal for patch in found.patches] if found else ()
        pressed = press_together(planes, slopes, height, force, rolling.pair, tol=tol, starts=normals)
        off = abs(pressed.height - height)
        if off > settled * (touching - pressed.height):
            if off > CONTRACTION * moved or touching <= pressed.height:
                return None
            height, moved, planes, found = pressed.height, off, [], None
            continue
        found = _roll(sides, pressed, rolling, found.patches if found else (), coarse=most is not None)
        if most is not None or abs(found.vertical_force - force) <= BALANCED * force:
            return found
        slopes = [patch.lean for patch in found.patches]
    return None


def _follow_force(sides: Sequence[WheelSide], found: Balance, force: float) -> float:
    """Height at which the force is carried, from one nearby by the power law of Hertz, m."""
    touching, carried = max(side.touching_height for side in sides), found.vertical_force
    if not carried > 0.0:
        return found.pose.z
    return touching - (touching - found.pose.z) * (force / carried) ** (2.0 / 3.0)


def find_height(
    sides: Sequence[WheelSide], force: float, rolling: Rolling, height: float, most: int | None
) -> Balance:
    """Search for the height at which the vertical force is that given: by secants, kept between bounds."""
    touching = max(side.touching_height for side in sides)
    low, high = (0.0, -force), (math.inf, math.inf)  # depths, and what the force is too much there
    last, depth = low, max(touching - height, SHALLOW)
    allowed = (BALANCED if most is None else COARSE_BALANCE) * force
    for _ in range(SEARCHES):
        require_bearable(depth, force)
        found = balance_at_height(sides, touching - depth, rolling, most)
        excess = found.vertical_force - force
        if abs(excess) <= allowed:
            break
        now = depth, excess
        low, high = (low, now) if excess > 0.0 else (now, high)
        slope = (excess - last[1]) / (depth - last[0]) if depth != last[0] else 0.0
        if last[1] == -force and excess > -force:  # the first step follows the power law of Hertz
            depth *= (force / (excess + force)) ** (2.0 / 3.0)
        elif slope > 0.0:
            depth -= excess / slope
        last = now
        if not low[0] < depth < high[0]:
            depth = 2.0 * low[0] if math.isinf(high[0]) else 0.5 * (low[0] + high[0])
        if abs(depth - now[0]) <= 1e-13:
            break
    return found


def balance_both(sides: Sequence[WheelSide], forces: Sequence[float], rolling: Rolling) -> list[Balance]:
    """Height, roll angle and forces of a wheelset whose wheels carry given vertical forces, N.

    Each wheel needs a height of the wheelset; the roll angle is found at which both need the same. Returns
    the balance of each wheel.
    """
    sides = [side.with_roll(level_wheels(sides)) for side in sides]
    last: tuple[float, float] | None = None
    slope = sides[0].track.gauge
    held = rolling
    for _ in range(TURNS):
        found = [balance_force([side], force, held) for side, force in zip(sides, forces, strict=True)]
        roll, off = sides[0].pose.roll, found[0].pose.z - found[1].pose.z
        pressed = [patch.pressed for one in found for patch in one.patches]
        _, rate = find_creeps(
            pressed, found[0].pose, sides[0].wheelset.radius, rolling.motion, rolling.pitch_rate
        )
        settled = held.pitch_rate is not None and abs(rate - held.pitch_rate) <= STEADY * abs(rate)
        held = replace(rolling, pitch_rate=rate)
        if settled and abs(off) <= LEVEL:
            break
        if last is not None and roll != last[0]:
            slope = (last[1] - off) / (roll - last[0])
        last = roll, off
        sides = [side.with_roll(roll + off / slope) for side in sides]
    return found


def level_wheels(sides: tuple[WheelSide, WheelSide]) -> float:
    """Roll angle at which both rigid wheels touch at the same height, rad."""
    roll, slope = sides[0].pose.roll, sides[0].track.gauge
    last: tuple[float, float] | None = None
    for _ in range(TURNS):
        left, right = (side.with_roll(roll).touching_height for side in sides)
        off = left - right
        if not math.isfinite(off) or abs(off) <= LEVEL:
            break
        if last is not None and roll != last[0]:
            slope = (last[1] - off) / (roll - last[0])
        last, roll = (roll, off), roll + off / slope
    return roll


def _roll(
    sides: Sequence[WheelSide],
    pressed: PressedSides,
    rolling: Rolling,
    starts: Sequence[RolledPatch] = (),
    *,
    coarse: bool = False,
) -> Balance:
    """Tangential contact of pressed patches."""
    pose, radius = sides[0].pose.raised(pressed.height), sides[0].wheelset.radius
    creeps, rate = find_creeps(pressed.patches, pose, radius, rolling.motion, rolling.pitch_rate)
    friction = rolling.guess if coarse else rolling.friction
    rolled = roll_patches(pressed.patches, creeps, friction, starts)
    return Balance(pose, rate, tuple(rolled))
