"""Impacts: the classical case, repeated contacts, Zener's plate, Thornton's dent, Picard's errors."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from traction.app.verification import Check
from traction.impacts.impact import impact
from traction.impacts.impact_history import ImpactHistory
from traction.impacts.striker import Striker
from traction.impacts.structures.unbounded import InfinitePlate, RigidGround, zener_restitution
from traction.kinds.case import load
from traction.kinds.impact.schema import ImpactCase
from traction.kinds.registry import shipped
from traction.laws.plastic_law import PlasticLaw
from traction.laws.power_law import PowerLaw

REFERENCE = "product integration, 640k steps"
#: classical case: largest force (N), end of the contact (s), impulse (N s), force at 50 µs over the largest
CLASSICAL = {"peak": 4.977139717730011, "end": 0.00015640215975445547, "impulse": 0.0004342310410441488}
HALF_SINE = {"amplitude": 4.55795134840412, "duration": 0.0001506468960638333}
PICARD = (0.10144846113991417, 0.08524036474053011, 0.19147138296509042, 0.12972864115288277)
LOSSES = (0.1, 1.0, 2.0)  #: Zener's inelasticity parameter
K, MASS, LIMIT = 1e9, 0.01, 1e-6  #: of a dent: N/m^1.5, kg, approach of yield in m


def checks() -> Iterator[Check]:
    """All rows of impacts."""
    for quantity, expected in CLASSICAL.items():
        yield Check("impact-beam", quantity, REFERENCE, expected, 1e-6, _first, quantity)
    yield Check("impact-beam", "impulse/momentum", "momentum", 1.0, 1e-9, _momentum)
    yield Check("impact-beam", "energy at end/start", "energy", 1.0, 1e-6, _energy)
    yield Check("impact-20-modes", "peak", REFERENCE, CLASSICAL["peak"], 1e-8, _first, "peak", 20)
    yield Check("impact-cantilever", "contacts", "Runge-Kutta order 8", 4.0, 1e-9, _contacts)
    for quantity, expected in HALF_SINE.items():
        yield Check("impact-half-sine", quantity, "energy balance", expected, 1e-8, _sine, quantity)
    for k, expected in enumerate(PICARD):
        yield Check("impact-picard", f"error of iterate {k}", REFERENCE, expected, 1e-3, _picard, k)
    for loss in LOSSES:
        name, expected = f"restitution, lambda {loss:g}", zener_restitution(loss)
        yield Check("impact-plate", name, "Zener 1941", expected, 1e-4, _plate, loss)
    yield Check("impact-dent", "restitution", "Thornton 1997", _thornton(10.0), 1e-6, _dent, 10.0)


@lru_cache(maxsize=4)
def _struck(name: str, modes: int | None = None, method: str = "modal") -> ImpactHistory:
    case = load(shipped()[name]).case
    assert isinstance(case, ImpactCase)
    return impact(case.target, case.place, case.striker, method=method, t_end=case.time.t_end, modes=modes)


def _first(quantity: str, modes: int | None = None) -> float:
    return float(getattr(_struck("ball-on-beam", modes).contacts[0], quantity))


def _momentum() -> float:
    history = _struck("ball-on-beam")
    return history.contacts[0].impulse / (
        history.striker.mass * (history.striker.speed + history.rebound_speed)
    )


def _energy() -> float:
    total = _struck("ball-on-beam").energies.total
    return float(total[-1] / total[0])


def _contacts() -> float:
    return float(len(_struck("cantilever-struck").contacts))


def _sine(quantity: str) -> float:
    return float(getattr(_struck("ball-on-beam", None, "energy").stats["half_sine"], quantity))


def _picard(k: int) -> float:
    return float(np.asarray(_struck("ball-on-beam", None, "picard").stats["errors"])[k])


def _plate(loss: float) -> float:
    striker = Striker(MASS, 1.0, law=PowerLaw(K, 1.5))
    mobility = loss * (MASS / K) ** 0.4 / MASS
    return impact(InfinitePlate((1.0 / (8.0 * mobility)) ** 2, 1.0), None, striker).restitution


def _dent(ratio: float) -> float:
    speed = ratio * math.sqrt(0.8 * K * LIMIT**2.5 / MASS)
    striker = Striker(MASS, speed, law=PlasticLaw(PowerLaw(K, 1.5), LIMIT))
    return impact(RigidGround(), None, striker).restitution


def _thornton(ratio: float) -> float:
    """Restitution over the ratio of the speed to that of yield."""
    x = 1.0 / ratio
    inner = x / (x + 2.0 * math.sqrt(1.2 - 0.2 * x * x))
    return math.sqrt(1.2 * math.sqrt(3.0) * (1.0 - x * x / 6.0)) * inner**0.25
