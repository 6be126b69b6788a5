"""Patches of regions in a row: planes, shares and interactions are continuous in all distances."""

import numpy as np
import pytest

from traction.wheelsets.patches.merging import COMBINED, REACH, SEPARATED, TURNED, plan_patches
from traction.wheelsets.search.locus import Region

TINY = 1e-9
WIDTH = 5e-3


def region(start, weight, angle, width=WIDTH, depth=3e-5):
    ends = start, start + width
    middle = start + 0.5 * width
    return Region((-2e-3, 2e-3), ends, ends, (0.0, 0.0), weight, 0.0, middle, angle, depth)


def row(*distances):
    """Regions at distances from each other, with unlike weights and angles."""
    start, found = 0.0, []
    for k, distance in enumerate((*distances, 0.0)):
        found.append(region(start, (2.0, 1.0, 3.0)[k % 3], -0.1 * k**2))
        start += WIDTH + distance
    return found


def planes(regions, places=()):
    """Angle and shares of the common patches at each region, by the patch that it belongs to."""
    plans, found = plan_patches(regions, places), []
    for one in regions:
        (plan,) = (p for p in plans if p.region.y_range[0] <= one.y <= p.region.y_range[1])
        found.append(plan.region.angle)
        assert sum(neighbour.share for neighbour in plan.neighbours) <= 1.0 + 1e-12
    return np.array(found)


@pytest.mark.parametrize("threshold", [COMBINED, SEPARATED, TURNED])
@pytest.mark.parametrize("other", [3e-3, 6e-3, 9e-3, 15e-3])
@pytest.mark.parametrize("first", [True, False])
def test_planes_are_continuous_where_a_link_of_three_closes(threshold, other, first):
    near, far = (
        planes(row(*((one, other) if first else (other, one))))
        for one in (threshold - TINY, threshold + TINY)
    )
    assert near == pytest.approx(far, abs=1e-5)


def test_a_pair_turns_linearly_with_the_distance():
    a, b = row(0.25 * TURNED + 0.75 * SEPARATED)
    common = (a.weight * a.angle + b.weight * b.angle) / (a.weight + b.weight)
    assert planes([a, b]) == pytest.approx([0.75 * common + 0.25 * one.angle for one in (a, b)])


def test_interactions_are_those_of_the_weakest_link():
    (plan,) = plan_patches(row(5e-3, 7e-3))
    near, far = plan.interaction[0, 1], plan.interaction[1, 2]
    assert 0.0 < far < near < 1.0
    assert plan.interaction[0, 2] == far
    (joined,) = plan_patches(row(COMBINED - TINY, 7e-3))
    assert joined.interaction[0, 1] == pytest.approx(far)


@pytest.mark.parametrize("distances", [(2e-3, 2e-3), (5e-3, 5e-3), (7e-3, 3e-3), (9e-3, 6e-3), (9e-3, 10e-3)])
def test_a_region_that_appears_between_two_changes_nothing_at_once(distances):
    before, after = distances
    a, b = row(before + after)
    at = a.y_range[1] + before
    about = region(at, 0.0, -0.05, 0.0, depth=-1e-4 * REACH)
    there = region(at, 1e-12, -0.05, 0.0, depth=1e-9)
    assert planes([a, b], [about]) == pytest.approx(planes([a, there, b])[[0, 2]], abs=2e-5)
    far = region(at, 0.0, -0.05, 0.0, depth=-1.01 * REACH)
    assert planes([a, b], [far]) == pytest.approx(planes([a, b]))
