"""Largest values between samples: exact where the motion is resolved, a warning where it is not."""

import numpy as np
import pytest

from convergence import observed_order
from traction.signals.peaks import MOST_APART, largest_between, largest_of_smooth, largest_on_cubics


def swing(per_period, periods=3.0, phase=0.4):
    t = np.arange(0.0, periods, 1.0 / per_period)
    turn = 2.0 * np.pi * t - phase
    omega = 2.0 * np.pi
    return t, np.sin(turn), omega * np.cos(turn), -(omega**2) * np.sin(turn)


def test_quintics_find_the_peak_with_the_sixth_order():
    counts = np.array([8, 16, 32])
    errors = []
    for n in counts:
        t, w, v, a = swing(n, phase=np.pi / n)  # the peak lies in the middle between two samples
        errors.append(abs(largest_of_smooth(t, w, v, a)[0] - 1.0))
    assert errors[0] < 1e-5
    assert observed_order(1.0 / counts, errors) > 5.5


@pytest.mark.parametrize("per_period", [3.5, 4, 5, 6, 7])
@pytest.mark.parametrize("phase", [0.0, 0.3, 0.7, 1.3])
def test_few_samples_tell_the_peak(per_period, phase):
    value, _ = largest_of_smooth(*swing(per_period, phase=phase))
    assert abs(value) == pytest.approx(1.0, abs=2.0 * (np.pi / per_period) ** 6 / 720.0)


@pytest.mark.parametrize("per_period", [0.07, 0.3, 0.9])
def test_a_motion_that_its_samples_miss_is_not_made_up(per_period):
    t, w, v, a = swing(per_period, periods=200.0)
    with pytest.warns(UserWarning, match="do not resolve the motion between them"):
        value, time = largest_of_smooth(t, w, v, a)
    assert abs(value) <= (1.0 + MOST_APART) * np.abs(w).max()
    assert t[0] <= time <= t[-1]


def test_parabolas_find_the_time_of_a_sampled_peak():
    t, w, _, _ = swing(40)
    value, time = largest_between(t, w)
    assert value == pytest.approx(1.0, abs=(2.0 * np.pi / 40) ** 4 / 24.0)  # what a cosine has beyond them
    assert (2.0 * np.pi * time - 0.4) % (2.0 * np.pi) == pytest.approx(0.5 * np.pi, abs=1e-2)


def test_cubics_find_a_peak_that_its_largest_sample_is_not_next_to():
    t = np.linspace(0.0, 1.0, 64)
    values = np.sin(60.0 * t) * (1.0 + 0.2 * t)
    rates = 60.0 * np.cos(60.0 * t) * (1.0 + 0.2 * t) + 0.2 * np.sin(60.0 * t)
    fine = np.linspace(0.0, 1.0, 200_001)
    exact = np.sin(60.0 * fine) * (1.0 + 0.2 * fine)
    value, at = largest_on_cubics(t, values, rates, np.ones(63, dtype=bool))
    assert value == pytest.approx(exact[np.argmax(np.abs(exact))], rel=5e-3)
    assert at == pytest.approx(fine[np.argmax(np.abs(exact))], abs=2e-3)
    none = largest_on_cubics(t, values, rates, np.zeros(63, dtype=bool))[0]
    assert none == values[np.argmax(np.abs(values))]
