"""`PassingMemory`: coefficients of friction that follow those of the temperature along the particles' way.

d mu/dt = -max(s, s0)/dc (mu - mu_T), by steps of implicit Euler from element to element, as laws of the slip
speed have it: of the coefficient in the element ahead the share dc/(dc + max(s, s0) dt) is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from traction.friction_laws.friction_law import Memory


@dataclass(frozen=True, eq=False)
class PassingMemory:
    """Memory of particles that pass a grid in steady rolling."""

    kept: np.ndarray | None  #: share of the coefficient ahead that is left, (ny, nx); None without memory
    direction: int  #: of rolling
    entry: float  #: coefficient of particles that enter the grid

    @classmethod
    def of(
        cls, memory: Memory | None, slip_speed: np.ndarray, seconds: float, direction: int, entry: float
    ) -> PassingMemory:
        """That of particles which slip (m/s) for `seconds` in each element."""
        if memory is None:
            return cls(None, direction, entry)
        way = np.maximum(slip_speed, memory.speed) * seconds
        return cls(memory.distance / (memory.distance + way), direction, entry)

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
