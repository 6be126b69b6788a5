"""Free flight in one piece: exact, and the same as step by step."""

import math

import numpy as np
import pytest

import traction as tr
from traction.integrators.march.stepping import Control
from traction.integrators.march.time_march import TimeMarch

METHODS = tuple(tr.methods())
ACCURATE = tuple(name for name, method in tr.methods().items() if method.order >= 2)
GRAVITY = 10.0


def ball(height, *, ballistic, k=1e5):
    return tr.SecondOrderSystem(
        1.0,
        lambda t, q: k * max(0.0, -q) - GRAVITY,
        height,
        gap=lambda t, q: q,
        ballistic=ballistic,
        energy=lambda q: 0.5 * k * max(0.0, -q) ** 2 + GRAVITY * q,
    )


@pytest.mark.parametrize("name", METHODS)
def test_a_free_ball_touches_when_it_must(name):
    h = tr.integrate(ball(0.2, ballistic=True), name, 1e-4, 0.25)
    (contact,) = h.contacts
    assert contact.start == pytest.approx(0.2, rel=1e-12)
    w, speed = math.sqrt(1e5), 2.0
    duration = 2.0 / w * (math.pi - math.atan2(speed / w, GRAVITY / w**2))
    assert contact.duration == pytest.approx(duration, rel=0.05 if tr.method(name).order == 1 else 1e-3)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dt", [1e-3, "auto"])
@pytest.mark.parametrize("name", ACCURATE)
def test_free_flight_changes_nothing(name, dt):
    options = {"rtol": 1e-7 if tr.method(name).order > 2 else 1e-5} if dt == "auto" else {}
    flown, stepped = (
        tr.integrate(ball(0.05, ballistic=ballistic), name, dt, 0.7, **options) for ballistic in (True, False)
    )
    assert len(flown.contacts) == len(stepped.contacts) == 3
    rel = 0.08 if name in ("hht", "generalized-alpha") and dt == 1e-3 else 5e-4
    for one, other in zip(flown.contacts, stepped.contacts, strict=True):
        assert one.start == pytest.approx(other.start, rel=rel)
        assert one.duration == pytest.approx(other.duration, rel=0.1 if dt == 1e-3 else 5e-3)
    assert len(flown) < len(stepped) or dt == "auto"


def test_without_location_the_steps_are_even():
    h = tr.integrate(ball(0.05, ballistic=False), "verlet", 1e-3, 0.7, locate_events=False)
    assert h.events == ()
    np.testing.assert_allclose(h.t, 1e-3 * np.arange(701), rtol=0.0, atol=1e-12)
    flown = tr.integrate(ball(0.05, ballistic=True), "verlet", 1e-3, 0.7, locate_events=False)
    np.testing.assert_allclose(flown.t / 1e-3, np.rint(flown.t / 1e-3), rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(flown.q, h.q[np.rint(flown.t / 1e-3).astype(int)], rtol=0.0, atol=1e-11)


@pytest.mark.parametrize("name", ["newmark", "hht", "generalized-alpha"])
def test_a_settled_state_is_where_the_method_ends(name):
    """Under a constant force the method's own accelerations fade; the velocity at the end is known."""
    method, dt = tr.method(name), 0.1
    system = tr.SecondOrderSystem(2.0, lambda t: 6.0, 0.3, 0.5)
    march = TimeMarch(system, method, Control(t_end=1.0, dt=dt))
    begun = march.begin()
    state = begun.but(x=begun.a + 0.7, made=dt)
    settled = method.settled(state)
    assert np.array_equal(settled.x, state.a)
    for _ in range(120):
        state = march.stepping.single(state, dt)
    left = state.v - 120 * dt * state.a
    assert left == pytest.approx(settled.v, rel=1e-9)
    assert abs(float(settled.v[0]) - 0.5) > 0.02 * 0.7 * dt


@pytest.mark.parametrize("name", ["hht", "generalized-alpha"])
@pytest.mark.parametrize("dt", [1e-4, "auto"])
def test_a_flight_does_not_wait_for_the_method_to_forget(name, dt):
    """A method with accelerations of its own flies as soon as the contact ends, as Newmark's does."""
    options = {"rtol": 1e-6} if dt == "auto" else {}
    steps = [
        tr.integrate(ball(0.05, ballistic=True), method, dt, 0.45, **options).stats["steps"]
        for method in (name, "newmark")
    ]
    assert steps[0] <= 1.15 * steps[1]
