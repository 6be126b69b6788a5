"""`PassingMemory`: coefficients of friction that follow those of the temperature along the particles' way.

d mu/dt = -max(s, s0)/dc (mu - mu_T), as laws of the slip speed have it: of the coefficient in the element
ahead, or before the step, the share exp(-max(s, s0) dt/dc) is left, of whole cells that of implicit Euler,
dc/(dc + max(s, s0) dt).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from traction.contact.friction.interface_memory import shift_field
from traction.friction_laws.friction_law import Memory


class ThermalMemory(Protocol):
    """How coefficients follow those of the temperature."""

    def follow(self, steady: np.ndarray) -> np.ndarray:
        """Coefficients of particles for which `steady` are those that they approach; linear in them."""

    def follow_change(self, change: np.ndarray) -> np.ndarray:
        """Change of the coefficients by that of the steady ones."""


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
