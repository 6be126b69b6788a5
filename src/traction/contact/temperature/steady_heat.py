"""Steady rolling with friction by temperature: its heat, and the coefficients to begin from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.temperature.flash_temperature import flash_temperature
from traction.contact.temperature.heat_history import HeatHistory
from traction.contact.temperature.heat_influence import approximate_influence
from traction.contact.temperature.step_heat import CarriedHeat, find_passing_speed
from traction.contact.temperature.thermal_coupling import (
    Heating,
    PassingMemory,
    Settled,
    expect_bound,
    keep_memory,
    solve_heat,
)
from traction.errors import ConvergenceError
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.status import Status


def heat_steadily(law: ThermalFriction, found: TangentialContact, speed: float) -> Heating:
    """Heat of steady rolling at a speed (m/s)."""
    n = found.normal
    hot = flash_temperature(found, speed, bulk=law.bulk, share=law.share)
    exact, passes = found.discretisation == "covered", -found.direction * speed
    memory = _remember(law, n, speed * np.hypot(*found.slip), passes, exact)
    influence = approximate_influence(n, hot.velocities, law, found.discretisation)
    bound, between = found.coefficient * n.pressure, found.interface
    assert between is not None
    yields = np.divide(between.yielding, bound, out=np.full_like(bound, np.inf), where=bound > 0.0)
    return Heating(hot.power, hot.temperature, influence, memory, n.contact, found.ok, yields)


def finish_steady(
    law: ThermalFriction, settled: Settled[TangentialContact], speed: float, on_failure: str
) -> TangentialContact:
    """The result, with its temperature and the heat that steps of rolling begin from.

    If it has not settled, it says so; `on_failure` = "raise" raises an error instead.
    """
    found, hot = settled.found, settled.heating
    velocities = speed * (found.creepage[0] - found.direction), -speed * found.direction
    passes = find_passing_speed(law, found.normal.pair, velocities, found.discretisation)
    through = found.direction * passes / found.normal.grid.dx
    certificate = replace(found.certificate, temperature=settled.error)
    unsettled = found.ok and not certificate.is_settled
    message = certificate.explain_unsettled() if unsettled else found.message
    result = replace(
        found,
        status=Status.STALLED if unsettled else found.status,
        message=message,
        temperature=hot.temperature,
        heat=CarriedHeat(HeatHistory.steady(hot.power, through), hot.power, settled.coefficients),
        certificate=certificate,
        # the tangents hold the field of coefficients, which would follow the creepages
        _tangent=None,
        _approach_tangent=None,
        _friction_change=None,
    )
    if unsettled and on_failure == "raise":
        raise ConvergenceError(f"{message[0].upper()}{message[1:]}.", result)
    return result


def expect_coefficients(
    law: ThermalFriction,
    n: NormalContact,
    slip: np.ndarray | None,
    velocity: float,
    discretisation: str,
    yield_stress: float,
) -> np.ndarray:
    """Coefficients to begin from, by the size of the rigid slip, m/s, (ny, nx); of no heat, if it is None.

    Both bodies pass with one `velocity` (m/s); `yield_stress` (Pa) is that of a layer, else infinite.
    """
    bulk = np.full(n.grid.shape, 0.5 * sum(law.bulk))
    if slip is None:
        return law.coefficient(bulk)
    influence = approximate_influence(n, (velocity, velocity), law, discretisation)
    memory = _remember(law, n, slip, velocity, discretisation == "covered")
    bound = expect_bound(law, n, slip)
    yields = np.divide(yield_stress, bound, out=np.full_like(bound, np.inf), where=bound > 0.0)
    return solve_heat(law, bound * slip, bulk, influence, memory, yields)


def _remember(
    law: ThermalFriction, n: NormalContact, slip: np.ndarray, velocity: float, exact: bool
) -> PassingMemory:
    """Memory of particles that pass with a `velocity`, and slip, m/s; they enter as warm as the bulk."""
    entry, direction = float(law.coefficient(max(law.bulk))), 1 if velocity < 0.0 else -1
    kept = None if law.memory is None else keep_memory(law.memory, slip, n.grid.dx / abs(velocity), exact)
    return PassingMemory(kept, direction, entry)
