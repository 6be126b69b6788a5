"""The contact locus against brute force, and its laws."""

from itertools import pairwise

import numpy as np
import pytest

import traction as tr
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.search.brute_force import measure_gaps, touch_by_brute_force
from traction.wheelsets.search.locus import ContactLocus
from worn_profiles import RAILS, WHEEL, hollowed, worn_at_random

PRESSED = 5e-5  #: m


def random_position(rng):
    wheelset = tr.Wheelset(worn_at_random(WHEEL, rng), rng.uniform(0.35, 0.55))
    track = tr.Track(
        worn_at_random(RAILS[rng.integers(3)], rng),
        gauge=rng.uniform(1.43, 1.445),
        cant=float(rng.choice([0.0, 1 / 40, 1 / 20])),
    )
    y, yaw, roll = rng.uniform(-8e-3, 8e-3), rng.uniform(-0.025, 0.025), rng.uniform(-0.01, 0.01)
    return wheelset, track, str(rng.choice(["left", "right"])), Pose(y, 0.0, yaw, roll)


@pytest.mark.parametrize("count", [12, pytest.param(2000, marks=pytest.mark.slow)])
def test_the_locus_finds_what_brute_force_finds(count):
    rng = np.random.default_rng(18)
    for _ in range(count):
        wheelset, track, side, pose = random_position(rng)
        locus = ContactLocus.of(wheelset, track, side, pose)
        height = locus.touching_height
        assert height == pytest.approx(touch_by_brute_force(wheelset, track, side, pose), abs=1e-6)
        gaps = measure_gaps(wheelset, track, side, pose)
        forced = gaps.places(height - PRESSED)
        # what is narrower than the lattice escapes it
        regions = [r for r in locus.regions(height - PRESSED) if r.y_range[1] - r.y_range[0] > 0.5e-3]
        for region in regions:
            assert min(np.hypot(region.x - x, region.y - y) for x, y in forced) < 3e-4
        assert len(forced) <= len(locus.regions(height - PRESSED))


def test_a_cone_on_an_arc_touches_where_their_slopes_agree():
    """Tread z = -y/20 on a head of radius R: contact at y = R sin(atan(1/20)) from the top."""
    rail = tr.Profile.circular(0.3, "rail", between=(-0.036, 0.036))
    wheel = tr.Profile.conical(1 / 20, between=(-0.06, 0.06))
    locus = ContactLocus.of(tr.Wheelset(wheel, 0.46), tr.Track(rail), "right", Pose(0.0, 0.0, 0.0, 0.0))
    (region,) = locus.regions(locus.touching_height - 1e-6)
    slope = np.arctan(1 / 20)
    assert region.angle == pytest.approx(-slope, abs=1e-6)
    origin = -0.5 * 1.435 - 0.036
    assert region.y == pytest.approx(origin + 0.3 * np.sin(slope), abs=2e-6)
    wheel_z, rail_z = -(region.y + 0.75) / 20, -0.3 * (1 - np.cos(slope))
    assert -locus.touching_height == pytest.approx(wheel_z - rail_z, abs=1e-8)


def test_yaw_moves_flange_contact_ahead():
    """The normal lies across the track where tan(t) = sin(yaw) tan(angle), t around the axle."""
    wheelset, track = tr.Wheelset(WHEEL, 0.46), tr.Track(RAILS[0])
    locus = ContactLocus.of(wheelset, track, "right", Pose(-8e-3, 0.0, 0.02, 0.0))
    (region,) = locus.regions(locus.touching_height - 2e-6)
    assert abs(region.angle) > 0.5
    around = np.arctan(np.sin(0.02) * np.tan(region.angle))
    _, below = track.placed_rail("right").find_point(region.y)
    radius = (0.46 + locus.touching_height - below) / np.cos(around)
    assert region.x == pytest.approx(
        radius * np.sin(around) / np.cos(0.02) - np.tan(0.02) * (region.y + 8e-3), rel=0.03
    )
    mirrored = ContactLocus.of(wheelset, track, "left", Pose(8e-3, 0.0, -0.02, 0.0))
    assert mirrored.touching_height == locus.touching_height


def test_a_hollow_wheel_touches_twice_and_nearly_so():
    wheel = hollowed(WHEEL, (0.8e-3, -5e-3, 12e-3))
    locus = ContactLocus.of(tr.Wheelset(wheel, 0.46), tr.Track(RAILS[0]), "right", Pose(0.0, 0.0, 0.0, 0.0))
    above = locus.touching_height + 1e-5
    assert not locus.regions(above)
    assert locus.near_misses(above)[0].gap == pytest.approx(1e-5, abs=2e-7)
    deep = locus.regions(locus.touching_height - 3e-4)
    assert all(a.y_range[1] <= b.y_range[0] for a, b in pairwise(deep))
