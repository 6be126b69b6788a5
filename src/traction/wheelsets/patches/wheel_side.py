"""`WheelSide`: one wheel of a wheelset on its rail, and the planes of its patches at a height."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from traction.errors import InputError
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.geometry.track import Track
from traction.wheelsets.geometry.wheelset import Wheelset
from traction.wheelsets.patches.contact_plane import ContactPlane, lay_plane
from traction.wheelsets.patches.lattice_laying import LatticeLaying
from traction.wheelsets.patches.merging import PatchPlan, plan_patches
from traction.wheelsets.patches.rail_memory import RailMemory
from traction.wheelsets.search.locus import ContactLocus

SLENDER = 1.5  #: largest ratio of the sides of elements that are coarse
FEW = 700  #: elements in the overlap, up to which larger ones would save less than they cost
#: of undeformed bodies along their normal, m: far beyond what steel carries elastically. On a flange the
#: vertical overlap is several times as large.
MOST_OVERLAP = 1e-3
KEPT = 3  #: roll angles for which a wheel keeps where it touches


@dataclass(frozen=True, eq=False)
class WheelSide:
    """A wheel on its rail, for one lateral shift, yaw and roll."""

    wheelset: Wheelset
    track: Track
    side: str  #: "left" or "right"
    pose: Pose  #: its height is not used
    memory: RailMemory | None = None  #: what the last step of transient rolling left on the rails

    @cached_property
    def locus(self) -> ContactLocus:
        """Where the wheel can touch."""
        return ContactLocus.of(self.wheelset, self.track, self.side, self.pose)

    @property
    def touching_height(self) -> float:
        """Height of the wheelset at which this wheel first touches, m."""
        return self.locus.touching_height

    def with_roll(self, roll: float) -> WheelSide:
        """The same at another roll angle."""
        if roll == self.pose.roll:
            return self
        known = self._turned
        if roll not in known:
            if len(known) == KEPT:
                del known[next(iter(known))]
            pose = replace(self.pose, roll=roll)
            known[roll] = WheelSide(self.wheelset, self.track, self.side, pose, self.memory)
        return known[roll]

    @cached_property
    def _turned(self) -> dict[float, WheelSide]:
        """Those of the latest roll angles, the oldest first: a plane, its check and the result share them."""
        return {}

    def require_rail(self) -> None:
        """Raise an error if the wheel is beside its rail, or stands on the end of a profile."""
        if math.isinf(self.touching_height):
            raise InputError(
                f"y = {self.pose.y:.4g} m, roll = {self.pose.roll:.4g} rad: the {self.side} wheel is beside "
                "its rail. Check the lateral shift, the gauge and the distance back to back."
            )
        if self.locus.ends_in_contact:
            place = "wheel" if self._is_at_end_of_wheel else "rail"
            raise InputError(
                f"y = {self.pose.y:.4g} m: the {self.side} wheel stands on the end of the {place}'s profile. "
                "Check the lateral shift and the gauge, or give a profile that reaches further."
            )

        if self._is_on_flange:
            raise InputError(
                f"y = {self.pose.y:.4g} m, roll = {self.pose.roll:.4g} rad: the {self.side} wheel stands "
                "with the tip of its flange on the rail: it is derailed. Check the lateral shift and gauge."
            )

    @property
    def _is_on_flange(self) -> bool:
        """Whether the wheel first touches at the tip of its flange, or behind it."""
        touching = int(self.locus.points[2].argmin())
        return bool(self.locus.wheel[1][touching] > self.wheelset.flange_tip(self.side))

    @property
    def _is_at_end_of_wheel(self) -> bool:
        gap = self.locus.points[2]
        i = int(gap.argmin())
        return i in (0, len(gap) - 1)

    def plans(self, height: float) -> list[PatchPlan]:
        """What become patches of a wheelset at that height."""
        known = self._plans
        if height not in known:
            regions = self.locus.regions(height)
            places = self.locus.near_regions(height) if len(regions) > 1 else ()
            known[height] = plan_patches(regions, places)
        return known[height]

    @cached_property
    def _plans(self) -> dict[float, list[PatchPlan]]:
        """Those of all heights that were asked for: a plan, its check and the next one share them."""
        return {}

    def planes(
        self, height: float, steps: tuple[float, float], most: int | None = None
    ) -> list[ContactPlane]:
        """Planes of all patches of a wheelset at that height, with elements of the size `steps` (m).

        With `most` the elements are larger where otherwise more of them lay across the overlap.
        """
        self.require_shallow(height)
        plans = self.plans(height)
        if plans and self.memory is not None and most is None:
            return [
                lay_plane(self.locus, self.side, height, plan, steps, laying)
                for plan, laying in zip(plans, self._lay_on_lattice(self.memory, plans), strict=True)
            ]
        return [
            lay_plane(
                self.locus, self.side, height, plan, steps if most is None else _limit(steps, plan, most)
            )
            for plan in plans
        ]

    def _lay_on_lattice(self, memory: RailMemory, plans: Sequence[PatchPlan]) -> list[LatticeLaying]:
        """How planes are laid in transient rolling: what lies between two patches belongs to the nearer."""
        ranges = [plan.region.arc_range for plan in plans]
        borders = [0.5 * (a[1] + b[0]) for a, b in pairwise(ranges)]
        own = pairwise([-math.inf, *borders, math.inf])
        earlier = ContactLocus.of(self.wheelset, self.track, self.side, memory.pose)
        return [LatticeLaying(self.side, memory, earlier, territory) for territory in own]

    def find_overlap(self, height: float) -> float:
        """Largest overlap of the undeformed bodies at a height, along the normal of the rail, m."""
        regions = self.locus.regions(height)
        return max((region.depth * math.cos(region.angle) for region in regions), default=0.0)

    def require_shallow(self, height: float) -> None:
        """Raise an error where the undeformed bodies overlap by more than any load would cause."""
        if self.touching_height - height <= MOST_OVERLAP:
            return
        depth = self.find_overlap(height)
        if depth > MOST_OVERLAP:
            raise InputError(
                f"z = {height:.6g} m is {self.touching_height - height:.3g} m below where the {self.side} "
                f"wheel touches its rail: they overlap by {depth:.3g} m along their normal, at most "
                f"{MOST_OVERLAP} m is a contact of elastic bodies. z counts upwards from where the nominal "
                "radius rolls on the rails' tops; check its sign and unit, or give a force."
            )


def _limit(steps: tuple[float, float], plan: PatchPlan, most: int) -> tuple[float, float]:
    """Size of elements of which about `most` lie across the overlap, not more than `SLENDER` long.

    That of `steps` where these are few already.
    """
    (x0, x1), (s0, s1) = plan.region.x_range, plan.region.arc_range
    most *= len(plan.parts)
    if (x1 - x0) * abs(s1 - s0) <= FEW * steps[0] * steps[1]:
        return steps
    dx, ds = max(steps[0], (x1 - x0) / most), max(steps[1], abs(s1 - s0) / most)
    return max(steps[0], min(dx, SLENDER * ds)), max(steps[1], min(ds, SLENDER * dx))
