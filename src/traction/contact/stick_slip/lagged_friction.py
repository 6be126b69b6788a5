"""The smallest lag by which steps of rolling with a law without memory approach steady rolling."""

from __future__ import annotations

import os
import numpy as np

from traction.contact.stick_slip.interface import Interface
from traction.contact.stick_slip.kernels.sliding_states import SlidingRule
from traction.contact.stick_slip.slip_equation import SlipEquation

A = float(os.environ.get("LAG_A", 0.65))
B = float(os.environ.get("LAG_B", 1.1))
SPEEDS = np.concatenate(([0.0], np.geomspace(1e-3, 30.0, 100)))  #: at which slopes of laws are seen, m/s


def find_fall(equation: SlipEquation, interface: Interface | None) -> float:
    rule = equation.rule
    if rule is None or rule.upstream != 0 or interface is None or interface.law.is_constant:
        return 0.0
    way, law, pressure = SPEEDS * rule.time, interface.law, rule.pressure
    kept = np.zeros_like(way)
    if rule.distance > 0.0:
        forgotten = np.maximum(way, rule.background * rule.time) / rule.distance
        kept = np.exp(-forgotten) if rule.exact else 1.0 / (1.0 + forgotten)
    mu = kept * law.static + (1.0 - kept) * law.evaluate(SPEEDS)[0]
    fall = max(0.0, -float((np.diff(mu) / np.diff(way)).min()))
    if not fall or not pressure.any():
        return 0.0
    shear = equation.product(np.array([pressure, np.zeros_like(pressure)]))[0]
    return fall * float((pressure * shear).sum() / pressure.sum())


def lag_friction(equation: SlipEquation, interface: Interface | None, here) -> SlipEquation:
    rule = equation.rule
    if rule is None or rule.distance > 0.0 or interface is None or interface.law.is_constant:
        return equation
    fall = find_fall(equation, interface)
    lag = 1.0 - 1.0 / max(1.0, A + B * fall)
    if lag == 0.0 or A > 90:
        return equation
    from dataclasses import replace
    mu = np.ascontiguousarray(here())
    return replace(equation, rule=rule._replace(lag=lag, mu_before=mu))
