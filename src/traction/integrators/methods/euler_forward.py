"""Forward Euler: z1 = z + dt g(t, z). First order; every undamped oscillation gains energy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from traction.integrators.core.method import MakeStep, Method
from traction.integrators.methods.kernels.explicit_steps import make_forward_euler_step


@dataclass(frozen=True)
class EulerForward(Method):
    """q1 = q + dt v, v1 = v + dt a(t, q, v)."""

    name: ClassVar[str] = "euler-forward"
    summary: ClassVar[str] = "explicit, one force per step (Euler 1768)"
    make_step: ClassVar[MakeStep] = staticmethod(make_forward_euler_step)

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
