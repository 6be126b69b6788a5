"""Friction that depends on the temperature: tractions and temperatures are solved together.

The heat of friction is mu g, with g the power per coefficient of friction, pressure times slip speed. Slips
follow the creepages rather than the coefficients, so that g changes little: with g of the last solution,

    mu = f(B (mu g) + rest),     rest = T - B (mu g) of the last solution

is solved for the field mu by Newton's method, with products of heat only; B is about the influence of heat on
the temperature. Then tractions and slips are solved again. Where a law of the slip speed is given, mu are the
factors by which its coefficients are multiplied. Where a layer yields before it slips, the heat is that of
its yield stress: mu g stands for min(mu, mu_y) g, with mu_y = tau/pn.

Coefficients may follow those of the temperature along the particles' way, as laws of the slip speed have it:
d mu/dt = -max(s, s0)/dc (mu - mu_T). Of the coefficient in the element ahead, or before the step, the share
exp(-max(s, s0) dt/dc) is left, of whole cells that of implicit Euler, dc/(dc + max(s, s0) dt).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from scipy.sparse.linalg import LinearOperator, gmres

from traction.contact.friction.interface_memory import shift_field
from traction.contact.normal.press import NormalContact
from traction.contact.stick_slip.friction_certificate import MOST_HEATED
from traction.friction_laws.friction_law import Memory
from traction.friction_laws.thermal_friction import ThermalFriction

NEARLY = 2e-2  #: that from which the next solution may be the last one
GAIN, REDUCED = 0.5, 0.7  #: of changes that are opposed to the last ones, above which they are reduced
MOST_TURNS = 30
MOST_STEPS = 40  #: of Newton's method
SHORTER = (1.0, 0.5, 0.25, 0.1, 0.03)  #: parts of a step that are tried
SETTLED = 2e-5  #: of the coefficients, by it
SETTLED_START = 3e-3  #: of those to begin from

Found = TypeVar("Found")
Influence = Callable[[np.ndarray], np.ndarray]  #: temperature (K) by a frictional power per area (W/m2)


def keep_memory(memory: Memory, slip_speed: np.ndarray, seconds: float, exact: bool) -> np.ndarray:
    """Share of a coefficient that is left of particles which slip (m/s) for `seconds`."""
    way = np.maximum(slip_speed, memory.speed) * seconds
    return np.exp(-way / memory.distance) if exact else memory.distance / (memory.distance + way)


@dataclass(frozen=True, eq=False)
class PassingMemory:
    """Memory of particles that pass a grid in steady rolling."""

    kept: np.ndarray | None  #: share of the coefficient ahead that is left, (ny, nx); None without memory
    direction: int  #: of rolling
    entry: float  #: coefficient of particles that enter the grid

    def follow(self, steady: np.ndarray, entry: float | None = None) -> np.ndarray:
        """Coefficients of particles for which `steady` are those that they approach; linear in both."""
        if self.kept is None:
            return steady
        found = np.empty_like(steady)
        passed = np.full(len(steady), self.entry if entry is None else entry)
        for i in range(steady.shape[1])[:: -self.direction]:
            passed = self.kept[:, i] * passed + (1.0 - self.kept[:, i]) * steady[:, i]
            found[:, i] = passed
        return found

    def follow_change(self, change: np.ndarray) -> np.ndarray:
        """Change of the coefficients by that of the steady ones."""
        return self.follow(change, 0.0)


@dataclass(frozen=True, eq=False)
class StepMemory:
    """Memory of the particles of a step of rolling."""

    kept: np.ndarray  #: share of their coefficient before the step that is left, (ny, nx)
    before: np.ndarray  #: that coefficient

    @classmethod
    def of(cls, kept: np.ndarray, field: np.ndarray, way: float, entry: float) -> StepMemory:
        """Of particles that were `way` cells further along x before, where the coefficients were `field`."""
        return cls(kept, shift_field(field, way, np.full(field.shape, entry)))

    def follow(self, steady: np.ndarray) -> np.ndarray:
        """Coefficients of particles for which `steady` are those that they approach."""
        return self.kept * self.before + (1.0 - self.kept) * steady

    def follow_change(self, change: np.ndarray) -> np.ndarray:
        """Change of the coefficients by that of the steady ones."""
        return (1.0 - self.kept) * change


ThermalMemory = PassingMemory | StepMemory  #: how coefficients follow those of the temperature


class Heating(NamedTuple):
    """Heat of a solution, and what it does; fields are (ny, nx)."""

    power: np.ndarray  #: frictional power per area, W/m2
    temperature: np.ndarray  #: of the hotter surface, K
    influence: Influence  #: B, about how the temperature follows the power
    memory: ThermalMemory
    contact: np.ndarray  #: elements in contact
    solved: bool  #: whether tractions and slips are a solution
    yields: np.ndarray | float = np.inf  #: yield stress of the layer over the bound of friction


class Settled(NamedTuple, Generic[Found]):
    """A solution whose coefficients are those of its own temperature, within its error."""

    found: Found
    coefficients: np.ndarray  #: it was solved with, (ny, nx)
    heating: Heating
    error: float  #: largest one of the coefficients, over the largest one


def settle_temperature(
    law: ThermalFriction,
    solve: Callable[[np.ndarray, bool], Found],
    heat: Callable[[Found], Heating],
    start: np.ndarray,
    *,
    rough: bool,
) -> Settled[Found]:
    """Solve until the coefficients of friction are those of their own temperatures, from a `start`.

    `solve` receives whether its solution may be the last one; with `rough`, the first ones are not. What does
    not settle in `MOST_TURNS` turns is returned with its error, which exceeds `MOST_HEATED`.
    """
    mu, change, share, last = start, np.inf if rough else 0.0, 1.0, np.zeros_like(start)
    for _ in range(MOST_TURNS):
        is_last = change <= NEARLY * law.largest_factor
        found = solve(mu, is_last)
        hot = heat(found)
        error = np.abs(hot.memory.follow(law.coefficient(hot.temperature)) - mu)[hot.contact].max(initial=0.0)
        settled = Settled(found, mu, hot, float(error / law.largest_factor))
        if not hot.solved or (is_last and settled.error <= MOST_HEATED):
            break
        ahead = np.where(hot.contact, follow_heat(law, hot, mu) - mu, 0.0)
        along = float((ahead * last).sum())
        share = share * REDUCED if along < -GAIN * float((last * last).sum()) else min(1.0, share / REDUCED)
        mu, change, last = mu + share * ahead, float(error), ahead
    return settled


def follow_heat(law: ThermalFriction, hot: Heating, mu: np.ndarray) -> np.ndarray:
    """Coefficients that agree with their own heat, by the power per coefficient of a solution with `mu`."""
    yields = np.multiply(hot.yields, mu, out=np.full_like(mu, np.inf), where=mu > 0.0)
    power = np.divide(hot.power, np.minimum(mu, yields), out=np.zeros_like(mu), where=mu > 0.0)
    rest = hot.temperature - hot.influence(hot.power)
    return solve_heat(law, power, rest, hot.influence, hot.memory, yields, start=mu)


def solve_heat(
    law: ThermalFriction,
    power: np.ndarray,
    rest: np.ndarray,
    influence: Influence,
    memory: ThermalMemory,
    yields: np.ndarray | float = np.inf,
    *,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """Coefficients mu of their own heat: mu = f(B (min(mu, mu_y) power) + rest), by Newton's method.

    `yields` is mu_y. Without a `start` they are those to begin from, whose power is a guess, and settle
    roughly. Steps are shortened until the error falls: at the corners of the law whole ones may cycle.
    """
    settled, shape = SETTLED_START if start is None else SETTLED, rest.shape
    field = memory.follow(law.coefficient(rest)) if start is None else start
    warm = rest + influence(np.minimum(field, yields) * power)
    error = memory.follow(law.coefficient(warm)) - field
    for _ in range(MOST_STEPS):
        if np.abs(error).max() <= settled * law.largest_factor:
            break
        slope, rate = law.derivative(warm), np.where(field < yields, power, 0.0)

        def apply(x: np.ndarray, slope: np.ndarray = slope, rate: np.ndarray = rate) -> np.ndarray:
            change = x.reshape(shape)
            return (change - memory.follow_change(slope * influence(change * rate))).ravel()

        system = LinearOperator((rest.size, rest.size), matvec=apply, dtype=float)
        step = gmres(system, error.ravel(), rtol=1e-3, restart=40, maxiter=1)[0].reshape(shape)
        size = float(np.linalg.norm(error))
        for part in SHORTER:
            tried = np.clip(field + part * step, 0.0, law.largest_factor)
            warm = rest + influence(np.minimum(tried, yields) * power)
            error = memory.follow(law.coefficient(warm)) - tried
            if np.linalg.norm(error) <= (1.0 - 0.1 * part) * size:
                break
        field = tried
    return field


def expect_bound(law: ThermalFriction, n: NormalContact, slip: np.ndarray) -> np.ndarray:
    """About the bound of friction per coefficient, Pa, where all slides with the rigid slip, m/s."""
    return n.pressure if law.law is None else n.pressure * law.law.coefficient(slip)
