"""Which regions of overlap share a patch, and how planes of neighbouring patches turn towards each other.

Regions closer than `COMBINED` are one. Up to `SEPARATED` they are parts of one patch, in whose plane their
elastic interaction fades to zero; up to `TURNED` the planes and creepages of two patches pass from those of
the common patch to their own. So forces are continuous as patches approach, merge and part. The distances are
those of CONTACT's usual settings (Vollebregt, user guide: D_COMB, D_SEP and the turning distance).

Of several regions in a row, two are as strongly connected as the weakest link between them. A patch takes
the mean over all strengths from 0 to 1 of the common patch of those that are connected to it at least so
strongly: where one link closes or opens, those beyond it notice nothing.

A region that appears between two others would connect them at once. Therefore places that are about to touch
bring their neighbours closer, the more the closer they are.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from traction.wheelsets.search.locus import Region

COMBINED = 4e-3  #: m
SEPARATED = 8e-3  #: m
TURNED = 2.0 * SEPARATED - COMBINED  #: m
FADING = 0.8  #: power with which the interaction fades
REACH = 2e-5  #: vertical distance at which a place that is about to touch begins to connect others, m


@dataclass(frozen=True, eq=False)
class Neighbour:
    """A common patch with others, and how much of it is left in the plane and the creepages of a patch."""

    common: Region
    share: float  #: 1 where they part, 0 where they are apart
    angle: float  #: of its plane, which is turned towards those of others in its turn, rad


@dataclass(frozen=True, eq=False)
class PatchPlan:
    """What becomes a patch: a region with its angle, and the parts in it."""

    region: Region
    parts: tuple[Region, ...]
    interaction: np.ndarray  #: of the parts, from 0 to 1, (n, n)
    neighbours: tuple[Neighbour, ...] = ()

    def turned(self, neighbours: Sequence[Neighbour]) -> PatchPlan:
        """The same with its angle turned towards those of common patches, by their shares."""
        angle = turn_towards(self.region.angle, neighbours)
        return PatchPlan(self.region._replace(angle=angle), self.parts, self.interaction, tuple(neighbours))


def plan_patches(regions: Sequence[Region], places: Sequence[Region] = ()) -> list[PatchPlan]:
    """The patches of all regions of overlap, from the field side inwards.

    `places` are about to touch: regions without extent, whose depth is the negative distance.
    """
    if len(regions) < 2:
        return [PatchPlan(region, (region,), np.ones((1, 1))) for region in regions]
    regions = sorted(regions, key=lambda one: one.y)
    between = [
        [place for place in places if a.y_range[1] < place.y < b.y_range[0]]
        for a, b in itertools.pairwise(regions)
    ]
    distances = [
        measure_through(a, b, near) for (a, b), near in zip(itertools.pairwise(regions), between, strict=True)
    ]
    parts = split_chain(regions, distances, COMBINED)
    links = [one for one in distances if one > COMBINED]
    patches = split_chain([join_all(part) for part in parts], links, SEPARATED)
    inner, outer = iter(links), [one for one in links if one > SEPARATED]
    plans = []
    for patch in patches:
        plans.append(_plan(patch, list(itertools.islice(inner, len(patch) - 1))))
        next(inner, None)
    strengths = [max(0.0, (TURNED - one) / (TURNED - SEPARATED)) for one in outer]
    return [plan.turned(find_neighbours(k, plans, strengths)) for k, plan in enumerate(plans)]


def measure_through(a: Region, b: Region, places: Sequence[Region]) -> float:
    """Distance of two regions, m, brought down to that of the longest stride over places in between.

    The more, the closer such a place is to touching: where it touches, it is a region itself.
    """
    apart = least = measure_distance(a, b)
    for k, place in enumerate(places):
        share = 1.0 + place.depth / REACH
        if share > 0.0:
            stride = max(measure_through(a, place, places[:k]), measure_through(place, b, places[k + 1 :]))
            least = min(least, apart + share * (stride - apart))
    return least


def split_chain(regions: Sequence[Region], distances: Sequence[float], beyond: float) -> list[list[Region]]:
    """A row of regions divided where the distance of neighbours is more than `beyond`."""
    groups = [[regions[0]]]
    for region, distance in zip(regions[1:], distances, strict=True):
        if distance > beyond:
            groups.append([])
        groups[-1].append(region)
    return groups


def turn_towards(angle: float, neighbours: Sequence[Neighbour]) -> float:
    """An angle turned towards those of common patches, by their shares, rad."""
    return angle + sum(one.share * (one.common.angle - angle) for one in neighbours)


def find_neighbours(k: int, plans: Sequence[PatchPlan], strengths: Sequence[float]) -> list[Neighbour]:
    """The common patches of the k-th one, by the mean over all strengths of connection."""
    found: list[Neighbour] = []
    last = 0.0
    for level in sorted({one for one in strengths if one > 0.0}):
        first, end = k, k + 1
        while first > 0 and strengths[first - 1] >= level:
            first -= 1
        while end < len(plans) and strengths[end - 1] >= level:
            end += 1
        if end - first > 1:
            common = join_all([plan.region for plan in plans[first:end]])
            found.append(Neighbour(common, level - last, turn_towards(common.angle, found)))
        last = level
    return found


def measure_distance(a: Region, b: Region) -> float:
    """Distance of the boxes around two regions, m."""
    along = max(0.0, a.x_range[0] - b.x_range[1], b.x_range[0] - a.x_range[1])
    if a.y_range[0] > b.y_range[1]:
        return math.hypot(along, a.y_range[0] - b.y_range[1], a.z_ends[0] - b.z_ends[1])
    if b.y_range[0] > a.y_range[1]:
        return math.hypot(along, b.y_range[0] - a.y_range[1], b.z_ends[0] - a.z_ends[1])
    return along


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


def _plan(parts: Sequence[Region], distances: Sequence[float]) -> PatchPlan:
    """One patch of parts whose interaction fades with the longest distance between them."""
    count = len(parts)
    interaction = np.ones((count, count))
    for i in range(count):
        for j in range(i):
            apart = (SEPARATED - max(distances[j:i])) / (SEPARATED - COMBINED)
            interaction[i, j] = interaction[j, i] = apart**FADING
    return PatchPlan(join_all(parts), tuple(parts), interaction)
