"""A mass on a moving belt: its limit cycle, and the onset of its oscillation."""

from __future__ import annotations

import math
from collections.abc import Iterator

from traction.app.verification import Check
from traction.friction_laws.friction import exponential, linear
from traction.sliding.belt_oscillator import belt_oscillator

#: frequency (Hz) and amplitude (mm) of 1 kg, 1000 N/m, 10 N on a belt of 0.1 m/s with `LAW`: Runge-Kutta of
#: order 8 (scipy's DOP853) with events, relative tolerance 1e-12
CYCLE = {"frequency": 4.75057931920, "amplitude": 4.262057955879e-3}
LAW = exponential(0.25, (0.15, 0.05))


def checks() -> Iterator[Check]:
    """All rows of sliding bodies."""
    for quantity, expected in CYCLE.items():
        yield Check("belt-cycle", quantity, "DOP853 with events", expected, 1e-5, _cycle, quantity)
    words = "rate of growth / -(c + N mu')/(2 m)"
    yield Check("belt-onset", words, "linear stability", 1.0, 0.02, _growth)
    yield Check("belt-slip", "frequency / closed form", "free vibration", 1.0, 1e-6, _free)


def _cycle(quantity: str) -> float:
    return float(getattr(belt_oscillator(1.0, 1e3, 10.0, LAW, 0.1, t_end=1.5), quantity))


def _growth() -> float:
    """Of a small oscillation about the equilibrium, where friction falls with a constant slope."""
    law = linear(0.2, (0.2, 0.5))  # mu' = -0.2 s/m
    mass, stiffness, load, belt = 1.0, 1e3, 10.0, 0.4
    rest = load * float(law.coefficient(belt)) / stiffness
    h = belt_oscillator(mass, stiffness, load, law, belt, damping=0.5, q0=rest + 1e-5, t_end=1.1)
    rate = -h.oscillator.effective_damping / (2.0 * mass)
    period = 2.0 * math.pi / math.sqrt(stiffness / mass - rate**2)
    grown = (float(h.at(5.0 * period)) - rest) / (float(h.at(0.0)) - rest)
    return math.log(grown) / (5.0 * period) / rate


def _free() -> float:
    """Constant friction under a fast belt only moves the middle."""
    h = belt_oscillator(1.0, 1e3, 10.0, 0.3, 5.0, t_end=0.7)
    return h.frequency * 2.0 * math.pi / math.sqrt(1e3)
