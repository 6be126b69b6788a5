"""The classical Runge-Kutta method of order 4 (Kutta 1901); the thesis' tableau under (3.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from traction.integrators.runge_kutta import ExplicitRungeKutta, Tableau


@dataclass(frozen=True)
class RungeKutta4(ExplicitRungeKutta):
    """Four stages at t, t + dt/2 (twice) and t + dt, weighted 1, 2, 2, 1."""

    name: ClassVar[str] = "rk4"
    summary: ClassVar[str] = "explicit, four forces per step (Kutta 1901)"
    tableau: ClassVar[Tableau] = Tableau.of(
        [[0.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
        [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    )

    @property
    def order(self) -> int:
        """4."""
        return 4

    @property
    def stability_limit(self) -> float:
        """2 sqrt 2, where |1 + z + z^2/2 + z^3/6 + z^4/24| = 1 on the imaginary axis."""
        return 2.0 * math.sqrt(2.0)

    @property
    def damping(self) -> str:
        """Weak."""
        return "weak: amplitudes shrink by (omega dt)^6/144 per step"
