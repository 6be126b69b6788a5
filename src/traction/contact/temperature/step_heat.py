"""Heat of a step of rolling, and the temperature of surfaces that carry the heat of earlier steps.

The temperature is that of steady rolling with the power of the step, and what the particles' own past makes
of it. The first is exact, for any speed, with the power of the last step; a change of power since then is
taken by the `heat_influence`. The second is the difference between the heat that each particle has met
(`HeatHistory`) and what it would have met if the power had always been that of the step. This difference is
conducted into the depth only; its error is that of heat which spreads along the surface, of the order of the
inverse Peclet number. Both errors vanish in steady rolling.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from traction.contact.friction.solved_friction import SolvedFriction
from traction.contact.normal.press import NormalContact
from traction.contact.temperature.heat_history import HeatHistory, lag_matrix
from traction.contact.temperature.heat_influence import (
    approximate_influence,
    find_effusivities,
    find_hotter_body,
)
from traction.contact.temperature.heat_sharing import ClassicalBodies, TwoBodies
from traction.contact.temperature.thermal_coupling import (
    Heating,
    Influence,
    PassingMemory,
    StepMemory,
    ThermalMemory,
    expect_bound,
    follow_heat,
    keep_memory,
)
from traction.errors import InputError
from traction.friction_laws.thermal_friction import ThermalFriction
from traction.halfspace.heated_half_space import NearbyHalfSpace
from traction.materials import Pair

SHARED = 1e-6  #: tolerance of equal temperatures of both bodies
SLOWEST = 10.0  #: Peclet number V a/(2 kappa) from which heat of the past hardly spreads along the surface


@dataclass(frozen=True, eq=False)
class CarriedHeat:
    """What the surfaces carry from step to step; fields in the coordinates of the contact, (ny, nx)."""

    history: HeatHistory
    power: np.ndarray  #: of the last step, W/m2
    coefficients: np.ndarray  #: of friction by the temperature, or factors of a law, at its end

    @classmethod
    def cold(cls, law: ThermalFriction, shape: tuple[int, int]) -> CarriedHeat:
        """Of bodies as warm as their bulk."""
        mu = np.full(shape, float(law.coefficient(max(law.bulk))))
        return cls(HeatHistory.cold(shape), np.zeros(shape), mu)


@dataclass(frozen=True, eq=False)
class StepHeat:
    """A step of rolling that makes heat."""

    law: ThermalFriction
    normal: NormalContact
    carried: CarriedHeat
    way: float  #: of the contact along x, m, with its sign
    seconds: float
    creepage: float  #: about xi, by which the bodies pass at different speeds
    discretisation: str  #: "classical" heats as CONTACT does

    def __post_init__(self) -> None:
        a, pair = self.normal.semi_axes[0], self.normal.pair
        find_effusivities(pair, self.law)  # names the body whose thermal data are missing
        passing = zip((pair.upper, pair.lower), self._velocities, self.law.parts, strict=True)
        slowest = min(abs(v) * a / (2.0 * m.diffusivity) for m, v, part in passing if part > 0.0)
        if not slowest >= SLOWEST:
            raise InputError(
                f"speed = {self.speed:.4g} m/s and creepage {self.creepage:.4g}: the Peclet number "
                f"v a/(2 kappa) of a surface is {slowest:.3g}, at least {SLOWEST:g}; more slowly heat "
                "spreads along it while the contact passes, and particles do not keep it. Use "
                "tr.roll_steady, or constant friction: such contacts hardly warm up."
            )

    @property
    def speed(self) -> float:
        """Of rolling, m/s."""
        return abs(self.way) / self.seconds

    @property
    def cells(self) -> float:
        """Way of the contact along x in elements."""
        return self.way / self.normal.grid.dx

    def heat(self, solved: SolvedFriction) -> Heating:
        """Heat of a solution of the step."""
        work: np.ndarray = solved.dissipate()
        slip = np.hypot(*solved.step.average(solved.slip)) / self.seconds
        return self.heat_by(work / self.seconds, slip)._replace(solved=solved.converged)

    def expect(self, slip: np.ndarray | None) -> np.ndarray:
        """Coefficients to begin from, by the power of the last step, else by the rigid slip (m/s)."""
        power, mu = self.carried.power, self.carried.coefficients
        if not power.any():
            if slip is None:
                return mu
            power = mu * expect_bound(self.law, self.normal, slip) * slip
        bound = mu * self.normal.pressure
        slides = np.divide(power, bound, out=np.zeros_like(power), where=bound > 0.0)
        return follow_heat(self.law, self.heat_by(power, slides), mu)

    def heat_by(self, power: np.ndarray, slip: np.ndarray) -> Heating:
        """What a frictional power (W/m2) and slip speeds (m/s) do."""
        spread = self._influence(power - self.carried.power)
        temperature = self._steady + spread + self._past + self._depth * (power @ self._lack)
        return Heating(power, temperature, self.influence, self._remember(slip), self.normal.contact, True)

    def influence(self, power: np.ndarray) -> np.ndarray:
        """About the rise of the temperature at the end of the step by its power, K."""
        rise: np.ndarray = self._influence(power) + self._depth * (power @ self._lack)
        return rise

    def carry(self, hot: Heating, coefficients: np.ndarray) -> CarriedHeat:
        """What the surfaces carry after the step."""
        history = self.carried.history.add(hot.power, self._passed, self.seconds)
        return CarriedHeat(history, hot.power, coefficients)

    @cached_property
    def _velocities(self) -> tuple[float, float]:
        through = -math.copysign(self.speed, self.way)
        return through + self.speed * self.creepage, through

    @cached_property
    def _influence(self) -> Influence:
        return approximate_influence(
            self.normal, self._velocities, self.law, self.discretisation, NearbyHalfSpace
        )

    @cached_property
    def _steady(self) -> np.ndarray:
        """Temperature of the hotter surface in steady rolling with the power of the last step, K."""
        law, n, power, equal = self.law, self.normal, self.carried.power, isinstance(self.law.share, str)
        pair, parts = (n.pair.upper, n.pair.lower), None if equal else law.parts
        if self.discretisation == "classical" and equal:
            direction = 1 if self.way > 0.0 else -1
            classical = ClassicalBodies(n.grid, pair, self.speed, direction, law.bulk, n.contact)
            return np.asarray(classical.heat(power).max(axis=0))
        given = self._velocities, parts, law.bulk, n.contact, NearbyHalfSpace
        bodies = TwoBodies.moving(n.grid, pair, *given)
        return np.asarray(bodies.heat(bodies.divide(power, parts, SHARED)).max(axis=0))

    @property
    def _depth(self) -> float:
        """Temperature of the hotter surface by heat that is conducted into the depth, over that of `warm`."""
        (upper, lower), parts = find_effusivities(self.normal.pair, self.law), self.law.parts
        if isinstance(self.law.share, str):
            return 1.0 / (upper + lower)
        return max(parts[0] / upper, parts[1] / lower)

    @cached_property
    def _passed(self) -> float:
        """Cells by which the contact passes the surfaces, along x."""
        speed = find_passing_speed(self.law, self.normal.pair, self._velocities, self.discretisation)
        return math.copysign(speed * self.seconds / self.normal.grid.dx, self.way)

    @cached_property
    def _past(self) -> np.ndarray:
        """Temperature that the heat of earlier steps leaves at the end of this one, K."""
        return self._depth * self.carried.history.warm(self._passed, self.seconds)

    @cached_property
    def _lack(self) -> np.ndarray:
        """Rows of power to what it would have left if it had always been there, with the opposite sign."""
        nx, passed = self.normal.grid.nx, self._passed
        far = 2.0 * nx
        step = lag_matrix(nx, passed, self.seconds)
        steady = lag_matrix(nx, math.copysign(far, passed), far / abs(passed) * self.seconds)
        return np.asarray((step - steady).T)

    def _remember(self, slip: np.ndarray) -> ThermalMemory:
        """Memory of the particles, which slip (m/s); they enter as warm as the bulk."""
        law, entry = self.law, float(self.law.coefficient(max(self.law.bulk)))
        if law.memory is None:
            return PassingMemory(None, 1, entry)
        kept = keep_memory(law.memory, slip, self.seconds, self.discretisation == "covered")
        return StepMemory.of(kept, self.carried.coefficients, self.cells, entry)


def find_passing_speed(
    law: ThermalFriction, pair: Pair, velocities: tuple[float, float], discretisation: str
) -> float:
    """Speed at which surfaces pass that become as warm, m/s; those of the bodies differ by the creepage.

    It is the square of the mean of sqrt(v), weighed by effusivities, or that of the body that is hotter.
    """
    if not isinstance(law.share, str):
        return abs(velocities[find_hotter_body(pair, law)])
    (upper, lower), (first, second) = find_effusivities(pair, law), velocities
    if discretisation == "classical":
        return abs(second)
    root = upper * math.sqrt(abs(first)) + lower * math.sqrt(abs(second))
    return (root / (upper + lower)) ** 2
