"""Forces of the patches in balance with what is given: a height, or a vertical force with friction in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from traction.materials import Pair
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.patches.motion import Motion
from traction.wheelsets.patches.pressing import (
    PressedSides,
    press_at_height,
    press_by_force,
    press_coarsely,
)
from traction.wheelsets.patches.rolling import (
    Friction,
    RolledPatch,
    find_creeps,
    guess_leans,
    roll_patches,
)
from traction.wheelsets.patches.wheel_side import WheelSide

ROUNDS = 12  #: of pressing and rolling
BALANCED = 1e-5  #: error of the vertical force, over the force
STEADY = 1e-9  #: change of the pitch rate of pure rolling, relative
TURNS = 15  #: of the roll angle
LEVEL = 1e-9  #: difference of the heights that two wheels need, m


@dataclass(frozen=True, eq=False)
class Rolling:
    """How the wheelset moves and what computes its tangential contact."""

    motion: Motion
    pitch_rate: float | None  #: that of pure rolling if None, rad/s
    friction: Friction
    coefficient: float  #: of friction, for a first guess of the tangential forces
    pair: Pair
    steps: tuple[float, float]  #: of the elements, m


@dataclass(frozen=True, eq=False)
class Balance:
    """Patches of one or two wheels, with all forces."""

    pose: Pose
    pitch_rate: float  #: rad/s
    patches: tuple[RolledPatch, ...]
    rounds: int  #: of pressing and rolling

    @property
    def vertical_force(self) -> float:
        """Sum of the vertical forces on the wheels, N."""
        return sum(float(patch.track_force[2]) for patch in self.patches)


def balance_at_height(sides: Sequence[WheelSide], height: float, rolling: Rolling) -> Balance:
    """Forces of wheels at a height."""
    return _roll(sides, press_at_height(sides, height, rolling.pair, rolling.steps), rolling, 1)


def balance_force(sides: Sequence[WheelSide], force: float, rolling: Rolling) -> Balance:
    """Height and forces of wheels under a vertical force, N.

    The tangential force along an inclined surface carries a part of it. Its ratio to the normal force hardly
    depends on the height, so that pressing and rolling by turns settles quickly.
    """
    pressed = press_coarsely(sides, force, rolling.pair, rolling.steps)
    leans: list[float] = []
    if rolling.coefficient > 0.0:
        pose, radius = sides[0].pose.raised(pressed.height), sides[0].wheelset.radius
        creeps, _ = find_creeps(pressed.patches, pose, radius, rolling.motion, rolling.pitch_rate)
        leans = guess_leans(pressed.patches, creeps, rolling.coefficient)
        pressed = _lean(sides, pressed, leans)
    for number in range(1, ROUNDS + 1):
        pressed = press_by_force(sides, force, rolling.pair, rolling.steps, pressed.height, leans)
        found = _roll(sides, pressed, rolling, number)
        if abs(found.vertical_force - force) <= BALANCED * force:
            break
        leans = [patch.lean for patch in found.patches]
        pressed = _lean(sides, pressed, leans)
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


def _roll(sides: Sequence[WheelSide], pressed: PressedSides, rolling: Rolling, rounds: int) -> Balance:
    """Tangential contact of pressed patches."""
    pose, radius = sides[0].pose.raised(pressed.height), sides[0].wheelset.radius
    creeps, rate = find_creeps(pressed.patches, pose, radius, rolling.motion, rolling.pitch_rate)
    rolled = roll_patches(pressed.patches, creeps, rolling.friction)
    return Balance(pose, rate, tuple(rolled), rounds)


def _lean(sides: Sequence[WheelSide], pressed: PressedSides, leans: Sequence[float]) -> PressedSides:
    """The height at which patches that lean otherwise carry the force, by the power law of Hertz."""
    touching = max(side.touching_height for side in sides)
    before = pressed.vertical_force
    patches = tuple(replace(patch, lean=lean) for patch, lean in zip(pressed.patches, leans, strict=True))
    after = replace(pressed, patches=patches).vertical_force
    if not (before > 0.0 and after > 0.0):
        return pressed
    depth = (touching - pressed.height) * (before / after) ** (2.0 / 3.0)
    return PressedSides(touching - depth, patches)
