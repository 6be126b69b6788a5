"""Driven and braked wheels of a crossing: steady limits, any time step, sliding, flight, rotation."""

from dataclasses import replace

import numpy as np
import pytest

import traction as tr
from coarse import LONG_STEPS
from traction.crossing.driving.driven_wheels import join_steps

FIRM = tr.Bridge(tr.Beam(20.0, 1e13, 1e6), tr.STEEL)  #: hardly moves: the contact force is the load
SOFT = tr.Bridge(tr.Beam(20.0, 2e11 * 0.0104, 7900.0), tr.STEEL)
RADIUS, SPEED, LOAD, FRICTION, ELEMENTS = 0.46, 30.0, 98.1e3, 0.3, 16
WHEEL = tr.Wheel(RADIUS, 1000.0, suspension=tr.Suspension(1e6, 1e4, 9e3))
PAIR = tr.Pair(tr.STEEL, tr.STEEL)
LENGTH = 2.0 * tr.hertz.sphere(RADIUS, PAIR, force=LOAD).radius
DX = 1.35 * LENGTH / ELEMENTS
FORCE = -20e3


def crossed(drive, c, lengths=3.0, material=tr.STEEL, **options):
    """A wheel that rolls c elements per step, over so many contact lengths."""
    run = tr.cross(
        FIRM, [(replace(WHEEL, material=material), 0.0)], SPEED, contact="hertz", dt=c * DX / SPEED,
        t_end=lengths * LENGTH / SPEED, drive=drive, **options,
    )  # fmt: skip
    return run.rolling()


def ramp(t):
    """Brakes over the first contact length."""
    return FORCE * np.clip(SPEED * t / LENGTH, 0.0, 1.0)


def slid(rolling, lengths):
    """Rigid slip up to so many contact lengths, m."""
    way = SPEED * rolling.t
    total = np.cumsum(rolling.creepage[:, 0] * np.diff(way, prepend=0.0))
    return np.interp(lengths * LENGTH, way, total)


def steady(force=FORCE):
    """The same load and grid, by the solver of steady rolling."""
    grid = tr.Grid(ELEMENTS, ELEMENTS, DX, DX)
    normal = tr.press(tr.Sphere(RADIUS), grid, PAIR, force=LOAD)
    return tr.roll_steady(normal, FRICTION, force=(force, None), creepage=(None, 0.0, 0.0))


@pytest.mark.parametrize("c", [2.0, 0.7])
def test_a_force_that_stays_leads_to_steady_rolling(c):
    rolling = crossed(tr.Drive(force=ramp, elements=ELEMENTS), c, lengths=4.0)
    expected = steady()
    xi = (slid(rolling, 4.0) - slid(rolling, 3.0)) / LENGTH
    assert xi == pytest.approx(expected.creepage[0], rel=5e-3)
    way = rolling.t * SPEED
    lost = np.interp((3.0 * LENGTH, 4.0 * LENGTH), way, rolling.dissipated)
    assert np.diff(lost)[0] / LENGTH == pytest.approx(expected.dissipation, rel=5e-3)
    assert rolling.wear_number[-1] == pytest.approx(expected.dissipation, rel=0.02)


@LONG_STEPS  # friction does not depend on the step of the march
def test_the_time_step_does_not_matter():
    """From a whole contact length per step to a fifth of an element: slip over distance within 1 %."""
    at = np.array([2.0, 3.0])
    runs = [crossed(tr.Drive(force=ramp, elements=ELEMENTS), c) for c in (12.0, 2.0, 0.7, 0.2)]
    slips = np.array([slid(one, at) for one in runs])
    assert np.abs(slips / slips[-1] - 1.0).max() < 0.01
    lost = [one.dissipated[-1] for one in runs]
    assert lost == pytest.approx([lost[-1]] * 4, rel=0.01)


def test_the_cost_is_that_of_the_elements_rolled():
    """Steps of a fiftieth of an element are rolled together; times between have numbers all the same."""
    drive = tr.Drive(force=ramp, elements=ELEMENTS, keep=3)
    fine, coarse = (crossed(drive, c, lengths=2.0) for c in (0.02, 0.5))
    assert fine.t.size > 1000
    elements = 2.0 * LENGTH / DX
    assert fine.stats["rolls"] < 3.0 * elements
    at = np.linspace(0.0, float(fine.t[-1]), 9)
    np.testing.assert_allclose(np.interp(at, fine.t, fine.force[:, 0]), ramp(at), atol=0.01 * abs(FORCE))
    assert slid(fine, 2.0) == pytest.approx(slid(coarse, 2.0), rel=0.01)
    assert fine.dissipated[-1] == pytest.approx(coarse.dissipated[-1], rel=0.01)
    assert (np.diff(fine.dissipated) >= 0.0).all()
    assert np.isfinite(fine.creepage).all()
    assert all(one is not None for one in fine.contacts)


def test_steps_are_joined_up_to_one_element():
    parts, rolls, loads, demands = (
        np.arange(12) * 0.3,
        np.zeros(11, dtype=bool),
        np.ones(12),
        np.ones((12, 2)),
    )

    def joined(parts=parts, still=rolls, loads=loads, stops=()):
        return join_steps(parts, still, loads, demands, np.array(stops, dtype=int)).tolist()

    assert joined() == [0, 3, 6, 9, 11]
    assert joined(stops=[4]) == [0, 3, 4, 7, 10, 11]
    assert joined(4.0 * parts) == list(range(12))
    assert {3, 4, 5} <= set(joined(loads=np.where(np.arange(12) == 4, 0.0, 1.0)))
    assert joined(loads=1.0 + 0.015 * np.arange(12)) == list(range(12))
    stands = np.arange(11) >= 5
    assert joined(np.minimum(parts, 1.5), stands) == [0, 3, 5, 11]
    assert joined(still=stands) == [0, 3, 5, 8, 11]  # parts of the period of a shaft
    assert join_steps(parts[:1], rolls[:0], loads[:1], demands[:1], np.zeros(0, dtype=int)).tolist() == [0]


@LONG_STEPS  # modes of the rigid bridge may be missed
def test_before_the_bridge_the_wheel_rolled_steadily():
    rolling = crossed(tr.Drive(force=FORCE, elements=ELEMENTS), 2.0, lengths=1.0)
    assert rolling.creepage[:, 0] == pytest.approx(steady().creepage[0], rel=5e-3)
    assert np.ptp(rolling.creepage[:, 0]) < 5e-3 * rolling.creepage[0, 0]


def test_tractions_stay_within_their_bound_and_make_up_the_force():
    rolling = crossed(tr.Drive(force=ramp, creepage=(None, 5e-4, 0.05), elements=ELEMENTS, keep=9), 1.3)
    np.testing.assert_allclose(rolling.force[:, 0], ramp(rolling.t), atol=1e-5 * FRICTION * LOAD)
    assert rolling.force[-1, 1] < -1e3  # against the lateral slip
    assert not rolling.sliding.any()
    assert rolling.kept.size == len(rolling.contacts) == 9
    for one in rolling.contacts:
        assert (np.hypot(*one.traction) <= one.bound + 1e-5 * one.bound.max()).all()
        assert one.normal.force == pytest.approx(LOAD, rel=1e-3)
    last = rolling.at(rolling.t[-1])
    assert last.force == pytest.approx(tuple(rolling.force[-1]))
    share = last.stick.sum() / last.normal.contact.sum()
    assert rolling.stick[-1] == share
    assert 0.0 < share < 1.0


def test_a_given_creepage_saturates_at_the_friction():
    rolling = crossed(tr.Drive(creepage=(lambda t: 0.01 * (t > 0.0), 0.0, 0.0), elements=ELEMENTS), 0.5)
    force = -rolling.force[:, 0]
    assert force[0] == 0.0
    assert (np.diff(force[:5]) > 0.0).all()  # built up by rolling
    assert force[-1] == pytest.approx(FRICTION * LOAD, rel=1e-3)
    assert (force <= rolling.bound * (1.0 + 1e-6)).all()
    assert rolling.sliding[-1]
    assert (np.diff(rolling.dissipated) >= 0.0).all()
    power = np.diff(rolling.dissipated)[-1] / (rolling.t[1] * SPEED)
    assert power == pytest.approx(0.01 * FRICTION * LOAD, rel=2e-3)


def test_a_force_beyond_the_friction_slides_and_adheres_again():
    peak, end = 2.0 * FRICTION * LOAD, 3.0 * LENGTH / SPEED
    drive = tr.Drive(force=lambda t: peak * np.sin(np.pi * t / end), elements=ELEMENTS)
    rolling = crossed(drive, 0.8)
    asked = peak * np.sin(np.pi * rolling.t / end)
    over = asked > FRICTION * rolling.contact_force
    np.testing.assert_array_equal(rolling.sliding[over], True)
    np.testing.assert_allclose(rolling.force[over, 0], rolling.bound[over], rtol=1e-4)
    np.testing.assert_allclose(rolling.force[~over, 0], asked[~over], atol=1e-5 * peak)
    assert np.isnan(rolling.creepage[over, 0]).all()
    lost = np.diff(rolling.dissipated, prepend=0.0)[over] / (rolling.t[1] * SPEED)
    contact = tr.hertz.sphere(RADIUS, PAIR, force=LOAD)
    least = 3.0 * FRICTION * LOAD / (4.0 * PAIR.shear_modulus * contact.radius**2)  # that slides all of it
    assert lost[1:-1] == pytest.approx(FRICTION * LOAD * least, rel=0.05)
    assert np.isfinite(rolling.creepage[~over, 0]).all()
    assert not rolling.sliding[-2]
    assert "slid in" in rolling.message
    middle = rolling.at(0.5 * end)
    assert np.isnan(middle.slip[:, middle.normal.contact]).all()
    assert not middle.stick.any()


@pytest.mark.parametrize("contact", ["hertz", "half-space"])
def test_tractions_are_lost_with_the_contact(contact):
    """A flat throws the wheel off the rail; where it lands, tractions start from nothing."""
    flat = tr.Irregularity.flat(RADIUS, 0.05, at=0.06)
    wheel = tr.Wheel(RADIUS, 1000.0, suspension=tr.Suspension(1e6, 1e4, 9e3), irregularity=flat)
    run = tr.cross(
        SOFT, [(wheel, 0.0)], 20.0, contact=contact, dt=1e-4, t_end=0.012,
        drive=tr.Drive(force=-15e3, elements=12),
    )  # fmt: skip
    rolling = run.rolling()
    air = rolling.contact_force == 0.0
    assert 10 < air.sum() < 100
    assert (rolling.force[air] == 0.0).all()
    assert np.isnan(rolling.creepage[air, 0]).all()
    assert (np.hypot(*rolling.force.T) <= rolling.bound * (1.0 + 1e-5)).all()
    carried = np.minimum(15e3, rolling.bound)
    np.testing.assert_allclose(-rolling.force[:, 0], carried, atol=2e-5 * rolling.bound.max())
    assert rolling.sliding[rolling.bound < 15e3][1:-1].any()
    assert (np.diff(rolling.dissipated) >= 0.0).all()
    with pytest.raises(tr.InputError, match="in the air"):
        rolling.at(rolling.t[np.argmax(air) + 5])
    assert rolling.contact_force.max() > 2.0 * LOAD


def test_a_torque_turns_the_wheel():
    """Its change of spin is what torque and force leave over, step by step; the end is steady rolling."""
    inertia, torque = 20.0, FORCE * RADIUS
    drive = tr.Drive(torque=lambda t: ramp(t) * RADIUS, inertia=inertia, elements=ELEMENTS)
    rolling = crossed(drive, 1.0, lengths=12.0)
    spin = rolling.rotation
    left = ramp(rolling.t) * RADIUS - RADIUS * rolling.force[:, 0]
    gained = np.cumsum(left[1:]) * rolling.t[1] / inertia
    np.testing.assert_allclose(spin[1:] - spin[0], gained, atol=2e-3 * abs(spin[-1] - spin[0]))
    assert rolling.force[-1, 0] * RADIUS == pytest.approx(torque, rel=0.01)
    assert rolling.creepage[-1, 0] == pytest.approx(steady().creepage[0], rel=0.02)


def test_a_brake_that_is_too_strong_locks_the_wheel():
    inertia, torque, applied = 2.0, -40e3, LENGTH / SPEED
    drive = tr.Drive(torque=lambda t: torque * (t >= applied), inertia=inertia, elements=8)
    rolling = crossed(drive, 4.0, lengths=15.0)
    slides = rolling.sliding & (rolling.creepage[:, 0] < 1.0)
    slowing = np.diff(rolling.rotation)[slides[1:] & slides[:-1]] / rolling.t[1]
    expected = (torque + RADIUS * FRICTION * LOAD) / inertia
    np.testing.assert_allclose(slowing[:-1], expected, rtol=1e-4)  # in the last one it comes to rest
    assert rolling.rotation[-1] == 0.0
    assert rolling.creepage[-1, 0] == 1.0
    assert rolling.force[-1, 0] == pytest.approx(-FRICTION * LOAD, rel=1e-3)
    # what friction takes is the speed of sliding times its force
    power = np.diff(rolling.dissipated)[-1] / rolling.t[1]
    assert power == pytest.approx(FRICTION * LOAD * SPEED, rel=1e-3)


def test_friction_over_time_and_a_wheel_that_rolls_free_before():
    wet = 2.0 * LENGTH / SPEED
    drive = tr.Drive(
        force=lambda t: FORCE * (t > 0.5 * wet), friction=lambda t: np.where(t > wet, 0.1, 0.4), elements=10
    )
    rolling = crossed(drive, 0.9)
    free, late = rolling.t < 0.5 * wet, rolling.t > 1.1 * wet
    assert (rolling.force[free] == 0.0).all()
    assert (rolling.creepage[free] == 0.0).all()
    assert (rolling.stick[free] == 1.0).all()
    assert rolling.at(0.1 * wet).force == pytest.approx((0.0, 0.0))
    np.testing.assert_allclose(-rolling.force[late, 0], 0.1 * LOAD, rtol=1e-3)
    np.testing.assert_allclose(rolling.bound[late], 0.1 * LOAD, rtol=1e-3)


def test_a_train_that_stops():
    def speed(t):
        return np.maximum(0.0, 1.0 - np.asarray(t) / 0.01)

    run = tr.cross(
        FIRM, [(tr.Wheel(RADIUS, 1e4), 0.0)], speed, contact="hertz", dt=1e-3, t_end=0.014,
        drive=tr.Drive(force=lambda t: -1e6 * np.asarray(t), elements=10),
    )  # fmt: skip
    rolling = run.rolling()
    np.testing.assert_allclose(rolling.force[:, 0], -1e6 * rolling.t, atol=1.0)
    assert np.isfinite(rolling.creepage[:9]).all()
    assert np.isnan(rolling.creepage[-2:]).all()


@LONG_STEPS  # modes of the rigid bridge may be missed
def test_wheels_are_driven_one_by_one():
    front, rear = tr.Drive(force=-10e3, elements=8), tr.Drive(force=12e3, elements=8)
    wheels = [(tr.Wheel(RADIUS, 1e4), 0.0), (tr.Wheel(RADIUS, 1e4), 0.05), (tr.Wheel(RADIUS, 1e4), 0.1)]

    def run(drive):
        return tr.cross(FIRM, wheels, 20.0, contact="hertz", dt=1e-3, t_end=0.01, drive=drive)

    one, other = run({0: front, 2: rear}), run([front, None, rear])
    np.testing.assert_array_equal(one.rolling(2).creepage, other.rolling(2).creepage)
    assert one.rolling(0).force[-1, 0] == pytest.approx(-10e3)
    assert one.rolling(2).creepage[-1, 0] < 0.0 < one.rolling(0).creepage[-1, 0]
    with pytest.raises(tr.InputError, match=r"wheel 2 \(index 1\) is not driven"):
        one.rolling(1)
    np.testing.assert_array_equal(one.contact_forces, run(None).contact_forces)


def test_tractions_are_kept_where_asked_for():
    rolling = crossed(tr.Drive(force=FORCE, elements=8, keep=(0.0, 5e-4)), 1.0, lengths=2.0)
    assert rolling.t[rolling.kept] == pytest.approx((0.0, 5e-4), abs=0.5 * rolling.t[1])
    assert rolling.at(4e-4) is rolling.contacts[1]


def test_the_patch_is_that_of_the_crossing():
    wheel = tr.Wheel(RADIUS, 1e4, profile=tr.Paraboloid(RADIUS, 0.3))
    run = tr.cross(
        SOFT, [(wheel, 0.0)], 20.0, contact="half-space", dt=1e-4, t_end=2e-3,
        drive=tr.Drive(creepage=(0.001, 0.0, 0.0), keep=3),
    )  # fmt: skip
    rolling = run.rolling()
    for k, one in zip(rolling.kept, rolling.contacts, strict=True):
        patch = run.patch(run.t[k])
        assert one.normal.grid == patch.grid == run.contacts[0].law.grid
        np.testing.assert_allclose(one.normal.pressure, patch.pressure, atol=1e-4 * patch.pressure.max())


def test_any_method_and_model():
    run = tr.cross(
        SOFT, [(tr.Wheel(RADIUS, 1e4), 0.0)], 20.0, contact="hertz", model="elements", size=10, dt=1e-3,
        t_end=0.01, drive=tr.Drive(force=-10e3, elements=8),
    )  # fmt: skip
    assert run.rolling().force[-1, 0] == pytest.approx(-10e3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "exactly one of force"),
        ({"force": 1.0, "torque": 1.0, "inertia": 1.0}, "force and torque given"),
        ({"force": 1.0, "creepage": (0.1, 0.0, 0.0)}, "force and creepage given"),
        ({"creepage": (None, 0.0, 0.0)}, "none given"),
        ({"creepage": 0.1}, "must be \\(xi, eta, phi\\)"),
        ({"creepage": (0.1, None, 0.0)}, "eta"),
        ({"force": np.nan}, "force = nan"),
        ({"force": "strong"}, "force"),
        ({"torque": 1.0}, "give inertia"),
        ({"force": 1.0, "inertia": 1.0}, "omit it"),
        ({"torque": 1.0, "inertia": -1.0}, "inertia = -1.0"),
        ({"force": 1.0, "friction": 0.0}, "friction = 0.0"),
        ({"force": 1.0, "elements": 2}, "elements = 2"),
        ({"force": 1.0, "keep": 1.5}, "keep = 1.5"),
        ({"force": 1.0, "keep": []}, "keep is empty"),
        ({"force": 1.0, "keep": [0.0, np.inf]}, "keep"),
    ],
)
def test_bad_drives(options, message):
    with pytest.raises(tr.InputError, match=message):
        tr.Drive(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"drive": 3.0}, "must be a tr.Drive"),
        ({"drive": {1: tr.Drive(force=1.0)}}, "has 1 wheel, "),
        ({"drive": {0: 1.0}}, "drive\\[0\\] = 1.0"),
        ({"drive": {"first": tr.Drive(force=1.0)}}, "whole number"),
        ({"drive": [None, None]}, "2 entries"),
        ({"drive": tr.Drive(force=1.0), "contact": "rigid"}, "contact=\"hertz\""),
        ({"drive": tr.Drive(torque=1e5, inertia=1.0)}, "increase it over time"),
        ({"drive": tr.Drive(force=1.0, keep=[0.02])}, "outside the run"),
        ({"drive": tr.Drive(force=lambda t: np.where(t > 0, np.nan, 0.0))}, "force\\(t\\)"),
        ({"drive": tr.Drive(force=1.0, friction=lambda t: 0.3 - 100.0 * t)}, "must be positive"),
    ],
)  # fmt: skip
def test_bad_driving(options, message):
    given = {"contact": "hertz", "dt": 1e-3, "t_end": 0.01, **options}
    with pytest.raises(tr.InputError, match=message):
        tr.cross(FIRM, [(tr.Wheel(RADIUS, 1e4), 0.0)], 20.0, **given)


@pytest.mark.parametrize("force", [FORCE, pytest.param(0.0, marks=pytest.mark.slow)])
def test_unlike_bodies_tend_to_their_own_steady_rolling(force):
    """Pressure draws the surfaces too: a wheel of aluminium that rolls free has tractions, and creeps."""
    soft = tr.Material(7e10, 0.33)
    drive = tr.Drive(force=force, elements=ELEMENTS, keep=[1.0 * LENGTH / SPEED])
    rolling = crossed(drive, 0.7, lengths=1.0, material=soft)
    kept = rolling.at(LENGTH / SPEED)
    normal = tr.press(tr.Sphere(RADIUS), kept.normal.grid, kept.normal.pair, force=kept.normal.force)
    expected = tr.roll_steady(normal, FRICTION, force=(force, None), creepage=(None, 0.0, 0.0))
    assert abs(kept.force[0] - force) <= 1e-4 * FRICTION * LOAD
    assert rolling.creepage[:, 0].mean() == pytest.approx(expected.creepage[0], rel=1e-2)
    assert np.all(np.hypot(*kept.traction) <= kept.bound * (1.0 + 1e-4) + 1.0)
    assert np.abs(kept.traction).max() > 0.05 * FRICTION * normal.peak_pressure


@LONG_STEPS  # modes of the rigid bridge may be missed
def test_a_time_outside_the_run_has_no_tractions():
    rolling = crossed(tr.Drive(force=FORCE, elements=8), 4.0, lengths=0.5)
    with pytest.raises(tr.InputError, match="must lie in"):
        rolling.at(1.0)
    assert "force given" in repr(rolling)
    assert len(rolling) == rolling.t.size


def test_elements_of_patches_are_not_for_lines():
    line = tr.Grid.line(32, 1e-4, length=1.0)
    cylinder = tr.Wheel(RADIUS, 1e4, profile=tr.Cylinder(RADIUS))
    with pytest.raises(tr.InputError, match="is for patches"):
        tr.cross(
            FIRM, [(cylinder, 0.0)], SPEED, contact="half-space", grid=line, dt=1e-3, t_end=0.01,
            drive=tr.Drive(force=-1e3, elements=12),
        )  # fmt: skip


def test_falling_friction_and_a_layer_are_those_of_steady_rolling():
    """A wheel that slides at 2 % carries what the law leaves at that slip speed."""
    law = tr.friction.exponential(0.1, (0.2, 1.0), memory=(3e-6, 1e-3))
    layer = tr.Layer(4e9, 20e-6)
    creepage = (0.02, 0.0, 0.0)
    drive = tr.Drive(creepage=creepage, friction=law, layer=layer, elements=ELEMENTS)
    grid = tr.Grid(ELEMENTS, ELEMENTS, DX, DX)
    normal = tr.press(tr.Sphere(RADIUS), grid, PAIR, force=LOAD)
    expected = tr.roll_steady(normal, law, creepage=creepage, speed=SPEED, layer=layer)
    assert -expected.force[0] < 0.9 * law.static * LOAD
    assert crossed(drive, 1.0, lengths=1.5).force[-1, 0] == pytest.approx(expected.force[0], rel=5e-3)


@pytest.mark.parametrize("given", ["creepage", "force", "torque"])
def test_adhesion_that_drops_along_the_track(given):
    """Where the rail is wet, a wheel that asks for more than it carries slides, not in front of it."""
    where = 1.5 * LENGTH
    wet = tr.friction.along_track([where, where], [0.3, 0.05])
    asked = {
        "creepage": {"creepage": (-0.003, 0.0, 0.0)},
        "force": {"force": 0.2 * LOAD},
        "torque": {"torque": 0.2 * LOAD * RADIUS, "inertia": 50.0},
    }[given]
    rolling = crossed(tr.Drive(**asked, friction=wet, elements=10), 1.5)
    x, used = SPEED * rolling.t, rolling.force[:, 0] / rolling.contact_force
    dry, behind = x < where - 0.6 * LENGTH, x > where + 0.8 * LENGTH
    assert (used[dry] > 0.15).all()
    assert used[behind] == pytest.approx(0.05, rel=0.02)
    assert rolling.friction[dry] == pytest.approx(0.3)
    assert rolling.friction[behind] == pytest.approx(0.05)
    assert not rolling.sliding[dry].any()
    assert rolling.sliding[behind].all()
    assert (np.diff(rolling.dissipated) >= 0.0).all()


@LONG_STEPS
def test_driven_wheels_warm_up():
    """Friction by temperature carries less than cold friction, and is refused with a given force."""
    law = tr.friction.thermal([0.0, 200.0], [0.3, 0.1])
    cold, warm = (
        crossed(tr.Drive(creepage=(-0.01, 0.0, 0.0), friction=friction, elements=10), 1.0, lengths=0.5)
        for friction in (0.3, law)
    )
    assert warm.force[-1, 0] < 0.97 * cold.force[-1, 0]
    with pytest.raises(tr.InputError, match="torque and the inertia"):
        tr.Drive(force=1e3, friction=law)
