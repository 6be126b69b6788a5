"""Spectra and filters of known signals."""

import numpy as np
import pytest

import traction as tr

T = np.linspace(0.0, 4.0, 4001)
SIGNAL = 3.0 * np.sin(2 * np.pi * 5.0 * T) + 1.0 * np.sin(2 * np.pi * 47.3 * T + 0.3) + 2.0


def test_spectrum_shows_amplitudes_at_their_frequencies():
    found = tr.spectrum(T, SIGNAL)
    np.testing.assert_allclose(found.dominant(2), [5.0, 47.3], atol=0.01)
    for frequency, size in ((5.0, 3.0), (47.3, 1.0)):
        near = np.abs(found.frequency - frequency) < 1.0
        assert found.amplitude[near].max() == pytest.approx(size, rel=0.01)


def test_low_pass_keeps_slow_and_removes_fast():
    kept = tr.low_pass(T, SIGNAL, 15.0)
    inside = slice(400, -400)
    np.testing.assert_allclose(kept[inside], (3.0 * np.sin(2 * np.pi * 5.0 * T) + 2.0)[inside], atol=3e-3)


def test_low_pass_halves_at_the_cutoff():
    wave = np.sin(2 * np.pi * 30.0 * T)
    assert np.abs(tr.low_pass(T, wave)[1000:-1000]).max() == pytest.approx(0.5, rel=0.01)


def test_crossing_swings_at_its_first_frequency():
    beam = tr.Beam(15.0, 7.694081e9, 15000.0, supports=("pinned", "pinned"))
    run = tr.moving_load(beam, [(1e5, 0.0)], 60.0, size=4, t_end=6.0)
    assert run.spectrum("acceleration", 7.5).dominant(1)[0] == pytest.approx(5.0, abs=0.02)
    raw, filtered = run.acceleration(7.5), run.filtered("acceleration", 7.5)
    assert np.abs(filtered).max() < np.abs(raw).max()


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: tr.low_pass(T, SIGNAL, 600.0), "below 500 Hz"),
        (lambda: tr.low_pass(T**2, SIGNAL), "equal steps"),
        (lambda: tr.spectrum(T[:5], SIGNAL[:5]), "at least 8"),
        (lambda: tr.spectrum(T, SIGNAL[:-1]), "has shape"),
    ],
)
def test_bad_input(ask, words):
    with pytest.raises(tr.InputError, match=words):
        ask()
