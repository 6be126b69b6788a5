"""Height and tangential forces with which the search for a given vertical force begins.

The height is that of Hertz' formula for the extents of the overlaps, tangential forces are those of the
linear theory for the same extents, saturated: along an inclined surface they carry a part of the load, and
change the height.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from traction.contact.simplified.cubic_saturation import saturate_creep
from traction.materials import Pair
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.patches.contact_plane import ReferencePoint, find_reference
from traction.wheelsets.patches.patch_pressing import require_bearable
from traction.wheelsets.patches.rolling import Rolling
from traction.wheelsets.patches.wheel_side import MOST_OVERLAP, WheelSide
from traction.wheelsets.patches.wheelset_motion import PatchCreep
from traction.wheelsets.search.locus import Region

FIRST_DEPTH = 2e-5  #: overlap with which the search for a height begins, m
GUESSES = 4  #: of the height by Hertz' formula
FLAT = 0.05  #: contact angle up to which friction carries too little of the load to matter at first, rad
LEAST_UPWARD = 0.5  #: vertical force per normal force with friction, over that without: less is not trusted

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
        depth *= (force / carried) ** (2.0 / 3.0)
        require_bearable(sides, touching - depth, force)
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
        mu = rolling.coefficient(one.point, creep.slip_speed)
        normal = one.carried * force / total
        fx, fs = saturate_creep(one.semi_axes, normal, mu, creep.creepage, rolling.pair).force
        lean = fx / normal, fs / normal
        leans.append(lean if one.upward(lean) > LEAST_UPWARD * one.upward() else (0.0, 0.0))
    return leans


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
