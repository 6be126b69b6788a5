"""Steps that are exact for loads that vary evenly."""

import math

import numpy as np
import pytest

from traction.app.finite_elements.modal_crossing import ExactSteps


@pytest.mark.parametrize("dt", [0.1, 3.0])
def test_an_oscillator_under_a_ramp_is_exact_in_steps_of_any_length(dt):
    """q'' + w^2 q = t from rest: q = (t - sin(wt)/w)/w^2."""
    w, steps = 2.3, 7
    march = ExactSteps(np.zeros((1, 1, 1)), np.full((1, 1, 1), w * w), dt)
    x = np.zeros((1, 2))
    for i in range(steps):
        x = march.loaded(march.free(x, np.array([[i * dt]])), np.array([[(i + 1) * dt]]))
    t = steps * dt
    assert x[0] == pytest.approx(
        [(t - math.sin(w * t) / w) / w**2, (1.0 - math.cos(w * t)) / w**2], rel=1e-11
    )


def test_damping_of_coupled_systems():
    """Two masses that move as one decay as one, whatever the spring between them."""
    C, K = 0.3 * np.eye(2), np.array([[5.0, -1.0], [-1.0, 5.0]])
    march, x = ExactSteps(C[None], K[None], 0.7), np.array([[1.0, 1.0, 0.0, 0.0]])
    none = np.zeros((1, 2))
    for _ in range(4):
        x = march.loaded(march.free(x, none), none)
    t, rate, w = 2.8, 0.15, math.sqrt(4.0 - 0.15**2)
    expected = math.exp(-rate * t) * (math.cos(w * t) + rate / w * math.sin(w * t))
    assert x[0, :2] == pytest.approx([expected, expected], rel=1e-11)
