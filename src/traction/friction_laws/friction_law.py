"""`FrictionLaw`: the contract of a coefficient of friction that depends on the slip speed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from traction import checks
from traction.errors import InputError
from traction.friction_laws.kernels.coefficients import CompiledFriction

FASTEST = 1e4  #: slip speed up to which laws are checked, m/s


class Memory(NamedTuple):
    """Memory of friction: d mu/dt = -max(s, s0)/dc (mu - mu_s(s)) along the particle's way."""

    distance: float  #: dc, m: slip over which most of an earlier state is forgotten
    speed: float  #: s0, m/s: slower slips, and sticking, forget at this speed


MemoryInput = tuple[float, float] | None  #: (distance, speed) of a memory, m and m/s, or none


@dataclass(frozen=True)
class FrictionLaw(ABC):
    """A coefficient of friction that depends on the slip speed; made by the functions of `tr.friction`.

    Contract:

    1. `coefficient(slip_speed)` and `derivative(slip_speed)` take numbers or arrays of slip speeds (m/s, not
       negative) and return arrays of the same shape; they are those of steady sliding, without memory.
    2. `static` is the coefficient at rest, where particles enter; `kinetic` that at high speed, and `largest`
       the largest of all.
    3. `memory` is None, or distance and speed by which coefficients approach those of steady sliding.
    4. `compiled()` is the same law as kernels take it.
    5. A law never changes. What depends on anything else than the slip speed, such as the temperature, is a
       field of coefficients handed to the solver, and iterated outside.
    """

    memory: Memory | None = field(default=None, kw_only=True)

    @abstractmethod
    def evaluate(self, slip_speed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients and their derivatives (s/m) at clean slip speeds, m/s, (n,)."""

    @abstractmethod
    def compiled(self) -> CompiledFriction:
        """Return the law as kernels take it."""

    def coefficient(self, slip_speed: ArrayLike) -> np.ndarray:
        """Return the coefficients of friction of steady sliding at `slip_speed` (m/s)."""
        return self._evaluate_any(slip_speed)[0]

    def derivative(self, slip_speed: ArrayLike) -> np.ndarray:
        """Return their derivatives by the slip speed, s/m, at `slip_speed` (m/s)."""
        return self._evaluate_any(slip_speed)[1]

    def _evaluate_any(self, slip_speed: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """`evaluate` at a number, or at an array of any shape."""
        speeds = _check_speeds(slip_speed)
        mu, slope = self.evaluate(speeds.ravel())
        return mu.reshape(speeds.shape), slope.reshape(speeds.shape)

    @property
    def static(self) -> float:
        """Coefficient at rest, mu_s(0)."""
        return float(self.evaluate(np.zeros(1))[0][0])

    @property
    def kinetic(self) -> float:
        """Coefficient at high slip speed."""
        return float(self.evaluate(np.array([FASTEST]))[0][0])

    @property
    def is_constant(self) -> bool:
        """Whether the coefficient is the same at all slip speeds."""
        return False

    @property
    def may_lag(self) -> bool:
        """Whether steps of rolling may lag behind it: it depends on the slip speed."""
        return not self.is_constant

    @property
    def largest(self) -> float:
        """Largest coefficient at any slip speed."""
        speeds = np.concatenate(([0.0], np.geomspace(1e-6, FASTEST, 2001)))
        return float(self.evaluate(speeds)[0].max())


def check_memory(memory: object) -> Memory | None:
    """Distance (m) and speed (m/s) of a memory, or None."""
    if memory is None:
        return None
    distance, speed = checks.pair("memory", memory, "two numbers (distance in m, speed in m/s)")
    return Memory(
        checks.positive("distance of memory", distance, "m", "1e-6 m is usual; omit it to have no memory."),
        checks.positive("speed of memory", speed, "m/s", "1e-3 to 1e-2 m/s are usual."),
    )


def check_law(law: FrictionLaw) -> None:
    """Check that a coefficient is never negative."""
    speeds = np.concatenate(([0.0], np.geomspace(1e-6, FASTEST, 401)))
    mu, slope = law.evaluate(speeds)
    wrong = ~(np.isfinite(mu) & np.isfinite(slope) & (mu >= 0.0))
    if wrong.any():
        where = int(np.argmax(wrong))
        raise InputError(
            f"the coefficient of friction at a slip speed of {speeds[where]:.4g} m/s is {mu[where]:.4g}, "
            f"with the slope {slope[where]:.4g} s/m; both must be finite and the coefficient not negative."
        )


def _check_speeds(slip_speed: ArrayLike) -> np.ndarray:
    speeds = checks.finite_array("slip_speed", slip_speed, unit="m/s").reshape(np.shape(slip_speed))
    if (speeds < 0.0).any():
        raise InputError(f"slip_speed = {float(speeds.min())} m/s must not be negative: it is a magnitude.")
    return speeds
