"""Points of a profile: each step of their curation says what it did, and keeps the shape."""

import numpy as np
import pytest

import traction as tr
from curve_points import distances
from traction.profiles.smoothing import estimate_noise, smooth

ROUND = 0.3
NOISE = 1e-6


def arc(number=241, half=30e-3):
    y = np.linspace(-half, half, number)
    return y, np.sqrt(ROUND**2 - y**2) - ROUND


def noisy(curve, spacing, rng, noise=NOISE):
    """Points of a curve with noise along its normal."""
    s = np.linspace(0.0, curve.length, int(curve.length / spacing))
    points, (ty, tz) = np.stack(curve.position(s), axis=-1), curve.tangent(s)
    return points + noise * rng.normal(size=(s.size, 1)) * np.stack([-tz, ty], axis=-1)


def test_clean_points_stay():
    y, z = arc()
    rail = tr.Profile(y, z, "rail")
    assert rail.notes == ()
    assert rail.y == pytest.approx(y, abs=0.0)
    assert rail.curve.curvature(0.5 * rail.curve.length) == pytest.approx(-1.0 / ROUND, rel=1e-4)


def test_points_in_reverse_order_are_turned():
    y, z = arc()
    rail = tr.Profile(y[::-1], z[::-1], "rail")
    assert rail.y == pytest.approx(y)
    assert "reversed" in rail.notes[0]


def test_duplicates_are_dropped():
    y, z = arc()
    rail = tr.Profile(np.repeat(y, 3), np.repeat(z, 3), "rail")
    assert rail.y == pytest.approx(y)
    assert f"{2 * y.size} points" in rail.notes[0]


def test_a_zigzag_is_averaged():
    y, z = arc()
    y[[100, 101]] = y[[101, 100]]
    rail = tr.Profile(y, z, "rail")
    assert any("zig-zag" in note for note in rail.notes)
    assert np.diff(rail.y).min() > 0.0
    assert np.abs(rail.z - (np.sqrt(ROUND**2 - rail.y**2) - ROUND)).max() < 20e-6


def test_kinks_are_kept_and_curves_between_them_smooth():
    y = np.linspace(-20e-3, 20e-3, 161)
    rail = tr.Profile(y, -np.abs(y), "rail")
    assert len(rail.curve.kinks) == 1
    assert any("kinks kept" in note for note in rail.notes)
    before, behind = (rail.curve.tangent(rail.curve.kinks[0] + off) for off in (-1e-9, 1e-9))
    assert np.arctan2(before[1], before[0]) == pytest.approx(np.pi / 4)
    assert np.arctan2(behind[1], behind[0]) == pytest.approx(-np.pi / 4)
    assert np.abs(rail.curve.curvature(np.linspace(0.0, rail.curve.length, 999))).max() < 1e-6


@pytest.mark.parametrize("order", [(0, 1, 0, 1), (0, 2, 1, 3)], ids=["A-B-A-B", "A-C-B-D"])
def test_steps_back_are_averaged_wherever_they_are(order):
    """Also where the surface is straight, and the side to which they turn is that of rounding."""
    exact = tr.Profile.standard("60E1")
    y = np.linspace(-30e-3, 30e-3, 601)
    z = np.interp(y, exact.y, exact.z)
    for at in range(5, 590, 13):
        there = [*range(at), *(at + k for k in order), *range(at + 1 + max(order), y.size)]
        rail = tr.Profile(y[there], z[there], "rail", smoothing=0.0)
        assert any("zig-zag" in note for note in rail.notes)
        assert np.abs(np.interp(y, rail.y, rail.z) - z).max() < 2e-6


def test_loops_gaps_and_disorder_are_refused():
    y, z = arc()
    t = np.linspace(0.0, 2.0 * np.pi, 41)
    loop_y = np.concatenate([y[:120], y[120] + 3e-3 * np.sin(t), y[120:]])
    loop_z = np.concatenate([z[:120], z[120] + 3e-3 * (1.0 - np.cos(t)), z[120:]])
    eight_y = np.concatenate([y[:120], y[120] + 3e-3 * np.sin(t), y[120:]])
    eight_z = np.concatenate([z[:120], z[120] + 1e-3 + 1e-3 * np.sin(2.0 * t), z[120:]])
    for points, words in (
        ((loop_y, loop_z), "loop"),
        ((eight_y, eight_z), "crosses itself"),
        ((np.delete(y, slice(60, 90)), np.delete(z, slice(60, 90))), "gap of 7.7"),
        ((np.random.default_rng(0).permutation(y), z), "no order"),
        ((1e3 * y, 1e3 * z), "in metres"),
        ((y, -z), "upside down"),
        ((y, np.where(y > 0.01, np.nan, z)), "finite"),
    ):
        with pytest.raises(tr.InputError, match=words):
            tr.Profile(*points, "rail")


def test_wheels_on_the_wrong_side_or_upside_down_are_refused():
    wheel = tr.Profile.standard("S1002")
    with pytest.raises(tr.InputError, match="field side"):
        tr.Profile(-wheel.y, wheel.z, "wheel")
    with pytest.raises(tr.InputError, match="upside down"):
        tr.Profile(wheel.y, -wheel.z, "wheel")
    with pytest.raises(tr.InputError, match="field side"):
        wheel.mirrored()


@pytest.mark.parametrize("wavelength", [1e-3, 3e-3])
def test_the_spline_keeps_its_share_of_a_wave(wavelength):
    y = np.linspace(-20e-3, 20e-3, 1601)
    for length in (0.5 * wavelength, wavelength, 2.0 * wavelength, 4.0 * wavelength):
        wave = 1e-6 * np.cos(2.0 * np.pi * y / length)
        left = smooth(np.stack([y, wave], axis=-1), wavelength)[:, 1]
        inner = np.abs(y) < 8e-3
        share = left[inner] @ wave[inner] / (wave[inner] @ wave[inner])
        assert share == pytest.approx(1.0 / (1.0 + (wavelength / length) ** 6), abs=0.02)


def test_noise_is_measured_and_curves_are_not_taken_for_noise():
    curve = tr.Profile.standard("60E1").curve
    for noise in (0.3e-6, 1e-6, 5e-6):
        points = noisy(curve, 0.2e-3, np.random.default_rng(5), noise)
        assert np.median(estimate_noise(points)) == pytest.approx(noise, rel=0.15)
    for spacing in (0.2e-3, 1e-3, 2e-3):
        clean = noisy(curve, spacing, np.random.default_rng(5), 0.0)
        assert not any("noise" in note for note in tr.Profile(*clean.T, "rail").notes)


@pytest.mark.parametrize("spacing", [0.05e-3, 0.1e-3, 0.3e-3])
@pytest.mark.parametrize("name", ["60E1", "S1002"])
def test_the_default_removes_noise_and_keeps_the_shape(name, spacing):
    standard = tr.Profile.standard(name)
    points = noisy(standard.curve, spacing, np.random.default_rng(7))
    measured = tr.Profile(*points.T, standard.kind)
    assert any("noise of" in note for note in measured.notes)
    left = distances(standard.curve, np.stack([measured.y, measured.z], axis=-1))[2:-2]  # ends may move along
    assert np.sqrt(np.mean(left**2)) < 0.6 * NOISE
    assert left.max() < 3.0 * NOISE


@pytest.mark.parametrize("spacing", [0.05e-3, 0.2e-3])
def test_the_pressure_on_a_measured_rail_is_the_true_one(spacing):
    """Through all points, noise of 1 um spoils the peak pressure; the default keeps it within 5 %."""
    grid, pair = tr.Grid(80, 80, 0.25e-3, 0.25e-3), tr.Pair(tr.STEEL, tr.STEEL)
    rng = np.random.default_rng(2)
    points = noisy(tr.Profile.standard("60E1").curve, spacing, rng)

    def peak(y, z):
        gap = grid.x**2 / (2 * 0.46) - (np.interp(grid.y, y, z))[:, None]
        return tr.press(gap, grid, pair, force=20e3).pressure.max()

    rail = tr.Profile.standard("60E1")
    true = peak(rail.y, rail.z)
    raw, default = (tr.Profile(*points.T, "rail", smoothing=s) for s in (0, None))
    assert peak(raw.y, raw.z) > 1.3 * true
    assert peak(default.y, default.z) == pytest.approx(true, rel=0.05)


def test_noise_in_z_is_found_where_it_matters():
    """On the steep sides of a rail noise in z lies along the profile; on its head it lies across."""
    curve = tr.Profile.standard("60E1").curve
    points = noisy(curve, 0.1e-3, np.random.default_rng(3), 0.0)
    points[:, 1] += NOISE * np.random.default_rng(4).normal(size=len(points))
    found = estimate_noise(points)
    head = np.abs(points[:, 0]) < 20e-3
    side = points[:, 1] < -20e-3
    assert np.median(found[head]) == pytest.approx(NOISE, rel=0.2)
    assert np.median(found[side]) < 0.2 * NOISE
