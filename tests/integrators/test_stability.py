"""Linear stability: limits, period errors and damping against closed forms."""

import math

import numpy as np
import pytest

import traction as tr
from traction.integrators.stability import eigenvalues, largest_step

METHODS = tuple(tr.methods())
VARIANTS = [
    *((name, {}) for name in METHODS),
    ("newmark", {"beta": 0.0}),
    ("newmark", {"beta": 1.0 / 6.0}),
    ("newmark", {"beta": 1.0 / 12.0}),
    ("newmark", {"beta": 0.3025, "gamma": 0.6}),
    ("newmark", {"beta": 0.2, "gamma": 0.6}),
    ("newmark", {"beta": 1.0, "gamma": 1.0}),
    ("newmark", {"beta": 0.25, "gamma": 0.4}),
    ("hht", {"alpha": 0.0}),
    ("hht", {"alpha": 0.05}),
    ("hht", {"alpha": 1.0 / 3.0}),
    ("generalized-alpha", {"spectral_radius": 0.0}),
    ("generalized-alpha", {"spectral_radius": 0.5}),
    ("generalized-alpha", {"spectral_radius": 1.0}),
    ("generalized-alpha", {"alpha_m": 0.0, "alpha_f": 0.0}),
    ("generalized-alpha", {"alpha_m": -0.2, "alpha_f": 0.0}),
    ("generalized-alpha", {"alpha_m": 0.1, "alpha_f": 0.4}),
    ("generalized-alpha", {"alpha_m": 0.5, "alpha_f": 0.5}),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_declared_limits_are_found(name, options):
    declared = tr.method(name, **options)
    found = tr.stability(name, [1.0], **options).limit
    assert found == pytest.approx(declared.stability_limit, rel=5e-3, abs=0.0)


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_declared_radius_at_high_frequencies_is_found(name, options):
    declared = tr.method(name, **options).high_frequency_radius
    found = float(np.abs(eigenvalues(tr.method(name, **options), 1e6)).max())
    if math.isinf(declared):
        assert found > 1e3
    else:
        assert found == pytest.approx(declared, abs=2e-3)


def test_classical_limits():
    assert tr.stability("verlet", [1.0]).limit == pytest.approx(2.0, rel=5e-3)
    assert tr.stability("rk4", [1.0]).limit == pytest.approx(2.0 * math.sqrt(2.0), rel=5e-3)
    assert tr.stability("symplectic-euler", [1.0]).limit == pytest.approx(2.0, rel=5e-3)
    assert tr.stability("newmark", [1.0], beta=1.0 / 6.0).limit == pytest.approx(math.sqrt(12.0), rel=5e-3)
    assert tr.stability("euler-forward", [1.0]).limit == 0.0
    assert math.isinf(tr.stability("newmark", [1.0]).limit)


STEPS = np.array([0.05, 0.3, 1.0, 1.9])


@pytest.mark.parametrize("name", ["newmark", "energy-conserving"])
def test_period_of_the_trapezoidal_rule(name):
    found = tr.stability(name, STEPS)
    np.testing.assert_allclose(found.period_error, STEPS / (2.0 * np.arctan(STEPS / 2.0)) - 1.0, atol=1e-10)
    np.testing.assert_allclose(found.damping_ratio, 0.0, atol=1e-10)
    np.testing.assert_allclose(found.spectral_radius, 1.0, atol=1e-10)


@pytest.mark.parametrize("name", ["verlet", "symplectic-euler"])
def test_period_of_the_central_difference(name):
    found = tr.stability(name, STEPS)
    np.testing.assert_allclose(found.period_error, STEPS / (2.0 * np.arcsin(STEPS / 2.0)) - 1.0, atol=1e-7)
    np.testing.assert_allclose(found.spectral_radius, 1.0, atol=1e-7)


def test_runge_kutta_by_their_stability_functions():
    z = 1j * STEPS
    amplification = {
        "euler-forward": 1.0 + z,
        "euler-backward": 1.0 / (1.0 - z),
        "rk4": 1.0 + z + z**2 / 2.0 + z**3 / 6.0 + z**4 / 24.0,
        "radau-iia": (1.0 + 0.4 * z + z**2 / 20.0) / (1.0 - 0.6 * z + 0.15 * z**2 - z**3 / 60.0),
    }
    amplification["radau-ia"] = amplification["radau-iia"]
    for name, expected in amplification.items():
        found = tr.stability(name, STEPS)
        np.testing.assert_allclose(found.spectral_radius, np.abs(expected), rtol=1e-9)
        np.testing.assert_allclose(found.period_error, STEPS / np.abs(np.angle(expected)) - 1.0, atol=1e-8)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", METHODS)
def test_physical_damping_comes_back(name):
    zeta = 0.05
    found = tr.stability(name, [0.01], damping_ratio=zeta)
    order = tr.method(name).order
    assert found.damping_ratio[0] == pytest.approx(zeta, abs=2.0 * 0.01**order)
    assert found.period_error[0] == pytest.approx(0.0, abs=2.0 * 0.01**order)


def test_damping_said_in_words_is_there():
    """Amplitudes shrink or grow per step as `damping` says."""
    step = 0.1
    for name, change in {
        "euler-forward": step**2 / 2.0,
        "euler-backward": -(step**2) / 2.0,
        "rk4": -(step**6) / 144.0,
        "radau-iia": -(step**6) / 7200.0,
        "radau-ia": -(step**6) / 7200.0,
    }.items():
        assert tr.stability(name, [step]).spectral_radius[0] - 1.0 == pytest.approx(change, rel=0.05)


def test_high_frequencies_are_damped_as_asked():
    found = tr.stability("generalized-alpha", [1e5], spectral_radius=0.7)
    assert found.spectral_radius[0] == pytest.approx(0.7, abs=1e-3)


@pytest.mark.parametrize(
    ("words", "arguments", "options"),
    [
        ("omega_dt", [[0.0]], {}),
        ("omega_dt", [[-1.0, 1.0]], {}),
        ("omega_dt", [[math.nan]], {}),
        ("damping_ratio", [[1.0]], {"damping_ratio": 1.0}),
        ("damping_ratio", [[1.0]], {"damping_ratio": -0.1}),
        ("did you mean 'beta'", [[1.0]], {"betta": 0.3}),
    ],
)
def test_bad_input_is_named(words, arguments, options):
    with pytest.raises(tr.InputError, match=words):
        tr.stability("newmark", *arguments, **options)


@pytest.mark.parametrize(
    ("name", "zeta"), [("rk4", 0.0), ("rk4", 0.4), ("verlet", 0.4), ("euler-forward", 0.4)]
)
def test_largest_step_is_the_limit_over_the_frequency(name, zeta):
    omega = 37.0
    expected = tr.stability(name, damping_ratio=zeta).limit / omega
    assert largest_step(tr.method(name), omega, 2.0 * zeta * omega) == pytest.approx(expected, rel=1e-6)


def test_largest_step_of_what_only_brakes():
    """Forward Euler takes v to v (1 - c dt), which grows beyond c dt = 2."""
    assert largest_step(tr.method("euler-forward"), 0.0, 5.0) == pytest.approx(0.4, rel=1e-6)
    assert largest_step(tr.method("rk4"), 0.0, 0.0) == np.inf
