"""The classical Runge-Kutta method of order 4 (Kutta 1901); the thesis' tableau under (3.4).

Its accelerations are k1 to k4, and k5 at the end, which the next step begins with. The weights 1, 2, 2, 0, 1
of k1 to k5 give a solution of order 3, at the distance dt/6 (k4 - k5); up to that factor it is the only one.
Of the conditions of order 4 it misses two: sum b_i a_ij c_j^2 is 7/72 instead of 1/12, and
sum b_i a_ij a_jk c_k is 1/36 instead of 1/24. The other two it meets: the velocities of both solutions take
the integral of a load over time alike, right or wrong. The velocity of the last stage does not; it is of
order 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from traction.integrators.core.method import Errors
from traction.integrators.core.motion import Motion
from traction.integrators.core.state import State
from traction.integrators.methods.runge_kutta import ExplicitRungeKutta, Tableau


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

    def estimated_step(self, motion: Motion, state: State, dt: float) -> tuple[State, Errors]:
        """The state after one step, and the errors of the solution of order 3."""
        end, accelerations = self.staged_step(motion, state, dt)
        last = np.abs(state.v + dt * accelerations[2] - end.v)
        return end, Errors(dt / 6.0 * last, dt / 6.0 * np.abs(accelerations[3] - end.a), last)
