"""A heavy wheel without springs on an undamped bridge: mesh, elastic strip, beam and `tr.cross`.

Nothing damps the vibrations, so that forces agree only where frequencies, shapes, contact and entry do.
"""

from dataclasses import replace

import numpy as np
import pytest

import traction as tr
from traction.app.checks.finite_element_checks import INSIDE, heavy_wheel
from traction.app.finite_elements.bridge_mesh import MeshModes
from traction.app.finite_elements.modal_crossing import PressureContact, Ride, roll_over
from traction.app.finite_elements.split_modes import SplitModes
from traction.app.finite_elements.strip_modes import StripModes

CASE = heavy_wheel()
BODY = CASE.bridge, CASE.weight


def apart(one, other):
    """Largest difference of two forces, of the weight."""
    return float(np.abs(one - other).max()) / CASE.weight


def test_the_crossing_of_tr_cross_marches_the_same_beam():
    """Two implementations of one model; without residual compliance `tr.cross` with 40 modes is 5 % off."""
    modes = CASE.vibrations(SplitModes.of_beam(*BODY), 2000)
    crossing = CASE.split(8000, residual=True)
    assert modes.force[0] == pytest.approx(CASE.weight)
    assert apart(crossing.contact_forces[::4, 0], modes.force) < 0.01


def test_inside_of_the_supports_the_beam_differs_by_a_hundredth():
    """Of the exact strip; bending waves and approach of the strip's top are nearer, 0.3 %."""
    strip, top, beam = (
        CASE.vibrations(body, 1000, start=INSIDE).force
        for body in (StripModes(*BODY, cutoff=150.0), SplitModes.of_strip(*BODY), SplitModes.of_beam(*BODY))
    )
    assert apart(top, strip) < 4e-3
    assert 6e-3 < apart(beam, strip) < 0.015


@pytest.mark.parametrize("place", [5.0, 10.0])
def test_the_mesh_at_rest_tends_to_the_strip(place):
    """With ends alike they are one problem; halved elements miss it by less than half."""
    exact = StripModes(*BODY).compliance(place, CASE.weight)
    off = [abs(CASE.mesh(fine, "sections").compliance(place) / exact - 1.0) for fine in (3.0, 1.5)]
    assert off[0] < 8e-4
    assert off[1] < 0.5 * off[0]


def test_a_heavy_load_at_walking_pace_stays_at_its_weight():
    """Between supports the compliance of the strip changes slowly, and so does the force."""
    ride = Ride(CASE.wheel.vehicle, CASE.weight, 0.5, (9.5, 10.5), 0.0)
    slow = roll_over(PressureContact(SplitModes.of_strip(*BODY)), ride, 800)
    assert apart(slow.force, CASE.weight) < 3e-4


def test_a_wheel_that_lifts_off_has_no_force():
    """A hollow in the track of half a centimetre at 60 m/s: the force is zero for a while, never below."""
    body = SplitModes.of_beam(*BODY)
    hollow = replace(
        body, beyond=(np.array([0.0, 5.0, 5.5, 6.0, 20.0]), np.array([0.0, 0.0, 2.0, 0.0, 0.0]) * 1e-8)
    )
    flying = roll_over(
        PressureContact(hollow), Ride(CASE.wheel.vehicle, CASE.weight, 60.0, (2.0, 10.0), 0.0), 800
    )
    assert flying.force.min() == 0.0
    assert flying.force[-1] >= 0.0


def test_bad_input():
    body = SplitModes.of_beam(*BODY)
    with pytest.raises(tr.InputError, match="start = 11 m must be before midspan"):
        CASE.vibrations(body, 100, start=11.0)
    with pytest.raises(tr.InputError, match="contact"):
        CASE.vibrations(body, 100, contact="glue")
    with pytest.raises(tr.InputError, match="modes"):
        CASE.vibrations(body, 100, contact="nodes")
    with pytest.raises(tr.InputError, match="is 41 ms: use at least 608"):
        CASE.vibrations(body, 100)
    with pytest.raises(tr.InputError, match="ends"):
        CASE.mesh(3.0, "welded")


def test_taking_off_the_ripple_leaves_the_influence_line():
    """Along an element the mesh is as far from the strip as at its ends, within 0.1 % of the approach.

    Measured from the straight line between the ends, the ripple would have the curvature of the influence
    line in it, and without that the wheel would meet a wave of 1.4 % of the approach at every element.
    """
    mesh, strip = CASE.mesh(3.0), StripModes(*BODY)
    places = 10.0 + mesh.spacing * np.linspace(0.0, 1.0, 5)
    off = [mesh.compliance(x) - strip.compliance(x, CASE.weight) for x in places.tolist()]
    assert np.ptp(off) < 1e-3 * 2.0 / 7e9


@pytest.fixture(scope="module")
def coarse():
    return MeshModes(CASE.mesh(3.0), 30)


@pytest.mark.slow
def test_the_force_of_the_mesh_tends_to_that_of_the_strip(coarse):
    """At all times and frequencies, after 1.6 s without damping: 1.7, 0.7 and, by 0.75 half widths, 0.5 %."""
    strip = CASE.vibrations(StripModes(*BODY), 2000, start=INSIDE).force
    off = [
        apart(CASE.vibrations(modes, 2000, start=INSIDE).force, strip)
        for modes in (coarse, MeshModes(CASE.mesh(1.5), 30))
    ]
    assert off[0] < 0.02
    assert off[1] < 0.01
    assert off[1] < 0.6 * off[0]


@pytest.mark.slow
def test_all_displacements_in_time_tend_to_the_modes(coarse):
    """With some damping, which ties the phases: Hilber, Hughes and Taylor against modes of the same mesh."""
    case = replace(CASE, bridge=replace(CASE.bridge, damping=2e-4))
    exact = case.vibrations(coarse, 4000).force
    off = [apart(case.meshed(steps, fine=3.0).force, exact[:: 4000 // steps]) for steps in (500, 2000)]
    assert off[1] < 0.01
    assert off[1] < 0.5 * off[0]
