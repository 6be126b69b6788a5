"""The classical Runge-Kutta method of order 4 (Kutta 1901); the thesis' tableau under (3.4).

With the force at the end of the step, which the next step begins with, the weights 1, 2, 2, 0, 1 give a
solution of order 3, the only one up to its distance from the other: it differs by dt/6 (k4 - k5). Of order 4
it misses two conditions, sum b_i a_ij c_j^2 = 7/72 and sum b_i a_ij a_jk c_k = 1/36 instead of 1/12 and 1/24.
"""

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
        embedded=[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 0.0, 1.0 / 6.0],
    )

    @property
    def order(self) -> int:
        """4."""
        return 4

    @property
    def embedded_order(self) -> int:
        """3."""
        return 3

    @property
    def stability_limit(self) -> float:
        """2 sqrt 2, where |1 + z + z^2/2 + z^3/6 + z^4/24| = 1 on the imaginary axis."""
        return 2.0 * math.sqrt(2.0)

    @property
    def damping(self) -> str:
        """Weak."""
        return "weak: amplitudes shrink by (omega dt)^6/144 per step"
