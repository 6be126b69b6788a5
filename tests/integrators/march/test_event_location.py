"""Contacts located inside the steps: none missed, none invented, in time with the order of the method."""

import math
from functools import lru_cache

import numba
import numpy as np
import pytest

import traction as tr
from convergence import observed_order

METHODS = tuple(tr.methods())
ACCURATE = tuple(name for name, method in tr.methods().items() if method.order >= 2)
STIFFNESS, GRAVITY = 1e4, 10.0
compiled_once = lru_cache(numba.njit)


def stop_force(t, q):
    return -q - STIFFNESS * max(0.0, q - 1.0)


def stop_gap(t, q):
    return 1.0 - q


def against_a_stop(amplitude, *, compiled=False):
    """An oscillator from -amplitude, with a stiff stop at 1."""
    make = compiled_once if compiled else lambda function: function
    return tr.SecondOrderSystem(1.0, make(stop_force), -amplitude, gap=make(stop_gap))


def exact_contact(amplitude):
    """Begin, duration and depth of its contact: an oscillation of frequency w about c < 1."""
    speed, w, c = math.sqrt(amplitude**2 - 1.0), math.sqrt(1.0 + STIFFNESS), STIFFNESS / (1.0 + STIFFNESS)
    begin = math.pi - math.acos(1.0 / amplitude)
    return begin, 2.0 / w * math.atan2(speed / w, 1.0 - c), c - 1.0 + math.hypot(1.0 - c, speed / w)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", METHODS)
def test_a_contact_within_one_step_is_found(name, compiled):
    """The step, 0.2, is six times as long as the contact."""
    for dt in (0.2, 0.013):
        h = tr.integrate(against_a_stop(1.5, compiled=compiled), name, dt, 4.0)
        (contact,) = h.contacts
        begin, duration, _ = exact_contact(1.5)
        assert contact.start == pytest.approx(begin, abs=0.02 if tr.method(name).order > 1 else 0.4)
        assert contact.duration == pytest.approx(duration, rel=8.0 * dt / duration)
        assert h.q.max() > 1.0
        assert np.all(np.diff(h.t) > 0.0)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ACCURATE)
def test_contact_times_with_controlled_steps(name):
    h = tr.integrate(against_a_stop(1.5), name, "auto", 3.0, rtol=1e-8 if tr.method(name).order > 2 else 2e-6)
    (contact,) = h.contacts
    begin, duration, depth = exact_contact(1.5)
    assert contact.start == pytest.approx(begin, abs=2e-4)
    assert contact.duration == pytest.approx(duration, rel=3e-4)
    assert contact.depth == pytest.approx(depth, rel=3e-4)
    assert contact.peak_time == pytest.approx(begin + 0.5 * duration, abs=3e-4)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["rk4", "radau-ia", "radau-iia", "newmark", "energy-conserving"])
def test_a_grazing_contact_is_found(name):
    """The amplitude reaches the stop by 1e-6."""
    h = tr.integrate(against_a_stop(1.0 + 1e-6), name, 0.01, 4.0)
    (contact,) = h.contacts
    begin, duration, depth = exact_contact(1.0 + 1e-6)
    assert contact.start == pytest.approx(begin, abs=1e-4)
    assert contact.duration == pytest.approx(duration, rel=0.01)
    assert contact.depth == pytest.approx(depth, rel=0.01)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("dt", [0.01, 0.2, "auto"])
@pytest.mark.parametrize("name", ["rk4", "radau-ia", "radau-iia", "verlet", "newmark", "energy-conserving"])
def test_a_contact_just_missed_is_not_invented(name, dt):
    rtol = 1e-8 if tr.method(name).order > 2 else 1e-6
    h = tr.integrate(against_a_stop(1.0 - 1e-4), name, dt, 4.0, rtol=rtol)
    assert h.contacts == ()
    (closest,) = (event for event in h.events if event.kind == "closest")
    assert closest.t == pytest.approx(math.pi, abs=0.02)


def test_a_grazing_and_a_missed_contact_with_controlled_steps():
    assert len(tr.integrate(against_a_stop(1.0 + 1e-6), "radau-iia", "auto", 4.0, rtol=1e-10).contacts) == 1
    assert len(tr.integrate(against_a_stop(1.0 - 1e-6), "radau-iia", "auto", 4.0, rtol=1e-10).contacts) == 0


@pytest.mark.parametrize("name", METHODS)
def test_event_times_have_the_order_of_the_method(name):
    order = tr.method(name).order
    steps = [{1: 0.02, 2: 0.1, 4: 0.2, 5: 0.4}[order] / 2**k for k in range(3)]
    system = tr.SecondOrderSystem(1.0, lambda t, q: -q, -1.5, gap=lambda t, q: 1.0 - q)
    exact = math.pi - math.acos(1.0 / 1.5)
    errors = []
    for dt in steps:
        h = tr.integrate(system, name, dt, 2.5)
        errors.append(abs(next(event.t for event in h.events if event.kind == "touch") - exact))
    assert observed_order(steps, errors) >= order - 0.35


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", METHODS)
def test_a_resting_body_does_not_hang(name):
    """It starts at rest on its spring; every bounce that rounding brings is a step at least."""
    k = 1e4
    for q0 in (-GRAVITY / k, 0.0):
        system = tr.SecondOrderSystem(
            1.0,
            lambda t, q, v: max(0.0, -q) * (k - 200.0 * v * (v < 0.0)) - 5.0 * v * (q < 0.0) - GRAVITY,
            q0,
            gap=lambda t, q: q,
        )
        h = tr.integrate(system, name, 2e-3, 0.5)
        assert h.ok
        assert len(h) < 1200
        assert np.abs(h.q).max() < 0.01 or name == "euler-forward"  # which is unstable


def test_events_are_places_in_the_history():
    force, gap = lambda t, q: 1e5 * max(0.0, -q) - GRAVITY, lambda t, q: q
    h = tr.integrate(tr.SecondOrderSystem(1.0, force, 0.05, gap=gap), "rk4", 1e-3, 0.7)
    assert {event.kind for event in h.events} == {"touch", "deepest", "release", "apex"}
    for event in h.events:
        assert h.t[event.index] == event.t
        if event.kind in ("touch", "release"):
            assert abs(h.q[event.index]) <= 1e-12
        if event.kind in ("deepest", "apex"):
            assert abs(h.v[event.index]) <= 1e-9


CEILING = 0.2


def thrown(depth, *, ballistic):
    """A mass thrown up at a stiff ceiling that it reaches by `depth`."""
    return tr.SecondOrderSystem(
        1.0,
        lambda t, q: -GRAVITY - 1e5 * max(0.0, q - CEILING),
        0.0,
        math.sqrt(2.0 * GRAVITY * (CEILING + depth)),
        gap=lambda t, q: CEILING - q,
        ballistic=ballistic,
    )


def deepest_outside_contacts(h, gap, samples=200):
    """How far the dense output lies below gap zero outside all recorded contacts, relative to the motion."""
    parts = np.arange(1, samples) / samples
    t = (h.t[:-1, None] + np.diff(h.t)[:, None] * parts).ravel()
    outside = np.ones(len(t), dtype=bool)
    for contact in h.contacts:
        outside &= (t < contact.start) | (t > contact.end)
    return -gap(t[outside], h.at(t[outside])).min() / np.abs(h.q).max()


@pytest.mark.sampled(5)
@pytest.mark.parametrize("dt", [0.2, 0.05, 0.01, "auto"])
@pytest.mark.parametrize("name", METHODS)
def test_no_contact_of_the_path_is_missed(name, dt):
    """Grazes of any depth: wherever the dense output dips below the surface, there is a contact."""
    rng = np.random.default_rng(METHODS.index(name))
    options = {"rtol": 1e-6 if tr.method(name).order > 2 else 1e-4} if dt == "auto" else {}
    for kind in ("oscillator", "thrown", "ballistic"):
        depth, part = 10.0 ** rng.uniform(-9.0, -3.0), rng.uniform(0.7, 1.0)
        if kind == "oscillator":
            system, gap, end, scale = against_a_stop(1.0 + depth), stop_gap, 4.0, 1.0
        else:
            system, end, scale = thrown(CEILING * depth, ballistic=kind == "ballistic"), 0.35, 0.2
            gap = system.gap
        h = tr.integrate(system, name, "auto" if dt == "auto" else dt * scale * part, end, **options)
        assert deepest_outside_contacts(h, gap) <= 1e-12, kind
        if kind == "ballistic":  # the flight is exact: all of them touch
            assert len(h.contacts) >= 1


@pytest.mark.parametrize("name", ["euler-backward", "hht"])
def test_a_graze_that_a_damping_method_passes_by(name):
    """What is missing is in the trajectory, not in its location: the path stays off the stop."""
    h = tr.integrate(against_a_stop(1.0 + 1e-9), name, 0.05, 4.0)
    assert h.contacts == ()
    assert h.at(np.linspace(0.0, 4.0, 20001)).max() < 1.0


@pytest.mark.parametrize("dt", [0.01, "auto"])
def test_a_contact_that_lasts_at_a_restart(dt):
    system = against_a_stop(1.5)
    whole = tr.integrate(system, "rk4", dt, 4.0)
    (contact,) = whole.contacts
    middle = contact.start + 0.7 * contact.duration
    first = tr.integrate(system, "rk4", dt, 4.0, stop=lambda state: state.t > middle)
    second = tr.integrate(system, "rk4", dt, 4.0, start=first)
    (begun,), (ended,) = first.contacts, second.contacts
    assert math.isnan(begun.end)
    assert begun.start == ended.start == contact.start
    assert ended.end == contact.end
    assert 0.0 < ended.depth < begun.depth == contact.depth


def test_a_start_within_a_body_is_a_contact():
    h = tr.integrate(against_a_stop(-1.05), "rk4", 1e-3, 0.5)
    (contact,) = h.contacts
    assert contact.start == 0.0 < contact.end < 0.1
    assert contact.depth == pytest.approx(0.05)
