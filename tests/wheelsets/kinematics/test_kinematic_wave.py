"""The kinematic wave: Klingel's limit, and the equations of pure rolling."""

import math

import numpy as np
import pytest

import traction as tr

TRACK = tr.Track(tr.Profile.circular(0.3, "rail"))


def test_a_blunt_cone_runs_as_klingel_says():
    cone = tr.Wheelset(tr.Profile.conical(1 / 200), radius=0.46)
    wave = tr.kinematic_wave(cone, TRACK, 1e-3)
    assert wave.wavelength == pytest.approx(wave.klingel_wavelength, rel=1e-4)
    assert np.abs(wave.y - wave.klingel).max() < 1e-3 * wave.amplitude


@pytest.mark.parametrize("amplitude", [1e-3, 4e-3])
def test_the_path_obeys_pure_rolling(amplitude):
    """dy/dx = tan yaw, and the yaw turns by -Delta r/(e r) along the path."""
    wheelset = tr.Wheelset(tr.Profile.standard("S1002"), radius=0.46)
    track = tr.Track(tr.Profile.standard("60E1"), cant=1 / 40)
    wave = tr.kinematic_wave(wheelset, track, amplitude)
    x, y, yaw = wave.x, wave.y, wave.yaw
    steps = np.diff(x)
    long = steps > 1e-4 * wave.wavelength  # not those that close in on jumps of Delta r
    middle = 0.5 * (yaw[1:] + yaw[:-1])
    assert np.abs(np.diff(y)[long] / steps[long] - np.tan(middle)[long]).max() < 1e-3 * np.abs(yaw).max()
    found = tr.contact_functions(wheelset, track, (0.5 * (y[1:] + y[:-1]))[long])
    turn = -found.radius_difference / (found.contact_distance * found.mean_radius)
    bend = (np.diff(yaw) * np.cos(middle))[long] / steps[long]
    assert np.abs(bend - turn).max() < 0.01 * np.abs(turn).max()
    assert (y.max(), y.min()) == pytest.approx((amplitude, -amplitude))
    assert wave.frequency(30.0) == pytest.approx(30.0 / wave.wavelength)


def test_wavelength_falls_with_conicity_as_a_root():
    lengths = [
        tr.kinematic_wave(tr.Wheelset(tr.Profile.conical(t), radius=0.46), TRACK, 2e-3).wavelength
        for t in (1 / 100, 1 / 400)
    ]
    assert lengths[1] / lengths[0] == pytest.approx(2.0, rel=0.01)
    assert math.isclose(lengths[0], 2 * math.pi * math.sqrt(1.5 * 0.46 / 2 * 100), rel_tol=0.03)
