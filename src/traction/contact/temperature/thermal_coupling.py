"""Friction that depends on the temperature: tractions and temperatures are solved together.

The heat of friction is mu g, with g the power per coefficient of friction, pressure times slip speed. Slips
follow the creepages rather than the coefficients, so that g changes little: with g of the last solution,

    mu = f(B (mu g) + rest),     rest = T - B (mu g) of the last solution

is solved for the field mu by Newton's method, with products of heat only; B is the influence of heat on the
temperature, where both bodies absorb it over their whole surface. Then tractions and slips are solved again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.sparse.linalg import LinearOperator, gmres

from traction.contact.friction.tangential_contact import TangentialContact
from traction.contact.normal.press import NormalContact
from traction.contact.temperature.classical_heat import ClassicalBodies
from traction.contact.temperature.flash_temperature import flash_temperature
from traction.contact.temperature.passing_memory import PassingMemory
from traction.errors import ConvergenceError
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.halfspace.heated_half_space import HeatedHalfSpace

COUPLED = 2.5e-4  #: largest error of a coefficient, over the largest one
NEARLY = 2e-2  #: that from which the next solution may be the last one
FIRST = 1e-3  #: tolerance of solutions that are followed by others
GAIN, REDUCED = 0.7, 0.7  #: of the error in a turn, above which the changes are reduced
MOST_TURNS = 30
MOST_STEPS = 40  #: of Newton's method
SHORTER = (1.0, 0.5, 0.25, 0.1, 0.03)  #: parts of a step that are tried
SETTLED = 1e-7  #: of the coefficients, by it

Solve = Callable[[np.ndarray, float], TangentialContact]  #: by a field of coefficients and a tolerance
Influence = Callable[[np.ndarray], np.ndarray]  #: temperature (K) by a frictional power per area (W/m2)


def settle_temperature(
    law: ThermalFriction, solve: Solve, speed: float, tol: float, start: np.ndarray
) -> TangentialContact:
    """The contact whose coefficients of friction are those of its own temperatures, at a rolling speed.

    It begins from the coefficients `start`; see `expect_coefficients`.
    """
    mu, change, share = start, np.inf, 1.0
    for _ in range(MOST_TURNS):
        is_last = change <= NEARLY * law.largest
        found = solve(mu, tol if is_last else max(tol, FIRST))
        hot = flash_temperature(found, speed, bulk=law.bulk, share=law.share)
        memory = _remember(law, found.normal, speed * np.hypot(*found.slip), -found.direction * speed)
        wanted = memory.follow(law.coefficient(hot.temperature))
        error = np.abs(wanted - mu)[found.normal.contact].max(initial=0.0)
        if is_last and error <= COUPLED * law.largest:
            # the tangents hold the field of coefficients, which would follow the creepages
            return replace(found, _tangent=None, _approach_tangent=None, _friction_change=None)
        share *= REDUCED if error > GAIN * change else 1.0
        influence = _approximate_influence(found.normal, hot.velocities, law, found.discretisation)
        power = np.divide(hot.power, mu, out=np.zeros_like(mu), where=mu > 0.0)
        rest = hot.temperature - influence(hot.power)
        following = _follow_heat(law, power, rest, influence, memory)
        mu, change = mu + share * (following - mu), float(error)
    raise ConvergenceError(
        f"friction and temperature did not settle in {MOST_TURNS} turns: the coefficients still change by "
        f"{change:.1e}. With friction that rises, or a force near its limit, there may be no steady state.",
        found,
    )


def expect_coefficients(
    law: ThermalFriction, n: NormalContact, slip: np.ndarray | None, velocity: float, discretisation: str
) -> np.ndarray:
    """Coefficients to begin from, by the size of the rigid slip, m/s, (ny, nx); of no heat, if it is None.

    Both bodies pass with one `velocity` (m/s).
    """
    bulk = np.full(n.grid.shape, 0.5 * sum(law.bulk))
    if slip is None:
        return law.coefficient(bulk)
    influence = _approximate_influence(n, (velocity, velocity), law, discretisation)
    return _follow_heat(law, n.pressure * slip, bulk, influence, _remember(law, n, slip, velocity))


def _remember(law: ThermalFriction, n: NormalContact, slip: np.ndarray, velocity: float) -> PassingMemory:
    """Memory of particles that pass with a `velocity`, and slip, m/s; they enter as warm as the bulk."""
    entry, direction = float(law.coefficient(max(law.bulk))), 1 if velocity < 0.0 else -1
    return PassingMemory.of(law.memory, slip, n.grid.dx / abs(velocity), direction, entry)


def _follow_heat(
    law: ThermalFriction, power: np.ndarray, rest: np.ndarray, influence: Influence, memory: PassingMemory
) -> np.ndarray:
    """Coefficients that agree with their own heat: mu = f(B (mu power) + rest), by Newton's method.

    Steps are shortened until the error falls: at the corners of the law whole ones may cycle.
    """
    field, shape = memory.follow(law.coefficient(rest)), rest.shape
    warm = rest + influence(field * power)
    error = memory.follow(law.coefficient(warm)) - field
    for _ in range(MOST_STEPS):
        if np.abs(error).max() <= SETTLED * law.largest:
            break
        slope = law.derivative(warm)

        def apply(x: np.ndarray, slope: np.ndarray = slope) -> np.ndarray:
            change = x.reshape(shape)
            return (change - memory.follow_change(slope * influence(change * power))).ravel()

        system = LinearOperator((rest.size, rest.size), matvec=apply, dtype=float)
        step = gmres(system, error.ravel(), rtol=1e-3, restart=40, maxiter=1)[0].reshape(shape)
        size = float(np.linalg.norm(error))
        for part in SHORTER:
            tried = np.clip(field + part * step, 0.0, law.largest)
            warm = rest + influence(tried * power)
            error = memory.follow(law.coefficient(warm)) - tried
            if np.linalg.norm(error) <= (1.0 - 0.1 * part) * size:
                break
        field = tried
    return field


def _approximate_influence(
    n: NormalContact, velocities: tuple[float, float], law: ThermalFriction, discretisation: str
) -> Influence:
    """B: as if heat passed between the bodies over their whole surface, not only where they touch."""
    pair, share = n.pair, law.share
    if discretisation == "classical" and share == "equal":
        direction, nothing = (1 if velocities[1] < 0.0 else -1), (0.0, 0.0)
        materials, speed = (pair.upper, pair.lower), abs(velocities[1])
        classical = ClassicalBodies(n.grid, materials, speed, direction, nothing, n.contact)
        return classical.rise
    if not isinstance(share, str):
        body = 0 if share >= 0.5 else 1
        heated = HeatedHalfSpace(n.grid, (pair.upper, pair.lower)[body], velocities[body])
        return lambda power: heated.rise(max(share, 1.0 - share) * power)
    upper, lower = (
        HeatedHalfSpace(n.grid, material, v)
        for material, v in zip((pair.upper, pair.lower), velocities, strict=True)
    )
    spectrum = upper.spectrum * lower.spectrum / (upper.spectrum + lower.spectrum)
    return lambda power: upper.filter(power, spectrum)
