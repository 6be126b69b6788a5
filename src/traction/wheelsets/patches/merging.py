"""Which regions of overlap share a patch, and how planes of neighbouring patches turn towards each other.

Regions closer than `COMBINED` are one patch. Up to `SEPARATED` they share the plane of one patch, in which
their elastic interaction fades to zero; up to `TURNED` the planes of two patches turn from the common angle to
their own. So forces stay continuous as patches approach and merge. Distances are those of CONTACT's usual
settings (Vollebregt, user guide, D_COMB, D_SEP and the turning distance that follows from them).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from traction.wheelsets.search.locus import Region

COMBINED = 4e-3  #: m
SEPARATED = 8e-3  #: m
TURNED = 2.0 * SEPARATED - COMBINED  #: m
FADING = 0.8  #: power with which the interaction fades


def measure_distance(a: Region, b: Region) -> float:
    """Distance of the boxes around two regions, m."""
    along = max(0.0, a.x_range[0] - b.x_range[1], b.x_range[0] - a.x_range[1])
    if a.y_range[0] > b.y_range[1]:
        return math.hypot(along, a.y_range[0] - b.y_range[1], a.z_ends[0] - b.z_ends[1])
    if b.y_range[0] > a.y_range[1]:
        return math.hypot(along, b.y_range[0] - a.y_range[1], b.z_ends[0] - a.z_ends[1])
    return along


def join_pair(a: Region, b: Region) -> Region:
    """Two regions as one, with the means of both."""
    total = a.weight + b.weight
    share = b.weight / total if total > 0.0 else 0.5

    def mean(first: float, second: float) -> float:
        return first + share * (second - first)

    low, high = (a, b) if a.y_range[0] <= b.y_range[0] else (b, a)
    last = a if a.y_range[1] >= b.y_range[1] else b
    return Region(
        (min(a.x_range[0], b.x_range[0]), max(a.x_range[1], b.x_range[1])),
        (low.y_range[0], last.y_range[1]),
        (low.arc_range[0], last.arc_range[1]),
        (low.z_ends[0], last.z_ends[1]),
        total,
        mean(a.x, b.x),
        mean(a.y, b.y),
        mean(a.angle, b.angle),
        max(a.depth, b.depth),
    )


def join_regions(regions: Sequence[Region], within: float) -> list[Region]:
    """Join neighbours closer than a distance, in the order of y."""
    joined: list[Region] = []
    for region in sorted(regions, key=lambda one: one.y):
        if joined and measure_distance(joined[-1], region) <= within:
            joined[-1] = join_pair(joined[-1], region)
        else:
            joined.append(region)
    return joined


def plan_patches(regions: Sequence[Region]) -> list[Region]:
    """The regions of the patches, from the field side inwards."""
    return join_regions(join_regions(regions, COMBINED), SEPARATED)
