"""Backward Euler: z1 = z + dt g(t1, z1). First order; damps everything, the more the larger the step."""

from __future__ import annotations

import math

from traction.integrators.core.method import Behaviour, ImplicitMethod
from traction.integrators.methods.alpha_family import Weights
from traction.integrators.methods.kernels.alpha_steps import make_backward_euler_step


class EulerBackward(ImplicitMethod):
    """q1 = q + dt v1, v1 = v + dt a(t1, q1, v1)."""

    name = "euler-backward"
    summary = "implicit, L-stable (Cauchy 1824; Curtiss, Hirschfelder 1952)"
    make_step = staticmethod(make_backward_euler_step)
    behaviour = Behaviour(
        1, math.inf, "strong: amplitudes shrink by (omega dt)^2/2 per step", high_frequency_radius=0.0
    )

    @property
    def coefficients(self) -> Weights:
        """The accelerations at the end count wholly."""
        return Weights(1.0, 1.0)
