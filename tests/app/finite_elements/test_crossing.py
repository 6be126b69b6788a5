"""A cylinder rolls over a beam: `tr.cross` in line contact against elastodynamics of the whole mesh."""

import math
from dataclasses import replace

import numpy as np
import pytest

import traction as tr
from traction.app.checks.finite_elements import rolling_cylinder


def differences(case, steps, fine):
    """Of midspan over its largest deflection, of the contact force over the weight; both largest."""
    split, meshed = case.split(steps), case.meshed(steps, fine=fine)
    midspan = np.interp(meshed.t, split.t, split.deflection(0.5 * case.bridge.length)) - meshed.deflection
    force = np.interp(meshed.t, split.t, split.contact_forces[:, 0]) - meshed.force
    return np.abs(midspan).max() / meshed.deflection.max(), np.abs(force).max() / case.weight


def test_midspan_and_contact_force_agree():
    midspan, force = differences(rolling_cylinder(), 250, 2.0)
    assert midspan < 0.01
    assert force < 0.02


@pytest.mark.slow
def test_a_finer_mesh_agrees_as_well():
    midspan, force = differences(rolling_cylinder(), 400, 1.0)
    assert midspan < 0.01
    assert force < 0.02


def test_slowly_it_is_the_bridge_at_rest():
    """The influence line of midspan, and about it a vibration of v over the critical speed."""
    case = replace(rolling_cylinder(), speed=2.0, suspension=None, mass=30e3)
    meshed = case.meshed(150, fine=3.0)
    length = case.bridge.length
    at_rest = case.weight * case.bridge.beam.influence(0.5 * length).deflection(2.0 * meshed.t)
    section = case.bridge.beam.segments[0]
    critical = math.pi / length * math.sqrt(section.bending_stiffness / section.mass_per_length)
    assert np.abs(meshed.deflection - at_rest).max() < 1.1 * case.speed / critical * at_rest.max()
    assert meshed.force == pytest.approx(case.weight, rel=0.03)


def test_a_motion_needs_a_density():
    case = rolling_cylinder()
    with pytest.raises(tr.InputError, match="density"):
        replace(case, bridge=replace(case.bridge, material=tr.Material(7e9, 0.3)))
