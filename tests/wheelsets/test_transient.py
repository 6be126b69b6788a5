"""Transient rolling on rails: limits of steady rolling, wandering patches, merging, mirror images, errors."""

import numpy as np
import pytest

import traction as tr
from convergence import observed_order
from traction.errors import InputError
from worn_profiles import RAILS, WHEEL

pytestmark = pytest.mark.filterwarnings("ignore::traction.errors.CoarseGridWarning")
TRACK, WHEELSET = tr.Track(RAILS[0]), tr.Wheelset(WHEEL, 0.46)
STEP = 0.6e-3
USUAL = {"side": "right", "force": 10e3, "dx": STEP, "dy": STEP}
LIMIT = 0.3 * 10e3  #: friction limit, N


def solve(**given):
    return tr.wheel_rail(WHEELSET, given.pop("track", TRACK), **(USUAL | given))


def march(positions, distance, start=None, **given):
    """Results at all positions, (y, yaw) each."""
    y, yaw = positions[0]
    found = [solve(y=y, yaw=yaw, discretisation="covered", **given) if start is None else start]
    for y, yaw in positions[1:]:
        found.append(solve(y=y, yaw=yaw, previous=found[-1], distance=distance, **given))
    return found


def test_at_one_position_rolling_becomes_steady():
    """From no traction to that of steady rolling on the same elements."""
    place = (-2e-3, 2e-3)
    start = solve(y=place[0], yaw=place[1], friction=0.0)
    found = march([place] * 17, 3 * STEP, start)
    forces = np.array([patch.force[2] for c in found for patch in c.patches])
    kept = march([place] * 3, 2 * STEP)[-1]  # begun from steady rolling
    assert forces[0] == 0.0
    assert 0.2 < forces[1] / forces[-1] < 0.6
    assert np.all(np.diff(forces) > -1e-3 * LIMIT)
    assert forces[-1] == pytest.approx(kept.patches[0].force[2], abs=2e-3 * LIMIT)
    steady = solve(y=place[0], yaw=place[1], discretisation="covered")
    assert kept.force == pytest.approx(steady.force, abs=0.02 * LIMIT)
    assert found[-1].distance == pytest.approx(16 * 3 * STEP)
    assert found[-1].force[2] == pytest.approx(10e3, rel=1e-4)


def test_slow_wander_differs_from_steady_rolling_as_its_speed():
    """The creepages are given, so that only the patch moves, to one place from either side.

    What tractions keep of where they began is in proportion to the lateral speed, and of opposite sign from
    the other side; the rest, as the square of it, is alike from both.
    """
    still, end, yaw, steps = {"velocity": (0.0, 0.0), "rates": (0.0, 0.0)}, 0.3e-3, 1.5e-3, 16
    kept = march([(end, yaw)] * steps, 2 * STEP, **still)[-1].force
    speeds, odd, even = (20e-6, 10e-6), [], []  # m in a step
    for speed in speeds:
        left, right = (
            march([(end + away * speed * k, yaw) for k in range(steps, -1, -1)], 2 * STEP, **still)[-1].force
            - kept
            for away in (1.0, -1.0)
        )
        odd.append(0.5 * abs(left[0] - right[0]))
        even.append(0.5 * abs(left[0] + right[0]))
    assert odd[0] > 5e-3 * LIMIT  # or there is nothing to approach
    assert observed_order(speeds, odd) == pytest.approx(1.0, abs=0.1)
    assert even[0] < 0.2 * odd[0]
    assert even[1] < 0.15 * odd[1]


def test_velocities_are_those_of_the_way_from_position_to_position():
    (before, now) = march([(-2e-3, 1e-3), (-2.02e-3, 1.1e-3)], 1e-3, speed=4.0, roll=0.0)
    time = 1e-3 / 4.0
    velocity = (-0.02e-3 / time, (now.z - before.z) / time)
    rates = (0.0, 0.1e-3 / time)
    steady = solve(y=-2.02e-3, yaw=1.1e-3, speed=4.0, velocity=velocity, rates=rates, z=now.z, force=None)
    patch, same = now.patches[0], steady.patches[0]
    shift = patch.origin[1] - same.origin[1]  # the reference points differ by a part of an element
    assert abs(shift) < STEP
    assert patch.creepage[1:] == pytest.approx(same.creepage[1:], abs=2e-4)
    given = solve(
        y=-2.02e-3,
        yaw=1.1e-3,
        speed=4.0,
        previous=before,
        distance=1e-3,
        velocity=velocity,
        rates=rates,
        roll=0.0,
    )
    assert given.force == pytest.approx(now.force, abs=1e-4 * LIMIT)


def test_left_and_right_are_mirror_images():
    way = [(-2e-3, -3e-3), (-2.5e-3, -2.8e-3), (-3e-3, -2.6e-3)]
    right = march(way, 2e-3)[-1]
    left = march([(-y, -yaw) for y, yaw in way], 2e-3, side="left")[-1]
    assert left.force == pytest.approx(right.force * (1, -1, 1), rel=1e-6, abs=1e-2)
    assert left.moment == pytest.approx(right.moment * (-1, 1, -1), rel=1e-6, abs=1e-2)


def test_tractions_follow_patches_that_merge_and_part():
    """Two patches, three and two again, over the flange root; rolling on there becomes steady."""
    track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 20)
    way = [(y, 0.0) for y in (-6.1e-3, -6.2e-3, *[-6.1e-3] * 5)]
    given = {"track": track, "force": 60e3, "velocity": (0.0, 0.0), "rates": (0.0, 0.0)}
    found = march(way, 4e-3, **given)
    assert [len(c.patches) for c in found[:3]] == [2, 3, 2]
    steady, limit = found[0].force, 0.3 * 60e3
    off = [float(np.abs(c.force - steady).max()) / limit for c in found[2:]]
    assert 0.02 < off[0] < 0.5
    assert off[-1] < 0.03


def test_both_wheels_roll_on_with_the_roll_angle_that_they_find():
    way = [(0.0, 0.0), (0.02e-3, 0.1e-3), (0.04e-3, 0.2e-3)]
    c = march(way, 2e-3, side="both", force=20e3)[-1]
    steady = solve(y=0.04e-3, yaw=0.2e-3, side="both", force=20e3)
    assert c.roll == pytest.approx(steady.roll, abs=2e-6)
    assert {patch.side for patch in c.patches} == {"left", "right"}
    assert c.force[2] == pytest.approx(20e3, rel=1e-4)


@pytest.mark.parametrize(
    "given",
    [
        {"friction": tr.friction.linear(0.2, (0.1, 1.0), memory=(1e-4, 1e-2)), "speed": 10.0},
        {"layer": tr.Layer(4e9, 1e-5, yield_stress=2e8), "speed": 10.0},
        {"friction": tr.friction.by_inclination([0.0, 0.3], [0.4, 0.1])},
        {"discretisation": "classical"},
        {"track": tr.Track(RAILS[0], roller_radius=0.5)},
        {"speed": -2.0},
    ],
    ids=["law", "layer", "inclined", "classical", "roller", "backwards"],
)
def test_steps_from_steady_rolling_stay_there(given):
    place = {"y": -2e-3, "yaw": 2e-3}
    steady = solve(**place, **({"discretisation": "covered"} | given))
    now = steady
    for _ in range(2):
        now = solve(**place, previous=now, distance=STEP, **given)
    assert now.ok
    assert now.force == pytest.approx(steady.force, abs=0.02 * LIMIT)


def test_derivatives_by_velocities_are_those_of_the_step():
    before = solve(y=-2e-3, yaw=2e-3)
    given = {"y": -2e-3, "yaw": 2e-3, "previous": before, "distance": 1e-3, "rates": (0.0, 0.0)}
    c = solve(**given, velocity=(1e-4, 0.0))
    held = given | {"force": None, "z": c.z, "pitch_rate": c.pitch_rate}
    ends = [solve(**held, velocity=(1e-4 + step, 0.0)).force for step in (1e-5, -1e-5)]
    found = (ends[0] - ends[1]) / 2e-5
    assert c.derivatives.by("vy")[:3] == pytest.approx(found, rel=0.02, abs=2e-3 * np.abs(found).max())


def test_a_wheel_that_lifts_off_forgets():
    place = {"y": -2e-3, "yaw": 2e-3}
    steady = solve(**place)
    apart = solve(**place, force=None, z=steady.z + 1e-4, previous=steady, distance=1e-3)
    assert apart.force == pytest.approx(0.0)
    again = solve(**place, previous=apart, distance=1e-3)
    fresh = solve(**place, previous=solve(**place, friction=0.0), distance=1e-3)
    assert abs(again.force[1]) < abs(fresh.force[1]) < abs(steady.force[1])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"distance": None}, "belong together"),
        ({"previous": None}, "belong together"),
        ({"distance": -1e-3}, "distance = -0.001 m must be positive"),
        ({"distance": 5.0}, "leave previous away"),
        ({"dx": 0.5e-3}, "keep their size"),
        ({"side": "left"}, "roll on with the same wheels"),
        ({"tangential": "fastsim"}, 'need "half-space"'),
        ({"previous": 3}, "a result of tr.wheel_rail"),
    ],
)
def test_bad_input_is_explained(given, words):
    previous = solve(y=-2e-3)
    with pytest.raises(InputError, match=words):
        solve(**({"y": -2e-3, "previous": previous, "distance": 1e-3} | given))


def test_a_wheel_rolls_onto_a_slippery_part_of_the_rail():
    """Friction along the track stays on the rail: forces pass from one steady value to the other."""
    place = {"side": "left", "y": -2e-3, "yaw": -5e-3, "force": 10e3, "speed": 2.0, "pitch_rate": 4.36}
    size = {"dx": 0.6e-3, "dy": 0.6e-3}
    dry, wet = (
        tr.wheel_rail(WHEELSET, TRACK, friction=mu, discretisation="covered", **place, **size).force
        for mu in (0.4, 0.1)
    )
    edge = tr.friction.along_track([8e-3, 8e-3], [0.4, 0.1])
    c, forces = tr.wheel_rail(WHEELSET, TRACK, friction=edge, **place, **size), []
    for _ in range(16):
        c = tr.wheel_rail(WHEELSET, TRACK, friction=edge, previous=c, distance=0.6e-3, **place, **size)
        forces.append(c.force)
    assert forces[0] == pytest.approx(dry, abs=5e-3 * 0.4 * 10e3)
    assert forces[-1] == pytest.approx(wet, abs=5e-3 * 0.1 * 10e3)
    assert (np.diff([np.hypot(*force[:2]) for force in forces]) < 1.0).all()


def test_coefficients_that_lag_are_handed_on_between_positions():
    """With coefficients at rest at each new position, steps would slip and stick alternately."""
    steep, place = tr.friction.exponential(0.15, (0.15, 0.1)), {"y": -2e-3, "yaw": 8e-3, "force": 60e3}
    options = {"speed": 20.0, "dx": 1e-3, "dy": 1e-3, "velocity": (0.0, 0.0), "rates": (0.0, 0.0)}
    options |= {"discretisation": "covered"} | place
    steady = solve(friction=steep, **options)
    (patch,) = steady.patches
    begun = solve(friction=0.3, **options)
    for cells in (1.0, 0.5):
        c, found = begun, []
        for _ in range(round(24 / cells)):
            c = solve(friction=steep, previous=c, distance=cells * 1e-3, **options)
            found.append(c.force)
        assert c.patches[0].tangential.lag > 2e-3
        assert c.force == pytest.approx(steady.force, abs=2e-3 * 0.3 * 60e3)
        # from above; steps of half an element alternate between two positions of the edges
        assert np.diff(np.array(found)[:, 1]).max() < 1e-3 * 0.3 * 60e3
    # its tractions are those of the same contact on a grid of its own
    t = tr.roll_steady(patch.normal, 0.3, creepage=begun.patches[0].creepage)
    for _ in range(24):
        t = tr.roll(t, steep, distance=1e-3, creepage=patch.creepage, speed=patch.speed)
    assert t.force == pytest.approx(patch.tangential.force, abs=2e-3 * 0.3 * 60e3)


HOT = tr.friction.thermal([0.0, 400.0], [0.4, 0.1])
WARM = {"y": -2e-3, "yaw": 6e-3, "force": 60e3, "speed": 30.0, "dx": 1e-3, "dy": 1e-3, "velocity": (0.0, 0.0),
        "rates": (0.0, 0.0), "discretisation": "covered"}  # fmt: skip


def test_heat_is_handed_on_between_positions():
    """At one position each step is that of the single contact, and all become that of steady rolling."""
    c = solve(friction=0.0, **WARM)
    t, heats = None, []
    for _ in range(24):
        c = solve(friction=HOT, previous=c, distance=1e-3, **WARM)
        (patch,) = c.patches
        heats.append(float(patch.tangential.temperature.max()))
        if t is None:  # the same contact on its own grid
            t = tr.roll_steady(patch.normal, 0.0, creepage=patch.creepage)
        if len(heats) <= 6:
            # the load of the patch changes with its friction, which carries a part of it
            given = {"creepage": patch.creepage, "speed": patch.speed, "normal": patch.normal}
            t = tr.roll(t, HOT, distance=1e-3, **given)
            assert patch.tangential.force == pytest.approx(t.force, abs=5e-3 * 0.4 * 60e3)
            assert heats[-1] == pytest.approx(float(t.temperature.max()), abs=3.0)
    assert heats[0] < 0.2 * heats[-1]
    kept = solve(friction=HOT, previous=solve(friction=HOT, **WARM), distance=1e-3, **WARM)
    assert c.force == pytest.approx(kept.force, abs=2e-3 * 0.4 * 60e3)
    assert heats[-1] == pytest.approx(float(kept.patches[0].tangential.temperature.max()), rel=0.03)


def test_heat_wanders_with_its_patch():
    """A patch that moves aside by whole elements takes its heat along; one that appears is cold."""
    begun = solve(friction=HOT, **WARM)
    moved = solve(friction=HOT, previous=begun, distance=1e-3, **{**WARM, "y": -2.5e-3})
    left = moved.patches[0].tangential
    again = solve(friction=HOT, previous=moved, distance=1e-3, **{**WARM, "y": -2.5e-3})
    assert again.ok
    assert float(left.temperature.max()) > 0.7 * float(begun.patches[0].tangential.temperature.max())
    assert left.heat.history.power.shape[1:] == left.normal.grid.shape
