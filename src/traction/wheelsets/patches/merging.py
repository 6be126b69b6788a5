"""Which regions of overlap share a patch, and how planes of neighbouring patches turn towards each other.

Regions closer than `COMBINED` are one. Up to `SEPARATED` they are parts of one patch, in whose plane their
elastic interaction fades to zero; up to `TURNED` the planes and creepages of two patches pass from those of
the common patch to their own. So forces are continuous as patches approach, merge and part. The distances are
those of CONTACT's usual settings (Vollebregt, user guide: D_COMB, D_SEP and the turning distance).

A region that appears between two others would join them at once. Therefore regions reach towards places that
are about to touch, the further the closer these are.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from traction.wheelsets.search.locus import NearMiss, Region

COMBINED = 4e-3  #: m
SEPARATED = 8e-3  #: m
TURNED = 2.0 * SEPARATED - COMBINED  #: m
FADING = 0.8  #: power with which the interaction fades
REACH = 2e-5  #: vertical distance of a near miss towards which regions begin to reach, m


@dataclass(frozen=True, eq=False)
class Neighbour:
    """The common patch from which a patch has parted, and how much of it is left in its creepages."""

    common: Region
    share: float  #: 1 where they part, 0 where they are apart


@dataclass(frozen=True, eq=False)
class PatchPlan:
    """What becomes a patch: a region with its angle, and the parts in it."""

    region: Region
    parts: tuple[Region, ...]
    interaction: np.ndarray  #: of the parts, from 0 to 1, (n, n)
    neighbours: tuple[Neighbour, ...] = ()

    def turned(self, neighbour: Neighbour) -> PatchPlan:
        """The same with its angle turned towards that of a common patch, by its share."""
        own = self.region.angle
        angle = own + neighbour.share * (neighbour.common.angle - own)
        region = self.region._replace(angle=angle)
        return PatchPlan(region, self.parts, self.interaction, (*self.neighbours, neighbour))


def plan_patches(regions: Sequence[Region], misses: Sequence[NearMiss] = ()) -> list[PatchPlan]:
    """The patches of all regions of overlap, from the field side inwards."""
    if len(regions) < 2:
        return [PatchPlan(region, (region,), np.ones((1, 1))) for region in regions]
    regions = [reach_out(region, misses) for region in sorted(regions, key=lambda one: one.y)]
    parts = [join_all(group) for group in group_regions(regions, COMBINED)]
    plans = [_plan(group) for group in group_regions(parts, SEPARATED)]
    distances = [measure_distance(a.region, b.region) for a, b in itertools.pairwise(plans)]
    for k, distance in enumerate(distances):
        if distance < TURNED:
            share = (TURNED - distance) / (TURNED - SEPARATED)
            common = Neighbour(join_pair(plans[k].region, plans[k + 1].region), share)
            plans[k], plans[k + 1] = plans[k].turned(common), plans[k + 1].turned(common)
    return plans


def measure_distance(a: Region, b: Region) -> float:
    """Distance of the boxes around two regions, m."""
    along = max(0.0, a.x_range[0] - b.x_range[1], b.x_range[0] - a.x_range[1])
    if a.y_range[0] > b.y_range[1]:
        return math.hypot(along, a.y_range[0] - b.y_range[1], a.z_ends[0] - b.z_ends[1])
    if b.y_range[0] > a.y_range[1]:
        return math.hypot(along, b.y_range[0] - a.y_range[1], b.z_ends[0] - a.z_ends[1])
    return along


def reach_out(region: Region, misses: Sequence[NearMiss]) -> Region:
    """The region with its box stretched towards places close by that are about to touch."""
    (low, high), (z_low, z_high) = region.y_range, region.z_ends
    for miss in misses:
        share = max(0.0, 1.0 - miss.gap / REACH)
        if share == 0.0 or min(abs(miss.y - low), abs(miss.y - high)) > COMBINED:
            continue
        if miss.y < low:
            low, z_low = low + share * (miss.y - low), z_low + share * (miss.z - z_low)
        elif miss.y > high:
            high, z_high = high + share * (miss.y - high), z_high + share * (miss.z - z_high)
    return region._replace(y_range=(low, high), z_ends=(z_low, z_high))


def group_regions(regions: Sequence[Region], within: float) -> list[list[Region]]:
    """Neighbours closer than a distance, in the order of y."""
    groups: list[list[Region]] = []
    for region in regions:
        if groups and measure_distance(join_all(groups[-1]), region) <= within:
            groups[-1].append(region)
        else:
            groups.append([region])
    return groups


def join_all(regions: Sequence[Region]) -> Region:
    """Regions as one, with the means of all."""
    joined = regions[0]
    for region in regions[1:]:
        joined = join_pair(joined, region)
    return joined


def join_pair(a: Region, b: Region) -> Region:
    """Two regions as one, with the means of both."""
    total = a.weight + b.weight
    share = b.weight / total if total > 0.0 else 0.5

    def mean(first: float, second: float) -> float:
        return first + share * (second - first)

    low = a if a.y_range[0] <= b.y_range[0] else b
    high = a if a.y_range[1] >= b.y_range[1] else b
    return Region(
        (min(a.x_range[0], b.x_range[0]), max(a.x_range[1], b.x_range[1])),
        (low.y_range[0], high.y_range[1]),
        (min(a.arc_range[0], b.arc_range[0]), max(a.arc_range[1], b.arc_range[1])),
        (low.z_ends[0], high.z_ends[1]),
        total,
        mean(a.x, b.x),
        mean(a.y, b.y),
        mean(a.angle, b.angle),
        max(a.depth, b.depth),
    )


def _plan(parts: Sequence[Region]) -> PatchPlan:
    """One patch of parts whose interaction fades with their distance."""
    count = len(parts)
    interaction = np.ones((count, count))
    for i in range(count):
        for j in range(i):
            apart = max(0.0, SEPARATED - measure_distance(parts[i], parts[j])) / (SEPARATED - COMBINED)
            interaction[i, j] = interaction[j, i] = min(1.0, apart) ** FADING
    return PatchPlan(join_all(parts), tuple(parts), interaction)
