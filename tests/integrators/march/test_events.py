"""Gaps along a path: several at once, moving ones, narrow ones, and wrong ones."""

import math

import numpy as np
import pytest

import traction as tr

METHODS = tuple(tr.methods())
GRAVITY = 10.0


def test_several_gaps():
    """Two walls, at -1 and at 2, and a mass that flies between them; the gaps are told apart."""
    walls = tr.SecondOrderSystem(
        1.0,
        lambda t, q: 1e4 * (max(0.0, -1.0 - q) - max(0.0, q - 2.0)),
        0.0,
        1.0,
        gap=lambda t, q: np.array([q + 1.0, 2.0 - q]),
        ballistic=True,
    )
    h = tr.integrate(walls, "rk4", 1e-3, 12.0)
    duration = math.pi / 100.0
    assert [contact.gap for contact in h.contacts] == [1, 0, 1, 0]
    for k, contact in enumerate(h.contacts):
        assert contact.start == pytest.approx(2.0 + k * (3.0 + duration), rel=1e-6)
        assert contact.duration == pytest.approx(duration, rel=1e-5)
        assert contact.depth == pytest.approx(0.01, rel=1e-5)


@pytest.mark.parametrize("ballistic", [False, True])
@pytest.mark.parametrize("dt", [0.003, "auto"])
def test_gaps_that_close_at_once(ballistic, dt):
    """Two equal balls side by side touch at the same time: both contacts are there, and no time is twice."""
    balls = tr.SecondOrderSystem(
        1.0,
        lambda t, q: 1e4 * np.maximum(0.0, -q) - GRAVITY,
        np.array([0.05, 0.05]),
        gap=lambda t, q: q,
        ballistic=ballistic,
    )
    h = tr.integrate(balls, "rk4", dt, 0.3)
    assert sorted(contact.gap for contact in h.contacts) == [0, 1]
    assert h.contacts[0].start == pytest.approx(0.1, rel=1e-9)
    assert h.contacts[1].start == pytest.approx(0.1, rel=1e-9)
    assert np.all(np.diff(h.t) > 0.0)
    assert np.isfinite(h.at(np.linspace(0.0, 0.3, 1001))).all()


def test_a_moving_wall():
    """A gap that depends on time: a wall at speed 0.5 behind a slower mass."""
    wall = lambda t: -1.0 + 0.5 * t  # noqa: E731
    system = tr.SecondOrderSystem(
        1.0, lambda t, q: 1e4 * max(0.0, wall(t) - q), 0.0, 0.1, gap=lambda t, q: q - wall(t)
    )
    h = tr.integrate(system, "radau-iia", 0.05, 4.0)
    (contact,) = h.contacts
    assert contact.start == pytest.approx(2.5, rel=1e-9)
    assert contact.duration == pytest.approx(math.pi / 100.0, rel=1e-3)
    assert h.v[-1] == pytest.approx(0.9, rel=5e-3)


@pytest.mark.parametrize(
    ("gap", "words"),
    [
        (lambda t, q: math.nan, "gap is .*nan.* at t = 0"),
        (lambda t, q: np.ones((2, 2)), r"shape \(2, 2\)"),
        (lambda t, q: "far", "expected real numbers"),
        (lambda t, q: [], "shape"),
    ],
)
def test_a_wrong_gap_is_an_error(gap, words):
    with pytest.raises(tr.InputError, match=words):
        tr.integrate(tr.SecondOrderSystem(1.0, lambda t, q: -q, 1.0, gap=gap), "rk4", 0.1, 1.0)


@pytest.mark.parametrize(
    ("gap", "words"),
    [
        (lambda t, q: math.nan if t > 0.5 else 1.0, r"gap is .*nan.* at t = 0\.5"),
        (lambda t, q: np.ones(2) if t > 0.5 else np.ones(3), "2 components, at the start 3"),
    ],
)
def test_a_gap_that_goes_wrong_stops_the_march(gap, words):
    with pytest.raises(tr.ConvergenceError, match=words) as caught:
        tr.integrate(tr.SecondOrderSystem(1.0, lambda t, q: -q, 1.0, gap=gap), "rk4", 0.1, 1.0)
    assert 0.3 < caught.value.result.t[-1] < 0.6


def spike(t, width):
    """A wall at 2 that comes to 0.05 for a moment."""
    return 2.0 - 1.95 * np.exp(-2.0 * ((t - 1.2345) / width) ** 2)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dt", ["auto", 0.05])
@pytest.mark.parametrize("name", METHODS)
def test_an_obstacle_that_comes_and_goes_within_a_step(name, dt):
    system = tr.SecondOrderSystem(1.0, lambda t, q: -q, 1.0, gap=lambda t, q: spike(t, 3e-3) - q)
    options = {"rtol": 1e-5 if tr.method(name).order > 1 else 1e-4} if dt == "auto" else {}
    h = tr.integrate(system, name, dt, 3.0, **options)
    (contact,) = h.contacts
    assert contact.start < 1.2345 < contact.end
    assert contact.duration == pytest.approx(1.6e-3, rel=0.2)


def test_gap_resolution_finds_a_narrower_obstacle():
    system = tr.SecondOrderSystem(1.0, lambda t, q: -q, 1.0, gap=lambda t, q: spike(t, 1e-4) - q)
    assert tr.integrate(system, "radau-iia", "auto", 3.0).contacts == ()
    for dt in ("auto", 0.05):
        h = tr.integrate(system, "radau-iia", dt, 3.0, gap_resolution=1e-4)
        assert len(h.contacts) == 1
    with pytest.raises(tr.InputError, match="gap_resolution = 0"):
        tr.integrate(system, "radau-iia", "auto", 3.0, gap_resolution=0.0)
