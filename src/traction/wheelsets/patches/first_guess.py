"""Height and tangential forces with which the search for a given vertical force begins.

The height is that of Hertz' formula for the extents of the overlaps, tangential forces are those of the
linear theory for the same extents, saturated: along an inclined surface they carry a part of the load, and
change the height. Of two wheels whose roll angle is free, both are guessed at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from traction.contact.simplified.cubic_saturation import saturate_creep
from traction.materials import Pair
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.patches.contact_plane import ContactPlane, ReferencePoint, find_reference
from traction.wheelsets.patches.patch_pressing import is_bearable
from traction.wheelsets.patches.rolling import Rolling
from traction.wheelsets.patches.wheel_side import MOST_OVERLAP, WheelSide
from traction.wheelsets.patches.wheelset_motion import PatchCreep
from traction.wheelsets.search.locus import Region

FIRST_DEPTH = 2e-5  #: overlap with which the search for a height begins, m
GUESSES = 4  #: of the height by Hertz' formula
FLAT = 0.05  #: contact angle up to which friction carries too little of the load to matter at first, rad
LEAST_UPWARD = 0.5  #: vertical force per normal force with friction, over that without: less is not trusted
LEAST_STEEP = 0.05  #: the same where steps correct it
LEVEL_TURNS = 25  #: of the roll angle of rigid wheels
LEAST_LEVER = 0.1  #: see `bound_slope`, over the gauge
LEVEL = 4e-9  #: difference of the heights at which they touch, m
LEVEL_SHARE = 0.1  #: of the first overlap, to which heights need to be the same where a search begins
STAND_GUESSES = 20  #: of height and roll angle together
SMALL_STEP = 0.05  #: change of the depths by the last one, relative
LEAST_LEFT, MOST_LEFT = 0.2, 8.0  #: of the depth of a wheel after one step of them
HALVINGS = 6  #: of such a step
LEAST_PART, MOST_PART = 0.1, 0.5  #: of a step that led further away
LEAST_FORCE = 1e-6  #: over that given, from which its excess counts
LEAST_DETERMINANT = 1e-6  #: of two equations, over the sum of its products

Lean = tuple[float, float]  #: tangential forces along x and s over the normal force


@dataclass(frozen=True, eq=False)
class GuessedPatch:
    """A patch that was not solved."""

    point: ReferencePoint
    semi_axes: tuple[float, float]  #: of the contact, m
    carried: float  #: normal force at its overlap, N

    @classmethod
    def of(cls, side: WheelSide, region: Region, pair: Pair) -> GuessedPatch:
        """By Hertz: the contact is where half the overlap is left."""
        a, b = _measure_axes(region)
        point = find_reference(side.locus, side.side, region, region.angle)
        return cls(point, (a, b), _carry(region, pair))

    def upward(self, lean: Lean = (0.0, 0.0)) -> float:
        """Vertical force per normal force."""
        ahead, aside, up = self.point.axes[:, 2].tolist()
        return float(up + lean[0] * ahead + lean[1] * aside)


class Stand(NamedTuple):
    """Height and roll angle of a wheelset whose lateral shift and yaw are given."""

    height: float  #: m
    roll: float  #: rad

    def moved(self, step: np.ndarray) -> Stand:
        """After a step of both."""
        return Stand(self.height + float(step[0]), self.roll + float(step[1]))


def find_levers(at: ContactPlane | ReferencePoint, pose: Pose, radius: float) -> tuple[float, float]:
    """How far a wheel moves along the normal of a plane by its height (m/m) and its roll angle (m/rad)."""
    (_, y, z), (_, n_y, n_z) = at.origin.tolist(), at.axes[2].tolist()
    return n_z, n_z * (y - pose.y) - n_y * (z - pose.z - radius)


def guess_height(sides: Sequence[WheelSide], force: float, rolling: Rolling) -> tuple[float, list[Lean]]:
    """Height at which the overlaps carry about the force, friction included, m, and their leans."""
    height = _guess_without_friction(sides, force, rolling.pair)
    touching = max(side.touching_height for side in sides)
    if all(abs(plan.region.angle) <= FLAT for side in sides for plan in side.plans(height)):
        return height, []
    patches = _guess_patches(sides, height, rolling.pair)
    leans = _saturate(sides, patches, height, force, rolling)
    smooth = sum(one.carried * one.upward() for one in patches)
    rough = sum(one.carried * one.upward(lean) for one, lean in zip(patches, leans, strict=True))
    depth = (touching - height) * (smooth / rough) ** (2.0 / 3.0)
    if max(side.find_overlap(touching - depth) for side in sides) > MOST_OVERLAP:
        return height, []  # a guess refuses nothing
    return touching - depth, leans


def _guess_without_friction(sides: Sequence[WheelSide], force: float, pair: Pair) -> float:
    touching, depth = max(side.touching_height for side in sides), FIRST_DEPTH
    for _ in range(GUESSES):
        carried = 0.0
        for side in sides:
            for region in side.locus.regions(touching - depth):
                carried += _carry(region, pair) * math.cos(region.angle)
        if carried <= 0.0:
            break
        deeper = depth * (force / carried) ** (2.0 / 3.0)
        if not is_bearable(sides, touching - deeper):
            break
        depth = deeper
    return touching - depth


def _guess_patches(sides: Sequence[WheelSide], height: float, pair: Pair) -> list[GuessedPatch]:
    return [GuessedPatch.of(side, plan.region, pair) for side in sides for plan in side.plans(height)]


def _measure_axes(region: Region) -> tuple[float, float]:
    """Semi-axes of the contact in an overlap, along x and s, m."""
    length = region.x_range[1] - region.x_range[0]
    return length / math.sqrt(8.0), abs(region.arc_range[1] - region.arc_range[0]) / math.sqrt(8.0)


def _carry(region: Region, pair: Pair) -> float:
    """Normal force of an overlap by Hertz' formula, N."""
    a, b = _measure_axes(region)
    return 4.0 / 3.0 * pair.effective_modulus * math.sqrt(a * b) * region.depth * math.cos(region.angle)


def _saturate(
    sides: Sequence[WheelSide], patches: Sequence[GuessedPatch], height: float, force: float, rolling: Rolling
) -> list[Lean]:
    """Leans of patches; none where friction would take most of what they carry."""
    creeps = _find_creeps(patches, sides[0].pose.raised(height), rolling)
    total = sum(one.carried * one.upward() for one in patches)
    leans: list[Lean] = []
    for one, creep in zip(patches, creeps, strict=True):
        leans.append(_saturate_patch(one, one.carried * force / total, creep, rolling))
    return leans


def _saturate_patch(
    patch: GuessedPatch, normal: float, creep: PatchCreep, rolling: Rolling, least: float = LEAST_UPWARD
) -> Lean:
    """Lean of a patch under a normal force, N; none where that leaves too little of the vertical force."""
    if not normal > 0.0:
        return 0.0, 0.0
    mu = rolling.coefficient(patch.point, creep.slip_speed)
    fx, fs = saturate_creep(patch.semi_axes, normal, mu, creep.creepage, rolling.pair).force
    lean = fx / normal, fs / normal
    return lean if patch.upward(lean) > least * patch.upward() else (0.0, 0.0)


def _find_creeps(patches: Sequence[GuessedPatch], pose: Pose, rolling: Rolling) -> list[PatchCreep]:
    """Creepages at the reference points; those of pure rolling where no pitch rate is given."""
    motion, rate = rolling.motion.at(pose), rolling.pitch_rate
    if rate is None:
        still, turned = (
            sum(one.carried * motion.slide_at(one.point, pose, rolling.radius, rate)[0] for one in patches)
            for rate in (0.0, 1.0)
        )
        rate = still / (still - turned) if still != turned else motion.speed / rolling.radius
    return [PatchCreep.of(motion.slide_at(one.point, pose, rolling.radius, rate)) for one in patches]


def level_wheels(sides: Sequence[WheelSide], level: float = LEVEL) -> float:
    """Roll angle at which both rigid wheels touch at the same height, within `level` (m), rad."""
    roll, gauge = sides[0].pose.roll, sides[0].track.gauge
    slope, last, low, high = gauge, (roll, math.nan), -math.inf, math.inf
    for _ in range(LEVEL_TURNS):
        left, right = (side.with_roll(roll).touching_height for side in sides)
        off = left - right
        if not math.isfinite(off) or abs(off) <= level:
            break
        low, high = (roll, high) if off > 0.0 else (low, roll)
        if roll != last[0]:
            slope = (last[1] - off) / (roll - last[0])
        last, roll = (roll, off), roll + off / bound_slope(slope, gauge)
        if not low < roll < high and math.isfinite(high - low):
            roll = 0.5 * (low + high)
    return roll


def bound_slope(slope: float, gauge: float) -> float:
    """Fall of the difference of two heights with the roll angle, m/rad, bounded from below.

    It is the gauge on treads; where a flange climbs, the wheel is lifted and moves aside, and it may vanish:
    steps that are divided by it would be too long.
    """
    return max(slope, LEAST_LEVER * gauge) if math.isfinite(slope) else gauge


class Trial(NamedTuple):
    """Two wheels where they stand, for which their forces are to be found."""

    stand: Stand
    sides: Sequence[WheelSide]  #: at any roll angle

    @property
    def wheels(self) -> list[WheelSide]:
        """The wheels at its roll angle."""
        return [side.with_roll(self.stand.roll) for side in self.sides]

    @property
    def depths(self) -> np.ndarray:
        """How far each is below where it touches, m, (2,)."""
        return np.array([side.touching_height for side in self.wheels]) - self.stand.height


class ForceSteps:
    """Steps of height and roll angle to the vertical forces of two wheels.

    By Newton's method on what is missing in the forces to the power 2/3, which by Hertz grow as the depths
    do; of forces that are too large, in their logarithm, as a flange that comes to bear carries a hundred
    times as much. Rates are at first those of planes that are held; as planes turn with the position, they
    follow by Broyden's method from what the last step has changed. A step that leads further away is
    shortened.
    """

    def __init__(self, forces: Sequence[float], lever: float, rates: np.ndarray | None = None) -> None:
        self.rates = rates  #: change of the excess with height (1/m) and roll angle (1/rad), (2, 2)
        self.is_small = False  #: whether the last step changes depths by little
        self._forces, self._scale = np.array(forces), np.array([1.0, lever])
        self._best: tuple[Trial, np.ndarray] | None = None
        self._step = np.zeros(2)

    def follow(self, trial: Trial, carried: np.ndarray, slopes: np.ndarray) -> Trial | None:
        """The next trial, from the forces `carried` (N, (2,)) in this one and their slopes with planes held.

        None where forces do not determine it.
        """
        excess = self._measure(carried)
        if self._best is not None:
            before, (size, now) = self._best[0], (_largest(self._best[1]), _largest(excess))
            if now > size:
                self._step = min(max(size / (size + now), LEAST_PART), MOST_PART) * self._step
                return Trial(before.stand.moved(self._step), before.sides)
            self._learn(excess - self._best[1])
        if self.rates is None:
            if not min(carried) > 0.0:
                return None
            share = (carried / self._forces) ** (2.0 / 3.0)
            self.rates = (2.0 / 3.0 * np.minimum(share, 1.0) / carried)[:, None] * slopes
        self._best = trial, excess
        step = solve_pair(self.rates, -excess)
        return None if step is None else self._take(trial, step)

    def _measure(self, carried: np.ndarray) -> np.ndarray:
        """Excess of the forces, (2,)."""
        share = np.maximum(carried / self._forces, LEAST_FORCE) ** (2.0 / 3.0)
        return np.where(share > 1.0, np.log(share), share - 1.0)

    def _learn(self, change: np.ndarray) -> None:
        """Update the rates by what the last step has changed."""
        if self.rates is not None:
            scaled = self._scale**2 * self._step
            missed = change - self.rates @ self._step
            self.rates = self.rates + np.outer(missed, scaled) / float(scaled @ self._step)

    def _take(self, trial: Trial, step: np.ndarray) -> Trial | None:
        """Take a step, halved until no depth changes too much; after halving, rates are found anew."""
        for k in range(HALVINGS):
            self._step = 0.5**k * step
            following = Trial(trial.stand.moved(self._step), trial.sides)
            left = following.depths / trial.depths
            if np.all((left >= LEAST_LEFT) & (left <= MOST_LEFT)):
                self.is_small = k == 0 and bool(np.all(np.abs(left - 1.0) <= SMALL_STEP))
                if k > 0:
                    self.rates = None
                return following
        return None


def _largest(excess: np.ndarray) -> float:
    """Largest magnitude."""
    return float(np.abs(excess).max())


def solve_pair(matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """Solution of two equations; None where they are not independent."""
    (a, b), (c, d) = matrix.tolist()
    (p, q), determinant = right.tolist(), a * d - b * c
    if not abs(determinant) > LEAST_DETERMINANT * (abs(a * d) + abs(b * c)):
        return None
    return np.array([p * d - b * q, a * q - p * c]) / determinant


def guess_stand(
    sides: Sequence[WheelSide], forces: Sequence[float], rolling: Rolling
) -> tuple[Stand, list[list[Lean]], np.ndarray | None] | None:
    """Height and roll angle at which the overlaps of two wheels carry about their forces.

    With the leans of the patches of each, and with the rates of the forces (see `ForceSteps`). None where
    a wheel does not overlap its rail.
    """
    roll = level_wheels(sides, LEVEL_SHARE * FIRST_DEPTH)
    touching = float(Trial(Stand(0.0, roll), sides).depths.min())
    trial = Trial(Stand(touching - FIRST_DEPTH, roll), sides)
    steps = ForceSteps(forces, 0.5 * sides[0].track.gauge)
    for _ in range(STAND_GUESSES):
        wheels, height = trial.wheels, trial.stand.height
        patches = [
            [GuessedPatch.of(side, region, rolling.pair) for region in side.locus.regions(height)]
            for side in wheels
        ]
        if not all(patches):
            return None
        pose = wheels[0].pose.raised(height)
        leans = _lean_wheels(patches, pose, rolling)
        following = steps.follow(trial, *_carry_together(patches, leans, pose, rolling.radius))
        if following is None:
            return None
        trial = following
        if steps.is_small:
            break
    return trial.stand, leans, steps.rates


def _lean_wheels(patches: Sequence[Sequence[GuessedPatch]], pose: Pose, rolling: Rolling) -> list[list[Lean]]:
    """Leans of the patches of wheels that share a pitch rate; none where all are flat."""
    together = [patch for wheel in patches for patch in wheel]
    if all(abs(patch.point.angle) <= FLAT for patch in together):
        return [[(0.0, 0.0)] * len(wheel) for wheel in patches]
    creeps = iter(_find_creeps(together, pose, rolling))
    return [
        [_saturate_patch(patch, patch.carried, next(creeps), rolling, LEAST_STEEP) for patch in wheel]
        for wheel in patches
    ]


def _carry_together(
    patches: Sequence[Sequence[GuessedPatch]], leans: Sequence[Sequence[Lean]], pose: Pose, radius: float
) -> tuple[np.ndarray, np.ndarray]:
    """Vertical forces of two wheels, N, (2,), and their change with height and roll angle, (2, 2)."""
    carried, slopes = np.zeros(2), np.zeros((2, 2))
    for k, (wheel, own) in enumerate(zip(patches, leans, strict=True)):
        for patch, lean in zip(wheel, own, strict=True):
            if not patch.point.overlap > 0.0:
                continue
            force = patch.carried * patch.upward(lean)
            carried[k] += force
            slopes[k] -= 1.5 * force / patch.point.overlap * np.array(find_levers(patch.point, pose, radius))
    return carried, slopes
