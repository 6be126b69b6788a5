"""Integration methods: the order of each, and limits of linear stability."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from traction.app.verification import Check
from traction.integrators.core.system import SecondOrderSystem
from traction.integrators.integrate import integrate
from traction.integrators.method_table import methods
from traction.integrators.stability import stability

ORDER_TOLERANCE = 0.15
HALVINGS = 4
SWING = 1.2  #: amplitude of the pendulum, rad
T_END = 3.0
FIRST_STEPS = {1: 64, 2: 24}  #: in the longest march, by order; 12 for higher ones


def checks() -> Iterator[Check]:
    """Order of every method; stability."""
    for name, method in methods().items():
        order, source = method.order, "declared, on a pendulum"
        tolerance = ORDER_TOLERANCE / order
        yield Check(f"order-{name}", "order", source, order, tolerance, pendulum_order, name, order)
    for name, limit in (("verlet", 2.0), ("rk4", 2.0 * math.sqrt(2.0))):
        source = "Hairer, Wanner 1996"
        yield Check(f"stability-{name}", "largest omega dt", source, limit, 5e-3, _limit, name)
    words, source = "radius at omega dt = 1e6", "Chung, Hulbert 1993"
    # a double eigenvalue is known to half the digits
    yield Check("stability-generalized-alpha", words, source, 0.5, 1e-3, _radius, 0.5)


def pendulum_order(method: str, declared: int) -> float:
    """Observed order of a method over halvings of its step, on a pendulum released from rest."""
    counts = [FIRST_STEPS.get(declared, 12) * 2**k for k in range(HALVINGS + 1)]
    errors = [_error(method, count) for count in counts]
    return -float(np.polyfit(np.log(counts), np.log(errors), 1)[0])


def _error(method: str, steps: int) -> float:
    pendulum = SecondOrderSystem(
        1.0,
        lambda t, q: -math.sin(q),
        SWING,
        0.0,
        jacobian=lambda t, q, v: (-math.cos(q), 0.0),
        energy=lambda q: 1.0 - math.cos(q),
    )
    found = integrate(pendulum, method, T_END / steps, T_END)
    q, v = swing(T_END)
    return math.hypot(float(found.q[-1]) - q, float(found.v[-1]) - v)


def swing(t: float) -> tuple[float, float]:
    """Angle and rate of a pendulum q'' = -sin q: sin(q/2) = k cd(t, k) with k = sin(SWING/2)."""
    from scipy.special import ellipj

    k = math.sin(0.5 * SWING)
    sn, cn, dn, _ = ellipj(t, k * k)
    half = k * cn / dn
    rate = -(1.0 - k * k) * k * sn / dn**2
    return 2.0 * math.asin(half), 2.0 * rate / math.sqrt(1.0 - half * half)


def _limit(method: str) -> float:
    return stability(method, [1.0]).limit


def _radius(asked: float) -> float:
    return float(stability("generalized-alpha", [1e6], spectral_radius=asked).spectral_radius[0])
