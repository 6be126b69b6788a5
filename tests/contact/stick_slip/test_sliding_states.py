"""Friction and yield in series at one element: which of them moves, and its derivatives."""

import numpy as np
import pytest

import traction as tr
from traction.contact.stick_slip.interface import TIE, Carried, Interface
from traction.contact.stick_slip.kernels.sliding_states import resist

LAW = tr.friction.exponential(0.15, (0.2, 1.0), memory=(3e-6, 1e-3))
YIELD, PRESSURE, SPEED, WAY = 200e6, 700e6, 20.0, 4e-4
AT = np.zeros((1, 1))


def between(hardening):
    return Interface(LAW, tr.Layer(4e9, 1e-4, YIELD, hardening), SPEED)


def rule_of(interface, *, exact):
    reach = np.ones((1, 1)) if exact else None
    carried = Carried(AT + LAW.static, AT + YIELD)
    return interface.rule(AT + PRESSURE, WAY / SPEED, reach=reach, carried=carried)


def cases(rng, n):
    """Earlier friction from far below that at rest up to it, yield stresses near it, motions of any size."""
    for _ in range(n):
        mu, yielding = rng.uniform(0.1, 0.35), rng.uniform(0.9, 1.6) * YIELD
        yield mu, yielding, 10 ** rng.uniform(-9, -5), 10 ** rng.uniform(11, 14.5), rng.random() < 0.5


def test_what_slips_is_at_friction_and_what_flows_at_the_yield_stress():
    """Where friction rises with the slip, after a memory, both may move; otherwise only the weaker does."""
    shared = 0
    for mu_before, yield_before, motion, hardening, exact in cases(np.random.default_rng(7), 3000):
        rule = rule_of(between(hardening), exact=exact)
        bound, mu, tau, plastic, *_ = resist(rule, 0, 0, PRESSURE, mu_before, yield_before, motion)
        friction, near = mu * PRESSURE, 2.0 * TIE * YIELD
        at_rest = resist(rule, 0, 0, PRESSURE, mu_before, yield_before, 0.0)[1] * PRESSURE
        assert 0.0 <= plastic <= motion
        assert tau == pytest.approx(yield_before + hardening * plastic, rel=1e-12)
        assert bound <= min(friction, tau) * (1.0 + 1e-12)
        if motion - plastic > 1e-9 * motion:
            assert bound == pytest.approx(friction, abs=near)
        if plastic > 1e-9 * motion:  # until friction falls below it, in the same step
            assert tau <= max(friction, at_rest) + near
        shared += yield_before < friction and 0.01 < plastic / motion < 0.99
    assert shared > 50


def test_derivatives_are_those_of_differences():
    worst, away = [], 1e-6
    for mu_before, yield_before, motion, hardening, exact in cases(np.random.default_rng(8), 400):
        rule, point = rule_of(between(hardening), exact=exact), (mu_before, yield_before, motion)
        found = resist(rule, 0, 0, PRESSURE, *point)
        rates = np.array(found[4:10]).reshape(2, 3)
        by = np.array([found[10:12]]) @ rates
        for k in range(3):
            ends = []
            for sign in (1.0, -1.0):
                moved = list(point)
                moved[k] *= 1.0 + sign * away
                ends.append(np.array(resist(rule, 0, 0, PRESSURE, *moved)[:3]))
            change = (ends[0] - ends[1]) / (2.0 * away * point[k])
            exact_change = np.array([by[0, k], rates[0, k], rates[1, k]])
            scale = np.array([YIELD, 0.3, YIELD]) / point[k]
            worst.append(np.abs((change - exact_change) / scale).max())
    # a difference may include a kink, where motion changes from slip to yield
    assert np.quantile(worst, 0.97) < 1e-5
