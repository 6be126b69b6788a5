"""One oscillator under powers of time: against the matrix exponential, in all regimes."""

import numpy as np
import pytest
from scipy.linalg import expm

from traction.beams.kernels.oscillator import COUNT, respond

CASES = [
    (0.0, 0.0, 0.3),
    (1.0, 0.0, 0.3),
    (1.0, 0.1, 1.99),
    (1.0, 0.1, 2.01),
    (1.0, 0.0, 25.0),
    (1.0, 1.9999999, 4.0),
    (1.0, 2.0, 4.0),
    (1.0, 5.9, 1.2),
    (1.0, 6.1, 1.2),
    (0.01, 9.0, 1.0),
    (0.0, 5.9, 1.0),
    (0.0, 6.1, 1.0),
    (0.0, 40.0, 1.0),
]


def by_matrix(omega, rate, t):
    """X_-2 to X_3: a chain of integrators drives the oscillator, each power of time its own."""
    A = np.zeros((6, 6))
    A[0, 1] = 1.0
    A[1, :3] = -(omega**2), -rate, 1.0
    A[2, 3] = A[3, 4] = A[4, 5] = 1.0
    motion = expm(t * A)
    answers = [motion[0, k] for k in (2, 3, 4, 5)]
    return np.array([motion[1, 1], motion[0, 1], *answers])


@pytest.mark.parametrize(("omega", "rate", "t"), CASES)
def test_answers_to_powers_of_time(omega, rate, t):
    found = np.empty(COUNT)
    respond(omega, rate, t, found)
    expected = by_matrix(omega, rate, t)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-13)


def test_answer_of_a_stiff_mode_is_quasi_static():
    """Far above its frequency a mode follows the force: X_k = t^k/(k! omega^2) less its inertia."""
    found = np.empty(COUNT)
    respond(1e6, 0.0, 1.0, found)
    assert found[4] == pytest.approx(0.5e-12 - 1e-24, rel=1e-11)
    assert found[5] == pytest.approx(1e-12 / 6.0, rel=1e-11)
