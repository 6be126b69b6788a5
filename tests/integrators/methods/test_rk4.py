"""The second solution that a step of RK4 holds, of order 3."""

from fractions import Fraction

import numpy as np
import pytest

import traction as tr
from traction.integrators.core.motion import Motion

# the method, and the end of its step as a fifth stage
A = [
    [0, 0, 0, 0, 0],
    [Fraction(1, 2), 0, 0, 0, 0],
    [0, Fraction(1, 2), 0, 0, 0],
    [0, 0, 1, 0, 0],
    [Fraction(1, 6), Fraction(1, 3), Fraction(1, 3), Fraction(1, 6), 0],
]
C = [sum(row) for row in A]
FOURTH = A[4]
THIRD = [Fraction(1, 6), Fraction(1, 3), Fraction(1, 3), 0, Fraction(1, 6)]
STAGES = range(5)


def of_stages(values):
    """Sum a_ij x_j of each stage."""
    return [sum(A[i][j] * values[j] for j in STAGES) for i in STAGES]


def conditions(weights):
    """Left sides over right sides of the conditions of orders 1 to 4 (Hairer, Norsett, Wanner I, II.2)."""
    squares, cubes = [c**2 for c in C], [c**3 for c in C]
    ac, acc = of_stages(C), of_stages(squares)
    columns = {
        1: [([1] * 5, 1)],
        2: [(C, Fraction(1, 2))],
        3: [(squares, Fraction(1, 3)), (ac, Fraction(1, 6))],
        4: [
            (cubes, Fraction(1, 4)),
            ([c * x for c, x in zip(C, ac, strict=True)], Fraction(1, 8)),
            (acc, Fraction(1, 12)),
            (of_stages(ac), Fraction(1, 24)),
        ],
    }
    return {
        order: [sum(b * x for b, x in zip(weights, values, strict=True)) / right for values, right in each]
        for order, each in columns.items()
    }


def test_conditions_of_order():
    assert all(value == 1 for each in conditions(FOURTH).values() for value in each)
    third = conditions(THIRD)
    assert all(value == 1 for order in (1, 2, 3) for value in third[order])
    assert third[4] == [1, 1, Fraction(7, 6), Fraction(2, 3)]


@pytest.mark.parametrize("force", [lambda t, q, v: -np.sin(q) - 0.3 * v * np.abs(v) + np.cos(3.0 * t)])
def test_errors_are_the_distance_of_both_solutions(force):
    """By the tableau, stage by stage, on the system of first order."""
    system = tr.SecondOrderSystem(np.array([1.0, 2.0]), force, np.array([0.4, -0.2]), np.array([0.1, 0.9]))
    method, motion, dt = tr.method("rk4"), Motion(system), 0.2
    start = method.begin(motion, 0.3, system.q0, system.v0)
    end, errors = method.estimated_step(motion, start, dt)
    stages = []
    for row, c in zip(A, C, strict=True):
        weighted = [sum(float(a) * k[part] for a, k in zip(row, stages, strict=False)) for part in (0, 1)]
        q, v = start.q + dt * weighted[0], start.v + dt * weighted[1]
        stages.append((v, motion.acceleration(0.3 + float(c) * dt, q, v)))
    for part, exact, error in ((0, end.q - start.q, errors.q), (1, end.v - start.v, errors.v)):
        third = dt * sum(float(b) * k[part] for b, k in zip(THIRD, stages, strict=True))
        np.testing.assert_allclose(error, np.abs(exact - third), rtol=1e-9, atol=1e-16)
    np.testing.assert_allclose(errors.lower_v, np.abs(stages[3][0] - end.v), rtol=1e-9)


def test_a_load_over_time_is_seen_from_afar():
    """The velocities of both solutions integrate it alike; far from the origin q says little about v."""
    system = tr.SecondOrderSystem(1.0, lambda t: 9.0 * np.sin(3.0 * t), 1e6)
    for rtol in (1e-6, 1e-8):
        h = tr.integrate(system, "rk4", "auto", 5.0, rtol=rtol)
        expected = 3.0 * (1.0 - np.cos(3.0 * h.t))
        assert np.abs(h.v - expected).max() <= 6.0 * rtol * len(h)
        assert len(h) < 60.0 * rtol**-0.25
