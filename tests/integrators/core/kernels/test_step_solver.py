"""The equations of implicit steps: Newton and Picard agree, and failures are said."""

import math
from functools import lru_cache

import numba
import numpy as np
import pytest

import traction as tr

IMPLICIT = tuple(name for name, method in tr.methods().items() if method.implicit)
K = 1e4


def corner(t, q):
    """A spring with a stop at q = 1."""
    return -q - K * max(0.0, q - 1.0)


def hardening(t, q):
    """Nothing until t = 0.5, then a spring that is not linear."""
    return 0.0 if t < 0.5 else -50.0 * q**3


compiled_once = lru_cache(numba.njit)


def stiff(t, q):
    return -1e4 * q


def pendulums(t, q):
    return -np.sin(q) - 0.5 * (q - q[::-1])


@pytest.mark.parametrize(
    "jacobian", [None, lambda t, q, v: -np.cos(q) * np.eye(2) - 0.5 * (np.eye(2) - np.eye(2)[::-1])]
)
@pytest.mark.parametrize("name", IMPLICIT)
def test_newton_and_picard_give_the_same_step(name, jacobian):
    system = tr.SecondOrderSystem(1.5, pendulums, np.array([1.0, -0.3]), jacobian=jacobian)
    newton = tr.integrate(system, name, 0.05, 1.0)
    picard = tr.integrate(system, name, 0.05, 1.0, solver="picard")
    np.testing.assert_allclose(picard.q, newton.q, rtol=0.0, atol=1e-11)
    np.testing.assert_allclose(picard.v, newton.v, rtol=0.0, atol=1e-11)
    assert newton.stats["iterations"] < picard.stats["iterations"]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", IMPLICIT)
def test_picard_that_diverges_says_so(name, compiled):
    system = tr.SecondOrderSystem(1.0, compiled_once(stiff) if compiled else stiff, 1.0)
    with pytest.raises(tr.ConvergenceError, match="diverges") as caught:
        tr.integrate(system, name, 0.1, 1.0, solver="picard")
    assert "newton" in str(caught.value)
    assert caught.value.result.t.tolist() == [0.0]
    assert tr.integrate(system, name, 0.1, 1.0).ok


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", IMPLICIT)
def test_no_convergence_carries_the_history(name, compiled):
    system = tr.SecondOrderSystem(1.0, compiled_once(hardening) if compiled else hardening, 0.0, 1.0)
    options = {"max_iterations": 1, "tol": 1e-15}
    with pytest.raises(tr.ConvergenceError, match="converge") as caught:
        tr.integrate(system, name, 0.1, 2.0, **options)
    history = caught.value.result
    assert isinstance(history, tr.History)
    assert not history.ok
    assert 0.39 < history.t[-1] < 0.61
    assert "the march ended at t = 0." in history.message
    returned = tr.integrate(system, name, 0.1, 2.0, on_failure="return", **options)
    assert returned.status is history.status
    assert np.array_equal(returned.q, history.q)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dt", [0.05, 0.2, 0.3])
@pytest.mark.parametrize("jacobian", [None, lambda t, q, v: -1.0 - K * (q > 1.0)])
@pytest.mark.parametrize("name", IMPLICIT)
def test_newton_crosses_the_corner_of_a_stiff_stop(name, jacobian, dt):
    h = tr.integrate(
        tr.SecondOrderSystem(1.0, corner, -1.5, gap=lambda t, q: 1.0 - q, jacobian=jacobian), name, dt, 4.0
    )
    assert h.ok
    assert len(h.contacts) <= 1


def test_a_wrong_jacobian_does_not_pass():
    system = tr.SecondOrderSystem(1.0, lambda t, q: -q, 1.0, jacobian=lambda t, q, v: 1e6)
    with pytest.raises(tr.ConvergenceError, match=r"did not converge at t = 0\.01"):
        tr.integrate(system, "newmark", 0.01, 1.0)
    singular = tr.SecondOrderSystem(1.0, lambda t, q: -q, 1.0, jacobian=lambda t, q, v: 4.0 / 0.01**2)
    with pytest.raises(tr.ConvergenceError, match=r"singular.* in the step to t = 0\.01"):
        tr.integrate(singular, "newmark", 0.01, 1.0)


@pytest.mark.parametrize(
    "option",
    [{"tol": 0.5}, {"tol": 1e-17}, {"tol": math.nan}, {"max_iterations": 0}, {"solver": "bisection"}],
)
def test_bad_options_are_named(option):
    with pytest.raises(tr.InputError, match=next(iter(option))):
        tr.method("newmark", **option)
