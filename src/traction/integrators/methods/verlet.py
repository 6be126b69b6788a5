"""Velocity Verlet (Verlet 1967; Swope et al. 1982): the central difference method with velocities.

q1 = q + dt v + dt^2/2 a, v1 = v + dt/2 (a + a1). With damping the end acceleration solves
(M + dt/2 C) a1 = f(t1, q1, v + dt a) - K q1 - C (v + dt/2 a), which keeps the second order.
"""

from __future__ import annotations

from traction.integrators.core.method import Behaviour, Method
from traction.integrators.methods.kernels.explicit_steps import make_verlet_step


class Verlet(Method):
    """The second difference of q over dt^2 is the acceleration at the present time, not at an earlier one."""

    name = "verlet"
    summary = "explicit, one force per step, symplectic (Verlet 1967)"
    make_step = staticmethod(make_verlet_step)
    behaviour = Behaviour(2, 2.0, "none: the energy oscillates by (omega dt)^2/4, without drift")
