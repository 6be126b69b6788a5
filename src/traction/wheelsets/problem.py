"""`WheelRailProblem`: checked input of `tr.wheel_rail`, in x forward, y left, z up."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from traction import checks
from traction.contact.rolling.steady_rolling import DISCRETISATIONS
from traction.contact.tables.creep_table import CreepTable
from traction.errors import InputError
from traction.materials import STEEL, Pair
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.patches.balance import Balance, balance_at_height, balance_force
from traction.wheelsets.patches.contact_batches import BatchedRolling, ContactBatches
from traction.wheelsets.patches.free_roll import balance_both
from traction.wheelsets.patches.rail_friction import RailFriction
from traction.wheelsets.patches.rail_memory import RailMemory
from traction.wheelsets.patches.rolling import (
    Rolling,
    coarse_friction,
    quick_friction,
    steady_friction,
    table_friction,
)
from traction.wheelsets.patches.tasks import Solving, solve_singly
from traction.wheelsets.patches.transient_friction import transient_friction
from traction.wheelsets.patches.wheel_side import WheelSide
from traction.wheelsets.patches.wheelset_motion import FollowedMotion, WheelsetMotion

SIDES = {"left": ("left",), "right": ("right",), "both": ("left", "right")}
CONVENTIONS = ("traction", "contact")
TANGENTIAL = ("half-space", "fastsim")
LARGEST_ANGLE = 0.5  #: of yaw and roll, rad
MOST_ELEMENTS = 400_000  #: of a patch 10 mm long and wide
USUAL = 10e-3  #: m
COARSEST = 5e-3  #: size of an element, m
MOST_ROLLED = 900  #: elements in a step of transient rolling
LIKELY = 2e-4  #: overlap of wheels that are pressed on rails, at most, m

Given = Mapping[str, object]


@dataclass(frozen=True, eq=False)
class WheelRailProblem:
    """One or two wheels at a position, and either their height or their forces."""

    wheelset: Wheelset
    track: Track
    side: str
    pose: Pose  #: its height counts where no forces are given
    rolling: Rolling
    forces: tuple[float, ...] | None  #: of the wheels, vertical, N
    roll_is_free: bool
    convention: str
    surface: RailFriction
    direction: int  #: of rolling, 1 or -1
    memory: RailMemory | None = None  #: of the position before, in transient rolling
    distance: float = 0.0  #: rolled since then, m

    @cached_property
    def sides(self) -> list[WheelSide]:
        """The wheels."""
        return self.sides_at(self.pose)

    def sides_at(self, pose: Pose) -> list[WheelSide]:
        """The wheels at another position."""
        return [WheelSide(self.wheelset, self.track, name, pose, self.memory) for name in SIDES[self.side]]

    def solving(self) -> Solving[list[Balance]]:
        """All patches with their forces: of both wheels together, or of each where roll is free."""
        for side in self.sides:
            side.require_rail()
        if self.forces is None:
            self._require_sign()
            return [(yield from balance_at_height(self.sides, self.pose.z, self.rolling))]
        if self.roll_is_free:
            found = yield from balance_both(self.sides, self.forces, self.rolling)
            for side in self.sides:
                side.with_roll(found[0].pose.roll).require_rail()
            return found
        return [(yield from balance_force(self.sides, sum(self.forces), self.rolling))]

    def open_batches(self, device: str) -> ContactBatches:
        """Batches for the contacts of this position and others like it."""
        known = BatchedRolling(self.surface, self.direction) if self.rolling.by_whole_cells else None
        return ContactBatches(self.rolling.pair, self.rolling.steps, known, device)

    def solve_at(self, pose: Pose, motion: WheelsetMotion, pitch_rate: float) -> Balance:
        """Patches and forces at another position and motion, at its height."""
        rolling = replace(self.rolling, motion=motion, pitch_rate=pitch_rate)
        return solve_singly(balance_at_height(self.sides_at(pose), pose.z, rolling))

    def _require_sign(self) -> None:
        """Raise an error for a height above the rails that would be one of contact with the other sign."""
        touching, height = max(side.touching_height for side in self.sides), self.pose.z
        if not (height > touching and 0.0 < touching + height <= LIKELY):
            return
        given, sense = (height, "upwards") if self.convention == "traction" else (-height, "downwards")
        raise InputError(
            f"z = {given:.6g} m: the wheels hang {height - touching:.3g} m above the rails, and with the "
            f'other sign they would touch. With convention "{self.convention}" z counts {sense}.'
        )


def check_problem(
    wheelset: object, track: object, given: Given, before: RailMemory | None = None
) -> WheelRailProblem:
    """Check the arguments of `tr.wheel_rail`; errors name them. With `before` rolling is transient."""
    wheelset = checks.instance("wheelset", wheelset, Wheelset, "such as tr.Wheelset(profile, radius=0.46).")
    track = checks.instance("track", track, Track, "such as tr.Track(profile).")
    side = checks.choice("side", given["side"], tuple(SIDES))
    convention = checks.choice("convention", given["convention"], CONVENTIONS)
    flip = -1.0 if convention == "contact" else 1.0
    loaded = checks.exactly_one(force=given["force"], z=given["z"]) == "force"
    forces = _check_force(given["force"], len(SIDES[side])) if loaded else None
    height = 0.0 if loaded else flip * checks.finite("z", given["z"], "m")
    roll = given["roll"]
    pose = Pose(
        flip * checks.finite("y", given["y"], "m"),
        height,
        flip * _check_angle("yaw", given["yaw"]),
        0.0 if roll is None else _check_angle("roll", roll),
    )
    rolled = 0.0 if before is None else checks.positive("distance", given["distance"], "m")
    direction = -1 if given["speed"] is not None and checks.finite("speed", given["speed"], "m/s") < 0 else 1
    position = given["position"]
    if position is None:
        position = 0.0 if before is None else before.position + direction * rolled
    surface = RailFriction.check(given["friction"], given["layer"], position)
    rolling = _check_rolling(given, surface, flip, wheelset.radius, before)
    free = side == "both" and roll is None and forces is not None
    return WheelRailProblem(
        wheelset, track, side, pose, rolling, forces, free, convention, surface, direction, before, rolled
    )


def _check_rolling(
    given: Given,
    mu: RailFriction,
    flip: float,
    radius: float,
    before: RailMemory | None,
) -> Rolling:
    speed = given["speed"]
    if speed is None and mu.is_law:
        raise InputError("speed must be given with a friction law, which depends on slip speeds in m/s.")
    ahead = 1.0 if speed is None else checks.finite("speed", speed, "m/s")
    if ahead == 0.0:
        raise InputError("speed = 0 m/s: a wheelset that stands has no creepages; give the forward speed.")
    moving = _check_motion(given, ahead, flip, before)
    pitch = given["pitch_rate"]
    pitch_rate = None if pitch is None else flip * checks.finite("pitch_rate", pitch, "rad/s")
    direction, tangential = 1 if ahead > 0.0 else -1, given["tangential"]
    discretisation = given["discretisation"]
    if discretisation is None:
        discretisation = "classical" if before is None else "covered"
    discretisation = checks.choice("discretisation", discretisation, DISCRETISATIONS)
    guess = coarse_friction(mu, direction)
    if before is not None:
        if tangential != "half-space":
            raise InputError(
                f'tangential = {checks.shown(tangential)}: steps from previous need "half-space".'
            )
        way = _check_way(given["distance"], given["dx"])
        friction = transient_friction(mu, discretisation, direction, way / abs(ahead))
    elif isinstance(tangential, CreepTable):
        mu.require_quick("a table")
        friction = guess = table_friction(tangential, mu, direction)
    elif checks.choice("tangential", tangential, TANGENTIAL) == "fastsim":
        mu.require_quick("FASTSIM")
        friction = guess = quick_friction(mu, direction)
    else:
        friction = steady_friction(mu, discretisation, direction)
    pair = given["pair"]
    return Rolling(
        moving,
        pitch_rate,
        friction,
        guess,
        mu.estimate,
        Pair(STEEL, STEEL) if pair is None else checks.instance("pair", pair, Pair),
        _check_steps(given["dx"], given["dy"], before),
        radius,
        by_whole_cells=before is None and tangential == "half-space" and discretisation == "classical",
    )


def _check_way(distance: object, dx: object) -> float:
    """Distance of a step of transient rolling, m, of not too many elements."""
    way, step = checks.positive("distance", distance, "m"), checks.positive("dx", dx, "m")
    if way > MOST_ROLLED * step:
        raise InputError(
            f"distance = {way:.4g} m is {way / step:.3g} elements of dx, at most {MOST_ROLLED}; after some "
            "contact lengths rolling is steady: leave previous away, or give positions in between."
        )
    return way


def _check_motion(motion: Given, ahead: float, flip: float, before: RailMemory | None) -> WheelsetMotion:
    """Velocities of the wheelset; those that bring it from an earlier position if they are not given."""
    velocity = rates = None
    if motion["velocity"] is not None:
        vy, vz = _check_pair("velocity", motion["velocity"], "(vy, vz)", "m/s")
        velocity = flip * vy, flip * vz
    if motion["rates"] is not None:
        roll_rate, yaw_rate = _check_pair("rates", motion["rates"], "(roll rate, yaw rate)", "rad/s")
        rates = roll_rate, flip * yaw_rate
    if before is None:
        return WheelsetMotion(ahead, velocity or (0.0, 0.0), rates or (0.0, 0.0))
    time = checks.positive("distance", motion["distance"], "m") / abs(ahead)
    return FollowedMotion(ahead, (0.0, 0.0), (0.0, 0.0), before.pose, time, (velocity, rates))


def _check_steps(dx: object, dy: object, before: RailMemory | None = None) -> tuple[float, float]:
    """Size of the elements, m, of which a patch has not too many; those of an earlier position stay."""
    steps = checks.positive("dx", dx, "m"), checks.positive("dy", dy, "m")
    if before is not None and steps != before.steps:
        raise InputError(
            f"dx = {steps[0]:.4g} m, dy = {steps[1]:.4g} m, but previous has elements of "
            f"{before.steps[0]:.4g} x {before.steps[1]:.4g} m; tractions are handed on from element to "
            "element, so keep their size."
        )
    if USUAL**2 > MOST_ELEMENTS * steps[0] * steps[1]:
        finest = USUAL / math.sqrt(MOST_ELEMENTS)
        raise InputError(
            f"dx = {steps[0]:.3g} m, dy = {steps[1]:.3g} m: a patch of 10 mm would have more than "
            f"{MOST_ELEMENTS} elements; {finest:.1g} m is the least size, 2e-4 m is usual."
        )
    if max(steps) > COARSEST:
        raise InputError(
            f"dx = {steps[0]:.3g} m, dy = {steps[1]:.3g} m must be at most {COARSEST} m, the size of a "
            "patch; 2e-4 m is usual."
        )
    return steps


def _check_angle(name: str, value: object) -> float:
    angle = checks.finite(name, value, "rad")
    if abs(angle) > LARGEST_ANGLE:
        raise InputError(
            f"{name} = {angle} rad must lie between -{LARGEST_ANGLE} and {LARGEST_ANGLE}; check the unit."
        )
    return angle


def _check_pair(name: str, value: object, words: str, unit: str) -> tuple[float, float]:
    first, second = checks.pair(name, value, f"two numbers {words} in {unit}")
    return checks.finite(f"{name}[0]", first, unit), checks.finite(f"{name}[1]", second, unit)


def _check_force(force: object, wheels: int) -> tuple[float, ...]:
    """Vertical forces of the wheels, N."""
    remedy = "it is the vertical force that presses the wheel on the rail."
    if not isinstance(force, list | tuple | np.ndarray) or (
        isinstance(force, np.ndarray) and force.ndim == 0
    ):
        return (checks.positive("force", force, "N", remedy) / wheels,) * wheels
    if wheels == 1:
        raise InputError(f'force = {checks.shown(force)} must be a number; two are for side="both".')
    pair = checks.pair("force", force, "a number, or the forces (left, right) in N")
    return tuple(checks.positive(f"force[{k}]", one, "N", remedy) for k, one in enumerate(pair))
