"""Crossings and wheels at rest with real profiles on real rails, `tr.wheel_on_rail`."""

import numpy as np
import pytest

import traction as tr
from traction.wheelsets.geometry.pose import Pose
from traction.wheelsets.search.locus import ContactLocus
from worn_profiles import WHEEL

WHEELSET, TRACK = tr.Wheelset(WHEEL, 0.46), tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
BEAM = tr.Beam(10.0, 2e9, 3000.0, supports=("pinned", "pinned"))
BRIDGE = tr.Bridge(BEAM, tr.STEEL)
MASS = 8000.0
LOAD = 9.81 * MASS
CONTACTS = ["hertz", "half-space"]


def cross(surface, contact, bridge=BRIDGE):
    train = tr.Train([(tr.Wheel(0.46, MASS, profile=surface), 0.0)])
    return tr.cross(bridge, train, 40.0, contact=contact, dt=5e-4)


@pytest.mark.parametrize("contact", CONTACTS)
def test_a_cylinder_on_an_arc_crosses_as_a_paraboloid(contact):
    cylinder = tr.Wheelset(tr.Profile.conical(0.0, between=(-0.06, 0.06)), 0.46)
    arc = tr.Track(tr.Profile.circular(0.3, "rail", between=(-0.036, 0.036)))
    real = cross(tr.wheel_on_rail(cylinder, arc, y=2e-3), contact)
    shape = cross(tr.Paraboloid(0.46, 0.3), contact)
    assert np.abs(shape.forces / LOAD - 1.0).max() > 0.05  # the crossing is no trivial one
    assert real.forces == pytest.approx(shape.forces, abs=1e-4 * LOAD)
    assert real.deflection(5.0) == pytest.approx(shape.deflection(5.0), abs=1e-8)


@pytest.mark.parametrize("contact", CONTACTS)
def test_a_rigid_bridge_carries_the_static_load(contact):
    stiff = tr.Bridge(tr.Beam(10.0, 1e13, 3000.0, supports=("pinned", "pinned")), tr.STEEL)
    crossing = cross(tr.wheel_on_rail(WHEELSET, TRACK, y=3e-3), contact, stiff)
    assert crossing.ok
    assert crossing.forces[0] == pytest.approx(LOAD, rel=1e-9)
    assert crossing.forces == pytest.approx(LOAD, rel=1e-3)


@pytest.mark.parametrize("contact", CONTACTS)
def test_left_and_right_wheels_cross_alike(contact):
    right = cross(tr.wheel_on_rail(WHEELSET, TRACK, side="right", y=2e-3, yaw=3e-3), contact)
    left = cross(tr.wheel_on_rail(WHEELSET, TRACK, side="left", y=-2e-3, yaw=-3e-3), contact)
    assert left.forces == pytest.approx(right.forces, rel=1e-6)


@pytest.mark.parametrize("y", [-4e-3, 0.0])
def test_approach_and_pressure_are_those_of_the_profiles(y):
    """Half-space contact at rest against `tr.wheel_rail` without friction, which lays its own planes."""
    surface = tr.wheel_on_rail(WHEELSET, TRACK, y=y)
    (contact,) = cross(surface, "half-space").contacts
    c = tr.wheel_rail(WHEELSET, TRACK, side="right", y=y, force=LOAD, friction=0.0, dx=4e-4, dy=4e-4)
    touching = ContactLocus.of(WHEELSET, TRACK, "right", Pose(y, 0.0, 0.0, 0.0)).touching_height
    approach = (touching - c.z) * np.cos(c.patches[0].angle)
    assert contact.static == pytest.approx(approach, rel=0.01)
    wheel = tr.Wheel(0.46, MASS, profile=surface)
    (resting,) = tr.rest(wheel, BRIDGE, 5.0, LOAD).contacts
    assert resting.force == pytest.approx(LOAD, rel=1e-6)
    assert resting.peak_pressure == pytest.approx(c.patches[0].peak_pressure, rel=0.02)


def test_hertz_misses_profiles_that_bend_within_the_patch():
    """S1002 in the middle of the track: a parabola across the patch is 9 % too compliant under 78 kN."""
    surface = tr.wheel_on_rail(WHEELSET, TRACK)
    hertz, solved = (cross(surface, contact).contacts[0].static for contact in CONTACTS)
    assert hertz > 1.05 * solved
