"""An elastic strip by its waves: limits of long and short ones, and the sum of all at rest."""

import math

import numpy as np
import pytest

import traction as tr
from traction.app.finite_elements.split_modes import SplitModes
from traction.app.finite_elements.strip_modes import ElasticStrip, StripModes, strip_compliance, top_length
from traction.app.finite_elements.thick_beam import BeamUnderCylinder

E, NU, DENSITY, H = 7e9, 0.3, 7850.0, 1.8
SOFT = tr.Material(E, NU, DENSITY)
WEIGHT = 1.4715e6


def strip(*kh):
    return ElasticStrip(H, SOFT, np.array(kh) / H)


@pytest.mark.parametrize("kh", [0.3, 1.0, 6.0])
def test_all_branches_together_deflect_as_the_strip_at_rest(kh):
    """Two sides of one theory: waves in motion, and the closed form at rest."""
    found = strip(kh)
    at_rest = 2.0 * (1.0 - NU**2) * H / (E * kh) * strip_compliance(np.array(kh))
    assert np.sum((found.top / found.frequencies) ** 2) == pytest.approx(at_rest, rel=1e-7)


def test_long_bending_waves_are_those_of_timoshenko_with_a_top_that_lags():
    """k = 5/(6 - nu); a section grows where it is compressed: the top moves less by nu' (kh)^2/12."""
    kh, m, EI = 0.2, DENSITY * H, E * H**3 / (12.0 * (1.0 - NU**2))
    found, k = strip(kh), kh / H
    beam = tr.Beam(
        math.pi / k, EI, m, shear_stiffness=5.0 / (6.0 - NU) * E / (2.0 * (1.0 + NU)) * H,
        rotary_inertia=DENSITY * H**3 / 12.0, supports=("pinned", "pinned"),
    )  # fmt: skip
    assert found.frequencies[0, 0] == pytest.approx(float(beam.frequencies(1)[0]), rel=3e-6)
    lag = NU / (1.0 - NU) * kh**2 / 12.0 + kh**2 / 24.0  # the second by rotary inertia in the modal mass
    assert 1.0 - abs(found.top[0, 0]) * math.sqrt(m) == pytest.approx(lag, rel=0.05)


def test_short_waves_are_rayleighs():
    """0.9274 of the speed of shear waves at nu = 0.3."""
    shear = math.sqrt(E / (2.0 * (1.0 + NU)) / DENSITY)
    assert strip(16.0).frequencies[0, 0] * H / 16.0 == pytest.approx(0.9274 * shear, rel=2e-3)


def test_a_cylinder_at_rest_drops_by_bending_shear_and_approach():
    """The series of waves against the closed form with 5/(6 (1 - nu)) and the length of the approach.

    Beyond it the beam bends across the patch, on the mean by a^2 M/(4 EI).
    """
    bridge = BeamUnderCylinder(20.0, H, 8.0, SOFT)
    waves, closed = StripModes(bridge, WEIGHT), SplitModes.of_strip(bridge, WEIGHT)
    assert top_length() == pytest.approx(0.20484, abs=1e-5)
    for place in (4.0, 10.0):
        for force in (0.5 * WEIGHT, WEIGHT):
            apart = waves.compliance(place, force) - closed.compliance(place, force)
            moment, a = place * (20.0 - place) / 20.0, bridge.hertz(force).half_width
            curved = 0.25 * a**2 * moment / bridge.beam.segments[0].bending_stiffness
            assert abs(apart + curved) < 3e-4 * 2.0 / E  # 2/E is the approach per force


def test_waves_that_move_are_taken_off_the_rest():
    bridge = BeamUnderCylinder(20.0, H, 8.0, SOFT)
    found = [StripModes(bridge, WEIGHT, cutoff=cutoff) for cutoff in (100.0, 300.0)]
    moving = [float(np.sum((m.loads(7.0, WEIGHT) / m.frequencies) ** 2)) for m in found]
    left = [m.residual(7.0, WEIGHT) for m in found]
    assert found[1].frequencies.size > 2 * found[0].frequencies.size
    assert left[0] > left[1] > 0.0
    assert moving[0] + left[0] == pytest.approx(moving[1] + left[1], rel=1e-12)
