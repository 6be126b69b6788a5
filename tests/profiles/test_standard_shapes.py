"""Standard profiles against published points, and against the laws of their drawings."""

import numpy as np
import pytest

import traction as tr
from curve_points import benchmark_points, distances


@pytest.mark.parametrize(("name", "which"), [("S1002", 0), ("UIC60-benchmark", 1)])
def test_points_of_the_benchmark_lie_on_the_formula(name, which):
    points = benchmark_points()[which]
    assert distances(tr.Profile.standard(name).curve, points).max() < 1e-8  # 1e-5 mm


def test_the_rail_of_the_benchmark_is_an_inclined_60e1_but_for_hundredths_of_a_millimetre():
    upright = tr.Profile.standard("UIC60-benchmark").rotated(np.arctan(1 / 40))
    centred = upright.shifted(-0.5 * (upright.y[0] + upright.y[-1]), -upright.z.max()).curve
    points = np.stack(centred.position(np.linspace(0.0, centred.length, 400)), axis=-1)
    head = points[np.abs(points[:, 0]) < 26e-3]
    far = distances(tr.Profile.standard("60E1").curve, head).max()
    assert 0.015e-3 < far < 0.045e-3


@pytest.mark.parametrize("name", ["S1002", "60E1", "60E2", "UIC60-benchmark"])
def test_the_parameter_is_the_arc_length(name):
    curve = tr.Profile.standard(name).curve
    s = np.linspace(0.0, curve.length, 200_001)
    steps = np.hypot(*(np.diff(values) for values in curve.position(s)))
    assert np.abs(steps / np.diff(s) - 1.0).max() < 1e-5
    assert steps.sum() == pytest.approx(curve.length, rel=1e-8)


@pytest.mark.parametrize("name", ["60E1", "60E2"])
def test_heads_are_tangent_arcs_with_the_printed_radii(name):
    rail = tr.Profile.standard(name)
    printed = {"60E1": (300, 80, 13), "60E2": (200, 70, 16, 8)}[name]
    radii = -1e3 / rail.curve.curvature(np.linspace(0.025, rail.curve.length - 0.025, 4001))
    share = np.mean(np.abs(radii[:, None] / np.array(printed) - 1.0).min(axis=1) < 1e-3)
    assert share > 0.98  # the rest are the splines' ends at joints
    assert rail.curve.kinks == ()
    assert np.interp(
        -14.3e-3, rail.z[::-1][: rail.z.size // 2], rail.y[::-1][: rail.y.size // 2]
    ) == pytest.approx(36e-3, abs=1e-6)


def test_flange_of_s1002_has_its_printed_height_and_back():
    wheel = tr.Profile.standard("S1002")
    heights = wheel.curve.position(np.linspace(0.0, wheel.curve.length, 100_001))[1]
    assert heights.min() == pytest.approx(-28e-3, abs=1e-9)
    assert wheel.y.max() == pytest.approx(70e-3, abs=1e-9)
    assert np.interp(0.0, wheel.y[:300], wheel.z[:300]) == pytest.approx(0.0, abs=1e-8)
