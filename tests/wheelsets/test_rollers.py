"""Wheels on rollers: the locus against brute force, limits of rails, Hertz and cones, kinematics."""

import math

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline
from scipy.optimize import brentq

import traction as tr
from convergence import observed_order
from traction.errors import InputError
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.patches.wheel_side import WheelSide
from traction.wheelsets.search.brute_force import measure_gaps, touch_by_brute_force
from traction.wheelsets.search.locus import ContactLocus
from worn_profiles import RAILS, WHEEL, worn_at_random

PRESSED = 5e-5  #: m
STEP = 0.3e-3
WHEELSET = tr.Wheelset(WHEEL, 0.46)


def solve(radius, **given):
    usual = {"side": "right", "y": -2e-3, "yaw": -4e-3, "force": 10e3, "dx": STEP, "dy": STEP}
    return tr.wheel_rail(WHEELSET, tr.Track(RAILS[0], roller_radius=radius), **(usual | given))


@pytest.mark.parametrize("count", [5, pytest.param(300, marks=pytest.mark.slow)])
def test_the_locus_finds_what_brute_force_finds(count):
    rng = np.random.default_rng(5)
    for _ in range(count):
        wheelset = tr.Wheelset(worn_at_random(WHEEL, rng), rng.uniform(0.35, 0.55))
        track = tr.Track(
            worn_at_random(RAILS[rng.integers(3)], rng),
            cant=float(rng.choice([0.0, 1 / 40])),
            roller_radius=rng.uniform(0.25, 2.0),
        )
        y, yaw, roll = rng.uniform(-8e-3, 8e-3), rng.uniform(-0.025, 0.025), rng.uniform(-0.01, 0.01)
        side, pose = str(rng.choice(["left", "right"])), Pose(y, 0.0, yaw, roll)
        locus = ContactLocus.of(wheelset, track, side, pose)
        height = locus.touching_height
        assert height == pytest.approx(touch_by_brute_force(wheelset, track, side, pose), abs=1e-6)
        forced = measure_gaps(wheelset, track, side, pose).places(height - PRESSED)
        regions = [r for r in locus.regions(height - PRESSED) if r.y_range[1] - r.y_range[0] > 0.5e-3]
        for region in regions:
            assert min(np.hypot(region.x - x, region.y - y) for x, y in forced) < 3e-4


def test_large_rollers_become_rails_with_order_one():
    def numbers(c):
        patch = c.patches[0]
        return np.array([1e3 * c.z, *c.force / 10e3, *patch.creepage, *np.multiply(patch.place, 1e3)])

    rail, radii = numbers(solve(None)), 10.0 * 4.0 ** np.arange(4)
    errors = [float(np.abs(numbers(solve(radius)) - rail).max()) for radius in radii]
    assert observed_order(1.0 / radii, errors) == pytest.approx(1.0, abs=0.1)
    assert numbers(solve(1e9)) == pytest.approx(rail, rel=1e-9, abs=1e-9)


def height_over_y(nodes):
    """A profile as a function of y, where it is not steep."""
    _, y, z, ty, tz = nodes[:, nodes[3] > 0.1]
    rising = np.concatenate([[True], np.diff(y) > 1e-9])
    return CubicHermiteSpline(y[rising], z[rising], (tz / ty)[rising])


@pytest.mark.parametrize(("y", "yaw"), [(-2e-3, 12e-3), (-7.5e-3, -20e-3)])
def test_distances_are_those_of_both_surfaces_of_revolution(y, yaw):
    """Lines along the normal of a plane are cut with the implicit surfaces, by bisection."""
    radius = 0.5
    track, pose = tr.Track(RAILS[0], roller_radius=radius), Pose(y, 0.0, yaw, 2e-3)
    side = WheelSide(WHEELSET, track, "right", pose)
    height = side.touching_height - PRESSED
    plane = max(side.planes(height, (STEP, STEP)), key=lambda one: one.overlap)
    rail, wheel = (height_over_y(nodes) for nodes in (track.placed_rail("right").nodes, side.locus.wheel))

    def above_roller(point):
        return math.hypot(point[0], point[2] + radius) - radius - rail(point[1])

    def below_wheel(point):
        x, across, z = pose.rotation.T @ (point - [0.0, pose.y, WHEELSET.radius + height])
        return WHEELSET.radius - math.hypot(x, z) - wheel(across - WHEELSET.offset)

    assert plane.tilt == pytest.approx(math.asin(plane.origin[0] / radius), rel=3e-2)
    assert above_roller(plane.origin) == pytest.approx(0.0, abs=1e-8)
    rows, columns = plane.grid.shape
    for k, m in [
        (1, 1),
        (rows // 2, 2),
        (rows // 2, columns // 2),
        (rows - 2, columns - 3),
        (2, columns - 1),
    ]:
        foot = plane.origin + plane.grid.x[m] * plane.axes[0] + plane.grid.y[k] * plane.axes[1]
        at = [
            brentq(lambda n, of=of, foot=foot: of(foot + n * plane.axes[2]), -2e-3, 2e-3, xtol=1e-12)
            for of in (above_roller, below_wheel)
        ]
        assert plane.gap[k, m] == pytest.approx(at[1] - at[0], abs=2e-8)


def cone_on_arc(radius, taper=1 / 20):
    """A conical wheel on a roller with a head of 0.3 m."""
    rail = tr.Profile.circular(0.3, "rail", between=(-0.036, 0.036))
    wheelset = tr.Wheelset(tr.Profile.conical(taper, between=(-0.06, 0.06)), 0.46)
    track = tr.Track(rail, roller_radius=radius)
    return tr.wheel_rail(wheelset, track, side="right", force=20e3, speed=3.0, dx=0.15e-3, dy=0.15e-3)


def test_curvatures_of_wheel_and_roller_add_up_to_those_of_hertz():
    """Normal curvatures of a surface of revolution: 1/R' across, cos(angle)/r around the axis."""
    c = cone_on_arc(0.4)
    (patch,) = c.patches
    r_wheel, r_roller = 0.46 - patch.wheel_place[2], 0.4 + patch.origin[2]
    along = math.cos(patch.angle) * (1.0 / r_wheel + 1.0 / r_roller)
    pair = tr.Pair(tr.STEEL, tr.STEEL)
    hertz = tr.hertz.ellipse(1.0 / along, 0.3, pair, force=patch.force[0])
    assert patch.peak_pressure == pytest.approx(hertz.peak_pressure, rel=5e-3)
    normal, grid = patch.normal, patch.normal.grid
    row = normal.gap[int(np.argmin(np.abs(grid.y)))]
    assert np.polyfit(grid.x, row, 2)[0] == pytest.approx(0.5 * along, rel=1e-3)


@pytest.mark.parametrize("radius", [0.4, 2.0])
def test_spin_of_a_cone_is_the_sine_over_both_radii(radius):
    c = cone_on_arc(radius)
    (patch,) = c.patches
    r_wheel, r_roller = 0.46 - patch.wheel_place[2], radius + patch.origin[2]
    expected = -math.sin(patch.angle) * (1.0 / r_wheel + 1.0 / r_roller)
    assert patch.creepage[2] == pytest.approx(expected, rel=2e-4)
    assert c.pitch_rate * r_wheel == pytest.approx(3.0 * r_roller / radius, rel=2e-4)  # equal speeds
    assert patch.speed == pytest.approx(3.0 * r_roller / radius, rel=1e-4)


def test_creepages_are_relative_velocities_of_two_turning_bodies():
    radius, speed, pitch, roll = 0.6, 7.0, 15.3, 1e-3
    y, yaw, vy, vz, roll_rate, yaw_rate = -2e-3, 20e-3, 0.03, -0.01, 0.05, 0.08
    c = solve(
        radius, y=y, yaw=yaw, roll=roll, speed=speed, pitch_rate=pitch, velocity=(vy, vz),
        rates=(roll_rate, yaw_rate),
    )  # fmt: skip
    patch = max(c.patches, key=lambda one: one.force[0])
    tilt = math.asin(patch.origin[0] / math.hypot(patch.origin[0], radius + patch.origin[2]))
    ahead = np.array([math.cos(tilt), 0.0, -math.sin(tilt)])
    up = np.array([math.sin(tilt), 0.0, math.cos(tilt)])
    aside = math.cos(patch.angle) * np.array([0.0, 1.0, 0.0]) + math.sin(patch.angle) * up
    normal = np.cross(ahead, aside)
    turning = Pose(y, c.z, yaw, roll).rotation @ [roll_rate, pitch, yaw_rate]
    overlap = -float(patch.normal.gap.min())
    from_center = np.array(patch.origin) - overlap * normal - [0.0, y, 0.46 + c.z]
    roller = np.array([0.0, -speed / radius, 0.0])
    slide = np.array([0.0, vy, vz]) + np.cross(turning, from_center)
    slide -= np.cross(roller, np.add(patch.origin, (0.0, 0.0, radius)))
    expected = np.array([ahead @ slide, aside @ slide, normal @ (turning - roller)]) / patch.speed
    assert patch.creepage == pytest.approx(expected, rel=1e-3, abs=1e-7)


def test_left_and_right_are_mirror_images():
    right = solve(0.5, roll=1e-4, velocity=(1e-3, 0.0), rates=(1e-3, 2e-3), pitch_rate=2.17)
    left = solve(
        0.5, side="left", y=2e-3, yaw=4e-3, roll=-1e-4, velocity=(-1e-3, 0.0), rates=(-1e-3, -2e-3),
        pitch_rate=2.17,
    )  # fmt: skip
    assert left.force == pytest.approx(right.force * (1, -1, 1), rel=1e-6, abs=1e-2)
    assert left.moment == pytest.approx(right.moment * (-1, 1, -1), rel=1e-6, abs=1e-2)


def test_vertical_force_counts_friction_on_the_slope_ahead():
    c = solve(0.4, yaw=0.05, pitch_rate=2.5, dx=0.4e-3, dy=0.4e-3)
    assert c.force[2] == pytest.approx(10e3, rel=1e-4)
    assert abs(c.patches[0].origin[0]) > 5e-3


def test_derivatives_are_those_of_the_forces():
    c = solve(0.5, dx=0.4e-3, dy=0.4e-3)
    held = {"force": None, "pitch_rate": c.pitch_rate, "dx": 0.4e-3, "dy": 0.4e-3}
    for name, step in (("yaw", 2e-5), ("speed", 1e-5)):
        start = {"yaw": -4e-3, "speed": 1.0}[name]
        ends = [solve(0.5, **held, z=c.z, **{name: start + sign * step}).force for sign in (1, -1)]
        found = (ends[0] - ends[1]) / (2.0 * step)
        assert c.derivatives.by(name)[:3] == pytest.approx(found, rel=0.02, abs=2e-3 * np.abs(found).max())


def test_contact_functions_without_yaw_are_those_of_rails():
    rails, rollers = (tr.Track(RAILS[0], roller_radius=radius) for radius in (None, 0.5))
    y = np.linspace(-4e-3, 4e-3, 5)
    assert np.array_equal(
        tr.contact_functions(WHEELSET, rails, y).radius_difference,
        tr.contact_functions(WHEELSET, rollers, y).radius_difference,
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda track: tr.conicity(WHEELSET, track, 3e-3),
        lambda track: tr.kinematic_wave(WHEELSET, track, 3e-3),
        lambda track: tr.wheel_on_rail(WHEELSET, track),
    ],
)
def test_what_belongs_to_rails_refuses_rollers(call):
    with pytest.raises(InputError, match=r"roller_radius = 0\.5 m: .*on rails"):
        call(tr.Track(RAILS[0], roller_radius=0.5))


@pytest.mark.parametrize(
    ("radius", "words"), [(-0.5, "positive"), (0.02, "twice the depth"), ("a", "number")]
)
def test_bad_rollers_are_refused(radius, words):
    with pytest.raises(InputError, match=words):
        tr.Track(RAILS[0], roller_radius=radius)
