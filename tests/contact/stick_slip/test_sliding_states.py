"""Friction and yield in series, at one element: which of them moves, and the derivatives of that."""

import numpy as np
import pytest

import traction as tr
from traction.contact.stick_slip.interface import TIE, Carried, Interface
from traction.contact.stick_slip.kernels.sliding_states import resist

BACKGROUND = 1e-3
LAW = tr.friction.exponential(0.15, (0.2, 1.0), memory=(3e-6, BACKGROUND))
AT_ONCE = tr.friction.own(lambda s: 0.15 + 0.2 * s / (0.02 + s) / (1.0 + 3.0 * s))  # rises, then falls
YIELD, PRESSURE, SPEED, WAY = 200e6, 700e6, 20.0, 4e-4
AT = np.zeros((1, 1))


def rule_of(law, hardening, *, reach=None, lag=0.0, seen=0.3):
    interface = Interface(law, tr.Layer(4e9, 1e-4, YIELD, hardening), SPEED)
    carried = Carried(AT + law.static, AT + YIELD)
    rule = interface.rule(
        AT + PRESSURE, WAY / SPEED, reach=None if reach is None else AT + reach, carried=carried
    )
    return rule._replace(lag=lag, seen=AT + seen)


def cases(rng, n, *, lags=True):
    """Rules; friction before, from far below that at rest to it; yield stresses about it; any motions.

    Half of them lag, behind other coefficients, and two thirds are of covered elements, which particles may
    have entered on the way.
    """
    for _ in range(n):
        mu, yielding = rng.uniform(0.1, 0.35), rng.uniform(0.9, 1.6) * YIELD
        motion, hardening = 10 ** rng.uniform(-8.5, -4.7), 10 ** rng.uniform(11, 14.5)
        reach = (None, 1.0, rng.uniform(0.1, 1.0))[rng.integers(3)]
        lag, seen = rng.uniform(0.0, 0.9) * (lags and rng.random() < 0.5), rng.uniform(0.1, 0.35)
        law = LAW if rng.random() < 0.7 else AT_ONCE
        yield rule_of(law, hardening, reach=reach, lag=lag, seen=seen), (mu, yielding, motion)


def move(rule, point):
    """Results of an element; the point is friction and yield stress before, and the motion."""
    return resist(rule, 0, 0, PRESSURE, *point)


def bound_by(rule, mu):
    """Friction, Pa, where particles remember a coefficient."""
    return ((1.0 - rule.lag) * mu + rule.lag * rule.seen[0, 0]) * PRESSURE


def test_what_slips_is_at_friction_and_what_flows_at_the_yield_stress():
    """After a memory friction rises with the slip, and both may move; it is the weaker that does alone."""
    shared = lagging = 0
    for rule, (mu_before, yield_before, motion) in cases(np.random.default_rng(7), 6000):
        bound, mu, tau, plastic, *_ = move(rule, (mu_before, yield_before, motion))
        friction, near = bound_by(rule, mu), 2.0 * TIE * YIELD
        at_rest = move(rule, (mu_before, yield_before, 0.0))[1]
        assert 0.0 <= plastic <= motion
        assert tau == pytest.approx(yield_before + rule.hardening * rule.reach[0, 0] * plastic, rel=1e-12)
        assert bound <= min(friction, tau) * (1.0 + 1e-12)
        if motion - plastic > 1e-9 * motion:
            assert bound == pytest.approx(friction, abs=near)
        if plastic > 1e-9 * motion:  # until friction falls below it, in the same step
            assert tau <= max(friction, at_rest * PRESSURE, bound_by(rule, at_rest)) + near
        both = yield_before < friction and 0.01 < plastic / motion < 0.99
        shared, lagging = shared + both, lagging + (both and rule.lag > 0.0)
    assert shared > 100
    assert lagging > 50


def test_a_little_lag_changes_little():
    for rule, point in cases(np.random.default_rng(9), 2000, lags=False):
        found = move(rule, point)[:4]
        for lag in (1e-9, 1e-5):
            other = move(rule._replace(lag=lag), point)[:4]
            scale = np.array([YIELD, 0.3, YIELD, point[2]])
            assert np.abs(np.subtract(found, other) / scale).max() < 1e5 * lag


def test_with_the_coefficient_that_it_saw_a_lag_changes_nothing():
    """So that steady rolling satisfies steps that lag: a layer flows and slips as it does without.

    Where sharing and slip alone pass from one to the other, within the tie of them.
    """
    shared = tied = 0
    for rule, point in cases(np.random.default_rng(10), 5000, lags=False):
        found = move(rule, point)
        flow = 1.0 / (rule.hardening * rule.reach[0, 0])
        for lag in (0.1, 0.5, 0.95):
            other = move(rule._replace(lag=lag, seen=AT + found[1]), point)
            apart = np.abs(np.subtract(other[:4], found[:4]) / (1.0, 1.0 / PRESSURE, 1.0, flow)).max()
            assert apart < TIE * YIELD
            tied += apart > 1e-12 * YIELD
        shared += 0.01 < found[3] / point[2] < 0.99
    assert shared > 100
    assert tied < 30


def is_tied(rule, point, found):
    """Whether the element is between sharing its motion and slip alone."""
    apart = abs(bound_by(rule, found[1]) / found[2] - 1.0)
    return found[9] != 0.0 and 0.0 < found[3] < point[2] and 1e-12 < apart < TIE


def branch_of(rule, point, found):
    """What of the element moves, what bounds it, and on which side of the bends of its law it is."""
    plastic, motion, at_rest = found[3], point[2], move(rule, (*point[:2], 0.0))[1]
    flows = "no" if plastic == 0.0 else "all" if plastic == motion else "part"
    return (
        flows,
        found[9] == 0.0,  # no more of it
        found[10] > 0.0 and flows == "all",  # friction is the bound though nothing slips
        is_tied(rule, point, found),
        rule.seen[0, 0] > at_rest,
        motion - plastic > BACKGROUND * rule.time,
    )


def test_derivatives_are_those_of_differences():
    """Where the same moves at both ends of a difference."""
    away, bent, seen, lagged = 1e-6, 0, {}, 0
    for rule, point in cases(np.random.default_rng(8), 8000):
        found = move(rule, point)
        rates = np.array(found[4:10]).reshape(2, 3)
        by, branch = np.array([found[10:12]]) @ rates, branch_of(rule, point, found)
        for k in range(3):
            ends = []
            for sign in (1.0, -1.0):
                moved = list(point)
                moved[k] *= 1.0 + sign * away
                ends.append((moved, move(rule, moved)))
            if any(branch_of(rule, *end) != branch for end in ends):
                bent += 1
                continue
            change = np.subtract(ends[0][1][:3], ends[1][1][:3]) / (2.0 * away * point[k])
            exact = np.array([by[0, k], rates[0, k], rates[1, k]])
            scale = np.array([YIELD, 0.3, YIELD]) / point[k]
            assert np.abs((change - exact) / scale).max() < 1e-5, (rule, point, branch)
        seen[branch[:3]] = seen.get(branch[:3], 0) + 1
        lagged += rule.lag > 0.0 and branch[:2] == ("part", False)
    assert bent < 120
    assert lagged > 50
    assert len([count for count in seen.values() if count > 20]) >= 5, seen
