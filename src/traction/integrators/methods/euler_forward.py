"""Forward Euler: z1 = z + dt g(t, z). First order; every undamped oscillation gains energy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from traction.integrators.methods.runge_kutta import ExplicitRungeKutta, Tableau


@dataclass(frozen=True)
class EulerForward(ExplicitRungeKutta):
    """q1 = q + dt v, v1 = v + dt a(t, q, v)."""

    name: ClassVar[str] = "euler-forward"
    summary: ClassVar[str] = "explicit, one force per step (Euler 1768)"
    tableau: ClassVar[Tableau] = Tableau.of([[0.0]], [1.0])

    @property
    def order(self) -> int:
        """1."""
        return 1

    @property
    def stability_limit(self) -> float:
        """0: |1 + i omega dt| > 1 for every step."""
        return 0.0

    @property
    def damping(self) -> str:
        """Negative."""
        return "negative: amplitudes grow by (omega dt)^2/2 per step"
