"""Laws of friction: their formulas, derivatives, compiled forms and memory; and layers."""

import math

import numpy as np
import pytest

import traction as tr
from traction.errors import InputError
from traction.friction_laws.kernels.coefficients import friction_coefficient, keep_of_memory

SPEEDS = np.array([0.0, 1e-4, 0.03, 0.2, 0.7, 1.1, 4.0, 30.0])
LAWS = {
    "linear": tr.friction.linear(0.2, (0.15, 1.5), (0.05, 0.3)),
    "rational": tr.friction.rational(0.1, (0.2, 0.8), (0.08, 2.0)),
    "exponential": tr.friction.exponential(0.12, (0.15, 0.4), (0.1, 3.0)),
    "polach": tr.friction.polach(0.55, 0.4, 0.6),
    "own": tr.friction.own(lambda s: 0.1 + 0.2 / (1.0 + s) ** 2),
}


def formula(name, s):
    if name == "linear":
        return 0.2 + 0.15 * max(0.0, 1.0 - s / 3.0) + 0.05 * max(0.0, 1.0 - s / 0.6)
    if name == "rational":
        return 0.1 + 0.2 / (1.0 + s / 0.8) + 0.08 / (1.0 + (s / 2.0) ** 2)
    if name == "exponential":
        return 0.12 + 0.15 * 2.0 ** (-s / 0.4) + 0.1 * 2.0 ** (-s / 3.0)
    if name == "polach":
        return 0.55 * (0.6 * math.exp(-0.6 * s) + 0.4)
    return 0.1 + 0.2 / (1.0 + s) ** 2


@pytest.mark.parametrize("name", LAWS)
def test_law_has_its_formula_and_derivative(name):
    law = LAWS[name]
    assert law.coefficient(SPEEDS) == pytest.approx([formula(name, s) for s in SPEEDS], rel=1e-12)
    inside, h = SPEEDS[1:], 1e-5
    slopes = [(formula(name, s + h) - formula(name, s - h)) / (2.0 * h) for s in inside]
    assert law.derivative(inside) == pytest.approx(slopes, rel=1e-4, abs=1e-8)
    assert law.static == pytest.approx(formula(name, 0.0))
    assert law.largest == pytest.approx(law.static)
    assert law.kinetic <= law.coefficient(30.0)


@pytest.mark.parametrize("name", LAWS)
def test_compiled_law_is_the_same(name):
    law = LAWS[name].compiled()
    found = np.array([friction_coefficient(law, float(s)) for s in SPEEDS])
    assert found[:, 0] == pytest.approx(LAWS[name].coefficient(SPEEDS), rel=1e-7)
    assert found[:, 1] == pytest.approx(LAWS[name].derivative(SPEEDS), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("speeds", [0.0, 0, 1e-9, 0.3, np.array(0.0), [], [0.0, 0.7], np.zeros((2, 3))])
@pytest.mark.parametrize("name", LAWS)
def test_shapes_are_kept(name, speeds):
    for function in (LAWS[name].coefficient, LAWS[name].derivative):
        found = function(speeds)
        assert isinstance(found, np.ndarray)
        assert found.shape == np.shape(speeds)
        assert np.array_equal(found.ravel(), [float(function(np.array([s]))[0]) for s in np.ravel(speeds)])


@pytest.mark.parametrize("exact", [True, False])
def test_memory_tends_to_exponential_decay(exact):
    """Many short steps of either rule forget as d mu/dt = -s/dc mu; one exact step does so at once."""
    distance, speed, time = 3e-6, 0.2, 4e-5
    expected = math.exp(-speed * time / distance)
    steps = 4000
    many = keep_of_memory(distance, 1e-3, exact, speed, time / steps)[0] ** steps
    assert many == pytest.approx(expected, rel=1e-9 if exact else 2e-3)
    h = 1e-6
    ahead, back = (keep_of_memory(distance, 1e-3, exact, speed + d, time)[0] for d in (h, -h))
    assert keep_of_memory(distance, 1e-3, exact, speed, time)[1] == pytest.approx(
        (ahead - back) / (2 * h), rel=1e-6
    )
    slow = keep_of_memory(distance, 1e-3, exact, 0.0, time)
    assert slow == (keep_of_memory(distance, 1e-3, exact, 1e-3, time)[0], 0.0)


def test_own_derivative_is_taken():
    law = tr.friction.own(lambda s: 0.3 / (1.0 + s), lambda s: -0.3 / (1.0 + s) ** 2)
    assert law.derivative(0.0) == pytest.approx(-0.3, rel=1e-15)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tr.friction.linear(-0.1, (0.2, 1.0)), "kinetic = -0.1"),
        (
            lambda: tr.friction.linear(0.1, (0.2, 0.0)),
            "h of first = 0 m/s: a static coefficient above the kin",
        ),
        (
            lambda: tr.friction.rational(0.1, (0.2, 1.0), (0.1, 0)),
            "by 0.1, and quasi-static solutions are not",
        ),
        (lambda: tr.friction.exponential(0.1, (0.2, -1.0)), "h of first = -1.0 m/s must be positive"),
        (lambda: tr.friction.linear(0.3, (-0.1, 0.0)), "h of first = 0.0 m/s must be positive"),
        (lambda: tr.friction.linear(0.1, (-0.2, 1.0)), "not negative"),
        (lambda: tr.friction.linear(0.1, 0.2), "two numbers"),
        (lambda: tr.friction.exponential(0.1, (0.2, 1.0), memory=(0.0, 1.0)), "distance of memory"),
        (lambda: tr.friction.polach(0.4, 1.4, 1.0), "at most 1"),
        (lambda: tr.friction.own(3.0), "must be a function"),
        (lambda: tr.friction.own(lambda s: s / 0.0), "ZeroDivisionError"),
        (lambda: tr.friction.own(lambda s: 0.3 - s), "finite and the coefficient not negative"),
        (lambda: LAWS["linear"].coefficient(-1.0), "must not be negative"),
        (lambda: tr.Layer(4e9, 1e-4, hardening=1e9), "needs a yield_stress"),
    ],
)
def test_wrong_laws_are_refused(make, words):
    with pytest.raises(InputError, match=words.replace("(", r"\(")):
        make()


def test_term_of_nothing_needs_no_speed():
    assert tr.friction.linear(0.2, (0.1, 1.0), (0, None)) == tr.friction.linear(0.2, (0.1, 1.0))
