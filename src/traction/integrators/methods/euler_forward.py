"""Forward Euler: z1 = z + dt g(t, z). First order; every undamped oscillation gains energy."""

from __future__ import annotations

from traction.integrators.core.method import Behaviour, Method
from traction.integrators.methods.kernels.explicit_steps import make_forward_euler_step


class EulerForward(Method):
    """q1 = q + dt v, v1 = v + dt a(t, q, v)."""

    name = "euler-forward"
    summary = "explicit, one force per step (Euler 1768)"
    make_step = staticmethod(make_forward_euler_step)
    behaviour = Behaviour(1, 0.0, "negative: amplitudes grow by (omega dt)^2/2 per step")
