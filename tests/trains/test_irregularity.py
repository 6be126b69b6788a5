"""Irregularity: variance of realisations against the integral of their spectrum, shapes, bad input."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

import traction as tr
from traction.trains.irregularity import BAND, FRA, erri_spectrum, fra_spectrum

LOW, HIGH = 2 * math.pi / BAND[1], 2 * math.pi / BAND[0]
CASES = {f"class {k}": (fra_spectrum(k), lambda seed, k=k: tr.Irregularity.fra(k, seed=seed)) for k in FRA}
CASES |= {
    level: (erri_spectrum(level), lambda seed, level=level: tr.Irregularity.erri(level, seed=seed))
    for level in ("low", "high")
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CASES)
def test_variance_is_the_integral_of_the_spectrum(name):
    spectrum, make = CASES[name]
    expected = quad(spectrum, LOW, HIGH, epsabs=0.0, epsrel=1e-10)[0]
    made = make(3)
    assert made.variance == pytest.approx(expected, rel=1e-8)
    x = np.linspace(0.0, 8_000.0, 8_001)
    assert made.height(x).var() == pytest.approx(expected, rel=0.05)
    assert abs(made.height(x).mean()) < 0.05 * math.sqrt(expected)


def test_closed_integrals():
    """FRA: k A [1/Omega + atan(Omega/Omega_c)/Omega_c] down from the lower end of the band."""
    A, corner = FRA[4], 0.8245

    def below(w):
        return -1.0 / w - math.atan(w / corner) / corner

    closed = 0.25 * A * (below(HIGH) - below(LOW))
    assert tr.Irregularity.fra(4, seed=0).variance == pytest.approx(closed, rel=1e-7)


def test_better_classes_are_smoother():
    sizes = [tr.Irregularity.fra(k, seed=1).variance for k in range(1, 7)]
    assert sizes == sorted(sizes, reverse=True)
    assert tr.Irregularity.erri("high", seed=1).variance > 2 * tr.Irregularity.erri("low", seed=1).variance


def test_spectrum_of_a_realisation():
    """Power in an octave of wavelengths is that of the spectrum."""
    made = tr.Irregularity.erri("low", seed=5)
    step, n = 0.5, 2**15
    z = made.height(step * np.arange(n))
    content = np.abs(np.fft.rfft(z)) ** 2 * 2.0 / n**2
    omega = 2 * math.pi * np.fft.rfftfreq(n, step)
    for low, high in ((0.2, 0.4), (0.8, 1.6)):
        expected = quad(erri_spectrum("low"), low, high)[0]
        assert content[(omega >= low) & (omega < high)].sum() == pytest.approx(expected, rel=0.1)


def test_seed_decides():
    x = np.linspace(0.0, 50.0, 11)
    one, same, other = (tr.Irregularity.fra(5, seed=s).height(x) for s in (7, 7, 8))
    np.testing.assert_array_equal(one, same)
    assert np.abs(one - other).max() > 0.0


@pytest.mark.parametrize(
    "made",
    [
        tr.Irregularity.harmonic(1e-3, 3.0, 0.5),
        tr.Irregularity.step(2e-3, 5.0, 1.5),
        tr.Irregularity.fra(3, seed=2),
        tr.Irregularity.sampled(np.linspace(0, 20, 41), 1e-3 * np.sin(np.linspace(0, 20, 41))),
    ],
)
def test_slope_is_the_derivative(made):
    x, h = np.array([1.0, 5.3, 6.1, 12.0]), 1e-6
    np.testing.assert_allclose(made.slope(x), (made.height(x + h) - made.height(x - h)) / (2 * h), atol=1e-8)


def test_step_rises_once():
    made = tr.Irregularity.step(-2e-3, 5.0, 1.5)
    np.testing.assert_allclose(
        made.height([0.0, 5.0, 5.75, 6.5, 20.0]), [0.0, 0.0, -1e-3, -2e-3, -2e-3], atol=1e-15
    )


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tr.Irregularity.fra(7, seed=0), "track_class = 7 is not known"),
        (lambda: tr.Irregularity.erri("worst", seed=0), "level = 'worst' is not known"),
        (lambda: tr.Irregularity.fra(1, seed=-1), "seed = -1"),
        (lambda: tr.Irregularity.fra(1, seed=0, wavelengths=(5.0, 2.0)), "must be positive and increasing"),
        (lambda: tr.Irregularity.step(1e-3, 0.0, 0.0), "length = 0.0 m must be positive"),
        (lambda: tr.Irregularity.harmonic(1e-3, -1.0), "wavelength = -1.0"),
        (lambda: tr.Irregularity.sampled([0.0, 1.0, 1.0, 2.0], np.zeros(4)), "increasing positions"),
        (lambda: tr.Irregularity.of_spectrum(lambda w: -w, seed=0), "negative values"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(tr.InputError, match=words):
        make()
