"""A march that stops and goes on is, bit for bit, the one that never stopped."""

from functools import lru_cache

import numba
import numpy as np
import pytest

import traction as tr
from traction.integrators.core.state import State

METHODS = tuple(tr.methods())


def spring(t, q, v):
    return -q - q**3 - 0.05 * v


def stop_force(t, q):
    return -q - 60.0 * max(0.0, q - 0.5) ** 1.5


def stop_gap(t, q):
    return 0.5 - q


def ball_force(t, q):
    return 900.0 * max(0.0, -q) ** 1.5 - 9.81


def ball_gap(t, q):
    return q


@lru_cache
def systems():
    njit = numba.njit
    springs = np.array([1.0, 2.0])
    return {
        "smooth": tr.SecondOrderSystem(1.0, spring, 1.0),
        "smooth, compiled": tr.SecondOrderSystem(1.0, njit(spring), 1.0),
        "stop": tr.SecondOrderSystem(1.0, stop_force, -0.9, gap=stop_gap),
        "stop, compiled": tr.SecondOrderSystem(1.0, njit(stop_force), -0.9, gap=njit(stop_gap)),
        "ball": tr.SecondOrderSystem(1.0, ball_force, 0.3, gap=ball_gap, ballistic=True),
        "ball, compiled": tr.SecondOrderSystem(
            1.0, njit(ball_force), 0.3, gap=njit(ball_gap), ballistic=True
        ),
        "vector": tr.SecondOrderSystem(springs, lambda t, q: -np.sin(q), springs, damping=0.1),
    }


CASES = ("smooth", "smooth, compiled", "stop", "stop, compiled", "ball", "ball, compiled", "vector")
QUICK = ("smooth, compiled", "stop", "ball, compiled", "vector")  #: each system, and both ways to march
MARKED = [pytest.param(case, marks=[] if case in QUICK else [pytest.mark.slow]) for case in CASES]


def saved(state, tmp_path):
    """The state, written to a file and read again."""
    np.savez(tmp_path / "state.npz", **state.to_arrays())
    with np.load(tmp_path / "state.npz") as arrays:
        return dict(arrays)


def require_continued(whole, first, second):
    """The second history goes on where the first one ended, as the whole one did."""
    n = len(first)
    for name in ("t", "q", "v", "a"):
        assert np.array_equal(getattr(whole, name)[:n], getattr(first, name)), name
        assert np.array_equal(getattr(whole, name)[n - 1 :], getattr(second, name)), name
    assert [e.t for e in whole.events] == [e.t for e in (*first.events, *second.events)]
    for name, value in whole.state.to_arrays().items():
        assert np.array_equal(value, second.state.to_arrays()[name]), name


def stopped_after(count):
    asked = []
    return lambda state: asked.append(0) or len(asked) == count


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", MARKED)
@pytest.mark.parametrize("name", METHODS)
def test_restart_of_fixed_steps(name, case, tmp_path):
    system, dt = systems()[case], 0.013
    whole = tr.integrate(system, name, dt, 1.2)
    for count in (1, 5, 40):
        first = tr.integrate(system, name, dt, 1.2, stop=stopped_after(count))
        if count > 1 and first.ok:
            break  # with flights and contacts as single steps the end comes soon
        assert len(first) < len(whole)
        second = tr.integrate(system, name, dt, 1.2, start=saved(first.state, tmp_path))
        require_continued(whole, first, second)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", MARKED)
@pytest.mark.parametrize("name", METHODS)
def test_restart_of_controlled_steps(name, case, tmp_path):
    rtol = 1e-3 if tr.method(name).order == 1 else 1e-5
    system = systems()[case]
    whole = tr.integrate(system, name, "auto", 0.8, rtol=rtol)
    for count in (2, 9):
        first = tr.integrate(system, name, "auto", 0.8, rtol=rtol, stop=stopped_after(count))
        if count > 1 and first.ok:
            break
        assert len(first) < len(whole)
        second = tr.integrate(system, name, "auto", 0.8, rtol=rtol, start=saved(first.state, tmp_path))
        require_continued(whole, first, second)


EMBEDDED = tuple(name for name in METHODS if tr.method(name).embedded_order is not None)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("every", [13, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", EMBEDDED)
def test_restart_of_steps_that_estimate_their_own_error(name, case, every, tmp_path):
    """After many of the steps: in flight, in contact, and where it begins and ends."""
    system = systems()[case]
    asked = []
    whole = tr.integrate(system, name, "auto", 0.8, stop=lambda state: asked.append(0))
    assert len(asked) > 6
    for count in range(1, len(asked), every):
        first = tr.integrate(system, name, "auto", 0.8, stop=stopped_after(count))
        second = tr.integrate(system, name, "auto", 0.8, start=saved(first.state, tmp_path))
        require_continued(whole, first, second)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", ["smooth", "smooth, compiled", "stop, compiled", "ball, compiled"])
@pytest.mark.parametrize("name", METHODS)
def test_restart_after_whole_steps(name, case):
    """Without a stop: a first march to an end that is a whole number of steps away."""
    system, dt = systems()[case], 0.01
    locate = case.startswith("smooth")
    whole = tr.integrate(system, name, dt, 1.0, locate_events=locate)
    first = tr.integrate(system, name, dt, 0.37, locate_events=locate)
    second = tr.integrate(system, name, dt, 1.0, start=first, locate_events=locate)
    if case.startswith(("smooth", "stop")):
        require_continued(whole, first, second)
    assert second.q[-1] == pytest.approx(whole.q[-1], abs=1e-9)


def test_a_state_goes_through_arrays(tmp_path):
    h = tr.integrate(systems()["stop"], "hht", 0.01, 1.0)
    back = State.from_arrays(saved(h.state, tmp_path))
    assert back.touching.tolist() == h.state.touching.tolist()
    assert (back.t, back.largest, back.interval) == (h.state.t, h.state.largest, h.state.interval)
    assert np.array_equal(back.x, h.state.x)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"t": np.array(np.nan)}, "start.t"),
        ({"q": np.array([np.nan])}, "start.q"),
        ({"q": np.ones(3)}, "3 coordinates"),
        ({"v": np.ones(3)}, "start.v"),
        ({"x": np.ones(3)}, "start.x"),
        ({"interval": np.array("much")}, "start"),
    ],
)
def test_a_wrong_state_is_an_error(change, words):
    arrays = tr.integrate(systems()["smooth"], "rk4", 0.1, 1.0).state.to_arrays()
    with pytest.raises(tr.InputError, match=words):
        tr.integrate(systems()["smooth"], "rk4", 0.1, 2.0, start={**arrays, **change})
    del arrays["q"]
    with pytest.raises(tr.InputError, match="start"):
        tr.integrate(systems()["smooth"], "rk4", 0.1, 2.0, start=arrays)
    with pytest.raises(tr.InputError, match="start"):
        tr.integrate(systems()["smooth"], "rk4", 0.1, 2.0, start=7)
    h = tr.integrate(systems()["smooth"], "rk4", 0.1, 1.0)
    with pytest.raises(tr.InputError, match="after the start"):
        tr.integrate(systems()["smooth"], "rk4", 0.1, 1.0, start=h)
