"""The bouncing ball: its depth, times and energy by several methods, and by the half space."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from traction.app.verification import Check
from traction.bouncing.bounce import BounceHistory, bounce, bounce_history
from traction.integrators.integrate import integrate
from traction.kinds.bounce.schema import BounceCase
from traction.kinds.case import load
from traction.kinds.registry import shipped

CLOSED = "energy integral, 40 digits"
DEPTH = 0.004571862951196120  #: m
CONTACT_TIME = 0.00303496111457585438  #: s
PERIOD = 0.90608224308603766328  #: s
QUANTITIES = {"depth": DEPTH, "contact_time": CONTACT_TIME, "period": PERIOD}
#: E/E0 - 1 after ten bounces at dt = Tc/100, contacts not located (dynamics.json); method, options
DRIFTS: tuple[tuple[str, dict[str, float], float], ...] = (
    ("euler-forward", {}, 2.5484385892085935 - 1.0),
    ("euler-backward", {}, 0.2119287945661076 - 1.0),
    ("symplectic-euler", {}, 1.0013336295001154 - 1.0),
    ("rk4", {}, 1.0000073836165326 - 1.0),
    ("radau-ia", {}, 1.0000001245713614 - 1.0),
    ("radau-iia", {}, 0.9999967588893498 - 1.0),
    ("verlet", {}, 0.9999804726299636 - 1.0),
    ("newmark", {}, 0.9999805002493877 - 1.0),
    ("hht", {"alpha": 0.3}, 0.9999289643799782 - 1.0),
    ("generalized-alpha", {"spectral_radius": 0.5}, 0.9999267295174297 - 1.0),
)
RESTITUTION = 0.8


def checks() -> Iterator[Check]:
    """All rows of the ball."""
    for name, contact, tolerance in (("ball", "hertz", 1e-5), ("half-space", "half-space", 5e-3)):
        for quantity, expected in QUANTITIES.items():
            call = first_bounce, quantity, contact
            yield Check(f"bounce-{name}", quantity, CLOSED, expected, tolerance, *call)
    conserved = energy_ratio, "energy-conserving", CONTACT_TIME / 10.0, 100.4 * PERIOD
    yield Check("bounce-conserved", "E/E0, 100 bounces", "energy, dt = Tc/10", 1.0, 1e-9, *conserved)
    for method, options, drift in DRIFTS:
        name, source = f"bounce-energy-{method}", "another march, dt = Tc/100"
        yield Check(name, "E/E0 - 1, 10 bounces", source, drift, 0.05, _drift, method, options)
    yield Check("bounce-damped", "restitution", "Hunt, Crossley 1975", RESTITUTION, 1e-3, _restitution)


@lru_cache(maxsize=1)
def ball() -> BounceCase:
    """The shipped ball."""
    case = load(shipped()["bouncing-ball"]).case
    assert isinstance(case, BounceCase)
    return case


def _drop(height: float, **options: Any) -> BounceHistory:
    """The ball, dropped from another height (m) or otherwise."""
    case = ball()
    assert case.ball is not None
    return bounce(case.ball.radius, case.pair, height, mass=case.body_mass, **options)


@lru_cache(maxsize=2)
def two_bounces(contact: str) -> BounceHistory:
    """The ball until its second touch, with default settings."""
    return _drop(ball().fall.height, contact=contact, t_end=1.55 * PERIOD)


def first_bounce(quantity: str, contact: str) -> float:
    """Depth (m), contact time or period (s) of the ball."""
    first, second = two_bounces(contact).contacts[:2]
    period = second.start - first.start
    return {"depth": first.depth, "contact_time": first.duration, "period": period}[quantity]


def energy_ratio(method: str, dt: float, t_end: float, **options: Any) -> float:
    """Energy at the end over that at the start, contacts not located."""
    body, fall = ball().body, ball().fall
    system = body.system(fall.height, fall.speed)
    history = bounce_history(integrate(system, method, dt, t_end, locate_events=False, **options), body)
    return float(history.energy[-1] / history.energy[0])


def _drift(method: str, options: dict[str, float]) -> float:
    return energy_ratio(method, CONTACT_TIME / 100.0, 10.4 * PERIOD, **options) - 1.0


def _restitution() -> float:
    """Speed after the first contact over that before, of a stiff ball, on which gravity is nothing."""
    speed, g = 5.0, 1e-6
    history = _drop(1e-3, gravity=g, speed=speed, restitution=RESTITUTION, t_end=0.02)
    return float(history.v[-1]) / math.sqrt(speed**2 + 2.0 * g * 1e-3)
